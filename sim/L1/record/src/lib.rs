//! Recordings of a simulation as one HTML file that any browser plays without a network.
//!
//! A [`Recording`] keeps the geometry of a model and, for every frame, the poses, joint positions and
//! velocities, controls, sensors, energies, contacts, tendons and particles. [`Recording::write_html`] writes
//! them with a player (WebGL 2, plain JavaScript) into one page.
//!
//! Recorded values have single precision and are stored without loss; vertices of meshes, height fields and
//! deformable bodies are quantised to 16 bits over their bounding box, and vertex normals to 8 bits.
//!
//! # Interface of the page
//!
//! Tests and scripts use `window.recording`:
//!
//! | member | meaning |
//! |---|---|
//! | `ready` | promise that is fulfilled when the first image is drawn |
//! | `times` | times of the frames (s) |
//! | `poseAt(time)` | the frame nearest to a time: `time`, `xpos`, `xquat`, `qpos`, `qvel`, `energy` |
//! | `seek(time)`, `play()`, `pause()`, `speed(factor)` | playback |
//! | `time`, `playing` | current state |
//! | `select(body)` | selects a body by name or index, or none with `null` |
//! | `selected` | name of the selected body, or `null` |
//! | `camera(name)` | a camera of the model by name or index, or the free camera with `null` |
//! | `project(body)` | position of a body in pixels of the window |

mod blob;
mod error;
mod frames;
mod mesh;
mod page;
mod scene;
mod texture;

pub use error::RecordError;

use blob::Blob;
use frames::Frames;
use sim_core::{Data, Model, mj_energy_pos, mj_energy_vel, mj_forward};
use std::io::Write;

/// A recording of a simulation.
///
/// ```
/// let model = sim_mjcf::load_str("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")?;
/// let mut recording = sim_record::Recording::new(&model).title("a sphere");
/// recording.push(&model.make_data())?;
/// let mut page = Vec::new();
/// recording.write_html(&mut page)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Recording<'m> {
    model: &'m Model,
    title: String,
    frames: Frames,
    /// Copy of the recorded state, in which poses and forces are computed.
    data: Data,
}

impl<'m> Recording<'m> {
    /// A recording of a model without frames.
    #[must_use]
    pub fn new(model: &'m Model) -> Self {
        let title = "recording".to_owned();
        Self { model, title, frames: Frames::default(), data: model.make_data() }
    }

    /// Sets the title of the page.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        title.clone_into(&mut self.title);
        self
    }

    /// Appends the current state. Poses, forces and energies are computed on a copy, so that recording does not
    /// change the simulation.
    ///
    /// # Errors
    ///
    /// If the state belongs to another model, or its forces cannot be computed.
    pub fn push(&mut self, data: &Data) -> Result<(), RecordError> {
        let (found, expected) = (data.qpos.len(), self.model.nq);
        if found != expected || data.xpos.len() != self.data.xpos.len() {
            return Err(RecordError::OtherModel { found, expected });
        }
        self.data.clone_from(data);
        mj_forward(self.model, &mut self.data)?;
        mj_energy_pos(self.model, &mut self.data);
        mj_energy_vel(self.model, &mut self.data);
        self.frames.push(self.model, &self.data);
        Ok(())
    }

    /// Number of recorded frames.
    #[must_use]
    pub fn len(&self) -> usize {
        self.frames.time.len()
    }

    /// Whether there are no frames.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.frames.time.is_empty()
    }

    /// Writes the page.
    ///
    /// # Errors
    ///
    /// If there are no frames, or the output fails.
    pub fn write_html(&self, mut out: impl Write) -> Result<(), RecordError> {
        if self.is_empty() {
            return Err(RecordError::Empty);
        }
        let mut blob = Blob::default();
        let mut header = scene::describe(&mut blob, self.model, &self.data);
        header["title"] = self.title.as_str().into();
        header["frames"] = self.frames.write(self.model, &mut blob);
        page::write(&self.title, &mut out, |out| blob.write_base64(&header, out))?;
        Ok(())
    }
}

/// The nearest single-precision value.
#[allow(clippy::cast_possible_truncation, reason = "rounding is intended")]
pub(crate) const fn single(x: f64) -> f32 {
    x as f32
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

#[cfg(doctest)]
#[doc = include_str!("../../../../docs/guide/recordings.md")]
struct GuideDoctests;
