//! Gilbert–Johnson–Keerthi (GJK) algorithm: distance of two convex solids, or whether they overlap.
//!
//! Moves a simplex of the Minkowski difference towards the origin. It stops when the Frank–Wolfe duality
//! gap bounds the error: `|x - x*|² ≤ x·(x - s)`, with `s` the support point in direction `-x`.

use super::minkowski::{MinkowskiDifference, Vertex};
use super::simplex::closest;
use crate::math::vec3::{Vec3, add_scaled, cross, dot, scale, sub};
use sim_types::{MAXVAL, MINVAL};

/// Result of GJK.
pub(super) struct GjkResult {
    /// Number of vertices of the final simplex.
    pub count: usize,
    /// Distance; zero if the solids overlap, `f64::MAX` beyond the cutoff.
    pub dist: f64,
    /// Closest points on the two solids, if they were computed.
    pub points: Option<[Vec3; 2]>,
    /// Lower bound on the distance.
    pub lower_bound: f64,
    /// Unit separating axis of that bound, from the second solid to the first.
    pub axis: Vec3,
}

/// Termination criteria.
#[derive(Debug, Clone, Copy)]
pub(super) struct GjkOptions {
    pub iterations: usize,
    pub tolerance: f64,
    /// Largest distance of interest; zero tests for overlap only.
    pub cutoff: f64,
    /// See [`closest`].
    pub mujoco_defects: bool,
}

impl GjkResult {
    /// The solids are separated by more than the cutoff.
    fn separated(lower_bound: f64, axis: Vec3) -> Self {
        Self { count: 0, dist: f64::MAX, points: None, lower_bound, axis }
    }
}

/// Computes the closest points, or that the solids overlap; leaves the final simplex in `simplex`.
pub(super) fn gjk(
    difference: &mut MinkowskiDifference<'_, '_>,
    opt: &GjkOptions,
    simplex: &mut [Vertex; 4],
) -> GjkResult {
    let wants_distance = opt.cutoff > 0.0;
    let mut may_intersect = !wants_distance;
    let square_tolerance = opt.tolerance * opt.tolerance;
    // on a polytope GJK terminates exactly
    let discrete = difference.is_discrete();
    let gap = if discrete { 0.0 } else { 0.5 * square_tolerance };
    // positive, so that `x` can be normalized
    let min_square = if discrete { MINVAL * MINVAL } else { square_tolerance.max(MINVAL * MINVAL) };

    let mut lambda = [1.0, 0.0, 0.0, 0.0];
    let mut count = 0;
    let (mut on_a, mut on_b) = (difference.a.center(), difference.b.center());
    let mut x = sub(on_a, on_b);
    let mut length = 0.0;
    let (mut lower_bound, mut axis) = (0.0_f64, [0.0; 3]);
    let mut k = 0;
    while k < opt.iterations {
        length = dot(x, x);
        if length < min_square {
            break;
        }
        length = length.sqrt();
        let inverse = 1.0 / length;
        let direction = scale(x, inverse);
        difference.support(scale(direction, -1.0), &mut simplex[count]);
        let point = simplex[count].point;
        if dot(x, sub(x, point)) < gap {
            if k == 0 {
                count = 1;
            }
            break;
        }
        // the support plane separates the difference from the origin
        let ahead = dot(x, point);
        if ahead * inverse > lower_bound {
            (lower_bound, axis) = (ahead * inverse, direction);
        }
        if !wants_distance {
            if ahead > 0.0 {
                return GjkResult::separated(lower_bound, axis);
            }
        } else if opt.cutoff < f64::MAX
            && ahead > 0.0
            && ahead * ahead / dot(x, x) >= opt.cutoff * opt.cutoff
        {
            return GjkResult::separated(lower_bound, axis);
        }
        // testing whether a tetrahedron can contain the origin is cheaper than the distance
        if count == 3 && may_intersect {
            match intersect(difference, simplex, &mut k, opt.iterations) {
                Intersection::Overlapping => {
                    let lower_bound = 0.0;
                    return GjkResult { count: 4, dist: 0.0, points: None, lower_bound, axis };
                }
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
        if (0..3).all(|i| (next[i] - x[i]).abs() < MINVAL) {
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

/// Reduces the simplex to the vertices with nonzero weight; returns their barycentric coordinates.
fn reduce(simplex: &mut [Vertex; 4], count: &mut usize, mujoco_defects: bool) -> [f64; 4] {
    let points = simplex.map(|vertex| vertex.point);
    let mut lambda = closest(&points[..(*count + 1).min(4)], mujoco_defects);
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
fn weighted_sum(
    s: &[Vertex; 4],
    w: &[f64; 4],
    count: usize,
    part: impl Fn(&Vertex) -> Vec3,
) -> Vec3 {
    let mut sum = scale(part(&s[0]), w[0]);
    for k in 1..count.min(4) {
        sum = add_scaled(sum, part(&s[k]), w[k]);
    }
    sum
}

/// Result of the overlap test.
enum Intersection {
    Overlapping,
    /// Lower bound on the distance and the separating axis.
    Separated(f64, Vec3),
    /// Degenerate simplex or iteration limit.
    Indeterminate,
}

/// Overlap test: replaces one vertex of a tetrahedron at a time until it contains the origin or a support
/// plane separates it. Restores the simplex if the result is indeterminate.
fn intersect(
    difference: &mut MinkowskiDifference<'_, '_>,
    s: &mut [Vertex; 4],
    k: &mut usize,
    iterations: usize,
) -> Intersection {
    // vertices of the face opposite to each vertex, clockwise seen from outside
    const SIDES: [[usize; 3]; 4] = [[2, 1, 3], [0, 2, 3], [1, 0, 3], [0, 1, 2]];
    let before = *s;
    while *k < iterations {
        let sides = SIDES.map(|[a, b, c]| height(&s[a], &s[b], &s[c]));
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
        let beyond = dot(normal, s[worst].point);
        if beyond < 0.0 {
            return Intersection::Separated(-beyond, scale(normal, -1.0));
        }
        // the new vertex is on the other side of the face: swap two vertices to restore orientation
        s.swap((worst + 1) & 3, (worst + 2) & 3);
        *k += 1;
    }
    *s = before;
    Intersection::Indeterminate
}

/// Offset of a face's plane from the origin along its unit normal; `f64::MAX` for a degenerate face.
fn height(a: &Vertex, b: &Vertex, c: &Vertex) -> (f64, Vec3) {
    let n = cross(sub(c.point, a.point), sub(b.point, a.point));
    let square = dot(n, n);
    if square > MINVAL * MINVAL && square < MAXVAL * MAXVAL {
        let n = scale(n, 1.0 / square.sqrt());
        (dot(n, a.point), n)
    } else {
        (f64::MAX, n)
    }
}
