//! `sim view`: an interactive window.

use crate::Failure;
use crate::control::Control;
use crate::model_args::{ModelArgs, load};
use clap::Args;
use sim_physics::types::ObjType;
use sim_physics::{Data, Model, Simulation};
use sim_viewer::Options;
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments of `sim view`.
#[derive(Args)]
#[command(after_help = "Examples:
  sim view                                    the built-in humanoid
  sim view robot.xml --keyframe home --ctrl noise
  sim view robot.xml --camera wrist --camera track:hand
  sim view robot.xml --envs 16 --ctrl noise   16 environments side by side
  sim view robot.xml --record robot.apng      a video of the session

F1 in the window lists all keys. The file is loaded again when it changes.")]
pub(crate) struct View {
    #[command(flatten)]
    model: ModelArgs,
    /// Start from this keyframe.
    #[arg(long, value_name = "NAME")]
    keyframe: Option<String>,
    /// Controls: zero, noise, noise:SEED, or one number per actuator, separated by commas.
    /// Default: those of the keyframe, or zero; the sliders of the window change them.
    #[arg(long, allow_hyphen_values = true)]
    ctrl: Option<Control>,
    /// Number of environments, shown side by side; noise differs between them.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256), value_name = "N")]
    envs: u32,
    /// Record the session to an .apng file.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Show this camera of the model beside the main view; track:BODY follows a body.
    #[arg(long, value_name = "NAME")]
    camera: Vec<String>,
    /// Simulated seconds per second.
    #[arg(long, default_value_t = 1.0)]
    speed: f64,
    /// Start paused.
    #[arg(long)]
    paused: bool,
    /// Pass all keys to the program: none is a shortcut.
    #[arg(long)]
    no_shortcuts: bool,
    /// Memory for the history of states, in MiB.
    #[arg(long, default_value_t = 64, value_name = "MIB")]
    history: usize,
    /// Only an adapter whose name contains this text.
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Close the window after this time.
    #[arg(long, value_name = "SECONDS", hide = true)]
    close_after: Option<f64>,
}

impl View {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if let Some(path) = &self.record
            && path.extension().is_none_or(|e| e != "apng" && e != "png")
        {
            return Err(format!("--record {}: write an .apng file", path.display()).into());
        }
        if !(self.speed > 0.0 && self.speed.is_finite()) {
            return Err("--speed must be a positive number".into());
        }
        let mut simulation = Simulation::new(Arc::new(self.model.load()?));
        if let Some(name) = &self.keyframe {
            let key = simulation.model().name2id(ObjType::Key, name);
            let key = key.ok_or_else(|| format!("the model has no keyframe `{name}`"))?;
            let model = simulation.model().clone();
            simulation.data_mut().reset_to_keyframe(&model, key);
        }
        let control = self.ctrl.clone().unwrap_or(Control::Keep);
        control.check(simulation.model())?;
        let simulations = vec![simulation; self.envs as usize];
        sim_viewer::run_many(&simulations, self.options(control))?;
        Ok(())
    }

    fn options(&self, control: Control) -> Options {
        let overrides = self.model.clone();
        let mut options = Options::default()
            .title(format!("sim view: {}", self.model.name()))
            .keyframe(self.keyframe.clone())
            .record(self.record.clone())
            .speed(self.speed)
            .paused(self.paused)
            .shortcuts(!self.no_shortcuts)
            .history_bytes(self.history.saturating_mul(1 << 20))
            .adapter(self.adapter.clone())
            .close_after(self.close_after)
            .loader(move |path| {
                let model = load(path).and_then(|model| overrides.with_overrides(model));
                model.map_err(|error| error.to_string())
            });
        if let Some(path) = self.model.path() {
            options = options.file(path);
        }
        for camera in &self.camera {
            options = options.camera(camera);
        }
        if control == Control::Keep {
            return options;
        }
        options.on_control(move |world, model, data| write(&control, world, model, data))
    }
}

/// Writes the controls of an environment; noise differs between environments.
fn write(control: &Control, world: usize, model: &Model, data: &mut Data) {
    // another file may have been loaded
    if control.check(model).is_err() {
        return;
    }
    let step = (data.time / model.opt.timestep).round().max(0.0) as u64;
    match control {
        Control::Noise(seed) => {
            Control::Noise(seed.wrapping_add(world as u64)).write(model, step, &mut data.ctrl);
        }
        other => other.write(model, step, &mut data.ctrl),
    }
}
