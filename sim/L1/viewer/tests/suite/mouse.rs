//! Camera, selection and perturbation with the mouse.

use crate::{MODEL, button, double_click, harness, move_to};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use sim_physics::scene::{
    CameraType, MouseAction, PERT_ROTATE, PERT_TRANSLATE, mjv_apply_perturb_force,
    mjv_init_perturb, mjv_move_camera, mjv_move_perturb, mjv_select,
};
use sim_viewer::egui::{self, Event, Modifiers, PointerButton, Pos2, Rect, vec2};
use sim_viewer::{App, Options, World};

fn view(harness: &Harness<'static, App>) -> Rect {
    harness.get_by_label("view").rect()
}

/// The body that MuJoCo's function selects at a point of the screen.
fn selected(app: &App, rect: Rect, at: Pos2) -> Option<usize> {
    let world = &app.worlds()[0];
    let relx = f64::from((at.x - rect.left()) / rect.width());
    let rely = f64::from((rect.bottom() - at.y) / rect.height());
    let aspect = f64::from(rect.aspect_ratio());
    let (option, scene) = (&app.view.option, &app.view.scenes[0]);
    let found = mjv_select(&world.model, &world.data, option, aspect, relx, rely, scene);
    found.expect("a valid scene").map(|selection| selection.body)
}

/// A point of the screen that shows a body.
fn point_on(app: &App, rect: Rect, body: usize) -> Pos2 {
    let grid = (0..60).flat_map(|y| (0..60).map(move |x| vec2(x as f32, y as f32) / 60.0));
    let mut points = grid.map(|part| rect.min + part * rect.size());
    points.find(|at| selected(app, rect, *at) == Some(body)).expect("the body is visible")
}

#[test]
fn selection_equals_mjv_select() {
    let mut harness = harness(MODEL, Options::default().paused(true));
    let rect = view(&harness);
    for k in 0..25 {
        let part = vec2((k % 5) as f32 + 0.5, (k / 5) as f32 + 0.5) / 5.0;
        let at = rect.min + part * rect.size();
        let expected = selected(harness.state(), rect, at);
        double_click(&mut harness, at, PointerButton::Primary, Modifiers::NONE);
        harness.run_steps(20); // the next click must not be a triple click
        let body = usize::try_from(harness.state().view.perturb.select).expect("not negative");
        assert_eq!(body, expected.unwrap_or(0), "at {at}");
    }
    let at = point_on(harness.state(), rect, 2);
    double_click(&mut harness, at, PointerButton::Primary, Modifiers::NONE);
    assert_eq!(harness.state().view.perturb.select, 2);
}

#[test]
fn left_drag_rotates_right_drag_pans_and_the_wheel_zooms() {
    let mut harness = harness(MODEL, Options::default().paused(true));
    let rect = view(&harness);
    let center = rect.center();
    for (which, modifiers, action) in [
        (PointerButton::Primary, Modifiers::NONE, MouseAction::RotateV),
        (PointerButton::Primary, Modifiers::SHIFT, MouseAction::RotateH),
        (PointerButton::Secondary, Modifiers::NONE, MouseAction::MoveV),
        (PointerButton::Secondary, Modifiers::SHIFT, MouseAction::MoveH),
        (PointerButton::Middle, Modifiers::NONE, MouseAction::Zoom),
    ] {
        move_to(&mut harness, center, modifiers);
        button(&mut harness, center, which, true, modifiers);
        let app = harness.state();
        let mut expected = app.view.camera.clone();
        let height = f64::from(rect.height());
        let (dx, dy) = (40.0 / height, -25.0 / height);
        let (model, scene) = (&app.worlds()[0].model, &app.view.scenes[0]);
        mjv_move_camera(model, action, dx, dy, scene, &mut expected).expect("a valid scene");
        let moved = center + vec2(40.0, -25.0);
        move_to(&mut harness, moved, modifiers);
        button(&mut harness, moved, which, false, modifiers);
        let camera = &harness.state().view.camera;
        assert!((camera.azimuth - expected.azimuth).abs() < 1e-4, "{action:?}");
        assert!((camera.elevation - expected.elevation).abs() < 1e-4, "{action:?}");
        assert!((camera.distance - expected.distance).abs() < 1e-4, "{action:?}");
        for k in 0..3 {
            assert!((camera.lookat[k] - expected.lookat[k]).abs() < 1e-4, "{action:?}");
        }
    }
    let before = harness.state().view.camera.distance;
    move_to(&mut harness, center, Modifiers::NONE);
    harness.event(Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, -1.0),
        phase: egui::TouchPhase::Move,
        modifiers: Modifiers::NONE,
        source: egui::MouseWheelSource::Unknown,
    });
    harness.step();
    assert!(harness.state().view.camera.distance < before);
}

