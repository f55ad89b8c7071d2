//! Advancing the state in time: Euler (`mj_Euler`), Runge–Kutta (`mj_RungeKutta`), the integrators
//! that are implicit in velocity (`mj_implicit`), and backward Euler with stiffness.

pub(crate) mod euler;
pub(crate) mod implicit;
pub(crate) mod implicit_euler;
mod midpoint;
mod rk4;

pub(crate) use implicit::FreeBodies;
pub(crate) use implicit_euler::Corrections;
pub(crate) use rk4::mj_runge_kutta;

use crate::acceleration::Inertia;
use crate::forward::forward_after_position;
use crate::math::at;
use crate::sleep::{AWAKE, awake_dof_runs};
use crate::support::{integrate_joints, integrate_pos};
use crate::{Data, Model, actuation, deformable, sensor, sleep};
use euler::mj_euler;
use implicit::mj_implicit;
use implicit_euler::mj_implicit_euler;
use sim_types::{EnableBit, Integrator, SensorStage};

/// One step of the model's integrator from the dynamics that are known, or of Euler where that
/// evaluates them at other states. The matrix of an implicit step is kept where `same`, the stages that
/// gave what they gave last time, says so: from positions on for Euler, from velocities on for the
/// others.
pub(crate) fn one_stage(m: &Model, d: &mut Data, inertia: Inertia, same: SensorStage) {
    if d.deformables.is_some() {
        deformable::remove_predicted_forces(m, d);
        integrate(m, d, inertia, same);
        deformable::restore_solution(d);
    } else {
        integrate(m, d, inertia, same);
    }
}

fn integrate(m: &Model, d: &mut Data, inertia: Inertia, same: SensorStage) {
    match m.opt.integrator {
        Integrator::Euler | Integrator::Rk4 => {
            mj_euler(m, d, inertia, same != SensorStage::None);
        }
        Integrator::Implicit | Integrator::ImplicitFast => {
            mj_implicit(m, d, same == SensorStage::Vel);
        }
        Integrator::ImplicitEuler => mj_implicit_euler(m, d),
    }
}

/// Adds controls and readings to the past, advances activation with `act_dot`, velocity with
/// `qacc`, position with `qvel` (the new velocity if `None`), and time.
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
    d.qacc_warmstart.copy_from_slice(&d.qacc);
}

/// The rest of [`advance`] in a model that sleeps: trees that are at rest fall asleep, the others move.
fn advance_awake(m: &Model, d: &mut Data, qacc: &[f64], qvel: Option<&[f64]>) {
    // what touches deformable bodies stays awake
    if d.deformables.is_none() && sleep::fall_asleep(m, d) > 0 {
        // what they leave behind is that of bodies without velocity
        forward_after_position(m, d);
        sleep::update(m, d);
    }
    let h = m.opt.timestep;
    for dofs in awake_dof_runs(m, &d.tree_awake) {
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
    d.qacc_warmstart.copy_from_slice(&d.qacc);
}
