//! Witness points: pairs of points, one on each solid, that realize the distance or depth.

use super::super::manifold::MAX_CONTACT_POINTS;
use crate::math::vec3::Vec3;

/// The witness points of one query.
#[derive(Debug, Clone)]
pub(super) struct Witnesses {
    on_a: [Vec3; Self::MAX],
    on_b: [Vec3; Self::MAX],
    count: usize,
}

impl Default for Witnesses {
    fn default() -> Self {
        Self { on_a: [[0.0; 3]; Self::MAX], on_b: [[0.0; 3]; Self::MAX], count: 0 }
    }
}

impl Witnesses {
    /// Capacity.
    pub(super) const MAX: usize = MAX_CONTACT_POINTS;

    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a pair; a full buffer ignores it.
    pub(super) fn push(&mut self, on_a: Vec3, on_b: Vec3) {
        if self.count < Self::MAX {
            self.on_a[self.count] = on_a;
            self.on_b[self.count] = on_b;
            self.count += 1;
        }
    }

    /// The points on the second solid.
    pub(super) fn on_b(&self) -> &[Vec3] {
        &self.on_b[..self.count]
    }

    /// All pairs.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Vec3, Vec3)> {
        self.on_a[..self.count].iter().copied().zip(self.on_b[..self.count].iter().copied())
    }
}
