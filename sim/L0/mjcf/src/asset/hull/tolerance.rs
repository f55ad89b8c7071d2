//! Rounding tolerances of a hull (qh_detmaxround, qh_distround).

use sim_core::math::vec3::Vec3;

/// Bounds on rounding errors and the thresholds derived from them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerance {
    /// Largest extent along an axis.
    pub(super) max_width: f64,
    /// Thresholds for nearly singular determinants of order two and three.
    pub(super) near_zero: [f64; 2],
    /// Maximum rounding error of a point-plane distance (DISTround).
    pub(super) round: f64,
    /// Two facets are convex if each centrum is at least this far below the other plane.
    pub(super) centrum: f64,
    /// Minimum distance of a point above a facet that is visible from it.
    pub(super) min_visible: f64,
    /// Minimum distance of a point above a facet to be in its outside set.
    pub(super) min_outside: f64,
}

impl Tolerance {
    /// Tolerances for points between `low` and `high`.
    pub(super) fn new(low: Vec3, high: Vec3, tolerance_factor: f64) -> Self {
        let (mut max_abs, mut sum, mut max_width) = (0.0_f64, 0.0, 0.0_f64);
        let mut sums = [0.0; 3];
        for k in 0..3 {
            let largest = high[k].max(-low[k]);
            max_abs = max_abs.max(largest);
            sum += largest;
            sums[k] = sum;
            max_width = max_width.max(high[k] - low[k]);
        }
        let span = (3.0_f64.sqrt() * max_abs).min(sum);
        let round = tolerance_factor * f64::EPSILON * (3.0 * span * 1.01 + max_abs);
        let centrum = 2.0 * round;
        Self {
            max_width,
            near_zero: [1, 2].map(|k| 80.0 * sums[k] * f64::EPSILON * 10.0),
            round,
            centrum,
            min_visible: centrum,
            min_outside: 2.0 * centrum,
        }
    }
}
