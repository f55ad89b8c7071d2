//! Thousands of environments of one model, stepped on a GPU by a kernel that is generated from the
//! model: one workgroup of 32 lanes for each environment, the whole step in one kernel.
#![warn(missing_docs)]

mod batch;
mod cover;
mod drives;
mod error;
mod fill;
mod kernel;
mod numbers;
mod observe;
mod options;
mod pairs;
mod sensors;
mod solids;
mod solve;
mod table;
mod teams;
mod ways;

pub use batch::{Flags, GpuBatch, Info};
pub use error::GpuBatchError;
pub use kernel::{Capacity, Probe};
pub use mesh_gpu::{Choice, Context, GpuError, Power};
pub use options::{Options, Precision};

/// The guide's page, so that its code is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/guide/gpu.md")]
mod guide {}
