//! Actuator forces (`mj_fwdActuation`).

mod clamp;
mod gain_bias;

use crate::math::first_bad;
use crate::passive::gravcomp;
use crate::{Data, Model};
use sim_types::{DisableBit, Warning};

/// Computes actuator forces and maps them to the joints.
///
/// Reads `ctrl`, `actuator_length`, `actuator_velocity`, `actuator_moment`. Writes
/// `actuator_force`, `qfrc_actuator`.
#[doc(alias = "mj_fwdActuation")]
pub fn mj_fwd_actuation(m: &Model, d: &mut Data) {
    d.actuator_force.fill(0.0);
    d.qfrc_actuator.fill(0.0);
    if m.nu == 0 || m.opt.disabled(DisableBit::Actuation) {
        return;
    }
    read_controls(m, d);
    gain_bias::forces(m, d);
    clamp::tendons(m, d);
    clamp::range(&mut d.actuator_force, &m.actuator_forcerange, &m.actuator_forcelimited);
    to_joints(m, d);
    gravcomp::to_actuators(m, d);
    clamp::joints(m, &mut d.qfrc_actuator);
}

/// Derivative of the force of actuator `i` with respect to its velocity.
pub(crate) fn velocity_slope(m: &Model, d: &Data, i: usize) -> f64 {
    if saturated(m, d, i) {
        return 0.0;
    }
    let mut slope = 0.0;
    if m.actuator_biastype[i] == sim_types::BiasType::Affine {
        slope += m.actuator_biasprm[10 * i + 2];
    }
    if m.actuator_gaintype[i] == sim_types::GainType::Affine {
        slope += m.actuator_gainprm[10 * i + 2] * d.ctrl[i];
    }
    slope
}

/// Whether actuator `i` is switched off, or its force is at a bound.
pub(crate) fn saturated(m: &Model, d: &Data, i: usize) -> bool {
    let [low, high] = crate::math::rows::<2>(&m.actuator_forcerange)[i];
    let force = d.actuator_force[i];
    gain_bias::disabled(m, i) || m.actuator_forcelimited[i] && (force <= low || force >= high)
}

/// Copies the controls, clamps them, and treats them all as zero if one is not a number.
fn read_controls(m: &Model, d: &mut Data) {
    d.scratch.ctrl.copy_from_slice(&d.ctrl);
    if !m.opt.disabled(DisableBit::ClampCtrl) {
        clamp::range(&mut d.scratch.ctrl, &m.actuator_ctrlrange, &m.actuator_ctrllimited);
    }
    if let Some(bad) = first_bad(&d.scratch.ctrl) {
        d.warn(Warning::BadCtrl, bad);
        d.scratch.ctrl.fill(0.0);
    }
}

/// `qfrc_actuator = momentᵀ force`.
fn to_joints(m: &Model, d: &mut Data) {
    for i in 0..m.nu {
        let start = d.moment_rowadr[i] as usize;
        let end = start + d.moment_rownnz[i] as usize;
        let force = d.actuator_force[i];
        for (moment, &dof) in d.actuator_moment[start..end].iter().zip(&d.moment_colind[start..end])
        {
            d.qfrc_actuator[dof as usize] += moment * force;
        }
    }
}
