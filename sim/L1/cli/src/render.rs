//! `sim render`: images of a model and videos of its simulation.

use crate::Failure;
use crate::interrupt;
use crate::run_args::RunArgs;
use crate::video::Video;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use sim_physics::render::{AdapterSelection, Context, Outputs, Picture, Renderer};
use sim_physics::scene::{Camera, Category, LabelMode, Scene, VisOption, mjv_update_scene};
use sim_physics::types::ObjType;
use sim_physics::{Data, Model, mj_forward};
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// Arguments of `sim render`.
#[derive(Args)]
#[command(after_help = "Examples:
  sim render robot.xml -o robot.png
  sim render robot.xml --camera side --size 1280x720 -o side.png
  sim render robot.xml --camera free:90,-20,3 --keyframe home -o home.png
  sim render robot.xml --time 5 --ctrl noise -o run.gif
  sim render robot.xml --time 5 --fps 60 -o run.mp4
  sim render robot.xml -o - --time 5 | ffmpeg -i - run.webm     a YUV4MPEG2 stream

Without --camera, the image shows the model from its default free camera. The initial state is drawn
without a simulation step, unless the output is a video.")]
pub(crate) struct Render {
    #[command(flatten)]
    args: RunArgs,
    /// Output: .png for an image, .apng, .gif or .mp4 (feature `mp4`) for a video, .y4m or - for a
    /// video stream.
    #[arg(long, short, default_value = "sim.png", value_name = "FILE")]
    out: PathBuf,
    /// Camera: the name or number of a camera of the model, or free:AZIMUTH,ELEVATION,DISTANCE
    /// in degrees and metres; trailing numbers may be omitted.
    #[arg(long, value_name = "CAMERA", default_value = "free")]
    camera: String,
    /// Width and height in pixels.
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "640x480", value_parser = size)]
    size: [u32; 2],
    /// Show the depth: near is bright, far is dark.
    #[arg(long, conflicts_with = "segment")]
    depth: bool,
    /// Show each object in its own colour.
    #[arg(long)]
    segment: bool,
    /// Label the objects of this type, for example body, joint, geom or site.
    #[arg(long, value_name = "TYPE", default_value = "none", value_parser = label)]
    label: LabelMode,
    /// Frames per second of a video.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=1000))]
    fps: u32,
    /// Only an adapter whose name contains this text.
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
}

/// Most geoms of a scene.
const MAX_GEOMS: usize = 100_000;

impl Render {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let model = self.args.model.load()?;
        let mut data = self.args.initial_data(&model)?;
        let mut camera = camera(&model, &self.camera)?;
        let mut selection = AdapterSelection::from_env();
        if self.adapter.is_some() {
            selection.name.clone_from(&self.adapter);
        }
        let context = Context::new(&selection)?;
        let mut renderer = Renderer::new(&context, &model, self.size)?;
        let mut scene = Scene::new(&model, MAX_GEOMS);
        let software = if context.is_software() { ", a software driver on the CPU" } else { "" };
        eprintln!("rendering with {}{software}", context.name());
        let mut view = View { render: self, scene: &mut scene, renderer: &mut renderer };
        if Video::is_supported(&self.out) {
            return self.video(&model, &mut data, &mut camera, &mut view);
        }
        if self.out.extension().is_none_or(|extension| extension != "png") {
            let out = self.out.display();
            return Err(format!("{out}: write a .png, .apng, .gif, .mp4 or .y4m file").into());
        }
        mj_forward(&model, &mut data)?;
        let picture = view.picture(&model, &data, &mut camera)?;
        write_png(&self.out, &picture)?;
        outln!("wrote {} x {} pixels to {}", self.size[0], self.size[1], self.out.display());
        Ok(())
    }

    /// Simulates and writes a frame at every multiple of the frame time.
    fn video(
        &self,
        model: &Model,
        data: &mut Data,
        camera: &mut Camera,
        view: &mut View<'_>,
    ) -> Result<(), Failure> {
        let control = self.args.control(model)?;
        let steps = self.args.steps(model)?;
        let per_frame = (1.0 / (f64::from(self.fps) * model.opt.timestep)).max(1.0);
        let frames = (steps as f64 / per_frame).floor() as u64 + 1;
        let mut video = Video::create(&self.out, self.size, self.fps, frames)?;
        let bar = ProgressBar::new(frames).with_style(ProgressStyle::with_template(
            "{bar:40} {pos}/{len} frames {elapsed_precise} eta {eta_precise}",
        )?);
        interrupt::listen();
        let (mut step, mut written) = (0, 0);
        for frame in 0..frames {
            // the frames that were announced are written; after an interruption they repeat
            while !interrupt::stopped() && (step as f64) < frame as f64 * per_frame {
                control.write(model, step, &mut data.ctrl);
                data.step(model)?;
                step += 1;
            }
            if interrupt::stopped() && Video::may_end_early(&self.out) {
                break;
            }
            mj_forward(model, data)?;
            video.write(&view.picture(model, data, camera)?)?;
            written += 1;
            bar.inc(1);
        }
        bar.finish_and_clear();
        video.finish()?;
        if self.out.as_os_str() != "-" {
            outln!("wrote {written} frames to {}", self.out.display());
        }
        Ok(())
    }
}

