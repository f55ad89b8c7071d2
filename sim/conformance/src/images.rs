//! Images: compares the renderer with MuJoCo's on model files, and draws both side by side.

use crate::live::collect;
use crate::{Archive, Oracle};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use sim_render::{AdapterSelection, Context, Outputs, Picture, RenderError, Renderer};
use sim_scene::{Camera, Category, Scene, VisOption, mjv_update_scene};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Size of the compared images.
pub const SIZE: [u32; 2] = [320, 240];
/// Geoms of a scene, as many as MuJoCo's `Renderer` allows.
const MAX_GEOMS: usize = 10_000;
/// Time limit of the oracle for one model.
const LIMIT: Duration = Duration::from_secs(300);

/// Options of a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// Most models that are compared, evenly spread over the files.
    pub models: usize,
    /// PNG file with both images of each model side by side.
    pub sheet: Option<PathBuf>,
    /// Folder of temporary archives.
    pub temp: PathBuf,
}

/// Differences of one view, as fractions of its pixels.
#[derive(Debug, Clone, Copy, Default)]
struct Difference {
    /// Different objects, more than one pixel from an edge.
    segmentation: f64,
    /// Depth that differs by more than 0.1 %.
    depth: f64,
    /// Mean difference of the colour channels, of 255.
    color: f64,
}

