//! Images of our own models against those of MuJoCo 3.8.0, recorded by `cargo xtask images --golden`.

use sim_core::mj_forward;
use sim_render::{AdapterSelection, Context, Outputs, Picture, Renderer};
use sim_scene::{Camera, Category, Scene, VisOption, mjv_update_scene};
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

const SIZE: [usize; 2] = [160, 120];
/// Resolution of the stored depth (m).
const DEPTH_UNIT: f32 = 0.0005;

fn conformance() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance")
}

/// Pixels of a PNG file.
fn read(name: &str) -> Vec<u8> {
    let file = File::open(conformance().join("goldens/images").join(name)).unwrap();
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info().unwrap();
    let mut data = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut data).unwrap();
    assert_eq!([info.width as usize, info.height as usize], SIZE, "{name}");
    data.truncate(info.buffer_size());
    data
}

/// Our image of a model from a camera: its type, number, azimuth and elevation.
fn render(context: &Context, model: &str, [kind, id, azimuth, elevation]: [f64; 4]) -> Picture {
    let path = conformance().join("models").join(model).with_extension("xml");
    let model = sim_mjcf::load_file(path).unwrap();
    let mut data = model.make_data();
    mj_forward(&model, &mut data).unwrap();
    let mut camera = match kind {
        0.0 => Camera { azimuth, elevation, ..Camera::free(&model) },
        _ => Camera::fixed(id as usize),
    };
    let mut renderer = Renderer::new(context, &model, SIZE.map(|n| n as u32)).unwrap();
    let (option, mut scene) = (VisOption::default(), Scene::new(&model, 10_000));
    mjv_update_scene(&model, &data, &option, None, &mut camera, Category::ALL, &mut scene).unwrap();
    renderer.render(&scene, Outputs::RGB | Outputs::DEPTH | Outputs::SEGMENTATION).unwrap()
}

/// Fractions of pixels with another object away from edges and with another depth, and the mean difference of
/// colours.
fn compare(name: &str, picture: &Picture) -> [f64; 3] {
    let [width, height] = SIZE;
    let pixels = (width * height) as f64;
    let rgb = read(&format!("{name}.png"));
    let color: u64 = rgb.iter().zip(&picture.rgb).map(|(&a, &b)| u64::from(a.abs_diff(b))).sum();
    let depth = read(&format!("{name}-depth.png"));
    let deep = depth.as_chunks::<2>().0.iter().zip(&picture.depth).filter(|&(&stored, &ours)| {
        let stored = u16::from_be_bytes(stored);
        let metres = f32::from(stored) * DEPTH_UNIT;
        match stored {
            u16::MAX => ours < 0.999 * metres,
            _ => (ours - metres).abs() > 1e-3 * metres + DEPTH_UNIT,
        }
    });
    let deep = deep.count();
    let objects = read(&format!("{name}-segmentation.png"));
    let object = |x: usize, y: usize| {
        let [kind, high, low] = objects.as_chunks::<3>().0[y * width + x];
        [i32::from(u16::from_be_bytes([high, low])) - 1, i32::from(kind) - 1]
    };
    let uniform = |x: usize, y: usize| {
        (y - 1..=y + 1).all(|v| (x - 1..=x + 1).all(|u| object(u, v) == object(x, y)))
    };
    let mut different = 0;
    for y in 1..height - 1 {
        for x in 1..width - 1 {
            let equal = picture.segmentation[y * width + x] == object(x, y);
            different += usize::from(uniform(x, y) && !equal);
        }
    }
    [different as f64 / pixels, deep as f64 / pixels, color as f64 / (3.0 * pixels)]
}

#[test]
fn images_are_those_of_mujoco() {
    let context = Context::new(&AdapterSelection::from_env()).unwrap();
    let index = fs::read_to_string(conformance().join("goldens/images/index.txt")).unwrap();
    let mut failures = Vec::new();
    for line in index.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let numbers: Vec<f64> = words[2..].iter().map(|word| word.parse().unwrap()).collect();
        let picture = render(&context, words[1], numbers.try_into().unwrap());
        let [segmentation, depth, color] = compare(words[0], &picture);
        println!("{:20} {segmentation:.5} {depth:.5} {color:.3}", words[0]);
        if segmentation > 0.0 || depth > 0.005 || color > 0.5 {
            failures.push(format!("{}: {segmentation} {depth} {color}", words[0]));
        }
    }
    assert_eq!(index.lines().count(), 9);
    assert!(failures.is_empty(), "segmentation, depth, colour: {failures:#?}");
}
