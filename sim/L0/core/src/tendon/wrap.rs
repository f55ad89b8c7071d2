//! Shortest paths around spheres and cylinders (`mju_wrap`).
//!
//! The problem is solved in the plane in which the geom's cross-section is a circle. Outside wrapping
//! consists of two tangent segments and the arc between them; of the two candidate paths the one on the
//! side of the side site is taken, or the shorter one without a side site. A side site inside the geom
//! selects inside wrapping: the path touches the circle from within, in one point.

use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use sim_types::MINVAL;
use std::f64::consts::PI;

/// A vector in the wrapping plane.
type Vec2 = [f64; 2];

/// A wrapping geom.
pub(super) struct WrapGeom {
    /// World position (m).
    pub(super) pos: Vec3,
    /// World rotation matrix.
    pub(super) mat: Mat3,
    /// Radius of the sphere or cylinder (m).
    pub(super) radius: f64,
    /// Whether it is a cylinder along its z axis; a sphere otherwise.
    pub(super) cylinder: bool,
}

/// Length and end points of the curve on the geom between two points; `None` if the straight segment does
/// not wrap.
#[doc(alias = "mju_wrap")]
pub(super) fn wrap(
    geom: &WrapGeom,
    from: Vec3,
    to: Vec3,
    side: Option<Vec3>,
) -> Option<(f64, [Vec3; 2])> {
    let local = |x: Vec3| mat3::mul_transpose_vec(&geom.mat, vec3::sub(x, geom.pos));
    let p = [local(from), local(to)];
    if vec3::norm(p[0]) < MINVAL || vec3::norm(p[1]) < MINVAL {
        return None;
    }
    let axes =
        if geom.cylinder { [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] } else { plane_through(p[0], p[1]) };
    let project = |x: Vec3| [vec3::dot(x, axes[0]), vec3::dot(x, axes[1])];
    let ends = [project(p[0]), project(p[1])];

    let radius = geom.radius;
    let side = side.map(local);
    let (mut length, tangent_points) = match side {
        Some(s) if vec3::norm(s) < radius => inside(ends, radius).map(|point| (0.0, [point; 2]))?,
        Some(s) => outside(ends, Some(scale(normalize(project(s)), radius)), radius)?,
        None => outside(ends, None, radius)?,
    };

    let lift = |x: Vec2| vec3::add_scaled(vec3::scale(axes[0], x[0]), axes[1], x[1]);
    let mut ends = tangent_points.map(lift);
    if geom.cylinder {
        // along a helix, height is proportional to the length in the plane
        let before = norm([p[0][0] - ends[0][0], p[0][1] - ends[0][1]]);
        let after = norm([p[1][0] - ends[1][0], p[1][1] - ends[1][1]]);
        let (height, planar) = (p[1][2] - p[0][2], before + length + after);
        ends[0][2] = p[0][2] + height * before / planar;
        ends[1][2] = p[0][2] + height * (before + length) / planar;
        let rise = ends[1][2] - ends[0][2];
        length = (length * length + rise * rise).sqrt();
    }
    Some((length, ends.map(|x| vec3::add(mat3::mul_vec(&geom.mat, x), geom.pos))))
}

/// Orthonormal basis of the plane through the origin and two points.
fn plane_through(p0: Vec3, p1: Vec3) -> [Vec3; 2] {
    let (first, _) = vec3::normalize(p0);
    let (mut normal, size) = vec3::normalize(vec3::cross(p0, p1));
    if size < MINVAL {
        // collinear with the origin: any plane through the line
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

/// Arc length and tangent points of the path around a circle; `None` if the straight segment does not wrap.
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
    // no wrapping if the segment's closest point to the centre is outside and on the side of the side site
    let a = (-dot(line, ends[0]) / line2).clamp(0.0, 1.0);
    let closest = [a * line[0] + ends[0][0], a * line[1] + ends[0][1]];
    if dot(closest, closest) > radius2 && side.is_none_or(|s| dot(s, closest) >= 0.0) {
        return None;
    }

    let tangent_length = square.map(|s| (s - radius2).sqrt());
    let tangents = |sign: f64| {
        let tangent = |k: usize, sign: f64| {
            let ([x, y], t) = (ends[k], sign * radius * tangent_length[k]);
            [(x * radius2 + y * t) / square[k], (y * radius2 - x * t) / square[k]]
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
    let candidates = [tangents(1.0), tangents(-1.0)];
    let second = quality(candidates[0]) <= quality(candidates[1]);
    let path = candidates[usize::from(second)];
    if intersect(ends[0], path[0], ends[1], path[1]) {
        return None;
    }
    Some((arc(path[0], path[1], second, radius), path))
}

/// Angle below which two tangent points are considered equal (rad). The tangent point of an end point on the
/// circle is the root of a rounding error: with coordinates of 1 m and a radius of 2 mm it is off by 1e-6.
const COINCIDENT: f64 = 1e-5;

/// Arc length between two points of a circle in the direction of the first or the second candidate path.
///
/// Between coincident points it is zero: there the segment touches the circle in one of its end points, and
/// rounding decides the sign of the cross product. MuJoCo 3.8.0 returns a full turn if that sign is wrong.
fn arc(p0: Vec2, p1: Vec2, second: bool, radius: f64) -> f64 {
    let angle = dot(normalize(p0), normalize(p1)).clamp(-1.0, 1.0).acos();
    let cross = p0[1] * p1[0] - p0[0] * p1[1];
    let reversed = if second { cross > 0.0 } else { cross < 0.0 };
    let long = reversed && angle > COINCIDENT;
    radius * if long { 2.0 * PI - angle } else { angle }
}

/// Maximum number of Newton iterations of [`reflection`].
const MAX_ITERATIONS: usize = 20;
/// Residual below which [`reflection`] has converged (rad).
const TOLERANCE: f64 = 1e-6;

/// The point where the path touches a circle from within; `None` if the straight segment crosses the circle.
fn inside(ends: [Vec2; 2], radius: f64) -> Option<Vec2> {
    let [len0, len1] = ends.map(norm);
    let line = sub(ends[1], ends[0]);
    let line2 = dot(line, line);
    if len0 <= radius || len1 <= radius || radius.min(len0).min(len1) < MINVAL {
        return None;
    }
    if line2 > MINVAL {
        let a = -dot(line, ends[0]) / line2;
        let closest = [ends[0][0] + a * line[0], ends[0][1] + a * line[1]];
        if a > 0.0 && a < 1.0 && norm(closest) <= radius {
            return None;
        }
    }
    let cosine = (len0 * len0 + len1 * len1 - line2) / (2.0 * len0 * len1);
    if cosine < -1.0 + MINVAL {
        return None;
    }
    // fallback when the equation below has no solution: the direction of the midpoint
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

/// Solves `asin(a z) + asin(b z) - 2 asin(z) + angle = 0`, the condition that the angles of incidence and
/// reflection are equal, by Newton's method from the right end of the interval.
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

/// Whether the segments `p1 p2` and `p3 p4` intersect.
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

/// Unit vector along `a`; the x axis if `a` is shorter than `MINVAL`.
fn normalize(a: Vec2) -> Vec2 {
    let length = norm(a);
    if length < MINVAL { [1.0, 0.0] } else { scale(a, 1.0 / length) }
}
