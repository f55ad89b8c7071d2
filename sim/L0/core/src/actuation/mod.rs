//! Actuator forces and activation dynamics (`mj_fwdActuation`).
//!
//! `force = gain(length, velocity) · input + bias(length, velocity)` for each actuator, with the control or
//! the activation as input, and `qfrc_actuator = momentᵀ force`.

mod buffers;
mod clamp;
mod dc_motor;
mod delay;
mod dof_terms;
mod dynamics;
mod gain_bias;
pub mod muscle;
mod velocity_derivative;

pub use buffers::ActuatorDofTerms;
pub use delay::{mj_init_ctrl_history, mj_read_ctrl};
pub(crate) use delay::{record, reset_history};
pub(crate) use dof_terms::{dof_damping, tendon_damping};
pub(crate) use dynamics::advance;
pub use dynamics::mj_next_activation;
pub(crate) use velocity_derivative::{force_vel_derivative, gain_input, saturated};

use crate::math::first_bad;
use crate::passive::gravcomp;
use crate::plugin::stages;
use crate::sleep::actuator_asleep;
use crate::{Data, Model};
use sim_types::{DisableBit, EnableBit, Warning};
use std::ops::Range;

/// Computes activation derivatives, actuator forces and the generalized force of all actuators.
///
/// Reads `ctrl`, `act`, `history`, `actuator_length`, `actuator_velocity`, `moment_rownnz`,
/// `moment_rowadr`, `moment_colind`, `actuator_moment`, `qfrc_gravcomp`. Writes `act_dot`,
/// `actuator_force`, `qfrc_actuator`.
#[doc(alias = "mj_fwdActuation")]
pub fn mj_fwd_actuation(m: &Model, d: &mut Data) {
    d.actuator_force.fill(0.0);
    d.qfrc_actuator.fill(0.0);
    if m.nu == 0 || m.opt.disabled(DisableBit::Actuation) {
        return;
    }
    read_controls(m, d);
    dynamics::rates(m, d);
    stages::act_dot(m, d);
    gain_bias::forces(m, d);
    stages::actuators(m, d);
    clamp::tendons(m, d);
    clamp::range(&mut d.actuator_force, &m.actuator_forcerange, &m.actuator_forcelimited);
    if !m.plan.affine_actuators {
        dc_motor::add_mechanical_forces(m, d);
    }
    generalized_force(m, d);
    gravcomp::add_to_actuators(m, d);
    clamp::joints(m, &mut d.qfrc_actuator);
}

/// Writes the delayed and clamped controls to `scratch.ctrl`; all are set to zero if one of them is NaN or
/// too large.
fn read_controls(m: &Model, d: &mut Data) {
    d.scratch.ctrl.copy_from_slice(&d.ctrl);
    if m.nhistory > 0 {
        for i in 0..m.nu {
            if m.actuator_delay[i] != 0.0 {
                d.scratch.ctrl[i] = mj_read_ctrl(m, d, i, d.time, None);
            }
        }
    }
    if !m.opt.disabled(DisableBit::ClampCtrl) {
        clamp::range(&mut d.scratch.ctrl, &m.actuator_ctrlrange, &m.actuator_ctrllimited);
    }
    if let Some(bad) = first_bad(&d.scratch.ctrl) {
        d.warn(Warning::BadCtrl, bad);
        d.scratch.ctrl.fill(0.0);
    }
}

/// Whether the actuator's group is in `opt.disableactuator`.
///
/// # Panics
///
/// If `i` is out of range.
#[doc(alias = "mj_actuatorDisabled")]
#[must_use]
pub fn mj_actuator_disabled(m: &Model, i: usize) -> bool {
    let group = m.actuator_group[i];
    (0..=30).contains(&group) && m.opt.disableactuator & (1 << group) != 0
}

/// Whether the target of the actuator is asleep: its force is then zero and its `act_dot` is kept.
#[inline]
fn asleep(m: &Model, d: &Data, i: usize) -> bool {
    m.opt.enabled(EnableBit::Sleep) && actuator_asleep(m, d, i)
}

/// Range of the activations of actuator `i` in `act`; `None` if it is stateless.
fn activations(m: &Model, i: usize) -> Option<Range<usize>> {
    let start = usize::try_from(m.actuator_actadr[i]).ok()?;
    let count = usize::try_from(m.actuator_actnum[i]).ok().filter(|&n| n > 0)?;
    Some(start..start + count)
}

/// Activation used as the input of the gain of actuator `i`: its last one, taken at the end of the step with
/// `actuator_actearly`. `None` for a stateless actuator.
fn input_activation(m: &Model, d: &Data, i: usize) -> Option<f64> {
    let last = activations(m, i)?.end - 1;
    Some(if m.actuator_actearly[i] {
        mj_next_activation(m, d, i, last, d.act_dot[last])
    } else {
        d.act[last]
    })
}

/// `qfrc_actuator += momentᵀ force`.
fn generalized_force(m: &Model, d: &mut Data) {
    let Data { moment_rownnz, moment_rowadr, moment_colind, actuator_moment, .. } = d;
    let Data { actuator_force, qfrc_actuator, .. } = d;
    for i in 0..m.nu {
        let start = moment_rowadr[i] as usize;
        let end = start + moment_rownnz[i] as usize;
        let force = actuator_force[i];
        for (moment, &dof) in actuator_moment[start..end].iter().zip(&moment_colind[start..end]) {
            qfrc_actuator[dof as usize] += moment * force;
        }
    }
}
