//! Images per second of a model file: `cargo run --release --example throughput -- MODEL [WIDTHxHEIGHT]…`.
//!
//! Each size is measured with one image at a time and with two in flight. The default size is 640x480.

use sim_render::{AdapterSelection, Context, Outputs, Renderer};
use sim_scene::{Camera, Category, Scene, VisOption, mjv_update_scene};
use std::time::{Duration, Instant};

/// Duration of a measurement, and of the warm-up before it: drivers optimise pipelines in the background.
const MEASURED: Duration = Duration::from_secs(3);
const WARM_UP: Duration = Duration::from_secs(1);

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: throughput MODEL [WIDTHxHEIGHT]…")?;
    let mut sizes: Vec<String> = arguments.collect();
    if sizes.is_empty() {
        sizes.push("640x480".to_owned());
    }
    let model = sim_mjcf::load_file(&path)?;
    let mut data = model.make_data();
    if model.nkey > 0 {
        data.reset_to_keyframe(&model, 0);
    }
    sim_core::mj_forward(&model, &mut data)?;
    let context = Context::new(&AdapterSelection::from_env())?;
    println!("{}, {}", context.name(), context.driver());
    let (mut scene, mut camera) = (Scene::new(&model, 10_000), Camera::free(&model));
    for size in sizes {
        let (width, height) = size.split_once('x').ok_or("write the size as WIDTHxHEIGHT")?;
        let start = Instant::now();
        let mut renderer = Renderer::new(&context, &model, [width.parse()?, height.parse()?])?;
        for (name, outputs) in [
            ("colour", Outputs::RGB),
            ("depth and segmentation", Outputs::DEPTH | Outputs::SEGMENTATION),
        ] {
            for in_flight in [1, 2] {
                let mut image = || -> Result<(), Failure> {
                    let (option, all) = (VisOption::default(), Category::ALL);
                    mjv_update_scene(&model, &data, &option, None, &mut camera, all, &mut scene)?;
                    renderer.submit(&scene, outputs)?;
                    if renderer.in_flight() == in_flight {
                        renderer.receive()?;
                    }
                    Ok(())
                };
                if name == "colour" && in_flight == 1 {
                    image()?;
                    println!("{path} {size}: first image after {:.3?}", start.elapsed());
                }
                rate(WARM_UP, &mut image)?;
                let rate = rate(MEASURED, &mut image)?;
                println!("{path} {size}: {name}, {in_flight} in flight: {rate:.1} images/s");
                while renderer.in_flight() > 0 {
                    renderer.receive()?;
                }
            }
        }
        let megabytes = renderer.memory_bytes() as f64 / 1e6;
        println!("{path} {size}: {megabytes:.1} MB of device memory");
    }
    Ok(())
}

/// Calls per second of a function over at least a duration.
fn rate(
    duration: Duration,
    image: &mut impl FnMut() -> Result<(), Failure>,
) -> Result<f64, Failure> {
    let (start, mut count) = (Instant::now(), 0);
    while start.elapsed() < duration {
        image()?;
        count += 1;
    }
    Ok(f64::from(count) / start.elapsed().as_secs_f64())
}
