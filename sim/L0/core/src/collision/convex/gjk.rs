//! Gilbert–Johnson–Keerthi (GJK) algorithm: distance of two convex solids, or whether they overlap.
//!
//! Moves a simplex of the Minkowski difference towards the origin. It stops when the Frank–Wolfe duality
//! gap bounds the error: `|x - x*|² ≤ x·(x - s)`, with `s` the support point in direction `-x`.

use super::minkowski::{MinkowskiDifference, Vertex};
use super::simplex::{on_segment, on_tetrahedron, on_triangle};
use sim_simd::{Vector3, dispatch};
use sim_types::{MAXVAL, MINVAL};

/// Result of GJK.
pub(super) struct GjkResult {
    /// Number of vertices of the final simplex.
    pub count: usize,
    /// Distance; zero if the solids overlap, `f64::MAX` beyond the cutoff.
    pub dist: f64,
    /// Closest points on the two solids, if they were computed.
    pub points: Option<[Vector3; 2]>,
    /// Lower bound on the distance.
    pub lower_bound: f64,
    /// Unit separating axis of that bound, from the second solid to the first.
    pub axis: Vector3,
}

/// Termination criteria.
#[derive(Debug, Clone, Copy)]
pub(super) struct GjkOptions {
    pub iterations: usize,
    pub tolerance: f64,
    /// Largest distance of interest; zero tests for overlap only.
    pub cutoff: f64,
    /// See [`on_tetrahedron`].
    pub mujoco_defects: bool,
}

impl GjkResult {
    /// The final tetrahedron contains the origin.
    #[inline(always)]
    fn overlapping(axis: Vector3) -> Self {
        Self { count: 4, dist: 0.0, points: None, lower_bound: 0.0, axis }
    }

    /// The solids are separated by more than the cutoff.
    #[inline(always)]
    fn separated(lower_bound: f64, axis: Vector3) -> Self {
        Self { count: 0, dist: f64::MAX, points: None, lower_bound, axis }
    }
}

/// Computes the closest points, or that the solids overlap; leaves the final simplex in `simplex`.
pub(super) fn gjk(
    difference: &mut MinkowskiDifference<'_, '_>,
    opt: &GjkOptions,
    simplex: &mut [Vertex; 4],
) -> GjkResult {
    dispatch!(iterate(
        difference: &mut MinkowskiDifference<'_, '_>,
        opt: &GjkOptions,
        simplex: &mut [Vertex; 4],
    ) -> GjkResult)
}

#[inline(always)]
fn iterate(
    difference: &mut MinkowskiDifference<'_, '_>,
    opt: &GjkOptions,
    simplex: &mut [Vertex; 4],
) -> GjkResult {
    // a distance is not needed to decide whether the solids overlap
    let mut may_intersect = opt.cutoff <= 0.0;
    let square_tolerance = opt.tolerance * opt.tolerance;
    // on a polytope GJK terminates exactly
    let discrete = difference.is_discrete();
    let gap = if discrete { 0.0 } else { 0.5 * square_tolerance };
    // positive, so that `x` can be normalized
    let min_square = if discrete { MINVAL * MINVAL } else { square_tolerance.max(MINVAL * MINVAL) };

    let mut lambda = [1.0, 0.0, 0.0, 0.0];
    let mut count = 0;
    let (mut on_a, mut on_b) = (difference.a.center(), difference.b.center());
    let mut x = on_a.sub(on_b);
    let mut length = 0.0;
    let (mut lower_bound, mut axis) = (0.0_f64, Vector3::ZERO);
    let mut k = 0;
    while k < opt.iterations {
        let square = x.dot(x);
        length = square;
        if length < min_square {
            break;
        }
        length = length.sqrt();
        let inverse = 1.0 / length;
        let direction = x.scale(inverse);
        let newest = &mut simplex[count & 3];
        difference.support(direction.scale(-1.0), newest);
        let point = newest.point;
        if x.dot(x.sub(point)) < gap {
            if k == 0 {
                count = 1;
            }
            break;
        }
        // the support plane separates the difference from the origin
        let ahead = x.dot(point);
        if ahead * inverse > lower_bound {
            (lower_bound, axis) = (ahead * inverse, direction);
        }
        if is_beyond(ahead, square, opt.cutoff) {
            return GjkResult::separated(lower_bound, axis);
        }
        // testing whether a tetrahedron can contain the origin is cheaper than the distance
        if count == 3 && may_intersect {
            match intersect(difference, simplex, &mut k, opt.iterations) {
                Intersection::Overlapping => return GjkResult::overlapping(axis),
                Intersection::Separated(lower_bound, axis) => {
                    return GjkResult::separated(lower_bound, axis);
                }
                Intersection::Indeterminate => may_intersect = false,
            }
        }

        lambda = reduce(simplex, &mut count, opt.mujoco_defects);
        if count == 0 {
            return GjkResult::separated(lower_bound, axis);
        }
        let next = weighted_sum(simplex, &lambda, count, |v| v.point);
        if next.sub(x).is_below(MINVAL) {
            break;
        }
        x = next;
        if count == 4 {
            length = 0.0;
            break;
        }
        k += 1;
    }
    if count > 0 {
        on_a = weighted_sum(simplex, &lambda, count, |v| v.on_a);
        on_b = weighted_sum(simplex, &lambda, count, |v| v.on_b);
    }
    GjkResult { count, dist: length, points: Some([on_a, on_b]), lower_bound, axis }
}

