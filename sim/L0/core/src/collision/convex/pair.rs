//! Two solids as one: their Minkowski difference, point by point.

use super::support::Solid;
use crate::math::vec3::{Vec3, scale, sub};

/// A point of the difference, and the two points it is the difference of.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Vertex {
    /// `on_a - on_b`.
    pub point: Vec3,
    pub on_a: Vec3,
    pub on_b: Vec3,
    /// Which corner of the first solid; -1 where there are none.
    pub index_a: i32,
    /// Which corner of the second.
    pub index_b: i32,
}

/// Two solids that may touch.
pub(super) struct Pair<'p, 'a> {
    pub a: &'p mut Solid<'a>,
    pub b: &'p mut Solid<'a>,
}

impl Pair<'_, '_> {
    /// Whether the difference is a polytope: searches on it end exactly.
    pub(super) fn is_discrete(&self) -> bool {
        self.a.is_discrete() && self.b.is_discrete()
    }

    /// The farthest point of the difference in a direction of unit length. It is written where it stays:
    /// copies of what has just been written, in larger pieces, would have to wait for it.
    #[inline(never)]
    pub(super) fn support(&mut self, dir: Vec3, out: &mut Vertex) {
        let on_a = self.a.support(dir);
        let on_b = self.b.support(scale(dir, -1.0));
        let (index_a, index_b) = (self.a.vertex, self.b.vertex);
        *out = Vertex { point: sub(on_a, on_b), on_a, on_b, index_a, index_b };
    }
}