/// A scene and its renderer.
struct View<'a> {
    render: &'a Render,
    scene: &'a mut Scene,
    renderer: &'a mut Renderer,
}

impl View<'_> {
    /// Renders the current state, as colours.
    fn picture(
        &mut self,
        model: &Model,
        data: &Data,
        camera: &mut Camera,
    ) -> Result<Picture, Failure> {
        let option = VisOption { label: self.render.label, ..VisOption::default() };
        mjv_update_scene(model, data, &option, None, camera, Category::ALL, self.scene)?;
        if self.render.depth {
            let mut picture = self.renderer.render(self.scene, Outputs::DEPTH)?;
            picture.rgb = depth_colors(&picture.depth);
            return Ok(picture);
        }
        self.scene.flags[sim_physics::scene::RenderFlag::Segment as usize] = self.render.segment;
        Ok(self.renderer.render(self.scene, Outputs::RGB)?)
    }
}

/// Grey levels between the nearest and the farthest visible surface.
fn depth_colors(depth: &[f32]) -> Vec<u8> {
    let far = depth.iter().copied().fold(0.0, f32::max);
    let visible = || depth.iter().copied().filter(|&z| z < far);
    let near = visible().fold(f32::INFINITY, f32::min);
    let farthest = visible().fold(near, f32::max);
    // logarithmic, because a floor reaches the horizon
    let range = (farthest / near).ln().max(1e-6);
    let gray = |z: f32| match z < far {
        true => 255.0 * (1.0 - 0.9 * (z / near).ln() / range),
        false => 0.0,
    };
    depth.iter().flat_map(|&z| [gray(z).round() as u8; 3]).collect()
}

/// The camera that an argument describes.
fn camera(model: &Model, text: &str) -> Result<Camera, Failure> {
    if let Some(id) = model.name2id(ObjType::Camera, text) {
        return Ok(Camera::fixed(id));
    }
    if let Ok(id) = text.parse::<usize>() {
        let count = model.ncam;
        return match id < count {
            true => Ok(Camera::fixed(id)),
            false => Err(format!("no camera {id}: the model has {count}").into()),
        };
    }
    let mut camera = Camera::free(model);
    let Some(("free", numbers)) = text.split_once(':').or((text == "free").then_some((text, "")))
    else {
        let names: Vec<&str> =
            (0..model.ncam).filter_map(|i| model.id2name(ObjType::Camera, i)).collect();
        let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        return Err(format!(
            "no camera `{text}`; the cameras of the model are: {known}; \
             write free:AZIMUTH,ELEVATION,DISTANCE for the free camera"
        )
        .into());
    };
    let fields = [&mut camera.azimuth, &mut camera.elevation, &mut camera.distance];
    let numbers: Vec<&str> = numbers.split(',').filter(|part| !part.is_empty()).collect();
    if numbers.len() > fields.len() {
        return Err("--camera free: takes azimuth, elevation and distance".into());
    }
    for (field, part) in fields.into_iter().zip(numbers) {
        *field = part
            .trim()
            .parse()
            .ok()
            .filter(|x: &f64| x.is_finite())
            .ok_or_else(|| format!("--camera {text}: `{part}` is not a number"))?;
    }
    Ok(camera)
}

/// Parses a type of labelled objects.
fn label(text: &str) -> Result<LabelMode, String> {
    let name = |mode: &LabelMode| format!("{mode:?}").to_lowercase();
    let found = LabelMode::ALL.iter().find(|mode| name(mode) == text);
    let known = || LabelMode::ALL.iter().map(name).collect::<Vec<_>>().join(", ");
    found.copied().ok_or_else(|| format!("write one of: {}", known()))
}

/// Parses `WIDTHxHEIGHT`.
fn size(text: &str) -> Result<[u32; 2], String> {
    let parts = text.split_once('x').map(|(w, h)| (w.parse().ok(), h.parse().ok()));
    match parts {
        Some((Some(width), Some(height))) => Ok([width, height]),
        _ => Err("write the size as WIDTHxHEIGHT, for example 1280x720".to_owned()),
    }
}

fn write_png(path: &Path, picture: &Picture) -> Result<(), Failure> {
    let file = File::create(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let size = [picture.width as u32, picture.height as u32];
    let mut encoder = png::Encoder::new(BufWriter::new(file), size[0], size[1]);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.rgb)?;
    writer.finish()?;
    Ok(())
}
