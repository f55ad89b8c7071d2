//! The pipeline's table of contents: forward dynamics and steps (`mj_forward`, `mj_step`).

use crate::actuation::mj_fwd_actuation;
use crate::check::{mj_check_acc, mj_check_pos, mj_check_vel};
use crate::collision::mj_collision;
use crate::constraint::{mj_make_constraint, mj_reference_constraint};
use crate::energy::{energy_pos_stage, energy_vel_stage};
use crate::inertia::{articulated, ldl, mj_factor_m, mj_make_m, solve_awake};
use crate::integrate::{mj_runge_kutta, one_stage};
use crate::inverse::mj_compare_fwd_inv;
use crate::island::mj_island;
use crate::kinematics::{mj_camlight, mj_com_pos, mj_kinematics};
use crate::passive::mj_passive;
use crate::profile::{Timer, time};
use crate::sensor::{mj_sensor_acc, mj_sensor_pos, mj_sensor_vel};
use crate::sleep::Who;
use crate::solve::mj_fwd_constraint;
use crate::support::accumulate_applied;
use crate::tendon::mj_tendon;
use crate::transmission::mj_transmission;
use crate::velocity::mj_com_vel;
use crate::{Data, Model, rne, sleep, soft, tendon};
use sim_types::{DisableBit, EnableBit, Integrator, SensorStage, StepError};

/// How the inertia matrix enters a forward pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inertia {
    /// Build and factor `M`: every field of `Data` is computed.
    Matrix,
    /// Use whatever is fastest for this model: deep trees leave `M` and its factor as they were.
    Fastest,
}

impl Inertia {
    /// What a step with the model's integrator needs: an implicit one works on `M`.
    fn of(m: &Model) -> Self {
        match m.opt.integrator {
            Integrator::Euler | Integrator::Rk4 => Self::Fastest,
            Integrator::Implicit | Integrator::ImplicitFast | Integrator::ImplicitEuler => {
                Self::Matrix
            }
        }
    }

    /// Whether this pass solves by articulated bodies: constraints need the matrix.
    pub(crate) fn articulated(self, m: &Model, d: &Data) -> bool {
        // sleeping trees keep their part of the matrix for when they wake
        self == Self::Fastest
            && m.plan.articulated
            && d.nefc == 0
            && d.soft.is_none()
            && !m.opt.enabled(EnableBit::Sleep)
    }
}

/// Advances the simulation by one time step.
///
/// A deep tree (a chain of more than about twenty dofs) is solved without its inertia matrix, in
/// time linear in its length: `M`, `qM`, `crb`, `qLD` and `qLDiagInv` then read NaN until the next
/// [`mj_forward`].
///
/// # Errors
/// [`StepError::Unsupported`] when the model needs something not built yet;
/// [`StepError::Diverged`] when the state is not finite and `autoreset` is disabled.
pub fn mj_step(m: &Model, d: &mut Data) -> Result<(), StepError> {
    time(m, d, Timer::Step, |d| {
        mj_check_pos(m, d)?;
        mj_check_vel(m, d)?;
        forward(m, d, Inertia::of(m), true)?;
        mj_check_acc(m, d)?;
        if m.opt.enabled(EnableBit::FwdInv) {
            mj_compare_fwd_inv(m, d);
        }
        // deformable bodies move once a step
        if m.opt.integrator == Integrator::Rk4 && d.soft.is_none() {
            mj_runge_kutta(m, d)?;
        } else {
            one_stage(m, d, Inertia::of(m), SensorStage::None);
        }
        soft::check(m, d)
    })
}

/// First half of a step: everything before controls are needed.
///
/// # Errors
/// As [`mj_step`].
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

/// Second half of a step: from controls to the new state. Runge–Kutta falls back to Euler here.
///
/// # Errors
/// As [`mj_step`].
pub fn mj_step2(m: &Model, d: &mut Data) -> Result<(), StepError> {
    acceleration(m, d, Inertia::Matrix, true)?;
    mj_check_acc(m, d)?;
    if m.opt.enabled(EnableBit::FwdInv) {
        mj_compare_fwd_inv(m, d);
    }
    one_stage(m, d, Inertia::Matrix, SensorStage::None);
    soft::check(m, d)
}

