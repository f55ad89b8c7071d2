//! Camera, labels, frames, visualization flags, rendering effects and groups.

use crate::app::App;
use crate::link::Snapshot;
use egui::ComboBox;
use sim_physics::Model;
use sim_physics::scene::{
    Camera, CameraType, FrameMode, LabelMode, NGROUP, RenderFlag, VisFlag, VisOption,
};

impl App {
    /// What is visualized, and how.
    pub(super) fn rendering(&mut self, ui: &mut egui::Ui, snapshot: &Snapshot) {
        if let Some(world) = snapshot.worlds.get(self.view.world) {
            self.cameras(ui, &world.model, snapshot.worlds.len());
        }
        if let Some(draft) = &mut self.draft {
            let text = "half resolution, small shadow maps, no multisampling; for software drivers";
            ui.checkbox(draft, "draft quality").on_hover_text(text);
        }
        let option = &mut self.view.option;
        mode(ui, "label", &mut option.label, LabelMode::ALL);
        mode(ui, "frame", &mut option.frame, FrameMode::ALL);
        ui.separator();
        for flag in VisFlag::ALL {
            let (name, _, key) = flag.info();
            toggle(ui, &mut option.flags[*flag as usize], name, key);
        }
        ui.add(egui::Slider::new(&mut option.bvh_depth, 0..=20).text("tree depth"));
        ui.separator();
        for flag in RenderFlag::ALL {
            let (name, _, key) = flag.info();
            toggle(ui, &mut self.view.flags[*flag as usize], name, key);
        }
    }

    /// Choice of the camera, and cameras that are shown at the same time.
    fn cameras(&mut self, ui: &mut egui::Ui, m: &Model, worlds: usize) {
        let current = super::camera_name(m, &self.view.camera);
        ComboBox::from_label("camera").selected_text(current).show_ui(ui, |ui| {
            let is_free = self.view.camera.kind == CameraType::Free;
            if ui.selectable_label(is_free, "free").clicked() {
                self.view.free_camera(m);
            }
            if let Some(body) = self.view.perturb.body(m.nbody) {
                let tracking = Camera::tracking(m, body);
                let name = super::camera_name(m, &tracking);
                let same = self.view.camera.kind == CameraType::Tracking;
                if ui.selectable_label(same, name).clicked() {
                    self.view.camera = tracking;
                }
            }
            for id in 0..m.ncam {
                let camera = Camera::fixed(id);
                let same = self.view.camera == camera;
                if ui.selectable_label(same, super::camera_name(m, &camera)).clicked() {
                    self.view.camera = camera;
                }
            }
        });
        if worlds > 1 || m.ncam == 0 {
            return;
        }
        ui.horizontal_wrapped(|ui| {
            ui.label("also show");
            for id in 0..m.ncam {
                let camera = Camera::fixed(id);
                let place = self.view.extra.iter().position(|other| *other == camera);
                let mut shown = place.is_some();
                if ui.toggle_value(&mut shown, super::camera_name(m, &camera)).changed() {
                    match place {
                        Some(i) => drop(self.view.extra.remove(i)),
                        None => self.view.extra.push(camera),
                    }
                }
            }
        });
    }

    /// Visible groups of each kind of element.
    pub(super) fn groups(&mut self, ui: &mut egui::Ui) {
        let VisOption {
            geomgroup,
            sitegroup,
            jointgroup,
            tendongroup,
            actuatorgroup,
            flexgroup,
            skingroup,
            ..
        } = &mut self.view.option;
        let all = [
            ("geom", geomgroup),
            ("site", sitegroup),
            ("joint", jointgroup),
            ("tendon", tendongroup),
            ("actuator", actuatorgroup),
            ("flex", flexgroup),
            ("skin", skingroup),
        ];
        egui::Grid::new("groups").num_columns(NGROUP + 1).spacing([2.0, 2.0]).show(ui, |ui| {
            for (name, groups) in all {
                ui.label(name);
                for (i, shown) in groups.iter_mut().enumerate() {
                    ui.toggle_value(shown, i.to_string())
                        .on_hover_text(format!("{name} group {i}"));
                }
                ui.end_row();
            }
        });
    }
}

fn toggle(ui: &mut egui::Ui, value: &mut bool, name: &str, key: &str) {
    let response = ui.checkbox(value, name);
    if !key.is_empty() {
        response.on_hover_text(key);
    }
}

fn mode<T: Copy + PartialEq + std::fmt::Debug>(
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
