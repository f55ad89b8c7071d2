//! Divergence, screenshots, videos, the thread of the simulation, and random input.

use crate::{MODEL, harness, of_app};
use egui_kittest::kittest::Queryable;
use sim_viewer::egui::{self, Event, Key, Modifiers, PointerButton, pos2, vec2};
use sim_viewer::{App, Options, World};
use std::time::{Duration, Instant};

#[test]
fn a_diverged_state_is_displayed() {
    let xml =
        MODEL.replace("<worldbody>", "<option><flag autoreset='disable'/></option><worldbody>");
    let mut harness = harness(
        &xml,
        Options::default().on_control(|_, _, d| {
            if d.time > 0.01 {
                d.qvel[0] = f64::NAN;
            }
        }),
    );
    harness.state_mut().advance(20);
    harness.run_steps(2);
    let error = harness.state().error().expect("it diverged");
    assert!(error.contains("diverged"), "{error}");
    assert!(!harness.state().status().running);
    harness.get_by_label("Reset").click();
    harness.run_steps(2);
    assert_eq!(harness.state().error(), None);
}

#[test]
fn an_automatic_reset_is_reported() {
    let mut harness = harness(
        MODEL,
        Options::default().on_control(|_, _, d| {
            if (d.time - 0.01).abs() < 1e-6 {
                d.qvel[0] = 1e12;
            }
        }),
    );
    harness.state_mut().advance(10);
    assert!(harness.state().error().is_some());
    assert!(harness.state().status().running);
}

#[test]
fn screenshots_and_videos_are_written() {
    let folder = std::env::temp_dir().join(format!("sim-viewer-out-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut harness = harness(MODEL, Options::default().output(&folder));
    harness.get_by_label("Screenshot").click();
    harness.run_steps(2);
    assert!(folder.join("sim-001.png").is_file(), "{:?}", harness.state().error());
    harness.get_by_label("Video").click();
    for _ in 0..4 {
        std::thread::sleep(Duration::from_millis(40));
        harness.step();
    }
    harness.get_by_label("End video").click();
    harness.run_steps(2);
    let file = std::fs::File::open(folder.join("sim-002.apng")).expect("a video");
    let reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("a PNG file");
    let frames = reader.info().animation_control().map_or(0, |a| a.num_frames);
    assert!(frames >= 3, "{frames}");
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_simulation_on_a_thread_runs_in_real_time_and_ends_with_the_window() {
    let model = sim_physics::load_str(MODEL).expect("valid");
    let worlds = vec![World::of_model(model.into())];
    // the thread starts with the user interface, before its first frame
    let start = Instant::now();
    let mut harness = of_app(App::new(worlds, Options::default()));
    while harness.state().worlds().first().is_none_or(|world| world.data.time < 0.3) {
        assert!(start.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(5));
        harness.step();
    }
    // not faster than real time
    assert!(start.elapsed() > Duration::from_millis(250));
    drop(harness);
}

/// A generator of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

#[test]
fn random_input_does_not_panic() {
    let folder = std::env::temp_dir().join(format!("sim-viewer-random-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut harness = harness(MODEL, Options::default().output(&folder));
    let mut random = Random(7);
    for _ in 0..1500 {
        let at = pos2(random.below(1100) as f32, random.below(800) as f32);
        let modifiers = Modifiers {
            ctrl: random.below(4) == 0,
            shift: random.below(4) == 0,
            ..Modifiers::NONE
        };
        harness.event(Event::ModifiersChanged(modifiers));
        let buttons = [PointerButton::Primary, PointerButton::Secondary, PointerButton::Middle];
        match random.below(8) {
            0 => {
                let key = Key::ALL[random.below(Key::ALL.len() as u64) as usize];
                let is_slow = key == Key::ArrowDown;
                if !is_slow {
                    harness.key_press_modifiers(modifiers, key);
                }
            }
            1 => harness.event(Event::MouseWheel {
                unit: egui::MouseWheelUnit::Line,
                delta: vec2(0.0, random.below(5) as f32 - 2.0),
                phase: egui::TouchPhase::Move,
                modifiers,
                source: egui::MouseWheelSource::Unknown,
            }),
            2..4 => harness.event(Event::PointerMoved(at)),
            _ => {
                let button = buttons[random.below(3) as usize];
                let pressed = random.below(2) == 0;
                harness.event(Event::PointerButton { pos: at, button, pressed, modifiers });
            }
        }
        harness.step();
        harness.state_mut().advance(1);
    }
    drop(harness);
    std::fs::remove_dir_all(&folder).expect("removed");
}
