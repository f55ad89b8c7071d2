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
        let window = window.default_width(620.0).pivot(egui::Align2::CENTER_CENTER);
        window.default_pos(ctx.content_rect().center()).show(ctx, |ui| {
            if !self.shortcuts {
                ui.label("Shortcuts are disabled: all keys are passed to the program.");
            }
            ui.columns(3, |columns| {
                list(&mut columns[0], "mouse", MOUSE.iter().map(|(k, t)| (*k, *t)));
                let keys = Shortcut::ALL.iter().map(|s| (s.keys, s.text));
                list(&mut columns[1], "keys", keys);
                let flags = VisFlag::ALL.iter().map(|flag| flag.info());
                let flags = flags.chain(RenderFlag::ALL.iter().map(|flag| flag.info()));
                let flags = flags.filter(|info| !info.2.is_empty());
                let groups = [("0 … 5", "geom groups"), ("shift 0 … 5", "site groups")];
                let all = flags.map(|info| (info.2, info.0)).chain(groups);
                list(&mut columns[2], "flags", all);
            });
        });
        self.shown.help = open;
    }
}

fn list<'a>(ui: &mut egui::Ui, id: &str, rows: impl Iterator<Item = (&'a str, &'a str)>) {
    egui::Grid::new(id).num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
        for (keys, text) in rows {
            ui.strong(keys);
            ui.label(text);
            ui.end_row();
        }
    });
}
