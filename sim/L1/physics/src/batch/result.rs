//! What a step of a batch gives.

use sim_core::types::StepError;

/// The outcome of a step, environment by environment. Its arrays are used again by the next step.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchResult {
    /// Length of a row of `states`: `nq + nv` of the largest model.
    pub width: usize,
    /// Positions then velocities of each environment, one row after another. Rows of smaller models
    /// end in zeros.
    pub states: Vec<f64>,
    /// Rewards; zeros without a reward function.
    pub rewards: Vec<f64>,
    /// Whether the episode ended: by its own condition, or because the environment failed.
    pub terminated: Vec<bool>,
    /// Whether the episode reached its time limit.
    pub truncated: Vec<bool>,
    /// Why an environment failed. It is reset with the next step; the others never notice.
    pub errors: Vec<Option<StepError>>,
}

impl BatchResult {
    pub(super) fn new(n: usize, width: usize) -> Self {
        Self {
            width,
            states: vec![0.0; n * width],
            rewards: vec![0.0; n],
            terminated: vec![false; n],
            truncated: vec![false; n],
            errors: vec![None; n],
        }
    }

    /// The row of an environment.
    ///
    /// # Panics
    /// When there is no such environment.
    #[must_use]
    pub fn state(&self, environment: usize) -> &[f64] {
        &self.states[environment * self.width..][..self.width]
    }

    pub(super) fn state_mut(&mut self, environment: usize) -> &mut [f64] {
        &mut self.states[environment * self.width..][..self.width]
    }

    /// Whether an episode ended, one way or the other.
    #[must_use]
    pub fn done(&self, environment: usize) -> bool {
        self.terminated[environment] || self.truncated[environment]
    }

    /// All states in single precision, for learned policies; as many as fit.
    pub fn write_states_f32(&self, out: &mut [f32]) {
        for (to, from) in out.iter_mut().zip(&self.states) {
            *to = *from as f32;
        }
    }
}
