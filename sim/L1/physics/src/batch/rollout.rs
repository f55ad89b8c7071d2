//! Open-loop rollouts: trajectories from many initial states under given controls (`mujoco.rollout`).

use super::environment::step as step_checked;
use super::parallel::{Chunks, ChunksMut};
use super::trajectories::{LaneTrajectories, TrajectoryRows};
use super::{chunk_size, run};
use rayon::prelude::*;
use sim_core::types::{StateBits, StepError};
use sim_core::{Data, Model, mj_get_state, mj_set_state, mj_state_size};
use sim_lanes::LaneModel;
use std::sync::Mutex;

/// Trajectories of equal length, stored row-major: trajectory, step, value.
#[derive(Debug, Clone, PartialEq)]
pub struct Rollout {
    /// Number of trajectories.
    pub count: usize,
    /// Number of steps of each trajectory.
    pub steps: usize,
    /// Length of a state vector ([`StateBits::FULLPHYSICS`]).
    pub state_size: usize,
    /// The state after each step of each trajectory.
    pub states: Vec<f64>,
    /// Length of `sensordata` of one state.
    pub sensor_size: usize,
    /// `sensordata` of each step of each trajectory, evaluated at the state before the step.
    pub sensordata: Vec<f64>,
    /// Index and error of the step that failed. Later states and sensor readings repeat those of that
    /// step.
    pub errors: Vec<Option<(usize, StepError)>>,
}

impl Rollout {
    /// The state of a trajectory after a step.
    ///
    /// # Panics
    /// When there is no such trajectory or step.
    #[must_use]
    pub fn state(&self, trajectory: usize, step: usize) -> &[f64] {
        &self.states[(trajectory * self.steps + step) * self.state_size..][..self.state_size]
    }

    /// The sensor readings of a trajectory at a step.
    ///
    /// # Panics
    /// When there is no such trajectory or step.
    #[must_use]
    pub fn sensors(&self, trajectory: usize, step: usize) -> &[f64] {
        &self.sensordata[(trajectory * self.steps + step) * self.sensor_size..][..self.sensor_size]
    }
}

/// Inconsistent arguments of [`rollout`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RolloutError {
    /// The length of the initial states is not a multiple of the state size.
    #[error(
        "the initial states have {given} values, which is not a multiple of the state size {size}"
    )]
    States {
        /// Number of values given.
        given: usize,
        /// Length of a state vector.
        size: usize,
    },
    /// The controls are neither empty nor one row for every step of every trajectory.
    #[error("expected no controls or {expected}, but {given} were given")]
    Controls {
        /// Number of controls given.
        given: usize,
        /// Number of controls required.
        expected: usize,
    },
    /// The operating system could not start the threads.
    #[error("cannot start {0} threads")]
    Threads(usize),
}

/// Simulates trajectories of `steps` steps from many initial states, in parallel.
///
/// `initial` holds one [`StateBits::FULLPHYSICS`] vector per trajectory, as written by
/// [`mj_get_state`]. `controls` holds a row of `nu` values for every step of every trajectory, or is
/// empty for zero controls. With `threads == 0` rayon's global pool is used.
///
/// ```
/// # let model = sim_physics::load_str(
/// #     "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>").unwrap();
/// use sim_physics::{core::{mj_get_state, mj_state_size}, rollout, types::StateBits};
/// let size = mj_state_size(&model, StateBits::FULLPHYSICS);
/// let mut start = vec![0.0; size];
/// mj_get_state(&model, &model.make_data(), &mut start, StateBits::FULLPHYSICS)?;
/// let both = [start.clone(), start].concat();
/// let result = rollout(&model, &both, &[], 50, 0)?;
/// assert_eq!(result.state(0, 49), result.state(1, 49));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the lengths are inconsistent, or the threads cannot be started.
pub fn rollout(
    model: &Model,
    initial: &[f64],
    controls: &[f64],
    steps: usize,
    threads: usize,
) -> Result<Rollout, RolloutError> {
    run_rollout(model, initial, controls, steps, threads, None)
}

/// As [`rollout`], with several trajectories at once in the SIMD lanes of each core: 2.5 to 8 times as fast.
///
/// Sensors that follow from the motion of the bodies are evaluated from the results of lanes. A model that lanes do not
/// support, see [`sim_lanes::supports`], or that has other sensors ([`sim_core::motion_sensor_inputs`]), is simulated by
/// the scalar engine as in [`rollout`]. Trajectories agree with those of [`rollout`] to
/// rounding, not bit by bit; they do not depend on the number of threads, nor on other trajectories.
///
/// ```
/// # let model = sim_physics::load_str(
/// #     "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>").unwrap();
/// use sim_physics::{core::mj_get_state, rollout, rollout_in_lanes, types::StateBits};
/// let mut start = vec![0.0; 1 + model.nq + model.nv];
/// mj_get_state(&model, &model.make_data(), &mut start, StateBits::FULLPHYSICS)?;
/// let lanes = rollout_in_lanes(&model, &start, &[], 50, 1)?;
/// let scalar = rollout(&model, &start, &[], 50, 1)?;
/// assert!((lanes.state(0, 49)[3] - scalar.state(0, 49)[3]).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`rollout`].
pub fn rollout_in_lanes(
    model: &Model,
    initial: &[f64],
    controls: &[f64],
    steps: usize,
    threads: usize,
) -> Result<Rollout, RolloutError> {
    let lanes = LaneTrajectories::lane_model(model);
    run_rollout(model, initial, controls, steps, threads, lanes.as_ref())
}

