//! Divergence checks: NaN or very large values in position, velocity and acceleration (`mj_checkPos`,
//! `mj_checkVel`, `mj_checkAcc`).

use crate::acceleration::Inertia;
use crate::forward::forward;
use crate::math::first_bad;
use crate::{Data, Model};
use sim_types::{DisableBit, SensorStage, StepError, Warning};

impl Data {
    /// Counts a warning and stores the index that caused it.
    pub(crate) fn warn(&mut self, warning: Warning, index: usize) {
        let stat = &mut self.warning[warning as usize];
        stat.number += 1;
        stat.lastinfo = index;
    }
}

/// Number of singular inertia matrices so far.
pub(crate) fn inertia_warnings(d: &Data) -> usize {
    d.warning[Warning::Inertia as usize].number
}

/// Checks that the inertia matrix was not singular since [`inertia_warnings`] returned `before`.
///
/// MuJoCo replaces the pivot, raises a warning and continues; so does this if `autoreset` is
/// enabled.
///
/// # Errors
/// [`StepError::SingularMassMatrix`] if it was and `autoreset` is disabled.
pub(crate) fn check_inertia(m: &Model, d: &Data, before: usize) -> Result<(), StepError> {
    if m.opt.disabled(DisableBit::AutoReset) && inertia_warnings(d) > before {
        let dof = d.warning[Warning::Inertia as usize].lastinfo;
        return Err(StepError::SingularMassMatrix { dof, time: d.time });
    }
    Ok(())
}

/// Resets the data if a position diverged.
///
/// # Errors
/// [`StepError::Diverged`] if it did and `autoreset` is disabled.
#[doc(alias = "mj_checkPos")]
pub fn mj_check_pos(m: &Model, d: &mut Data) -> Result<(), StepError> {
    let bad = first_bad(&d.qpos);
    handle(m, d, Warning::BadQpos, bad).map(drop)
}

/// Resets the data if a velocity diverged.
///
/// # Errors
/// [`StepError::Diverged`] if it did and `autoreset` is disabled.
#[doc(alias = "mj_checkVel")]
pub fn mj_check_vel(m: &Model, d: &mut Data) -> Result<(), StepError> {
    let bad = first_bad(&d.qvel);
    handle(m, d, Warning::BadQvel, bad).map(drop)
}

/// Resets the data and recomputes the dynamics if an acceleration diverged.
///
/// # Errors
/// [`StepError::Diverged`] if it did and `autoreset` is disabled.
#[doc(alias = "mj_checkAcc")]
pub fn mj_check_acc(m: &Model, d: &mut Data) -> Result<(), StepError> {
    let bad = first_bad(&d.qacc);
    if handle(m, d, Warning::BadQacc, bad)? {
        forward(m, d, SensorStage::None, Inertia::Matrix, true);
    }
    Ok(())
}

/// Counts the warning and resets the data except for the counts; returns whether it did.
fn handle(
    m: &Model,
    d: &mut Data,
    warning: Warning,
    bad: Option<usize>,
) -> Result<bool, StepError> {
    let Some(index) = bad else { return Ok(false) };
    d.warn(warning, index);
    if m.opt.disabled(DisableBit::AutoReset) {
        return Err(StepError::Diverged { warning, index, time: d.time });
    }
    let counts = d.warning;
    d.reset(m);
    d.warning = counts;
    Ok(true)
}
