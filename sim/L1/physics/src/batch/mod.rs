//! Batched simulation on the CPU: independent environments stepped in parallel.
//!
//! Environments share no mutable state: each trajectory is bit-identical to that of a single
//! simulation, for any number of threads.

mod env;
mod environment;
mod lanes;
mod parallel;
mod result;
mod rollout;
mod task;
mod trajectories;

pub use env::BatchEnv;
pub use parallel::{Chunks, ChunksMut, Rows};
pub use result::BatchResult;
pub use rollout::{Rollout, RolloutError, rollout, rollout_in_lanes};
pub use task::{Episode, RewardFn};
pub use trajectories::{LaneTrajectories, TrajectoryRows};

use crate::Error;
use environment::{Environment, Scratch};
use lanes::{BatchLanes, Part, Results, Shared};
use parallel::Threads;
use sim_core::types::StepError;
use sim_core::{Data, Model, SizeMismatch, mj_external_wrenches, mj_set_const};
use std::sync::{Arc, Mutex};
use task::Task;

/// A batch of environments of one or several models, stepped on all CPU cores.
///
/// ```
/// use sim_physics::prelude::*;
///
/// let model = load_str(r#"<mujoco><worldbody><body><joint name="swing" axis="0 1 0"/>
///     <geom type="capsule" size=".05" fromto="0 0 0 0 0 -1"/></body></worldbody>
///     <actuator><motor joint="swing"/></actuator></mujoco>"#)?;
/// let mut batch = BatchSim::new(model.into(), 64)
///     .with_reward(|_: &Model, data: &Data| data.qpos[0].cos())
///     .with_start(|_, data, episode| data.qpos[0] = 0.01 * episode.environment as f64)
///     .with_time_limit(1.0);
/// batch.reset_all();
/// for _ in 0..10 {
///     batch.ctrl_mut().fill(0.1);
///     let result = batch.step_all();
///     assert!(result.rewards.iter().all(|reward| *reward > 0.0));
/// }
/// # Ok::<(), sim_physics::mjcf::Errors>(())
/// ```
pub struct BatchSim {
    models: Vec<Arc<Model>>,
    environments: Vec<Environment>,
    task: Task,
    /// Controls of all environments, one row of `nu` each.
    ctrl: Vec<f64>,
    /// Length of a row of controls: the largest `nu` of the models.
    nu: usize,
    result: BatchResult,
    threads: Threads,
    /// Per-thread model copies for environments with variations.
    scratch: Vec<Mutex<Scratch>>,
    /// Models that are stepped in SIMD lanes, if enabled.
    lanes: Option<Box<BatchLanes>>,
    results: Results,
}

impl std::fmt::Debug for BatchSim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BatchSim")
            .field("environments", &self.environments.len())
            .field("models", &self.models.len())
            .finish_non_exhaustive()
    }
}

impl BatchSim {
    /// Creates `n` environments of a model, at its reference configuration.
    #[must_use]
    pub fn new(model: Arc<Model>, n: usize) -> Self {
        Self::of_models(vec![model; n])
    }

    /// Creates one environment for each model; models may repeat.
    #[must_use]
    pub fn of_models(models: Vec<Arc<Model>>) -> Self {
        let mut distinct: Vec<Arc<Model>> = Vec::new();
        let environments: Vec<Environment> = models
            .into_iter()
            .enumerate()
            .map(|(i, model)| {
                let known = distinct.iter().rposition(|known| Arc::ptr_eq(known, &model));
                let index = known.unwrap_or_else(|| {
                    distinct.push(model.clone());
                    distinct.len() - 1
                });
                Environment::new(i, index, &model)
            })
            .collect();
        let largest =
            |size: fn(&Model) -> usize| distinct.iter().map(|m| size(m)).max().unwrap_or(0);
        let (nu, width) = (largest(|m| m.nu), largest(|m| m.nq + m.nv));
        let n = environments.len();
        let mut batch = Self {
            ctrl: vec![0.0; n * nu],
            nu,
            result: BatchResult::new(n, width),
            models: distinct,
            environments,
            task: Task::default(),
            threads: Threads::Global,
            scratch: Vec::new(),
            lanes: None,
            results: Results::default(),
        };
        batch.write_states();
        batch
    }

