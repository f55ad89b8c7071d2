//! What the environments of a batch are for: rewards, ends and starts of episodes.

use sim_core::{Data, Model};

/// The reward of a state. Any function of a model and its data is one.
pub trait RewardFn: Send + Sync {
    /// The reward of the state in `data`.
    fn compute(&self, model: &Model, data: &Data) -> f64;
}

impl<F: Fn(&Model, &Data) -> f64 + Send + Sync> RewardFn for F {
    fn compute(&self, model: &Model, data: &Data) -> f64 {
        self(model, data)
    }
}

/// Which episode begins. The two numbers tell all episodes of a batch apart, so a random start made
/// from them is the same in every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Episode {
    /// The environment.
    pub environment: usize,
    /// How often this environment was reset, counting this time.
    pub count: u64,
}

type Condition = Box<dyn Fn(&Model, &Data) -> bool + Send + Sync>;
type Start = Box<dyn Fn(&Model, &mut Data, Episode) + Send + Sync>;

pub(super) struct Task {
    pub reward: Option<Box<dyn RewardFn>>,
    pub is_over: Option<Condition>,
    pub start: Option<Start>,
    pub time_limit: f64,
    pub auto_reset: bool,
}

impl Default for Task {
    fn default() -> Self {
        let time_limit = f64::INFINITY;
        Self { reward: None, is_over: None, start: None, time_limit, auto_reset: false }
    }
}
