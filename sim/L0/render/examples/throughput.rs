//! Images per second of model files at 640 × 480: `cargo run --release --example throughput -- MODEL…`.

use sim_render::{AdapterSelection, Context, Outputs, Renderer};
use sim_scene::{Camera, Category, Scene, VisOption, mjv_update_scene};
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = Context::new(&AdapterSelection::from_env())?;
    println!("{}", context.name());
    for path in std::env::args().skip(1) {
        let model = sim_mjcf::load_file(&path)?;
        let mut data = model.make_data();
        if model.nkey > 0 {
            data.reset_to_keyframe(&model, 0);
        }
        sim_core::mj_forward(&model, &mut data)?;
        let start = Instant::now();
        let mut renderer = Renderer::new(&context, &model, [640, 480])?;
        let (mut scene, mut camera) = (Scene::new(&model, 10_000), Camera::free(&model));
        let mut image = |outputs| -> Result<(), Box<dyn std::error::Error>> {
            let (option, all) = (VisOption::default(), Category::ALL);
            mjv_update_scene(&model, &data, &option, None, &mut camera, all, &mut scene)?;
            renderer.render(&scene, outputs)?;
            Ok(())
        };
        image(Outputs::RGB)?;
        let first = start.elapsed();
        println!("{path}: first image after {:.3} s", first.as_secs_f64());
        for (name, outputs) in [
            ("colour", Outputs::RGB),
            ("depth and segmentation", Outputs::DEPTH | Outputs::SEGMENTATION),
        ] {
            // drivers optimise new pipelines in the background
            let warm = Instant::now();
            while warm.elapsed() < Duration::from_secs(2) {
                image(outputs)?;
            }
            let (start, mut count) = (Instant::now(), 0);
            while start.elapsed() < Duration::from_secs(3) {
                image(outputs)?;
                count += 1;
            }
            let rate = f64::from(count) / start.elapsed().as_secs_f64();
            println!("{path}: {name}: {rate:.1} images/s");
        }
    }
    Ok(())
}
