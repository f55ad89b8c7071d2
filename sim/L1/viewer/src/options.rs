//! Settings of a viewer.

use crate::engine::{Callbacks, ControlFn, KeyFn, OverlayFn};
use crate::link::KeyPress;
use crate::overlay::Overlay;
use crate::world::World;
use sim_physics::{Data, Model};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Loads a model file; errors are displayed as they are.
pub type LoadFn = Arc<dyn Fn(&Path) -> Result<Model, String> + Send + Sync>;

/// A number that a slider in the window sets while a program runs.
///
/// Clones share the number, so that one can move into a controller.
#[derive(Debug, Clone)]
pub struct Slider {
    pub(crate) name: String,
    pub(crate) range: RangeInclusive<f64>,
    value: Arc<AtomicU64>,
}

impl Slider {
    /// A slider with a name, a range and an initial value.
    #[must_use]
    pub fn new(name: impl Into<String>, range: RangeInclusive<f64>, value: f64) -> Self {
        Self { name: name.into(), range, value: Arc::new(AtomicU64::new(value.to_bits())) }
    }

    /// The current value.
    #[must_use]
    pub fn value(&self) -> f64 {
        f64::from_bits(self.value.load(Ordering::Relaxed))
    }

    /// Changes the value.
    pub fn set(&self, value: f64) {
        self.value.store(value.to_bits(), Ordering::Relaxed);
    }
}

/// Settings of a viewer.
///
/// ```no_run
/// use sim_viewer::{Options, Slider};
///
/// let gain = Slider::new("gain", 0.0..=100.0, 20.0);
/// let options = Options::default()
///     .title("pendulum")
///     .slider(&gain)
///     .on_control(move |_, _, data| data.ctrl[0] = -gain.value() * data.qpos[0]);
/// let simulation = sim_physics::Simulation::load("pendulum.xml")?;
/// sim_viewer::run_with(simulation, options)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Options {
    pub(crate) title: String,
    pub(crate) size: [u32; 2],
    pub(crate) paused: bool,
    pub(crate) speed: f64,
    pub(crate) shortcuts: bool,
    pub(crate) panels: bool,
    pub(crate) history_bytes: usize,
    pub(crate) file: Option<PathBuf>,
    pub(crate) keyframe: Option<String>,
    pub(crate) load: LoadFn,
    pub(crate) cameras: Vec<String>,
    pub(crate) sliders: Vec<Slider>,
    pub(crate) record: Option<PathBuf>,
    pub(crate) output: PathBuf,
    pub(crate) adapter: Option<String>,
    pub(crate) max_fps: f64,
    pub(crate) close_after: Option<f64>,
    pub(crate) callbacks: Callbacks,
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("title", &self.title)
            .field("size", &self.size)
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            title: "sim".to_owned(),
            size: [1280, 800],
            paused: false,
            speed: 1.0,
            shortcuts: true,
            panels: true,
            history_bytes: 64 << 20,
            file: None,
            keyframe: None,
            load: Arc::new(crate::watch::load_model),
            cameras: Vec::new(),
            sliders: Vec::new(),
            record: None,
            output: PathBuf::from("."),
            adapter: None,
            max_fps: 60.0,
            close_after: None,
            callbacks: Callbacks::default(),
        }
    }
}

impl Options {
    /// Title of the window.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Size of the window in points.
    #[must_use]
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.size = [width.max(1), height.max(1)];
        self
    }

    /// Starts paused.
    #[must_use]
    pub fn paused(mut self, paused: bool) -> Self {
        self.paused = paused;
        self
    }

    /// Simulated seconds per second.
    #[must_use]
    pub fn speed(mut self, speed: f64) -> Self {
        self.speed = if speed > 0.0 && speed.is_finite() { speed } else { 1.0 };
        self
    }

    /// Whether keys are shortcuts; otherwise all keys are passed to [`Options::on_key`] only.
    #[must_use]
    pub fn shortcuts(mut self, enabled: bool) -> Self {
        self.shortcuts = enabled;
        self
    }

    /// Whether the panels on both sides are shown at the start.
    #[must_use]
    pub fn panels(mut self, shown: bool) -> Self {
        self.panels = shown;
        self
    }

    /// Memory for the history of states, 64 MiB by default; 0 disables it.
    #[must_use]
    pub fn history_bytes(mut self, bytes: usize) -> Self {
        self.history_bytes = bytes;
        self
    }

    /// The file of the model, which is loaded again when it changes.
    #[must_use]
    pub fn file(mut self, path: impl Into<PathBuf>) -> Self {
        self.file = Some(path.into());
        self
    }

    /// Keyframe of the initial state after a reload.
    #[must_use]
    pub fn keyframe(mut self, name: Option<String>) -> Self {
        self.keyframe = name;
        self
    }

    /// Function that loads model files, for reloads and files dropped on the window.
    #[must_use]
    pub fn loader(
        mut self,
        load: impl Fn(&Path) -> Result<Model, String> + Send + Sync + 'static,
    ) -> Self {
        self.load = Arc::new(load);
        self
    }

    /// Shows this camera of the model beside the main view; `track:BODY` follows a body.
    #[must_use]
    pub fn camera(mut self, name: impl Into<String>) -> Self {
        self.cameras.push(name.into());
        self
    }

    /// Adds a slider.
    #[must_use]
    pub fn slider(mut self, slider: &Slider) -> Self {
        self.sliders.push(slider.clone());
        self
    }

    /// Records the view to an animated PNG file from the start.
    #[must_use]
    pub fn record(mut self, path: Option<PathBuf>) -> Self {
        self.record = path;
        self
    }

    /// Folder of screenshots and videos, by default the working directory.
    #[must_use]
    pub fn output(mut self, folder: impl Into<PathBuf>) -> Self {
        self.output = folder.into();
        self
    }

    /// Only a GPU whose name contains this text.
    #[must_use]
    pub fn adapter(mut self, name: Option<String>) -> Self {
        self.adapter = name;
        self
    }

    /// Most frames per second, by default 60.
    #[must_use]
    pub fn max_fps(mut self, fps: f64) -> Self {
        self.max_fps = if fps > 0.0 && fps.is_finite() { fps } else { 60.0 };
        self
    }

    /// Closes the window after this time (s), for tests and measurements.
    #[must_use]
    pub fn close_after(mut self, seconds: Option<f64>) -> Self {
        self.close_after = seconds;
        self
    }

    /// Sets controls before each step of a managed viewer; the first argument is the index of the
    /// environment. The user can disable it in the window and use the sliders of the controls.
    #[must_use]
    pub fn on_control(
        mut self,
        control: impl FnMut(usize, &Model, &mut Data) + Send + 'static,
    ) -> Self {
        self.callbacks.control = Some(Box::new(control) as ControlFn);
        self
    }

    /// Draws on each displayed state of a managed viewer.
    #[must_use]
    pub fn on_display(
        mut self,
        display: impl FnMut(&[World], &mut Overlay) + Send + 'static,
    ) -> Self {
        self.callbacks.overlay = Some(Box::new(display) as OverlayFn);
        self
    }

    /// Reacts to keys that are pressed in the window of a managed viewer.
    #[must_use]
    pub fn on_key(
        mut self,
        key: impl FnMut(&KeyPress, &Model, &mut Data) + Send + 'static,
    ) -> Self {
        self.callbacks.key = Some(Box::new(key) as KeyFn);
        self
    }
}
