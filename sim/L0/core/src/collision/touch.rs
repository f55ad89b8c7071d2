//! What the narrow phase finds between two shapes.

use crate::math::vec3::Vec3;

/// Most points that one pair of geoms can touch at.
pub(crate) const MAX_TOUCHES: usize = 50;

/// A point at which two shapes touch, or nearly do.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Touch {
    /// Distance between the surfaces; negative inside.
    pub dist: f64,
    /// Half way between the two surfaces.
    pub pos: Vec3,
    /// From the first shape to the second, unit length.
    pub normal: Vec3,
    /// The first tangent, or zero where any will do.
    pub tangent: Vec3,
}

/// The points of one pair, without allocation.
#[derive(Debug, Clone)]
pub(crate) struct Touches {
    points: [Touch; MAX_TOUCHES],
    count: usize,
}

impl Default for Touches {
    fn default() -> Self {
        Self { points: [Touch::default(); MAX_TOUCHES], count: 0 }
    }
}

impl Touches {
    /// Forgets all points.
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a point; beyond the most there can be, it is dropped.
    pub(crate) fn push(&mut self, touch: Touch) {
        if let Some(slot) = self.points.get_mut(self.count) {
            *slot = touch;
            self.count += 1;
        }
    }

    /// Keeps the first `count` points.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.count = self.count.min(count);
    }

    /// The points found so far.
    pub(crate) fn as_slice(&self) -> &[Touch] {
        &self.points[..self.count]
    }

    /// The points found so far, for changing.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [Touch] {
        &mut self.points[..self.count]
    }
}
