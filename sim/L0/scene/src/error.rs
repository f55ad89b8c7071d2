//! Errors of the visualizer.

use crate::{CameraType, MouseAction, SceneGeomType};

/// Invalid input of a function of the visualizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// A connector of a shape that has no two ends.
    #[error("a connector is a capsule, cylinder, arrow or line, not {0:?}")]
    Connector(SceneGeomType),
    /// A camera of the model that does not exist.
    #[error("fixed camera {0} does not exist")]
    FixedCamera(i32),
    /// A tracked body that does not exist.
    #[error("tracked body {0} does not exist")]
    TrackedBody(i32),
    /// A camera type without a pose or frustum.
    #[error("a camera of type {0:?} has no pose or frustum")]
    CameraType(CameraType),
    /// The near plane of a camera of the scene is not in front of it.
    #[error("the near plane of a camera of the scene is not positive; update the scene first")]
    FrustumNear,
    /// The model scaling of the scene is not positive.
    #[error("the scale of the scene is not positive")]
    Scale,
    /// The cameras of the two eyes have different projections.
    #[error("one camera of the scene is orthographic and the other is not")]
    Projection,
    /// A mouse action that a function does not support.
    #[error("mouse action {0:?} is not supported here")]
    Action(MouseAction),
}
