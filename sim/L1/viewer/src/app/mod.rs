//! The user interface without a window: it takes egui's input, draws panels and scenes, and sends requests to
//! the simulation.

mod help;
mod keys;
mod mouse;
mod panels;
mod plots;
mod project;
mod view;
mod viewport;

use crate::canvas::Canvas;
use crate::engine::Engine;
use crate::link::{Command, Controller, KeyPress, Port, Snapshot, Status, link};
use crate::options::{Options, Slider};
use crate::overlay::OverlayImage;
use crate::record::{Recorder, write_png};
use crate::watch::Watch;
use crate::world::World;
pub use keys::Shortcut;
use plots::Plots;
use sim_physics::scene::{Camera, Perturb};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
pub use view::View;

/// Where the simulation runs.
enum Backend {
    /// A thread of the viewer.
    Thread(Option<JoinHandle<()>>),
    /// The caller, when the user interface is updated: for tests.
    Inline(Box<Engine>, Port),
    /// The program's own loop.
    Passive,
}

/// Which parts of the user interface are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Panel on the left: file, simulation, physics and rendering.
    pub left: bool,
    /// Panel on the right: joints, controls, bodies and contacts.
    pub right: bool,
    /// List of keys and mouse actions.
    pub help: bool,
    /// Summary in the corner of the view.
    pub info: bool,
    /// Times and solver statistics.
    pub profiler: bool,
    /// Sensor readings and curves.
    pub sensors: bool,
    /// Energy curves.
    pub energy: bool,
}

/// The user interface of a viewer.
///
/// A window calls [`App::ui`] for each frame. Tests do the same without a window.
pub struct App {
    controller: Controller,
    backend: Backend,
    snapshot: Option<Box<Snapshot>>,
    /// Camera, visualization options and selection.
    pub view: View,
    /// Which parts are shown.
    pub shown: Shown,
    /// Whether keys are shortcuts.
    pub shortcuts: bool,
    watch: Watch,
    sliders: Vec<Slider>,
    plots: Plots,
    images: Vec<(String, egui::TextureHandle)>,
    new_images: Vec<OverlayImage>,
    /// Error of loading, rendering or writing.
    error: Option<String>,
    /// Confirmation of an action.
    notice: Option<String>,
    recorder: Option<Recorder>,
    record_at_start: Option<PathBuf>,
    take_screenshot: bool,
    output: PathBuf,
    files_written: usize,
    path_text: String,
    close: bool,
    fullscreen: bool,
    frame_time: f64,
    /// Place of the view on the screen.
    area: egui::Rect,
    /// Whether images are drafts; `None` until the first frame.
    draft: Option<bool>,
    /// Whether a text field has the focus.
    edits_text: bool,
    initialised: bool,
    cameras: Vec<String>,
}

impl App {
    /// A user interface whose simulation runs on a thread of its own.
    #[must_use]
    pub fn new(worlds: Vec<World>, mut options: Options) -> Self {
        let engine = engine(worlds.clone(), &mut options);
        let (controller, port) = link();
        let physics = std::thread::Builder::new().name("physics".to_owned());
        let thread = physics.spawn(move || engine.run(&port)).ok();
        Self::build(controller, Backend::Thread(thread), &worlds, options)
    }

    /// A user interface whose simulation advances by `steps` of [`App::advance`] only, for tests.
    #[must_use]
    pub fn without_thread(worlds: Vec<World>, mut options: Options) -> Self {
        let mut engine = engine(worlds.clone(), &mut options);
        let (controller, port) = link();
        engine.poll(&port, 0);
        let backend = Backend::Inline(Box::new(engine), port);
        Self::build(controller, backend, &worlds, options)
    }

    /// A user interface of a simulation that a program runs itself, through the returned port.
    pub(crate) fn passive(worlds: &[World], options: Options) -> (Self, Port) {
        let (controller, port) = link();
        let app = Self::build(controller, Backend::Passive, worlds, options);
        (app, port)
    }

    fn build(controller: Controller, backend: Backend, worlds: &[World], options: Options) -> Self {
        let shown = Shown {
            left: options.panels,
            right: options.panels,
            help: false,
            info: true,
            profiler: false,
            sensors: false,
            energy: false,
        };
        let watch = Watch::new(options.file, options.keyframe, options.load, worlds.len().max(1));
        let path = watch.path().map(|path| path.display().to_string()).unwrap_or_default();
        Self {
            controller,
            backend,
            snapshot: None,
            view: View::default(),
            shown,
            shortcuts: options.shortcuts,
            watch,
            sliders: options.sliders,
            plots: Plots::default(),
            images: Vec::new(),
            new_images: Vec::new(),
            error: None,
            notice: None,
            recorder: None,
            record_at_start: options.record,
            take_screenshot: false,
            output: options.output,
            files_written: 0,
            path_text: path,
            close: false,
            fullscreen: false,
            frame_time: 0.0,
            area: egui::Rect::ZERO,
            draft: None,
            edits_text: false,
            initialised: false,
            cameras: options.cameras,
        }
    }

