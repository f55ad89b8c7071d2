//! Many environments stepped together, one thread each at a time.
//!
//! Environments never see each other: whatever the number of threads, each goes through the same
//! states, bit for bit, as if it were stepped alone.

mod anywhere;
mod environment;
mod result;
mod rollout;
mod task;

pub use anywhere::Environments;
pub use result::BatchResult;
pub use rollout::{Rollout, RolloutError, rollout};
pub use task::{Episode, RewardFn};

use environment::{Environment, Scratch};
use rayon::prelude::*;
use sim_core::{Data, Model, SizeMismatch, mj_set_const};
use std::sync::{Arc, Mutex};
use task::Task;

/// Many environments of one model or several.
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
///     batch.controls_mut().fill(0.1);
///     let result = batch.step_all();
///     assert!(result.rewards.iter().all(|reward| *reward > 0.0));
/// }
/// # Ok::<(), sim_physics::mjcf::Errors>(())
/// ```
pub struct BatchSim {
    models: Vec<Arc<Model>>,
    environments: Vec<Environment>,
    task: Task,
    /// Room for the controls of all environments, one row each.
    ctrl: Vec<f64>,
    /// Length of a row of controls: the most that a model has.
    nu: usize,
    result: BatchResult,
    /// Threads of its own, if it was asked for a number.
    pool: Option<rayon::ThreadPool>,
    /// Models that each thread varies.
    scratch: Vec<Mutex<Scratch>>,
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
    /// `n` environments of a model, at its reference configuration.
    #[must_use]
    pub fn new(model: Arc<Model>, n: usize) -> Self {
        Self::of_models(vec![model; n])
    }

    /// One environment for each model; the same model may come many times.
    #[must_use]
    pub fn of_models(models: Vec<Arc<Model>>) -> Self {
        let mut distinct: Vec<Arc<Model>> = Vec::new();
        let environments: Vec<Environment> = models
            .into_iter()
            .enumerate()
            .map(|(number, model)| {
                let known = distinct.iter().rposition(|known| Arc::ptr_eq(known, &model));
                let index = known.unwrap_or_else(|| {
                    distinct.push(model.clone());
                    distinct.len() - 1
                });
                Environment::new(number, index, &model)
            })
            .collect();
        let most = |size: fn(&Model) -> usize| distinct.iter().map(|m| size(m)).max().unwrap_or(0);
        let (nu, width) = (most(|m| m.nu), most(|m| m.nq + m.nv));
        let n = environments.len();
        let mut batch = Self {
            // a row has room for at least one number, so that rows can be told apart
            ctrl: vec![0.0; n * nu.max(1)],
            nu,
            result: BatchResult::new(n, width),
            models: distinct,
            environments,
            task: Task::default(),
            pool: None,
            scratch: Vec::new(),
        };
        batch.write_states();
        batch
    }

    /// Steps on `threads` threads of its own instead of those that all of the program shares.
    ///
    /// # Errors
    /// When the system gives no more threads.
    pub fn with_threads(mut self, threads: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        self.pool = Some(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?);
        self.scratch.clear();
        Ok(self)
    }

    /// Rewards the state after every call of [`BatchSim::step_all`].
    #[must_use]
    pub fn with_reward(mut self, reward: impl RewardFn + 'static) -> Self {
        self.task.reward = Some(Box::new(reward));
        self
    }

    /// Ends an episode in states for which this is true.
    #[must_use]
    pub fn with_termination(
        mut self,
        is_over: impl Fn(&Model, &Data) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.task.is_over = Some(Box::new(is_over));
        self
    }

    /// Prepares the state in which an episode starts, after a reset to the reference configuration.
    /// To be the same in every run, randomness has to come from the numbers in [`Episode`].
    #[must_use]
    pub fn with_start(
        mut self,
        start: impl Fn(&Model, &mut Data, Episode) + Send + Sync + 'static,
    ) -> Self {
        self.task.start = Some(Box::new(start));
        self
    }

    /// Truncates an episode after this much simulated time, in seconds.
    #[must_use]
    pub fn with_time_limit(mut self, seconds: f64) -> Self {
        self.task.time_limit = seconds;
        self
    }

