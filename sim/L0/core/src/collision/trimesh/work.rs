//! Buffers of triangle collision.

use crate::collision::manifold::{ContactPoint, Manifold};

/// Largest number of contact points collected for a pair before reduction.
pub(super) const MAX_FOUND: usize = 1 << 13;

/// Contact points of one pair before reduction.
#[derive(Debug, Clone, Default)]
pub(crate) struct TrimeshWork {
    /// Contacts whose direction is in the normal cone of the surface.
    pub(super) found: Vec<ContactPoint>,
    /// Contacts along the normal of a triangle that a shape mostly passed through.
    pub(super) backface: Vec<ContactPoint>,
    /// Triangles without a valid contact, and the depth of their deepest invalid one.
    pub(super) rejected: Vec<(usize, f64)>,
    /// Contacts with the current triangle.
    pub(super) single: Manifold,
}

impl TrimeshWork {
    pub(super) fn clear(&mut self) {
        self.found.clear();
        self.backface.clear();
        self.rejected.clear();
    }

    /// Adds a contact point if it is finite and there is room.
    pub(super) fn add(&mut self, point: ContactPoint) {
        let finite = point.dist.is_finite() && point.pos.iter().all(|x| x.is_finite());
        if finite && self.found.len() < MAX_FOUND {
            self.found.push(point);
        }
    }
}
