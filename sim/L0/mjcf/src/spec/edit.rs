//! Finding, adding, changing and deleting elements.

use super::{Body, BodyId, Spec};

impl Spec {
    /// The id of the body of this name.
    #[must_use]
    pub fn find_body(&self, name: &str) -> Option<BodyId> {
        self.depth_first().into_iter().find(|id| self.bodies[id.0].name == name)
    }

    /// The bodies of the tree, each after its parent, in the order of the model.
    pub(crate) fn depth_first(&self) -> Vec<BodyId> {
        self.subtree(BodyId(0))
    }

    /// A body and those below it, in the order of the model.
    pub(crate) fn subtree(&self, root: BodyId) -> Vec<BodyId> {
        let mut order = Vec::new();
        let mut stack = vec![root];
        // A tree edited into a loop ends here; the compiler reports it.
        while let Some(id) = stack.pop()
            && order.len() <= self.bodies.len()
        {
            let Some(body) = self.bodies.get(id.0) else { continue };
            stack.extend(body.children.iter().rev());
            order.push(id);
        }
        order
    }

    /// Adds a body below another and returns its id.
    pub fn add_body(&mut self, parent: BodyId, body: Body) -> BodyId {
        let id = BodyId(self.bodies.len());
        self.bodies.push(Body { parent, ..body });
        if let Some(parent) = self.bodies.get_mut(parent.0) {
            parent.children.push(id);
        }
        id
    }
}