/// Compares the images of every model; returns the report.
///
/// # Errors
/// When files cannot be read or written, or there is no GPU driver.
pub fn run(oracle: &Oracle, options: &Options) -> io::Result<Value> {
    let mut files = Vec::new();
    for path in &options.paths {
        collect(path, &mut files)?;
    }
    files.sort();
    files.dedup();
    fs::create_dir_all(&options.temp)?;
    let context = Context::new(&AdapterSelection::from_env()).map_err(io::Error::other)?;
    let bar = ProgressBar::new(files.len() as u64);
    let (mut reports, mut sheet) = (Vec::new(), Sheet::default());
    for file in spread(&files, options.models) {
        bar.set_message(file.display().to_string());
        let archive = options.temp.join("images.npz");
        if let Some(report) = compare(oracle, &context, file, &archive, &mut sheet) {
            let text = |key: &str| report[key].as_f64().unwrap_or(f64::NAN);
            bar.println(format!(
                "{:9.5} {:9.5} {:8.3}  {:7.3} {:7.3}  {}",
                text("segmentation"),
                text("depth"),
                text("color"),
                text("seconds"),
                text("oracle_seconds"),
                file.display(),
            ));
            reports.push(report);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(path) = &options.sheet {
        sheet.write(path)?;
    }
    // ignored: a remaining folder only takes disk space
    let _ = fs::remove_dir_all(&options.temp);
    Ok(json!({ "adapter": context.name(), "totals": totals(&reports), "files": reports }))
}

/// At most `count` files, evenly spread.
fn spread(files: &[PathBuf], count: usize) -> Vec<&PathBuf> {
    let count = count.min(files.len());
    (0..count).map(|k| &files[k * files.len() / count]).collect()
}

/// Compares the views of one model; `None` if one of the engines does not load it.
fn compare(
    oracle: &Oracle,
    context: &Context,
    file: &Path,
    archive: &Path,
    sheet: &mut Sheet,
) -> Option<Value> {
    let path = fs::canonicalize(file).ok()?;
    oracle.record_images(&path, archive, SIZE, LIMIT).ok()?;
    let archive = Archive::open(archive).ok().filter(Archive::loads)?;
    let model = crate::parse(file).ok()?.compile().ok()?;
    let mut data = model.make_data();
    sim_core::mj_forward(&model, &mut data).ok()?;
    let mut report = json!({ "path": file.display().to_string() });
    let start = Instant::now();
    let mut renderer = match Renderer::new(context, &model, SIZE) {
        Ok(renderer) => renderer,
        Err(error) => {
            report["error"] = json!(error.to_string());
            return Some(report);
        }
    };
    let mut scene = Scene::new(&model, MAX_GEOMS);
    let (mut worst, mut sum, mut views) = (Difference::default(), 0.0, 0);
    while let [kind, id, azimuth, elevation] = *archive.get(&format!("{views}/camera")) {
        let mut camera = Camera::free(&model);
        if kind == 0.0 {
            (camera.azimuth, camera.elevation) = (azimuth, elevation);
        } else {
            camera = Camera::fixed(id as usize);
        }
        let picture = picture(&model, &data, &mut camera, &mut scene, &mut renderer);
        let picture = match picture {
            Ok(picture) => picture,
            Err(error) => {
                report["error"] = json!(error.to_string());
                return Some(report);
            }
        };
        let array = |name: &str| archive.get(&format!("{views}/{name}"));
        let [rgb, depth, segmentation] = ["rgb", "depth", "segmentation"].map(array);
        let difference = difference(&picture, rgb, depth, segmentation);
        worst.segmentation = worst.segmentation.max(difference.segmentation);
        worst.depth = worst.depth.max(difference.depth);
        worst.color = worst.color.max(difference.color);
        sum += difference.color;
        if views == 0 {
            report["first_seconds"] = json!(start.elapsed().as_secs_f64());
            let start = Instant::now();
            if renderer.render(&scene, Outputs::RGB).is_ok() {
                report["seconds"] = json!(start.elapsed().as_secs_f64());
            }
            sheet.add(rgb, &picture);
        }
        views += 1;
    }
    report["views"] = json!(views);
    report["segmentation"] = json!(worst.segmentation);
    report["depth"] = json!(worst.depth);
    report["color"] = json!(worst.color);
    report["mean_color"] = json!(sum / f64::from(views.max(1)));
    report["oracle_first_seconds"] = json!(archive.number("first_seconds"));
    report["oracle_seconds"] = json!(archive.number("seconds"));
    Some(report)
}

fn picture(
    model: &sim_core::Model,
    data: &sim_core::Data,
    camera: &mut Camera,
    scene: &mut Scene,
    renderer: &mut Renderer,
) -> Result<Picture, RenderError> {
    let option = VisOption::default();
    mjv_update_scene(model, data, &option, None, camera, Category::ALL, scene)
        .map_err(RenderError::Scene)?;
    renderer.render(scene, Outputs::RGB | Outputs::DEPTH | Outputs::SEGMENTATION)
}

/// Compares an image with the oracle's arrays.
fn difference(picture: &Picture, rgb: &[f64], depth: &[f64], segmentation: &[f64]) -> Difference {
    let (width, height) = (picture.width, picture.height);
    let pixels = (width * height) as f64;
    let color: f64 = picture.rgb.iter().zip(rgb).map(|(&a, &b)| (f64::from(a) - b).abs()).sum();
    let deep = picture.depth.iter().zip(depth);
    let deep = deep.filter(|&(&a, &b)| (f64::from(a) - b).abs() > 1e-3 * b.abs()).count();
    let object = |x: usize, y: usize| {
        let i = 2 * (y * width + x);
        [segmentation[i], segmentation[i + 1]]
    };
    let uniform = |x: usize, y: usize| {
        let here = object(x, y);
        (y - 1..=y + 1).all(|y| (x - 1..=x + 1).all(|x| object(x, y) == here))
    };
    let mut different = 0;
    for y in 1..height - 1 {
        for x in 1..width - 1 {
            let ours = picture.segmentation[y * width + x].map(f64::from);
            different += usize::from(uniform(x, y) && ours != object(x, y));
        }
    }
    Difference {
        segmentation: different as f64 / pixels,
        depth: deep as f64 / pixels,
        color: color / (3.0 * pixels),
    }
}

fn totals(reports: &[Value]) -> Value {
    let value = |r: &Value, key: &str| r[key].as_f64().unwrap_or(f64::INFINITY);
    let within = |key: &str, bound: f64| reports.iter().filter(|r| value(r, key) <= bound).count();
    let mean = reports.iter().map(|r| value(r, "mean_color")).sum::<f64>();
    json!({
        "models": reports.len(),
        "views": reports.iter().filter_map(|r| r["views"].as_u64()).sum::<u64>(),
        "segmentation_ok": within("segmentation", 0.005),
        "depth_ok": within("depth", 0.005),
        "color_ok": within("color", 10.0),
        "mean_color": mean / reports.len().max(1) as f64,
        "worst_color": reports.iter().map(|r| value(r, "color")).fold(0.0, f64::max),
    })
}

/// Pairs of images at half size.
#[derive(Default)]
struct Sheet {
    cells: Vec<Vec<u8>>,
}

/// Pairs in a row of the sheet.
const COLUMNS: usize = 5;
/// Size of one half of a cell.
const CELL: [usize; 2] = [SIZE[0] as usize / 2, SIZE[1] as usize / 2];

impl Sheet {
    /// Adds the oracle's image on the left and ours on the right.
    fn add(&mut self, oracle: &[f64], ours: &Picture) {
        let width = SIZE[0] as usize;
        let left: Vec<u8> = oracle.iter().map(|&x| x as u8).collect();
        let mut cell = Vec::with_capacity(6 * CELL[0] * CELL[1]);
        for y in 0..CELL[1] {
            for image in [&left, &ours.rgb] {
                for x in 0..CELL[0] {
                    for channel in 0..3 {
                        let at = |dx: usize, dy: usize| {
                            let i = 3 * ((2 * y + dy) * width + 2 * x + dx) + channel;
                            u32::from(image.get(i).copied().unwrap_or(0))
                        };
                        cell.push(((at(0, 0) + at(0, 1) + at(1, 0) + at(1, 1)) / 4) as u8);
                    }
                }
            }
        }
        self.cells.push(cell);
    }

    fn write(&self, path: &Path) -> io::Result<()> {
        let rows = self.cells.len().div_ceil(COLUMNS).max(1);
        let (cell, height) = (2 * CELL[0], CELL[1]);
        let mut pixels = vec![0; 3 * COLUMNS * cell * rows * height];
        for (k, image) in self.cells.iter().enumerate() {
            let (column, row) = (k % COLUMNS, k / COLUMNS);
            for (y, line) in image.chunks_exact(3 * cell).enumerate() {
                let start = 3 * (((row * height + y) * COLUMNS + column) * cell);
                pixels[start..start + line.len()].copy_from_slice(line);
            }
        }
        let file = io::BufWriter::new(fs::File::create(path)?);
        let size = [(COLUMNS * cell) as u32, (rows * height) as u32];
        let mut encoder = png::Encoder::new(file, size[0], size[1]);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header().map_err(io::Error::other)?;
        writer.write_image_data(&pixels).map_err(io::Error::other)
    }
}
