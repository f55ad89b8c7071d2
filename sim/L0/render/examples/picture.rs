//! Renders a model file to a PNG file: `cargo run --example picture -- model.xml picture.png`.

use sim_render::{AdapterSelection, Context, Outputs, Renderer};
use sim_scene::{Camera, Category, Scene, VisOption, mjv_update_scene};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("usage: picture model.xml picture.png".into());
    };
    let model = sim_mjcf::load_file(input)?;
    let mut data = model.make_data();
    sim_core::mj_forward(&model, &mut data)?;
    let context = Context::new(&AdapterSelection::from_env())?;
    let start = Instant::now();
    let mut renderer = Renderer::new(&context, &model, [320, 240])?;
    let (mut scene, mut camera) = (Scene::new(&model, 10_000), Camera::free(&model));
    let option = VisOption::default();
    mjv_update_scene(&model, &data, &option, None, &mut camera, Category::ALL, &mut scene)?;
    let picture = renderer.render(&scene, Outputs::ALL)?;
    println!("{}: first image after {:?}", context.name(), start.elapsed());
    let start = Instant::now();
    for _ in 0..10 {
        renderer.render(&scene, Outputs::RGB)?;
    }
    println!("{:?} per image", start.elapsed() / 10);
    let file = std::io::BufWriter::new(std::fs::File::create(output)?);
    let mut encoder = png::Encoder::new(file, picture.width as u32, picture.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&picture.rgb)?;
    Ok(())
}
