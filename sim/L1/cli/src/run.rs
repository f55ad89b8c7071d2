//! `sim run`: simulate, show progress, write the trajectory, and sum up.

use crate::Failure;
use crate::control::Control;
use crate::output::Output;
use crate::source::Source;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use sim_physics::types::{ObjType, Warning};
use sim_physics::{Data, Model, core};
use std::path::PathBuf;
use std::time::Instant;

/// Options of `sim run`.
#[derive(Args)]
pub(crate) struct Run {
    #[command(flatten)]
    source: Source,
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
    /// Write the trajectory to a .csv or .npz file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write every N-th step.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..), value_name = "N")]
    every: u64,
}

/// More steps than this are a mistake.
const MAX_STEPS: f64 = 1e12;

impl Run {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let model = self.source.load()?;
        let mut data = model.make_data();
        if let Some(name) = &self.keyframe {
            let key = model
                .name2id(ObjType::Key, name)
                .ok_or_else(|| format!("the model has no keyframe `{name}`"))?;
            data.reset_to_keyframe(&model, key);
        }
        let steps = self.count(&model)?;
        let mut output =
            self.out.as_deref().map(|path| Output::create(path, &model)).transpose()?;

        say!("{}: {} dofs, {} actuators", self.source.name(), model.nv, model.nu);
        let first = energy(&model, &mut data);
        let default = if self.source.is_built_in() { Control::Noise(0) } else { Control::Keep };
        let control = self.ctrl.as_ref().unwrap_or(&default);
        control.check(&model)?;
        let seconds = self.advance(&model, &mut data, control, steps, output.as_mut())?;
        if let Some(output) = output {
            say!("wrote {}", output.finish()?);
        }
        summary(&model, &mut data, steps, seconds, first);
        Ok(())
    }

    /// The number of steps asked for.
    fn count(&self, model: &Model) -> Result<u64, Failure> {
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

    /// Takes the steps; returns the wall-clock seconds spent in them.
    fn advance(
        &self,
        model: &Model,
        data: &mut Data,
        control: &Control,
        steps: u64,
        mut output: Option<&mut Output>,
    ) -> Result<f64, Failure> {
        let bar = ProgressBar::new(steps).with_style(ProgressStyle::with_template(
            "{bar:40} {pos}/{len} steps {elapsed_precise} eta {eta_precise}",
        )?);
        let mut seconds = 0.0;
        let mut done = 0;
        while done < steps {
            // the bar and the file are not part of the speed
            let chunk = if output.is_some() { self.every } else { 1000 };
            let chunk = chunk.min(steps - done);
            if let Some(output) = &mut output {
                output.write(data)?;
            }
            let start = Instant::now();
            for step in done..done + chunk {
                control.write(model, step, &mut data.ctrl);
                data.step(model)?;
            }
            seconds += start.elapsed().as_secs_f64();
            done += chunk;
            bar.set_position(done);
        }
        bar.finish_and_clear();
        if let Some(output) = output {
            output.write(data)?;
        }
        Ok(seconds)
    }
}

/// Total energy at the current state.
fn energy(model: &Model, data: &mut Data) -> f64 {
    let mut copy = data.clone();
    core::mj_fwd_position(model, &mut copy);
    core::mj_fwd_velocity(model, &mut copy);
    core::mj_energy_pos(model, &mut copy);
    core::mj_energy_vel(model, &mut copy);
    copy.energy[0] + copy.energy[1]
}

fn summary(model: &Model, data: &mut Data, steps: u64, seconds: f64, first: f64) {
    let last = energy(model, data);
    let rate = steps as f64 / seconds.max(1e-9);
    say!("simulated {:.3} s in {steps} steps, {seconds:.3} s of wall clock", data.time);
    say!("speed     {rate:.0} steps/s, {:.0} × real time", rate * model.opt.timestep);
    say!("energy    {first:.6} J at the start, {last:.6} J at the end: {:+.3e} J", last - first);
    let mut warned = false;
    for (stat, warning) in data.warning.iter().zip(Warning::ALL) {
        if stat.number > 0 {
            warned = true;
            say!("warning   {warning:?} {} times, last at index {}", stat.number, stat.lastinfo);
        }
    }
    if !warned {
        say!("warnings  none");
    }
}
