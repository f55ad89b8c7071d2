//! `sim run`: simulate with a progress bar, write the trajectory, print a summary.

use crate::Failure;
use crate::control::Control;
use crate::format::count;
use crate::interrupt;
use crate::run_args::RunArgs;
use crate::trajectory::TrajectoryWriter;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use sim_physics::types::Warning;
use sim_physics::{Data, Model, core};
use std::path::PathBuf;
use std::time::Instant;

/// Arguments of `sim run`.
#[derive(Args)]
#[command(after_help = "Examples:
  sim run                                     the built-in humanoid for 10 s
  sim run robot.xml --time 5 --keyframe home --ctrl noise --out run.csv
  sim run robot.xml --steps 1000 --disable contact,limit
  sim run robot.xml --time 5 --view           in a window (feature `viewer`)")]
pub(crate) struct Run {
    #[command(flatten)]
    args: RunArgs,
    /// Write the trajectory to a .csv or .npz file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write every N-th step.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..), value_name = "N")]
    every: u64,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
    /// Show the simulation in a window, in real time.
    #[cfg(feature = "viewer")]
    #[arg(long)]
    view: bool,
}

impl Run {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let model = self.args.model.load()?;
        let mut data = self.args.initial_data(&model)?;
        let (control, steps) = (self.args.control(&model)?, self.args.steps(&model)?);
        let mut output =
            self.out.as_deref().map(|path| TrajectoryWriter::create(path, &model)).transpose()?;

        let name = self.args.model.name();
        if !self.json {
            outln!("{name}: {}, {}", count(model.nv, "dof"), count(model.nu, "actuator"));
        }
        let first = energy(&model, &mut data);
        interrupt::listen();
        #[cfg(feature = "viewer")]
        if self.view {
            let run = crate::window::ShownRun { name: &name, control: &control, steps };
            let every = self.every;
            let (done, seconds) = run.simulate(&model, &mut data, every, output.as_mut())?;
            return self.report(&model, &mut data, name, (done, seconds), first, output);
        }
        let (done, seconds) = self.simulate(&model, &mut data, &control, steps, output.as_mut())?;
        self.report(&model, &mut data, name, (done, seconds), first, output)
    }

    /// Completes the output file and prints the summary.
    fn report(
        &self,
        model: &Model,
        data: &mut Data,
        name: String,
        (steps, seconds): (u64, f64),
        first: f64,
        output: Option<TrajectoryWriter>,
    ) -> Result<(), Failure> {
        let written = output.map(TrajectoryWriter::finish).transpose()?;
        let last = energy(model, data);
        let summary = Summary { name, steps, seconds, energy: [first, last], written };
        if self.json {
            outln!("{}", summary.json(model, data));
        } else {
            summary.print(model, data);
        }
        Ok(())
    }

    /// Takes the steps until done or interrupted; returns their number and the wall-clock seconds
    /// spent in them.
    fn simulate(
        &self,
        model: &Model,
        data: &mut Data,
        control: &Control,
        steps: u64,
        mut output: Option<&mut TrajectoryWriter>,
    ) -> Result<(u64, f64), Failure> {
        let bar = ProgressBar::new(steps).with_style(ProgressStyle::with_template(
            "{bar:40} {pos}/{len} steps {elapsed_precise} eta {eta_precise}",
        )?);
        let mut seconds = 0.0;
        let mut done = 0;
        while done < steps && !interrupt::stopped() {
            // progress bar and file output are not part of the measured time
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

/// Summary of a run.
struct Summary {
    name: String,
    steps: u64,
    /// Wall-clock time spent in steps, s.
    seconds: f64,
    /// Total energy at the start and at the end, J.
    energy: [f64; 2],
    /// Description of the output file.
    written: Option<String>,
}

impl Summary {
    fn rate(&self) -> f64 {
        self.steps as f64 / self.seconds.max(1e-9)
    }

    fn print(&self, model: &Model, data: &Data) {
        if let Some(written) = &self.written {
            outln!("wrote {written}");
        }
        let (seconds, rate) = (self.seconds, self.rate());
        let steps = count(self.steps, "step");
        let [first, last] = self.energy;
        outln!("simulated {:.3} s in {steps}, {seconds:.3} s of wall-clock time", data.time);
        outln!("speed     {rate:.0} steps/s, {:.0} × real time", rate * model.opt.timestep);
        outln!(
            "energy    {first:.6} J at the start, {last:.6} J at the end: {:+.3e} J",
            last - first
        );
        for (k, deformable) in model.deformables.iter().enumerate() {
            let Some(body) = data.deformable(k) else { continue };
            let (name, energy) = (&deformable.name, body.kinetic_energy());
            let strain = body.residuals().distance.max;
            outln!(
                "xpbd      {name}: {}, kinetic energy {energy:.3e} J, edge length error {strain:.1e} m",
                count(body.len(), "particle")
            );
        }
        for (warning, number, index) in warnings(data) {
            outln!("warning   {warning}: {}, last at index {index}", count(number, "time"));
        }
        if warnings(data).next().is_none() {
            outln!("warnings  none");
        }
    }

    fn json(&self, model: &Model, data: &Data) -> Value {
        let warning = |(warning, number, index): (Warning, usize, usize)| json!({ "warning": format!("{warning:?}"), "number": number, "last_index": index });
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

/// Names and particle positions of the deformable bodies.
fn deformables(model: &Model, data: &Data) -> Vec<Value> {
    let one = |(k, deformable): (usize, &core::Deformable)| {
        let points = data.deformable(k).map_or(&[][..], |body| body.positions());
        let points: Vec<[f64; 3]> = points.iter().map(|x| (*x).into()).collect();
        json!({ "name": deformable.name, "positions": points })
    };
    model.deformables.iter().enumerate().map(one).collect()
}

/// Warnings that were raised, with their number and last index.
fn warnings(data: &Data) -> impl Iterator<Item = (Warning, usize, usize)> {
    let all = data.warning.iter().zip(Warning::ALL);
    all.filter(|(stat, _)| stat.number > 0)
        .map(|(stat, warning)| (*warning, stat.number, stat.lastinfo))
}
