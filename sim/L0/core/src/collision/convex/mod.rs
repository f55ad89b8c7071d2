//! Convex collision: contacts and distances of convex solids by GJK, EPA and polygon clipping.
//!
//! Corresponds to `mjc_Convex`, `mjc_PlaneConvex`, `mjc_ConvexHField` and `mjc_ccd` (MuJoCo's native
//! convex collision). Multiple contacts come from clipping the contacting faces, or else from
//! perturbing the orientations.

mod ccd;
mod clip;
mod epa;
mod feature;
mod gjk;
mod hfield;
mod minkowski;
mod multicontact;
mod plane;
mod polytope;
mod probe;
mod simplex;
mod support;
#[cfg(test)]
mod tests;
mod witness;

pub(crate) use hfield::{hfield_convex, hfield_simplex};
pub(crate) use plane::plane_convex;
pub use probe::{ConvexProbe, convex_contacts, convex_distance};
pub(crate) use support::{Simplex, hull_support};

use super::manifold::{ContactPoint, Manifold};
use super::shape::Shape;
use crate::math::mat3::{self, Mat3};
use crate::math::quat;
use crate::math::vec3::{self, Vec3};
use ccd::{Query, ccd};
use minkowski::{MinkowskiDifference, Vertex};
use multicontact::MultiWork;
use polytope::Polytope;
use sim_simd::Vector3;
use sim_types::{DisableBit, GeomType, Options};
use support::Solid;
use witness::Witnesses;

/// Accuracy of convex queries, and whether they report multiple contacts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CcdOptions {
    /// `ccd_tolerance`.
    pub tolerance: f64,
    /// `ccd_iterations`.
    pub iterations: usize,
    /// Whether one pair may have multiple contacts.
    pub multiccd: bool,
    /// Whether to reproduce a defect of MuJoCo 3.8.0 that reports distance zero for about one in 250
    /// separated pairs; contacts are hardly affected.
    pub mujoco_defects: bool,
}

impl CcdOptions {
    /// The options of a model.
    pub(crate) fn of(opt: &Options) -> Self {
        Self {
            tolerance: opt.ccd_tolerance,
            iterations: usize::try_from(opt.ccd_iterations).unwrap_or(0),
            multiccd: !opt.disabled(DisableBit::MultiCcd),
            mujoco_defects: true,
        }
    }

    fn query(&self, max_contacts: usize) -> Query {
        let Self { iterations, tolerance, mujoco_defects, .. } = *self;
        Query { iterations, tolerance, cutoff: 0.0, max_contacts, mujoco_defects }
    }
}

/// Buffers that queries reuse, so that only the first one allocates.
#[derive(Debug, Clone, Default)]
pub(crate) struct CcdWork {
    polytope: Polytope,
    multi: MultiWork,
    witnesses: Witnesses,
    /// Lower bound on the separation of the solids of the last query, or 0.
    pub separation: f64,
    /// Unit separating axis of that bound, from the second solid to the first.
    pub axis: Vec3,
    /// Separating axis to test first in the next query (temporal coherence); zero for none.
    pub axis_guess: Vec3,
}

/// Adds the contacts of two convex solids whose surfaces are closer than `margin`.
#[doc(alias = "mjc_Convex")]
pub(crate) fn convex(
    a: &Shape<'_>,
    b: &Shape<'_>,
    margin: f64,
    opt: &CcdOptions,
    work: &mut CcdWork,
    out: &mut Manifold,
) {
    let (Some(mut solid_a), Some(mut solid_b)) = (Solid::new(a, margin), Solid::new(b, margin))
    else {
        return;
    };
    if guess_separates(&mut solid_a, &mut solid_b, opt.tolerance, work) {
        return;
    }
    let start = out.as_slice().len();
    let max_contacts = max_contacts(a.kind, b.kind, margin, opt.multiccd);
    add_penetration(&mut solid_a, &mut solid_b, margin, &opt.query(max_contacts), work, out);
    let smooth = |shape: &Shape<'_>| matches!(shape.kind, GeomType::Ellipsoid | GeomType::Sphere);
    let single = max_contacts == 1 && out.as_slice().len() == start + 1;
    if single && opt.multiccd && !smooth(a) && !smooth(b) {
        perturb_for_contacts(a, b, [&mut solid_a, &mut solid_b], margin, opt, work, out);
    }
}

/// Adds the contact of a convex shape and an element of a flex.
#[doc(alias = "mjc_ConvexElem")]
pub(crate) fn shape_simplex(
    shape: &Shape<'_>,
    simplex: &Simplex,
    margin: f64,
    opt: &CcdOptions,
    work: &mut CcdWork,
    out: &mut Manifold,
) {
    let Some(mut solid) = Solid::new(shape, margin) else { return };
    let mut other = Solid::simplex(simplex, margin);
    add_penetration(&mut solid, &mut other, margin, &opt.query(1), work, out);
}

/// Adds the contact of two elements of flexes.
pub(crate) fn simplex_pair(
    one: &Simplex,
    two: &Simplex,
    margin: f64,
    opt: &CcdOptions,
    work: &mut CcdWork,
    out: &mut Manifold,
) {
    let (mut one, mut two) = (Solid::simplex(one, margin), Solid::simplex(two, margin));
    add_penetration(&mut one, &mut two, margin, &opt.query(1), work, out);
}

/// Whether the guessed axis separates two solids. Solids that are separated by less than the tolerance are
/// left to the full query, so that the result is the same.
fn guess_separates<'s>(
    a: &mut Solid<'s>,
    b: &mut Solid<'s>,
    tolerance: f64,
    work: &mut CcdWork,
) -> bool {
    let axis = std::mem::take(&mut work.axis_guess);
    if axis == [0.0; 3] {
        return false;
    }
    let separation = separation_along(axis, a, b);
    (work.separation, work.axis) = (separation.max(0.0), axis);
    // the query starts without the state of this test
    a.reset();
    b.reset();
    separation > 2.0 * tolerance
}

