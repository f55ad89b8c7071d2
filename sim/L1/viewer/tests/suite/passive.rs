//! Windows of programs that step their own simulation.

use crate::{MODEL, of_app, press};
use egui_kittest::kittest::Queryable;
use sim_physics::{BatchSim, Simulation};
use sim_viewer::egui::Key;
use sim_viewer::{Options, Passive};

fn simulation() -> Simulation {
    Simulation::from_xml(MODEL).expect("valid")
}

#[test]
fn states_are_shown_and_changes_are_applied() {
    let mut sim = simulation();
    let (app, mut view) = Passive::without_window(sim.model(), Options::default());
    let mut harness = of_app(app);
    assert!(view.is_open());
    for _ in 0..10 {
        sim.step().expect("a step");
        view.sync(&mut sim).expect("shown");
        harness.step();
    }
    let shown = harness.state().worlds()[0].data.time;
    assert!(shown > 0.015 && shown <= sim.time(), "{shown}");
    harness.get_by_label("raised").click();
    harness.run_steps(2);
    view.sync(&mut sim).expect("shown");
    assert_eq!((sim.time(), sim.data().qpos[0]), (0.0, 1.0));
    // keys reach the program; the program decides what a pause means
    press(&mut harness, Key::Space);
    view.sync(&mut sim).expect("shown");
    assert!(view.is_paused());
    press(&mut harness, Key::ArrowRight);
    view.sync(&mut sim).expect("shown");
    assert!(!view.is_paused() && view.is_paused());
    let keys: Vec<String> = view.keys().into_iter().map(|key| key.key).collect();
    assert_eq!(keys, ["Space", "Right"]);
}

#[test]
fn closing_the_window_does_not_end_the_program() {
    let mut sim = simulation();
    let (app, mut view) = Passive::without_window(sim.model(), Options::default());
    drop(of_app(app));
    assert!(!view.is_open());
    for _ in 0..100 {
        sim.step().expect("a step");
        view.pace(&mut sim).expect("nothing is shown");
    }
    assert!((sim.time() - 0.2).abs() < 1e-9);
}

#[test]
fn the_window_closes_when_the_program_ends() {
    let sim = simulation();
    let (app, view) = Passive::without_window(sim.model(), Options::default());
    let mut harness = of_app(app);
    drop(view);
    harness.step();
    assert!(harness.state().is_closed());
}

#[test]
fn drawings_of_the_program_are_shown() {
    let mut sim = simulation();
    let (app, mut view) = Passive::without_window(sim.model(), Options::default());
    let mut harness = of_app(app);
    let before = harness.state().view.scenes[0].geoms.len();
    for k in 0..3 {
        let overlay = view.overlay();
        overlay.clear();
        overlay.arrow([0.0; 3], [0.0, 0.0, 1.0], 0.01, [1.0, 0.0, 0.0, 1.0]);
        overlay.frame([0.0; 3], &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], 0.2);
        overlay.label([0.0, 0.0, 0.5], "here");
        overlay.text("reward", "1.5");
        overlay.plot("error", f64::from(k), 0.5);
        overlay.image("camera", [2, 1], &[0, 0, 0, 255, 255, 255]);
        overlay.image("wrong size", [2, 2], &[0]);
        view.sync(&mut sim).expect("shown");
        harness.run_steps(2);
    }
    assert_eq!(harness.state().view.scenes[0].geoms.len(), before + 4);
    assert!(harness.query_by_label("Program").is_some());
    assert!(harness.query_by_label("camera").is_some());
    assert!(harness.query_by_label("wrong size").is_none());
}

#[test]
fn environments_of_a_batch_are_shown_side_by_side() {
    let mut batch = BatchSim::new(simulation().model().clone(), 8);
    let (app, mut view) = Passive::without_window(batch.model(0), Options::default());
    let mut harness = of_app(app);
    batch.step_n(5);
    view.sync_batch(&batch, &[0, 3, 7, 99]);
    harness.run_steps(2);
    let app = harness.state();
    assert_eq!((app.worlds().len(), app.view.scenes.len()), (3, 3));
    assert!((app.worlds()[2].data.time - 0.01).abs() < 1e-12);
}
