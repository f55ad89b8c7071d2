//! A sphere against a triangle mesh: closest points of the surface to the sphere's centre.

use super::closest::closest_on_triangle;
use super::surface::{ClosestPoint, Surface};
use super::{Query, TrimeshWork};
use crate::collision::manifold::ContactPoint;
use crate::math::mat3;
use crate::math::vec3::{self, Vec3, add_scaled, dot, norm, scale, sub};
use sim_types::MINVAL;

/// Smallest cosine between the normal of an open surface and the escape direction of a point behind it.
const MIN_COSINE: f64 = 0.99;

/// Collects the contacts of a sphere.
pub(super) fn collide(surface: &Surface<'_>, query: &Query<'_, '_>, work: &mut TrimeshWork) {
    let (radius, centre) = (query.other.size[0], surface.local(query.other.pos));
    let max = radius + query.margin;
    let search = if surface.closed { f64::INFINITY } else { max };
    let Some(closest) = surface.closest_point(centre, search) else { return };
    if let Some(out) = escape_direction(surface, centre, &closest) {
        let dist = -closest.dist.abs() - radius;
        work.add(surface_contact(surface, closest.point, out, dist));
        return;
    }
    if closest.dist.abs() > max {
        return;
    }
    surface.visit_box(centre, [0.0; 3], max, |_, corners, normal| {
        let point = closest_on_triangle(centre, corners);
        let offset = sub(centre, point);
        let length = norm(offset);
        if length > max {
            return;
        }
        let out = if length > MINVAL { scale(offset, 1.0 / length) } else { normal };
        if surface.in_normal_cone(point, out, query.size) {
            work.add(surface_contact(surface, point, out, length - radius));
        }
    });
}

/// Unit direction out of the surface for a point behind it; `None` for a point in front.
pub(super) fn escape_direction(
    surface: &Surface<'_>,
    point: Vec3,
    closest: &ClosestPoint,
) -> Option<Vec3> {
    if closest.dist >= 0.0 {
        return None;
    }
    let offset = sub(closest.point, point);
    let length = norm(offset);
    if length < MINVAL {
        return Some(closest.normal);
    }
    let out = scale(offset, 1.0 / length);
    // a point past the boundary of an open surface is not behind it
    (surface.closed || dot(out, closest.normal) > MIN_COSINE).then_some(out)
}

/// The contact at a surface point with outward direction `out`, both in the mesh frame; the normal points
/// into the mesh.
pub(super) fn surface_contact(
    surface: &Surface<'_>,
    point: Vec3,
    out: Vec3,
    dist: f64,
) -> ContactPoint {
    let out = vec3::normalize(mat3::mul_vec(surface.mat, out)).0;
    let pos = add_scaled(surface.world(point), out, 0.5 * dist);
    ContactPoint { dist, pos, normal: scale(out, -1.0), tangent: [0.0; 3] }
}
