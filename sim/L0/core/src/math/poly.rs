//! Springs and dampers with polynomial coefficients: a linear coefficient and two of higher order.

/// Force divided by displacement of a spring: `k + a x + b x²`.
#[doc(alias = "mju_polyForce")]
#[inline(always)]
#[must_use]
pub fn stiffness(linear: f64, poly: [f64; 2], x: f64) -> f64 {
    linear + poly[0] * x + poly[1] * x * x
}

/// Derivative of a spring's force with respect to displacement.
#[inline(always)]
#[must_use]
pub fn stiffness_derivative(linear: f64, poly: [f64; 2], x: f64) -> f64 {
    linear + 2.0 * poly[0] * x + 3.0 * poly[1] * x * x
}

/// Force divided by velocity of a damper: `c + a |v| + b v²`, so that the force is odd in `v`.
#[inline(always)]
#[must_use]
pub fn damping(linear: f64, poly: [f64; 2], v: f64) -> f64 {
    linear + poly[0] * v.abs() + poly[1] * v * v
}

/// Derivative of a damper's force with respect to velocity.
#[doc(alias = "mjd_xPolyForce")]
#[inline(always)]
#[must_use]
pub fn damping_derivative(linear: f64, poly: [f64; 2], v: f64) -> f64 {
    linear + 2.0 * poly[0] * v.abs() + 3.0 * poly[1] * v * v
}

/// Potential energy of a spring at displacement `x` (J).
#[doc(alias = "mju_polyPotential")]
#[inline(always)]
#[must_use]
pub fn potential(linear: f64, poly: [f64; 2], x: f64) -> f64 {
    x * x * (linear / 2.0 + x * (poly[0] / 3.0 + x * (poly[1] / 4.0)))
}
