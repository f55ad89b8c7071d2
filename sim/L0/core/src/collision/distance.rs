//! Signed distance between two geoms (`mj_geomDistance`), independent of the collision filters.

use super::convex::{CcdOptions, distance};
use super::dispatch::Routine;
use super::manifold::ContactPoint;
use super::shape::Shape;
use super::{Narrow, run_routine};
use crate::math::vec3::{Vec3, add_scaled};
use crate::{Data, Model};
use sim_types::GeomType;

/// Returns the signed distance of two geoms, negative if they overlap, limited to `distmax`.
///
/// `fromto` receives the segment between the closest points, from the first geom to the second; zeros
/// if the geoms are not closer than `distmax`. The distance is `distmax` for geoms that do not exist
/// and for pairs of types without a collision routine, such as two planes.
///
/// Reads `geom_xpos`, `geom_xmat`. Allocates only on the first call.
#[doc(alias = "mj_geomDistance")]
pub fn mj_geom_distance(
    m: &Model,
    d: &mut Data,
    geom1: usize,
    geom2: usize,
    distmax: f64,
    fromto: Option<&mut [f64; 6]>,
) -> f64 {
    // taken out of the data, which the shapes borrow
    let mut scratch = d.scratch.collision.take().unwrap_or_default();
    let (dist, segment) = measure(m, d, geom1, geom2, distmax, &mut scratch.narrow);
    d.scratch.collision = Some(scratch);
    if let Some(fromto) = fromto {
        *fromto = segment;
    }
    dist
}

/// Distance and segment.
fn measure(
    m: &Model,
    d: &Data,
    geom1: usize,
    geom2: usize,
    distmax: f64,
    narrow: &mut Narrow,
) -> (f64, [f64; 6]) {
    let (Some(one), Some(two)) = (Shape::of(m, d, geom1), Shape::of(m, d, geom2)) else {
        return (distmax, [0.0; 6]);
    };
    let swap = one.kind as i32 > two.kind as i32;
    let (a, b) = if swap { (&two, &one) } else { (&one, &two) };
    let geoms = if swap { [geom2, geom1] } else { [geom1, geom2] };
    let routine = Routine::of(a.kind, b.kind);
    // GJK computes distances directly, with the geoms in the given order
    let boxes = [a.kind, b.kind] == [GeomType::Box; 2];
    if boxes || matches!(routine, Routine::Convex) {
        // exact distances: MuJoCo's defect would report zero for some separated solids; and a zero
        // cutoff would select the overlap-only search, which misses solids with aligned faces
        let opt = CcdOptions { mujoco_defects: false, ..CcdOptions::of(&m.opt) };
        let cutoff = distmax.max(f64::MIN_POSITIVE);
        let (dist, segment) = distance(&one, &two, cutoff, &opt, &mut narrow.ccd);
        if dist <= 0.0 {
            // overlapping: the iteration for the depth ends early and depends on its start, which is MuJoCo's
            let opt = CcdOptions::of(&m.opt);
            let (depth, segment) = distance(&one, &two, distmax, &opt, &mut narrow.ccd);
            if depth < 0.0 {
                return (depth, segment);
            }
        }
        return if dist < distmax { (dist, segment) } else { (distmax, [0.0; 6]) };
    }
    run_routine(m, routine, geoms, [a, b], distmax, narrow);
    let closest = closest(narrow.manifold.as_slice(), distmax);
    closest.map_or((distmax, [0.0; 6]), |point| (point.dist, segment(point, swap)))
}

/// The first contact point with the smallest distance below a limit.
fn closest(points: &[ContactPoint], limit: f64) -> Option<&ContactPoint> {
    let mut best: Option<&ContactPoint> = None;
    for point in points {
        if point.dist < best.map_or(limit, |best| best.dist) {
            best = Some(point);
        }
    }
    best
}

/// The surface points on both shapes that a contact point lies between.
fn segment(point: &ContactPoint, swap: bool) -> [f64; 6] {
    let half = if swap { -0.5 * point.dist } else { 0.5 * point.dist };
    let surface = |side: f64| -> Vec3 { add_scaled(point.pos, point.normal, side * half) };
    let ([a, b, c], [x, y, z]) = (surface(-1.0), surface(1.0));
    [a, b, c, x, y, z]
}
