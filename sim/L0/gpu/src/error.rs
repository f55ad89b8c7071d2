//! Why a model cannot be stepped here, or a batch failed.

use mesh_gpu::GpuError;

/// A failure of a batch on the device.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuBatchError {
    /// The model needs something that kernels cannot do.
    #[error("the GPU cannot step this model: {what}; {instead}")]
    Unsupported {
        /// What the model needs.
        what: String,
        /// What to do instead.
        instead: &'static str,
    },
    /// The model is too large for a workgroup of this device.
    #[error(
        "the model needs {need} bytes of workgroup memory, {adapter} has {have}; lower `rows` or `contacts` of the options"
    )]
    TooLarge {
        /// Bytes needed.
        need: usize,
        /// Bytes there are.
        have: usize,
        /// The adapter's name.
        adapter: String,
    },
    /// A slice has the wrong length.
    #[error("`{what}` has {have} values, not {want}")]
    Length {
        /// What was given.
        what: &'static str,
        /// Values given.
        have: usize,
        /// Values expected.
        want: usize,
    },
    /// The device failed.
    #[error(transparent)]
    Device(#[from] GpuError),
}
