//! Precomputed constants of joints.

use crate::math::quat::Quat;
use crate::math::vec3::Vec3;

/// Constants of a joint that is the first of its body, in the frame of the body's parent.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FirstJoint {
    /// Joint axis.
    pub(super) axis: Vec3,
    /// Joint anchor (m).
    pub(super) anchor: Vec3,
    /// `body_quat · (0, jnt_axis)`: a hinge at angle θ gives the body the orientation
    /// `body_quat cos(θ/2) + quat_axis sin(θ/2)`.
    pub(super) quat_axis: Quat,
}
