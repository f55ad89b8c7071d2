//! A run that a command asks for: a model, where it starts, how long it goes and what drives it.

use crate::Failure;
use crate::control::Control;
use crate::source::Source;
use clap::Args;
use sim_physics::types::ObjType;
use sim_physics::{Data, Model};

/// Options of commands that simulate.
#[derive(Args)]
pub(crate) struct Course {
    #[command(flatten)]
    pub source: Source,
    /// Number of steps.
    #[arg(long, conflicts_with = "time")]
    steps: Option<u64>,
    /// Seconds of simulated time; 10 if neither this nor --steps is given.
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    time: Option<f64>,
    /// Controls: zero, noise, noise:SEED, or a number for each actuator, separated by commas. As
    /// the keyframe has them, or zero, if not given; noise for the built-in humanoid.
    #[arg(long, allow_hyphen_values = true)]
    ctrl: Option<Control>,
    /// Start from this keyframe.
    #[arg(long, value_name = "NAME")]
    keyframe: Option<String>,
}

/// More steps than this are a mistake.
const MAX_STEPS: f64 = 1e12;

impl Course {
    /// The state to start from.
    pub(crate) fn start(&self, model: &Model) -> Result<Data, Failure> {
        let mut data = model.make_data();
        if let Some(name) = &self.keyframe {
            let key = model
                .name2id(ObjType::Key, name)
                .ok_or_else(|| format!("the model has no keyframe `{name}`"))?;
            data.reset_to_keyframe(model, key);
        }
        Ok(data)
    }

    /// The controls, which fit the model.
    pub(crate) fn control(&self, model: &Model) -> Result<Control, Failure> {
        let default = if self.source.is_built_in() { Control::Noise(0) } else { Control::Keep };
        let control = self.ctrl.clone().unwrap_or(default);
        control.check(model)?;
        Ok(control)
    }

    /// The number of steps asked for.
    pub(crate) fn count(&self, model: &Model) -> Result<u64, Failure> {
        if let Some(steps) = self.steps {
            return Ok(steps);
        }
        let time = self.time.unwrap_or(10.0);
        if !(0.0..=1e9).contains(&time) {
            return Err("--time must be a number of seconds, not negative".into());
        }
        let steps = (time / model.opt.timestep).round();
        if steps.is_nan() || steps > MAX_STEPS {
            return Err(format!(
                "{time} s are {steps:e} steps of {} s; give --steps or a larger --timestep",
                model.opt.timestep
            )
            .into());
        }
        Ok(steps as u64)
    }
}
