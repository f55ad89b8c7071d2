//! The task of a batch: reward, termination condition, initial states and time limit.

use sim_core::{Data, Model};

/// Reward function. Any `Fn(&Model, &Data) -> f64` implements it.
pub trait RewardFn: Send + Sync {
    /// Reward of the state in `data`.
    fn compute(&self, model: &Model, data: &Data) -> f64;
}

impl<F: Fn(&Model, &Data) -> f64 + Send + Sync> RewardFn for F {
    fn compute(&self, model: &Model, data: &Data) -> f64 {
        self(model, data)
    }
}

/// Identifies an episode. The pair is unique within a batch and the same in every run, so it can
/// seed reproducible random initial states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Episode {
    /// Index of the environment.
    pub environment: usize,
    /// Number of resets of this environment, including this one.
    pub count: u64,
}

type TerminationFn = Box<dyn Fn(&Model, &Data) -> bool + Send + Sync>;
type InitialStateFn = Box<dyn Fn(&Model, &mut Data, Episode) + Send + Sync>;

/// See the builder methods of [`BatchSim`](super::BatchSim).
pub(super) struct Task {
    pub reward: Option<Box<dyn RewardFn>>,
    pub termination: Option<TerminationFn>,
    pub initial_state: Option<InitialStateFn>,
    /// Simulated time after which an episode is truncated, s.
    pub time_limit: f64,
    pub auto_reset: bool,
}

impl Task {
    /// Whether the episode ends in the state in `data`.
    pub(super) fn is_terminal(&self, m: &Model, data: &Data) -> bool {
        self.termination.as_ref().is_some_and(|end| end(m, data))
    }
}

impl Default for Task {
    fn default() -> Self {
        Self {
            reward: None,
            termination: None,
            initial_state: None,
            time_limit: f64::INFINITY,
            auto_reset: false,
        }
    }
}
