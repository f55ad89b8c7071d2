//! Keyboard shortcuts: those of MuJoCo's `simulate`.

use super::App;
use crate::link::{Command, KeyPress};
use egui::{Event, Key, Modifiers};
use sim_physics::Model;
use sim_physics::scene::{Camera, RenderFlag, VisFlag};

/// A keyboard shortcut.
#[derive(Debug, Clone, Copy)]
pub struct Shortcut {
    key: Key,
    ctrl: bool,
    /// Keys as they are shown in the help.
    pub keys: &'static str,
    /// What it does.
    pub text: &'static str,
    action: fn(&mut App, Option<&Model>),
}

const fn plain(
    key: Key,
    keys: &'static str,
    text: &'static str,
    action: fn(&mut App, Option<&Model>),
) -> Shortcut {
    Shortcut { key, ctrl: false, keys, text, action }
}

const fn ctrl(
    key: Key,
    keys: &'static str,
    text: &'static str,
    action: fn(&mut App, Option<&Model>),
) -> Shortcut {
    Shortcut { key, ctrl: true, keys, text, action }
}

impl Shortcut {
    /// All shortcuts except those of visualization flags and groups, in the order of the help.
    pub const ALL: &'static [Self] = &[
        plain(Key::F1, "F1", "help", |app, _| app.shown.help ^= true),
        plain(Key::F2, "F2", "info", |app, _| app.shown.info ^= true),
        plain(Key::F3, "F3", "profiler", |app, _| app.shown.profiler ^= true),
        plain(Key::F4, "F4", "sensors", |app, _| app.shown.sensors ^= true),
        plain(Key::F5, "F5", "full screen", |app, _| app.fullscreen ^= true),
        plain(Key::F6, "F6", "coordinate frames", |app, _| app.view.cycle_frame()),
        plain(Key::F7, "F7", "labels", |app, _| app.view.cycle_label()),
        plain(Key::F8, "F8", "energy", |app, _| app.shown.energy ^= true),
        plain(Key::Space, "Space", "run or pause", |app, _| {
            app.set_running(!app.status().running);
        }),
        plain(Key::ArrowRight, "Right", "step forward", |app, _| app.send(Command::Step(1))),
        plain(Key::ArrowLeft, "Left", "step back", |app, _| app.send(Command::Step(-1))),
        plain(Key::ArrowDown, "Down", "100 steps forward", |app, _| app.send(Command::Step(100))),
        plain(Key::ArrowUp, "Up", "100 steps back", |app, _| app.send(Command::Step(-100))),
        plain(Key::Backspace, "Backspace", "reset", |app, _| app.send(Command::Reset)),
        plain(Key::Minus, "-", "slower", |app, _| app.change_speed(-1)),
        plain(Key::Plus, "+ or =", "faster", |app, _| app.change_speed(1)),
        plain(Key::OpenBracket, "[", "previous camera", |app, model| {
            if let Some(model) = model {
                app.view.cycle_camera(model, -1);
            }
        }),
        plain(Key::CloseBracket, "]", "next camera", |app, model| {
            if let Some(model) = model {
                app.view.cycle_camera(model, 1);
            }
        }),
        plain(Key::Escape, "Esc", "free camera", |app, model| {
            if let Some(model) = model {
                app.view.free_camera(model);
            }
        }),
        plain(Key::PageUp, "Page Up", "select the parent body", |app, model| {
            if let Some(model) = model {
                app.select_parent(model);
            }
        }),
        plain(Key::Tab, "Tab", "left and right panels", |app, _| {
            let shown = !(app.shown.left || app.shown.right);
            (app.shown.left, app.shown.right) = (shown, shown);
        }),
        ctrl(Key::A, "Ctrl A", "show the whole model", |app, model| {
            if let Some(model) = model {
                app.view.camera = Camera::free(model);
            }
        }),
        ctrl(Key::L, "Ctrl L", "reload", |app, _| app.watch.reload()),
        ctrl(Key::P, "Ctrl P", "screenshot", |app, _| app.screenshot()),
        ctrl(Key::R, "Ctrl R", "start or end a video", |app, _| app.toggle_recording()),
        ctrl(Key::Q, "Ctrl Q", "close", |app, _| app.close = true),
    ];
}

