//! A convex solid against a triangle mesh, triangle by triangle.

use super::closest::{closest_on_triangle, normal as normal_of};
use super::sphere::{self, surface_contact};
use super::surface::Surface;
use super::triangle_shape::TriangleShape;
use super::work::MAX_FOUND;
use super::{Query, TrimeshWork};
use crate::collision::convex::{CcdWork, convex, distance, support};
use crate::collision::manifold::ContactPoint;
use crate::collision::shape::Shape;
use crate::math::mat3;
use crate::math::vec3::{Vec3, add, add_scaled, dot, normalize, scale, sub};
use sim_types::GeomType;

/// Largest accepted depth of a back-face contact, relative to the shallowest one.
const MAX_BACKFACE_DEPTH: f64 = 1.2;

/// Collects the contacts of a convex solid with a mesh.
pub(super) fn collide(
    surface: &Surface<'_>,
    query: &Query<'_, '_>,
    work: &mut TrimeshWork,
    ccd: &mut CcdWork,
) {
    if query.other.kind == GeomType::Sphere {
        return sphere::collide(surface, query, work);
    }
    let (centre, half) = aabb_in_mesh(surface, query);
    surface.visit_box(centre, half, query.margin, |face, corners, normal| {
        let triangle = TriangleShape::new(corners, normal, surface.pos, surface.mat);
        work.single.clear();
        let shape = triangle.shape(surface.mat);
        convex(query.other, &shape, query.margin, &query.opt, ccd, &mut work.single);
        let mut rejected = 0.0_f64;
        for k in 0..work.single.as_slice().len() {
            let found = work.single.as_slice()[k];
            let point = surface.local(add_scaled(found.pos, found.normal, 0.5 * found.dist));
            let out = scale(mat3::mul_transpose_vec(surface.mat, found.normal), -1.0);
            if surface.in_normal_cone(closest_on_triangle(point, corners), out, query.size) {
                work.add(found);
            } else {
                rejected = rejected.max(-found.dist);
            }
        }
        if rejected > 0.0 {
            if work.rejected.len() < MAX_FOUND {
                work.rejected.push((face, rejected));
            }
            add_backface(surface, query, &shape, normal, work, ccd);
        }
    });
    accept_backface(work);
    if work.found.is_empty() {
        add_wedged(surface, query, work, ccd);
    }
    if work.found.is_empty() && surface.closed {
        add_enclosed(surface, query, work);
    }
}

/// Bounding box of the other shape in the mesh frame: centre and half-extents.
pub(super) fn aabb_in_mesh(surface: &Surface<'_>, query: &Query<'_, '_>) -> (Vec3, Vec3) {
    let [x, y, z, half @ ..] = query.aabb;
    let centre = add(query.other.pos, mat3::mul_vec(query.other.mat, [x, y, z]));
    let rot = mat3::mul(&mat3::transpose(surface.mat), query.other.mat);
    (surface.local(centre), mat3::mul_vec(&rot.map(f64::abs), half))
}

/// First contact of a solid that is moved onto a triangle.
struct Impact {
    /// Remaining displacement along the direction of motion, m.
    lift: f64,
    /// World position of the contact.
    point: Vec3,
    /// Unit direction from the triangle to the solid.
    direction: Vec3,
}

/// Conservative advancement: displaces a solid along `up` above a triangle and moves it back until contact.
fn conservative_advancement(
    query: &Query<'_, '_>,
    triangle: &Shape<'_>,
    up: Vec3,
    ccd: &mut CcdWork,
) -> Option<Impact> {
    const STEPS: usize = 30;
    let deepest = support(query.other, scale(up, -1.0))?;
    let highest = support(triangle, up)?;
    let mut lift = dot(sub(highest, deepest), up) + 1e-6 * query.size;
    let tolerance = 1e-5 * query.size;
    let mut impact: Option<Impact> = None;
    for _ in 0..STEPS {
        if lift < -query.margin {
            return None;
        }
        let lifted = Shape { pos: add_scaled(query.other.pos, up, lift), ..*query.other };
        let max = lift.abs() + 4.0 * (query.other.rbound + triangle.rbound);
        let (gap, [x, y, z, point @ ..]) = distance(&lifted, triangle, max, &query.opt, ccd);
        if gap <= 0.0 {
            // contact within the accuracy of the distance query
            return impact.or(Some(Impact { lift, point: highest, direction: up }));
        }
        let (direction, length) = normalize(sub([x, y, z], point));
        let descent = dot(direction, up);
        if gap >= max || length < f64::EPSILON || descent <= 1e-6 {
            return None;
        }
        impact = Some(Impact { lift: lift - gap, point, direction });
        if gap <= tolerance {
            break;
        }
        lift -= gap / descent - 0.5 * tolerance;
    }
    impact
}

