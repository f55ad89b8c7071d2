//! A convex solid against triangles, each as a convex shape of its own.

use super::closest::{closest, normal as normal_of};
use super::facet::Facet;
use super::sphere::{self, touch};
use super::surface::Surface;
use super::{MOST_FOUND, Query, TriangleWork};
use crate::collision::convex::{CcdWork, convex, distance, farthest};
use crate::collision::shape::Shape;
use crate::math::mat3;
use crate::math::vec3::{Vec3, add, add_scaled, dot, normalize, scale, sub};
use sim_types::GeomType;

/// A contact behind a triangle is believed up to this many times the depth of the shallowest.
const BELIEVED: f64 = 1.2;

/// Collects the contacts of a convex solid.
pub(super) fn collide(
    surface: &Surface<'_>,
    query: &Query<'_, '_>,
    work: &mut TriangleWork,
    ccd: &mut CcdWork,
) {
    if query.other.kind == GeomType::Sphere {
        return sphere::collide(surface, query, work);
    }
    let (centre, half) = local_box(surface, query);
    surface.near(centre, half, query.margin, |face, corners, normal| {
        let facet = Facet::new(corners, normal, surface.pos, surface.mat);
        work.one.clear();
        let shape = facet.shape(surface.mat);
        convex(query.other, &shape, query.margin, &query.opt, ccd, &mut work.one);
        let mut rejected = 0.0_f64;
        for k in 0..work.one.as_slice().len() {
            let found = work.one.as_slice()[k];
            let point = surface.local(add_scaled(found.pos, found.normal, 0.5 * found.dist));
            let out = scale(mat3::mul_transpose_vec(surface.mat, found.normal), -1.0);
            if surface.pushes(closest(point, corners), out, query.size) {
                work.add(found);
            } else {
                rejected = rejected.max(-found.dist);
            }
        }
        if rejected > 0.0 {
            if work.rejected.len() < MOST_FOUND {
                work.rejected.push((face, rejected));
            }
            behind(surface, query, &shape, normal, work, ccd);
        }
    });
    believe(work);
    if work.found.is_empty() {
        caught(surface, query, work, ccd);
    }
    if work.found.is_empty() && surface.closed {
        inside(surface, query, work);
    }
}

/// The box around the solid, along the axes of the mesh.
pub(super) fn local_box(surface: &Surface<'_>, query: &Query<'_, '_>) -> (Vec3, Vec3) {
    let [x, y, z, half @ ..] = query.aabb;
    let centre = add(query.other.pos, mat3::mul_vec(query.other.mat, [x, y, z]));
    let turn = mat3::mul(&mat3::transpose(surface.mat), query.other.mat);
    (surface.local(centre), mat3::mul_vec(&turn.map(f64::abs), half))
}

/// Where a solid that was lifted comes to rest on a triangle.
struct Rest {
    /// How far it is still lifted.
    lift: f64,
    /// Where it touches, in the world.
    point: Vec3,
    /// From the triangle to the solid.
    away: Vec3,
}

/// Lifts a solid above a triangle and lets it down until it touches (conservative advancement).
fn let_down(query: &Query<'_, '_>, facet: &Shape<'_>, up: Vec3, ccd: &mut CcdWork) -> Option<Rest> {
    const STEPS: usize = 30;
    let deepest = farthest(query.other, scale(up, -1.0))?;
    let highest = farthest(facet, up)?;
    let mut lift = dot(sub(highest, deepest), up) + 1e-6 * query.size;
    let near = 1e-5 * query.size;
    let mut rest: Option<Rest> = None;
    for _ in 0..STEPS {
        if lift < -query.margin {
            return None;
        }
        let lifted = Shape { pos: add_scaled(query.other.pos, up, lift), ..*query.other };
        let far = lift.abs() + 4.0 * (query.other.rbound + facet.rbound);
        let (gap, [x, y, z, point @ ..]) = distance(&lifted, facet, far, &query.opt, ccd);
        if gap <= 0.0 {
            // it touches as near as the search can tell
            return rest.or(Some(Rest { lift, point: highest, away: up }));
        }
        let (away, length) = normalize(sub([x, y, z], point));
        let descent = dot(away, up);
        if gap >= far || length < f64::EPSILON || descent <= 1e-6 {
            return None;
        }
        rest = Some(Rest { lift: lift - gap, point, away });
        if gap <= near {
            break;
        }
        lift -= gap / descent - 0.5 * near;
    }
    rest
}

