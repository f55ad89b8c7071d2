//! Contact forces as sums of the edges of a friction pyramid.
//!
//! A force is `[normal, tangent…]`, with one coefficient of friction for each tangent; a pyramid has
//! two edges for each. Lengths follow from the number of coefficients.

/// The edges whose sum is `force`, with the normal force shared evenly.
///
/// # Panics
/// If `force` is not longer than `mu`, or `pyramid` shorter than twice `mu`.
#[doc(alias = "mju_encodePyramid")]
pub fn encode(force: &[f64], mu: &[f64], pyramid: &mut [f64]) {
    let share = force[0] / mu.len() as f64;
    for (i, mu) in mu.iter().enumerate() {
        let tangent = share.min(force[i + 1] / mu);
        pyramid[2 * i] = 0.5 * (share + tangent);
        pyramid[2 * i + 1] = 0.5 * (share - tangent);
    }
}

/// The force that the edges add up to. Without coefficients the single edge is the normal force.
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
