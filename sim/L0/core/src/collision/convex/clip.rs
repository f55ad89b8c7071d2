//! Sutherland–Hodgman clipping of convex polygons, and reduction to the four vertices of largest area.

use super::multicontact::MAX_CORNERS;
use super::witness::Witnesses;
use crate::math::vec3::{Vec3, add, add_scaled, cross, dot, norm, sub};
use sim_types::MINVAL;

/// Polygon buffers of the clipping passes.
#[derive(Debug, Clone, Default)]
pub(super) struct ClipWork {
    current: Vec<Vec3>,
    next: Vec<Vec3>,
}

impl ClipWork {
    /// Reserves the capacity of the largest polygons.
    pub(super) fn reserve(&mut self) {
        self.current.clear();
        self.current.reserve(2 * MAX_CORNERS);
        self.next.clear();
        self.next.reserve(2 * MAX_CORNERS);
    }
}

/// Adds a vertex; a full polygon ignores it.
fn push(polygon: &mut Vec<Vec3>, corner: Vec3) {
    if polygon.len() < 2 * MAX_CORNERS {
        polygon.push(corner);
    }
}

/// Clips `subject` against the planes through the edges of `clip_polygon` parallel to `normal`, and
/// replaces the witness points by the result's vertices, `depth` apart. Leaves the witnesses unchanged if
/// the result is empty.
pub(super) fn clip(
    clip_polygon: &[Vec3],
    subject: &[Vec3],
    normal: Vec3,
    depth: Vec3,
    max_contacts: usize,
    work: &mut ClipWork,
    out: &mut Witnesses,
) {
    if clip_polygon.len() < 3 {
        return;
    }
    work.current.clear();
    work.current.extend_from_slice(subject);
    for (k, &corner) in clip_polygon.iter().enumerate() {
        let end = clip_polygon[(k + 1) % clip_polygon.len()];
        // the plane through this edge, parallel to the normal
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
                && let Some(cut) = intersect_plane(inward, offset, p, q)
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
    if max_contacts < 5 && polygon.len() > 4 {
        for k in max_area_quad(polygon) {
            out.push(sub(polygon[k], depth), polygon[k]);
        }
    } else {
        // coincident vertices are merged, unless there are more than the capacity
        let overfull = polygon.len() > Witnesses::MAX;
        for &corner in polygon {
            if overfull || !out.on_b().iter().any(|other| coincide(*other, corner)) {
                out.push(sub(corner, depth), corner);
            }
        }
    }
}

fn coincide(a: Vec3, b: Vec3) -> bool {
    (0..3).all(|k| (a[k] - b[k]).abs() < MINVAL)
}

/// Intersection of a plane with the segment from `a` to `b`.
fn intersect_plane(normal: Vec3, offset: f64, a: Vec3, b: Vec3) -> Option<Vec3> {
    let along = sub(b, a);
    let rate = dot(normal, along);
    if rate == 0.0 {
        return None;
    }
    let t = (offset - dot(normal, a)) / rate;
    (0.0..=1.0).contains(&t).then(|| add_scaled(a, along, t))
}

/// Area of a quadrilateral.
fn area(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> f64 {
    let (ad, db, bc, ca) = (sub(d, a), sub(b, d), sub(c, b), sub(a, c));
    0.5 * norm(add(cross(ad, db), cross(bc, ca)))
}

/// Vertices of a quadrilateral of approximately maximal area in a polygon of at least five vertices: each
/// vertex in turn is the first, and the other three advance while the area grows.
fn max_area_quad(polygon: &[Vec3]) -> [usize; 4] {
    let n = polygon.len();
    let next = |k: usize| if k + 1 == n { 0 } else { k + 1 };
    let quad_area =
        |k: [usize; 4]| area(polygon[k[0]], polygon[k[1]], polygon[k[2]], polygon[k[3]]);
    let mut now = [0, 1, 2, 3];
    let mut best = now;
    let mut largest = quad_area(now);
    // advances one vertex if the area grows
    let mut advance = |now: &mut [usize; 4], corner: usize, best: &mut [usize; 4]| {
        let mut moved = *now;
        moved[corner] = next(moved[corner]);
        let area = quad_area(moved);
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
        // keep the vertices in order
        for k in 1..4 {
            if now[k] != now[k - 1] {
                break;
            }
            now[k] = next(now[k]);
        }
    }
    best
}