/// The contact along the normal of a triangle. It counts if the surface can push there.
fn behind(
    surface: &Surface<'_>,
    query: &Query<'_, '_>,
    facet: &Shape<'_>,
    normal: Vec3,
    work: &mut TriangleWork,
    ccd: &mut CcdWork,
) {
    let up = mat3::mul_vec(surface.mat, normal);
    let Some(rest) = let_down(query, facet, up, ccd) else { return };
    let out = mat3::mul_transpose_vec(surface.mat, rest.away);
    let point = surface.local(rest.point);
    if surface.pushes(point, out, query.size) {
        work.behind.push(touch(surface, point, out, -rest.lift * dot(rest.away, up)));
    }
}

/// The contacts of a solid that is caught where no triangle alone can push it out, as a corner in a
/// notch: along the mean of the normals, by as much as the worst triangle asks for.
fn caught(
    surface: &Surface<'_>,
    query: &Query<'_, '_>,
    work: &mut TriangleWork,
    ccd: &mut CcdWork,
) {
    /// Least length of a mean of unit vectors that still says something.
    const LEAST: f64 = 0.2;
    /// Share of the worst depth from which on a triangle gets a contact.
    const SHARE: f64 = 0.7;
    let (mut sum, mut weights) = ([0.0; 3], 0.0);
    let of = |face: usize| {
        let corners = surface.soup.corners(face);
        normal_of(&corners).map(|normal| (corners, normal))
    };
    for &(face, weight) in &work.rejected {
        if let Some((_, normal)) = of(face) {
            sum = add_scaled(sum, normal, weight);
            weights += weight;
        }
    }
    let (out, length) = normalize(sum);
    if length <= LEAST * weights || length.is_nan() {
        return;
    }
    let up = mat3::mul_vec(surface.mat, out);
    let mut worst = 0.0_f64;
    for k in 0..work.rejected.len() {
        let Some((corners, normal)) = of(work.rejected[k].0) else { continue };
        let facet = Facet::new(&corners, normal, surface.pos, surface.mat);
        let shape = facet.shape(surface.mat);
        if let Some(rest) = let_down(query, &shape, up, ccd) {
            worst = worst.max(rest.lift);
            work.add(touch(surface, surface.local(rest.point), out, -rest.lift));
        }
    }
    work.found.retain(|t| -t.dist >= SHARE * worst);
}

/// Takes over contacts behind triangles unless they are much deeper than others: then the solid
/// does not come from there.
fn believe(work: &mut TriangleWork) {
    let depth = |most: f64, t: &crate::collision::touch::Touch| most.max(-t.dist);
    let regular = work.found.iter().fold(0.0, depth);
    let shallowest = work.behind.iter().map(|t| -t.dist).fold(f64::INFINITY, f64::min);
    let limit = regular.max(BELIEVED * shallowest);
    let TriangleWork { found, behind, .. } = work;
    found.extend(behind.drain(..).filter(|t| -t.dist <= limit));
}

/// The contact of a solid that is wholly inside: out by the way that is shortest for its centre.
fn inside(surface: &Surface<'_>, query: &Query<'_, '_>, work: &mut TriangleWork) {
    let centre = surface.local(query.other.pos);
    let Some(nearest) = surface.nearest(centre, f64::INFINITY) else { return };
    let Some(out) = sphere::way_out(surface, centre, &nearest) else { return };
    let down = scale(mat3::mul_vec(surface.mat, out), -1.0);
    let Some(deepest) = farthest(query.other, down) else { return };
    let dist = dot(sub(surface.local(deepest), nearest.point), out);
    work.add(touch(surface, nearest.point, out, dist));
}
