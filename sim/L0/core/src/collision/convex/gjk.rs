//! The distance between two solids (Gilbert, Johnson and Keerthi), or the fact that they overlap.
//!
//! Walks a simplex of the Minkowski difference toward the origin. It stops where the Frank–Wolfe
//! duality gap bounds the error: `|x - x*|² ≤ x·(x - s)`, with `s` the support point against `x`.

use super::pair::{Pair, Vertex};
use super::simplex::closest;
use crate::math::vec3::{Vec3, add_scaled, cross, dot, scale, sub};
use sim_types::{MAXVAL, MINVAL};

/// Where the walk ended.
pub(super) struct Closest {
    /// How many vertices of the last simplex count.
    pub count: usize,
    /// The distance; zero when the solids overlap, `f64::MAX` when they are farther than asked.
    pub dist: f64,
    /// The closest points on the two solids; none when they were not computed.
    pub points: Option<[Vec3; 2]>,
    /// How far the solids are certainly apart.
    pub apart: f64,
    /// Along which direction of unit length, from the second to the first.
    pub axis: Vec3,
}

/// When the walk may stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stop {
    pub iterations: usize,
    pub tolerance: f64,
    /// Distances beyond it are of no interest; zero asks only whether the solids overlap.
    pub cutoff: f64,
    /// See [`closest`].
    pub faithful: bool,
}

impl Closest {
    /// The solids do not touch.
    fn apart(apart: f64, axis: Vec3) -> Self {
        Self { count: 0, dist: f64::MAX, points: None, apart, axis }
    }
}

/// Finds the closest points, or that the solids overlap; leaves the last simplex.
pub(super) fn gjk(pair: &mut Pair<'_, '_>, stop: &Stop, simplex: &mut [Vertex; 4]) -> Closest {
    let wants_distance = stop.cutoff > 0.0;
    let mut may_intersect = !wants_distance;
    let square_tolerance = stop.tolerance * stop.tolerance;
    // the walk over a polytope ends by itself
    let discrete = pair.is_discrete();
    let gap = if discrete { 0.0 } else { 0.5 * square_tolerance };
    // never zero: a direction has to be taken from what is longer
    let touching = if discrete { MINVAL * MINVAL } else { square_tolerance.max(MINVAL * MINVAL) };

    let mut lambda = [1.0, 0.0, 0.0, 0.0];
    let mut count = 0;
    let (mut on_a, mut on_b) = (pair.a.center(), pair.b.center());
    let mut x = sub(on_a, on_b);
    let mut length = 0.0;
    let (mut apart, mut axis) = (0.0_f64, [0.0; 3]);
    let mut k = 0;
    while k < stop.iterations {
        length = dot(x, x);
        if length < touching {
            break;
        }
        length = length.sqrt();
        let shrink = 1.0 / length;
        let direction = scale(x, shrink);
        pair.support(scale(direction, -1.0), &mut simplex[count]);
        let point = simplex[count].point;
        if dot(x, sub(x, point)) < gap {
            if k == 0 {
                count = 1;
            }
            break;
        }
        // a plane between the difference and the origin: no contact, or one too far away
        let ahead = dot(x, point);
        if ahead * shrink > apart {
            (apart, axis) = (ahead * shrink, direction);
        }
        if !wants_distance {
            if ahead > 0.0 {
                return Closest::apart(apart, axis);
            }
        } else if stop.cutoff < f64::MAX
            && ahead > 0.0
            && ahead * ahead / dot(x, x) >= stop.cutoff * stop.cutoff
        {
            return Closest::apart(apart, axis);
        }
        // whether a tetrahedron can hold the origin is cheaper to learn than the distance
        if count == 3 && may_intersect {
            match intersect(pair, simplex, &mut k, stop.iterations) {
                Overlap::Yes => {
                    let apart = 0.0;
                    return Closest { count: 4, dist: 0.0, points: None, apart, axis };
                }
                Overlap::No(apart, axis) => return Closest::apart(apart, axis),
                Overlap::Unclear => may_intersect = false,
            }
        }

        lambda = reduce(simplex, &mut count, stop.faithful);
        if count == 0 {
            return Closest::apart(apart, axis);
        }
        let next = mix(simplex, &lambda, count, |v| v.point);
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
        on_a = mix(simplex, &lambda, count, |v| v.on_a);
        on_b = mix(simplex, &lambda, count, |v| v.on_b);
    }
    Closest { count, dist: length, points: Some([on_a, on_b]), apart, axis }
}

/// Keeps the vertices that carry the closest point; returns their weights, packed.
fn reduce(simplex: &mut [Vertex; 4], count: &mut usize, faithful: bool) -> [f64; 4] {
    let points = simplex.map(|vertex| vertex.point);
    let mut lambda = closest(&points[..(*count + 1).min(4)], faithful);
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

/// The weighted sum of the first `count` vertices.
fn mix(s: &[Vertex; 4], w: &[f64; 4], count: usize, part: impl Fn(&Vertex) -> Vec3) -> Vec3 {
    let mut sum = scale(part(&s[0]), w[0]);
    for k in 1..count.min(4) {
        sum = add_scaled(sum, part(&s[k]), w[k]);
    }
    sum
}

/// Whether two solids overlap.
enum Overlap {
    Yes,
    /// No: they are at least so far apart, in this direction.
    No(f64, Vec3),
    /// It cannot be told.
    Unclear,
}

/// Moves a tetrahedron toward the origin, one vertex at a time, until it holds it: the solids
/// overlap. If that cannot be told, the simplex stays as it was.
fn intersect(
    pair: &mut Pair<'_, '_>,
    s: &mut [Vertex; 4],
    k: &mut usize,
    iterations: usize,
) -> Overlap {
    // the three corners of the side opposite to each vertex, seen from within
    const SIDES: [[usize; 3]; 4] = [[2, 1, 3], [0, 2, 3], [1, 0, 3], [0, 1, 2]];
    let before = *s;
    while *k < iterations {
        let sides = SIDES.map(|[a, b, c]| height(&s[a], &s[b], &s[c]));
        // the origin in the plane of a side: the sign says nothing
        if sides.iter().any(|side| side.0 == 0.0) {
            break;
        }
        let i = if sides[0].0 < sides[1].0 { 0 } else { 1 };
        let j = if sides[2].0 < sides[3].0 { 2 } else { 3 };
        let worst = if sides[i].0 < sides[j].0 { i } else { j };
        let (height, normal) = sides[worst];
        if height > 0.0 {
            return Overlap::Yes;
        }
        pair.support(normal, &mut s[worst]);
        let beyond = dot(normal, s[worst].point);
        if beyond < 0.0 {
            return Overlap::No(-beyond, scale(normal, -1.0));
        }
        // the new vertex lies on the other side of its side: two others change places
        s.swap((worst + 1) & 3, (worst + 2) & 3);
        *k += 1;
    }
    *s = before;
    Overlap::Unclear
}

/// Height of a side's plane over the origin along its normal; `f64::MAX` without a normal.
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
