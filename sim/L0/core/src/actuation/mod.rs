//! Actuator forces and activations (`mj_fwdActuation`).

mod clamp;
mod dc_motor;
mod delay;
mod dynamics;
mod gain_bias;
pub mod muscle;
mod slope;

pub use delay::{mj_init_ctrl_history, mj_read_ctrl};
pub(crate) use delay::{record, reset_history};
pub(crate) use dynamics::advance;
pub use dynamics::mj_next_activation;
pub(crate) use slope::{driving_input, saturated, velocity_slope};

use crate::math::first_bad;
use crate::passive::gravcomp;
use crate::sleep::actuator_sleeps;
use crate::{Data, Model};
use sim_types::{DisableBit, EnableBit, Warning};
use std::ops::Range;

/// Computes actuator forces and maps them to the joints, and the rates of activations.
///
/// Reads `ctrl`, `act`, `history`, `actuator_length`, `actuator_velocity`, `actuator_moment`.
/// Writes `act_dot`, `actuator_force`, `qfrc_actuator`.
#[doc(alias = "mj_fwdActuation")]
pub fn mj_fwd_actuation(m: &Model, d: &mut Data) {
    d.actuator_force.fill(0.0);
    d.qfrc_actuator.fill(0.0);
    if m.nu == 0 || m.opt.disabled(DisableBit::Actuation) {
        return;
    }
    read_controls(m, d);
    dynamics::rates(m, d);
    gain_bias::forces(m, d);
    clamp::tendons(m, d);
    clamp::range(&mut d.actuator_force, &m.actuator_forcerange, &m.actuator_forcelimited);
    if !m.plan.plain_drives {
        dc_motor::add_mechanical_forces(m, d);
    }
    to_joints(m, d);
    gravcomp::to_actuators(m, d);
    clamp::joints(m, &mut d.qfrc_actuator);
}

/// Copies the controls, delayed where they arrive late, clamps them, and treats them all as zero
/// if one is not a number.
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

/// Whether the actuator's group is switched off.
#[doc(alias = "mj_actuatorDisabled")]
fn disabled(m: &Model, i: usize) -> bool {
    let group = m.actuator_group[i];
    (0..=30).contains(&group) && m.opt.disableactuator & (1 << group) != 0
}

/// Whether what the actuator drives sleeps: it has no force then, and its activation goes on as before.
#[inline]
fn asleep(m: &Model, d: &Data, i: usize) -> bool {
    m.opt.enabled(EnableBit::Sleep) && actuator_sleeps(m, d, i)
}

/// Where the activations of actuator `i` are in `act`, if it has any.
fn activations(m: &Model, i: usize) -> Option<Range<usize>> {
    let start = usize::try_from(m.actuator_actadr[i]).ok()?;
    let count = usize::try_from(m.actuator_actnum[i]).ok().filter(|&n| n > 0)?;
    Some(start..start + count)
}

/// The activation that drives actuator `i`: its last, or what that is at the end of the step for
/// actuators that act early. `None` for an actuator without activation.
fn driving_activation(m: &Model, d: &Data, i: usize) -> Option<f64> {
    let last = activations(m, i)?.end - 1;
    Some(if m.actuator_actearly[i] {
        mj_next_activation(m, d, i, last, d.act_dot[last])
    } else {
        d.act[last]
    })
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
