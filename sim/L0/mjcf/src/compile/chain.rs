//! Numbers of dofs in kinematic chains, which bound the nonzeros of Jacobians.

use super::body::Tree;

/// Counts the dofs between bodies and the world. Visit marks avoid repeated traversal.
pub(super) struct Chains<'t, 'a> {
    tree: &'t Tree<'a>,
    /// Index of the last query that visited each body.
    mark: Vec<usize>,
    query: usize,
}

impl<'t, 'a> Chains<'t, 'a> {
    pub(super) fn new(tree: &'t Tree<'a>) -> Self {
        Self { tree, mark: vec![0; tree.bodies.len()], query: 0 }
    }

    /// Number of dofs that move at least one of the bodies.
    pub(super) fn union(&mut self, bodies: impl IntoIterator<Item = usize>) -> usize {
        self.query += 1;
        let mut dofs = 0;
        for mut body in bodies {
            while body > 0 && self.mark[body] != self.query {
                self.mark[body] = self.query;
                dofs += self.tree.bodies[body].dofnum;
                body = self.tree.bodies[body].parent;
            }
        }
        dofs
    }

    /// Number of dofs that move exactly one of two bodies.
    pub(super) fn difference(&mut self, body1: usize, body2: usize) -> usize {
        let union = self.union([body1, body2]);
        let (one, two) = (self.union([body1]), self.union([body2]));
        // The dofs of both chains are in the union once and in the sum twice.
        2 * union - (one + two)
    }
}
