//! Vector environments: many environments of one task, stepped together.

mod access;
mod environment;
mod randomization;
mod real;

pub use randomization::Randomization;
pub use real::Real;

use crate::error::check_length;
use crate::task::{InfoField, InfoFields};
use crate::{Error, Rng, Task};
use environment::{Buffers, Slot, StepContext};
use sim_physics::types::StepError;
use sim_physics::{BatchSim, Chunks, ChunksMut, Model};
use std::sync::Arc;

/// What happens when an episode ends; the modes of gymnasium's vector environments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Autoreset {
    /// The next step ignores the action and returns the first observation of the new episode, with
    /// reward zero.
    #[default]
    NextStep,
    /// The step returns the first observation of the new episode, together with reward and termination
    /// of the old one. [`VecEnv::final_observations`] and [`VecEnv::final_infos`] have the last state.
    SameStep,
    /// The caller resets environments whose episode ended.
    Disabled,
}

/// Settings of [`VecEnv`] that do not depend on the task.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub frame_skip: usize,
    pub max_episode_steps: Option<u64>,
    pub autoreset: Autoreset,
    /// Whether environments are stepped in SIMD lanes.
    pub lanes: bool,
}

impl Default for Settings {
    fn default() -> Self {
        let autoreset = Autoreset::NextStep;
        Self { frame_skip: 1, max_episode_steps: None, autoreset, lanes: false }
    }
}

/// Which values the row of an environment in [`VecEnv::infos`] has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum InfoRow {
    /// None: the environment took no part in the last call.
    #[default]
    Absent,
    /// The fields with [`VecEnv::state_fields`], after a reset.
    Reset,
    /// All fields, after a step.
    Step,
}

/// The seeds of a reset.
#[derive(Debug, Clone, Copy, Default)]
pub enum Seeds<'a> {
    /// The random numbers of each environment continue; before the first seed they start with a seed of
    /// the operating system.
    #[default]
    Continue,
    /// Environment `i` gets the seed `first + i`.
    From(u64),
    /// Each environment gets its own seed, or continues.
    Each(&'a [Option<u64>]),
}

/// The buffers that a step fills, one row or value per environment.
#[derive(Debug)]
pub struct StepBuffers<'a, O> {
    /// Observations, row-major: [`VecEnv::observation_size`] values per environment.
    pub observations: &'a mut [O],
    /// Rewards.
    pub rewards: &'a mut [f64],
    /// Whether the episodes ended by their termination condition.
    pub terminated: &'a mut [bool],
    /// Whether the episodes reached their largest number of steps.
    pub truncated: &'a mut [bool],
}

/// Environments of one task, stepped together on one or several threads. Created by
/// [`make`](crate::make) or [`Builder`](crate::Builder).
///
/// Results are identical for any number of threads. A step does not allocate.
///
/// ```
/// use sim_envs::{Seeds, StepBuffers};
///
/// let mut env = sim_envs::make("Hopper-v5")?.num_envs(4).threads(1).build()?;
/// let mut observations = vec![0.0_f32; 4 * env.observation_size()];
/// env.reset(Seeds::From(7), None, &mut observations)?;
/// let actions = vec![0.1_f32; 4 * env.action_size()];
/// let (mut rewards, mut terminated, mut truncated) = ([0.0; 4], [false; 4], [false; 4]);
/// for _ in 0..10 {
///     let observations = &mut observations[..];
///     let (rewards, terminated) = (&mut rewards[..], &mut terminated[..]);
///     let truncated = &mut truncated[..];
///     env.step(&actions, StepBuffers { observations, rewards, terminated, truncated })?;
/// }
/// assert!(rewards.iter().all(|reward| *reward > 0.5));
/// let x = env.info("x_position").expect("a field of this task");
/// assert!(x[0].abs() < 0.1);
/// # Ok::<(), sim_envs::Error>(())
/// ```
pub struct VecEnv {
    batch: BatchSim,
    task: Box<dyn Task>,
    settings: Settings,
    slots: Vec<Slot>,
    /// With lanes: which environments take the running step, and their errors.
    running: Vec<bool>,
    errors: Vec<Option<StepError>>,
    observation_size: usize,
    fields: Vec<InfoField>,
    /// Number of fields, and of values, that are also reported after a reset.
    state_fields: usize,
    /// Values of all fields of one environment.
    info_width: usize,
    infos: Vec<f64>,
    final_observations: Vec<f64>,
    final_infos: Vec<f64>,
}

impl std::fmt::Debug for VecEnv {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VecEnv")
            .field("num_envs", &self.num_envs())
            .field("settings", &self.settings)
            .field("observation_size", &self.observation_size)
            .finish_non_exhaustive()
    }
}

impl VecEnv {
    pub(crate) fn new(
        task: Box<dyn Task>,
        model: Arc<Model>,
        num_envs: usize,
        threads: Option<usize>,
        settings: Settings,
    ) -> Result<Self, Error> {
        let observation_size = task.observation_size(&model);
        let InfoFields { state, step } = task.info_fields(&model);
        let state_fields = state.len();
        let fields = [state, step].concat();
        let info_width = fields.iter().map(InfoField::size).sum();
        let mut batch = BatchSim::new(model, num_envs);
        if let Some(threads) = threads {
            batch = batch.with_threads(threads)?;
        }
        if settings.lanes {
            batch = batch.with_lanes();
            batch = if task.needs_full_data() { batch.with_full_data() } else { batch };
            batch = if task.needs_cfrc_ext() { batch.with_external_wrenches() } else { batch };
        }
        let lane_rows = if settings.lanes { num_envs } else { 0 };
        // the rows of finished episodes are used in one mode only
        let finals = if settings.autoreset == Autoreset::SameStep { num_envs } else { 0 };
        let slots = (0..num_envs).map(|_| Slot::new(Rng::from_entropy(), observation_size));
        Ok(Self {
            batch,
            task,
            settings,
            slots: slots.collect(),
            running: vec![false; lane_rows],
            errors: vec![None; lane_rows],
            observation_size,
            fields,
            state_fields,
            info_width,
            infos: vec![0.0; num_envs * info_width],
            final_observations: vec![0.0; finals * observation_size],
            final_infos: vec![0.0; finals * info_width],
        })
    }