/// Adds the contact along the normal of a triangle, if that is in the surface's normal cone.
fn add_backface(
    surface: &Surface<'_>,
    query: &Query<'_, '_>,
    triangle: &Shape<'_>,
    normal: Vec3,
    work: &mut TrimeshWork,
    ccd: &mut CcdWork,
) {
    let up = mat3::mul_vec(surface.mat, normal);
    let Some(impact) = conservative_advancement(query, triangle, up, ccd) else { return };
    let out = mat3::mul_transpose_vec(surface.mat, impact.direction);
    let point = surface.local(impact.point);
    if surface.in_normal_cone(point, out, query.size) {
        let dist = -impact.lift * dot(impact.direction, up);
        work.backface.push(surface_contact(surface, point, out, dist));
    }
}

/// Adds the contacts of a solid wedged where no single triangle gives a valid normal, such as a vertex in a
/// notch: along the weighted mean of the normals, with the depth of each triangle.
fn add_wedged(
    surface: &Surface<'_>,
    query: &Query<'_, '_>,
    work: &mut TrimeshWork,
    ccd: &mut CcdWork,
) {
    /// Smallest length of the mean normal that defines a direction.
    const MIN_MEAN: f64 = 0.2;
    /// Smallest depth of a contact relative to the largest.
    const MIN_DEPTH: f64 = 0.7;
    let (mut sum, mut weights) = ([0.0; 3], 0.0);
    let of = |face: usize| {
        let corners = surface.mesh.corners(face);
        normal_of(&corners).map(|normal| (corners, normal))
    };
    for &(face, weight) in &work.rejected {
        if let Some((_, normal)) = of(face) {
            sum = add_scaled(sum, normal, weight);
            weights += weight;
        }
    }
    let (out, length) = normalize(sum);
    if length <= MIN_MEAN * weights || length.is_nan() {
        return;
    }
    let up = mat3::mul_vec(surface.mat, out);
    let mut worst = 0.0_f64;
    for k in 0..work.rejected.len() {
        let Some((corners, normal)) = of(work.rejected[k].0) else { continue };
        let triangle = TriangleShape::new(&corners, normal, surface.pos, surface.mat);
        let shape = triangle.shape(surface.mat);
        if let Some(impact) = conservative_advancement(query, &shape, up, ccd) {
            worst = worst.max(impact.lift);
            work.add(surface_contact(surface, surface.local(impact.point), out, -impact.lift));
        }
    }
    work.found.retain(|p| -p.dist >= MIN_DEPTH * worst);
}

/// Accepts back-face contacts, except those much deeper than others: these belong to a surface that the
/// solid did not pass through.
fn accept_backface(work: &mut TrimeshWork) {
    let depth = |most: f64, p: &ContactPoint| most.max(-p.dist);
    let regular = work.found.iter().fold(0.0, depth);
    let shallowest = work.backface.iter().map(|p| -p.dist).fold(f64::INFINITY, f64::min);
    let limit = regular.max(MAX_BACKFACE_DEPTH * shallowest);
    let TrimeshWork { found, backface, .. } = work;
    found.extend(backface.drain(..).filter(|p| -p.dist <= limit));
}

/// Adds the contact of a solid entirely inside a closed mesh: along the shortest escape of its centre.
fn add_enclosed(surface: &Surface<'_>, query: &Query<'_, '_>, work: &mut TrimeshWork) {
    let centre = surface.local(query.other.pos);
    let Some(closest) = surface.closest_point(centre, f64::INFINITY) else { return };
    let Some(out) = sphere::escape_direction(surface, centre, &closest) else { return };
    let down = scale(mat3::mul_vec(surface.mat, out), -1.0);
    let Some(deepest) = support(query.other, down) else { return };
    let dist = dot(sub(surface.local(deepest), closest.point), out);
    work.add(surface_contact(surface, closest.point, out, dist));
}
