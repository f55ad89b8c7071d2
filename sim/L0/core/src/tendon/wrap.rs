//! Shortest paths around spheres and cylinders (`mju_wrap`).
//!
//! The geom's cross-section is a circle in a plane. Outside wrapping follows two tangents and the
//! arc between them; of the two ways around, the side point or the shorter path decides. A side
//! point inside the geom makes the path touch the circle from within, in one point.

use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use sim_types::MINVAL;
use std::f64::consts::PI;

/// Two numbers.
type Vec2 = [f64; 2];

/// What a path goes around.
pub(super) struct Object {
    pub(super) pos: Vec3,
    pub(super) mat: Mat3,
    pub(super) radius: f64,
    /// A cylinder along its z axis, or else a sphere.
    pub(super) cylinder: bool,
}

/// Length of the curve on the object between two points, and its ends; `None` when a straight line
/// is free.
#[doc(alias = "mju_wrap")]
pub(super) fn wrap(
    object: &Object,
    from: Vec3,
    to: Vec3,
    side: Option<Vec3>,
) -> Option<(f64, [Vec3; 2])> {
    let local = |x: Vec3| mat3::mul_transpose_vec(&object.mat, vec3::sub(x, object.pos));
    let p = [local(from), local(to)];
    if vec3::norm(p[0]) < MINVAL || vec3::norm(p[1]) < MINVAL {
        return None;
    }
    let axes = if object.cylinder {
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    } else {
        plane_through(p[0], p[1])
    };
    let project = |x: Vec3| [vec3::dot(x, axes[0]), vec3::dot(x, axes[1])];
    let ends = [project(p[0]), project(p[1])];

    let radius = object.radius;
    let side = side.map(local);
    let (mut length, touch) = match side {
        Some(s) if vec3::norm(s) < radius => inside(ends, radius).map(|point| (0.0, [point; 2]))?,
        Some(s) => outside(ends, Some(scale(normalize(project(s)), radius)), radius)?,
        None => outside(ends, None, radius)?,
    };

    let lift = |x: Vec2| vec3::add_scaled(vec3::scale(axes[0], x[0]), axes[1], x[1]);
    let mut on = touch.map(lift);
    if object.cylinder {
        // the helix climbs in proportion to the way
        let before = norm([p[0][0] - on[0][0], p[0][1] - on[0][1]]);
        let after = norm([p[1][0] - on[1][0], p[1][1] - on[1][1]]);
        let (climb, way) = (p[1][2] - p[0][2], before + length + after);
        on[0][2] = p[0][2] + climb * before / way;
        on[1][2] = p[0][2] + climb * (before + length) / way;
        let height = on[1][2] - on[0][2];
        length = (length * length + height * height).sqrt();
    }
    Some((length, on.map(|x| vec3::add(mat3::mul_vec(&object.mat, x), object.pos))))
}

/// Two orthogonal unit vectors that span the plane of the origin and two points.
fn plane_through(p0: Vec3, p1: Vec3) -> [Vec3; 2] {
    let (first, _) = vec3::normalize(p0);
    let (mut normal, size) = vec3::normalize(vec3::cross(p0, p1));
    if size < MINVAL {
        // the points are in line with the origin: any plane through them will do
        let [x, y, z] = first.map(f64::abs);
        let mut other = [1.0; 3];
        let largest = if z > x && z > y {
            2
        } else if y > x && y > z {
            1
        } else {
            0
        };
        other[largest] = 0.0;
        (normal, _) = vec3::normalize(vec3::cross(first, other));
    }
    let (second, _) = vec3::normalize(vec3::cross(normal, first));
    [first, second]
}

/// Arc length and tangent points of the way around a circle; `None` when the straight line is free.
fn outside(ends: [Vec2; 2], side: Option<Vec2>, radius: f64) -> Option<(f64, [Vec2; 2])> {
    let square = ends.map(|p| dot(p, p));
    let radius2 = radius * radius;
    if square[0] < radius2 || square[1] < radius2 || radius < MINVAL {
        return None;
    }
    let line = sub(ends[1], ends[0]);
    let line2 = dot(line, line);
    if line2 < MINVAL {
        return None;
    }
    // the nearest point of the segment, if outside, decides by its side
    let a = (-dot(line, ends[0]) / line2).clamp(0.0, 1.0);
    let near = [a * line[0] + ends[0][0], a * line[1] + ends[0][1]];
    if dot(near, near) > radius2 && side.is_none_or(|s| dot(s, near) >= 0.0) {
        return None;
    }

    let reach = square.map(|s| (s - radius2).sqrt());
    let tangents = |sign: f64| {
        let tangent = |k: usize, sign: f64| {
            let ([x, y], turn) = (ends[k], sign * radius * reach[k]);
            [(x * radius2 + y * turn) / square[k], (y * radius2 - x * turn) / square[k]]
        };
        [tangent(0, sign), tangent(1, -sign)]
    };
    let quality = |t: [Vec2; 2]| {
        if intersect(ends[0], t[0], ends[1], t[1]) {
            -10000.0
        } else if let Some(side) = side {
            dot(normalize([t[0][0] + t[1][0], t[0][1] + t[1][1]]), side)
        } else {
            let chord = sub(t[0], t[1]);
            -dot(chord, chord)
        }
    };
    let ways = [tangents(1.0), tangents(-1.0)];
    let second = quality(ways[0]) <= quality(ways[1]);
    let way = ways[usize::from(second)];
    if intersect(ends[0], way[0], ends[1], way[1]) {
        return None;
    }
    Some((arc(way[0], way[1], second, radius), way))
}

