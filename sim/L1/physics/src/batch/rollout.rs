//! Trajectories from many initial states with controls that are known beforehand.

use super::environment::step as advance;
use super::{piece, run};
use rayon::prelude::*;
use sim_core::types::{StateBits, StepError};
use sim_core::{Data, Model, mj_get_state, mj_set_state, mj_state_size};
use std::sync::Mutex;

/// Trajectories, one after another.
#[derive(Debug, Clone, PartialEq)]
pub struct Rollout {
    /// Number of trajectories.
    pub count: usize,
    /// Steps of each.
    pub steps: usize,
    /// Length of a state: time, positions, velocities, activations and whatever else moves on
    /// ([`StateBits::FULLPHYSICS`]).
    pub state_size: usize,
    /// The state after each step of each trajectory.
    pub states: Vec<f64>,
    /// Length of a reading of all sensors.
    pub sensor_size: usize,
    /// The sensors at each step of each trajectory, read before it.
    pub sensordata: Vec<f64>,
    /// The step that failed and why; from there on states and sensors are repeated.
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

    /// The sensors of a trajectory at a step.
    ///
    /// # Panics
    /// When there is no such trajectory or step.
    #[must_use]
    pub fn sensors(&self, trajectory: usize, step: usize) -> &[f64] {
        &self.sensordata[(trajectory * self.steps + step) * self.sensor_size..][..self.sensor_size]
    }
}

/// Arguments of [`rollout`] do not fit each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RolloutError {
    /// The initial states are not a whole number of states.
    #[error("{given} numbers are not a whole number of states of {size}")]
    States {
        /// How many numbers were given.
        given: usize,
        /// Length of a state.
        size: usize,
    },
    /// The controls are neither none nor one row for every step of every trajectory.
    #[error("{given} controls were given: leave them out, or give {expected}")]
    Controls {
        /// How many were given.
        given: usize,
        /// How many there have to be.
        expected: usize,
    },
    /// The system gives no more threads.
    #[error("the system gives no {0} threads")]
    Threads(usize),
}

/// Follows trajectories of `steps` steps from many initial states, in parallel.
///
/// `initial` holds one state after another, each as [`mj_get_state`] gives
/// [`StateBits::FULLPHYSICS`]. `controls` holds a row of `nu` for every step of every trajectory; without
/// any they are zeros. `threads` of zero are those that the program shares.
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
/// When the lengths do not fit, or there are no such threads.
pub fn rollout(
    model: &Model,
    initial: &[f64],
    controls: &[f64],
    steps: usize,
    threads: usize,
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
    let one = Trajectory { model, steps, state_size, sensor_size };
    let nothing = vec![0.0; steps * model.nu];
    // a row of nothing is still a row
    let mut no_sensors = if sensor_size == 0 { vec![0.0; count] } else { Vec::new() };
    let sensordata = if sensor_size == 0 { &mut no_sensors } else { &mut result.sensordata };
    let spare = Mutex::new(Vec::new());
    let work = || {
        result
            .states
            .par_chunks_exact_mut(steps * state_size)
            .zip_eq(sensordata.par_chunks_exact_mut((steps * sensor_size).max(1)))
            .zip_eq(result.errors.par_iter_mut())
            .enumerate()
            .with_max_len(piece(count))
            .for_each_init(
                || Lent::of(model, &spare),
                |lent, (i, ((states, sensors), error))| {
                    let start = &initial[i * state_size..][..state_size];
                    let row = steps * model.nu;
                    let ctrl = controls.get(i * row..(i + 1) * row).unwrap_or(&nothing);
                    *error = one.follow(lent.data(), start, ctrl, states, sensors);
                },
            );
    };
    let build = || rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = (threads > 0).then(build).transpose();
    let pool = pool.map_err(|_| RolloutError::Threads(threads))?;
    run(pool.as_ref(), work);
    Ok(result)
}

/// Memory of a simulation that pieces of the work hand on to each other, for making it anew takes as long as
/// some steps do.
struct Lent<'a> {
    data: Option<Data>,
    model: &'a Model,
    spare: &'a Mutex<Vec<Data>>,
}

impl<'a> Lent<'a> {
    fn of(model: &'a Model, spare: &'a Mutex<Vec<Data>>) -> Self {
        Self { data: lock(spare).pop(), model, spare }
    }

    fn data(&mut self) -> &mut Data {
        self.data.get_or_insert_with(|| self.model.make_data())
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        lock(self.spare).extend(self.data.take());
    }
}

/// Whoever panicked while it held the lock left nothing half done.
fn lock(spare: &Mutex<Vec<Data>>) -> std::sync::MutexGuard<'_, Vec<Data>> {
    spare.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// What all trajectories share.
struct Trajectory<'a> {
    model: &'a Model,
    steps: usize,
    state_size: usize,
    sensor_size: usize,
}

impl Trajectory<'_> {
    /// Follows one; returns the step that failed and why.
    fn follow(
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
        // lengths were checked
        let _ = mj_set_state(m, d, start, bits);
        for step in 0..self.steps {
            d.ctrl.copy_from_slice(&ctrl[step * nu..][..nu]);
            let result = advance(m, d);
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