    /// Starts a new episode in all environments, or in those whose entry in `mask` is true, and writes
    /// the observations of all environments.
    ///
    /// # Errors
    /// When a buffer has the wrong length, or the mask selects no environment.
    pub fn reset<O: Real>(
        &mut self,
        seeds: Seeds<'_>,
        mask: Option<&[bool]>,
        observations: &mut [O],
    ) -> Result<(), Error> {
        let count = self.num_envs();
        check_length("observations", count * self.observation_size, observations.len())?;
        if let Some(mask) = mask {
            check_length("mask", count, mask.len())?;
            if !mask.contains(&true) {
                return Err(Error::EmptyMask);
            }
        }
        if let Seeds::Each(seeds) = seeds {
            check_length("seeds", count, seeds.len())?;
        }
        for (i, slot) in self.slots.iter_mut().enumerate() {
            slot.begin_reset(mask.is_none_or(|mask| mask[i]));
            let seed = match seeds {
                Seeds::Continue => None,
                Seeds::From(first) => Some(first.wrapping_add(i as u64)),
                Seeds::Each(seeds) => seeds[i],
            };
            if let Some(seed) = seed.filter(|_| slot.is_selected()) {
                slot.rng = Rng::new(seed);
            }
        }
        let context = StepContext::new(&*self.task, &self.settings, self.observation_size);
        let rows = (
            &mut self.slots[..],
            ChunksMut { values: observations, width: self.observation_size },
            ChunksMut { values: &mut self.infos[..], width: self.info_width },
        );
        self.batch.for_each(rows, |_, model, data, (slot, observation, info)| {
            let slot = &mut slot[0];
            if slot.is_selected() {
                context.reset(model, data, slot, info.values);
            }
            context.observe(model, data, slot, observation.values);
        });
        Ok(())
    }

    /// Takes one step in every environment: `actions` has [`VecEnv::action_size`] values per
    /// environment.
    ///
    /// # Errors
    /// When a buffer has the wrong length, an environment was not reset, or its episode has ended and
    /// automatic resets are disabled. A simulation that diverges is not an error of the call: its
    /// episode is terminated, and [`VecEnv::errors`] has the reason.
    pub fn step<A: Real, O: Real>(
        &mut self,
        actions: &[A],
        out: StepBuffers<'_, O>,
    ) -> Result<(), Error> {
        let (count, nu) = (self.num_envs(), self.batch.nu());
        check_length("actions", count * nu, actions.len())?;
        check_length("observations", count * self.observation_size, out.observations.len())?;
        check_length("rewards", count, out.rewards.len())?;
        check_length("terminated", count, out.terminated.len())?;
        check_length("truncated", count, out.truncated.len())?;
        for (i, slot) in self.slots.iter().enumerate() {
            if slot.is_new() {
                return Err(Error::NotReset(i));
            }
            if self.settings.autoreset == Autoreset::Disabled && slot.is_done {
                return Err(Error::EpisodeEnded(i));
            }
        }
        let context = StepContext::new(&*self.task, &self.settings, self.observation_size);
        let has_finals = self.settings.autoreset == Autoreset::SameStep;
        let final_width = |width| if has_finals { width } else { 0 };
        let in_lanes = self.settings.lanes;
        if in_lanes {
            let rows =
                (&mut self.slots[..], Chunks { values: actions, width: nu }, &mut self.running[..]);
            self.batch.for_each(rows, |_, model, data, (slot, action, running)| {
                running[0] = context.begin(model, data, &mut slot[0], action.values);
            });
            self.batch.advance(self.settings.frame_skip, &self.running, &mut self.errors);
        }
        let (running, errors) = (&self.running, &self.errors);
        let rows = (
            &mut self.slots[..],
            Chunks { values: actions, width: nu },
            ChunksMut { values: out.observations, width: self.observation_size },
            (out.rewards, out.terminated, out.truncated),
            ChunksMut { values: &mut self.infos[..], width: self.info_width },
            ChunksMut {
                width: final_width(self.observation_size),
                values: &mut self.final_observations[..],
            },
            ChunksMut { width: final_width(self.info_width), values: &mut self.final_infos[..] },
        );
        self.batch.for_each(rows, |index, model, data, row| {
            let (slot, action, observation, outcome, info, final_observation, final_info) = row;
            let buffers = Buffers {
                observation: observation.values,
                reward: &mut outcome.0[0],
                terminated: &mut outcome.1[0],
                truncated: &mut outcome.2[0],
                info: info.values,
                final_observation: final_observation.values,
                final_info: final_info.values,
            };
            let slot = &mut slot[0];
            if !in_lanes {
                context.step(model, data, slot, action.values, buffers);
            } else if running[index] {
                let error = errors[index].clone();
                context.finish(model, data, slot, error, A::IS_SINGLE, buffers);
            } else {
                context.restart(model, data, slot, buffers);
            }
        });
        Ok(())
    }
}
