//! Pairs of points, one on each solid, that tell where two solids touch.

use super::super::touch::MAX_TOUCHES;
use crate::math::vec3::Vec3;

/// The pairs of one query.
#[derive(Debug, Clone)]
pub(super) struct Witnesses {
    on_a: [Vec3; Self::MOST],
    on_b: [Vec3; Self::MOST],
    count: usize,
}

impl Default for Witnesses {
    fn default() -> Self {
        Self { on_a: [[0.0; 3]; Self::MOST], on_b: [[0.0; 3]; Self::MOST], count: 0 }
    }
}

impl Witnesses {
    /// Most pairs of points that can be kept.
    pub(super) const MOST: usize = MAX_TOUCHES;

    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a pair; beyond the most, it is dropped.
    pub(super) fn push(&mut self, on_a: Vec3, on_b: Vec3) {
        if self.count < Self::MOST {
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
