//! The error type of the facade.

use sim_core::types::{StateError, StepError};
use sim_core::{BinaryError, DeformableStateError};
use std::fmt;

/// An error of the facade.
///
/// `Debug` prints the same message as `Display`, so that `fn main() -> Result<(), Error>` reports
/// readable errors:
///
/// ```
/// use sim_physics::Simulation;
///
/// let error = Simulation::load("no/such/robot.xml").unwrap_err();
/// assert!(format!("{error:?}").starts_with("no/such/robot.xml:1:1: error: cannot read the file"));
/// ```
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The model description has errors.
    #[cfg(feature = "mjcf")]
    #[error(transparent)]
    Load(#[from] sim_mjcf::Errors),
    /// The bytes are not a compiled model.
    #[error(transparent)]
    Binary(#[from] BinaryError),
    /// A step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A state vector belongs to another model.
    #[error(transparent)]
    State(#[from] StateError),
    /// The state of the deformable bodies belongs to another model.
    #[error(transparent)]
    Deformable(#[from] DeformableStateError),
    /// A batch on the GPU failed, or the GPU does not support the model.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] sim_gpu::GpuBatchError),
    /// An image could not be rendered.
    #[cfg(feature = "render")]
    #[error(transparent)]
    Render(#[from] sim_render::RenderError),
    /// A camera cannot be used as a sensor.
    #[cfg(feature = "render")]
    #[error("camera `{name}`: {reason}")]
    Camera {
        /// Name of the camera.
        name: String,
        /// What is wrong, and what to write instead.
        reason: String,
    },
    /// A kinematic chain or inverse-kinematics solver was used incorrectly.
    #[cfg(feature = "kinematics")]
    #[error(transparent)]
    Kinematics(#[from] sim_kinematics::Error),
    /// The arguments of a rollout are inconsistent.
    #[cfg(feature = "batch")]
    #[error(transparent)]
    Rollout(#[from] crate::RolloutError),
    /// An edit of an environment's model changed the number of elements.
    #[cfg(feature = "batch")]
    #[error(transparent)]
    Variation(#[from] sim_core::SizeMismatch),
    /// The operating system could not start the threads of a batch.
    #[cfg(feature = "batch")]
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// Number of threads requested.
        threads: usize,
        /// The message of the operating system.
        reason: String,
    },
    /// A slice has the wrong length.
    #[error("{what} takes {expected} values, but {given} were given")]
    WrongLength {
        /// The quantity that was set.
        what: String,
        /// Number of values it has.
        expected: usize,
        /// Number of values given.
        given: usize,
    },
    /// The model has no element of this name.
    #[error("the model has no {kind} named `{name}`")]
    UnknownName {
        /// Type of the element.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A handle has an index that the model does not have.
    #[error("there is no {kind} {id}: the model has {count}")]
    NoSuchElement {
        /// Type of the element.
        kind: &'static str,
        /// Index of the element.
        id: usize,
        /// Number of elements of this type in the model.
        count: usize,
    },
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
