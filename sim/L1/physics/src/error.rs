//! What can go wrong with a simulation.

use sim_core::types::{StateError, StepError};
use sim_core::{BinaryError, DeformableStateError};

/// What can go wrong with a [`Simulation`](crate::Simulation).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The model's description has errors.
    #[cfg(feature = "mjcf")]
    #[error(transparent)]
    Load(#[from] sim_mjcf::Errors),
    /// The bytes are not a compiled model.
    #[error(transparent)]
    Binary(#[from] BinaryError),
    /// The step could not be taken.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The state is another model's.
    #[error(transparent)]
    State(#[from] StateError),
    /// The GPU cannot step the model, or failed.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] sim_gpu::GpuBatchError),
    /// The state is of other deformable bodies.
    #[error(transparent)]
    Deformable(#[from] DeformableStateError),
    /// The wrong number of values for a joint.
    #[error("joint `{name}` has {expected} numbers, not {given}")]
    WrongLength {
        /// The joint.
        name: String,
        /// How many it has.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// The model has no element of this name.
    #[error("the model has no {kind} named `{name}`")]
    UnknownName {
        /// What was looked for.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A handle is another model's.
    #[error("there is no {kind} {id}: the model has {count}")]
    NoSuchElement {
        /// What was looked for.
        kind: &'static str,
        /// Its number.
        id: usize,
        /// How many the model has.
        count: usize,
    },
}
