//! Batched stepping on a GPU: thousands of environments of one model, stepped by a kernel that is generated from the
//! model. One workgroup executes the whole step of an environment.
#![warn(missing_docs)]

mod batch;
mod buffer;
mod compare;
mod error;
mod kernel;
mod layout;
mod linear_solve;
mod model;
mod options;
mod readback;
mod records;
mod render;
mod shader;
mod support;

pub use batch::{Columns, Flags, GpuBatch, Info, Rows};
pub use compare::{CompareError, StepComparison, compare_step, mocap_poses, random_state};
pub use error::GpuBatchError;
pub use kernel::{Capacity, Probe, supports};
pub use mesh_gpu::{AdapterSelection, Context, GpuError, PowerPreference, SharedMemory};
pub use options::{Callbacks, Options, Precision, StorageBarriers};
pub use render::{BatchRenderer, RenderOptions};
pub use sim_scene::{Camera, VisOption};

/// The guide's page, so that its code is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/guide/gpu.md")]
mod guide {}
