//! Updates of the forces of one contact with an elliptic cone by the dual solvers: along the ray through the current
//! force, then over friction at a fixed normal force (QCQP).
//!
//! The number of rows `D` and that of friction forces `N = D − 1` are constants, so that all loops are unrolled.

use crate::problem::ContactRows;
use crate::qcqp;
use sim_types::MINVAL;

/// A block update that increases the cost by more than this is reverted.
pub(crate) const MAX_COST_INCREASE: f64 = 1e-10;

/// `x · y`.
#[inline(always)]
fn dot<const D: usize>(x: &[f64; D], y: &[f64; D]) -> f64 {
    let mut sum = 0.0;
    for k in 0..D {
        sum += x[k] * y[k];
    }
    sum
}

/// Minimises over the forces of an elliptic contact: first along the ray through the current force, then over
/// friction with fixed normal force. `a` is its diagonal block of `A + R`, row-major in its first `D²` entries, and
/// `unregularised` has its entries of the residual `A f + b`. Returns the changes of the forces and of the cost.
#[inline(always)]
pub(crate) fn update_cone<const D: usize, const N: usize>(
    contact: &ContactRows,
    a: &[f64; 36],
    r: &[f64; D],
    force: &mut [f64; D],
    unregularised: &[f64; D],
) -> ([f64; D], f64) {
    let a = rows::<D>(a);
    let old = *force;
    let (mut residual, mut product) = ([0.0; D], [0.0; D]);
    for j in 0..D {
        residual[j] = unregularised[j] + r[j] * old[j];
        product[j] = dot(&a[j], &old);
    }
    if old[0] < MINVAL {
        let normal = old[0] - residual[0] / a[0][0];
        *force = [0.0; D];
        force[0] = if normal < 0.0 { 0.0 } else { normal };
    } else {
        let denom = dot(&old, &product);
        if denom >= MINVAL {
            let x = -dot(&old, &residual) / denom;
            // at most to the apex
            let x = if old[0] + x * old[0] < 0.0 { -1.0 } else { x };
            for j in 0..D {
                force[j] += x * old[j];
            }
        }
    }
    // QCQP over friction at the new normal force: ½ vᵀ Ac v + bcᵀ v
    let (mut ac, mut bc) = ([[0.0; N]; N], [0.0; N]);
    for j in 0..N {
        for k in 0..N {
            ac[j][k] = a[j + 1][k + 1];
        }
        let normal = a[j + 1][0] * (force[0] - old[0]);
        let mut friction = 0.0;
        for k in 0..N {
            friction += ac[j][k] * old[k + 1];
        }
        bc[j] = residual[j + 1] - friction + normal;
    }
    let friction = solve_friction(contact, force[0], &ac, &bc);
    force[1..].copy_from_slice(&friction);
    cost_change(&a, force, &old, &residual)
}

/// The `D` rows of a matrix in row-major order.
#[inline(always)]
pub(crate) fn rows<const D: usize>(a: &[f64; 36]) -> [[f64; D]; D] {
    std::array::from_fn(|i| std::array::from_fn(|j| a[i * D + j]))
}

/// The friction forces that minimise `½ vᵀ A v + bᵀ v` within the cone at normal force `normal`.
#[inline(always)]
pub(crate) fn solve_friction<const N: usize>(
    contact: &ContactRows,
    normal: f64,
    a: &[[f64; N]; N],
    b: &[f64; N],
) -> [f64; N] {
    if normal < MINVAL {
        return [0.0; N];
    }
    let coefficient: [f64; N] = std::array::from_fn(|k| contact.friction[k]);
    let (mut v, boundary) = qcqp::minimise(a, b, &coefficient, normal);
    if let Some(square) = boundary {
        // the QCQP multiplier is approximate: rescale to the cone boundary
        let scale = (normal * normal / square.max(MINVAL)).sqrt();
        v = v.map(|v| v * scale);
    }
    v
}

/// Changes of the forces of a block, and of the cost (`costChange`). Reverts the forces and returns zero if the cost
/// increases.
#[doc(alias = "costChange")]
#[inline(always)]
pub(crate) fn cost_change<const D: usize>(
    a: &[[f64; D]; D],
    force: &mut [f64; D],
    old: &[f64; D],
    residual: &[f64; D],
) -> ([f64; D], f64) {
    let mut delta = [0.0; D];
    for j in 0..D {
        delta[j] = force[j] - old[j];
    }
    let mut change = 0.0;
    for j in 0..D {
        change += delta[j] * (0.5 * dot(&a[j], &delta) + residual[j]);
    }
    if change > MAX_COST_INCREASE {
        *force = *old;
        return ([0.0; D], 0.0);
    }
    (delta, change)
}
