//! A triangle mesh against a plane.

use super::surface::Surface;
use super::{Query, TrimeshWork};
use crate::collision::manifold::ContactPoint;
use crate::math::mat3;
use crate::math::vec3::{add_scaled, dot, sub};

/// Collects the vertices below the plane or within the margin.
pub(super) fn collide(surface: &Surface<'_>, query: &Query<'_, '_>, work: &mut TrimeshWork) {
    let plane = query.other;
    let normal = mat3::column(plane.mat, 2);
    let up = mat3::mul_transpose_vec(surface.mat, normal);
    let height = dot(normal, sub(surface.pos, plane.pos));
    let overlaps = |aabb: &[f64; 6]| {
        let extent: f64 = (0..3).map(|k| up[k].abs() * aabb[k + 3]).sum();
        height + dot(up, [aabb[0], aabb[1], aabb[2]]) - extent <= query.margin
    };
    surface.mesh.traverse(overlaps, |face| {
        for corner in surface.mesh.corners(face) {
            let dist = height + dot(up, corner);
            if dist <= query.margin {
                let pos = add_scaled(surface.world(corner), normal, -0.5 * dist);
                work.add(ContactPoint { dist, pos, normal, tangent: [0.0; 3] });
            }
        }
    });
}
