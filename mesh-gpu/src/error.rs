//! What can go wrong, in words a user can act on.

/// A failure of the device or of what it was asked to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no driver, or none that was asked for.
    #[error(
        "no GPU driver was found{wanted}: install one ({packages}){known}",
        packages = PACKAGES
    )]
    NoAdapter {
        /// What was asked for, in words that follow "found".
        wanted: String,
        /// What is there instead.
        known: String,
    },
    /// The device cannot do what is needed.
    #[error("{adapter} cannot do this: {what}")]
    Unsupported {
        /// The adapter's name.
        adapter: String,
        /// What is missing.
        what: String,
    },
    /// The driver would not open the device.
    #[error("the driver would not open {adapter}: {why}")]
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
        /// Bytes asked for.
        bytes: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// Lengths that must agree do not.
    #[error("`{label}` has {have} elements, not {want}")]
    Length {
        /// What was given.
        label: String,
        /// Elements given.
        have: usize,
        /// Elements expected.
        want: usize,
    },
    /// The device stopped working, or refused a command.
    #[error("the device failed: {0}")]
    Lost(String),
}

/// Where a driver comes from, for the most common systems.
const PACKAGES: &str = "Debian and Ubuntu: `libvulkan1` with the card's own driver, or \
    `mesa-vulkan-drivers`, which also runs on the processor";
