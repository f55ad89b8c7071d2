//! Errors of batches.

use crate::shader::ShaderError;
use mesh_gpu::GpuError;

/// A failure of a batch on the device.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuBatchError {
    /// The model needs something that kernels do not support.
    #[error("the GPU does not support this model: {what}; {instead}")]
    Unsupported {
        /// What is not supported.
        what: String,
        /// What to do instead.
        instead: &'static str,
    },
    /// The model needs more workgroup memory than the device has.
    #[error(
        "the model needs {need} bytes of workgroup memory, {adapter} has {have}; lower `rows` or `contacts` of the options"
    )]
    TooLarge {
        /// Bytes needed.
        need: usize,
        /// Bytes available.
        have: usize,
        /// Name of the adapter.
        adapter: String,
    },
    /// A slice has the wrong length.
    #[error("`{what}` has {have} values, expected {want}")]
    Length {
        /// Name of the argument.
        what: &'static str,
        /// Values given.
        have: usize,
        /// Values expected.
        want: usize,
    },
    /// Images cannot be rendered with these options.
    #[error("cannot render images: {0}")]
    Render(String),
    /// The templates of the kernel are inconsistent; this is a bug of `sim-gpu`.
    #[error("internal error in the kernel templates: {0}")]
    Shader(String),
    /// The device failed.
    #[error(transparent)]
    Device(#[from] GpuError),
}

impl From<ShaderError> for GpuBatchError {
    fn from(error: ShaderError) -> Self {
        Self::Shader(error.to_string())
    }
}
