//! The Minkowski difference of two convex solids, by its support function.

use super::support::Solid;
use sim_simd::{Vector3, dispatch};

/// A point of the difference, and the points of the two solids that it is the difference of.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Vertex {
    /// `on_a - on_b`.
    pub point: Vector3,
    pub on_a: Vector3,
    pub on_b: Vector3,
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

    /// Writes the support point in a direction of unit length to `out`.
    #[inline(never)]
    pub(super) fn support(&mut self, dir: Vector3, out: &mut Vertex) {
        let difference = self;
        dispatch!(support(
            difference: &mut MinkowskiDifference<'_, '_>,
            dir: Vector3,
            out: &mut Vertex,
        ));
    }
}

#[inline(always)]
fn support(difference: &mut MinkowskiDifference<'_, '_>, dir: Vector3, out: &mut Vertex) {
    let (a, b) = (&mut *difference.a, &mut *difference.b);
    let on_a = a.inflated_support(dir);
    let on_b = b.inflated_support(dir.scale(-1.0));
    out.point = on_a.sub(on_b);
    (out.on_a, out.on_b) = (on_a, on_b);
    (out.index_a, out.index_b) = (a.vertex, b.vertex);
}
