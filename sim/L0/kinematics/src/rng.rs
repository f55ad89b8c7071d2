//! Deterministic pseudo-random numbers (splitmix64).

use sim_core::math::quat::{self, Quat};
use sim_core::math::random::standard_normal;

/// A random number generator.
#[derive(Debug, Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A uniform number in `[0, 1)`.
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A uniform number in `[low, high)`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A vector of standard normal numbers.
    #[cfg(test)]
    pub(crate) fn normal_vector(&mut self) -> [f64; 3] {
        let [x, y] = standard_normal(|| self.unit());
        [x, y, standard_normal(|| self.unit())[0]]
    }

    /// A uniformly distributed unit quaternion.
    pub(crate) fn quat(&mut self) -> Quat {
        let [w, x] = standard_normal(|| self.unit());
        let [y, z] = standard_normal(|| self.unit());
        quat::normalize([w, x, y, z])
    }
}
