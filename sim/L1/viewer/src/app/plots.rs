//! Curves over time: sensors, energy, step times and values of the program.

use super::App;
use crate::link::Snapshot;
use crate::world::World;
use egui_plot::{Legend, Line, Plot, PlotPoints};
use sim_physics::types::{EnableBit, ObjType};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Most points of a curve.
const MAX_POINTS: usize = 2000;
/// Most curves of each kind; sensors beyond are listed without a curve.
const MAX_CURVES: usize = 200;

/// Points of a curve, the newest last.
type Curve = VecDeque<[f64; 2]>;

/// Recorded curves.
#[derive(Debug, Default)]
pub(super) struct Plots {
    /// Components of `sensordata`.
    sensors: Vec<Curve>,
    energy: [Curve; 2],
    step_time: Curve,
    contacts: Curve,
    iterations: Curve,
    /// Curves of the program, by name.
    program: BTreeMap<String, Curve>,
    /// Sensors that are plotted.
    selected: BTreeSet<usize>,
    last_time: f64,
}

fn push(curve: &mut Curve, point: [f64; 2]) {
    if curve.len() >= MAX_POINTS {
        curve.pop_front();
    }
    curve.push_back(point);
}

impl Plots {
    pub(super) fn clear(&mut self) {
        let program = std::mem::take(&mut self.program);
        *self = Self { program, ..Self::default() };
    }

    /// Appends the values of a state.
    pub(super) fn add(&mut self, snapshot: &Snapshot, points: Vec<(String, [f64; 2])>) {
        for (name, point) in points {
            if self.program.len() < MAX_CURVES || self.program.contains_key(&name) {
                push(self.program.entry(name).or_default(), point);
            }
        }
        let Some(World { data: d, .. }) = snapshot.worlds.first() else { return };
        if d.time == self.last_time {
            return;
        }
        if d.time < self.last_time {
            // after a reset or a step back
            self.truncate(d.time);
        }
        self.last_time = d.time;
        self.sensors.resize_with(d.sensordata.len().min(MAX_CURVES), Curve::new);
        for (curve, value) in self.sensors.iter_mut().zip(&d.sensordata) {
            push(curve, [d.time, *value]);
        }
        for (curve, value) in self.energy.iter_mut().zip(d.energy.iter()) {
            push(curve, [d.time, *value]);
        }
        push(&mut self.step_time, [d.time, 1e6 * snapshot.status.step_time]);
        push(&mut self.contacts, [d.time, d.ncon as f64]);
        let iterations = d.solver_niter.iter().copied().max().unwrap_or(0);
        push(&mut self.iterations, [d.time, f64::from(iterations)]);
    }

    /// Removes points after a time.
    fn truncate(&mut self, time: f64) {
        let own = [&mut self.step_time, &mut self.contacts, &mut self.iterations];
        for curve in self.sensors.iter_mut().chain(&mut self.energy).chain(own) {
            while curve.back().is_some_and(|point| point[0] >= time) {
                curve.pop_back();
            }
        }
    }
}

/// Draws curves in one diagram.
fn diagram<'a>(
    ui: &mut egui::Ui,
    id: &str,
    height: f32,
    curves: impl Iterator<Item = (String, &'a Curve)>,
) {
    let plot = Plot::new(id).height(height).legend(Legend::default()).allow_scroll(false);
    plot.show(ui, |plot| {
        for (name, curve) in curves {
            let finite = curve.iter().filter(|point| point[1].is_finite());
            plot.line(Line::new(name, PlotPoints::from_iter(finite.copied())));
        }
    });
}

impl App {
    /// Shows the windows with curves and images.
    pub(super) fn windows(&mut self, ctx: &egui::Context, snapshot: &Snapshot) {
        let Some(world) = snapshot.worlds.get(self.view.world) else { return };
        let mut shown = self.shown;
        let corner = self.area.left_top();
        let window = move |title: &str, place: f32| {
            let at = corner + egui::vec2(12.0 + 24.0 * place, 12.0 + 30.0 * place);
            egui::Window::new(title.to_owned()).default_width(340.0).default_pos(at)
        };
        window("Sensors", 0.0).open(&mut shown.sensors).show(ctx, |ui| self.sensors(ui, world));
        window("Profiler", 1.0)
            .open(&mut shown.profiler)
            .show(ctx, |ui| self.profiler(ui, world, snapshot));
        window("Energy", 2.0).open(&mut shown.energy).show(ctx, |ui| {
            if world.model.opt.enableflags & EnableBit::Energy as i32 == 0 {
                ui.label("Enable the flag energy of the physics options to compute energies.");
            }
            let names = ["potential (J)", "kinetic (J)"];
            let curves = names.iter().map(|name| (*name).to_owned()).zip(&self.plots.energy);
            diagram(ui, "energy", 200.0, curves);
        });
        if !self.plots.program.is_empty() {
            let at = self.area.right_top() + egui::vec2(-372.0, 12.0);
            let window = egui::Window::new("Program").default_width(340.0).default_pos(at);
            window.show(ctx, |ui| {
                let curves = self.plots.program.iter().map(|(name, c)| (name.clone(), c));
                diagram(ui, "program", 180.0, curves);
            });
        }
        self.shown = shown;
        self.images(ctx);
    }