    /// Steps on a dedicated pool of `threads` threads instead of rayon's global pool; one thread is the
    /// calling thread itself.
    ///
    /// # Errors
    /// When the operating system cannot start the threads.
    pub fn with_threads(mut self, threads: usize) -> Result<Self, Error> {
        self.threads = if threads == 1 {
            Threads::Caller
        } else {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            Threads::Own(
                pool.map_err(|error| Error::Threads { threads, reason: error.to_string() })?,
            )
        };
        self.scratch.clear();
        Ok(self)
    }

    /// Sets the reward function, evaluated at the state after each step.
    #[must_use]
    pub fn with_reward(mut self, reward: impl RewardFn + 'static) -> Self {
        self.task.reward = Some(Box::new(reward));
        self
    }

    /// Sets the termination condition: an episode ends in a state for which it is true.
    #[must_use]
    pub fn with_termination(
        mut self,
        termination: impl Fn(&Model, &Data) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.task.termination = Some(Box::new(termination));
        self
    }

    /// Sets a function that modifies the initial state of an episode, after the reset to the
    /// reference configuration. For reproducible runs, derive random numbers from [`Episode`].
    #[must_use]
    pub fn with_start(
        mut self,
        start: impl Fn(&Model, &mut Data, Episode) + Send + Sync + 'static,
    ) -> Self {
        self.task.initial_state = Some(Box::new(start));
        self
    }

    /// Truncates episodes after this simulated time, in seconds.
    #[must_use]
    pub fn with_time_limit(mut self, seconds: f64) -> Self {
        self.task.time_limit = seconds;
        self
    }

    /// Resets terminated and truncated environments at the next step. Without it only environments
    /// whose step failed are reset.
    #[must_use]
    pub fn with_auto_reset(mut self) -> Self {
        self.task.auto_reset = true;
        self
    }

    /// Steps several environments at once, in the SIMD lanes of each core: 2.5 to 8 times as fast as the scalar engine
    /// on CPUs with AVX-512, 2 to 4 times with AVX2.
    ///
    /// Environments whose model uses a feature that lanes do not simulate, see [`sim_lanes::supports`], that have a
    /// variation or forces in `xfrc_applied` are stepped by the scalar engine as before;
    /// [`BatchSim::steps_in_lanes`] tells which are not. Results agree with those of the scalar engine to rounding,
    /// not bit by bit; they do not depend on the number of threads, nor on other environments.
    ///
    /// A step in lanes writes the fields of `Data` that are listed at [`sim_lanes::LaneGroup::store`]; others, such
    /// as contacts, keep their values. The last time step of each call is that of the scalar engine if all fields are
    /// requested by [`BatchSim::with_full_data`], and in models with sensors that do not follow from the motion of the
    /// bodies ([`sim_core::motion_sensor_inputs`]), such as touch sensors and rangefinders; all are if there is also a
    /// termination condition, because any step may be the last one.
    ///
    /// ```
    /// use sim_physics::{BatchSim, load_str};
    ///
    /// let model = load_str("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")?;
    /// let mut batch = BatchSim::new(model.into(), 100).with_lanes();
    /// assert!(batch.steps_in_lanes(0));
    /// batch.step_n(10);
    /// assert!(batch.data(99).qpos[2] < 0.0);
    /// # Ok::<(), sim_physics::mjcf::Errors>(())
    /// ```
    #[must_use]
    pub fn with_lanes(mut self) -> Self {
        self.lanes = Some(Box::new(BatchLanes::new(&self.models)));
        self
    }

    /// With [`BatchSim::with_lanes`], takes the last time step of each call by the scalar engine, so that all fields
    /// of `Data` have the values that they have without lanes. Calls of one time step do not use lanes then.
    #[must_use]
    pub fn with_full_data(mut self) -> Self {
        self.results.is_full = true;
        self
    }

    /// Computes `cfrc_ext`, the contact wrenches on the bodies, in the last time step of each call
    /// ([`mj_external_wrenches`]).
    #[must_use]
    pub fn with_external_wrenches(mut self) -> Self {
        self.results.wrenches = true;
        self
    }

