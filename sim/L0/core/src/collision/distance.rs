//! How far apart two geoms are (`mj_geomDistance`), whatever the model says about their contact.

use super::convex::{CcdOptions, distance};
use super::dispatch::Routine;
use super::shape::Shape;
use super::touch::Touch;
use super::{Narrow, find};
use crate::math::vec3::{Vec3, add_scaled};
use crate::{Data, Model};
use sim_types::GeomType;

/// The signed distance of two geoms, negative where they overlap, and at most `distmax`.
///
/// `fromto` takes the segment between them, from the first geom to the second; zeros where they
/// are not closer than `distmax`. Geoms that do not exist and shapes that never touch, such as two
/// planes, are `distmax` apart.
///
/// Reads `geom_xpos`, `geom_xmat`. Allocates only the first time.
#[doc(alias = "mj_geomDistance")]
pub fn mj_geom_distance(
    m: &Model,
    d: &mut Data,
    geom1: usize,
    geom2: usize,
    distmax: f64,
    fromto: Option<&mut [f64; 6]>,
) -> f64 {
    // leaves the data while shapes look at it
    let mut work = d.scratch.collision.take().unwrap_or_default();
    let (dist, segment) = measure(m, d, geom1, geom2, distmax, &mut work.narrow);
    d.scratch.collision = Some(work);
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
    work: &mut Narrow,
) -> (f64, [f64; 6]) {
    let (Some(one), Some(two)) = (Shape::of(m, d, geom1), Shape::of(m, d, geom2)) else {
        return (distmax, [0.0; 6]);
    };
    let swap = one.kind as i32 > two.kind as i32;
    let (a, b) = if swap { (&two, &one) } else { (&one, &two) };
    let geoms = if swap { [geom2, geom1] } else { [geom1, geom2] };
    let routine = Routine::of(a.kind, b.kind);
    // the search for convex shapes knows distances, and takes the geoms as they were given
    let boxes = [a.kind, b.kind] == [GeomType::Box; 2];
    if boxes || matches!(routine, Routine::Convex) {
        // of solids that are apart, zero would be of no use; and the quick search for overlaps alone
        // misses those whose sides are in line
        let opt = CcdOptions { faithful: false, ..CcdOptions::of(&m.opt) };
        let reach = distmax.max(f64::MIN_POSITIVE);
        let (dist, segment) = distance(&one, &two, reach, &opt, &mut work.ccd);
        return if dist < distmax { (dist, segment) } else { (distmax, [0.0; 6]) };
    }
    find(m, routine, geoms, [a, b], distmax, work);
    let nearest = nearest(work.touches.as_slice(), distmax);
    nearest.map_or((distmax, [0.0; 6]), |touch| (touch.dist, segment(touch, swap)))
}

/// The first of the touches with the least distance below a limit.
fn nearest(touches: &[Touch], limit: f64) -> Option<&Touch> {
    let mut best: Option<&Touch> = None;
    for touch in touches {
        if touch.dist < best.map_or(limit, |best| best.dist) {
            best = Some(touch);
        }
    }
    best
}

/// The points on both shapes that a touch is between.
fn segment(touch: &Touch, swap: bool) -> [f64; 6] {
    let half = if swap { -0.5 * touch.dist } else { 0.5 * touch.dist };
    let on = |side: f64| -> Vec3 { add_scaled(touch.pos, touch.normal, side * half) };
    let ([a, b, c], [x, y, z]) = (on(-1.0), on(1.0));
    [a, b, c, x, y, z]
}
