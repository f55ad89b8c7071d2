//! Loading and reloading of files.

use crate::{MODEL, of_app};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use sim_viewer::egui;
use sim_viewer::{App, Options, World};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A file that is dropped on the window.
#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sim-viewer-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("writable");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn open(path: &Path) -> Harness<'static, App> {
    let model = sim_physics::load_file(path).expect("valid");
    let options = Options::default().file(path).keyframe(Some("raised".to_owned()));
    of_app(App::without_thread(vec![World::of_model(model.into())], options))
}

/// Draws frames until a condition holds.
fn wait(harness: &mut Harness<'static, App>, done: impl Fn(&App) -> bool) {
    let start = Instant::now();
    while !done(harness.state()) {
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", harness.state().error());
        std::thread::sleep(Duration::from_millis(20));
        harness.step();
    }
}

#[test]
fn a_changed_file_is_loaded_and_a_broken_one_keeps_the_model() {
    let folder = Folder::new("reload");
    let path = folder.write("model.xml", MODEL);
    let mut harness = open(&path);
    harness.state_mut().advance(10);
    let camera = harness.state().view.camera.clone();

    let broken = MODEL.replace("range=\"-90 90\"", "range=\"-90 x\"");
    folder.write("model.xml", &broken);
    wait(&mut harness, |app| app.error().is_some());
    let error = harness.state().error().expect("an error");
    assert!(error.contains("model.xml:7:") && error.contains("range"), "{error}");
    harness.state_mut().advance(10);
    assert!((harness.state().worlds()[0].data.time - 0.04).abs() < 1e-12);
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("model.xml:7:").is_some());

    folder.write("model.xml", &MODEL.replace("name=\"box\"", "name=\"crate\""));
    wait(&mut harness, |app| app.error().is_none());
    let world = &harness.state().worlds()[0];
    assert_eq!(world.model.name2id(sim_physics::types::ObjType::Body, "crate"), Some(2));
    // at the requested keyframe, seen by the same camera
    assert_eq!((world.data.time, world.data.qpos[0]), (0.0, 1.0));
    assert_eq!(harness.state().view.camera, camera);
    assert!(harness.state().status().running);
}

#[test]
fn an_included_file_is_watched() {
    let folder = Folder::new("include");
    let part =
        |size: &str| format!("<mujoco><worldbody><geom size='{size}'/></worldbody></mujoco>");
    folder.write("part.xml", &part(".1"));
    let path = folder.write("model.xml", "<mujoco><include file='part.xml'/></mujoco>");
    let mut harness = open(&path);
    folder.write("part.xml", &part(".25"));
    wait(&mut harness, |app| app.worlds()[0].model.geom_size[0] == 0.25);
}

#[test]
fn files_are_loaded_when_they_are_dropped_or_named() {
    let folder = Folder::new("drop");
    let path = folder.write("model.xml", MODEL);
    let mut harness = open(&path);
    let other = folder.write("other.xml", "<mujoco model='other'/>");
    harness.input_mut().dropped_files.push(Arc::new(Dropped(other)));
    harness.step();
    wait(&mut harness, |app| app.worlds()[0].model.nbody == 1);
    let missing = folder.0.join("missing.xml");
    harness.state_mut().open(&missing);
    wait(&mut harness, |app| app.error().is_some());
    assert!(harness.state().error().expect("an error").contains("missing.xml"));
    assert_eq!(harness.state().worlds()[0].model.nbody, 1);
    let compiled = sim_physics::load_str(MODEL).expect("valid").to_bytes();
    let binary = folder.0.join("model.sim");
    std::fs::write(&binary, compiled).expect("writable");
    harness.state_mut().open(&binary);
    wait(&mut harness, |app| app.worlds()[0].model.nbody == 3);
}
