//! The forward pipeline as a list of stages: `mj_step`, `mj_forward`, `mj_fwdPosition`, `mj_fwdVelocity`.

use crate::acceleration::{Inertia, fwd_acceleration};
use crate::actuation::mj_fwd_actuation;
use crate::check::{check_inertia, inertia_warnings, mj_check_acc, mj_check_pos, mj_check_vel};
use crate::collision::{ContactSource, collide_and_wake};
use crate::constraint::{mj_make_constraint, mj_reference_constraint};
use crate::energy::{energy_pos_stage, energy_vel_stage};
use crate::flex::{self, mj_flex};
use crate::inertia::{articulated, mj_factor_m, mj_make_m};
use crate::integrate::{integrate_step, rk4};
use crate::inverse::mj_compare_fwd_inv;
use crate::island::mj_island;
use crate::kinematics::{mj_camlight, mj_com_pos, mj_kinematics};
use crate::passive::mj_passive;
use crate::profile::{Timer, time};
use crate::sensor::{mj_sensor_acc, mj_sensor_pos, mj_sensor_vel};
use crate::solve::fwd_constraint;
use crate::supported::check_supported;
use crate::tendon::mj_tendon;
use crate::transmission::{actuator_velocity, mj_transmission};
use crate::velocity::mj_com_vel;
use crate::{Data, Model, deformable, rne, sleep, tendon};
use sim_types::{DisableBit, EnableBit, Integrator, SensorStage, StepError};

/// Advances the simulation by one time step.
///
/// Deep kinematic trees (chains of more than about twenty dofs) without constraints are solved by the
/// articulated-body algorithm in linear time: `M`, `qM`, `crb`, `qLD` and `qLDiagInv` then read NaN until
/// the next [`mj_forward`].
///
/// # Errors
/// [`StepError::Unsupported`] if the model uses a feature that is not implemented; the state is unchanged
/// then. With `autoreset` disabled, [`StepError::Diverged`] if the state is not finite and
/// [`StepError::SingularMassMatrix`] if the inertia matrix is singular.
pub fn mj_step(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_supported(m)?;
    time(m, d, Timer::Step, |d| {
        mj_check_pos(m, d)?;
        mj_check_vel(m, d)?;
        let singular = inertia_warnings(d);
        forward(m, d, SensorStage::None, Inertia::for_integrator(m), true);
        check_inertia(m, d, singular)?;
        mj_check_acc(m, d)?;
        compare_stage(m, d);
        // deformable bodies are integrated once per step
        if m.opt.integrator == Integrator::Rk4 && d.deformables.is_none() {
            rk4(m, d);
        } else {
            integrate_step(m, d, Inertia::for_integrator(m), SensorStage::None);
        }
        deformable::check(m, d)
    })
}

/// First half of a step: everything that does not depend on controls.
///
/// # Errors
/// [`StepError::Diverged`] as in [`mj_step`].
pub fn mj_step1(m: &Model, d: &mut Data) -> Result<(), StepError> {
    mj_check_pos(m, d)?;
    mj_check_vel(m, d)?;
    position(m, d, Inertia::Matrix, true);
    velocity(m, d, true);
    if let Some(control) = &m.hooks.cb_control {
        (**control)(m, d);
    }
    Ok(())
}

/// Second half of a step: from controls to the new state. Runge–Kutta is replaced by Euler here.
///
/// # Errors
/// As [`mj_step`].
pub fn mj_step2(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_supported(m)?;
    acceleration(m, d, Inertia::Matrix, true);
    mj_check_acc(m, d)?;
    compare_stage(m, d);
    integrate_step(m, d, Inertia::Matrix, SensorStage::None);
    deformable::check(m, d)
}

/// Forward dynamics: computes everything that a step computes, without advancing time.
///
/// # Errors
/// [`StepError::Unsupported`] if the model uses a feature that is not implemented; all other results are
/// valid then.
pub fn mj_forward(m: &Model, d: &mut Data) -> Result<(), StepError> {
    forward(m, d, SensorStage::None, Inertia::Matrix, true);
    check_supported(m)
}

/// Forward dynamics without the stages up to `skipstage`, whose results must be up to date, and without
/// sensors if `skipsensor`.
///
/// # Errors
/// As [`mj_forward`].
#[doc(alias = "mj_forwardSkip")]
pub fn mj_forward_skip(
    m: &Model,
    d: &mut Data,
    skipstage: SensorStage,
    skipsensor: bool,
) -> Result<(), StepError> {
    forward(m, d, skipstage, Inertia::Matrix, !skipsensor);
    check_supported(m)
}

/// Forward dynamics with the contacts in `d.contact` instead of collision detection, so that the later
/// stages can be tested in isolation.
///
/// # Errors
/// As [`mj_forward`].
#[doc(hidden)]
pub fn forward_with_contacts(m: &Model, d: &mut Data) -> Result<(), StepError> {
    position_with_contacts(m, d);
    velocity(m, d, true);
    acceleration(m, d, Inertia::Matrix, true);
    check_supported(m)
}