/// Drags the selected body with Ctrl and compares the force with that of MuJoCo's function.
fn check_perturbation(which: PointerButton, shift: bool, action: MouseAction) {
    let mut harness = harness(MODEL, Options::default());
    harness.state_mut().advance(20);
    harness.run_steps(2);
    let rect = view(&harness);
    let at = point_on(harness.state(), rect, 1);
    double_click(&mut harness, at, PointerButton::Primary, Modifiers::NONE);
    assert_eq!(harness.state().view.perturb.select, 1);
    let modifiers = Modifiers { ctrl: true, shift, ..Modifiers::NONE };
    let app = harness.state();
    // the same simulation without the viewer
    let mut world = World::of_model(app.worlds()[0].model.clone());
    for _ in 0..20 {
        world.data.step(&world.model).expect("a step");
    }
    let (mut expected, scene) = (app.view.perturb.clone(), app.view.scenes[0].clone());
    move_to(&mut harness, at, modifiers);
    button(&mut harness, at, which, true, modifiers);
    let moved = at + vec2(30.0, -50.0);
    move_to(&mut harness, moved, modifiers);

    let (m, d) = (&world.model.clone(), &mut world.data);
    mjv_init_perturb(m, d, &scene, &mut expected).expect("a valid scene");
    expected.active = if which == PointerButton::Secondary { PERT_TRANSLATE } else { PERT_ROTATE };
    let height = f64::from(rect.height());
    let delta = moved - at;
    let (dx, dy) = (f64::from(delta.x) / height, f64::from(delta.y) / height);
    mjv_move_perturb(m, d, action, dx, dy, &scene, &mut expected).expect("a valid scene");
    mjv_apply_perturb_force(m, d, &expected);

    harness.state_mut().advance(1);
    harness.step();
    let applied = &harness.state().worlds()[0].data.xfrc_applied[6..12];
    assert!(applied.iter().any(|x| x.abs() > 1e-3), "{applied:?}");
    for k in 0..6 {
        let difference = (applied[k] - d.xfrc_applied[6 + k]).abs();
        let scale = 1.0 + d.xfrc_applied[6 + k].abs();
        assert!(difference < 1e-9 * scale, "{k}: {applied:?} {:?}", &d.xfrc_applied[6..12]);
    }
    button(&mut harness, moved, which, false, modifiers);
    harness.run_steps(2);
    harness.state_mut().advance(1);
    let app = harness.state();
    assert_eq!(app.view.perturb.active, 0);
    assert!(app.worlds()[0].data.xfrc_applied.iter().all(|x| *x == 0.0));
}

#[test]
fn ctrl_right_drag_applies_the_force_of_mujoco() {
    check_perturbation(PointerButton::Secondary, false, MouseAction::MoveV);
}

#[test]
fn ctrl_left_drag_applies_the_torque_of_mujoco() {
    check_perturbation(PointerButton::Primary, false, MouseAction::RotateV);
}

#[test]
fn shift_constrains_the_plane() {
    check_perturbation(PointerButton::Secondary, true, MouseAction::MoveH);
    check_perturbation(PointerButton::Primary, true, MouseAction::RotateH);
}

#[test]
fn a_perturbation_keeps_the_forces_of_the_program() {
    let mut harness = harness(
        MODEL,
        Options::default().on_control(|_, _, d| {
            if d.time == 0.0 {
                d.xfrc_applied[6 + 2] = 0.25;
            }
        }),
    );
    harness.state_mut().advance(1);
    harness.run_steps(2);
    let rect = view(&harness);
    let at = point_on(harness.state(), rect, 1);
    double_click(&mut harness, at, PointerButton::Primary, Modifiers::NONE);
    let ctrl = Modifiers::CTRL;
    button(&mut harness, at, PointerButton::Secondary, true, ctrl);
    move_to(&mut harness, at + vec2(20.0, 0.0), ctrl);
    harness.state_mut().advance(1);
    assert_ne!(harness.state().worlds()[0].data.xfrc_applied[8], 0.25);
    button(&mut harness, at, PointerButton::Secondary, false, ctrl);
    harness.run_steps(2);
    harness.state_mut().advance(1);
    assert_eq!(harness.state().worlds()[0].data.xfrc_applied[8], 0.25);
}

#[test]
fn a_floating_body_of_a_paused_simulation_is_moved() {
    let mut harness = harness(MODEL, Options::default().paused(true));
    let rect = view(&harness);
    let at = point_on(harness.state(), rect, 2);
    double_click(&mut harness, at, PointerButton::Primary, Modifiers::NONE);
    let before = harness.state().worlds()[0].data.qpos.clone();
    button(&mut harness, at, PointerButton::Secondary, true, Modifiers::CTRL);
    move_to(&mut harness, at + vec2(0.0, -40.0), Modifiers::CTRL);
    harness.run_steps(2);
    let data = &harness.state().worlds()[0].data;
    assert!(data.qpos[3] > before[3] + 0.05, "{:?}", data.qpos);
    assert_eq!(data.xpos[3 * 2 + 2], data.qpos[3]);
    assert!(data.xfrc_applied.iter().all(|x| *x == 0.0));
    button(&mut harness, at, PointerButton::Secondary, false, Modifiers::CTRL);
}

#[test]
fn right_double_click_looks_at_a_point_and_with_ctrl_follows_the_body() {
    let mut harness = harness(MODEL, Options::default().paused(true));
    let rect = view(&harness);
    let at = point_on(harness.state(), rect, 2);
    double_click(&mut harness, at, PointerButton::Secondary, Modifiers::NONE);
    let lookat = harness.state().view.camera.lookat;
    assert!((lookat[0] - 0.6).abs() < 0.2 && (lookat[2] - 0.2).abs() < 0.2, "{lookat:?}");
    harness.run_steps(20);
    let at = point_on(harness.state(), rect, 2);
    double_click(&mut harness, at, PointerButton::Secondary, Modifiers::CTRL);
    let camera = &harness.state().view.camera;
    assert_eq!((camera.kind, camera.trackbodyid), (CameraType::Tracking, 2));
}
