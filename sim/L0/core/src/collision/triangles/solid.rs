//! A convex solid against triangles, each as a convex shape of its own.

use super::closest::closest;
use super::facet::Facet;
use super::sphere::{self, touch};
use super::surface::Surface;
use super::{Query, TriangleWork};
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
    surface.near(centre, half, query.margin, |_, corners, normal| {
        let facet = Facet::new(corners, normal, surface.pos, surface.mat);
        work.one.clear();
        let shape = facet.shape(surface.mat);
        convex(query.other, &shape, query.margin, &query.opt, ccd, &mut work.one);
        let mut rejected = false;
        for k in 0..work.one.as_slice().len() {
            let found = work.one.as_slice()[k];
            let point = surface.to_local(add_scaled(found.pos, found.normal, 0.5 * found.dist));
            let out = scale(mat3::mul_transpose_vec(surface.mat, found.normal), -1.0);
            if surface.pushes(closest(point, corners), out, query.size) {
                work.add(found);
            } else {
                rejected = true;
            }
        }
        if rejected {
            behind(surface, query, &shape, normal, work, ccd);
        }
    });
    believe(work);
    if work.found.is_empty() && surface.closed {
        inside(surface, query, work);
    }
}

/// The box around the solid, along the axes of the mesh.
pub(super) fn local_box(surface: &Surface<'_>, query: &Query<'_, '_>) -> (Vec3, Vec3) {
    let [x, y, z, half @ ..] = query.aabb;
    let centre = add(query.other.pos, mat3::mul_vec(query.other.mat, [x, y, z]));
    let turn = mat3::mul(&mat3::transpose(surface.mat), query.other.mat);
    (surface.to_local(centre), mat3::mul_vec(&turn.map(f64::abs), half))
}

/// The contact along the normal of a triangle: the solid is lifted above it and let down until it
/// touches (conservative advancement). It counts if the surface can push there.
fn behind(
    surface: &Surface<'_>,
    query: &Query<'_, '_>,
    facet: &Shape<'_>,
    normal: Vec3,
    work: &mut TriangleWork,
    ccd: &mut CcdWork,
) {
    const STEPS: usize = 30;
    let up = mat3::mul_vec(surface.mat, normal);
    let Some(deepest) = farthest(query.other, scale(up, -1.0)) else { return };
    let mut lift = dot(sub(facet.pos, deepest), up) + 1e-6 * query.size;
    let near = 1e-5 * query.size;
    for _ in 0..STEPS {
        if lift < -query.margin {
            return;
        }
        let lifted = Shape { pos: add_scaled(query.other.pos, up, lift), ..*query.other };
        let far = lift.abs() + 4.0 * (query.other.rbound + facet.rbound);
        let (gap, [x, y, z, p @ ..]) = distance(&lifted, facet, far, &query.opt, ccd);
        if gap >= far {
            return;
        }
        let (away, length) = normalize(sub([x, y, z], p));
        let descent = dot(away, up);
        if length < f64::EPSILON || descent <= 1e-6 {
            return;
        }
        if gap <= near {
            let out = mat3::mul_transpose_vec(surface.mat, away);
            let point = surface.to_local(p);
            if surface.pushes(point, out, query.size) {
                work.behind.push(touch(surface, point, out, (gap - lift) * descent));
            }
            return;
        }
        lift -= gap.max(near) / descent - 0.5 * near;
    }
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
    let centre = surface.to_local(query.other.pos);
    let Some(nearest) = surface.nearest(centre, f64::INFINITY) else { return };
    let Some(out) = sphere::way_out(surface, centre, &nearest) else { return };
    let down = scale(mat3::mul_vec(surface.mat, out), -1.0);
    let Some(deepest) = farthest(query.other, down) else { return };
    let dist = dot(sub(surface.to_local(deepest), nearest.point), out);
    work.add(touch(surface, nearest.point, out, dist));
}
