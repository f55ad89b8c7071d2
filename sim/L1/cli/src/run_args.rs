//! Arguments of commands that simulate: model, initial state, duration and controls.

use crate::Failure;
use crate::control::Control;
use crate::model_args::ModelArgs;
use clap::Args;
use sim_physics::types::ObjType;
use sim_physics::{Data, Model};

/// Arguments of commands that simulate.
#[derive(Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Number of steps.
    #[arg(long, conflicts_with = "time")]
    steps: Option<u64>,
    /// Simulated time in seconds; default 10.
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    time: Option<f64>,
    /// Controls: zero, noise, noise:SEED, or one number per actuator, separated by commas.
    /// Default: those of the keyframe, or zero; noise for the built-in humanoid.
    #[arg(long, allow_hyphen_values = true)]
    ctrl: Option<Control>,
    /// Start from this keyframe.
    #[arg(long, value_name = "NAME")]
    keyframe: Option<String>,
}

/// Maximum number of steps derived from --time; more indicate a mistyped argument.
const MAX_STEPS: f64 = 1e12;

impl RunArgs {
    /// The initial state.
    pub(crate) fn initial_data(&self, model: &Model) -> Result<Data, Failure> {
        let mut data = model.make_data();
        if let Some(name) = &self.keyframe {
            let key = model
                .name2id(ObjType::Key, name)
                .ok_or_else(|| format!("the model has no keyframe `{name}`"))?;
            data.reset_to_keyframe(model, key);
        }
        Ok(data)
    }

    /// The controls, checked against the model.
    pub(crate) fn control(&self, model: &Model) -> Result<Control, Failure> {
        let default = if self.model.is_built_in() { Control::Noise(0) } else { Control::Keep };
        let control = self.ctrl.clone().unwrap_or(default);
        control.check(model)?;
        Ok(control)
    }

    /// The number of steps.
    pub(crate) fn steps(&self, model: &Model) -> Result<u64, Failure> {
        if let Some(steps) = self.steps {
            return Ok(steps);
        }
        let time = self.time.unwrap_or(10.0);
        if !(0.0..=1e9).contains(&time) {
            return Err("--time must be a non-negative number of seconds".into());
        }
        let steps = (time / model.opt.timestep).round();
        if steps.is_nan() || steps > MAX_STEPS {
            return Err(format!(
                "{time} s is {steps:e} steps of {} s; give --steps or a larger --timestep",
                model.opt.timestep
            )
            .into());
        }
        Ok(steps as u64)
    }
}
