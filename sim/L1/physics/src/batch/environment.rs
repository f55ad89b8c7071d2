//! One environment of a batch: its state, its variation, and how its episode goes.

use super::task::{Episode, Task};
use sim_core::types::{StepError, Warning};
use sim_core::{Data, Model, Variation};
use std::sync::{Arc, Mutex};

/// Copies of the batch's models that one thread varies, made when they are needed.
pub(super) type Scratch = Vec<Option<Box<Model>>>;

pub(super) struct Environment {
    /// Its place in the batch.
    pub number: usize,
    /// Its model's place among those of the batch.
    pub model: usize,
    pub data: Data,
    /// What its model has otherwise.
    pub variation: Option<Box<Variation>>,
    /// Episodes begun so far, not counting the first.
    episodes: u64,
    /// Simulated time at which the episode began.
    began: f64,
    /// Whether a new episode begins with the next step.
    is_done: bool,
}

/// How a step went.
pub(super) struct Outcome {
    pub reward: f64,
    pub terminated: bool,
    pub truncated: bool,
    pub error: Option<StepError>,
}

/// Warnings after which the state was reset.
const DIVERGED: [Warning; 3] = [Warning::BadQpos, Warning::BadQvel, Warning::BadQacc];

impl Environment {
    pub(super) fn new(number: usize, model: usize, m: &Model) -> Self {
        let data = m.make_data();
        let began = data.time;
        Self { number, model, data, variation: None, episodes: 0, began, is_done: false }
    }

    /// Calls `work` with the environment's model: the batch's, or this thread's copy with what the
    /// environment has otherwise.
    pub(super) fn with_model<R>(
        &mut self,
        models: &[Arc<Model>],
        scratch: &[Mutex<Scratch>],
        work: impl FnOnce(&Model, &mut Self) -> R,
    ) -> R {
        let base = &models[self.model];
        let Some(mut variation) = self.variation.take() else { return work(base, self) };
        // a caller may come from a larger pool of his own: then threads take turns
        let thread = rayon::current_thread_index().unwrap_or(0) % scratch.len().max(1);
        let mut copies = scratch[thread].lock().unwrap_or_else(|poisoned| {
            // user code panicked while a copy was varied: begin again
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

    /// Begins a new episode.
    pub(super) fn restart(&mut self, m: &Model, task: &Task) {
        self.data.reset(m);
        self.episodes += 1;
        if let Some(start) = &task.start {
            start(m, &mut self.data, Episode { environment: self.number, count: self.episodes });
        }
        self.began = self.data.time;
        self.is_done = false;
    }

    /// Takes up to `n` steps, and writes the state that it ends in.
    pub(super) fn advance(
        &mut self,
        m: &Model,
        task: &Task,
        ctrl: &[f64],
        n: usize,
        state: &mut [f64],
    ) -> Outcome {
        if self.is_done {
            self.restart(m, task);
        }
        self.data.ctrl.copy_from_slice(&ctrl[..m.nu]);
        let (mut error, mut is_over) = (None, false);
        for _ in 0..n {
            error = step(m, &mut self.data).err();
            is_over = task.is_over.as_ref().is_some_and(|is_over| is_over(m, &self.data));
            if error.is_some() || is_over {
                break;
            }
        }
        self.write_state(state);
        // the last step reaches the limit, whatever rounding says
        let late = self.data.time - self.began >= task.time_limit - 0.5 * m.opt.timestep;
        let outcome = Outcome {
            reward: task.reward.as_ref().map_or(0.0, |reward| reward.compute(m, &self.data)),
            terminated: is_over || error.is_some(),
            truncated: late && error.is_none(),
            error,
        };
        self.is_done =
            outcome.error.is_some() || task.auto_reset && (outcome.terminated || outcome.truncated);
        outcome
    }

    /// Positions and velocities, then zeros if other models have more of them.
    pub(super) fn write_state(&self, row: &mut [f64]) {
        let (qpos, rest) = row.split_at_mut(self.data.qpos.len().min(row.len()));
        let (qvel, rest) = rest.split_at_mut(self.data.qvel.len().min(rest.len()));
        qpos.copy_from_slice(&self.data.qpos[..qpos.len()]);
        qvel.copy_from_slice(&self.data.qvel[..qvel.len()]);
        rest.fill(0.0);
    }
}

/// One step. A state that diverged is an error even where the model asks to be reset then: the
/// episode is over.
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
