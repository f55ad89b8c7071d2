//! Steps of environments in SIMD lanes ([`sim_lanes`]).

use super::environment::{Environment, Scratch};
use super::parallel::{Chunks, ChunksMut};
use super::task::Task;
use sim_core::types::{Integrator, StepError};
use sim_core::{
    Model, MotionSensorInputs, mj_external_wrenches, mj_sensors_from_motion, motion_sensor_inputs,
};
use sim_lanes::{LaneGroup, LaneModel, similarity_order};
use std::sync::{Arc, Mutex, PoisonError};

/// The models of a batch that are stepped in lanes.
pub(super) struct BatchLanes {
    /// For each distinct model, its tables if lanes support it.
    models: Vec<Option<LaneModel>>,
    /// For each distinct model, how its sensors are evaluated.
    sensors: Vec<Sensors>,
    /// Number of environments in a group; 1 if no model is stepped in lanes.
    pub(super) width: usize,
    /// Buffers that no thread uses at the moment.
    free: Mutex<Vec<Buffers>>,
}

/// Buffers of one thread.
#[derive(Default)]
struct Buffers {
    /// A group for each model, allocated on first use.
    groups: Vec<Option<LaneGroup>>,
    /// Model, sort key and position of the environments that are stepped in lanes.
    order: Vec<(usize, u64, usize)>,
    /// Error and terminal state of each environment.
    ends: Vec<End>,
}

/// Error of the last step of an environment, and whether its state is terminal.
type End = (Option<StepError>, bool);

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
    pub results: Results,
}

impl BatchLanes {
    pub(super) fn new(models: &[Arc<Model>]) -> Self {
        let sensors = models.iter().map(|m| Sensors::of(m)).collect();
        let models: Vec<Option<LaneModel>> =
            models.iter().map(|m| LaneModel::new(m).ok()).collect();
        let width = models.iter().flatten().next().map_or(1, LaneModel::lanes);
        Self { models, sensors, width, free: Mutex::default() }
    }

    /// Whether environments of a model are stepped in lanes.
    pub(super) fn supports(&self, model: usize) -> bool {
        self.models.get(model).is_some_and(Option::is_some)
    }

    fn with_buffers(&self, work: impl FnOnce(&mut Buffers)) {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let buffers = free().pop();
        let mut buffers = buffers.unwrap_or_default();
        work(&mut buffers);
        free().push(buffers);
    }

    /// Steps a part of the batch.
    pub(super) fn step(&self, shared: Shared<'_>, part: Part<'_>) {
        let Shared { models, task, scratch, .. } = shared;
        let Part { environments, ctrl, states, rewards, terminated, truncated, errors } = part;
        self.with_buffers(|buffers| {
            for (i, environment) in environments.iter_mut().enumerate() {
                let row = &ctrl.values[i * ctrl.width..][..ctrl.width];
                environment.with_model(models, scratch, |model, environment| {
                    environment.begin_step(model, task, row);
                });
            }
            self.advance(shared, environments, |_| true, buffers);
            for (i, environment) in environments.iter_mut().enumerate() {
                let state = &mut states.values[i * states.width..][..states.width];
                let (error, is_terminal) = std::mem::take(&mut buffers.ends[i]);
                let outcome = environment.with_model(models, scratch, |model, environment| {
                    environment.finish_step(model, task, error, is_terminal, state)
                });
                (rewards[i], terminated[i], truncated[i]) =
                    (outcome.reward, outcome.terminated, outcome.truncated);
                errors[i] = outcome.error;
            }
        });
    }

    /// Advances the selected environments of a part, without episodes.
    pub(super) fn advance_selected(
        &self,
        shared: Shared<'_>,
        environments: &mut [Environment],
        selected: &[bool],
        errors: &mut [Option<StepError>],
    ) {
        self.with_buffers(|buffers| {
            self.advance(shared, environments, |i| selected[i], buffers);
            for (error, end) in errors.iter_mut().zip(&mut buffers.ends) {
                *error = end.0.take();
            }
        });
    }

    /// Takes the steps of the selected environments. Those that lanes do not support, and those that diverge, are
    /// stepped by the scalar engine.
    fn advance(
        &self,
        shared: Shared<'_>,
        environments: &mut [Environment],
        is_selected: impl Fn(usize) -> bool,
        buffers: &mut Buffers,
    ) {
        let Shared { models, scratch, n, .. } = shared;
        let Buffers { groups, order, ends } = buffers;
        order.clear();
        ends.clear();
        ends.resize(environments.len(), (None, false));
        for (i, environment) in environments.iter_mut().enumerate() {
            if !is_selected(i) {
                continue;
            }
            let model = environment.model;
            if environment.variation.is_none()
                && let Some(lanes) = self.models.get(model).and_then(Option::as_ref)
            {
                let is_scalar = environment.scalar_calls > 0;
                environment.scalar_calls = environment.scalar_calls.saturating_sub(1);
                let steps = shared.lane_steps(self.sensors[model]);
                if !is_scalar && steps > 0 && lanes.accepts(&environment.data) {
                    order.push((model, environment.similarity, i));
                    continue;
                }
            }
            ends[i] = environment
                .with_model(models, scratch, |model, e| shared.advance_scalar(model, e, n));
        }
        order.sort_unstable();
        groups.resize_with(self.models.len(), || None);
        for same_model in order.chunk_by(|a, b| a.0 == b.0) {
            let model = same_model[0].0;
            let Some(tables) = &self.models[model] else { continue };
            let group = groups[model].get_or_insert_with(|| tables.make_group());
            for members in same_model.chunks(group.lanes()) {
                let sensors = self.sensors[model];
                step_group(shared, (&models[model], sensors), group, members, environments, ends);
            }
        }
    }
}

