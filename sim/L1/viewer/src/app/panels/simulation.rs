//! File, run, speed, reset, keyframes, history, screenshots and videos.

use crate::app::{App, Backend};
use crate::link::{Command, Snapshot};
use sim_physics::types::ObjType;
use std::path::PathBuf;

impl App {
    /// The model file, screenshots and videos.
    pub(super) fn file(&mut self, ui: &mut egui::Ui) {
        if !matches!(self.backend, Backend::Passive) {
            let field = egui::TextEdit::singleline(&mut self.path_text)
                .hint_text("model file; or drop one here")
                .desired_width(f32::INFINITY);
            let edited = ui.add(field);
            let entered = edited.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
            ui.horizontal(|ui| {
                if (ui.button("Load").clicked() || entered) && !self.path_text.is_empty() {
                    self.open(&PathBuf::from(self.path_text.clone()));
                }
                let has_file = self.watch.path().is_some();
                if ui.add_enabled(has_file, egui::Button::new("Reload")).clicked() {
                    self.watch.reload();
                }
                ui.checkbox(&mut self.watch.enabled, "when changed");
                if self.is_loading() {
                    ui.spinner();
                }
            });
        }
        ui.horizontal(|ui| {
            if ui.button("Screenshot").clicked() {
                self.screenshot();
            }
            let text = if self.is_recording() { "End video" } else { "Video" };
            if ui.button(text).clicked() {
                self.toggle_recording();
            }
        });
    }

    /// Run, pause, steps, speed, keyframes and history.
    pub(super) fn simulation(&mut self, ui: &mut egui::Ui, snapshot: &Snapshot) {
        let status = &snapshot.status;
        ui.horizontal(|ui| {
            let text = if status.running { "Pause" } else { "Run" };
            if ui.button(text).clicked() {
                self.set_running(!status.running);
            }
            if ui.button("Reset").clicked() {
                self.send(Command::Reset);
            }
            let has_history = status.history.len > 0;
            if ui
                .add_enabled(has_history, egui::Button::new("<"))
                .on_hover_text("step back")
                .clicked()
            {
                self.send(Command::Step(-1));
            }
            if ui.button(">").on_hover_text("step forward").clicked() {
                self.send(Command::Step(1));
            }
        });
        let mut speed = status.speed;
        let slider = egui::Slider::new(&mut speed, 0.001..=16.0).logarithmic(true).text("speed");
        if ui.add(slider).changed() {
            self.send(Command::Speed(speed));
        }
        if status.running && status.real_time_factor > 0.0 {
            ui.label(format!("{:.2} × real time", status.real_time_factor));
        }
        self.history(ui, snapshot);
        self.keyframes(ui, snapshot);
        if snapshot.worlds.len() > 1 {
            let count = snapshot.worlds.len();
            let slider = egui::Slider::new(&mut self.view.world, 0..=count - 1);
            ui.add(slider.text("environment"));
        }
    }

    fn history(&mut self, ui: &mut egui::Ui, snapshot: &Snapshot) {
        let history = snapshot.status.history;
        if history.len < 2 {
            return;
        }
        let mut back = history.cursor as i64 - (history.len as i64 - 1);
        let slider = egui::Slider::new(&mut back, 1 - history.len as i64..=0);
        let response = ui.add(slider.text("history"));
        let memory = history.bytes as f64 / f64::from(1 << 20);
        let budget = history.budget as f64 / f64::from(1 << 20);
        let text = format!("{} states, {memory:.1} of {budget:.0} MiB", history.len);
        if response.on_hover_text(text).changed() {
            let cursor = history.len as i64 - 1 + back;
            self.send(Command::Seek(usize::try_from(cursor).unwrap_or(0)));
        }
    }

    fn keyframes(&mut self, ui: &mut egui::Ui, snapshot: &Snapshot) {
        let Some(model) = snapshot.worlds.get(self.view.world).map(|world| &world.model) else {
            return;
        };
        if model.nkey == 0 {
            return;
        }
        ui.horizontal_wrapped(|ui| {
            ui.label("keyframes");
            for key in 0..model.nkey.min(100) {
                if ui.button(super::name(model, ObjType::Key, key)).clicked() {
                    self.send(Command::Keyframe(key));
                }
            }
        });
    }
}
