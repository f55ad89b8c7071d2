//! Bounding volume hierarchy over the geoms of one body, in the body's inertial frame.

use super::geom::CompiledGeom;
use super::lower::id;
use super::math::{EPS, Pose, add, conjugate, rotate, sub};
use crate::asset::mesh::{Bvh, Leaf};

/// Quantization of centers: those that differ by less are ordered by id.
const RESOLUTION: f64 = 4.0 * EPS;

/// Builds the tree of the geoms that can collide; `first` is the id of the first geom.
pub(super) fn body_bvh(first: usize, geoms: &[CompiledGeom<'_>], inertial: Pose) -> Bvh {
    let mut leaves: Vec<Leaf<f64>> = geoms
        .iter()
        .enumerate()
        .filter(|(_, g)| g.spec.contype != 0 || g.spec.conaffinity != 0)
        .map(|(i, g)| leaf(first + i, g, inertial))
        .collect();
    Bvh::from_leaves(&mut leaves, f64::total_cmp)
}

/// Bounding box of a geom in the inertial frame, from the eight corners of its box.
fn leaf(geom: usize, g: &CompiledGeom<'_>, inertial: Pose) -> Leaf<f64> {
    let inverse = conjugate(inertial.quat);
    let center = sub(g.pose.pos, inertial.pos);
    let (mut low, mut high) = ([f64::MAX; 3], [-f64::MAX; 3]);
    for corner in 0..8 {
        let mut point = [0.0; 3];
        for k in 0..3 {
            let sign = if corner >> k & 1 == 1 { 1.0 } else { -1.0 };
            point[k] = g.aabb[k] + sign * g.aabb[k + 3];
        }
        let point = rotate(inverse, add(rotate(g.pose.quat, point), center));
        for k in 0..3 {
            low[k] = low[k].min(point[k]);
            high[k] = high[k].max(point[k]);
        }
    }
    // Quantized, so that rounding errors do not affect the order.
    let rank = rotate(inverse, center).map(|x| (x / RESOLUTION).round() + 0.0);
    Leaf { id: id(geom), rank, low, high }
}
