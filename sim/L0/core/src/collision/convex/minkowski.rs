//! The Minkowski difference of two convex solids, by its support function.

use super::support::Solid;
use crate::math::vec3::{Vec3, scale, sub};

/// A point of the difference, and the points of the two solids that it is the difference of.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Vertex {
    /// `on_a - on_b`.
    pub point: Vec3,
    pub on_a: Vec3,
    pub on_b: Vec3,
    /// Vertex index on the first solid; -1 for smooth solids.
    pub index_a: i32,
    /// Vertex index on the second solid; -1 for smooth solids.
    pub index_b: i32,
}

/// The Minkowski difference `a - b`.
pub(super) struct MinkowskiDifference<'p, 'a> {
    pub a: &'p mut Solid<'a>,
    pub b: &'p mut Solid<'a>,
}

impl MinkowskiDifference<'_, '_> {
    /// Whether the difference is a polytope, on which GJK and EPA terminate exactly.
    pub(super) fn is_discrete(&self) -> bool {
        self.a.is_discrete() && self.b.is_discrete()
    }

    /// Writes the support point in a direction of unit length to `out`. Returning it by value would copy
    /// it with wider loads than the stores that wrote it, which defeats store forwarding.
    #[inline(never)]
    pub(super) fn support(&mut self, dir: Vec3, out: &mut Vertex) {
        let on_a = self.a.support(dir);
        let on_b = self.b.support(scale(dir, -1.0));
        let (index_a, index_b) = (self.a.vertex, self.b.vertex);
        *out = Vertex { point: sub(on_a, on_b), on_a, on_b, index_a, index_b };
    }
}
