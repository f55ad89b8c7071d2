//! Sliders of joints and controls, and switches of equality constraints.

use crate::app::App;
use crate::link::{Command, Snapshot};
use crate::world::World;
use sim_physics::types::{JointType, ObjType};
use sim_physics::{Data, Model};

/// Most sliders of one kind.
const MAX_ROWS: usize = 200;

impl App {
    /// A slider for each hinge and slide joint.
    pub(super) fn joints(&mut self, ui: &mut egui::Ui, world: &World) {
        let (m, d) = (&world.model, &world.data);
        let scalar = |j: &usize| matches!(m.jnt_type[*j], JointType::Hinge | JointType::Slide);
        let joints: Vec<usize> = (0..m.njnt).filter(scalar).collect();
        if joints.is_empty() {
            ui.weak("The model has no hinge or slide joints.");
        }
        for &joint in joints.iter().take(MAX_ROWS) {
            let adr = usize::try_from(m.jnt_qposadr[joint]).unwrap_or(0);
            let range = match m.jnt_limited[joint] {
                true => m.jnt_range[2 * joint]..=m.jnt_range[2 * joint + 1],
                false if m.jnt_type[joint] == JointType::Slide => -1.0..=1.0,
                false => -std::f64::consts::PI..=std::f64::consts::PI,
            };
            let name = super::name(m, ObjType::Joint, joint);
            if let Some(value) = slider(ui, &name, d.qpos[adr], range) {
                self.edit(move |_, d| {
                    if let Some(q) = d.qpos.get_mut(adr) {
                        *q = value;
                    }
                });
            }
        }
        omitted(ui, joints.len());
    }

    /// A slider for each control.
    pub(super) fn controls(&mut self, ui: &mut egui::Ui, world: &World, snapshot: &Snapshot) {
        let (m, d) = (&world.model, &world.data);
        if let Some(mut enabled) = snapshot.status.control
            && ui.checkbox(&mut enabled, "controls of the program").changed()
        {
            self.send(Command::Control(enabled));
        }
        if m.nu == 0 {
            ui.weak("The model has no actuators.");
            return;
        }
        if ui.button("Clear controls").clicked() {
            self.edit(|_, d| d.ctrl.fill(0.0));
        }
        for actuator in 0..m.nu.min(MAX_ROWS) {
            let range = match m.actuator_ctrllimited[actuator] {
                true => m.actuator_ctrlrange[2 * actuator]..=m.actuator_ctrlrange[2 * actuator + 1],
                false => -1.0..=1.0,
            };
            let name = super::name(m, ObjType::Actuator, actuator);
            if let Some(value) = slider(ui, &name, d.ctrl[actuator], range) {
                self.edit(move |_, d| {
                    if let Some(ctrl) = d.ctrl.get_mut(actuator) {
                        *ctrl = value;
                    }
                });
            }
        }
        omitted(ui, m.nu);
    }

    /// A switch for each equality constraint.
    pub(super) fn equalities(&mut self, ui: &mut egui::Ui, world: &World) {
        let (m, d) = (&world.model, &world.data);
        for id in 0..m.neq.min(MAX_ROWS) {
            let mut active = d.eq_active[id];
            let name = super::name(m, ObjType::Equality, id);
            if ui.checkbox(&mut active, name).changed() {
                self.edit(move |_, d| {
                    if let Some(own) = d.eq_active.get_mut(id) {
                        *own = active;
                    }
                });
            }
        }
        omitted(ui, m.neq);
    }

    /// Changes the state of the selected environment.
    pub(crate) fn edit(&self, edit: impl FnOnce(&Model, &mut Data) + Send + 'static) {
        self.send(Command::Edit(self.view.world, Box::new(edit)));
    }
}

/// A slider with a name; returns the value that the user set. Values outside of the range are shown.
fn slider(
    ui: &mut egui::Ui,
    name: &str,
    value: f64,
    range: std::ops::RangeInclusive<f64>,
) -> Option<f64> {
    let mut new = value;
    let slider = egui::Slider::new(&mut new, range)
        .clamping(egui::SliderClamping::Never)
        .text(name)
        .max_decimals(4);
    ui.add(slider).changed().then_some(new).filter(|new| new.is_finite())
}

/// Says how many rows are not shown.
fn omitted(ui: &mut egui::Ui, count: usize) {
    if count > MAX_ROWS {
        ui.weak(format!("{} more", count - MAX_ROWS));
    }
}
