//! The panels on both sides of the view.

mod bodies;
mod joints;
mod physics;
mod rendering;
mod simulation;

use super::App;
use crate::link::Snapshot;
use egui::{CollapsingHeader, ScrollArea};
use sim_physics::Model;
use sim_physics::scene::{Camera, CameraType};
use sim_physics::types::ObjType;

impl App {
    /// File, simulation, physics and rendering.
    pub(super) fn left_panel(&mut self, ui: &mut egui::Ui, snapshot: &Snapshot) {
        let panel = egui::Panel::left("left").default_size(250.0).size_range(180.0..=420.0);
        panel.show(ui, |ui| {
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                section(ui, "File", true, |ui| self.file(ui));
                section(ui, "Simulation", true, |ui| self.simulation(ui, snapshot));
                section(ui, "Physics", false, |ui| self.physics(ui, snapshot));
                section(ui, "Rendering", false, |ui| self.rendering(ui, snapshot));
                section(ui, "Groups", false, |ui| self.groups(ui));
                section(ui, "Windows", true, |ui| self.window_switches(ui));
            });
        });
    }

    /// Values of the program, joints, controls, equalities, bodies and contacts.
    pub(super) fn right_panel(&mut self, ui: &mut egui::Ui, snapshot: &Snapshot) {
        let panel = egui::Panel::right("right").default_size(250.0).size_range(180.0..=480.0);
        panel.show(ui, |ui| {
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                if !self.sliders.is_empty() {
                    section(ui, "Parameters", true, |ui| self.parameters(ui));
                }
                let Some(world) = snapshot.worlds.get(self.view.world) else { return };
                section(ui, "Joints", true, |ui| self.joints(ui, world));
                section(ui, "Controls", true, |ui| self.controls(ui, world, snapshot));
                if world.model.neq > 0 {
                    section(ui, "Equalities", false, |ui| self.equalities(ui, world));
                }
                section(ui, "Bodies", false, |ui| self.bodies(ui, world));
                section(ui, "Contacts", false, |ui| self.contacts(ui, world));
            });
        });
    }

    /// Sliders of the program.
    fn parameters(&mut self, ui: &mut egui::Ui) {
        for slider in &self.sliders {
            let mut value = slider.value();
            let widget = egui::Slider::new(&mut value, slider.range.clone()).text(&slider.name);
            if ui.add(widget).changed() {
                slider.set(value);
            }
        }
    }

    /// Switches of the windows that keys show too.
    fn window_switches(&mut self, ui: &mut egui::Ui) {
        let shown = &mut self.shown;
        ui.horizontal_wrapped(|ui| {
            for (value, text) in [
                (&mut shown.help, "Help (F1)"),
                (&mut shown.info, "Info (F2)"),
                (&mut shown.profiler, "Profiler (F3)"),
                (&mut shown.sensors, "Sensors (F4)"),
                (&mut shown.energy, "Energy (F8)"),
            ] {
                ui.toggle_value(value, text);
            }
        });
        ui.checkbox(&mut self.shortcuts, "keyboard shortcuts");
    }
}

/// A section that can be collapsed.
fn section(ui: &mut egui::Ui, title: &str, open: bool, add: impl FnOnce(&mut egui::Ui)) {
    CollapsingHeader::new(title).default_open(open).show(ui, add);
}

/// Name of an element, or its number.
pub(super) fn name(m: &Model, kind: ObjType, id: usize) -> String {
    match m.id2name(kind, id).filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None => format!("{} {id}", kind.name().unwrap_or("element")),
    }
}

/// Name of a camera.
pub(super) fn camera_name(m: &Model, camera: &Camera) -> String {
    let id = |id: i32| usize::try_from(id).unwrap_or(0);
    match camera.kind {
        CameraType::Free => "free".to_owned(),
        CameraType::Tracking => {
            format!("follows {}", name(m, ObjType::Body, id(camera.trackbodyid)))
        }
        CameraType::Fixed => name(m, ObjType::Camera, id(camera.fixedcamid)),
        CameraType::User => "program".to_owned(),
    }
}
