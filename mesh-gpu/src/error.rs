//! Errors of the device.

/// A failure of the device.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no driver, or none that matches the selection.
    #[error(
        "no GPU driver was found{wanted}: install one ({packages}){known}",
        packages = PACKAGES
    )]
    NoAdapter {
        /// The selection, as a phrase that follows "found".
        wanted: String,
        /// The available adapters.
        known: String,
    },
    /// The device lacks a required feature or limit.
    #[error("{adapter} is not supported: {what}")]
    Unsupported {
        /// The adapter's name.
        adapter: String,
        /// The missing feature or limit.
        what: String,
    },
    /// The device could not be opened.
    #[error("could not open {adapter}: {why}")]
    Device {
        /// The adapter's name.
        adapter: String,
        /// The driver's reason.
        why: String,
    },
    /// A kernel does not compile.
    #[error("kernel `{label}` does not compile: {message}")]
    Kernel {
        /// The kernel's label.
        label: String,
        /// The compiler's message, with line and column.
        message: String,
    },
    /// A buffer is larger than the device allows.
    #[error(
        "buffer `{label}` of {bytes} bytes is larger than the {limit} bytes this device allows"
    )]
    TooLarge {
        /// The buffer's label.
        label: String,
        /// Bytes requested.
        bytes: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// A slice or buffer has the wrong length.
    #[error("`{label}` has {have} elements, expected {want}")]
    Length {
        /// Name of the slice or buffer.
        label: String,
        /// Elements given.
        have: usize,
        /// Elements expected.
        want: usize,
    },
    /// The device was lost, or a command failed.
    #[error("the device failed: {0}")]
    Lost(String),
}

/// Packages with drivers on common systems.
const PACKAGES: &str = "Debian and Ubuntu: `libvulkan1` with the driver of the GPU, or \
    `mesa-vulkan-drivers`, which also runs on the CPU";
