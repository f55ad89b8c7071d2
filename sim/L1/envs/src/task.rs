//! What a task is: observations, rewards, terminations and initial states of a model.

use crate::{Error, Parameters, Rng};
use sim_physics::{Data, Model};
use std::borrow::Cow;

/// A task: how the state of a model is observed and rewarded, when an episode ends and how it starts.
/// Only [`Task::observation_size`], [`Task::observe`] and [`Task::evaluate`] are required.
///
/// A task has no state of its own: every method takes the state of one environment, and environments
/// are stepped by several threads at once.
pub trait Task: Send + Sync {
    /// Looks up in the model what the task needs, such as the indices of bodies. Called once, before all
    /// other methods.
    ///
    /// # Errors
    /// When the model does not fit the task.
    fn bind(&mut self, model: &Model) -> Result<(), Error> {
        let _ = model;
        Ok(())
    }

    /// Number of values of an observation.
    fn observation_size(&self, model: &Model) -> usize;

    /// Writes the observation of the current state.
    fn observe(&self, model: &Model, data: &Data, observation: &mut [f64]);

    /// Reward and termination of a step, evaluated after it. The values of [`InfoFields::step`] are
    /// written to `info`.
    fn evaluate(&self, step: &Step<'_>, info: &mut Info<'_>) -> Outcome;

    /// Sets the state in which an episode starts. `data` is at the reference configuration, and is
    /// evaluated afterwards ([`Data::forward`]).
    fn reset(&self, model: &Model, data: &mut Data, rng: &mut Rng) {
        let _ = (model, data, rng);
    }

    /// Quantities of the state before a step that [`Task::evaluate`] needs, such as a position.
    fn before(&self, model: &Model, data: &Data) -> [f64; 4] {
        let _ = (model, data);
        [0.0; 4]
    }

    /// Names and sizes of the values that the task reports beside the reward.
    fn info_fields(&self, model: &Model) -> InfoFields {
        let _ = model;
        InfoFields::default()
    }

    /// Writes the values of [`InfoFields::state`], after a reset and after every step.
    fn state_info(&self, model: &Model, data: &Data, info: &mut Info<'_>) {
        let _ = (model, data, info);
    }

    /// Whether observations or rewards use `cfrc_ext`, which is then computed after each step.
    fn needs_cfrc_ext(&self) -> bool {
        false
    }

    /// Whether observations, rewards or infos use fields of `Data` beside those that a step in lanes writes
    /// ([`LaneGroup::store`](sim_physics::lanes::LaneGroup::store), `cfrc_ext` and `sensordata`). With
    /// [`Builder::lanes`](crate::Builder::lanes) the last time step of each step is then taken by the scalar engine.
    fn needs_full_data(&self) -> bool {
        true
    }

    /// The camera of rendered images.
    fn camera(&self) -> Camera {
        Camera::default()
    }

    /// The options that can be set by name, if there are any.
    fn parameters(&mut self) -> Option<&mut dyn Parameters> {
        None
    }
}

/// A step that was taken, as [`Task::evaluate`] sees it.
#[derive(Debug)]
pub struct Step<'a> {
    /// The model of the environment, with its variation.
    pub model: &'a Model,
    /// The state after the step. `data.ctrl` is the action.
    pub data: &'a Data,
    /// The result of [`Task::before`] before the step.
    pub before: [f64; 4],
    /// Duration of the step, s: the time step times the number of frames.
    pub dt: f64,
    /// Whether the action was given in single precision.
    pub is_single: bool,
}

impl Step<'_> {
    /// Sum of the squares of the action, times `weight`. Computed in `f32` if the action was `f32`, as in
    /// gymnasium.
    #[must_use]
    pub fn control_cost(&self, weight: f64) -> f64 {
        if self.is_single {
            f64::from(weight as f32 * square_sum_f32(&self.data.ctrl))
        } else {
            weight * square_sum(&self.data.ctrl)
        }
    }
}

/// Sum of squares.
pub(crate) fn square_sum(values: &[f64]) -> f64 {
    values.iter().map(|x| x * x).sum()
}

