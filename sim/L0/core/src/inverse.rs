//! Inverse dynamics (`mj_inverse`): the force that produces a given acceleration.

use crate::acceleration::Inertia;
use crate::forward::{position, position_with_contacts, velocity};
use crate::inertia::{ldl, mj_mul_m};
use crate::integrate::{euler, implicit, implicit_euler};
use crate::profile::{Timer, time};
use crate::sensor::mj_sensor_acc;
use crate::solve::mj_inv_constraint;
use crate::support::accumulate_applied;
use crate::{Data, Model};
use sim_types::{EnableBit, Integrator, SensorStage, StepError, Unsupported};

/// Computes `qfrc_inverse`, the external joint force (applied and actuator forces) that produces
/// `qacc` in the current state.
///
/// With the flag `invdiscrete`, `qacc` is the discrete acceleration: the change of velocity over one
/// step of the model's integrator divided by the timestep.
///
/// # Errors
/// [`StepError::Unsupported`] if the model needs a feature that is not supported, or for the
/// discrete inverse of Runge–Kutta.
pub fn mj_inverse(m: &Model, d: &mut Data) -> Result<(), StepError> {
    mj_inverse_skip(m, d, SensorStage::None, false)
}

/// [`mj_inverse`] that skips the stages up to `skipstage`, whose results must be up to date, and
/// sensors if `skipsensor`.
///
/// # Errors
/// As [`mj_inverse`].
#[doc(alias = "mj_inverseSkip")]
pub fn mj_inverse_skip(
    m: &Model,
    d: &mut Data,
    skipstage: SensorStage,
    skipsensor: bool,
) -> Result<(), StepError> {
    time(m, d, Timer::Inverse, |d| {
        if skipstage == SensorStage::None {
            position(m, d, Inertia::Matrix, !skipsensor);
        }
        if matches!(skipstage, SensorStage::None | SensorStage::Pos) {
            velocity(m, d, !skipsensor);
        }
        if skipsensor { inverse_without_sensors(m, d) } else { inverse_of_acceleration(m, d) }
    })
}

/// [`mj_inverse`] with the contacts in `d` instead of collision detection.
///
/// # Errors
/// As [`mj_inverse`].
#[doc(hidden)]
pub fn inverse_with_contacts(m: &Model, d: &mut Data) -> Result<(), StepError> {
    position_with_contacts(m, d);
    velocity(m, d, true);
    inverse_of_acceleration(m, d)
}

/// Acceleration-dependent part.
fn inverse_of_acceleration(m: &Model, d: &mut Data) -> Result<(), StepError> {
    inverse_with(m, d, |d| {
        d.flg_rnepost = false;
        mj_sensor_acc(m, d);
    })
}

/// Acceleration-dependent part without sensors.
fn inverse_without_sensors(m: &Model, d: &mut Data) -> Result<(), StepError> {
    inverse_with(m, d, |_| {})
}

fn inverse_with(m: &Model, d: &mut Data, sensors: impl FnOnce(&mut Data)) -> Result<(), StepError> {
    let discrete = m.opt.enabled(EnableBit::InvDiscrete);
    if discrete {
        let Data { qacc, scratch, .. } = d;
        scratch.saved.clone_from(qacc);
        continuous_acceleration(m, d)?;
    }
    mj_inv_constraint(m, d)?;
    sensors(d);
    let mut inertial = std::mem::take(&mut d.scratch.qacc);
    mj_mul_m(m, d, &d.qacc, &mut inertial);
    for i in 0..m.nv {
        d.qfrc_inverse[i] = d.qfrc_bias[i] + inertial[i] - d.qfrc_passive[i] - d.qfrc_constraint[i];
    }
    d.scratch.qacc = inertial;
    if discrete {
        let Data { qacc, scratch, .. } = d;
        qacc.copy_from_slice(&scratch.saved);
    }
    Ok(())
}

/// Converts the discrete acceleration `qacc` of the model's integrator to the continuous one.
#[doc(alias = "mj_discreteAcc")]
fn continuous_acceleration(m: &Model, d: &mut Data) -> Result<(), StepError> {
    let mut force = std::mem::take(&mut d.scratch.qacc);
    match m.opt.integrator {
        Integrator::Rk4 => {
            d.scratch.qacc = force;
            return Err(StepError::Unsupported(Unsupported::DiscreteRungeKutta));
        }
        Integrator::Euler => {
            mj_mul_m(m, d, &d.qacc, &mut force);
            if euler::implicit_damping(m) {
                for i in 0..m.nv {
                    force[i] += euler::damping(m, d, i) * d.qacc[i];
                }
            }
        }
        Integrator::Implicit => {
            implicit::load_full(m, d);
            d.scratch.lu.mul(m, &d.qacc, &mut force);
        }
        Integrator::ImplicitFast => {
            implicit::load_symmetric(m, d);
            ldl::mul(m.m_pattern(), &d.qH, &d.qacc, &mut force);
        }
        Integrator::ImplicitEuler => implicit_euler::mul(m, d, &mut force),
    }
    ldl::solve(m.m_pattern(), &d.qLD, &d.qLDiagInv, &mut force);
    d.qacc.copy_from_slice(&force);
    d.scratch.qacc = force;
    Ok(())
}

/// Compares forward and inverse dynamics: norms of the differences of the constraint force and of
/// the applied force. Zero without constraints.
///
/// Reads the results of forward dynamics. Writes `solver_fwdinv`, `qfrc_inverse`.
#[doc(alias = "mj_compareFwdInv")]
pub fn mj_compare_fwd_inv(m: &Model, d: &mut Data) {
    d.solver_fwdinv.fill(0.0);
    if d.nefc == 0 {
        return;
    }
    let mut saved = std::mem::take(&mut d.scratch.saved_forward);
    saved.constraint.clone_from(&d.qfrc_constraint);
    saved.rows.clone_from(&d.efc_force);
    saved.states.clone_from(&d.efc_state);
    saved.applied.resize(m.nv, 0.0);
    for i in 0..m.nv {
        saved.applied[i] = d.qfrc_applied[i] + d.qfrc_actuator[i];
    }
    std::mem::swap(&mut d.qfrc_smooth, &mut saved.applied);
    accumulate_applied(m, d);
    std::mem::swap(&mut d.qfrc_smooth, &mut saved.applied);
    if inverse_without_sensors(m, d).is_ok() {
        let distance = |a: &[f64], b: &[f64]| {
            a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
        };
        d.solver_fwdinv[0] = distance(&saved.constraint, &d.qfrc_constraint);
        d.solver_fwdinv[1] = distance(&saved.applied, &d.qfrc_inverse);
    }
    d.qfrc_constraint.copy_from_slice(&saved.constraint);
    d.efc_force.copy_from_slice(&saved.rows);
    d.efc_state.copy_from_slice(&saved.states);
    d.scratch.saved_forward = saved;
}
