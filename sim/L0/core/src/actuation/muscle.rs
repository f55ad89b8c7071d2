//! Hill-type muscle model (`mju_muscleGain`, `mju_muscleBias`, `mju_muscleDynamics`).
//!
//! The force is `−F0 (act FL(L) FV(V) + FP(L))`: the peak active force `F0` times the active force–length
//! curve `FL`, the force–velocity curve `FV` and the passive force–length curve `FP`. `L` is the length in
//! units of the optimal fibre length `L0`, and `V` the velocity in units of the maximum shortening velocity
//! `vmax L0`. The parameters `prm` are `range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax`, as in the
//! rows of `actuator_gainprm` and `actuator_biasprm`.

use super::clamp;
use crate::math::scalar::sigmoid;
use sim_types::MINVAL;

/// Active force–length curve `FL`: piecewise quadratic, zero outside `[lmin, lmax]` and 1 at length 1.
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

/// Force–velocity curve `FV`: zero at the maximum shortening velocity (−1), 1 at rest, `fvmax` at fast
/// lengthening.
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

/// Derivative of [`velocity_curve`] with respect to velocity.
#[must_use]
pub fn velocity_curve_derivative(velocity: f64, fvmax: f64) -> f64 {
    let y = fvmax - 1.0;
    if velocity <= -1.0 || velocity > y.max(0.0) {
        0.0
    } else if velocity <= 0.0 {
        2.0 * velocity + 2.0
    } else {
        (2.0 * y - 2.0 * velocity) / y.max(MINVAL)
    }
}

/// Passive force–length curve `FP`: zero up to length 1, quadratic up to `fpmax / 2` at the midpoint of 1 and
/// `lmax`, linear beyond.
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

/// Optimal fibre length `L0` from the length range of the actuator (m).
fn optimal_length(lengthrange: [f64; 2], prm: &[f64; 10]) -> f64 {
    (lengthrange[1] - lengthrange[0]) / (prm[1] - prm[0]).max(MINVAL)
}

/// Length in units of `L0`.
fn normalized_length(length: f64, lengthrange: [f64; 2], prm: &[f64; 10]) -> f64 {
    prm[0] + (length - lengthrange[0]) / optimal_length(lengthrange, prm).max(MINVAL)
}

/// Peak active force `F0`: `force` if it is not negative, else `scale / acc0`.
fn peak_force(acc0: f64, prm: &[f64; 10]) -> f64 {
    if prm[2] < 0.0 { prm[3] / acc0.max(MINVAL) } else { prm[2] }
}

/// Active force at full activation, `−F0 FL(L) FV(V)`; negative because muscles pull.
#[doc(alias = "mju_muscleGain")]
#[must_use]
pub fn gain(length: f64, velocity: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64; 10]) -> f64 {
    let normalized_velocity = velocity / (optimal_length(lengthrange, prm) * prm[6]).max(MINVAL);
    -peak_force(acc0, prm)
        * length_curve(normalized_length(length, lengthrange, prm), prm[4], prm[5])
        * velocity_curve(normalized_velocity, prm[8])
}

/// Derivative of [`gain`] with respect to velocity.
#[doc(alias = "mjd_muscleGain_vel")]
#[must_use]
pub fn gain_vel_derivative(
    length: f64,
    velocity: f64,
    lengthrange: [f64; 2],
    acc0: f64,
    prm: &[f64; 10],
) -> f64 {
    let max_velocity = (optimal_length(lengthrange, prm) * prm[6]).max(MINVAL);
    -peak_force(acc0, prm)
        * length_curve(normalized_length(length, lengthrange, prm), prm[4], prm[5])
        * velocity_curve_derivative(velocity / max_velocity, prm[8])
        / max_velocity
}

/// Passive force `−F0 FP(L)`; negative because muscles pull.
#[doc(alias = "mju_muscleBias")]
#[must_use]
pub fn bias(length: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64; 10]) -> f64 {
    let length = normalized_length(length, lengthrange, prm);
    -peak_force(acc0, prm) * passive_curve(length, prm[5], prm[7])
}

/// Effective time constant at excess excitation `excess = ctrl − act`: that of activation if positive, that
/// of deactivation if negative, blended by a sigmoid over a `width` around zero.
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

/// Activation derivative `(ctrl − act) / τ` (1/s); `prm` holds the time constants of activation and
/// deactivation (s) and the width of the blend between them.
///
/// The dependence of the time constants on the activation follows Millard et al., "Flexing computational
/// muscle: modeling and simulation of musculotendon dynamics", 2013.
#[doc(alias = "mju_muscleDynamics")]
#[must_use]
pub fn activation_rate(ctrl: f64, act: f64, prm: [f64; 3]) -> f64 {
    let excess = clamp::to(ctrl, [0.0, 1.0]) - act;
    let factor = 0.5 + 1.5 * clamp::to(act, [0.0, 1.0]);
    let tau = time_constant(excess, prm[0] * factor, prm[1] / factor, prm[2]);
    excess / tau.max(MINVAL)
}