/// Sum of squares in single precision, in the order of NumPy's pairwise summation.
fn square_sum_f32(values: &[f64]) -> f32 {
    let square = |x: &f64| (*x as f32) * (*x as f32);
    let (blocks, rest) = values.as_chunks::<8>();
    if values.len() > 128 {
        let half = values.len() / 2 / 8 * 8;
        return square_sum_f32(&values[..half]) + square_sum_f32(&values[half..]);
    }
    let mut sums = [0.0_f32; 8];
    for block in blocks {
        for (sum, x) in sums.iter_mut().zip(block) {
            *sum += square(x);
        }
    }
    let pairs =
        ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    rest.iter().fold(pairs, |sum, x| sum + square(x))
}

/// The result of [`Task::evaluate`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// The reward.
    pub reward: f64,
    /// Whether the episode ends in this state.
    pub terminated: bool,
}

/// A value that a task reports beside the reward.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InfoField {
    /// Name of the value.
    pub name: Cow<'static, str>,
    /// Length of an array; `None` for a number.
    pub len: Option<usize>,
}

impl InfoField {
    /// A number.
    #[must_use]
    pub fn number(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), len: None }
    }

    /// An array.
    #[must_use]
    pub fn array(name: impl Into<Cow<'static, str>>, len: usize) -> Self {
        Self { name: name.into(), len: Some(len) }
    }

    /// Number of values.
    #[must_use]
    pub fn size(&self) -> usize {
        self.len.unwrap_or(1)
    }
}

/// The values that a task reports beside the reward.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InfoFields {
    /// Reported after resets and after steps.
    pub state: Vec<InfoField>,
    /// Reported after steps only.
    pub step: Vec<InfoField>,
}

impl InfoFields {
    /// Fields of single numbers.
    #[must_use]
    pub fn numbers(state: &[&'static str], step: &[&'static str]) -> Self {
        let fields =
            |names: &[&'static str]| names.iter().copied().map(InfoField::number).collect();
        Self { state: fields(state), step: fields(step) }
    }
}

/// Writes the values of [`InfoFields`] in their order.
#[derive(Debug)]
pub struct Info<'a> {
    rest: &'a mut [f64],
}

impl<'a> Info<'a> {
    pub(crate) fn new(row: &'a mut [f64]) -> Self {
        Self { rest: row }
    }

    /// Writes the next number. Numbers beyond the declared fields are dropped.
    pub fn push(&mut self, value: f64) {
        self.extend(&[value]);
    }

    /// Writes the next numbers. Numbers beyond the declared fields are dropped.
    pub fn extend(&mut self, values: &[f64]) {
        let count = values.len().min(self.rest.len());
        let (row, rest) = std::mem::take(&mut self.rest).split_at_mut(count);
        row.copy_from_slice(&values[..count]);
        self.rest = rest;
    }
}

/// The default camera of a task's images; what is `None` has the value of the model's free camera.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Camera {
    /// Index of the body that the camera tracks.
    pub track_body: Option<usize>,
    /// Distance from the point that it looks at, m.
    pub distance: Option<f64>,
    /// Point that it looks at, m.
    pub lookat: Option<[f64; 3]>,
    /// Angle above the horizon, degrees.
    pub elevation: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::{Info, square_sum_f32};

    #[test]
    fn single_precision_sum_is_rounded_after_every_operation() {
        let values: Vec<f64> = (0..11).map(|i| f64::from((0.1 * i as f32).sin())).collect();
        let single: Vec<f32> = values.iter().map(|x| *x as f32 * *x as f32).collect();
        let s = &single;
        let pairs = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
        assert_eq!(square_sum_f32(&values), ((pairs + s[8]) + s[9]) + s[10]);
        assert_eq!(square_sum_f32(&values[..3]), (s[0] + s[1]) + s[2]);
    }

    #[test]
    fn info_beyond_the_fields_is_dropped() {
        let mut row = [0.0; 3];
        let mut info = Info::new(&mut row);
        info.push(1.0);
        info.extend(&[2.0, 3.0, 4.0]);
        info.push(5.0);
        assert_eq!(row, [1.0, 2.0, 3.0]);
    }
}
