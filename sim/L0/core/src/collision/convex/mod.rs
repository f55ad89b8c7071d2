//! Contact between convex solids of any shape.
//!
//! Answers to `mjc_Convex`, `mjc_PlaneConvex`, `mjc_ConvexHField` and `mjc_ccd`, the native convex
//! collision of the reference engine. The distance comes from GJK, the depth from EPA; several points
//! of contact come from the faces that meet, or else from turning the solids a little.

mod ccd;
mod clip;
mod epa;
mod feature;
mod gjk;
mod hfield;
#[cfg(test)]
mod laws;
mod multi;
mod pair;
mod plane;
mod polytope;
mod probe;
mod simplex;
mod support;
mod witness;

pub(crate) use hfield::hfield_convex;
pub(crate) use plane::plane_convex;
pub use probe::{ConvexProbe, convex_contacts, convex_distance};
pub(crate) use support::hull_map;

use super::shape::Shape;
use super::touch::{Touch, Touches};
use crate::math::mat3::{self, Mat3};
use crate::math::quat;
use crate::math::vec3::{self, Vec3};
use ccd::{Query, ccd};
use multi::MultiWork;
use pair::{Pair, Vertex};
use polytope::Polytope;
use sim_types::{DisableBit, GeomType, Options};
use support::Solid;
use witness::Witnesses;

/// How exact a query is, and how many points it looks for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CcdOptions {
    /// `ccd_tolerance`.
    pub tolerance: f64,
    /// `ccd_iterations`.
    pub iterations: usize,
    /// Whether one pair may touch at several points.
    pub multiccd: bool,
    /// Whether to repeat a slip of the reference engine, for which the distance of a few separated
    /// solids reads zero (about one pair in 250; contacts hardly suffer). Off, it is right.
    pub faithful: bool,
}

impl CcdOptions {
    /// What a model asks for.
    pub(crate) fn of(opt: &Options) -> Self {
        Self {
            tolerance: opt.ccd_tolerance,
            iterations: usize::try_from(opt.ccd_iterations).unwrap_or(0),
            multiccd: !opt.disabled(DisableBit::MultiCcd),
            faithful: true,
        }
    }

    fn query(&self, most: usize) -> Query {
        let Self { iterations, tolerance, faithful, .. } = *self;
        Query { iterations, tolerance, cutoff: 0.0, most, faithful }
    }
}

/// Storage that queries share, so that they allocate only the first time.
#[derive(Debug, Clone, Default)]
pub(crate) struct CcdWork {
    polytope: Polytope,
    multi: MultiWork,
    witnesses: Witnesses,
    /// A gap that is certainly between the two solids of the last query, or 0.
    pub gap: f64,
    /// The direction of that gap, of unit length, from the second to the first.
    pub axis: Vec3,
    /// The direction in which the next two solids may have a gap, to look there first; zero for none.
    pub guess: Vec3,
}

/// Where two convex solids touch, as far as their surfaces are closer than `margin`.
#[doc(alias = "mjc_Convex")]
pub(crate) fn convex(
    a: &Shape<'_>,
    b: &Shape<'_>,
    margin: f64,
    opt: &CcdOptions,
    work: &mut CcdWork,
    out: &mut Touches,
) {
    let (Some(mut solid_a), Some(mut solid_b)) = (Solid::new(a, margin), Solid::new(b, margin))
    else {
        return;
    };
    if still_apart(&mut solid_a, &mut solid_b, opt.tolerance, work) {
        return;
    }
    let start = out.as_slice().len();
    let most = most_at_once(a.kind, b.kind, margin, opt.multiccd);
    penetration(&mut solid_a, &mut solid_b, margin, &opt.query(most), work, out);
    let smooth = |shape: &Shape<'_>| matches!(shape.kind, GeomType::Ellipsoid | GeomType::Sphere);
    if most == 1 && opt.multiccd && out.as_slice().len() == start + 1 && !smooth(a) && !smooth(b) {
        turn_for_more(a, b, [&mut solid_a, &mut solid_b], margin, opt, work, out);
    }
}