/// Forward dynamics: everything a step computes, without advancing time.
///
/// # Errors
/// [`StepError::Unsupported`] when the model needs something not built yet; all quantities before the
/// constraint stage are valid then.
pub fn mj_forward(m: &Model, d: &mut Data) -> Result<(), StepError> {
    forward(m, d, Inertia::Matrix, true)
}

/// Forward dynamics with the contacts that `d` has, instead of those that it finds: so that later stages
/// can be compared by themselves.
///
/// # Errors
/// As [`mj_forward`].
#[doc(hidden)]
pub fn forward_with_contacts(m: &Model, d: &mut Data) -> Result<(), StepError> {
    position_with_contacts(m, d);
    velocity(m, d, true);
    acceleration(m, d, Inertia::Matrix, true)
}

pub(crate) fn position_with_contacts(m: &Model, d: &mut Data) {
    fwd_position(m, d, Inertia::Matrix, |_, _| {});
    mj_sensor_pos(m, d);
    energy_pos_stage(m, d);
}

/// Forward dynamics of a state that is being reset. What the model needs beyond what is built leaves
/// its results as they are.
pub(crate) fn forward_at_reset(m: &Model, d: &mut Data) {
    let _ = forward(m, d, Inertia::Matrix, true);
}

/// Everything from velocities on, after some of them became zero in the midst of a step.
pub(crate) fn forward_after_position(m: &Model, d: &mut Data) {
    velocity(m, d, true);
    control(m, d);
    // the same stages have just succeeded
    let _ = acceleration(m, d, Inertia::Matrix, true);
}

fn control(m: &Model, d: &mut Data) {
    if let Some(control) = &m.hooks.cb_control
        && !m.opt.disabled(DisableBit::Actuation)
    {
        (**control)(m, d);
    }
}

/// Forward dynamics without the stages up to `skipstage`, whose results the caller knows to be up to
/// date, and if asked without sensors.
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
    forward_after(m, d, skipstage, Inertia::Matrix, !skipsensor)
}

/// Forward dynamics with a choice of how to treat inertia and whether to evaluate sensors.
pub(crate) fn forward(
    m: &Model,
    d: &mut Data,
    inertia: Inertia,
    sensors: bool,
) -> Result<(), StepError> {
    forward_after(m, d, SensorStage::None, inertia, sensors)
}

/// The same, for the stages after `done` alone.
pub(crate) fn forward_after(
    m: &Model,
    d: &mut Data,
    done: SensorStage,
    inertia: Inertia,
    sensors: bool,
) -> Result<(), StepError> {
    time(m, d, Timer::Forward, |d| {
        if done == SensorStage::None {
            position(m, d, inertia, sensors);
        }
        if matches!(done, SensorStage::None | SensorStage::Pos) {
            velocity(m, d, sensors);
        }
        control(m, d);
        acceleration(m, d, inertia, sensors)
    })
}

pub(crate) fn position(m: &Model, d: &mut Data, inertia: Inertia, sensors: bool) {
    time(m, d, Timer::Position, |d| fwd_position(m, d, inertia, mj_collision));
    if sensors {
        mj_sensor_pos(m, d);
    }
    energy_pos_stage(m, d);
}

pub(crate) fn velocity(m: &Model, d: &mut Data, sensors: bool) {
    time(m, d, Timer::Velocity, |d| mj_fwd_velocity(m, d));
    if sensors {
        mj_sensor_vel(m, d);
    }
    energy_vel_stage(m, d);
}

fn acceleration(m: &Model, d: &mut Data, inertia: Inertia, sensors: bool) -> Result<(), StepError> {
    time(m, d, Timer::Actuation, |d| mj_fwd_actuation(m, d));
    fwd_acceleration(m, d, inertia);
    time(m, d, Timer::Constraint, |d| mj_fwd_constraint(m, d))?;
    if sensors {
        d.flg_rnepost = false;
        mj_sensor_acc(m, d);
    }
    Ok(())
}

/// Everything that depends on positions only.
#[doc(alias = "mj_fwdPosition")]
pub fn mj_fwd_position(m: &Model, d: &mut Data) {
    fwd_position(m, d, Inertia::Matrix, mj_collision);
}

