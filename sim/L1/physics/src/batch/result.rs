//! The result of a batch step.

use sim_core::types::StepError;

/// States, rewards and episode ends of all environments after a step. The next step reuses its
/// arrays.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchResult {
    /// Length of a row of `states`: the largest `nq + nv` of the batch's models.
    pub width: usize,
    /// `qpos` then `qvel` of each environment, row-major. Rows of smaller models are padded with
    /// zeros.
    pub states: Vec<f64>,
    /// Reward of each environment; zero without a reward function.
    pub rewards: Vec<f64>,
    /// Whether the episode ended by its termination condition, or because the step failed.
    pub terminated: Vec<bool>,
    /// Whether the episode reached its time limit.
    pub truncated: Vec<bool>,
    /// The error of each environment whose step failed. It is reset at the next step; other
    /// environments are not affected.
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

    /// The state row of an environment.
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

    /// Whether the episode of an environment was terminated or truncated.
    ///
    /// # Panics
    /// When there is no such environment.
    #[must_use]
    pub fn done(&self, environment: usize) -> bool {
        self.terminated[environment] || self.truncated[environment]
    }

    /// Copies the states to `out` in single precision, as many as fit.
    pub fn write_states_f32(&self, out: &mut [f32]) {
        for (to, from) in out.iter_mut().zip(&self.states) {
            *to = *from as f32;
        }
    }
}
