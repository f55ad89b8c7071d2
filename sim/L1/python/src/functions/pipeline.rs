//! The pipeline: `mj_step`, `mj_forward`, `mj_inverse` and the stages of which they consist.

use crate::data::MjData;
use crate::model::MjModel;
use crate::run::run;
use pyo3::prelude::*;
use sim_physics::core;
use sim_physics::types::{SensorStage, StepError};
use std::time::{Duration, Instant};

/// Interval between the tests for a keyboard interrupt during long calls.
pub const INTERRUPT_INTERVAL: Duration = Duration::from_millis(50);
/// Steps between readings of the clock.
const STEPS_PER_CLOCK: usize = 16;

/// Declares functions of a model and a data.
macro_rules! stages {
    ($($name:ident = $function:expr, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            #[allow(non_snake_case, reason = "MuJoCo's name")]
            fn $name(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
                run(m, d, $function)
            }
        )*

        /// Adds the functions to the module.
        ///
        /// # Errors
        /// If Python has no memory.
        pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)*
            module.add_function(wrap_pyfunction!(mj_step, module)?)?;
            module.add_function(wrap_pyfunction!(mj_forwardSkip, module)?)?;
            module.add_function(wrap_pyfunction!(mj_inverseSkip, module)?)?;
            module.add_function(wrap_pyfunction!(mj_RungeKutta, module)?)
        }
    };
}

stages! {
    mj_forward = core::mj_forward, "Computes all quantities at the current state without advancing time.";
    mj_inverse = core::mj_inverse, "Inverse dynamics: the applied force that produces `qacc`.";
    mj_step1 = core::mj_step1, "The part of a step before controls are needed.";
    mj_step2 = core::mj_step2, "The part of a step after controls are set.";
    mj_fwdPosition = core::mj_fwd_position, "Position-dependent stages.";
    mj_fwdVelocity = core::mj_fwd_velocity, "Velocity-dependent stages.";
    mj_fwdActuation = core::mj_fwd_actuation, "Actuator forces.";
    mj_fwdAcceleration = core::mj_fwd_acceleration, "Accelerations without constraints.";
    mj_fwdConstraint = core::mj_fwd_constraint, "Constraint solver.";
    mj_Euler = |m: &_, d: &mut _| core::mj_euler(m, d), "Semi-implicit Euler integrator.";
    mj_implicit = core::mj_implicit, "Implicit integrators.";
    mj_invPosition = core::mj_fwd_position, "Position-dependent stages of inverse dynamics.";
    mj_invVelocity = core::mj_fwd_velocity, "Velocity-dependent stages of inverse dynamics.";
    mj_invConstraint = core::mj_inv_constraint, "Analytical constraint forces of inverse dynamics.";
    mj_compareFwdInv = core::mj_compare_fwd_inv, "Compares forward and inverse dynamics; writes `solver_fwdinv`.";
    mj_sensorPos = core::mj_sensor_pos, "Position-dependent sensors.";
    mj_sensorVel = core::mj_sensor_vel, "Velocity-dependent sensors.";
    mj_sensorAcc = core::mj_sensor_acc, "Acceleration-dependent sensors.";
    mj_energyPos = core::mj_energy_pos, "Potential energy.";
    mj_energyVel = core::mj_energy_vel, "Kinetic energy.";
    mj_checkPos = core::mj_check_pos, "Checks positions, and resets the data if they are not finite.";
    mj_checkVel = core::mj_check_vel, "Checks velocities, and resets the data if they are not finite.";
    mj_checkAcc = core::mj_check_acc, "Checks accelerations, and resets the data if they are not finite.";
    mj_kinematics = core::mj_kinematics, "Poses of bodies, geoms and sites.";
    mj_comPos = core::mj_com_pos, "Quantities about the centre of mass.";
    mj_camlight = core::mj_camlight, "Poses of cameras and lights.";
    mj_tendon = core::mj_tendon, "Tendon lengths, velocities and moment arms.";
    mj_transmission = core::mj_transmission, "Actuator lengths and moment arms.";
    mj_crb = core::mj_crb, "Joint-space inertia matrix by the composite-rigid-body algorithm.";
    mj_makeM = core::mj_make_m, "Joint-space inertia matrix with all its terms.";
    mj_factorM = core::mj_factor_m, "Factorization of the inertia matrix.";
    mj_comVel = core::mj_com_vel, "Velocities about the centre of mass.";
    mj_passive = core::mj_passive, "Passive forces.";
    mj_subtreeVel = core::mj_subtree_vel, "Velocity and angular momentum of subtrees.";
    mj_rnePostConstraint = core::mj_rne_post_constraint, "Body accelerations and forces after constraints.";
    mj_collision = core::mj_collision, "Collision detection.";
    mj_makeConstraint = core::mj_make_constraint, "Constraint rows.";
    mj_island = core::mj_island, "Constraint islands.";
    mj_projectConstraint = core::mj_project_constraint, "Inverse inertia in constraint space.";
    mj_referenceConstraint = core::mj_reference_constraint, "Reference accelerations of constraints.";
    mj_fwdKinematics = |m: &_, d: &mut _| {
        core::mj_kinematics(m, d);
        core::mj_com_pos(m, d);
        core::mj_camlight(m, d);
        core::mj_tendon(m, d);
    }, "Kinematic part of the position-dependent stages.";
}