/// Fields of `Data` that the last step of a call writes beside the state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Results {
    /// All fields: the scalar engine takes the last step.
    pub is_full: bool,
    /// Contact wrenches (`cfrc_ext`).
    pub wrenches: bool,
}

impl Shared<'_> {
    /// Number of steps that are taken in lanes.
    fn lane_steps(&self, sensors: Sensors) -> usize {
        if !self.results.is_full && sensors != Sensors::Scalar {
            return self.n;
        }
        // any step may be the last one if there is a termination condition
        if self.task.termination.is_some() { 0 } else { self.n.saturating_sub(1) }
    }

    /// Takes up to `n` steps with the scalar engine.
    pub(super) fn advance_scalar(&self, m: &Model, environment: &mut Environment, n: usize) -> End {
        let end = environment.advance(m, self.task, n);
        if self.results.wrenches {
            mj_external_wrenches(m, &mut environment.data);
        }
        end
    }
}

/// How the sensors of a model are evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sensors {
    /// The model has none, or they are switched off.
    None,
    /// From the motion of the bodies, which lanes compute.
    Motion(MotionSensorInputs),
    /// By a step of the scalar engine.
    Scalar,
}

impl Sensors {
    pub(super) fn of(m: &Model) -> Self {
        if m.nsensor == 0 || m.opt.disabled(sim_core::types::DisableBit::Sensor) {
            return Self::None;
        }
        motion_sensor_inputs(m).map_or(Self::Scalar, Self::Motion)
    }
}

/// Number of calls in which an environment that lanes could not step is left to the scalar engine.
const SCALAR_CALLS: u32 = 8;

/// Steps one group of environments; writes their errors and terminal states.
fn step_group(
    shared: Shared<'_>,
    (m, sensors): (&Model, Sensors),
    group: &mut LaneGroup,
    members: &[(usize, u64, usize)],
    environments: &mut [Environment],
    ends: &mut [End],
) {
    let task = shared.task;
    for (lane, &(_, _, i)) in members.iter().enumerate() {
        group.load(lane, &environments[i].data);
    }
    // spare lanes repeat the first environment
    for lane in members.len()..group.lanes() {
        group.copy(0, lane);
    }
    let n = shared.lane_steps(sensors);
    for step in 1..=n {
        // only a termination condition reads the sensors of other steps than the last one
        let read = step == shared.n || task.termination.is_some();
        let results_are_stored = read && matches!(sensors, Sensors::Motion(_));
        let failed = match sensors {
            Sensors::Motion(inputs) if read => {
                group.step_with_results(m, inputs.wrenches, &mut |results| {
                    for (lane, &(_, _, i)) in members.iter().enumerate() {
                        if ends[i].0.is_none() && !ends[i].1 {
                            let data = &mut environments[i].data;
                            results.store(lane, data);
                            mj_sensors_from_motion(m, data);
                        }
                    }
                })
            }
            _ => group.step(m),
        };
        let mut has_wrenches = false;
        for (lane, &(_, _, i)) in members.iter().enumerate() {
            // an environment whose step failed, or that is in a terminal state, waits
            if ends[i].0.is_some() || ends[i].1 {
                continue;
            }
            let environment = &mut environments[i];
            if failed >> lane & 1 != 0 {
                // the scalar engine steps what lanes cannot, and handles divergence
                group.store_state(lane, &mut environment.data);
                ends[i] = shared.advance_scalar(m, environment, 1);
                group.load(lane, &environment.data);
                environment.scalar_calls = SCALAR_CALLS;
            } else if step == n || task.termination.is_some() {
                // only a termination condition reads the states in between
                // with sensors the results have been stored; those after RK4 are of its last stage
                if results_are_stored && m.opt.integrator != Integrator::Rk4 {
                    group.store_state(lane, &mut environment.data);
                } else {
                    group.store(lane, &mut environment.data);
                }
                environment.similarity = similarity_order(group.signature(lane));
                ends[i].1 = task.is_terminal(m, &environment.data);
                if shared.results.wrenches {
                    if !has_wrenches {
                        group.compute_external_wrenches();
                        has_wrenches = true;
                    }
                    group.store_external_wrenches(lane, &mut environment.data);
                }
            }
        }
    }
    // the last step, if all results are requested
    for &(_, _, i) in members.iter().filter(|_| n < shared.n) {
        if ends[i].0.is_none() && !ends[i].1 {
            ends[i] = shared.advance_scalar(m, &mut environments[i], 1);
        }
    }
}
