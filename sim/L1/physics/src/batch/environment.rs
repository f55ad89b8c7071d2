//! One environment of a batch: its state, its model variation, and its episode.

use super::task::{Episode, Task};
use sim_core::types::{StepError, Warning};
use sim_core::{Data, Model, Variation};
use std::sync::{Arc, Mutex};

/// Per-thread copies of the batch's models, to which variations are applied; allocated on first use.
pub(super) type Scratch = Vec<Option<Box<Model>>>;

pub(super) struct Environment {
    /// Index in the batch.
    pub index: usize,
    /// Index of its model among the distinct models of the batch.
    pub model: usize,
    pub data: Data,
    /// Arrays in which its model differs from the shared one.
    pub variation: Option<Box<Variation>>,
    /// Number of resets.
    episodes: u64,
    /// Simulated time at the start of the episode, s.
    start_time: f64,
    /// Whether the next step starts a new episode.
    is_done: bool,
    /// Sort key of its last constraints, see [`similarity_order`](sim_lanes::similarity_order).
    pub similarity: u64,
    /// Number of calls in which it is stepped by the scalar engine before lanes are tried again.
    pub scalar_calls: u32,
}

/// Result of stepping one environment.
pub(super) struct Outcome {
    pub reward: f64,
    pub terminated: bool,
    pub truncated: bool,
    pub error: Option<StepError>,
}

/// Warnings that reset the state.
const DIVERGED: [Warning; 3] = [Warning::BadQpos, Warning::BadQvel, Warning::BadQacc];

impl Environment {
    pub(super) fn new(index: usize, model: usize, m: &Model) -> Self {
        let data = m.make_data();
        let start_time = data.time;
        Self {
            index,
            model,
            data,
            variation: None,
            episodes: 0,
            start_time,
            is_done: false,
            similarity: 0,
            scalar_calls: 0,
        }
    }

    /// Calls `work` with the environment's model: the shared one, or this thread's copy with the
    /// variation swapped in.
    pub(super) fn with_model<R>(
        &mut self,
        models: &[Arc<Model>],
        scratch: &[Mutex<Scratch>],
        work: impl FnOnce(&Model, &mut Self) -> R,
    ) -> R {
        let base = &models[self.model];
        let Some(mut variation) = self.variation.take() else { return work(base, self) };
        // a caller on a larger thread pool shares the scratch of several threads
        let thread = rayon::current_thread_index().unwrap_or(0) % scratch.len().max(1);
        let mut copies = scratch[thread].lock().unwrap_or_else(|poisoned| {
            // user code panicked with a variation swapped in: discard the copies
            let mut copies = poisoned.into_inner();
            copies.clear();
            copies
        });
        if copies.len() < models.len() {
            copies.resize_with(models.len(), || None);
        }
        let model = copies[self.model].get_or_insert_with(|| Box::new(Model::clone(base)));
        model.exchange(&mut variation);
        let result = work(model, self);
        model.exchange(&mut variation);
        self.variation = Some(variation);
        result
    }

    /// Starts a new episode.
    pub(super) fn reset(&mut self, m: &Model, task: &Task) {
        self.data.reset(m);
        self.episodes += 1;
        if let Some(initial_state) = &task.initial_state {
            let episode = Episode { environment: self.index, count: self.episodes };
            initial_state(m, &mut self.data, episode);
        }
        self.start_time = self.data.time;
        self.is_done = false;
    }

    /// Takes up to `n` steps and writes the resulting state to `state`.
    pub(super) fn step(
        &mut self,
        m: &Model,
        task: &Task,
        ctrl: &[f64],
        n: usize,
        state: &mut [f64],
    ) -> Outcome {
        self.begin_step(m, task, ctrl);
        let (error, is_terminal) = self.advance(m, task, n);
        self.finish_step(m, task, error, is_terminal, state)
    }

    /// Starts a new episode if the last one ended, and sets the controls.
    pub(super) fn begin_step(&mut self, m: &Model, task: &Task, ctrl: &[f64]) {
        if self.is_done {
            self.reset(m, task);
        }
        self.data.ctrl.copy_from_slice(&ctrl[..m.nu]);
    }

    /// Takes up to `n` steps, until one fails or ends in a terminal state. Returns its error and whether the state is
    /// terminal.
    pub(super) fn advance(
        &mut self,
        m: &Model,
        task: &Task,
        n: usize,
    ) -> (Option<StepError>, bool) {
        let (mut error, mut is_terminal) = (None, false);
        for _ in 0..n {
            error = step(m, &mut self.data).err();
            is_terminal = task.is_terminal(m, &self.data);
            if error.is_some() || is_terminal {
                break;
            }
        }
        (error, is_terminal)
    }

    /// Writes the resulting state to `state`, and computes the reward and whether the episode ended.
    pub(super) fn finish_step(
        &mut self,
        m: &Model,
        task: &Task,
        error: Option<StepError>,
        is_terminal: bool,
        state: &mut [f64],
    ) -> Outcome {
        self.write_state(state);
        // half a time step of tolerance for the rounding of the accumulated time
        let is_late = self.data.time - self.start_time >= task.time_limit - 0.5 * m.opt.timestep;
        let outcome = Outcome {
            reward: task.reward.as_ref().map_or(0.0, |reward| reward.compute(m, &self.data)),
            terminated: is_terminal || error.is_some(),
            truncated: is_late && error.is_none(),
            error,
        };
        self.is_done =
            outcome.error.is_some() || task.auto_reset && (outcome.terminated || outcome.truncated);
        outcome
    }

    /// Writes `qpos`, `qvel` and zero padding to a row of the batch's states.
    pub(super) fn write_state(&self, row: &mut [f64]) {
        let (qpos, rest) = row.split_at_mut(self.data.qpos.len().min(row.len()));
        let (qvel, rest) = rest.split_at_mut(self.data.qvel.len().min(rest.len()));
        qpos.copy_from_slice(&self.data.qpos[..qpos.len()]);
        qvel.copy_from_slice(&self.data.qvel[..qvel.len()]);
        rest.fill(0.0);
    }
}

/// Takes one step. A divergence is an error even if the model resets automatically, because it ends
/// the episode.
pub(super) fn step(m: &Model, d: &mut Data) -> Result<(), StepError> {
    let before = DIVERGED.map(|kind| d.warning[kind as usize].number);
    let time = d.time;
    d.step(m)?;
    for (warning, before) in DIVERGED.into_iter().zip(before) {
        let now = d.warning[warning as usize];
        if now.number > before {
            return Err(StepError::Diverged { warning, index: now.lastinfo, time });
        }
    }
    Ok(())
}
