//! `sim plot`: simulate and plot the trajectory.

use crate::Failure;
use crate::chart::{Panel, draw, is_supported};
use crate::control::Control;
use crate::format::count;
use crate::interrupt;
use crate::run_args::RunArgs;
use crate::trajectory::{joint_names, names};
use crate::{csv, views};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use sim_physics::core::mj_contact_force;
use sim_physics::types::{EnableBit, ObjType};
use sim_physics::{Data, Model};
use std::path::{Path, PathBuf};

/// Arguments of `sim plot`.
#[derive(Args)]
#[command(after_help = "Examples:
  sim plot robot.xml
  sim plot robot.xml --what qpos,contact --time 3 --ctrl noise --out run.svg
  sim plot robot.xml --what qpos,qvel --only knee --out knee.svg
  sim plot cloth.xml --shape cloth.png     also the final shape of the deformable bodies
  sim plot run.csv --out run.svg           a file written by `sim run --out run.csv`")]
pub(crate) struct Plot {
    #[command(flatten)]
    args: RunArgs,
    /// Output file, .svg or .png.
    #[arg(long, short, default_value = "sim.svg", value_name = "FILE")]
    out: PathBuf,
    /// Quantities to plot, one panel each; default qpos,qvel,energy, or all columns of a CSV file.
    #[arg(long, value_delimiter = ',')]
    what: Vec<Quantity>,
    /// Also draw the final shape of the deformable bodies to this .svg or .png file.
    #[arg(long, value_name = "FILE")]
    shape: Option<PathBuf>,
    /// Plot only curves whose name contains this text.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

/// A quantity that can be plotted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Quantity {
    /// Joint positions.
    Qpos,
    /// Joint velocities.
    Qvel,
    /// Controls.
    Ctrl,
    /// Actuator forces.
    Force,
    /// Sensor readings.
    Sensor,
    /// Potential, kinetic and total energy.
    Energy,
    /// Number of contacts, and the sum of their normal forces.
    Contact,
}

impl Plot {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        for path in [Some(&self.out), self.shape.as_ref()].into_iter().flatten() {
            if !is_supported(path) {
                return Err(format!("{}: write an .svg or a .png file", path.display()).into());
            }
        }
        let is_csv = |path: &&Path| path.extension().is_some_and(|e| e == "csv");
        let (time, mut panels) = match self.args.model.path().filter(is_csv) {
            Some(path) => csv::read(path)?,
            None => self.simulate()?,
        };
        if let Some(text) = &self.only {
            for panel in &mut panels {
                panel.curves.retain(|(name, _)| name.contains(text));
            }
            if panels.iter().all(|panel| panel.curves.is_empty()) {
                return Err(format!("no curve has a name that contains `{text}`").into());
            }
        }
        let path = self.args.model.path().and_then(Path::file_name);
        let title = path.map_or_else(|| self.args.model.name(), |f| f.display().to_string());
        draw(&self.out, &title, &time, &panels)
            .map_err(|error| format!("{}: {error}", self.out.display()))?;
        let curves: usize = panels.iter().map(|panel| panel.curves.len()).sum();
        outln!(
            "plotted {} over {} to {}",
            count(curves, "curve"),
            count(time.len() - 1, "step"),
            self.out.display()
        );
        Ok(())
    }

    /// Simulates the model; returns the times and the panels.
    fn simulate(&self) -> Result<(Vec<f64>, Vec<Panel>), Failure> {
        let mut model = self.args.model.load()?;
        model.opt.enableflags |= EnableBit::Energy as i32;
        let mut data = self.args.initial_data(&model)?;
        let (control, steps) = (self.args.control(&model)?, self.args.steps(&model)?);
        let default = [Quantity::Qpos, Quantity::Qvel, Quantity::Energy];
        let what = if self.what.is_empty() { &default[..] } else { &self.what };
        let mut panels: Vec<Panel> = what.iter().map(|quantity| quantity.panel(&model)).collect();
        interrupt::listen();
        let time = record(&model, &mut data, &control, steps, what, &mut panels)?;
        if let Some(path) = &self.shape {
            let title = format!("{} after {:.2} s", self.args.model.name(), data.time);
            let drawn = views::draw(path, &title, &model, &data)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            outln!("drew {} to {}", count(drawn, "deformable body"), path.display());
        }
        Ok((time, panels))
    }
}

/// Simulates and appends a point to every curve after each step; returns the times.
fn record(
    model: &Model,
    data: &mut Data,
    control: &Control,
    steps: u64,
    what: &[Quantity],
    panels: &mut [Panel],
) -> Result<Vec<f64>, Failure> {
    let bar = ProgressBar::new(steps).with_style(ProgressStyle::with_template(
        "{bar:40} {pos}/{len} steps {elapsed_precise} eta {eta_precise}",
    )?);
    let mut time = Vec::new();
    data.forward(model)?;
    for step in 0..=steps {
        time.push(data.time);
        for (quantity, panel) in what.iter().zip(&mut *panels) {
            quantity.append(model, data, panel);
        }
        if step == steps || interrupt::stopped() {
            break;
        }
        control.write(model, step, &mut data.ctrl);
        data.step(model)?;
        bar.set_position(step + 1);
    }
    bar.finish_and_clear();
    Ok(time)
}

impl Quantity {
    /// A panel with an empty curve for each component.
    fn panel(self, m: &Model) -> Panel {
        let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let (title, curves): (&str, Vec<String>) = match self {
            Self::Qpos => ("position (rad, m)", joint_names(m, &m.jnt_qposadr, m.nq)),
            Self::Qvel => ("velocity (rad/s, m/s)", joint_names(m, &m.jnt_dofadr, m.nv)),
            Self::Ctrl => ("control", names(m, ObjType::Actuator, m.nu)),
            Self::Force => ("actuator force (N, N m)", names(m, ObjType::Actuator, m.nu)),
            Self::Sensor => ("sensors", sensor_names(m)),
            Self::Energy => ("energy (J)", own(&["potential", "kinetic", "total"])),
            Self::Contact => ("contact", own(&["number", "normal force (N)"])),
        };
        let curves = curves.into_iter().map(|name| (name, Vec::new())).collect();
        Panel { title: title.to_owned(), curves }
    }

    /// Appends the values of the current state.
    fn append(self, m: &Model, d: &Data, panel: &mut Panel) {
        let mut append = |values: &[f64]| {
            for ((_, curve), value) in panel.curves.iter_mut().zip(values) {
                curve.push(*value);
            }
        };
        match self {
            Self::Qpos => append(&d.qpos),
            Self::Qvel => append(&d.qvel),
            Self::Ctrl => append(&d.ctrl),
            Self::Force => append(&d.actuator_force),
            Self::Sensor => append(&d.sensordata),
            Self::Energy => append(&[d.energy[0], d.energy[1], d.energy[0] + d.energy[1]]),
            Self::Contact => {
                let (mut force, mut normal) = ([0.0; 6], 0.0);
                for i in 0..d.ncon {
                    mj_contact_force(m, d, i, &mut force);
                    normal += force[0];
                }
                append(&[d.ncon as f64, normal]);
            }
        }
    }
}

/// A name for each component of each sensor.
fn sensor_names(m: &Model) -> Vec<String> {
    let mut all = Vec::new();
    for (i, name) in names(m, ObjType::Sensor, m.nsensor).into_iter().enumerate() {
        let dim = m.sensor_dim[i] as usize;
        all.extend((0..dim).map(|k| if dim == 1 { name.clone() } else { format!("{name}[{k}]") }));
    }
    all
}
