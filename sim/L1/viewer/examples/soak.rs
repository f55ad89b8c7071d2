//! Random mouse and key events for a long time: no panic, and memory that does not grow.
//!
//! ```text
//! cargo run --release -p sim-viewer --example soak -- [--minutes 1] [--seed 1] [model.xml]
//! ```

use sim_physics::Simulation;
use sim_viewer::egui::{self, Event, Key, Modifiers, PointerButton, Pos2, Rect, pos2, vec2};
use sim_viewer::{App, NoCanvas, Options, World};
use std::time::{Duration, Instant};

/// Size of the user interface in points.
const SIZE: [u64; 2] = [1200, 800];

/// A model with most kinds of elements.
const MODEL: &str = r#"<mujoco>
  <worldbody><light pos="0 0 3"/><geom type="plane" size="3 3 .1"/>
    <camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <body name="arm" pos="0 0 1"><joint name="swing" axis="0 1 0"/>
      <geom type="capsule" size=".06" fromto="0 0 0 0 0 -.5"/></body>
    <body name="box" pos=".6 0 .5"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="mocap" mocap="true" pos="-1 0 1"><geom size=".1"/></body>
  </worldbody>
  <actuator><motor name="push" joint="swing"/></actuator>
  <sensor><jointpos joint="swing"/></sensor>
  <keyframe><key name="raised" qpos="1 .6 0 .3 1 0 0 0"/></keyframe>
</mujoco>"#;

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

    fn point(&mut self) -> Pos2 {
        pos2(self.below(SIZE[0]) as f32, self.below(SIZE[1]) as f32)
    }

    fn event(&mut self, modifiers: Modifiers) -> Event {
        let buttons = [PointerButton::Primary, PointerButton::Secondary, PointerButton::Middle];
        match self.below(10) {
            0 => {
                let key = Key::ALL[self.below(Key::ALL.len() as u64) as usize];
                Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
            }
            1 => Event::MouseWheel {
                unit: egui::MouseWheelUnit::Line,
                delta: vec2(0.0, self.below(5) as f32 - 2.0),
                phase: egui::TouchPhase::Move,
                modifiers,
                source: egui::MouseWheelSource::Unknown,
            },
            2..6 => Event::PointerMoved(self.point()),
            _ => Event::PointerButton {
                pos: self.point(),
                button: buttons[self.below(3) as usize],
                pressed: self.below(2) == 0,
                modifiers,
            },
        }
    }
}

/// Resident memory in MiB.
fn memory() -> f64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: f64 = text.split(' ').nth(1).and_then(|n| n.parse().ok()).unwrap_or(0.0);
    pages * 4096.0 / f64::from(1 << 20)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        let i = arguments.iter().position(|argument| argument == name)?;
        arguments.get(i + 1).cloned()
    };
    let minutes: f64 = value("--minutes").map_or(Ok(1.0), |text| text.parse())?;
    let seed: u64 = value("--seed").map_or(Ok(1), |text| text.parse())?;
    let file = arguments.last().filter(|name| name.ends_with(".xml"));
    let simulation = match file {
        Some(path) => Simulation::load(path)?,
        None => Simulation::from_xml(MODEL)?,
    };
    let output = std::env::temp_dir().join(format!("sim-viewer-soak-{}", std::process::id()));
    std::fs::create_dir_all(&output)?;
    let options = Options::default().output(&output).history_bytes(8 << 20);
    let mut app = App::new(vec![World::new(&simulation)], options);
    let (ctx, mut random) = (egui::Context::default(), Random(seed));
    ctx.options_mut(|options| options.max_passes = std::num::NonZeroUsize::MIN);
    let (start, mut frames, mut first) = (Instant::now(), 0_u64, None);
    let end = Duration::from_secs_f64(60.0 * minutes);
    let mut reported = Duration::ZERO;
    while start.elapsed() < end {
        let modifiers = Modifiers {
            ctrl: random.below(4) == 0,
            shift: random.below(4) == 0,
            ..Modifiers::NONE
        };
        let size = vec2(SIZE[0] as f32, SIZE[1] as f32);
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
            time: Some(start.elapsed().as_secs_f64()),
            focused: true,
            events: std::iter::once(Event::ModifiersChanged(modifiers))
                .chain((0..random.below(4)).map(|_| random.event(modifiers)))
                .collect(),
            ..egui::RawInput::default()
        };
        let mut output = ctx.run_ui(input, |ui| app.ui(ui, &mut NoCanvas));
        let shapes = std::mem::take(&mut output.shapes);
        drop(ctx.tessellate(shapes, output.pixels_per_point));
        output.textures_delta.clear();
        frames += 1;
        if app.is_recording() && random.below(200) == 0 {
            app.toggle_recording();
        }
        std::thread::sleep(Duration::from_millis(4));
        if start.elapsed() > reported + end / 10 {
            reported = start.elapsed();
            first.get_or_insert(memory());
            println!("{:6.0} s, {frames} frames, {:.1} MiB", reported.as_secs_f64(), memory());
        }
    }
    drop(app);
    std::fs::remove_dir_all(&output)?;
    println!(
        "memory after a tenth {:.1} MiB, at the end {:.1} MiB",
        first.unwrap_or(0.0),
        memory()
    );
    Ok(())
}