    /// Readings of all sensors, and curves of the selected ones.
    fn sensors(&mut self, ui: &mut egui::Ui, world: &World) {
        let (m, d) = (&world.model, &world.data);
        if m.nsensor == 0 {
            ui.label("The model has no sensors.");
            return;
        }
        let mut drawn: Vec<(String, usize)> = Vec::new();
        let rows = |ui: &mut egui::Ui| {
            egui::Grid::new("readings").num_columns(2).striped(true).show(ui, |ui| {
                for id in 0..m.nsensor {
                    let name = super::panels::name(m, ObjType::Sensor, id);
                    let adr = usize::try_from(m.sensor_adr[id]).unwrap_or(0);
                    let dim = usize::try_from(m.sensor_dim[id]).unwrap_or(0);
                    let mut is_selected = self.plots.selected.contains(&id);
                    ui.checkbox(&mut is_selected, name.as_str());
                    match is_selected {
                        true => drop(self.plots.selected.insert(id)),
                        false => drop(self.plots.selected.remove(&id)),
                    }
                    let values = d.sensordata.get(adr..adr + dim).unwrap_or_default();
                    let text: Vec<String> =
                        values.iter().take(6).map(|x| format!("{x:.4}")).collect();
                    ui.monospace(text.join("  "));
                    ui.end_row();
                    if is_selected {
                        let component = |k| (format!("{name}[{k}]"), adr + k);
                        drawn.extend((0..dim).map(component));
                    }
                }
            });
        };
        egui::ScrollArea::vertical().max_height(200.0).show(ui, rows);
        let curves = drawn.into_iter();
        let curves =
            curves.filter_map(|(name, i)| self.plots.sensors.get(i).map(|curve| (name, curve)));
        diagram(ui, "sensors", 200.0, curves);
    }

    /// Step time, contacts, solver iterations and the timers of the stages.
    fn profiler(&self, ui: &mut egui::Ui, world: &World, snapshot: &Snapshot) {
        let status = &snapshot.status;
        ui.label(format!(
            "step {:.1} µs, history {} states in {:.1} of {:.0} MiB",
            1e6 * status.step_time,
            status.history.len,
            status.history.bytes as f64 / f64::from(1 << 20),
            status.history.budget as f64 / f64::from(1 << 20),
        ));
        diagram(ui, "time", 130.0, [("step (µs)".to_owned(), &self.plots.step_time)].into_iter());
        let counts = [
            ("contacts".to_owned(), &self.plots.contacts),
            ("solver iterations".to_owned(), &self.plots.iterations),
        ];
        diagram(ui, "counts", 130.0, counts.into_iter());
        let timers = sim_physics::core::Timer::ALL;
        let used: Vec<(&str, f64)> = timers
            .iter()
            .map(|(name, timer)| (*name, world.data.timer[*timer as usize]))
            .filter(|(_, stat)| stat.number > 0)
            .map(|(name, stat)| (name, 1e6 * stat.duration / stat.number as f64))
            .collect();
        if used.is_empty() {
            ui.weak("Stages are timed in builds with the feature profile of sim-core.");
        }
        egui::Grid::new("timers").num_columns(2).striped(true).show(ui, |ui| {
            for (name, microseconds) in used {
                ui.label(name);
                ui.monospace(format!("{microseconds:.2} µs"));
                ui.end_row();
            }
        });
    }

    /// Images of the program, each in a window.
    fn images(&mut self, ctx: &egui::Context) {
        for image in std::mem::take(&mut self.new_images) {
            let pixels = egui::ColorImage::from_rgb(image.size, &image.rgb);
            let known = self.images.iter_mut().find(|(name, _)| *name == image.name);
            match known {
                Some((_, texture)) => texture.set(pixels, egui::TextureOptions::LINEAR),
                None => {
                    let options = egui::TextureOptions::LINEAR;
                    let texture = ctx.load_texture(image.name.clone(), pixels, options);
                    self.images.push((image.name.clone(), texture));
                }
            }
        }
        let corner = self.area.left_top();
        for (i, (name, texture)) in self.images.iter().enumerate() {
            let at = corner + egui::vec2(12.0, 240.0 + 40.0 * i as f32);
            egui::Window::new(name).default_pos(at).show(ctx, |ui| {
                ui.image((texture.id(), texture.size_vec2()));
            });
        }
    }
}
