//! One convex polygon cut by the sides of another, and the four of its corners that span the most.

use super::multi::MAX_CORNERS;
use super::witness::Witnesses;
use crate::math::vec3::{Vec3, add, add_scaled, cross, dot, norm, sub};
use sim_types::MINVAL;

/// Polygons between two cuts.
#[derive(Debug, Clone, Default)]
pub(super) struct ClipWork {
    current: Vec<Vec3>,
    next: Vec<Vec3>,
}

impl ClipWork {
    /// Makes room for the largest polygons.
    pub(super) fn reserve(&mut self) {
        self.current.clear();
        self.current.reserve(2 * MAX_CORNERS);
        self.next.clear();
        self.next.reserve(2 * MAX_CORNERS);
    }
}

/// Adds a corner, as long as there is room.
fn push(polygon: &mut Vec<Vec3>, corner: Vec3) {
    if polygon.len() < 2 * MAX_CORNERS {
        polygon.push(corner);
    }
}

/// Cuts `subject` by the planes that stand on the edges of `window`, along `normal`, and writes its
/// corners as witnesses that are `depth` apart. Leaves the witnesses alone if nothing remains.
pub(super) fn clip(
    window: &[Vec3],
    subject: &[Vec3],
    normal: Vec3,
    depth: Vec3,
    most: usize,
    work: &mut ClipWork,
    out: &mut Witnesses,
) {
    if window.len() < 3 {
        return;
    }
    work.current.clear();
    work.current.extend_from_slice(subject);
    for (k, &corner) in window.iter().enumerate() {
        let end = window[(k + 1) % window.len()];
        // the plane through this edge that holds the normal
        let inward = cross(sub(end, corner), sub(add(corner, normal), corner));
        let offset = dot(inward, corner);
        let inside = |p: Vec3| dot(sub(p, corner), inward) > -MINVAL;
        work.next.clear();
        let Some(&first) = work.current.first() else { return };
        let (mut p, mut p_in) = (first, inside(first));
        let others = work.current[1..].iter().chain(std::iter::once(&first));
        for &q in others {
            let q_in = inside(q);
            if p_in != q_in
                && let Some(cut) = cut(inward, offset, p, q)
            {
                push(&mut work.next, cut);
            }
            if q_in {
                push(&mut work.next, q);
            }
            (p, p_in) = (q, q_in);
        }
        std::mem::swap(&mut work.current, &mut work.next);
    }

    let polygon = &work.current;
    if polygon.is_empty() {
        return;
    }
    out.clear();
    if most < 5 && polygon.len() > 4 {
        for k in widest_four(polygon) {
            out.push(sub(polygon[k], depth), polygon[k]);
        }
    } else {
        // corners that fell together count once, unless there are more than can be kept
        let crowded = polygon.len() > Witnesses::MOST;
        for &corner in polygon {
            if crowded || !out.on_b().iter().any(|other| coincide(*other, corner)) {
                out.push(sub(corner, depth), corner);
            }
        }
    }
}

fn coincide(a: Vec3, b: Vec3) -> bool {
    (0..3).all(|k| (a[k] - b[k]).abs() < MINVAL)
}

/// Where a plane cuts the segment from `a` to `b`.
fn cut(normal: Vec3, offset: f64, a: Vec3, b: Vec3) -> Option<Vec3> {
    let along = sub(b, a);
    let rate = dot(normal, along);
    if rate == 0.0 {
        return None;
    }
    let t = (offset - dot(normal, a)) / rate;
    (0.0..=1.0).contains(&t).then(|| add_scaled(a, along, t))
}

/// Area of the quadrilateral of four corners.
fn area(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> f64 {
    let (ad, db, bc, ca) = (sub(d, a), sub(b, d), sub(c, b), sub(a, c));
    0.5 * norm(add(cross(ad, db), cross(bc, ca)))
}

/// Four corners of a polygon of at least five whose quadrilateral is about the largest: each corner
/// in turn is the first, and the other three move on as long as that adds area.
fn widest_four(polygon: &[Vec3]) -> [usize; 4] {
    let n = polygon.len();
    let next = |k: usize| if k + 1 == n { 0 } else { k + 1 };
    let span = |k: [usize; 4]| area(polygon[k[0]], polygon[k[1]], polygon[k[2]], polygon[k[3]]);
    let mut now = [0, 1, 2, 3];
    let mut best = now;
    let mut largest = span(now);
    // moves one corner on while the area grows
    let mut advance = |now: &mut [usize; 4], corner: usize, best: &mut [usize; 4]| {
        let mut moved = *now;
        moved[corner] = next(moved[corner]);
        let area = span(moved);
        let grows = area > largest;
        if grows {
            largest = area;
            *now = moved;
            *best = moved;
        }
        grows
    };
    for first in 0..n {
        now[0] = first;
        while advance(&mut now, 3, &mut best) {
            while advance(&mut now, 2, &mut best) {}
            while advance(&mut now, 1, &mut best) {}
        }
        // the corners keep their order
        for k in 1..4 {
            if now[k] != now[k - 1] {
                break;
            }
            now[k] = next(now[k]);
        }
    }
    best
}
