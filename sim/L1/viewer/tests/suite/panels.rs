//! Panels and keys.

use crate::{MODEL, harness, of_worlds, press};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use sim_physics::scene::{CameraType, FrameMode, LabelMode, RenderFlag, VisFlag};
use sim_viewer::egui::{Key, Modifiers, accesskit::Role};
use sim_viewer::{App, Options, Shortcut, Slider, World};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn click(harness: &mut Harness<'static, App>, label: &str) {
    harness.get_by_label(label).click();
    harness.run_steps(3);
}

fn data<'a>(harness: &'a Harness<'static, App>) -> &'a sim_physics::Data {
    &harness.state().worlds()[0].data
}

/// Sets the slider with this text.
fn set_slider(harness: &mut Harness<'static, App>, label: &str, value: f64) {
    let slider = |node: &egui_kittest::Node<'_>| node.accesskit_node().role() == Role::Slider;
    let found = harness.query_all_by_label(label).find(slider);
    found.unwrap_or_else(|| panic!("no slider {label}")).set_value_accesskit(value);
    harness.run_steps(3);
}

#[test]
fn run_pause_step_and_reset() {
    let mut harness = harness(MODEL, Options::default());
    assert!(harness.state().status().running);
    harness.state_mut().advance(10);
    assert!((data(&harness).time - 0.02).abs() < 1e-12);
    click(&mut harness, "Pause");
    harness.state_mut().advance(10);
    assert!((data(&harness).time - 0.02).abs() < 1e-12);
    click(&mut harness, ">");
    assert!((data(&harness).time - 0.022).abs() < 1e-12);
    click(&mut harness, "<");
    assert!((data(&harness).time - 0.02).abs() < 1e-12);
    click(&mut harness, "Reset");
    assert_eq!(data(&harness).time, 0.0);
    click(&mut harness, "Run");
    assert!(harness.state().status().running);
}

#[test]
fn keys_run_step_and_reset() {
    let mut harness = harness(MODEL, Options::default().paused(true));
    press(&mut harness, Key::Space);
    assert!(harness.state().status().running);
    harness.state_mut().advance(5);
    press(&mut harness, Key::Space);
    assert!(!harness.state().status().running);
    press(&mut harness, Key::ArrowRight);
    assert_eq!(harness.state().status().steps, 6);
    press(&mut harness, Key::ArrowLeft);
    press(&mut harness, Key::ArrowLeft);
    assert!((data(&harness).time - 0.008).abs() < 1e-12);
    // forward through the history, without simulating
    press(&mut harness, Key::ArrowRight);
    assert_eq!(harness.state().status().steps, 6);
    press(&mut harness, Key::Backspace);
    assert_eq!(data(&harness).time, 0.0);
    press(&mut harness, Key::Minus);
    assert_eq!(harness.state().status().speed, 0.8);
    press(&mut harness, Key::Plus);
    press(&mut harness, Key::Equals);
    assert_eq!(harness.state().status().speed, 2.0);
}

#[test]
fn keys_change_the_view() {
    let mut harness = harness(MODEL, Options::default().paused(true));
    press(&mut harness, Key::CloseBracket);
    assert_eq!(harness.state().view.camera.kind, CameraType::Fixed);
    press(&mut harness, Key::Escape);
    assert_eq!(harness.state().view.camera.kind, CameraType::Free);
    press(&mut harness, Key::F6);
    press(&mut harness, Key::F7);
    assert_eq!(harness.state().view.option.frame, FrameMode::Body);
    assert_eq!(harness.state().view.option.label, LabelMode::Body);
    press(&mut harness, Key::C);
    assert!(harness.state().view.option.flag(VisFlag::ContactPoint));
    press(&mut harness, Key::S);
    assert!(!harness.state().view.flags[RenderFlag::Shadow as usize]);
    press(&mut harness, Key::Num3);
    assert!(harness.state().view.option.geomgroup[3]);
    press(&mut harness, Key::Tab);
    assert!(!harness.state().shown.left && !harness.state().shown.right);
    press(&mut harness, Key::Tab);
    for key in [Key::F2, Key::F3, Key::F4, Key::F8] {
        press(&mut harness, key);
    }
    let shown = harness.state().shown;
    assert!(!shown.info && shown.profiler && shown.sensors && shown.energy && shown.left);
    harness.key_press_modifiers(Modifiers::CTRL, Key::Q);
    harness.run_steps(2);
    assert!(harness.state().is_closed());
}

#[test]
fn the_help_lists_all_keys() {
    let mut harness = harness(MODEL, Options::default().paused(true));
    press(&mut harness, Key::F1);
    for shortcut in Shortcut::ALL {
        assert!(harness.query_all_by_label(shortcut.text).next().is_some(), "{}", shortcut.text);
    }
}

#[test]
fn shortcuts_can_be_disabled_and_keys_reach_the_program() {
    let presses = Arc::new(AtomicUsize::new(0));
    let count = presses.clone();
    let options = Options::default().shortcuts(false).on_key(move |key, _, data| {
        count.fetch_add(1, Ordering::Relaxed);
        if key.key == "J" {
            data.qpos[0] = 0.5;
        }
    });
    let mut harness = harness(MODEL, options);
    press(&mut harness, Key::Space);
    assert!(harness.state().status().running);
    press(&mut harness, Key::J);
    assert_eq!(data(&harness).qpos[0], 0.5);
    assert!(!harness.state().view.option.flag(VisFlag::Joint));
    assert_eq!(presses.load(Ordering::Relaxed), 2);
}

