//! Rigid transforms: position and unit quaternion.

use super::quat::{self, Quat};
use super::vec3::{self, Vec3};

/// Pose of a frame in a parent frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Position of the origin in the parent frame (m).
    pub pos: Vec3,
    /// Rotation from this frame to the parent frame.
    pub quat: Quat,
}

impl Pose {
    /// The identity transform.
    #[doc(alias = "mju_zeroPose")]
    pub const IDENTITY: Self = Self { pos: [0.0; 3], quat: quat::IDENTITY };

    /// Composition: the pose in the parent frame of a frame that has pose `other` in this frame.
    #[doc(alias = "mju_mulPose")]
    #[must_use]
    pub fn then(&self, other: &Self) -> Self {
        Self { pos: self.apply(other.pos), quat: quat::normalize(quat::mul(self.quat, other.quat)) }
    }

    /// The inverse transform: the pose of the parent frame in this frame.
    #[doc(alias = "mju_negPose")]
    #[must_use]
    pub fn inverse(&self) -> Self {
        let back = quat::conjugate(self.quat);
        Self { pos: vec3::scale(quat::rotate(back, self.pos), -1.0), quat: back }
    }

    /// Transforms a point from this frame to the parent frame.
    #[doc(alias = "mju_trnVecPose")]
    #[must_use]
    pub fn apply(&self, point: Vec3) -> Vec3 {
        vec3::add(quat::rotate(self.quat, point), self.pos)
    }
}
