//! Memory of the collision stage, kept in `Data` so that a step does not allocate.

use super::broadphase::{MotionBound, TwoLevelSap};
use super::convex::CcdWork;
use super::flex::FlexWork;
use super::manifold::Manifold;
use super::trimesh::TrimeshWork;

/// Memory of the collision stage.
#[derive(Debug, Clone, Default)]
pub(crate) struct Collision {
    /// Sweep and prune.
    pub(super) sap: TwoLevelSap,
    /// Separation bounds of listed pairs.
    pub(super) motion_bound: MotionBound,
    /// Buffers of the narrow phase.
    pub(crate) narrow: Narrow,
    /// Buffers of flexes.
    pub(super) flex: FlexWork,
}

/// Buffers of the narrow phase, for one pair at a time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Narrow {
    /// Contact points of the current pair.
    pub(super) manifold: Manifold,
    /// GJK, EPA and multi-contact buffers.
    pub(super) ccd: CcdWork,
    /// Triangle contacts before reduction.
    pub(super) trimesh: TrimeshWork,
}

impl Collision {
    /// Memory, bytes, without the buffers of single pairs, which are small.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.sap.bytes() + self.motion_bound.bytes() + self.flex.bytes()
    }
}
