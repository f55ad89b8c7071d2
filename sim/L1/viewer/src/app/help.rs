//! The list of keys and mouse actions.

use super::{App, Shortcut};
use sim_physics::scene::{RenderFlag, VisFlag};

/// Mouse actions.
const MOUSE: [(&str, &str); 11] = [
    ("left drag", "rotate the camera"),
    ("right drag", "move the camera vertically"),
    ("shift right drag", "move the camera horizontally"),
    ("wheel, middle drag", "zoom"),
    ("double click", "select a body"),
    ("right double click", "look at a point"),
    ("ctrl right double click", "follow a body"),
    ("ctrl left drag", "turn the selected body"),
    ("ctrl right drag", "pull the selected body"),
    ("shift with either", "use the horizontal plane"),
    ("drop a file", "load a model"),
];

impl App {
    /// Shows the help, if it is enabled.
    pub(super) fn help(&mut self, ctx: &egui::Context) {
        let mut open = self.shown.help;
        let window = egui::Window::new("Help").open(&mut open).collapsible(false);
        let window = window.anchor(egui::Align2::CENTER_CENTER, egui::Vec2::ZERO).auto_sized();
        window.show(ctx, |ui| {
            if !self.shortcuts {
                ui.label("Shortcuts are disabled: all keys are passed to the program.");
            }
            let flags = VisFlag::ALL.iter().map(|flag| flag.info());
            let flags = flags.chain(RenderFlag::ALL.iter().map(|flag| flag.info()));
            let groups = [("0 … 5", "geom groups"), ("shift 0 … 5", "site groups")];
            let flags: Vec<(&str, &str)> = flags
                .filter(|info| !info.2.is_empty())
                .map(|info| (info.2, info.0))
                .chain(groups)
                .collect();
            let (first, second) = flags.split_at(flags.len() / 2);
            let keys: Vec<(&str, &str)> = Shortcut::ALL.iter().map(|s| (s.keys, s.text)).collect();
            ui.horizontal_top(|ui| {
                list(ui, "mouse", &MOUSE);
                list(ui, "keys", &keys);
                list(ui, "flags", first);
                list(ui, "more flags", second);
            });
        });
        self.shown.help = open;
    }
}

fn list(ui: &mut egui::Ui, id: &str, rows: &[(&str, &str)]) {
    let grid = egui::Grid::new(id).num_columns(2).spacing([10.0, 1.0]).min_row_height(15.0);
    grid.show(ui, |ui| {
        for (keys, text) in rows {
            ui.small(egui::RichText::new(*keys).strong());
            ui.small(*text);
            ui.end_row();
        }
    });
    ui.add_space(12.0);
}
