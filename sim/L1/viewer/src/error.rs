//! Errors of the viewer.

/// A failure to open or to use a window.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewerError {
    /// There is no display server, or the window could not be created.
    #[error("cannot open a window: {0}")]
    Window(String),
    /// Windows can only be opened on the main thread of this operating system.
    #[error(
        "this operating system requires windows to run on the main thread: call \
         `Passive::run` there and move the simulation loop into its closure"
    )]
    MainThread,
    /// No device can present images in the window.
    #[error(transparent)]
    Gpu(#[from] mesh_gpu::GpuError),
    /// Nothing to show.
    #[error("the viewer needs at least one simulation")]
    Empty,
    /// A simulation error that a managed run reports when the window closes.
    #[error(transparent)]
    Simulation(#[from] sim_physics::Error),
    /// A picture or video could not be written.
    #[error("{path}: {reason}")]
    Write {
        /// The file.
        path: String,
        /// The reason.
        reason: String,
    },
}
