//! The dofs that move bodies, counted.

use super::body::Tree;

/// Counts the dofs between bodies and the world. Marks make repeated walks short.
pub(super) struct Chains<'t, 'a> {
    tree: &'t Tree<'a>,
    /// The last count in which each body was met.
    mark: Vec<usize>,
    count: usize,
}

impl<'t, 'a> Chains<'t, 'a> {
    pub(super) fn new(tree: &'t Tree<'a>) -> Self {
        Self { tree, mark: vec![0; tree.bodies.len()], count: 0 }
    }

    /// How many dofs move at least one of these bodies.
    pub(super) fn union(&mut self, bodies: impl IntoIterator<Item = usize>) -> usize {
        self.count += 1;
        let mut dofs = 0;
        for mut body in bodies {
            while body > 0 && self.mark[body] != self.count {
                self.mark[body] = self.count;
                dofs += self.tree.bodies[body].dofnum;
                body = self.tree.bodies[body].parent;
            }
        }
        dofs
    }

    /// How many dofs move one of two bodies but not the other.
    pub(super) fn difference(&mut self, body1: usize, body2: usize) -> usize {
        let union = self.union([body1, body2]);
        let (one, two) = (self.union([body1]), self.union([body2]));
        // The dofs of both chains are in the union once and in the sum twice.
        2 * union - (one + two)
    }
}
