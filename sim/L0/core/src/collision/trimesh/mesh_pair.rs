//! Two triangle meshes: vertices of one inside the other; if there are none, intersecting triangles.

use super::sphere::{escape_direction, surface_contact};
use super::surface::Surface;
use super::triangle_shape::TriangleShape;
use super::{Query, TrimeshWork};
use crate::collision::convex::{CcdWork, convex};
use crate::math::mat3;
use crate::math::vec3::{Vec3, add_scaled, norm, scale, sub};
use sim_types::MINVAL;

/// Largest depth behind an open surface that is corrected, relative to the smaller mesh.
const MAX_SHEET_DEPTH: f64 = 0.1;
/// Thickness of intersecting triangles relative to the smaller mesh, so that their Minkowski difference is
/// not degenerate.
const SKIN: f64 = 1e-4;

/// Collects the contacts of two meshes, with normals from the first to the second.
pub(super) fn collide(
    a: &Surface<'_>,
    b: &Surface<'_>,
    query_a: &Query<'_, '_>,
    query_b: &Query<'_, '_>,
    work: &mut TrimeshWork,
    ccd: &mut CcdWork,
) {
    add_vertices(a, b, query_a, work);
    let first = work.found.len();
    add_vertices(b, a, query_b, work);
    for point in &mut work.found[first..] {
        point.normal = scale(point.normal, -1.0);
    }
    if work.found.is_empty() {
        add_intersections(a, b, query_a, work, ccd);
    }
}

/// Adds the vertices of one mesh that are inside the other or within the margin.
fn add_vertices(
    points: &Surface<'_>,
    surface: &Surface<'_>,
    query: &Query<'_, '_>,
    work: &mut TrimeshWork,
) {
    let Some(bounds) = surface.mesh.aabb() else { return };
    let max =
        if surface.closed { f64::INFINITY } else { MAX_SHEET_DEPTH * query.size + query.margin };
    for vertex in points.mesh.vertices {
        let vertex = surface.local(points.world(vertex.map(f64::from)));
        if (0..3).any(|k| (vertex[k] - bounds[k]).abs() > bounds[k + 3] + query.margin) {
            continue;
        }
        let Some(closest) = surface.closest_point(vertex, max) else { continue };
        if let Some(out) = escape_direction(surface, vertex, &closest) {
            work.add(surface_contact(surface, closest.point, out, closest.dist));
        } else if closest.dist >= 0.0 && closest.dist <= query.margin {
            let offset = sub(vertex, closest.point);
            let out = if closest.dist > MINVAL {
                scale(offset, 1.0 / norm(offset))
            } else {
                closest.normal
            };
            work.add(surface_contact(surface, closest.point, out, closest.dist));
        }
    }
}

/// Adds the contacts of intersecting triangles.
fn add_intersections(
    a: &Surface<'_>,
    b: &Surface<'_>,
    query: &Query<'_, '_>,
    work: &mut TrimeshWork,
    ccd: &mut CcdWork,
) {
    let skin = query.margin.max(SKIN * query.size);
    let abs_rot = mat3::mul(&mat3::transpose(b.mat), a.mat).map(f64::abs);
    let (centre, half) = b.mesh.aabb().map_or(([0.0; 3], [0.0; 3]), |bounds| {
        let [x, y, z, half @ ..] = bounds;
        (a.local(b.world([x, y, z])), mat3::mul_transpose_vec(&abs_rot, half))
    });
    a.visit_box(centre, half, skin, |_, corners_a, normal_a| {
        let triangle_a = TriangleShape::new(corners_a, normal_a, a.pos, a.mat);
        let shape_a = triangle_a.shape(a.mat);
        let (centre, half) = aabb_of(&corners_a.map(|corner| b.local(a.world(corner))));
        b.visit_box(centre, half, skin, |_, corners_b, normal_b| {
            let triangle_b = TriangleShape::new(corners_b, normal_b, b.pos, b.mat);
            let shape_b = triangle_b.shape(b.mat);
            work.single.clear();
            convex(&shape_a, &shape_b, skin, &query.opt, ccd, &mut work.single);
            for k in 0..work.single.as_slice().len() {
                let found = work.single.as_slice()[k];
                let on_a = a.local(add_scaled(found.pos, found.normal, -0.5 * found.dist));
                let on_b = b.local(add_scaled(found.pos, found.normal, 0.5 * found.dist));
                let out_a = mat3::mul_transpose_vec(a.mat, found.normal);
                let out_b = scale(mat3::mul_transpose_vec(b.mat, found.normal), -1.0);
                let on_a = super::closest::closest_on_triangle(on_a, corners_a);
                let on_b = super::closest::closest_on_triangle(on_b, corners_b);
                if a.in_normal_cone(on_a, out_a, query.size)
                    && b.in_normal_cone(on_b, out_b, query.size)
                {
                    work.add(found);
                }
            }
        });
    });
}

/// Bounding box of three points: centre and half-extents.
fn aabb_of(points: &[Vec3; 3]) -> (Vec3, Vec3) {
    let low: Vec3 =
        std::array::from_fn(|k| points.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min));
    let high: Vec3 =
        std::array::from_fn(|k| points.iter().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max));
    let half = |sign: f64| std::array::from_fn(|k| 0.5 * (high[k] + sign * low[k]));
    (half(1.0), half(-1.0))
}