/// Length of the arc between two points of a circle, clockwise or counterclockwise.
fn arc(p0: Vec2, p1: Vec2, second: bool, radius: f64) -> f64 {
    let angle = dot(normalize(p0), normalize(p1)).clamp(-1.0, 1.0).acos();
    let cross = p0[1] * p1[0] - p0[0] * p1[1];
    let long = if second { cross > 0.0 } else { cross < 0.0 };
    radius * if long { 2.0 * PI - angle } else { angle }
}

/// Most Newton iterations of [`inside`].
const MAX_ITERATIONS: usize = 20;
/// Residual at which [`inside`] stops.
const TOLERANCE: f64 = 1e-6;

/// The point where a path touches a circle from within; `None` when the straight line crosses it.
fn inside(ends: [Vec2; 2], radius: f64) -> Option<Vec2> {
    let [len0, len1] = ends.map(norm);
    let line = sub(ends[1], ends[0]);
    let line2 = dot(line, line);
    if len0 <= radius || len1 <= radius || radius.min(len0).min(len1) < MINVAL {
        return None;
    }
    if line2 > MINVAL {
        let a = -dot(line, ends[0]) / line2;
        let near = [ends[0][0] + a * line[0], ends[0][1] + a * line[1]];
        if a > 0.0 && a < 1.0 && norm(near) <= radius {
            return None;
        }
    }
    let cosine = (len0 * len0 + len1 * len1 - line2) / (2.0 * len0 * len1);
    if cosine < -1.0 + MINVAL {
        return None;
    }
    // half way between the two directions, unless the equation below has a solution
    let middle = [0.5 * (ends[0][0] + ends[1][0]), 0.5 * (ends[0][1] + ends[1][1])];
    let fallback = scale(normalize(middle), radius);
    let (a, b) = (radius / len0, radius / len1);
    let Some(z) = (if cosine > 1.0 - MINVAL { None } else { reflection(a, b, cosine.acos()) })
    else {
        return Some(fallback);
    };
    let ccw = ends[0][0] * ends[1][1] - ends[0][1] * ends[1][0] > 0.0;
    let (start, ratio) = if ccw { (ends[0], a) } else { (ends[1], b) };
    let (sin, cos) = (z.asin() - (ratio * z).asin()).sin_cos();
    let [x, y] = normalize(start);
    Some([radius * (cos * x - sin * y), radius * (sin * x + cos * y)])
}

/// Solves `asin(a z) + asin(b z) - 2 asin(z) + angle = 0` by Newton's method from the right: the
/// path leaves the circle at the angle at which it came.
fn reflection(a: f64, b: f64, angle: f64) -> Option<f64> {
    let residual = |z: f64| (a * z).asin() + (b * z).asin() - 2.0 * z.asin() + angle;
    let mut z = 1.0 - 1e-7;
    let mut f = residual(z);
    if f > 0.0 {
        return None;
    }
    for _ in 0..MAX_ITERATIONS {
        if f.abs() <= TOLERANCE {
            return Some(z);
        }
        let slope = |c: f64| c / (1.0 - z * z * c * c).sqrt().max(MINVAL);
        let derivative = slope(a) + slope(b) - 2.0 * slope(1.0);
        let next = z - f / derivative;
        if derivative > -MINVAL || next > z {
            return None;
        }
        z = next;
        f = residual(z);
        if f > TOLERANCE {
            return None;
        }
    }
    None
}

/// Whether the segments `p1 p2` and `p3 p4` meet.
fn intersect(p1: Vec2, p2: Vec2, p3: Vec2, p4: Vec2) -> bool {
    let (u, v, w) = (sub(p2, p1), sub(p4, p3), sub(p1, p3));
    let det = v[1] * u[0] - v[0] * u[1];
    if det.abs() < MINVAL {
        return false;
    }
    let a = (v[0] * w[1] - v[1] * w[0]) / det;
    let b = (u[0] * w[1] - u[1] * w[0]) / det;
    (0.0..=1.0).contains(&a) && (0.0..=1.0).contains(&b)
}

fn dot(a: Vec2, b: Vec2) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn sub(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] - b[0], a[1] - b[1]]
}

fn scale(a: Vec2, s: f64) -> Vec2 {
    [s * a[0], s * a[1]]
}

fn norm(a: Vec2) -> f64 {
    dot(a, a).sqrt()
}

/// Unit vector along `a`; a vanishing vector gives the x axis.
fn normalize(a: Vec2) -> Vec2 {
    let length = norm(a);
    if length < MINVAL { [1.0, 0.0] } else { scale(a, 1.0 / length) }
}
