//! `sim run`: simulate, show progress, write the trajectory, and sum up.

use crate::Failure;
use crate::control::Control;
use crate::course::Course;
use crate::interrupt;
use crate::output::Output;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
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
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

impl Run {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let model = self.course.source.load()?;
        let mut data = self.course.start(&model)?;
        let (control, steps) = (self.course.control(&model)?, self.course.count(&model)?);
        let mut output =
            self.out.as_deref().map(|path| Output::create(path, &model)).transpose()?;

        let name = self.course.source.name();
        if !self.json {
            say!("{name}: {} dofs, {} actuators", model.nv, model.nu);
        }
        let first = energy(&model, &mut data);
        interrupt::listen();
        let (done, seconds) = self.advance(&model, &mut data, &control, steps, output.as_mut())?;
        let wrote = output.map(Output::finish).transpose()?;
        let last = energy(&model, &mut data);
        let summary = Summary { name, steps: done, seconds, energy: [first, last], wrote };
        if self.json {
            say!("{}", summary.json(&model, &data));
        } else {
            summary.say(&model, &data);
        }
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

/// How a run went.
struct Summary {
    name: String,
    steps: u64,
    /// Wall clock spent in steps.
    seconds: f64,
    /// At the start and at the end.
    energy: [f64; 2],
    /// What was written, in words.
    wrote: Option<String>,
}

impl Summary {
    fn rate(&self) -> f64 {
        self.steps as f64 / self.seconds.max(1e-9)
    }

    fn say(&self, model: &Model, data: &Data) {
        if let Some(wrote) = &self.wrote {
            say!("wrote {wrote}");
        }
        let (steps, seconds, rate) = (self.steps, self.seconds, self.rate());
        let [first, last] = self.energy;
        say!("simulated {:.3} s in {steps} steps, {seconds:.3} s of wall clock", data.time);
        say!("speed     {rate:.0} steps/s, {:.0} × real time", rate * model.opt.timestep);
        say!(
            "energy    {first:.6} J at the start, {last:.6} J at the end: {:+.3e} J",
            last - first
        );
        for (k, deformable) in model.deformables.iter().enumerate() {
            let Some(body) = data.deformable(k) else { continue };
            let (name, n, energy) = (&deformable.name, body.len(), body.kinetic_energy());
            let strain = body.residuals().distance.max;
            say!(
                "xpbd      {name}: {n} particles, {energy:.3e} J of motion, edges off by {strain:.1e} m"
            );
        }
        for (warning, number, index) in warnings(data) {
            say!("warning   {warning} {number} times, last at index {index}");
        }
        if warnings(data).next().is_none() {
            say!("warnings  none");
        }
    }

    fn json(&self, model: &Model, data: &Data) -> Value {
        let warning = |(name, number, index): (String, usize, usize)| json!({ "warning": name, "number": number, "last_index": index });
        json!({
            "model": self.name,
            "dofs": model.nv,
            "actuators": model.nu,
            "steps": self.steps,
            "time": data.time,
            "seconds": self.seconds,
            "steps_per_second": self.rate(),
            "energy": self.energy,
            "qpos": data.qpos,
            "qvel": data.qvel,
            "deformables": deformables(model, data),
            "warnings": warnings(data).map(warning).collect::<Vec<_>>(),
        })
    }
}

/// The deformable bodies: where their particles are.
fn deformables(model: &Model, data: &Data) -> Vec<Value> {
    let one = |(k, deformable): (usize, &core::Deformable)| {
        let points = data.deformable(k).map_or(&[][..], |body| body.positions());
        let points: Vec<[f64; 3]> = points.iter().map(|x| (*x).into()).collect();
        json!({ "name": deformable.name, "positions": points })
    };
    model.deformables.iter().enumerate().map(one).collect()
}

/// Warnings that were raised: which, how often, and where last.
fn warnings(data: &Data) -> impl Iterator<Item = (String, usize, usize)> {
    let named = data.warning.iter().zip(Warning::ALL);
    named
        .filter(|(stat, _)| stat.number > 0)
        .map(|(stat, warning)| (format!("{warning:?}"), stat.number, stat.lastinfo))
}
