//! Poses: a position and an orientation, taken together.

use super::quat::{self, Quat};
use super::vec3::{self, Vec3};

/// A frame seen from another: where its origin is, and how it is turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Position of the origin.
    pub pos: Vec3,
    /// Orientation.
    pub quat: Quat,
}

impl Pose {
    /// No displacement.
    #[doc(alias = "mju_zeroPose")]
    pub const IDENTITY: Self = Self { pos: [0.0; 3], quat: quat::IDENTITY };

    /// The pose of a frame that has pose `other` in this one.
    #[doc(alias = "mju_mulPose")]
    #[must_use]
    pub fn then(&self, other: &Self) -> Self {
        Self { pos: self.apply(other.pos), quat: quat::normalize(quat::mul(self.quat, other.quat)) }
    }

    /// The pose of the other frame seen from this one.
    #[doc(alias = "mju_negPose")]
    #[must_use]
    pub fn inverse(&self) -> Self {
        let back = quat::conjugate(self.quat);
        Self { pos: vec3::scale(quat::rotate(back, self.pos), -1.0), quat: back }
    }

    /// A point given in this frame, seen from outside.
    #[doc(alias = "mju_trnVecPose")]
    #[must_use]
    pub fn apply(&self, point: Vec3) -> Vec3 {
        vec3::add(quat::rotate(self.quat, point), self.pos)
    }
}
