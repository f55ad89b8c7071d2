//! Measures the frame rate of the user interface and the scene on a GPU without a window, while the simulation
//! runs on its own thread. The scene is rendered as in a window, and each frame waits until its image is complete.
//!
//! ```text
//! cargo run --release -p sim-viewer --example frames -- model.xml [--seconds 10]
//! ```

use mesh_gpu::{AdapterSelection, Context};
use sim_physics::Simulation;
use sim_physics::render::Renderer;
use sim_viewer::egui::{self, Rect, vec2};
use sim_viewer::{App, Canvas, Image, Options, Tile, World};
use std::time::{Duration, Instant};

/// Size of the user interface in pixels.
const SIZE: [f32; 2] = [1280.0, 800.0];

/// Renders the first tile to a texture and waits for it.
struct Timed {
    context: Context,
    renderer: Option<Renderer>,
    frames: u64,
}

impl Canvas for Timed {
    fn draw(
        &mut self,
        tiles: &[Tile<'_>],
        _: usize,
        size: [u32; 2],
    ) -> Result<Option<egui::TextureId>, String> {
        let Some(tile) = tiles.first() else { return Ok(None) };
        let text = |error: sim_physics::render::RenderError| error.to_string();
        if self.renderer.is_none() {
            self.renderer = Some(Renderer::new(&self.context, tile.model, size).map_err(text)?);
        }
        let Some(renderer) = &mut self.renderer else { return Ok(None) };
        if renderer.size() != size {
            renderer.resize(size).map_err(text)?;
        }
        renderer.render_texture(tile.scene).map_err(text)?;
        self.context.wait().map_err(|error| error.to_string())?;
        self.frames += 1;
        Ok(None)
    }

    fn capture(&mut self, _: &[Tile<'_>], _: usize, _: [u32; 2]) -> Result<Image, String> {
        Err("frames are not captured".to_owned())
    }

    fn device(&self) -> String {
        self.context.name().to_owned()
    }
}

/// Draws frames for a time and returns their number per second.
fn run(app: &mut App, canvas: &mut Timed, context: &egui::Context, time: Duration) -> f64 {
    let (start, first) = (Instant::now(), canvas.frames);
    while start.elapsed() < time {
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(Default::default(), vec2(SIZE[0], SIZE[1]))),
            ..Default::default()
        };
        let output = context.run_ui(input, |ui| app.ui(ui, canvas));
        // what a window would paint
        context.tessellate(output.shapes, output.pixels_per_point);
    }
    (canvas.frames - first) as f64 / start.elapsed().as_secs_f64()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("give a model file")?;
    let seconds = match arguments.iter().position(|a| a == "--seconds") {
        Some(i) => arguments.get(i + 1).ok_or("--seconds takes a number")?.parse()?,
        None => 10.0,
    };
    let context = Context::new(&AdapterSelection::from_env())?;
    let model = Simulation::load(path)?.model().clone();
    let mut canvas = Timed { context, renderer: None, frames: 0 };
    let mut app = App::new(vec![World::of_model(model)], Options::default());
    app.set_running(true);
    let ui = egui::Context::default();
    // the first frames build pipelines
    run(&mut app, &mut canvas, &ui, Duration::from_secs(2));
    let rate = run(&mut app, &mut canvas, &ui, Duration::from_secs_f64(seconds));
    if let Some(error) = app.error() {
        return Err(error.into());
    }
    println!(
        "{}: {rate:.1} frames/s at {} x {}, real-time factor {:.3}",
        canvas.device(),
        SIZE[0],
        SIZE[1],
        app.status().real_time_factor
    );
    Ok(())
}
