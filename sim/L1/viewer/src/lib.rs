//! An interactive viewer of simulations with the mouse actions and keys of MuJoCo's `simulate`.
//!
//! ```no_run
//! let simulation = sim_physics::Simulation::load("robot.xml")?;
//! sim_viewer::run(simulation)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`run`] simulates on a thread of its own in real time: frames do not delay steps and do not change results.
//! [`Passive`] shows a simulation that the program steps itself, for example during training. [`Options`] has
//! callbacks for controls, keys and drawing. [`App`] is the user interface without a window.
//!
//! # Platforms
//!
//! X11 and Wayland on Linux, Windows, macOS. It is tested on Linux with X11. On macOS windows must be on the main
//! thread: call [`run`] or [`Passive::run`] there, once per process.

mod app;
mod canvas;
mod clock;
mod engine;
mod error;
mod history;
mod link;
mod options;
mod overlay;
mod passive;
mod perturbation;
mod record;
mod watch;
mod window;
mod world;

pub use app::{App, Shortcut, Shown, View};
pub use canvas::{Canvas, NoCanvas, Tile};
pub use egui;
pub use engine::{ControlFn, KeyFn, OverlayFn};
pub use error::ViewerError;
pub use history::HistoryStatus;
pub use link::{KeyPress, Snapshot, Status};
pub use options::{LoadFn, Options, Slider};
pub use overlay::{Overlay, OverlayImage};
pub use passive::Passive;
pub use record::Image;
use sim_physics::{Error, Simulation};
pub use world::World;

/// Shows a simulation in real time until the window is closed.
///
/// # Errors
///
/// Without a display server or a GPU driver.
pub fn run(simulation: Simulation) -> Result<(), ViewerError> {
    run_with(simulation, Options::default())
}

/// As [`run`], with options.
///
/// # Errors
///
/// As [`run`].
pub fn run_with(simulation: Simulation, options: Options) -> Result<(), ViewerError> {
    run_many(&[simulation], options)
}

/// Shows several simulations side by side: environments of one model, or different models.
///
/// # Errors
///
/// As [`run`], and [`ViewerError::Empty`] without simulations.
pub fn run_many(simulations: &[Simulation], options: Options) -> Result<(), ViewerError> {
    if simulations.is_empty() {
        return Err(ViewerError::Empty);
    }
    let appearance = window::Appearance::new(&options);
    let worlds = simulations.iter().map(World::new).collect();
    window::run(App::new(worlds, options), appearance)
}

#[cfg(doctest)]
#[doc = include_str!("../../../../docs/guide/viewer.md")]
struct GuideDoctests;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
