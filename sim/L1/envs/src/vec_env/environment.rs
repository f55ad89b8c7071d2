//! One environment: its episode, and how it is stepped and reset.

use super::{Autoreset, InfoRow, Real, Settings};
use crate::task::{Info, Step};
use crate::{Rng, Task};
use sim_physics::core::mj_external_wrenches;
use sim_physics::types::{StepError, Warning};
use sim_physics::{Data, Model};

/// What an environment has beside its simulation state.
pub(super) struct Slot {
    pub rng: Rng,
    /// Steps of the episode.
    elapsed: u64,
    /// Whether the episode has ended.
    pub is_done: bool,
    /// Whether it was never reset.
    is_new: bool,
    /// Whether the running call of `reset` applies to it.
    is_selected: bool,
    /// What its row of infos has.
    pub info_row: InfoRow,
    /// Whether the last step wrote the rows of the finished episode.
    pub has_final: bool,
    /// What [`Task::before`] returned before the running step.
    before: [f64; 4],
    /// The error that ended the episode in the last step.
    pub error: Option<StepError>,
    /// Observation in double precision, to be rounded.
    scratch: Vec<f64>,
}

impl Slot {
    pub(super) fn new(rng: Rng, observation_size: usize) -> Self {
        Self {
            rng,
            elapsed: 0,
            is_done: false,
            is_new: true,
            is_selected: false,
            info_row: InfoRow::Absent,
            has_final: false,
            before: [0.0; 4],
            error: None,
            scratch: vec![0.0; observation_size],
        }
    }

    pub(super) fn is_new(&self) -> bool {
        self.is_new
    }

    pub(super) fn is_selected(&self) -> bool {
        self.is_selected
    }

    /// Marks the environment for a reset, or as not taking part in it.
    pub(super) fn begin_reset(&mut self, is_selected: bool) {
        self.is_selected = is_selected;
        self.info_row = InfoRow::Absent;
        self.has_final = false;
        self.error = None;
    }

    /// Number of steps of the episode.
    pub(super) fn elapsed(&self) -> u64 {
        self.elapsed
    }

    /// Continues an episode from a state that the caller sets.
    pub(super) fn set_running(&mut self, elapsed: u64) {
        self.elapsed = elapsed;
        (self.is_new, self.is_done) = (false, false);
    }
}

/// What one environment writes in a step.
pub(super) struct Buffers<'a, O> {
    pub observation: &'a mut [O],
    pub reward: &'a mut f64,
    pub terminated: &'a mut bool,
    pub truncated: &'a mut bool,
    pub info: &'a mut [f64],
    pub final_observation: &'a mut [f64],
    pub final_info: &'a mut [f64],
}

/// Task and step settings common to all environments.
pub(super) struct StepContext<'a> {
    task: &'a dyn Task,
    frame_skip: usize,
    /// Steps of an episode.
    limit: u64,
    autoreset: Autoreset,
    needs_cfrc_ext: bool,
    observation_size: usize,
}

impl<'a> StepContext<'a> {
    pub(super) fn new(task: &'a dyn Task, settings: &Settings, observation_size: usize) -> Self {
        Self {
            task,
            frame_skip: settings.frame_skip,
            limit: settings.max_episode_steps.unwrap_or(u64::MAX),
            autoreset: settings.autoreset,
            needs_cfrc_ext: task.needs_cfrc_ext(),
            observation_size,
        }
    }

    /// Starts a new episode.
    pub(super) fn reset(&self, m: &Model, d: &mut Data, slot: &mut Slot, info: &mut [f64]) {
        d.reset(m);
        self.task.reset(m, d, &mut slot.rng);
        // fails for a model with unsupported features only, which the builder rejects
        let _ = d.forward(m);
        slot.set_running(0);
        slot.info_row = InfoRow::Reset;
        self.task.state_info(m, d, &mut Info::new(info));
    }

    pub(super) fn observe<O: Real>(&self, m: &Model, d: &Data, slot: &mut Slot, out: &mut [O]) {
        O::fill(out, &mut slot.scratch, |row| self.task.observe(m, d, row));
    }

    /// Takes one step, or starts the new episode that is due.
    pub(super) fn step<A: Real, O: Real>(
        &self,
        m: &Model,
        d: &mut Data,
        slot: &mut Slot,
        action: &[A],
        out: Buffers<'_, O>,
    ) {
        if self.begin(m, d, slot, action) {
            let error = simulate(m, d, self.frame_skip).err();
            if self.needs_cfrc_ext {
                mj_external_wrenches(m, d);
            }
            self.finish(m, d, slot, error, A::IS_SINGLE, out);
        } else {
            self.restart(m, d, slot, out);
        }
    }

    /// Sets the action. Returns whether a step is to be simulated; if not, a new episode is due.
    pub(super) fn begin<A: Real>(
        &self,
        m: &Model,
        d: &mut Data,
        slot: &mut Slot,
        action: &[A],
    ) -> bool {
        slot.has_final = false;
        slot.error = None;
        if slot.is_done {
            return false;
        }
        for (ctrl, action) in d.ctrl.iter_mut().zip(action) {
            *ctrl = action.to_f64();
        }
        slot.before = self.task.before(m, d);
        true
    }

    /// Starts the new episode that is due.
    pub(super) fn restart<O: Real>(
        &self,
        m: &Model,
        d: &mut Data,
        slot: &mut Slot,
        out: Buffers<'_, O>,
    ) {
        self.reset(m, d, slot, out.info);
        self.observe(m, d, slot, out.observation);
        (*out.reward, *out.terminated, *out.truncated) = (0.0, false, false);
    }

    /// Evaluates a step that was simulated.
    pub(super) fn finish<O: Real>(
        &self,
        m: &Model,
        d: &mut Data,
        slot: &mut Slot,
        error: Option<StepError>,
        is_single: bool,
        out: Buffers<'_, O>,
    ) {
        slot.error = error;
        slot.elapsed += 1;
        slot.info_row = InfoRow::Step;
        let mut info = Info::new(out.info);
        self.task.state_info(m, d, &mut info);
        let dt = m.opt.timestep * self.frame_skip as f64;
        let step = Step { model: m, data: d, before: slot.before, dt, is_single };
        let outcome = self.task.evaluate(&step, &mut info);
        *out.reward = outcome.reward;
        *out.terminated = outcome.terminated || slot.error.is_some();
        *out.truncated = slot.elapsed >= self.limit;
        slot.is_done = *out.terminated || *out.truncated;
        if slot.is_done && self.autoreset == Autoreset::SameStep {
            self.task.observe(m, d, &mut out.final_observation[..self.observation_size]);
            out.final_info.copy_from_slice(out.info);
            slot.has_final = true;
            self.reset(m, d, slot, out.info);
        }
        self.observe(m, d, slot, out.observation);
    }
}

/// Warnings after which the state was reset.
const DIVERGED: [Warning; 3] = [Warning::BadQpos, Warning::BadQvel, Warning::BadQacc];

/// Advances a simulation by a number of time steps, up to the first error. A divergence is an error,
/// although the simulation resets the state and could continue.
fn simulate(m: &Model, d: &mut Data, frames: usize) -> Result<(), StepError> {
    let before = DIVERGED.map(|kind| d.warning[kind as usize].number);
    for _ in 0..frames {
        let time = d.time;
        d.step(m)?;
        for (warning, before) in DIVERGED.into_iter().zip(before) {
            let now = d.warning[warning as usize];
            if now.number > before {
                return Err(StepError::Diverged { warning, index: now.lastinfo, time });
            }
        }
    }
    Ok(())
}
