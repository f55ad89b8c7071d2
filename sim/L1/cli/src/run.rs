//! `sim run`: simulate, show progress, write the trajectory, and sum up.

use crate::Failure;
use crate::control::Control;
use crate::course::Course;
use crate::interrupt;
use crate::output::Output;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use sim_physics::types::Warning;
use sim_physics::{Data, Model, core};
use std::path::PathBuf;
use std::time::Instant;

/// Options of `sim run`.
#[derive(Args)]
#[command(after_help = "Examples:
  sim run                                     the built-in humanoid for 10 s
  sim run robot.xml --time 5 --keyframe home --ctrl noise --out run.csv
  sim run robot.xml --steps 1000 --disable contact,limit")]
pub(crate) struct Run {
    #[command(flatten)]
    course: Course,
    /// Write the trajectory to a .csv or .npz file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write every N-th step.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..), value_name = "N")]
    every: u64,
}

impl Run {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let model = self.course.source.load()?;
        let mut data = self.course.start(&model)?;
        let (control, steps) = (self.course.control(&model)?, self.course.count(&model)?);
        let mut output =
            self.out.as_deref().map(|path| Output::create(path, &model)).transpose()?;

        say!("{}: {} dofs, {} actuators", self.course.source.name(), model.nv, model.nu);
        let first = energy(&model, &mut data);
        interrupt::listen();
        let (done, seconds) = self.advance(&model, &mut data, &control, steps, output.as_mut())?;
        if let Some(output) = output {
            say!("wrote {}", output.finish()?);
        }
        summary(&model, &mut data, done, seconds, first);
        Ok(())
    }

    /// Takes the steps, unless it is interrupted; returns how many, and the wall-clock seconds spent in
    /// them.
    fn advance(
        &self,
        model: &Model,
        data: &mut Data,
        control: &Control,
        steps: u64,
        mut output: Option<&mut Output>,
    ) -> Result<(u64, f64), Failure> {
        let bar = ProgressBar::new(steps).with_style(ProgressStyle::with_template(
            "{bar:40} {pos}/{len} steps {elapsed_precise} eta {eta_precise}",
        )?);
        let mut seconds = 0.0;
        let mut done = 0;
        while done < steps && !interrupt::stopped() {
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
        Ok((done, seconds))
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