/// The forward pipeline without the stages up to `skipstage`.
pub(crate) fn forward(
    m: &Model,
    d: &mut Data,
    skipstage: SensorStage,
    inertia: Inertia,
    sensors: bool,
) {
    time(m, d, Timer::Forward, |d| {
        if skipstage == SensorStage::None {
            position(m, d, inertia, sensors);
        }
        if matches!(skipstage, SensorStage::None | SensorStage::Pos) {
            velocity(m, d, sensors);
        }
        control_callback(m, d);
        acceleration(m, d, inertia, sensors);
    });
}

/// The stages from velocities on, after trees fell asleep during a step.
pub(crate) fn forward_after_position(m: &Model, d: &mut Data) {
    velocity(m, d, true);
    control_callback(m, d);
    acceleration(m, d, Inertia::Matrix, true);
}

/// Position-dependent stages, with sensors and energy.
pub(crate) fn position(m: &Model, d: &mut Data, inertia: Inertia, sensors: bool) {
    time(m, d, Timer::Position, |d| fwd_position(m, d, inertia, ContactSource::Detect));
    if sensors {
        mj_sensor_pos(m, d);
    }
    energy_pos_stage(m, d);
}

/// Position-dependent stages with the contacts in `d.contact`.
pub(crate) fn position_with_contacts(m: &Model, d: &mut Data) {
    fwd_position(m, d, Inertia::Matrix, ContactSource::Given);
    mj_sensor_pos(m, d);
    energy_pos_stage(m, d);
}

/// Velocity-dependent stages, with sensors and energy.
pub(crate) fn velocity(m: &Model, d: &mut Data, sensors: bool) {
    time(m, d, Timer::Velocity, |d| mj_fwd_velocity(m, d));
    if sensors {
        mj_sensor_vel(m, d);
    }
    energy_vel_stage(m, d);
}

/// Acceleration-dependent stages, with sensors.
fn acceleration(m: &Model, d: &mut Data, inertia: Inertia, sensors: bool) {
    time(m, d, Timer::Actuation, |d| mj_fwd_actuation(m, d));
    fwd_acceleration(m, d, inertia);
    time(m, d, Timer::Constraint, |d| fwd_constraint(m, d));
    if sensors {
        d.flg_rnepost = false;
        mj_sensor_acc(m, d);
    }
}

/// The control callback, if actuation is enabled.
fn control_callback(m: &Model, d: &mut Data) {
    if let Some(control) = &m.hooks.cb_control
        && !m.opt.disabled(DisableBit::Actuation)
    {
        (**control)(m, d);
    }
}

/// The comparison of forward and inverse dynamics, if it is enabled.
fn compare_stage(m: &Model, d: &mut Data) {
    if m.opt.enabled(EnableBit::FwdInv) {
        mj_compare_fwd_inv(m, d);
    }
}

/// Computes everything that depends on positions only.
#[doc(alias = "mj_fwdPosition")]
pub fn mj_fwd_position(m: &Model, d: &mut Data) {
    fwd_position(m, d, Inertia::Matrix, ContactSource::Detect);
}

fn fwd_position(m: &Model, d: &mut Data, inertia: Inertia, contacts: ContactSource) {
    d.flg_energypos = false;
    time(m, d, Timer::PosKinematics, |d| {
        mj_kinematics(m, d);
        mj_com_pos(m, d);
        mj_camlight(m, d);
    });
    if m.nflex > 0 {
        mj_flex(m, d);
    }
    mj_tendon(m, d);
    sleep::mj_wake_tendon(m, d);
    // trees that wake up below keep the inertia with which they fell asleep
    let inertia_first = m.opt.enabled(EnableBit::Sleep);
    if inertia_first {
        make_inertia(m, d);
    }
    collide_and_wake(m, d, contacts);
    sleep::mj_wake_equality(m, d);
    time(m, d, Timer::PosMake, |d| mj_make_constraint(m, d));
    if inertia.articulated(m, d) {
        articulated::invalidate_matrix(d);
    } else if !inertia_first {
        make_inertia(m, d);
    }
    mj_island(m, d);
    mj_transmission(m, d);
}

/// Builds and factors the inertia matrix.
fn make_inertia(m: &Model, d: &mut Data) {
    time(m, d, Timer::PosInertia, |d| {
        mj_make_m(m, d);
        mj_factor_m(m, d);
    });
}

/// Computes everything that depends on positions and velocities only.
#[doc(alias = "mj_fwdVelocity")]
pub fn mj_fwd_velocity(m: &Model, d: &mut Data) {
    d.flg_subtreevel = false;
    d.flg_energyvel = false;
    flex::velocity(m, d);
    tendon::velocity(m, d);
    actuator_velocity(m, d);
    mj_com_vel(m, d);
    mj_passive(m, d);
    mj_reference_constraint(m, d);
    rne::bias(m, d);
    if m.plan.tendon_armature {
        tendon::add_bias(m, d);
    }
}

impl Data {
    /// Advances this state by one time step of `model`; the same as [`mj_step`].
    ///
    /// # Errors
    /// As [`mj_step`].
    pub fn step(&mut self, model: &Model) -> Result<(), StepError> {
        mj_step(model, self)
    }

    /// Computes all quantities at the current state; the same as [`mj_forward`].
    ///
    /// # Errors
    /// As [`mj_forward`].
    pub fn forward(&mut self, model: &Model) -> Result<(), StepError> {
        mj_forward(model, self)
    }
}
