//! Time integration: semi-implicit Euler (`mj_Euler`), Runge–Kutta (`mj_RungeKutta`), the integrators
//! implicit in velocity (`mj_implicit`), and backward Euler with stiffness.

mod buffers;
pub(crate) mod euler;
mod flex_cells;
pub(crate) mod implicit;
pub(crate) mod implicit_euler;
mod midpoint;
mod rk4;

pub(crate) use buffers::{CellSystem, Corrections, FreeBodies};

use crate::acceleration::Inertia;
use crate::forward::forward_after_position;
use crate::math::at;
use crate::plugin::stages;
use crate::sleep::{AWAKE, awake_dof_ranges};
use crate::support::{integrate_joints, integrate_pos};
use crate::{Data, Model, actuation, deformable, sensor, sleep};
use euler::euler_skip;
use implicit::implicit_skip;
use implicit_euler::mj_implicit_euler;
pub(crate) use rk4::rk4;
use sim_types::{EnableBit, Integrator, SensorStage, StepError};

/// Advances the state by one step of semi-implicit Euler, with implicit joint damping, whatever
/// integrator the model selects.
///
/// Reads the results of [`crate::mj_forward`] at the current state. Writes `qpos`, `qvel`, `act`,
/// `time`, `qacc_warmstart`, and `qH` if a dof has damping.
///
/// ```
/// use sim_core::{Data, Model, mj_euler, mj_forward, mj_step};
/// # fn check(m: &Model) -> Result<(), sim_core::types::StepError> {
/// let (mut a, mut b) = (m.make_data(), m.make_data());
/// mj_step(m, &mut a)?;
/// mj_forward(m, &mut b)?;
/// mj_euler(m, &mut b);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "mj_Euler")]
pub fn mj_euler(m: &Model, d: &mut Data) {
    with_deformables(m, d, |d| euler_skip(m, d, Inertia::Matrix, false));
}

/// Advances the state by one step that is implicit in velocity, with the derivatives of the model's
/// integrator: `implicit` or `implicitfast`. `implicit_skip` in `integrate/implicit.rs` has the
/// algorithm.
///
/// Reads the results of [`crate::mj_forward`] at the current state. Writes `qpos`, `qvel`, `act`,
/// `time`, `qacc_warmstart`, `qDeriv`, and `qLU` or `qH`.
///
/// # Errors
/// [`StepError::NotImplicit`] if the model's integrator is another; the state is unchanged.
pub fn mj_implicit(m: &Model, d: &mut Data) -> Result<(), StepError> {
    if !matches!(m.opt.integrator, Integrator::Implicit | Integrator::ImplicitFast) {
        return Err(StepError::NotImplicit { integrator: m.opt.integrator });
    }
    with_deformables(m, d, |d| implicit_skip(m, d, false));
    Ok(())
}

/// Advances the state by one step of the Runge–Kutta method of order `n`, which must be 4, whatever
/// integrator the model selects. Models with deformable bodies use Euler, as in [`crate::mj_step`].
///
/// Reads the results of [`crate::mj_forward`] at the current state. Writes `qpos`, `qvel`, `act`,
/// `time`, `qacc_warmstart`; other fields are those of the last stage.
///
/// # Errors
/// [`StepError::RungeKuttaOrder`] if `n` is not 4; the state is unchanged then.
#[doc(alias = "mj_RungeKutta")]
pub fn mj_runge_kutta(m: &Model, d: &mut Data, n: usize) -> Result<(), StepError> {
    if n != 4 {
        return Err(StepError::RungeKuttaOrder { order: n });
    }
    if d.deformables.is_some() {
        mj_euler(m, d);
        return Ok(());
    }
    rk4(m, d);
    Ok(())
}

/// One step of the model's single-stage integrator from the current `qacc`; Euler if the model
/// selects Runge–Kutta. `same` is the stage up to which inputs are unchanged since the last step: a
/// factored matrix is reused from [`SensorStage::Pos`] on by Euler and from [`SensorStage::Vel`] on
/// by the implicit integrators.
pub(crate) fn integrate_step(m: &Model, d: &mut Data, inertia: Inertia, same: SensorStage) {
    with_deformables(m, d, |d| integrate(m, d, inertia, same));
}

/// Runs an integrator with the contact forces of deformable bodies taken out of the smooth forces.
fn with_deformables(m: &Model, d: &mut Data, integrate: impl FnOnce(&mut Data)) {
    if d.deformables.is_some() {
        deformable::remove_predicted_forces(m, d);
        integrate(d);
        deformable::restore_solution(d);
    } else {
        integrate(d);
    }
}

fn integrate(m: &Model, d: &mut Data, inertia: Inertia, same: SensorStage) {
    match m.opt.integrator {
        Integrator::Euler | Integrator::Rk4 => {
            euler_skip(m, d, inertia, same != SensorStage::None);
        }
        Integrator::Implicit | Integrator::ImplicitFast => {
            implicit_skip(m, d, same == SensorStage::Vel);
        }
        Integrator::ImplicitEuler => mj_implicit_euler(m, d),
    }
}

/// Records histories of controls and sensors, then advances activation with `act_dot`, velocity with
/// `qacc`, position with `qvel` (the new velocity if `None`), time, and the state of plugins.
#[doc(alias = "mj_advance")]
fn advance(m: &Model, d: &mut Data, qacc: &[f64], qvel: Option<&[f64]>) {
    if m.nhistory > 0 {
        actuation::record(m, d);
        sensor::record(m, d);
    }
    actuation::advance(m, d);
    if m.opt.enabled(EnableBit::Sleep) {
        return advance_awake(m, d, qacc, qvel);
    }
    let h = m.opt.timestep;
    for (v, a) in d.qvel.iter_mut().zip(qacc) {
        *v += h * a;
    }
    if d.deformables.is_some() {
        deformable::step(m, d, qacc, qvel);
    }
    let Data { qpos, qvel: new, deformables, .. } = d;
    let qvel = deformables.as_ref().and_then(|data| data.position_velocity()).or(qvel);
    integrate_pos(m, qpos, qvel.unwrap_or(new), h);
    d.time += h;
    stages::advance(m, d);
    d.qacc_warmstart.copy_from_slice(&d.qacc);
}

/// [`advance`] with sleeping enabled: trees at rest fall asleep, and only awake trees advance.
fn advance_awake(m: &Model, d: &mut Data, qacc: &[f64], qvel: Option<&[f64]>) {
    // sleeping is disabled with deformable bodies
    if d.deformables.is_none() && sleep::mj_sleep(m, d) > 0 {
        // recompute velocity-dependent quantities of the trees whose velocity became zero
        forward_after_position(m, d);
        sleep::mj_update_sleep(m, d);
    }
    let h = m.opt.timestep;
    for dofs in awake_dof_ranges(m, &d.tree_awake) {
        for i in dofs {
            d.qvel[i] += h * qacc[i];
        }
    }
    if d.deformables.is_some() {
        deformable::step(m, d, qacc, qvel);
    }
    let Data { qpos, qvel: new, body_awake, deformables, .. } = d;
    let qvel = deformables.as_ref().and_then(|data| data.position_velocity()).or(qvel);
    let awake = |j: usize| body_awake[at(&m.jnt_bodyid, j)] == AWAKE;
    integrate_joints(m, qpos, qvel.unwrap_or(new), h, (0..m.njnt).filter(|&j| awake(j)));
    d.time += h;
    stages::advance(m, d);
    d.qacc_warmstart.copy_from_slice(&d.qacc);
}
