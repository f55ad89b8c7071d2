//! Contact points of one pair of shapes, as the narrow phase reports them.

use crate::math::vec3::Vec3;

/// Largest number of contact points of one geom pair (`mjMAXCONPAIR`).
pub(crate) const MAX_CONTACT_POINTS: usize = 50;

/// One contact point between two shapes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct ContactPoint {
    /// Signed distance between the surfaces, m; negative when the shapes overlap.
    pub dist: f64,
    /// World position midway between the two surfaces.
    pub pos: Vec3,
    /// Unit normal in world axes, from the first shape to the second.
    pub normal: Vec3,
    /// First tangent in world axes; zero if the contact frame may choose any.
    pub tangent: Vec3,
}

/// The contact points of one pair, in a fixed-size buffer.
#[derive(Debug, Clone)]
pub(crate) struct Manifold {
    points: [ContactPoint; MAX_CONTACT_POINTS],
    count: usize,
}

impl Default for Manifold {
    fn default() -> Self {
        Self { points: [ContactPoint::default(); MAX_CONTACT_POINTS], count: 0 }
    }
}

impl Manifold {
    /// Removes all points.
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a point; a full buffer ignores it.
    pub(crate) fn push(&mut self, point: ContactPoint) {
        if let Some(slot) = self.points.get_mut(self.count) {
            *slot = point;
            self.count += 1;
        }
    }

    /// Keeps the first `count` points.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.count = self.count.min(count);
    }

    /// Keeps the first `first` points, and of the others those for which `keep` is true.
    pub(crate) fn retain_from(&mut self, first: usize, keep: impl Fn(&ContactPoint) -> bool) {
        let first = first.min(self.count);
        let mut kept = first;
        for k in first..self.count {
            if keep(&self.points[k]) {
                self.points[kept] = self.points[k];
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// The points found so far.
    pub(crate) fn as_slice(&self) -> &[ContactPoint] {
        &self.points[..self.count]
    }

    /// The points found so far, mutable.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [ContactPoint] {
        &mut self.points[..self.count]
    }
}