/// Whether the support plane of `x` is beyond the cutoff; `ahead` is the product of `x` with its support point.
#[inline(always)]
fn is_beyond(ahead: f64, square: f64, cutoff: f64) -> bool {
    if cutoff > 0.0 {
        cutoff < f64::MAX && ahead > 0.0 && ahead * ahead / square >= cutoff * cutoff
    } else {
        ahead > 0.0
    }
}

/// Reduces the simplex to the vertices with nonzero weight; returns their barycentric coordinates.
#[inline(always)]
fn reduce(simplex: &mut [Vertex; 4], count: &mut usize, mujoco_defects: bool) -> [f64; 4] {
    let [a, b, c, d] = [simplex[0].point, simplex[1].point, simplex[2].point, simplex[3].point];
    let mut lambda = match *count {
        1 => on_segment(a, b),
        2 => on_triangle(a, b, c),
        3 => on_tetrahedron([a, b, c, d], mujoco_defects),
        _ => [1.0, 0.0, 0.0, 0.0],
    };
    let mut kept = 0;
    for i in 0..4 {
        if lambda[i] != 0.0 {
            if kept != i {
                simplex[kept] = simplex[i];
                lambda[kept] = lambda[i];
            }
            kept += 1;
        }
    }
    *count = kept;
    lambda
}

/// Weighted sum of one component of the first `count` vertices.
#[inline(always)]
fn weighted_sum(
    s: &[Vertex; 4],
    w: &[f64; 4],
    count: usize,
    part: impl Fn(&Vertex) -> Vector3,
) -> Vector3 {
    let mut sum = part(&s[0]).scale(w[0]);
    for k in 1..count.min(4) {
        sum = sum.add_scaled(part(&s[k]), w[k]);
    }
    sum
}

/// Result of the overlap test.
enum Intersection {
    Overlapping,
    /// Lower bound on the distance and the separating axis.
    Separated(f64, Vector3),
    /// Degenerate simplex or iteration limit.
    Indeterminate,
}

/// Overlap test: replaces one vertex of a tetrahedron at a time until it contains the origin or a support
/// plane separates it. Restores the simplex if the result is indeterminate.
#[inline(always)]
fn intersect(
    difference: &mut MinkowskiDifference<'_, '_>,
    s: &mut [Vertex; 4],
    k: &mut usize,
    iterations: usize,
) -> Intersection {
    let before = *s;
    while *k < iterations {
        // faces opposite to each vertex, clockwise seen from outside
        let [a, b, c, d] = [s[0].point, s[1].point, s[2].point, s[3].point];
        let sides = [height(c, b, d), height(a, c, d), height(b, a, d), height(a, b, c)];
        // origin in the plane of a face: indeterminate sign
        if sides.iter().any(|side| side.0 == 0.0) {
            break;
        }
        let i = if sides[0].0 < sides[1].0 { 0 } else { 1 };
        let j = if sides[2].0 < sides[3].0 { 2 } else { 3 };
        let worst = if sides[i].0 < sides[j].0 { i } else { j };
        let (height, normal) = sides[worst];
        if height > 0.0 {
            return Intersection::Overlapping;
        }
        difference.support(normal, &mut s[worst]);
        let beyond = normal.dot(s[worst].point);
        if beyond < 0.0 {
            return Intersection::Separated(-beyond, normal.scale(-1.0));
        }
        // the new vertex is on the other side of the face: swap two vertices to restore orientation
        s.swap((worst + 1) & 3, (worst + 2) & 3);
        *k += 1;
    }
    *s = before;
    Intersection::Indeterminate
}

/// Offset of a face's plane from the origin along its unit normal; `f64::MAX` for a degenerate face.
#[inline(always)]
fn height(a: Vector3, b: Vector3, c: Vector3) -> (f64, Vector3) {
    let n = c.sub(a).cross(b.sub(a));
    let square = n.dot(n);
    if square > MINVAL * MINVAL && square < MAXVAL * MAXVAL {
        let n = n.scale(1.0 / square.sqrt());
        (n.dot(a), n)
    } else {
        (f64::MAX, n)
    }
}