/// Separation of two solids along an axis from the second to the first; negative if they overlap.
fn separation_along<'s>(axis: Vec3, a: &mut Solid<'s>, b: &mut Solid<'s>) -> f64 {
    let mut closest = Vertex::default();
    let axis = Vector3::from(axis);
    MinkowskiDifference { a, b }.support(axis.scale(-1.0), &mut closest);
    axis.dot(closest.point)
}

/// Support point of a convex shape in a direction of unit length.
pub(crate) fn support(shape: &Shape<'_>, dir: Vec3) -> Option<Vec3> {
    Some(Solid::new(shape, 0.0)?.support(dir))
}

/// Signed distance of two convex solids, limited to `max`, and the segment between the witness points;
/// zeros without witness points.
#[doc(alias = "mj_geomDistanceCCD")]
pub(crate) fn distance(
    a: &Shape<'_>,
    b: &Shape<'_>,
    max: f64,
    opt: &CcdOptions,
    work: &mut CcdWork,
) -> (f64, [f64; 6]) {
    let (Some(mut a), Some(mut b)) = (Solid::new(a, 0.0), Solid::new(b, 0.0)) else {
        return (max, [0.0; 6]);
    };
    let dist = ccd(&mut a, &mut b, &Query { cutoff: max, ..opt.query(1) }, work);
    let first = work.witnesses.pairs().next();
    let fromto = first.map_or([0.0; 6], |(p, q)| [p[0], p[1], p[2], q[0], q[1], q[2]]);
    (if dist < max { dist } else { max }, fromto)
}

/// Largest number of contacts of one query.
fn max_contacts(a: GeomType, b: GeomType, margin: f64, multiccd: bool) -> usize {
    let faceted = |kind| matches!(kind, GeomType::Box | GeomType::Mesh);
    if margin > 0.0 || !faceted(a) || !faceted(b) {
        1
    } else if a == GeomType::Box && b == GeomType::Box {
        8
    } else if multiccd {
        4
    } else {
        1
    }
}

/// Adds the contacts of one query, if the solids overlap.
fn add_penetration<'s>(
    a: &mut Solid<'s>,
    b: &mut Solid<'s>,
    margin: f64,
    query: &Query,
    work: &mut CcdWork,
    out: &mut Manifold,
) {
    let dist = ccd(a, b, query, work);
    // also rejects NaN
    if !(dist < 0.0 && dist.is_finite()) {
        return;
    }
    for (p, q) in work.witnesses.pairs() {
        let pos = [0, 1, 2].map(|k| 0.5 * (p[k] + q[k]));
        let (normal, length) = vec3::normalize(vec3::sub(p, q));
        if length.is_finite() && pos.iter().all(|x| x.is_finite()) {
            out.push(ContactPoint { dist: margin + dist, pos, normal, tangent: [0.0; 3] });
        }
    }
}

/// Rotates both solids by a small angle in opposite directions about each tangent of the first contact, and
/// adds the contacts that appear at other positions, with the depth of the first.
fn perturb_for_contacts<'s>(
    a: &Shape<'s>,
    b: &Shape<'s>,
    [solid_a, solid_b]: [&mut Solid<'s>; 2],
    margin: f64,
    opt: &CcdOptions,
    work: &mut CcdWork,
    out: &mut Manifold,
) {
    const ANGLE: f64 = 1e-3;
    const RELATIVE_DISTANCE: f64 = 1e-3;
    let first = out.as_slice().len() - 1;
    let contact = out.as_slice()[first];
    let min_distance = RELATIVE_DISTANCE * a.rbound.min(b.rbound);
    for axis in tangents(contact.normal) {
        for angle in [-ANGLE, ANGLE] {
            let (sin, cos) = (0.5 * angle).sin_cos();
            let rotation = quat::to_mat([cos, axis[0] * sin, axis[1] * sin, axis[2] * sin]);
            rotate_about(contact.pos, &rotation, solid_a);
            rotate_about(contact.pos, &mat3::transpose(&rotation), solid_b);
            let before = out.as_slice().len();
            add_penetration(solid_a, solid_b, margin, &opt.query(1), work, out);
            if let (older, [new, ..]) = out.as_mut_slice().split_at_mut(before) {
                new.dist = contact.dist;
                if older[first..].iter().any(|o| vec3::distance(o.pos, new.pos) <= min_distance) {
                    out.truncate(before);
                }
            }
            (solid_a.pos, solid_a.mat) = (a.pos, *a.mat);
            (solid_b.pos, solid_b.mat) = (b.pos, *b.mat);
        }
    }
}

/// Two unit vectors perpendicular to a normal and to each other.
fn tangents(normal: Vec3) -> [Vec3; 2] {
    let (x, _) = vec3::normalize(normal);
    let y = if x[1] < 0.5 && x[1] > -0.5 { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] };
    let (y, _) = vec3::normalize(vec3::sub(y, vec3::scale(x, vec3::dot(x, y))));
    [y, vec3::cross(x, y)]
}

/// Rotates a solid about a point.
fn rotate_about(origin: Vec3, rotation: &Mat3, solid: &mut Solid<'_>) {
    solid.mat = mat3::mul(rotation, &solid.mat);
    let arm = vec3::sub(origin, solid.pos);
    let moved = vec3::sub(mat3::mul_vec(rotation, arm), arm);
    solid.pos = vec3::sub(solid.pos, moved);
}
