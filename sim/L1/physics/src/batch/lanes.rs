//! Steps of environments in SIMD lanes ([`sim_lanes`]).

use super::environment::{Environment, Outcome, Scratch};
use super::parallel::{Chunks, ChunksMut};
use super::task::Task;
use sim_core::Model;
use sim_core::types::StepError;
use sim_lanes::{LaneGroup, LaneModel, similarity_order};
use std::sync::{Arc, Mutex, PoisonError};

/// The models of a batch that are stepped in lanes.
pub(super) struct BatchLanes {
    /// For each distinct model, its tables if lanes support it.
    models: Vec<Option<LaneModel>>,
    /// Number of environments in a group; 1 if no model is stepped in lanes.
    pub(super) width: usize,
    /// Buffers that no thread uses at the moment.
    free: Mutex<Vec<Buffers>>,
}

/// Buffers of one thread.
struct Buffers {
    /// A group for each model, allocated on first use.
    groups: Vec<Option<LaneGroup>>,
    /// Model, sort key and position of the environments that are stepped in lanes.
    order: Vec<(usize, u64, usize)>,
}

/// Rows of a part of the environments, as in [`BatchSim::step_n`](super::BatchSim::step_n).
pub(super) struct Part<'a> {
    pub environments: &'a mut [Environment],
    pub ctrl: Chunks<'a, f64>,
    pub states: ChunksMut<'a, f64>,
    pub rewards: &'a mut [f64],
    pub terminated: &'a mut [bool],
    pub truncated: &'a mut [bool],
    pub errors: &'a mut [Option<StepError>],
}

/// What the steps of all environments share.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub models: &'a [Arc<Model>],
    pub task: &'a Task,
    pub scratch: &'a [Mutex<Scratch>],
    /// Number of time steps.
    pub n: usize,
}

impl Part<'_> {
    fn write(&mut self, i: usize, outcome: Outcome) {
        (self.rewards[i], self.terminated[i], self.truncated[i]) =
            (outcome.reward, outcome.terminated, outcome.truncated);
        self.errors[i] = outcome.error;
    }

    fn finish(&mut self, i: usize, m: &Model, task: &Task, end: (Option<StepError>, bool)) {
        let width = self.states.width;
        let state = &mut self.states.values[i * width..][..width];
        let outcome = self.environments[i].finish_step(m, task, end.0, end.1, state);
        self.write(i, outcome);
    }
}

impl BatchLanes {
    pub(super) fn new(models: &[Arc<Model>]) -> Self {
        let models = models.iter().map(|m| LaneModel::new(m).ok().filter(|_| !reads_sensors(m)));
        let models: Vec<Option<LaneModel>> = models.collect();
        let first = models.iter().flatten().next();
        let width = first.map_or(1, |model| model.make_group().lanes());
        Self { models, width, free: Mutex::default() }
    }

    /// Whether environments of a model are stepped in lanes.
    pub(super) fn supports(&self, model: usize) -> bool {
        self.models.get(model).is_some_and(Option::is_some)
    }

    /// Steps a part of the batch. Environments that lanes do not support, and those that diverge, are stepped by the
    /// scalar engine.
    pub(super) fn step(&self, shared: Shared<'_>, mut part: Part<'_>) {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let buffers = free().pop();
        let mut buffers = buffers.unwrap_or_else(|| Buffers {
            groups: self.models.iter().map(|_| None).collect(),
            order: Vec::new(),
        });
        self.step_part(shared, &mut part, &mut buffers);
        free().push(buffers);
    }

    fn step_part(&self, shared: Shared<'_>, part: &mut Part<'_>, buffers: &mut Buffers) {
        let Shared { models, task, scratch, n } = shared;
        let Buffers { groups, order } = buffers;
        order.clear();
        for i in 0..part.environments.len() {
            let environment = &mut part.environments[i];
            let model = environment.model;
            if environment.variation.is_none() && self.supports(model) {
                let row = &part.ctrl.values[i * part.ctrl.width..];
                environment.begin_step(&models[model], task, row);
                let is_scalar = environment.scalar_calls > 0;
                environment.scalar_calls = environment.scalar_calls.saturating_sub(1);
                if !is_scalar && LaneGroup::accepts(&environment.data) {
                    order.push((model, environment.similarity, i));
                } else {
                    let end = environment.advance(&models[model], task, n);
                    part.finish(i, &models[model], task, end);
                }
                continue;
            }
            let width = part.states.width;
            let row = &part.ctrl.values[i * part.ctrl.width..][..part.ctrl.width];
            let state = &mut part.states.values[i * width..][..width];
            let outcome = environment.with_model(models, scratch, |model, environment| {
                environment.step(model, task, row, n, state)
            });
            part.write(i, outcome);
        }
        order.sort_unstable();
        for same_model in order.chunk_by(|a, b| a.0 == b.0) {
            let model = same_model[0].0;
            let Some(tables) = &self.models[model] else { continue };
            let group = groups[model].get_or_insert_with(|| tables.make_group());
            for members in same_model.chunks(group.lanes()) {
                step_group(&models[model], task, n, group, members, part);
            }
        }
    }
}

/// Whether steps of a model evaluate sensors, which lanes do not.
fn reads_sensors(m: &Model) -> bool {
    m.nsensor > 0 && !m.opt.disabled(sim_core::types::DisableBit::Sensor)
}

/// Largest number of lanes.
const MAX_LANES: usize = 8;

/// Number of calls in which an environment that lanes could not step is left to the scalar engine.
const SCALAR_CALLS: u32 = 8;

/// Steps one group of environments.
fn step_group(
    m: &Model,
    task: &Task,
    n: usize,
    group: &mut LaneGroup,
    members: &[(usize, u64, usize)],
    part: &mut Part<'_>,
) {
    let count = members.len();
    for (lane, &(_, _, i)) in members.iter().enumerate() {
        group.load(lane, &part.environments[i].data);
    }
    // spare lanes repeat the first environment
    for lane in count..group.lanes() {
        group.copy(0, lane);
    }
    // bits of lanes that have finished, and their errors and terminal states
    let mut finished = 0u32;
    let mut ends: [(Option<StepError>, bool); MAX_LANES] = [const { (None, false) }; MAX_LANES];
    for step in 1..=n {
        let left = group.step();
        for (lane, &(_, _, i)) in members.iter().enumerate() {
            let bit = 1 << lane;
            if finished & bit != 0 {
                continue;
            }
            let environment = &mut part.environments[i];
            if left & bit != 0 {
                // the scalar engine steps what lanes cannot, and handles divergence
                group.store_state(lane, &mut environment.data);
                ends[lane] = environment.advance(m, task, 1);
                group.load(lane, &environment.data);
                environment.scalar_calls = SCALAR_CALLS;
            } else if step == n || task.termination.is_some() {
                // only a termination condition reads the states in between
                group.store(lane, &mut environment.data);
                environment.similarity = similarity_order(group.signature(lane));
                ends[lane].1 = task.is_terminal(m, &environment.data);
            }
            if ends[lane].0.is_some() || ends[lane].1 {
                finished |= bit;
            }
        }
    }
    for (&(_, _, i), end) in members.iter().zip(ends) {
        part.finish(i, m, task, end);
    }
}
