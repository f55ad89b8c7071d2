//! Goldens of images: small pictures of our own models by MuJoCo's renderer, which the tests of `sim-render`
//! compare with its own without running the oracle.
//!
//! For each view, `goldens/images` has a PNG file with colours, one with segmentation (red: object type + 1,
//! green and blue: high and low byte of the object's index + 1) and one with 16-bit depth in units of
//! [`DEPTH_UNIT`]. `index.txt` has a line for each view: name, model, and the numbers of its camera (0 or 2 for a
//! free or fixed camera, camera of the model, azimuth, elevation).

use crate::{Archive, Oracle, home};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

/// Size of the images.
const SIZE: [u32; 2] = [160, 120];
/// Resolution of the stored depth (m); 65535 is 32.8 m or more.
pub const DEPTH_UNIT: f64 = 0.0005;
/// Time limit of the oracle for one model.
const LIMIT: Duration = Duration::from_secs(300);

/// Models and the number of the recorded view: 0 is the default free camera, 1 and 2 are other angles, and the
/// cameras of the model follow.
const VIEWS: [(&str, usize); 9] = [
    ("features/camera_intrinsics", 4),
    ("features/cameras_lights", 4),
    ("features/hfield", 0),
    ("features/mesh_attributes", 1),
    ("features/site_shapes", 0),
    ("features/tendon_wrap_sphere", 2),
    ("features/texture_material", 1),
    ("features/transmission_slidercrank", 0),
    ("robots/humanoid", 1),
];

/// Records all goldens; returns their number.
///
/// # Errors
/// When the oracle does not render a model, or a file cannot be written.
pub fn record(oracle: &Oracle, temp: &Path) -> io::Result<usize> {
    let folder = home().join("goldens/images");
    fs::create_dir_all(&folder)?;
    fs::create_dir_all(temp)?;
    let archive_path = temp.join("image.npz");
    let mut index = String::new();
    for (model, view) in VIEWS {
        let path = home().join("models").join(model).with_extension("xml");
        oracle.record_images(&path, &archive_path, SIZE, LIMIT).map_err(io::Error::other)?;
        let archive = Archive::open(&archive_path).map_err(io::Error::other)?;
        let array = |name: &str| archive.get(&format!("{view}/{name}"));
        let &[kind, id, azimuth, elevation] = array("camera") else {
            return Err(io::Error::other(format!("{model} has no view {view}")));
        };
        let name = model.rsplit('/').next().unwrap_or(model);
        // writing to a string does not fail
        let _ = writeln!(index, "{name} {model} {kind} {id} {azimuth} {elevation}");
        let file = |suffix: &str| folder.join(format!("{name}{suffix}.png"));
        let rgb: Vec<u8> = array("rgb").iter().map(|&x| x as u8).collect();
        write(&file(""), png::ColorType::Rgb, png::BitDepth::Eight, &rgb)?;
        let objects = array("segmentation").as_chunks::<2>().0.iter();
        let objects = objects.flat_map(|&[id, kind]| {
            let [high, low] = ((id + 1.0) as u16).to_be_bytes();
            [(kind + 1.0) as u8, high, low]
        });
        let objects: Vec<u8> = objects.collect();
        write(&file("-segmentation"), png::ColorType::Rgb, png::BitDepth::Eight, &objects)?;
        let depth = array("depth").iter().map(|&z| (z / DEPTH_UNIT).round() as u16);
        let depth: Vec<u8> = depth.flat_map(u16::to_be_bytes).collect();
        write(&file("-depth"), png::ColorType::Grayscale, png::BitDepth::Sixteen, &depth)?;
    }
    fs::write(folder.join("index.txt"), index)?;
    // ignored: a remaining folder only takes disk space
    let _ = fs::remove_dir_all(temp);
    Ok(VIEWS.len())
}

fn write(path: &Path, color: png::ColorType, depth: png::BitDepth, data: &[u8]) -> io::Result<()> {
    let file = io::BufWriter::new(fs::File::create(path)?);
    let mut encoder = png::Encoder::new(file, SIZE[0], SIZE[1]);
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    writer.write_image_data(data).map_err(io::Error::other)
}
