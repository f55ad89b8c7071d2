//! Signed distances on an octree.

use super::bvh::Bvh;
use sim_core::math::vec3::Vec3;

/// Cells around a surface, with the distance at their corners.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Octree {
    /// Distance from the root of each node.
    pub depth: Vec<i32>,
    /// Children of each node, −1 for none.
    pub child: Vec<[i32; 8]>,
    /// Centre and half size of each node.
    pub aabb: Vec<[f64; 6]>,
    /// Signed distance at the corners of each node.
    pub coeff: Vec<[f64; 8]>,
}

impl Octree {
    pub(super) fn size_bytes(&self) -> usize {
        self.depth.len() * (4 + 32 + 48 + 64)
    }

    pub(super) fn new(_: &[Vec3], _: &[[i32; 3]], _: [f64; 6], _: &Bvh) -> Self {
        Self::default()
    }
}
