//! Muscles: a fibre pulls by its activation, its length and its speed, and resists being stretched
//! (`mju_muscleGain`, `mju_muscleBias`, `mju_muscleDynamics`).
//!
//! Force is `−F0 (act FL(L) FV(V) + FP(L))`: the peak force times three curves over the length `L`
//! in units of the length of greatest strength, and the speed `V` in units of the fastest
//! shortening. The parameters `prm` of a muscle are `range[2], force, scale, lmin, lmax, vmax,
//! fpmax, fvmax`, as in the rows of `actuator_gainprm` and `actuator_biasprm`.

use super::clamp;
use crate::math::scalar::sigmoid;
use sim_types::MINVAL;

/// Active force by length: a bump of four parabolas from `lmin` to `lmax` that is 1 at length 1.
///
/// ```
/// use sim_core::muscle::length_curve;
/// assert_eq!(length_curve(1.0, 0.5, 1.6), 1.0);
/// assert_eq!(length_curve(0.5, 0.5, 1.6), 0.0);
/// ```
#[doc(alias = "mju_muscleGainLength")]
#[must_use]
pub fn length_curve(length: f64, lmin: f64, lmax: f64) -> f64 {
    if !(lmin..=lmax).contains(&length) {
        return 0.0;
    }
    let (low, high) = (0.5 * (lmin + 1.0), 0.5 * (1.0 + lmax));
    let rise = |from: f64, to: f64| from / to.max(MINVAL);
    if length <= low {
        let x = rise(length - lmin, low - lmin);
        0.5 * x * x
    } else if length <= 1.0 {
        let x = rise(1.0 - length, 1.0 - low);
        1.0 - 0.5 * x * x
    } else if length <= high {
        let x = rise(length - 1.0, high - 1.0);
        1.0 - 0.5 * x * x
    } else {
        let x = rise(lmax - length, lmax - high);
        0.5 * x * x
    }
}

/// Active force by speed: none at the fastest shortening (−1), 1 at rest, `fvmax` when stretched.
#[must_use]
pub fn velocity_curve(velocity: f64, fvmax: f64) -> f64 {
    let y = fvmax - 1.0;
    if velocity <= -1.0 {
        0.0
    } else if velocity <= 0.0 {
        (velocity + 1.0) * (velocity + 1.0)
    } else if velocity <= y {
        fvmax - (y - velocity) * (y - velocity) / y.max(MINVAL)
    } else {
        fvmax
    }
}

/// Derivative of [`velocity_curve`] with respect to speed.
#[must_use]
pub fn velocity_curve_slope(velocity: f64, fvmax: f64) -> f64 {
    let y = fvmax - 1.0;
    if velocity <= -1.0 || velocity > y.max(0.0) {
        0.0
    } else if velocity <= 0.0 {
        2.0 * velocity + 2.0
    } else {
        (2.0 * y - 2.0 * velocity) / y.max(MINVAL)
    }
}

/// Passive force by length: none up to length 1, then a parabola that reaches half of `fpmax`
/// halfway to `lmax`, and the straight line on from there.
#[must_use]
pub fn passive_curve(length: f64, lmax: f64, fpmax: f64) -> f64 {
    let half = 0.5 * (1.0 + lmax);
    if length <= 1.0 {
        0.0
    } else if length <= half {
        let x = (length - 1.0) / (half - 1.0).max(MINVAL);
        fpmax * 0.5 * x * x
    } else {
        fpmax * (0.5 + (length - half) / (half - 1.0).max(MINVAL))
    }
}

/// Length at which the muscle is strongest, given the range of lengths of its actuator.
fn optimum(lengthrange: [f64; 2], prm: &[f64; 10]) -> f64 {
    (lengthrange[1] - lengthrange[0]) / (prm[1] - prm[0]).max(MINVAL)
}

/// Length in units of the length of greatest strength.
fn normalized(length: f64, lengthrange: [f64; 2], prm: &[f64; 10]) -> f64 {
    prm[0] + (length - lengthrange[0]) / optimum(lengthrange, prm).max(MINVAL)
}

/// The force that scales all curves: given, or such that it accelerates the joints enough.
fn peak_force(acc0: f64, prm: &[f64; 10]) -> f64 {
    if prm[2] < 0.0 { prm[3] / acc0.max(MINVAL) } else { prm[2] }
}

/// The active force of a fully active muscle, negative since muscles pull.
#[doc(alias = "mju_muscleGain")]
#[must_use]
pub fn gain(length: f64, velocity: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64; 10]) -> f64 {
    let speed = velocity / (optimum(lengthrange, prm) * prm[6]).max(MINVAL);
    -peak_force(acc0, prm)
        * length_curve(normalized(length, lengthrange, prm), prm[4], prm[5])
        * velocity_curve(speed, prm[8])
}

/// Derivative of [`gain`] with respect to velocity.
#[doc(alias = "mjd_muscleGain_vel")]
#[must_use]
pub fn gain_slope(
    length: f64,
    velocity: f64,
    lengthrange: [f64; 2],
    acc0: f64,
    prm: &[f64; 10],
) -> f64 {
    let fastest = (optimum(lengthrange, prm) * prm[6]).max(MINVAL);
    -peak_force(acc0, prm)
        * length_curve(normalized(length, lengthrange, prm), prm[4], prm[5])
        * velocity_curve_slope(velocity / fastest, prm[8])
        / fastest
}

/// The passive force of a muscle, negative since muscles pull.
#[doc(alias = "mju_muscleBias")]
#[must_use]
pub fn bias(length: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64; 10]) -> f64 {
    -peak_force(acc0, prm) * passive_curve(normalized(length, lengthrange, prm), prm[5], prm[7])
}

/// Time constant by the lack of activation `excess`: that of activation or that of deactivation,
/// switched smoothly over a range of this `width` around zero.
#[doc(alias = "mju_muscleDynamicsTimescale")]
#[must_use]
pub fn time_constant(excess: f64, activation: f64, deactivation: f64, width: f64) -> f64 {
    if width >= MINVAL {
        deactivation + (activation - deactivation) * sigmoid(excess / width + 0.5)
    } else if excess > 0.0 {
        activation
    } else {
        deactivation
    }
}

/// Rate of activation towards the control; `prm` holds the time constants of activation and
/// deactivation and the width of the switch between them.
///
/// The time constants change with activation as in Millard et al. 2013, "Flexing computational
/// muscle".
#[doc(alias = "mju_muscleDynamics")]
#[must_use]
pub fn activation_rate(ctrl: f64, act: f64, prm: [f64; 3]) -> f64 {
    let excess = clamp::to(ctrl, [0.0, 1.0]) - act;
    let slowing = 0.5 + 1.5 * clamp::to(act, [0.0, 1.0]);
    let tau = time_constant(excess, prm[0] * slowing, prm[1] / slowing, prm[2]);
    excess / tau.max(MINVAL)
}
