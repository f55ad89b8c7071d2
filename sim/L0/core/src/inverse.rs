//! Inverse dynamics: the force that a given acceleration takes (`mj_inverse`).

use crate::forward::{Inertia, position, velocity};
use crate::inertia::{ldl, mj_mul_m};
use crate::integrate::{euler, implicit, implicit_euler};
use crate::profile::{Timer, time};
use crate::sensor::mj_sensor_acc;
use crate::solve::mj_inv_constraint;
use crate::{Data, Model};
use sim_types::{EnableBit, Integrator, StepError, Unsupported};

/// Computes `qfrc_inverse`, the joint force needed from outside (actuators and applied forces) to
/// produce `qacc` in the present state.
///
/// With the flag `invdiscrete`, `qacc` is the change of velocity over one step divided by the
/// step, as the model's integrator makes it.
///
/// # Errors
/// [`StepError::Unsupported`] when the model needs constraints that are not built yet, or the
/// discrete inverse of Runge–Kutta.
pub fn mj_inverse(m: &Model, d: &mut Data) -> Result<(), StepError> {
    time(m, d, Timer::Inverse, |d| {
        position(m, d, Inertia::Matrix, true);
        velocity(m, d, true);
        inverse_of_acceleration(m, d)
    })
}

/// The part that depends on acceleration.
fn inverse_of_acceleration(m: &Model, d: &mut Data) -> Result<(), StepError> {
    let discrete = m.opt.enabled(EnableBit::InvDiscrete);
    if discrete {
        let Data { qacc, scratch, .. } = d;
        scratch.saved.clone_from(qacc);
        continuous_acceleration(m, d)?;
    }
    mj_inv_constraint(m, d)?;

    d.flg_rnepost = false;
    mj_sensor_acc(m, d);
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

/// Turns the acceleration over a step of the model's integrator into the one at its start.
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

/// Compares forward with inverse dynamics, into `solver_fwdinv`. Without constraints there is
/// nothing to compare.
#[doc(alias = "mj_compareFwdInv")]
pub fn mj_compare_fwd_inv(_m: &Model, d: &mut Data) {
    d.solver_fwdinv.fill(0.0);
}
