//! The constraint stage (`mj_fwdConstraint`). There is no solver yet: a model that needs one, or
//! another part that is not built, is refused here; any other takes its smooth acceleration.

use crate::math::{at, quat, rows, vec3};
use crate::{Data, Model};
use sim_types::{DisableBit, EnableBit, JointType, SensorType, StepError, Unsupported};

/// Computes the constraint forces and the final acceleration.
///
/// Reads `qacc_smooth`. Writes `qacc`, `qfrc_constraint`.
///
/// # Errors
/// [`StepError::Unsupported`] when a constraint is active that is not built yet.
#[doc(alias = "mj_fwdConstraint")]
pub fn mj_fwd_constraint(m: &Model, d: &mut Data) -> Result<(), StepError> {
    d.qfrc_constraint.fill(0.0);
    d.qacc.copy_from_slice(&d.qacc_smooth);
    match missing_part(m).or_else(|| active_constraint(m, d)) {
        Some(kind) => Err(StepError::Unsupported(kind)),
        None => Ok(()),
    }
}

/// Computes the constraint forces that go with the given acceleration.
///
/// Reads `qacc`. Writes `qfrc_constraint`.
///
/// # Errors
/// [`StepError::Unsupported`] when a constraint is active that is not built yet.
#[doc(alias = "mj_invConstraint")]
pub fn mj_inv_constraint(m: &Model, d: &mut Data) -> Result<(), StepError> {
    d.qfrc_constraint.fill(0.0);
    match missing_part(m).or_else(|| active_constraint(m, d)) {
        Some(kind) => Err(StepError::Unsupported(kind)),
        None => Ok(()),
    }
}

/// A part of the pipeline that the model switches on and that is not built.
fn missing_part(m: &Model) -> Option<Unsupported> {
    if m.opt.enabled(EnableBit::Sleep) {
        Some(Unsupported::Sleep)
    } else if (0..m.nsensor).any(|i| unread(m, i)) {
        Some(Unsupported::Sensor)
    } else {
        None
    }
}

/// Whether sensor `i` is read by a plugin, which there is none of.
fn unread(m: &Model, i: usize) -> bool {
    // past readings are taken even where sensors are switched off
    let wanted = !m.opt.disabled(DisableBit::Sensor) || m.sensor_history[2 * i] > 0;
    wanted && m.sensor_type[i] == SensorType::Plugin
}

/// The first kind of constraint that acts on the model in this state.
fn active_constraint(m: &Model, d: &Data) -> Option<Unsupported> {
    if m.opt.disabled(DisableBit::Constraint) {
        return None;
    }
    if d.contact.iter().any(|contact| contact.exclude == 0) {
        return Some(Unsupported::Contact);
    }
    if !m.opt.disabled(DisableBit::Equality) && d.eq_active.contains(&true) {
        return Some(Unsupported::Equality);
    }
    let mut friction = m.dof_frictionloss.iter().chain(&m.tendon_frictionloss);
    if !m.opt.disabled(DisableBit::FrictionLoss) && friction.any(|&f| f > 0.0) {
        return Some(Unsupported::FrictionLoss);
    }
    if !m.opt.disabled(DisableBit::Limit)
        && ((0..m.njnt).any(|j| limit_active(m, d, j))
            || (0..m.ntendon).any(|i| tendon_limit_active(m, d, i)))
    {
        return Some(Unsupported::Limit);
    }
    None
}

/// Whether tendon `i` is within its margin of a limit.
fn tendon_limit_active(m: &Model, d: &Data, i: usize) -> bool {
    let ([low, high], length) = (rows::<2>(&m.tendon_range)[i], d.ten_length[i]);
    m.tendon_limited[i] && (length - low).min(high - length) < m.tendon_margin[i]
}

/// Whether joint `j` is within its margin of a limit.
fn limit_active(m: &Model, d: &Data, j: usize) -> bool {
    if !m.jnt_limited[j] {
        return false;
    }
    let [low, high] = rows::<2>(&m.jnt_range)[j];
    let q = &d.qpos[at(&m.jnt_qposadr, j)..];
    let distance = match m.jnt_type[j] {
        JointType::Slide | JointType::Hinge => (q[0] - low).min(high - q[0]),
        JointType::Ball => {
            let rotation = quat::to_velocity(quat::normalize([q[0], q[1], q[2], q[3]]), 1.0);
            low.max(high) - vec3::norm(rotation)
        }
        JointType::Free => return false,
    };
    distance < m.jnt_margin[j]
}