fn run_rollout(
    model: &Model,
    initial: &[f64],
    controls: &[f64],
    steps: usize,
    threads: usize,
    lanes: Option<&LaneModel>,
) -> Result<Rollout, RolloutError> {
    let state_size = mj_state_size(model, StateBits::FULLPHYSICS);
    if !initial.len().is_multiple_of(state_size) {
        return Err(RolloutError::States { given: initial.len(), size: state_size });
    }
    let count = initial.len() / state_size;
    let expected = count * steps * model.nu;
    if !controls.is_empty() && controls.len() != expected {
        return Err(RolloutError::Controls { given: controls.len(), expected });
    }
    let sensor_size = model.nsensordata;
    let mut result = Rollout {
        count,
        steps,
        state_size,
        states: vec![0.0; count * steps * state_size],
        sensor_size,
        sensordata: vec![0.0; count * steps * sensor_size],
        errors: vec![None; count],
    };
    if steps == 0 {
        return Ok(result);
    }
    let build = || rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = (threads > 0).then(build).transpose();
    let pool = pool.map_err(|_| RolloutError::Threads(threads))?;
    if let Some(lanes) = lanes {
        let inputs = if controls.is_empty() { StateBits::NONE } else { StateBits::CTRL };
        let job = LaneTrajectories { model, lanes, steps, inputs };
        let rows = TrajectoryRows {
            initial: Chunks { values: initial, width: state_size },
            warmstart: Chunks { values: &[], width: 0 },
            inputs: Chunks { values: controls, width: controls.len() / count.max(1) },
            states: ChunksMut { values: &mut result.states[..], width: steps * state_size },
            sensordata: ChunksMut {
                values: &mut result.sensordata[..],
                width: steps * sensor_size,
            },
            errors: &mut result.errors[..],
        };
        run(pool.as_ref(), || job.simulate_parallel(rows));
        return Ok(result);
    }
    let layout = Layout { model, steps, state_size, sensor_size };
    let zero_ctrl = vec![0.0; steps * model.nu];
    // `par_chunks_exact` needs a non-zero row length: models without sensors get a dummy row
    let mut no_sensors = if sensor_size == 0 { vec![0.0; count] } else { Vec::new() };
    let sensordata = if sensor_size == 0 { &mut no_sensors } else { &mut result.sensordata };
    let free_list = Mutex::new(Vec::new());
    let work = || {
        result
            .states
            .par_chunks_exact_mut(steps * state_size)
            .zip_eq(sensordata.par_chunks_exact_mut((steps * sensor_size).max(1)))
            .zip_eq(result.errors.par_iter_mut())
            .enumerate()
            .with_max_len(chunk_size(count))
            .for_each_init(
                || PooledData::take(model, &free_list),
                |pooled, (i, ((states, sensors), error))| {
                    let start = &initial[i * state_size..][..state_size];
                    let row = steps * model.nu;
                    let ctrl = controls.get(i * row..(i + 1) * row).unwrap_or(&zero_ctrl);
                    *error = layout.simulate(pooled.data(), start, ctrl, states, sensors);
                },
            );
    };
    run(pool.as_ref(), work);
    Ok(result)
}

/// A `Data` from a free list, returned on drop. Rayon creates one per task, and allocating a `Data`
/// costs as much as several steps.
struct PooledData<'a> {
    data: Option<Data>,
    model: &'a Model,
    free_list: &'a Mutex<Vec<Data>>,
}

impl<'a> PooledData<'a> {
    fn take(model: &'a Model, free_list: &'a Mutex<Vec<Data>>) -> Self {
        Self { data: lock(free_list).pop(), model, free_list }
    }

    fn data(&mut self) -> &mut Data {
        self.data.get_or_insert_with(|| self.model.make_data())
    }
}

impl Drop for PooledData<'_> {
    fn drop(&mut self) {
        lock(self.free_list).extend(self.data.take());
    }
}

/// Locks the list. A poisoned list is still consistent: `push` and `pop` do not run user code.
fn lock(free_list: &Mutex<Vec<Data>>) -> std::sync::MutexGuard<'_, Vec<Data>> {
    free_list.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Model and sizes common to all trajectories.
struct Layout<'a> {
    model: &'a Model,
    steps: usize,
    state_size: usize,
    sensor_size: usize,
}

impl Layout<'_> {
    /// Simulates one trajectory; returns the step that failed and its error.
    fn simulate(
        &self,
        d: &mut Data,
        start: &[f64],
        ctrl: &[f64],
        states: &mut [f64],
        sensors: &mut [f64],
    ) -> Option<(usize, StepError)> {
        let (m, bits) = (self.model, StateBits::FULLPHYSICS);
        let (nu, ns) = (m.nu, self.sensor_size);
        d.reset(m);
        // cannot fail: `rollout` has checked the length
        let _ = mj_set_state(m, d, start, bits);
        for step in 0..self.steps {
            d.ctrl.copy_from_slice(&ctrl[step * nu..][..nu]);
            let result = step_checked(m, d);
            let _ =
                mj_get_state(m, d, &mut states[step * self.state_size..][..self.state_size], bits);
            sensors[step * ns..][..ns].copy_from_slice(&d.sensordata);
            if let Err(error) = result {
                for later in step + 1..self.steps {
                    let state = step * self.state_size..(step + 1) * self.state_size;
                    states.copy_within(state, later * self.state_size);
                    sensors.copy_within(step * ns..(step + 1) * ns, later * ns);
                }
                return Some((step, error));
            }
        }
        None
    }
}