    /// Whether an environment is stepped in SIMD lanes, unless it gets a variation or `xfrc_applied`.
    ///
    /// # Panics
    /// When there is no such environment.
    #[must_use]
    pub fn steps_in_lanes(&self, environment: usize) -> bool {
        let model = self.environments[environment].model;
        self.lanes.as_ref().is_some_and(|lanes| lanes.supports(model))
    }

    /// Number of environments.
    #[must_use]
    pub fn len(&self) -> usize {
        self.environments.len()
    }

    /// Whether there is no environment.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.environments.is_empty()
    }

    /// The shared model of an environment, without its variation.
    ///
    /// # Panics
    /// When there is no such environment.
    #[must_use]
    pub fn model(&self, environment: usize) -> &Arc<Model> {
        &self.models[self.environments[environment].model]
    }

    /// The state of an environment.
    ///
    /// # Panics
    /// When there is no such environment.
    #[must_use]
    pub fn data(&self, environment: usize) -> &Data {
        &self.environments[environment].data
    }

    /// Mutable access to the state of an environment. Its `ctrl` is overwritten at each step with the
    /// row of [`BatchSim::ctrl_mut`].
    ///
    /// # Panics
    /// When there is no such environment.
    pub fn data_mut(&mut self, environment: usize) -> &mut Data {
        &mut self.environments[environment].data
    }

    /// Controls of all environments, row-major: [`BatchSim::nu`] values per environment.
    #[must_use]
    pub fn ctrl(&self) -> &[f64] {
        &self.ctrl
    }

    /// Mutable access to the controls of all environments. They persist until overwritten.
    pub fn ctrl_mut(&mut self) -> &mut [f64] {
        &mut self.ctrl
    }

    /// Sets the controls of all environments, in the layout of [`BatchSim::ctrl`].
    ///
    /// # Errors
    /// When the number of values is not `len() * nu()`.
    pub fn set_ctrl(&mut self, ctrl: &[f64]) -> Result<(), Error> {
        check_length("ctrl", self.len() * self.nu, ctrl.len())?;
        self.ctrl_mut().copy_from_slice(ctrl);
        Ok(())
    }

    /// Sets the controls of all environments from single precision, as policy networks output them.
    ///
    /// # Errors
    /// When the number of values is not `len() * nu()`.
    pub fn set_ctrl_f32(&mut self, ctrl: &[f32]) -> Result<(), Error> {
        check_length("ctrl", self.len() * self.nu, ctrl.len())?;
        for (to, from) in self.ctrl_mut().iter_mut().zip(ctrl) {
            *to = f64::from(*from);
        }
        Ok(())
    }

    /// Number of controls per environment: the largest `nu` of the batch's models.
    #[must_use]
    pub fn nu(&self) -> usize {
        self.nu
    }

    /// Advances every environment by one time step.
    pub fn step_all(&mut self) -> &BatchResult {
        self.step_n(1)
    }

    /// Advances every environment by `n` time steps with the same controls. An environment that fails
    /// or terminates stops early. The reward is that of the last state.
    pub fn step_n(&mut self, n: usize) -> &BatchResult {
        self.prepare_scratch();
        let Self { models, environments, task, ctrl, nu, result, threads, scratch, lanes, results } =
            self;
        let count = environments.len();
        let rows = (
            &mut environments[..],
            Chunks { values: &ctrl[..], width: *nu },
            ChunksMut { values: &mut result.states[..], width: result.width },
            &mut result.rewards[..],
            &mut result.terminated[..],
            &mut result.truncated[..],
            &mut result.errors[..],
        );
        if let Some(lanes) = lanes {
            let shared = Shared { models, task, scratch, n, results: *results };
            threads.for_each_part(count, lanes.width, rows, |_, part| {
                let (environments, ctrl, states, rewards, terminated, truncated, errors) = part;
                lanes.step(
                    shared,
                    Part { environments, ctrl, states, rewards, terminated, truncated, errors },
                );
            });
            return &self.result;
        }
        threads.for_each(count, rows, |row| {
            let (environment, ctrl, state, reward, terminated, truncated, error) = row;
            let outcome = environment[0].with_model(models, scratch, |model, environment| {
                let outcome = environment.step(model, task, ctrl.values, n, state.values);
                if results.wrenches {
                    mj_external_wrenches(model, &mut environment.data);
                }
                outcome
            });
            (reward[0], terminated[0], truncated[0]) =
                (outcome.reward, outcome.terminated, outcome.truncated);
            error[0] = outcome.error;
        });
        &self.result
    }

    /// Advances the environments whose entry in `selected` is true by `n` time steps, with the controls in their
    /// `Data` and without episodes; writes the error of each environment whose step failed. Together with
    /// [`BatchSim::for_each`] this is the building block of custom steps in lanes.
    ///
    /// # Panics
    /// When `selected` or `errors` has not one entry per environment.
    pub fn advance(&mut self, n: usize, selected: &[bool], errors: &mut [Option<StepError>]) {
        self.prepare_scratch();
        let Self { models, environments, threads, scratch, lanes, results, .. } = self;
        let count = environments.len();
        assert_eq!((selected.len(), errors.len()), (count, count), "one entry per environment");
        let task = Task::default();
        let shared = Shared { models, task: &task, scratch, n, results: *results };
        let rows = (&mut environments[..], selected, errors);
        if let Some(lanes) = lanes {
            threads.for_each_part(
                count,
                lanes.width,
                rows,
                |_, (environments, selected, errors)| {
                    lanes.advance_selected(shared, environments, selected, errors);
                },
            );
            return;
        }
        threads.for_each(count, rows, |(environment, selected, error)| {
            error[0] = None;
            if selected[0] {
                error[0] = environment[0]
                    .with_model(models, scratch, |model, e| shared.advance_scalar(model, e, n).0);
            }
        });
    }

    /// Calls `work` for every environment, in parallel, with its index, its model including its
    /// variation, its state and its row of `rows`. This is the building block of custom steps: `work`
    /// sets controls, calls [`Data::step`] and writes observations and rewards to its row. Episodes,
    /// rewards and results of [`BatchSim::step_n`] are not involved.
    ///
    /// ```
    /// use sim_physics::{BatchSim, load_str};
    ///
    /// let model = load_str("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")?;
    /// let mut batch = BatchSim::new(model.into(), 3);
    /// let mut heights = [0.0; 3];
    /// batch.for_each(&mut heights[..], |_, model, data, height| {
    ///     data.step(model).expect("a supported model");
    ///     height[0] = data.qpos[2];
    /// });
    /// assert!(heights[2] < 0.0);
    /// # Ok::<(), sim_physics::mjcf::Errors>(())
    /// ```
    ///
    /// # Panics
    /// When `rows` has fewer rows than the batch has environments.
    pub fn for_each<R: Rows>(
        &mut self,
        rows: R,
        work: impl Fn(usize, &Model, &mut Data, R) + Send + Sync,
    ) {
        self.prepare_scratch();
        let Self { models, environments, threads, scratch, .. } = self;
        let count = environments.len();
        threads.for_each(count, (&mut environments[..], rows), |(environment, row)| {
            environment[0].with_model(models, scratch, |model, environment| {
                work(environment.index, model, &mut environment.data, row);
            });
        });
    }

    /// Calls `work` with the model of one environment, including its variation, and its state.
    ///
    /// # Panics
    /// When there is no such environment.
    pub fn with<R>(&mut self, environment: usize, work: impl FnOnce(&Model, &mut Data) -> R) -> R {
        self.prepare_scratch();
        let Self { models, environments, scratch, .. } = self;
        let chosen = &mut environments[environment];
        chosen.with_model(models, scratch, |model, chosen| work(model, &mut chosen.data))
    }

    /// Number of threads that step the batch.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.count()
    }

    /// Result of the last step.
    #[must_use]
    pub fn result(&self) -> &BatchResult {
        &self.result
    }

    /// Starts a new episode in one environment.
    ///
    /// # Panics
    /// When there is no such environment.
    pub fn reset(&mut self, environment: usize) {
        self.prepare_scratch();
        let Self { models, environments, task, scratch, result, .. } = self;
        let chosen = &mut environments[environment];
        chosen.with_model(models, scratch, |model, chosen| chosen.reset(model, task));
        chosen.write_state(result.state_mut(environment));
    }

    /// Starts a new episode in every environment whose entry in `mask` is true; missing entries are
    /// false.
    pub fn reset_where(&mut self, mask: &[bool]) {
        self.reset_selected(|index| mask.get(index).copied().unwrap_or(false));
    }

    /// Starts a new episode in every environment.
    pub fn reset_all(&mut self) {
        self.reset_selected(|_| true);
    }

    /// Gives an environment its own model parameters, such as masses, friction or gains (domain
    /// randomization). `edit` modifies a copy of its model, derived constants are recomputed
    /// (`mj_set_const`), and only the arrays that differ are stored. Replaces an earlier variation.
    ///
    /// # Errors
    /// When the edit changes the number of elements.
    ///
    /// # Panics
    /// When there is no such environment.
    pub fn vary(
        &mut self,
        environment: usize,
        edit: impl FnOnce(&mut Model),
    ) -> Result<(), SizeMismatch> {
        let base = self.model(environment).clone();
        let mut edited = Model::clone(&base);
        edit(&mut edited);
        mj_set_const(&mut edited);
        let variation = base.variation(&edited)?;
        self.environments[environment].variation = Some(Box::new(variation));
        Ok(())
    }

    /// Writes the observations of all environments to `out`, in parallel. `observe` fills one row of
    /// `width` values from the index, model and state of an environment; values can have any type,
    /// such as `f32`. If `out` is too short, as many rows as fit are written.
    pub fn observe<T: Send>(
        &self,
        width: usize,
        out: &mut [T],
        observe: impl Fn(usize, &Model, &Data, &mut [T]) + Send + Sync,
    ) {
        let Self { models, environments, threads, .. } = self;
        let count = environments.len().min(out.len() / width.max(1));
        let rows = ChunksMut { values: out, width };
        threads.for_each(count, (&environments[..], rows), |(environment, row)| {
            let Environment { index, model, data, .. } = &environment[0];
            observe(*index, &models[*model], data, row.values);
        });
    }

    /// Resets the selected environments and updates their state rows.
    fn reset_selected(&mut self, is_selected: impl Fn(usize) -> bool + Send + Sync) {
        self.prepare_scratch();
        let Self { models, environments, task, threads, scratch, .. } = self;
        let count = environments.len();
        threads.for_each(count, &mut environments[..], |environment| {
            if is_selected(environment[0].index) {
                environment[0].with_model(models, scratch, |model, environment| {
                    environment.reset(model, task);
                });
            }
        });
        self.write_states();
    }

    fn write_states(&mut self) {
        for (i, environment) in self.environments.iter().enumerate() {
            environment.write_state(self.result.state_mut(i));
        }
    }

    /// Allocates the per-thread scratch if any environment has a variation.
    fn prepare_scratch(&mut self) {
        let varied = self.environments.iter().any(|e| e.variation.is_some());
        if varied && self.scratch.is_empty() {
            // one more for a caller outside the pool
            self.scratch.resize_with(self.threads.count() + 1, Mutex::default);
        }
    }
}

/// Checks the length of a slice that holds one value or row per environment.
fn check_length(what: &str, expected: usize, given: usize) -> Result<(), Error> {
    if given == expected {
        return Ok(());
    }
    Err(Error::WrongLength { what: format!("`{what}` of the batch"), expected, given })
}

/// Largest number of environments per rayon task: small enough to balance the load between threads.
fn chunk_size(count: usize) -> usize {
    const TASKS_PER_THREAD: usize = 32;
    count.div_ceil(TASKS_PER_THREAD * rayon::current_num_threads()).max(1)
}

/// Runs `work` on a dedicated pool, or on rayon's global pool.
fn run(pool: Option<&rayon::ThreadPool>, work: impl FnOnce() + Send) {
    match pool {
        Some(pool) => pool.install(work),
        None => work(),
    }
}
