//! Fluid interaction coefficients of a geom: virtual mass and inertia of its equivalent ellipsoid
//! (mjCGeom::SetFluidCoefs).
//!
//! The coefficients kappa of an ellipsoid with semi-axes a, b, c are
//! `kappa = a b c * integral over l >= 0 of dl / sqrt((a^2 + l)^3 (b^2 + l) (c^2 + l))`,
//! here by 15-point Gauss-Kronrod quadrature after `l = x^3 / (1 - x)^2`.

use super::math::{EPS, Vec3};
use sim_core::types::GeomType;

/// Quadrature weights.
const WEIGHT: [f64; 15] = [
    0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236, 0.09517529, 0.10221647, 0.10474107,
    0.10221647, 0.09517529, 0.08450236, 0.07032663, 0.05239501, 0.03154605, 0.01146766,
];
/// Quadrature nodes, as values of l.
const NODE: [f64; 15] = [
    7.865151709349917e-08,
    1.7347976913907274e-05,
    0.0003548008144506193,
    0.002846636252924549,
    0.014094260903596077,
    0.053063261727396636,
    0.17041978741317773,
    0.5,
    1.4036301548686991,
    3.9353484827022642,
    11.644841677041734,
    39.53187807410903,
    177.5711362220801,
    1429.4772912937397,
    54087.416549217705,
];
/// Derivative dl/dx at the nodes.
const DERIVATIVE: [f64; 15] = [
    5.538677720489877e-05,
    0.002080868285293228,
    0.016514126520723166,
    0.07261900344370877,
    0.23985243401862602,
    0.6868318249020725,
    1.8551129519182894,
    5.0,
    14.060031152313941,
    43.28941239611009,
    156.58546376397112,
    747.9826085305024,
    5827.4042950027115,
    116754.0197944512,
    25482945.327264845,
];

/// Row of `geom_fluid`: flag, five fluid coefficients, virtual mass, virtual inertia.
pub(super) fn coefficients(shape: GeomType, size: Vec3, fluidcoef: [f64; 5]) -> [f64; 12] {
    let axes = match shape {
        GeomType::Sphere => [size[0]; 3],
        GeomType::Capsule => [size[0], size[0], size[0] + size[1]],
        GeomType::Cylinder => [size[0], size[0], size[1]],
        _ => size,
    };
    let [a, b, c] = axes;
    let volume = 4.0 / 3.0 * std::f64::consts::PI * a * b * c;
    let kappa = [kappa(a, b, c), kappa(b, c, a), kappa(c, a, b)];
    let mut row = [0.0; 12];
    row[0] = 1.0;
    row[1..6].copy_from_slice(&fluidcoef);
    for i in 0..3 {
        row[6 + i] = volume * kappa[i] / (2.0 - kappa[i]).max(EPS);
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let (jj, kk) = (axes[j] * axes[j], axes[k] * axes[k]);
        // Numerator and denominator have the same sign.
        let numerator = (jj - kk) * (jj - kk) * (kappa[k] - kappa[j]).abs();
        let denominator = (2.0 * (jj - kk) + (jj + kk) * (kappa[j] - kappa[k])).abs();
        row[9 + i] = volume * (numerator / denominator.max(EPS)) / 5.0;
    }
    row
}

/// Coefficient kappa of the semi-axis `a`.
fn kappa(a: f64, b: f64, c: f64) -> f64 {
    let [ia, ib, ic] = [a, b, c].map(|x| 1.0 / (x * x));
    // Scaling of l that makes the quadrature independent of size.
    let scale = (a * a * a * b * c).powf(0.4);
    let mut sum = 0.0;
    for i in 0..15 {
        let l = scale * NODE[i];
        let denominator =
            (1.0 + l * ia) * ((1.0 + l * ia) * (1.0 + l * ib) * (1.0 + l * ic)).sqrt();
        sum += scale * DERIVATIVE[i] / denominator * WEIGHT[i];
    }
    sum * ia
}
