//! Physics options and flags.

use crate::app::App;
use crate::link::{Command, Snapshot};
use egui::{ComboBox, DragValue};
use sim_physics::Model;
use sim_physics::types::{
    Cone, DisableBit, EnableBit, Integrator, JacobianType, Options, SolverType,
};

impl App {
    /// Options of the model; a change applies to all environments.
    pub(super) fn physics(&mut self, ui: &mut egui::Ui, snapshot: &Snapshot) {
        let Some(world) = snapshot.worlds.get(self.view.world) else { return };
        let old = &world.model.opt;
        let mut new = old.clone();
        choice(ui, "integrator", &mut new.integrator, Integrator::ALL);
        choice(ui, "cone", &mut new.cone, Cone::ALL);
        choice(ui, "jacobian", &mut new.jacobian, JacobianType::ALL);
        choice(ui, "solver", &mut new.solver, SolverType::ALL);
        numbers(ui, &mut new);
        ui.separator();
        for (name, bit) in DisableBit::ALL {
            let mut enabled = new.disableflags & bit as i32 == 0;
            if ui.checkbox(&mut enabled, name).changed() {
                new.disableflags ^= bit as i32;
            }
        }
        ui.separator();
        for (name, bit) in EnableBit::ALL {
            let mut enabled = new.enableflags & bit as i32 != 0;
            if ui.checkbox(&mut enabled, name).changed() {
                new.enableflags ^= bit as i32;
            }
        }
        ui.separator();
        self.actuator_groups(ui, &mut new);
        if new != *old && is_valid(&new) {
            self.send(Command::EditModel(Box::new(move |m: &mut Model| m.opt = new.clone())));
        }
    }

    fn actuator_groups(&mut self, ui: &mut egui::Ui, new: &mut Options) {
        ui.label("actuator groups");
        ui.horizontal(|ui| {
            for group in 0..6 {
                let mut enabled = new.disableactuator & 1 << group == 0;
                if ui.checkbox(&mut enabled, group.to_string()).changed() {
                    new.disableactuator ^= 1 << group;
                }
            }
        });
    }
}

/// Whether a model can be simulated with these options.
fn is_valid(options: &Options) -> bool {
    options.timestep > 0.0 && options.timestep.is_finite() && options.iterations >= 0
}

fn choice<T: Copy + PartialEq + std::fmt::Debug>(
    ui: &mut egui::Ui,
    name: &str,
    value: &mut T,
    all: &[T],
) {
    ComboBox::from_label(name).selected_text(format!("{value:?}")).show_ui(ui, |ui| {
        for other in all {
            ui.selectable_value(value, *other, format!("{other:?}"));
        }
    });
}

fn numbers(ui: &mut egui::Ui, opt: &mut Options) {
    egui::Grid::new("options").num_columns(2).show(ui, |ui| {
        let mut number = |name: &str, value: &mut f64, range: std::ops::RangeInclusive<f64>| {
            ui.label(name);
            let speed = (value.abs() * 0.01).max(1e-9);
            ui.add(DragValue::new(value).speed(speed).range(range).max_decimals(9));
            ui.end_row();
        };
        number("timestep", &mut opt.timestep, 1e-7..=1.0);
        number("impratio", &mut opt.impratio, 1e-3..=1e6);
        number("tolerance", &mut opt.tolerance, 0.0..=1.0);
        number("density", &mut opt.density, 0.0..=1e5);
        number("viscosity", &mut opt.viscosity, 0.0..=1e3);
    });
    ui.horizontal(|ui| {
        ui.label("iterations");
        ui.add(DragValue::new(&mut opt.iterations).range(0..=10_000));
        ui.label("noslip");
        ui.add(DragValue::new(&mut opt.noslip_iterations).range(0..=1000));
    });
    for (name, values) in
        [("gravity", &mut opt.gravity), ("wind", &mut opt.wind), ("magnetic", &mut opt.magnetic)]
    {
        ui.horizontal(|ui| {
            for value in values {
                ui.add(DragValue::new(value).speed(0.05).range(-1e4..=1e4).max_decimals(4));
            }
            ui.label(name);
        });
    }
}
