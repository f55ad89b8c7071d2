//! Three-dimensional vectors.

use sim_types::MINVAL;

/// A vector `[x, y, z]`.
pub type Vec3 = [f64; 3];

/// `a + b`.
#[inline(always)]
#[must_use]
pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// `a - b`.
#[inline(always)]
#[must_use]
pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `s a`.
#[inline(always)]
#[must_use]
pub fn scale(a: Vec3, s: f64) -> Vec3 {
    [s * a[0], s * a[1], s * a[2]]
}

/// `a + s b`.
#[inline(always)]
#[must_use]
pub fn add_scaled(a: Vec3, b: Vec3, s: f64) -> Vec3 {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

/// `a · b`.
#[inline(always)]
#[must_use]
pub fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `a × b`.
#[doc(alias = "mju_cross")]
#[inline(always)]
#[must_use]
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Euclidean norm.
#[inline(always)]
#[must_use]
pub fn norm(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// Distance between two points.
#[inline(always)]
#[must_use]
pub fn distance(a: Vec3, b: Vec3) -> f64 {
    norm(sub(a, b))
}

/// Unit vector along `a` and the norm of `a`; the unit vector is the x axis if the norm is below `MINVAL`.
#[doc(alias = "mju_normalize3")]
#[inline]
#[must_use]
pub fn normalize(a: Vec3) -> (Vec3, f64) {
    let length = norm(a);
    if length < MINVAL { ([1.0, 0.0, 0.0], length) } else { (scale(a, 1.0 / length), length) }
}