    /// Sets the function that is called when there is a new state to display.
    pub fn on_new_state(&self, notify: impl Fn() + Send + 'static) {
        self.controller.set_notify(notify);
    }

    /// Advances a simulation without a thread by a number of steps, if it is not paused.
    pub fn advance(&mut self, steps: u64) {
        if let Backend::Inline(engine, port) = &mut self.backend {
            engine.poll(port, steps);
        }
        self.receive();
    }

    /// The displayed models and states.
    #[must_use]
    pub fn worlds(&self) -> &[World] {
        self.snapshot.as_ref().map_or(&[], |snapshot| &snapshot.worlds)
    }

    /// State of the run.
    #[must_use]
    pub fn status(&self) -> Status {
        self.snapshot.as_ref().map(|snapshot| snapshot.status.clone()).unwrap_or_default()
    }

    /// The displayed error of loading, simulating, rendering or writing.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        self.error.clone().or_else(|| self.status().message)
    }

    /// Whether the user requested to close the window.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.close
    }

    /// Whether the user requested a full screen.
    #[must_use]
    pub fn is_fullscreen(&self) -> bool {
        self.fullscreen
    }

    /// Loads a model file.
    pub fn open(&mut self, path: &Path) {
        if matches!(self.backend, Backend::Passive) {
            self.error = Some("the program chooses the model of this window".to_owned());
            return;
        }
        self.watch.open(path.to_owned());
    }

    /// Whether a model file is being loaded.
    #[must_use]
    pub fn is_loading(&self) -> bool {
        self.watch.is_loading()
    }

    /// Draws a frame.
    pub fn ui(&mut self, ui: &mut egui::Ui, canvas: &mut dyn Canvas) {
        let ctx = ui.ctx().clone();
        self.frame_time = f64::from(ctx.input(|input| input.stable_dt));
        canvas.set_draft(*self.draft.get_or_insert(canvas.is_draft()));
        self.poll(&ctx);
        self.keys(&ctx);
        let snapshot = self.snapshot.take();
        if let Some(snapshot) = &snapshot {
            if self.shown.left {
                self.left_panel(ui, snapshot);
            }
            if self.shown.right {
                self.right_panel(ui, snapshot);
            }
            self.viewport(ui, snapshot, canvas);
            self.windows(&ctx, snapshot);
        }
        // a state that arrived meanwhile is displayed by the next frame
        self.snapshot = snapshot;
        self.help(&ctx);
        self.edits_text = ctx.output(|output| output.ime.is_some());
        if self.status().running || self.watch.is_loading() {
            ctx.request_repaint();
        } else {
            ctx.request_repaint_after_secs(0.3);
        }
    }

    /// Receives states and loaded files.
    fn poll(&mut self, ctx: &egui::Context) {
        if let Backend::Inline(engine, port) = &mut self.backend {
            engine.poll(port, 0);
        }
        self.receive();
        for file in ctx.input(|input| input.raw.dropped_files.clone()) {
            self.open(file.path());
        }
        if let Some(result) = self.watch.poll() {
            match result {
                Ok(worlds) => {
                    self.error = None;
                    let name = self.watch.path().map(|path| path.display().to_string());
                    self.path_text = name.unwrap_or_default();
                    self.notice = Some(format!("loaded {}", self.path_text));
                    self.controller.send(Command::Load(worlds));
                    if let Backend::Inline(engine, port) = &mut self.backend {
                        engine.poll(port, 0);
                        self.receive();
                    }
                }
                Err(error) => self.error = Some(error),
            }
        }
        if self.controller.has_ended() {
            match self.backend {
                // the program has ended
                Backend::Passive => self.close = true,
                _ if self.error.is_none() => {
                    self.error = Some("the simulation stopped unexpectedly".to_owned());
                }
                _ => {}
            }
        }
    }

    /// Takes the newest state.
    fn receive(&mut self) {
        if !self.controller.receive(&mut self.snapshot) {
            return;
        }
        let Some(mut snapshot) = self.snapshot.take() else { return };
        let points = std::mem::take(&mut snapshot.overlay.points);
        self.plots.add(&snapshot, points);
        if !snapshot.overlay.images.is_empty() {
            self.new_images = std::mem::take(&mut snapshot.overlay.images);
        }
        if let Some(world) = snapshot.worlds.first() {
            let assets = world.assets;
            if self.view.assets != Some(assets) {
                self.view.model_changed(world, !self.initialised);
                if !self.initialised {
                    self.add_cameras(world);
                }
                self.initialised = true;
                self.plots.clear();
            }
        }
        self.view.world = self.view.world.min(snapshot.worlds.len().saturating_sub(1));
        self.snapshot = Some(snapshot);
    }

    /// Adds the requested views beside the main one.
    fn add_cameras(&mut self, world: &World) {
        use sim_physics::types::ObjType;
        for name in std::mem::take(&mut self.cameras) {
            let camera = match name.strip_prefix("track:") {
                Some(body) => world
                    .model
                    .name2id(ObjType::Body, body)
                    .map(|body| Camera::tracking(&world.model, body)),
                None => world.model.name2id(ObjType::Camera, &name).map(Camera::fixed),
            };
            match camera {
                Some(camera) => self.view.extra.push(camera),
                None => self.error = Some(format!("the model has no camera `{name}`")),
            }
        }
    }

    /// Sends a request to the simulation.
    fn send(&self, command: Command) {
        self.controller.send(command);
    }

    /// Removes the message of the simulation.
    fn dismiss(&self) {
        self.send(Command::Dismiss);
    }

    /// Sends a key to the program.
    fn send_key(&self, key: KeyPress) {
        self.send(Command::Key(key));
    }

    /// Runs or pauses the simulation.
    pub fn set_running(&mut self, running: bool) {
        self.send(Command::Run(running));
    }

    /// Changes the speed by a number of levels.
    fn change_speed(&mut self, levels: i32) {
        let speed = self.status().speed;
        let nearest = SPEEDS
            .iter()
            .enumerate()
            .min_by(|a, b| (a.1 / speed).ln().abs().total_cmp(&(b.1 / speed).ln().abs()))
            .map_or(0, |(i, _)| i);
        let level = nearest.saturating_add_signed(levels as isize).min(SPEEDS.len() - 1);
        self.send(Command::Speed(SPEEDS[level]));
    }

    /// Starts or ends a perturbation and sends it to the simulation.
    fn send_perturb(&self, perturb: Perturb) {
        self.send(Command::Perturb(self.view.world, perturb));
    }

    /// Requests a screenshot with the next frame.
    pub fn screenshot(&mut self) {
        self.take_screenshot = true;
    }

    /// Whether a video is being recorded.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        self.recorder.is_some() || self.record_at_start.is_some()
    }

    /// Starts a video, or ends the one that is being recorded.
    pub fn toggle_recording(&mut self) {
        self.record_at_start = None;
        match self.recorder.take() {
            Some(recorder) => {
                let path = recorder.path().display().to_string();
                match recorder.finish() {
                    Ok((frames, dropped)) => {
                        let lost = match dropped {
                            0 => String::new(),
                            n => format!(", {n} dropped"),
                        };
                        self.notice = Some(format!("wrote {frames} frames to {path}{lost}"));
                    }
                    Err(error) => self.error = Some(error.to_string()),
                }
            }
            None => self.record_at_start = Some(self.new_file("apng")),
        }
    }

    /// An unused file name in the output folder.
    fn new_file(&mut self, extension: &str) -> PathBuf {
        loop {
            self.files_written += 1;
            let name = format!("sim-{:03}.{extension}", self.files_written);
            let path = self.output.join(name);
            if !path.exists() {
                return path;
            }
        }
    }

    /// Writes the screenshot and the frame of the video that were requested.
    fn capture(
        &mut self,
        tiles: &[crate::canvas::Tile<'_>],
        columns: usize,
        size: [u32; 2],
        canvas: &mut dyn Canvas,
    ) {
        let now = std::time::Instant::now();
        let is_due = self.recorder.as_ref().is_some_and(|recorder| recorder.is_due(now));
        if !self.take_screenshot && !is_due && self.record_at_start.is_none() {
            return;
        }
        let image = match canvas.capture(tiles, columns, size) {
            Ok(image) => image,
            Err(error) => {
                self.take_screenshot = false;
                self.error = Some(error);
                return;
            }
        };
        if std::mem::take(&mut self.take_screenshot) {
            let path = self.new_file("png");
            match write_png(&path, &image) {
                Ok(()) => self.notice = Some(format!("wrote {}", path.display())),
                Err(error) => self.error = Some(error.to_string()),
            }
        }
        if let Some(path) = self.record_at_start.take() {
            match Recorder::start(&path, image.size) {
                Ok(recorder) => self.recorder = Some(recorder),
                Err(error) => self.error = Some(error.to_string()),
            }
        }
        if self.recorder.as_ref().is_some_and(|recorder| recorder.size() != image.size) {
            // an animated PNG has images of one size
            self.toggle_recording();
        } else if let Some(recorder) = self.recorder.as_mut().filter(|r| r.is_due(now)) {
            recorder.push(image, now);
        }
    }
}

impl Drop for App {
    fn drop(&mut self) {
        if let Backend::Thread(thread) = &mut self.backend
            && let Some(thread) = thread.take()
        {
            // the thread ends when its end of the link is closed
            let (closed, _) = link();
            self.controller = closed;
            let _ = thread.join();
        }
    }
}

/// Speeds that keys select: simulated seconds per second.
const SPEEDS: [f64; 19] = [
    0.001, 0.002, 0.005, 0.01, 0.02, 0.033, 0.05, 0.1, 0.2, 0.25, 0.33, 0.5, 0.66, 0.8, 1.0, 2.0,
    4.0, 8.0, 16.0,
];

fn engine(worlds: Vec<World>, options: &mut Options) -> Engine {
    let callbacks = std::mem::take(&mut options.callbacks);
    Engine::new(worlds, options.history_bytes, options.speed, !options.paused, callbacks)
}
