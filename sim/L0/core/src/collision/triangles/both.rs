//! Two meshes by their triangles: vertices of one inside of the other; where there are none,
//! triangles that cross.

use super::facet::Facet;
use super::sphere::{touch, way_out};
use super::surface::Surface;
use super::{Query, TriangleWork};
use crate::collision::convex::{CcdWork, convex};
use crate::math::mat3;
use crate::math::vec3::{Vec3, add_scaled, norm, scale, sub};
use sim_types::MINVAL;

/// A sheet pushes back what is behind it no farther than this part of the smaller mesh.
const THIN: f64 = 0.1;
/// Thickness of triangles that cross, as a part of the smaller mesh: without, their difference
/// could be flat.
const SKIN: f64 = 1e-4;

/// Collects the contacts of two meshes, from the first to the second.
pub(super) fn collide(
    a: &Surface<'_>,
    b: &Surface<'_>,
    query_a: &Query<'_, '_>,
    query_b: &Query<'_, '_>,
    work: &mut TriangleWork,
    ccd: &mut CcdWork,
) {
    vertices(a, b, query_a, work);
    let first = work.found.len();
    vertices(b, a, query_b, work);
    for touch in &mut work.found[first..] {
        touch.normal = scale(touch.normal, -1.0);
    }
    if work.found.is_empty() {
        crossing(a, b, query_a, work, ccd);
    }
}

/// Collects the vertices of one mesh inside of the other, or within the margin of it.
fn vertices(
    points: &Surface<'_>,
    surface: &Surface<'_>,
    query: &Query<'_, '_>,
    work: &mut TriangleWork,
) {
    let Some(bounds) = surface.soup.bounds() else { return };
    let reach = if surface.closed { f64::INFINITY } else { THIN * query.size + query.margin };
    for vertex in points.soup.vertices {
        let vertex = surface.local(points.world(vertex.map(f64::from)));
        if (0..3).any(|k| (vertex[k] - bounds[k]).abs() > bounds[k + 3] + query.margin) {
            continue;
        }
        let Some(nearest) = surface.nearest(vertex, reach) else { continue };
        if let Some(out) = way_out(surface, vertex, &nearest) {
            work.add(touch(surface, nearest.point, out, nearest.dist));
        } else if nearest.dist >= 0.0 && nearest.dist <= query.margin {
            let away = sub(vertex, nearest.point);
            let out =
                if nearest.dist > MINVAL { scale(away, 1.0 / norm(away)) } else { nearest.normal };
            work.add(touch(surface, nearest.point, out, nearest.dist));
        }
    }
}

/// Collects the contacts of triangles that cross.
fn crossing(
    a: &Surface<'_>,
    b: &Surface<'_>,
    query: &Query<'_, '_>,
    work: &mut TriangleWork,
    ccd: &mut CcdWork,
) {
    let skin = query.margin.max(SKIN * query.size);
    let turn = mat3::mul(&mat3::transpose(b.mat), a.mat).map(f64::abs);
    let (centre, half) = b.soup.bounds().map_or(([0.0; 3], [0.0; 3]), |bounds| {
        let [x, y, z, half @ ..] = bounds;
        (a.local(b.world([x, y, z])), mat3::mul_transpose_vec(&turn, half))
    });
    a.near(centre, half, skin, |_, corners_a, normal_a| {
        let facet_a = Facet::new(corners_a, normal_a, a.pos, a.mat);
        let shape_a = facet_a.shape(a.mat);
        let (centre, half) = box_of(&corners_a.map(|corner| b.local(a.world(corner))));
        b.near(centre, half, skin, |_, corners_b, normal_b| {
            let facet_b = Facet::new(corners_b, normal_b, b.pos, b.mat);
            let shape_b = facet_b.shape(b.mat);
            work.one.clear();
            convex(&shape_a, &shape_b, skin, &query.opt, ccd, &mut work.one);
            for k in 0..work.one.as_slice().len() {
                let found = work.one.as_slice()[k];
                let on_a = a.local(add_scaled(found.pos, found.normal, -0.5 * found.dist));
                let on_b = b.local(add_scaled(found.pos, found.normal, 0.5 * found.dist));
                let out_a = mat3::mul_transpose_vec(a.mat, found.normal);
                let out_b = scale(mat3::mul_transpose_vec(b.mat, found.normal), -1.0);
                let on_a = super::closest::closest(on_a, corners_a);
                let on_b = super::closest::closest(on_b, corners_b);
                if a.pushes(on_a, out_a, query.size) && b.pushes(on_b, out_b, query.size) {
                    work.add(found);
                }
            }
        });
    });
}

/// Centre and half sizes of the box around three points.
fn box_of(points: &[Vec3; 3]) -> (Vec3, Vec3) {
    let low: Vec3 =
        std::array::from_fn(|k| points.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min));
    let high: Vec3 =
        std::array::from_fn(|k| points.iter().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max));
    let half = |sign: f64| std::array::from_fn(|k| 0.5 * (high[k] + sign * low[k]));
    (half(1.0), half(-1.0))
}