#[test]
fn keyframes_joints_and_controls() {
    let mut harness = harness(MODEL, Options::default().paused(true));
    click(&mut harness, "raised");
    assert_eq!(data(&harness).qpos[0], 1.0);
    set_slider(&mut harness, "swing", -0.25);
    assert_eq!(data(&harness).qpos[0], -0.25);
    // the pose is that of the new position
    let expected = (-0.25_f64).cos();
    assert!((data(&harness).xmat[9] - expected).abs() < 1e-12);
    set_slider(&mut harness, "push", 1.5);
    assert_eq!(data(&harness).ctrl[0], 1.5);
    click(&mut harness, "Clear controls");
    assert_eq!(data(&harness).ctrl[0], 0.0);
}

#[test]
fn the_history_can_be_scrubbed_and_the_continuation_is_the_same() {
    let mut harness = harness(MODEL, Options::default());
    let mut reference = harness.state().worlds()[0].clone();
    for _ in 0..200 {
        reference.data.step(&reference.model).expect("a step");
    }
    harness.state_mut().advance(100);
    press(&mut harness, Key::Space);
    set_slider(&mut harness, "history", -60.0);
    assert!((data(&harness).time - 0.08).abs() < 1e-9);
    press(&mut harness, Key::ArrowRight);
    press(&mut harness, Key::Space);
    harness.state_mut().advance(159);
    assert_eq!(data(&harness).qpos, reference.data.qpos);
    assert_eq!(data(&harness).qvel, reference.data.qvel);
}

#[test]
fn physics_options_change_the_model() {
    let mut harness = harness(MODEL, Options::default().paused(true));
    click(&mut harness, "Physics");
    // the row with the vector has the same label
    let gravity = |harness: &Harness<'static, App>| {
        let is_checkbox = |n: &egui_kittest::Node<'_>| n.accesskit_node().role() == Role::CheckBox;
        harness.query_all_by_label("gravity").find(is_checkbox).map(|node| node.click())
    };
    gravity(&harness).expect("a checkbox");
    harness.run_steps(3);
    let flags = harness.state().worlds()[0].model.opt.disableflags;
    assert_eq!(flags, sim_physics::types::DisableBit::Gravity as i32);
}

#[test]
fn bodies_can_be_selected_in_the_tree() {
    let mut harness = harness(MODEL, Options::default().paused(true));
    click(&mut harness, "Bodies");
    click(&mut harness, "box");
    assert_eq!(harness.state().view.perturb.select, 2);
    press(&mut harness, Key::PageUp);
    assert_eq!(harness.state().view.perturb.select, 0);
}

#[test]
fn sliders_and_controls_of_a_program() {
    let gain = Slider::new("gain", 0.0..=10.0, 1.0);
    let value = gain.clone();
    let options =
        Options::default().slider(&gain).on_control(move |_, _, d| d.ctrl[0] = 0.1 * value.value());
    let mut harness = harness(MODEL, options);
    set_slider(&mut harness, "gain", 7.0);
    harness.state_mut().advance(1);
    assert!((data(&harness).ctrl[0] - 0.7).abs() < 1e-12);
    click(&mut harness, "controls of the program");
    set_slider(&mut harness, "push", -1.0);
    harness.state_mut().advance(1);
    assert_eq!(data(&harness).ctrl[0], -1.0);
}

#[test]
fn several_environments_and_models_are_shown_side_by_side() {
    let model = Arc::new(sim_physics::load_str(MODEL).expect("valid"));
    let other = sim_physics::load_str("<mujoco><option timestep='.004'/></mujoco>").expect("valid");
    let mut worlds = vec![World::of_model(model); 3];
    worlds.push(World::of_model(other.into()));
    let mut harness = of_worlds(worlds, Options::default());
    harness.state_mut().advance(100);
    harness.run_steps(2);
    let app = harness.state();
    assert_eq!(app.view.scenes.len(), 4);
    // models with different time steps stay together
    let times: Vec<f64> = app.worlds().iter().map(|world| world.data.time).collect();
    assert!((times[0] - times[3]).abs() < 0.0041, "{times:?}");
    assert!(harness.query_by_label("view 3").is_some());
}

#[test]
fn cameras_are_shown_beside_the_main_view() {
    let options = Options::default().paused(true).camera("side").camera("track:arm");
    let mut harness = harness(MODEL, options);
    assert_eq!(harness.state().view.scenes.len(), 3);
    assert_eq!(harness.state().error(), None);
    let wrong = self::harness(MODEL, Options::default().camera("nowhere"));
    let error = wrong.state().error().expect("no such camera");
    assert!(error.contains("`nowhere`"), "{error}");
    press(&mut harness, Key::F4);
    click(&mut harness, "angle");
    assert_eq!(harness.state().error(), None);
}