    /// Starts a new episode, at the next step, wherever one was terminated or truncated. Without it
    /// only environments that failed are reset.
    #[must_use]
    pub fn with_auto_reset(mut self) -> Self {
        self.task.auto_reset = true;
        self
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

    /// The model of an environment, as it is without its variation.
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

    /// The state of an environment, for writing. Its controls come from [`BatchSim::controls_mut`].
    ///
    /// # Panics
    /// When there is no such environment.
    pub fn data_mut(&mut self, environment: usize) -> &mut Data {
        &mut self.environments[environment].data
    }

    /// The controls of all environments, one row of [`BatchSim::control_width`] after another.
    #[must_use]
    pub fn controls(&self) -> &[f64] {
        &self.ctrl[..self.len() * self.nu]
    }

    /// The same, for writing. They stay until they are written again.
    pub fn controls_mut(&mut self) -> &mut [f64] {
        let length = self.len() * self.nu;
        &mut self.ctrl[..length]
    }

    /// Takes the controls of all environments from single precision, as learned policies give them.
    /// Numbers beyond the shorter of the two are left alone.
    pub fn set_controls_f32(&mut self, controls: &[f32]) {
        for (to, from) in self.controls_mut().iter_mut().zip(controls) {
            *to = f64::from(*from);
        }
    }

    /// Length of a row of controls: the most actuators that a model of the batch has.
    #[must_use]
    pub fn control_width(&self) -> usize {
        self.nu
    }

    /// Advances every environment by one time step.
    pub fn step_all(&mut self) -> &BatchResult {
        self.step_n(1)
    }

    /// Advances every environment by `n` time steps with the same controls. An environment that fails
    /// or whose episode is over stops there. Rewards are those of the last state.
    pub fn step_n(&mut self, n: usize) -> &BatchResult {
        self.prepare_scratch();
        let Self { models, environments, task, ctrl, nu, result, pool, scratch } = self;
        // a row of nothing is still a row
        let mut nothing = vec![0.0; if result.width == 0 { environments.len() } else { 0 }];
        let states = if result.width == 0 { &mut nothing } else { &mut result.states };
        let (width, nu) = (result.width.max(1), (*nu).max(1));
        let count = environments.len();
        let step = || {
            environments
                .par_iter_mut()
                .zip_eq(ctrl.par_chunks_exact(nu))
                .zip_eq(states.par_chunks_exact_mut(width))
                .zip_eq(result.rewards.par_iter_mut())
                .zip_eq(result.terminated.par_iter_mut())
                .zip_eq(result.truncated.par_iter_mut())
                .zip_eq(result.errors.par_iter_mut())
                .with_max_len(piece(count))
                .for_each(|((((((environment, ctrl), state), reward), over), late), error)| {
                    let advance = |model: &Model, environment: &mut Environment| {
                        environment.advance(model, task, ctrl, n, state)
                    };
                    let outcome = environment.with_model(models, scratch, advance);
                    (*reward, *over, *late) =
                        (outcome.reward, outcome.terminated, outcome.truncated);
                    *error = outcome.error;
                });
        };
        run(pool.as_ref(), step);
        &self.result
    }

    /// What the last step gave.
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
        chosen.with_model(models, scratch, |model, chosen| chosen.restart(model, task));
        chosen.write_state(result.state_mut(environment));
    }

    /// Starts a new episode wherever the mask is true; environments beyond its end go on.
    pub fn reset_where(&mut self, mask: &[bool]) {
        self.restart(|number| mask.get(number).copied().unwrap_or(false));
    }

    /// Starts a new episode in every environment.
    pub fn reset_all(&mut self) {
        self.restart(|_| true);
    }

    /// Gives an environment its own masses, friction, gains or other numbers: `edit` changes a copy of
    /// its model, constants at the reference configuration are computed anew, and only the arrays that
    /// differ are kept. An earlier variation is forgotten.
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

    /// Writes an observation of every environment: `observe` fills one row of `width` numbers from the
    /// number, model and state of an environment. Rows may be of any type, such as `f32`; a slice that
    /// is too short gets as many rows as fit.
    pub fn observe<T: Send>(
        &self,
        width: usize,
        out: &mut [T],
        observe: impl Fn(usize, &Model, &Data, &mut [T]) + Send + Sync,
    ) {
        let Self { models, environments, pool, .. } = self;
        let write = || {
            out.par_chunks_exact_mut(width.max(1)).zip(environments).for_each(
                |(row, environment)| {
                    let model = &models[environment.model];
                    observe(environment.number, model, &environment.data, row);
                },
            );
        };
        run(pool.as_ref(), write);
    }

    /// Resets the environments that are chosen, and writes their states.
    fn restart(&mut self, is_chosen: impl Fn(usize) -> bool + Send + Sync) {
        self.prepare_scratch();
        let Self { models, environments, task, pool, scratch, .. } = self;
        let restart = || {
            environments.par_iter_mut().filter(|e| is_chosen(e.number)).for_each(|environment| {
                environment.with_model(models, scratch, |model, environment| {
                    environment.restart(model, task);
                });
            });
        };
        run(pool.as_ref(), restart);
        self.write_states();
    }

    fn write_states(&mut self) {
        for (i, environment) in self.environments.iter().enumerate() {
            environment.write_state(self.result.state_mut(i));
        }
    }

    /// Makes room for the models that threads vary, if there is anything to vary.
    fn prepare_scratch(&mut self) {
        let varied = self.environments.iter().any(|e| e.variation.is_some());
        if varied && self.scratch.is_empty() {
            let threads = self
                .pool
                .as_ref()
                .map_or_else(rayon::current_num_threads, |p| p.current_num_threads());
            // one more for a caller outside the threads
            self.scratch.resize_with(threads + 1, Mutex::default);
        }
    }
}

/// Most environments that a thread takes at once: small enough that the last to finish keeps no other waiting
/// for long.
fn piece(count: usize) -> usize {
    const EACH: usize = 32;
    count.div_ceil(EACH * rayon::current_num_threads()).max(1)
}

/// Runs on the threads of a pool, or on those that the program shares.
fn run(pool: Option<&rayon::ThreadPool>, work: impl FnOnce() + Send) {
    match pool {
        Some(pool) => pool.install(work),
        None => work(),
    }
}