/// Why steps ended early.
pub enum Stop {
    /// A step failed.
    Step(StepError),
    /// Python raised an exception, such as `KeyboardInterrupt`.
    Python(PyErr),
}

impl crate::run::Outcome for Result<(), Stop> {
    type Value = ();
    fn into_py(self) -> PyResult<()> {
        self.map_err(|stop| match stop {
            Stop::Step(error) => crate::error::step(&error),
            Stop::Python(error) => error,
        })
    }
}

/// Advances the simulation by `nstep` time steps. The interpreter is released, so that other threads run; a keyboard
/// interrupt ends the call after a complete step.
#[pyfunction]
#[pyo3(signature = (m, d, nstep=1))]
fn mj_step(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>, nstep: i64) -> PyResult<()> {
    if nstep == 1 {
        return run(m, d, core::mj_step);
    }
    let steps = usize::try_from(nstep).unwrap_or(0);
    run(m, d, |m, d| -> Result<(), Stop> {
        let mut last = Instant::now();
        for step in 0..steps {
            core::mj_step(m, d).map_err(Stop::Step)?;
            if step % STEPS_PER_CLOCK == STEPS_PER_CLOCK - 1 && last.elapsed() > INTERRUPT_INTERVAL
            {
                Python::attach(|py| py.check_signals()).map_err(Stop::Python)?;
                last = Instant::now();
            }
        }
        Ok(())
    })
}

fn sensor_stage(number: i32) -> PyResult<SensorStage> {
    SensorStage::from_number(number).ok_or_else(|| {
        crate::error::value(format!("{number} is not a stage; use a member of mjtStage"))
    })
}

/// `mj_forward` without the stages up to `skipstage`, and without sensors if `skipsensor` is not 0.
#[pyfunction]
#[allow(non_snake_case, reason = "MuJoCo's name")]
fn mj_forwardSkip(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    skipstage: i32,
    skipsensor: i32,
) -> PyResult<()> {
    let stage = sensor_stage(skipstage)?;
    run(m, d, |m, d| core::mj_forward_skip(m, d, stage, skipsensor != 0))
}

/// `mj_inverse` without the stages up to `skipstage`, and without sensors if `skipsensor` is not 0.
#[pyfunction]
#[allow(non_snake_case, reason = "MuJoCo's name")]
fn mj_inverseSkip(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    skipstage: i32,
    skipsensor: i32,
) -> PyResult<()> {
    let stage = sensor_stage(skipstage)?;
    run(m, d, |m, d| core::mj_inverse_skip(m, d, stage, skipsensor != 0))
}

/// Runge-Kutta integrator of order `N`, which must be 4.
#[pyfunction]
#[allow(non_snake_case, reason = "MuJoCo's name")]
fn mj_RungeKutta(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>, N: usize) -> PyResult<()> {
    run(m, d, |m, d| core::mj_runge_kutta(m, d, N))
}