/// Whether there is a gap between two solids in the direction of the guess. It never changes what is
/// found, for solids that barely touch are left to the search.
fn still_apart<'s>(
    a: &mut Solid<'s>,
    b: &mut Solid<'s>,
    tolerance: f64,
    work: &mut CcdWork,
) -> bool {
    let axis = std::mem::take(&mut work.guess);
    if axis == [0.0; 3] {
        return false;
    }
    let mut nearest = Vertex::default();
    Pair { a, b }.support(vec3::scale(axis, -1.0), &mut nearest);
    let gap = vec3::dot(axis, nearest.point);
    (work.gap, work.axis) = (gap.max(0.0), axis);
    // searches begin as if nothing had been asked before
    a.forget();
    b.forget();
    gap > 2.0 * tolerance
}

/// The farthest point of a convex solid in a direction of unit length.
pub(crate) fn farthest(shape: &Shape<'_>, dir: Vec3) -> Option<Vec3> {
    Some(Solid::new(shape, 0.0)?.support(dir))
}

/// The signed distance of two convex solids, at most `max`, and the segment that it is the length
/// of; zeros without one.
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

/// How many points one query can give.
fn most_at_once(a: GeomType, b: GeomType, margin: f64, multiccd: bool) -> usize {
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

/// Adds the points at which two solids overlap.
fn penetration<'s>(
    a: &mut Solid<'s>,
    b: &mut Solid<'s>,
    margin: f64,
    query: &Query,
    work: &mut CcdWork,
    out: &mut Touches,
) {
    let dist = ccd(a, b, query, work);
    // also false for what is no number
    if !(dist < 0.0 && dist.is_finite()) {
        return;
    }
    for (p, q) in work.witnesses.pairs() {
        let pos = [0, 1, 2].map(|k| 0.5 * (p[k] + q[k]));
        let (normal, length) = vec3::normalize(vec3::sub(p, q));
        if length.is_finite() && pos.iter().all(|x| x.is_finite()) {
            out.push(Touch { dist: margin + dist, pos, normal, tangent: [0.0; 3] });
        }
    }
}

/// Turns both solids a little about each tangent of the one contact there is, each way, and adds the
/// contacts that appear elsewhere, with the depth of the first.
fn turn_for_more<'s>(
    a: &Shape<'s>,
    b: &Shape<'s>,
    [solid_a, solid_b]: [&mut Solid<'s>; 2],
    margin: f64,
    opt: &CcdOptions,
    work: &mut CcdWork,
    out: &mut Touches,
) {
    const ANGLE: f64 = 1e-3;
    const RELATIVE_DISTANCE: f64 = 1e-3;
    let first = out.as_slice().len() - 1;
    let contact = out.as_slice()[first];
    let nearby = RELATIVE_DISTANCE * a.rbound.min(b.rbound);
    for axis in tangents(contact.normal) {
        for angle in [-ANGLE, ANGLE] {
            let (sin, cos) = (0.5 * angle).sin_cos();
            let turn = quat::to_mat([cos, axis[0] * sin, axis[1] * sin, axis[2] * sin]);
            turn_about(contact.pos, &turn, solid_a);
            turn_about(contact.pos, &mat3::transpose(&turn), solid_b);
            let before = out.as_slice().len();
            penetration(solid_a, solid_b, margin, &opt.query(1), work, out);
            if let (older, [new, ..]) = out.as_mut_slice().split_at_mut(before) {
                new.dist = contact.dist;
                if older[first..].iter().any(|o| vec3::distance(o.pos, new.pos) <= nearby) {
                    out.truncate(before);
                }
            }
            (solid_a.pos, solid_a.mat) = (a.pos, *a.mat);
            (solid_b.pos, solid_b.mat) = (b.pos, *b.mat);
        }
    }
}

/// Two directions perpendicular to a normal and to each other.
fn tangents(normal: Vec3) -> [Vec3; 2] {
    let (x, _) = vec3::normalize(normal);
    let y = if x[1] < 0.5 && x[1] > -0.5 { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] };
    let (y, _) = vec3::normalize(vec3::sub(y, vec3::scale(x, vec3::dot(x, y))));
    [y, vec3::cross(x, y)]
}

/// Turns a solid about a point.
fn turn_about(origin: Vec3, turn: &Mat3, solid: &mut Solid<'_>) {
    solid.mat = mat3::mul(turn, &solid.mat);
    let arm = vec3::sub(origin, solid.pos);
    let moved = vec3::sub(mat3::mul_vec(turn, arm), arm);
    solid.pos = vec3::sub(solid.pos, moved);
}
