//! Derivatives of quaternion integration and subtraction in the tangent space of rotations
//! (`mjd_quatIntegrate`, `mjd_subQuat`).

use super::mat3::{self, Mat3};
use super::quat::{self, Quat};
use super::vec3::{self, Vec3};

/// Derivatives of [`quat::integrate`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IntegrateDerivative {
    /// With respect to the initial rotation.
    pub by_quat: Mat3,
    /// With respect to the rotation vector `velocity · scale`.
    pub by_velocity: Mat3,
    /// With respect to the duration `scale`.
    pub by_scale: Vec3,
}

/// Derivatives of the rotation reached by integrating with `velocity` for the time `scale` (Solà, Deray and
/// Atchuthan, "A micro Lie theory for state estimation in robotics", 2018, equation 183).
#[doc(alias = "mjd_quatIntegrate")]
#[must_use]
pub fn integrate_derivative(velocity: Vec3, scale: f64) -> IntegrateDerivative {
    let s = vec3::scale(velocity, scale);
    let cross = mat3::transpose(&cross_matrix(s));
    let square = vec3::dot(s, s);
    let angle = square.sqrt();
    let a = angle.cos();
    // sin x / x, (1 - cos x) / x², (x - sin x) / x³; Taylor series at small angles, against cancellation
    let (b, c, d) = if angle > 1.0 / 32.0 {
        let b = angle.sin() / angle;
        (b, (1.0 - a) / square, (1.0 - b) / square)
    } else {
        let series =
            |p: f64, q: f64, r: f64| 1.0 + square / p * (square / q * (1.0 - square / r) - 1.0);
        (series(6.0, 20.0, 42.0), series(12.0, 30.0, 56.0) / 2.0, series(20.0, 42.0, 72.0) / 6.0)
    };
    let combine = |eye: f64, skew: f64, outer: f64| -> Mat3 {
        std::array::from_fn(|k| {
            let (i, j) = (k / 3, k % 3);
            eye * mat3::IDENTITY[k] + skew * cross[k] + outer * s[i] * s[j]
        })
    };
    let by_velocity = combine(b, c, d);
    IntegrateDerivative {
        by_quat: combine(a, b, c),
        by_velocity,
        by_scale: mat3::mul_vec(&by_velocity, velocity),
    }
}

/// Derivatives of [`quat::subtract`]`(a, b)` with respect to the rotations `a` and `b`.
#[doc(alias = "mjd_subQuat")]
#[must_use]
pub fn subtract_derivative(a: Quat, b: Quat) -> (Mat3, Mat3) {
    let (axis, angle) = vec3::normalize(quat::subtract(a, b));
    let half = 0.5 * angle;
    let cross = cross_matrix(axis);
    let cross2 = mat3::mul(&cross, &cross);
    let c = 1.0 - if half < 6e-8 { 1.0 } else { half / half.tan() };
    let by_a: Mat3 = std::array::from_fn(|k| mat3::IDENTITY[k] + half * cross[k] + c * cross2[k]);
    (by_a, mat3::transpose(&by_a).map(|x| -x))
}

/// Skew-symmetric matrix of the cross product `v ×`.
fn cross_matrix(v: Vec3) -> Mat3 {
    let [x, y, z] = v;
    [0.0, -z, y, z, 0.0, -x, -y, x, 0.0]
}