/// The visualization flag of a key.
fn vis_flag(key: Key) -> Option<VisFlag> {
    VisFlag::ALL.iter().copied().find(|flag| is_key(flag.info().2, key))
}

/// The rendering flag of a key.
fn render_flag(key: Key) -> Option<RenderFlag> {
    RenderFlag::ALL.iter().copied().find(|flag| is_key(flag.info().2, key))
}

fn is_key(name: &str, key: Key) -> bool {
    !name.is_empty() && Key::from_name(name) == Some(key)
}

/// The group of a digit.
fn group(key: Key) -> Option<usize> {
    use Key::{Num0, Num1, Num2, Num3, Num4, Num5};
    [Num0, Num1, Num2, Num3, Num4, Num5].iter().position(|digit| *digit == key)
}

impl App {
    /// Executes the shortcuts of the pressed keys and passes all keys to the program.
    pub(super) fn keys(&mut self, ctx: &egui::Context) {
        if self.edits_text {
            return;
        }
        if self.shortcuts
            && let Some(focused) = ctx.memory(|memory| memory.focused())
        {
            // arrows and Tab are shortcuts and must not operate a slider
            ctx.memory_mut(|memory| memory.surrender_focus(focused));
        }
        let events = ctx.input(|input| input.events.clone());
        let model = self.worlds().get(self.view.world).map(|world| world.model.clone());
        for event in events {
            let Event::Key { key, pressed: true, modifiers, repeat, .. } = event else { continue };
            if !repeat {
                self.send_key(key_press(key, modifiers));
            }
            if self.shortcuts {
                self.shortcut(key, modifiers, model.as_deref());
            }
        }
    }

    fn shortcut(&mut self, key: Key, modifiers: Modifiers, model: Option<&Model>) {
        let ctrl = modifiers.ctrl || modifiers.command;
        let key = if key == Key::Equals { Key::Plus } else { key };
        if modifiers.alt {
            return;
        }
        let found = Shortcut::ALL.iter().find(|s| s.key == key && s.ctrl == ctrl);
        if let Some(shortcut) = found {
            (shortcut.action)(self, model);
            return;
        }
        if ctrl {
            return;
        }
        let option = &mut self.view.option;
        if let Some(group) = group(key) {
            let groups =
                if modifiers.shift { &mut option.sitegroup } else { &mut option.geomgroup };
            groups[group] ^= true;
        } else if let Some(flag) = vis_flag(key) {
            option.flags[flag as usize] ^= true;
        } else if let Some(flag) = render_flag(key) {
            self.view.flags[flag as usize] ^= true;
        }
    }

    fn select_parent(&mut self, model: &Model) {
        let Some(body) = self.view.perturb.body(model.nbody) else { return };
        self.end_perturbation();
        let parent = model.body_parentid[body];
        (self.view.perturb.select, self.view.perturb.localpos) = (parent, [0.0; 3]);
    }
}

fn key_press(key: Key, modifiers: Modifiers) -> KeyPress {
    KeyPress {
        key: key.name().to_owned(),
        ctrl: modifiers.ctrl || modifiers.command,
        shift: modifiers.shift,
        alt: modifiers.alt,
    }
}

#[cfg(test)]
mod tests {
    use super::{Shortcut, render_flag, vis_flag};
    use sim_physics::scene::{RenderFlag, VisFlag};

    #[test]
    fn every_key_has_one_meaning() {
        for (i, a) in Shortcut::ALL.iter().enumerate() {
            let same = |b: &&Shortcut| a.key == b.key && a.ctrl == b.ctrl;
            assert_eq!(Shortcut::ALL[i + 1..].iter().find(same).map(|b| b.keys), None);
            assert!(a.ctrl || vis_flag(a.key).is_none() && render_flag(a.key).is_none());
        }
    }

    #[test]
    fn letters_toggle_flags_as_in_simulate() {
        assert_eq!(vis_flag(egui::Key::C), Some(VisFlag::ContactPoint));
        assert_eq!(render_flag(egui::Key::S), Some(RenderFlag::Shadow));
        for flag in VisFlag::ALL.iter().filter(|flag| !flag.info().2.is_empty()) {
            assert!(egui::Key::from_name(flag.info().2).is_some(), "{flag:?}");
        }
    }
}
