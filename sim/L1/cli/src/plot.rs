//! `sim plot`: simulate, and draw what happens.

use crate::Failure;
use crate::chart::{Panel, draw, is_drawable};
use crate::control::Control;
use crate::course::Course;
use crate::interrupt;
use crate::output::{joint_names, names};
use crate::{shape, table};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use sim_physics::core::mj_contact_force;
use sim_physics::types::{EnableBit, ObjType};
use sim_physics::{Data, Model};
use std::path::{Path, PathBuf};

/// Options of `sim plot`.
#[derive(Args)]
#[command(after_help = "Examples:
  sim plot robot.xml
  sim plot robot.xml --what qpos,contact --time 3 --ctrl noise --out run.svg
  sim plot robot.xml --what qpos,qvel --only knee --out knee.svg
  sim plot cloth.xml --shape cloth.png     where its deformable bodies end
  sim plot run.csv --out run.svg           what `sim run --out run.csv` wrote")]
pub(crate) struct Plot {
    #[command(flatten)]
    course: Course,
    /// The file to draw to, an .svg or a .png; sim.svg if not given.
    #[arg(long, short, default_value = "sim.svg", value_name = "FILE")]
    out: PathBuf,
    /// What to draw, one panel each: qpos,qvel,energy if not given, or all that a file has.
    #[arg(long, value_delimiter = ',')]
    what: Vec<Quantity>,
    /// Draw where the deformable bodies end to this file as well, an .svg or a .png.
    #[arg(long, value_name = "FILE")]
    shape: Option<PathBuf>,
    /// Only curves whose name contains this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

/// What can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Quantity {
    /// Positions of joints.
    Qpos,
    /// Velocities of joints.
    Qvel,
    /// Controls.
    Ctrl,
    /// Forces of actuators.
    Force,
    /// Readings of sensors.
    Sensor,
    /// Potential, kinetic and total energy.
    Energy,
    /// Number of contacts, and the sum of their normal forces.
    Contact,
}

impl Plot {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if !is_drawable(&self.out) {
            return Err(format!("{}: write an .svg or a .png file", self.out.display()).into());
        }
        if let Some(path) = self.shape.as_ref().filter(|path| !is_drawable(path)) {
            return Err(format!("{}: write an .svg or a .png file", path.display()).into());
        }
        let is_table = |path: &&Path| path.extension().is_some_and(|e| e == "csv");
        let (time, mut panels) = match self.course.source.path().filter(is_table) {
            Some(path) => table::read(path)?,
            None => self.simulate()?,
        };
        if let Some(text) = &self.only {
            for panel in &mut panels {
                panel.curves.retain(|(name, _)| name.contains(text));
            }
            if panels.iter().all(|panel| panel.curves.is_empty()) {
                return Err(format!("nothing is named like `{text}`").into());
            }
        }
        let path = self.course.source.path().and_then(Path::file_name);
        let title = path.map_or_else(|| self.course.source.name(), |f| f.display().to_string());
        draw(&self.out, &title, &time, &panels)
            .map_err(|error| format!("{}: {error}", self.out.display()))?;
        let curves: usize = panels.iter().map(|panel| panel.curves.len()).sum();
        say!("drew {curves} curves over {} steps to {}", time.len() - 1, self.out.display());
        Ok(())
    }

    /// Runs the model; returns the times and what is drawn over them.
    fn simulate(&self) -> Result<(Vec<f64>, Vec<Panel>), Failure> {
        let mut model = self.course.source.load()?;
        model.opt.enableflags |= EnableBit::Energy as i32;
        let mut data = self.course.start(&model)?;
        let (control, steps) = (self.course.control(&model)?, self.course.count(&model)?);
        let default = [Quantity::Qpos, Quantity::Qvel, Quantity::Energy];
        let what = if self.what.is_empty() { &default[..] } else { &self.what };
        let mut panels: Vec<Panel> = what.iter().map(|quantity| quantity.panel(&model)).collect();
        interrupt::listen();
        let time = record(&model, &mut data, &control, steps, what, &mut panels)?;
        if let Some(path) = &self.shape {
            let title = format!("{} after {:.2} s", self.course.source.name(), data.time);
            let count = shape::draw(path, &title, &model, &data)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            say!("drew {count} deformable bodies to {}", path.display());
        }
        Ok((time, panels))
    }
}

/// Steps, and appends to every curve; returns the times.
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
    /// An empty panel with a curve for every number.
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

    /// Appends the numbers of the current state.
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

/// A name for each number of each sensor.
fn sensor_names(m: &Model) -> Vec<String> {
    let mut all = Vec::new();
    for (i, name) in names(m, ObjType::Sensor, m.nsensor).into_iter().enumerate() {
        let dim = m.sensor_dim[i] as usize;
        all.extend((0..dim).map(|k| if dim == 1 { name.clone() } else { format!("{name}[{k}]") }));
    }
    all
}
