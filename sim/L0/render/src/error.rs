//! Errors of rendering.

/// A failure to render an image.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The device failed, or cannot do what is required.
    #[error(transparent)]
    Gpu(#[from] mesh_gpu::GpuError),
    /// The size of the image is zero, or exceeds the limit of the device.
    #[error(
        "image size {width} x {height}: each side must have at least 1 and at most {limit} pixels"
    )]
    Size {
        /// Requested width in pixels.
        width: u32,
        /// Requested height in pixels.
        height: u32,
        /// Largest side in pixels.
        limit: u32,
    },
    /// The scene's camera is invalid.
    #[error("the scene cannot be rendered: {0}")]
    Scene(sim_scene::SceneError),
    /// The pose or the view volume of the scene's camera is not finite, for instance after a simulation diverged.
    #[error(
        "the camera of the scene is not finite: reset the simulation, or set a camera with a finite pose"
    )]
    Camera,
    /// Too many images were submitted without being received.
    #[error("{0} images are in flight: receive one before another is submitted")]
    InFlight(usize),
    /// There is no image to receive.
    #[error("no image is in flight: submit a scene before an image is received")]
    NothingSubmitted,
    /// The vertices of the model and its skins, or the geoms, exceed the memory of the device.
    #[error("{what} of {bytes} bytes exceed the {limit} bytes of a buffer of this device")]
    TooLarge {
        /// Vertices or geoms.
        what: &'static str,
        /// Size in bytes.
        bytes: u64,
        /// Largest size in bytes.
        limit: u64,
    },
}
