//! A sphere against triangles: the points of the surface that are nearest to its centre.

use super::closest::closest;
use super::surface::{Nearest, Surface};
use super::{Query, TriangleWork};
use crate::collision::touch::Touch;
use crate::math::mat3;
use crate::math::vec3::{self, Vec3, add_scaled, dot, norm, scale, sub};
use sim_types::MINVAL;

/// How squarely a sheet must be seen from behind for it to push what is there back.
const SQUARE: f64 = 0.99;

/// Collects the contacts of a sphere.
pub(super) fn collide(surface: &Surface<'_>, query: &Query<'_, '_>, work: &mut TriangleWork) {
    let (radius, centre) = (query.other.size[0], surface.local(query.other.pos));
    let reach = radius + query.margin;
    let near = if surface.closed { f64::INFINITY } else { reach };
    let Some(nearest) = surface.nearest(centre, near) else { return };
    if let Some(out) = way_out(surface, centre, &nearest) {
        let dist = -nearest.dist.abs() - radius;
        work.add(touch(surface, nearest.point, out, dist));
        return;
    }
    if nearest.dist.abs() > reach {
        return;
    }
    surface.near(centre, [0.0; 3], reach, |_, corners, normal| {
        let point = closest(centre, corners);
        let away = sub(centre, point);
        let length = norm(away);
        if length > reach {
            return;
        }
        let out = if length > MINVAL { scale(away, 1.0 / length) } else { normal };
        if surface.pushes(point, out, query.size) {
            work.add(touch(surface, point, out, length - radius));
        }
    });
}

/// Which way leads out for a point behind the surface; nothing in front of it.
pub(super) fn way_out(surface: &Surface<'_>, point: Vec3, nearest: &Nearest) -> Option<Vec3> {
    if nearest.dist >= 0.0 {
        return None;
    }
    let back = sub(nearest.point, point);
    let length = norm(back);
    if length < MINVAL {
        return Some(nearest.normal);
    }
    let out = scale(back, 1.0 / length);
    // behind the border of a sheet is not inside of anything
    (surface.closed || dot(out, nearest.normal) > SQUARE).then_some(out)
}

/// The contact at a point of the surface, given in its frame as the direction that it pushes to.
pub(super) fn touch(surface: &Surface<'_>, point: Vec3, out: Vec3, dist: f64) -> Touch {
    let out = vec3::normalize(mat3::mul_vec(surface.mat, out)).0;
    let pos = add_scaled(surface.world(point), out, 0.5 * dist);
    Touch { dist, pos, normal: scale(out, -1.0), tangent: [0.0; 3] }
}