fn fwd_position(m: &Model, d: &mut Data, inertia: Inertia, collide: fn(&Model, &mut Data)) {
    d.flg_energypos = false;
    time(m, d, Timer::PosKinematics, |d| {
        mj_kinematics(m, d);
        mj_com_pos(m, d);
        mj_camlight(m, d);
    });
    mj_tendon(m, d);
    sleep::wake_by_tendon(m, d);
    // trees that wake below have the inertia that they fell asleep with
    let early = m.opt.enabled(EnableBit::Sleep);
    if early {
        make_inertia(m, d);
    }
    time(m, d, Timer::PosCollision, |d| collide(m, d));
    while sleep::wake_by_contact(m, d) {
        time(m, d, Timer::PosCollision, |d| collide(m, d));
    }
    sleep::wake_by_equality(m, d);
    time(m, d, Timer::PosMake, |d| mj_make_constraint(m, d));
    if inertia.articulated(m, d) {
        articulated::invalidate_matrix(d);
    } else if !early {
        make_inertia(m, d);
    }
    mj_island(m, d);
    mj_transmission(m, d);
}

fn make_inertia(m: &Model, d: &mut Data) {
    time(m, d, Timer::PosInertia, |d| {
        mj_make_m(m, d);
        mj_factor_m(m, d);
    });
}

/// Everything that depends on positions and velocities only.
#[doc(alias = "mj_fwdVelocity")]
pub fn mj_fwd_velocity(m: &Model, d: &mut Data) {
    d.flg_subtreevel = false;
    d.flg_energyvel = false;
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

/// `actuator_velocity = moment q̇`.
fn actuator_velocity(m: &Model, d: &mut Data) {
    let off = m.opt.disabled(DisableBit::Actuation);
    for i in 0..m.nu {
        let start = d.moment_rowadr[i] as usize;
        let end = start + d.moment_rownnz[i] as usize;
        let row = d.actuator_moment[start..end].iter().zip(&d.moment_colind[start..end]);
        d.actuator_velocity[i] =
            if off { 0.0 } else { row.map(|(r, &dof)| r * d.qvel[dof as usize]).sum() };
    }
}

/// Acceleration without constraints.
///
/// Reads the force fields. Writes `qfrc_smooth`, `qacc_smooth`.
#[doc(alias = "mj_fwdAcceleration")]
pub fn mj_fwd_acceleration(m: &Model, d: &mut Data) {
    fwd_acceleration(m, d, Inertia::Matrix);
}

fn fwd_acceleration(m: &Model, d: &mut Data, inertia: Inertia) {
    if d.sleepers(m) {
        return accelerate_awake(m, d);
    }
    for i in 0..m.nv {
        d.qfrc_smooth[i] =
            d.qfrc_passive[i] - d.qfrc_bias[i] + d.qfrc_applied[i] + d.qfrc_actuator[i];
    }
    accumulate_applied(m, d);
    d.qacc_smooth.copy_from_slice(&d.qfrc_smooth);
    if inertia.articulated(m, d) {
        d.scratch.diagonal.fill(0.0);
        articulated::factor(m, d);
        articulated::solve(m, &d.cdof, &mut d.scratch.articulated, &mut d.qacc_smooth);
    } else {
        ldl::solve(m.m_pattern(), &d.qLD, &d.qLDiagInv, &mut d.qacc_smooth);
    }
}

/// The same for the dofs that are awake.
fn accelerate_awake(m: &Model, d: &mut Data) {
    d.with_awake(|d, awake| {
        for i in awake.dofs(m) {
            d.qfrc_smooth[i] =
                d.qfrc_passive[i] - d.qfrc_bias[i] + d.qfrc_applied[i] + d.qfrc_actuator[i];
        }
        accumulate_applied(m, d);
        for i in awake.dofs(m) {
            d.qacc_smooth[i] = d.qfrc_smooth[i];
        }
    });
    let Data { qLD, qLDiagInv, qacc_smooth, tree_awake, .. } = d;
    solve_awake(m, tree_awake, qLD, qLDiagInv, qacc_smooth);
}

impl Data {
    /// Advances this state by one time step of `model`; the same as [`mj_step`].
    ///
    /// # Errors
    /// As [`mj_step`].
    pub fn step(&mut self, model: &Model) -> Result<(), StepError> {
        mj_step(model, self)
    }

    /// Computes everything at the current state; the same as [`mj_forward`].
    ///
    /// # Errors
    /// As [`mj_forward`].
    pub fn forward(&mut self, model: &Model) -> Result<(), StepError> {
        mj_forward(model, self)
    }
}
