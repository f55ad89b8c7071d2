//! Conversion of contact forces between the contact frame and the edges of the friction pyramid
//! (`mju_encodePyramid`, `mju_decodePyramid`).
//!
//! A force is `[normal, tangent…]`, with one friction coefficient for each tangent and two pyramid edges for
//! each coefficient.

/// Writes the pyramid edge forces of `force` to `pyramid`, with the normal force distributed evenly.
///
/// # Panics
/// If `force` is not longer than `mu`, or `pyramid` shorter than twice `mu`.
#[doc(alias = "mju_encodePyramid")]
pub fn encode(force: &[f64], mu: &[f64], pyramid: &mut [f64]) {
    let normal = force[0] / mu.len() as f64;
    for (i, mu) in mu.iter().enumerate() {
        let tangent = normal.min(force[i + 1] / mu);
        pyramid[2 * i] = 0.5 * (normal + tangent);
        pyramid[2 * i + 1] = 0.5 * (normal - tangent);
    }
}

/// Writes the force of the pyramid edges to `force`. Without coefficients (frictionless) the single edge is
/// the normal force.
///
/// # Panics
/// If `force` is not longer than `mu`, or `pyramid` shorter than twice `mu` or empty.
#[doc(alias = "mju_decodePyramid")]
pub fn decode(pyramid: &[f64], mu: &[f64], force: &mut [f64]) {
    if mu.is_empty() {
        force[0] = pyramid[0];
        return;
    }
    force[0] = pyramid[..2 * mu.len()].iter().sum();
    for (i, mu) in mu.iter().enumerate() {
        force[i + 1] = (pyramid[2 * i] - pyramid[2 * i + 1]) * mu;
    }
}
