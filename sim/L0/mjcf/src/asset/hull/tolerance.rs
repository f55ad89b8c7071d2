//! Bounds on rounding errors and the thresholds derived from them (qh_maxmin, qh_detroundoff).

use sim_core::math::vec3::Vec3;

/// Number of vertices beyond which a centrum is not recomputed after a merge.
pub(super) const MAX_NEW_CENTRUM: usize = 8;
/// Number of merges after which searches test all new facets.
const MANY_MERGES: usize = 50;
/// Factor of `one_merge` beyond which a merge is too wide.
pub(super) const WIDE_RATIO: f64 = 100.0;

/// Bounds on rounding errors and the thresholds derived from them, as lengths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerance {
    /// Largest extent along an axis.
    pub(super) max_width: f64,
    /// Pivots of each column up to this are nearly zero; ten times it for determinants.
    pub(super) near_zero: [f64; 3],
    /// Bound on the rounding error of a point-plane distance.
    pub(super) dist_round: f64,
    /// Two facets are convex if each centrum is further than this below the other plane.
    pub(super) centrum_radius: f64,
    /// Minimum distance of a point above a visible facet.
    pub(super) min_visible: f64,
    /// Maximum distance of a point below a horizon facet that is coplanar with it.
    pub(super) max_coplanar: f64,
    /// Minimum distance of a point above a facet to be in its outside set.
    pub(super) min_outside: f64,
    /// Bound on the distance of a vertex from a facet after one merge.
    pub(super) one_merge: f64,
    /// Points further than this below a facet are inside the hull.
    pub(super) near_inside: f64,
    /// A merge wider than this keeps the centrum.
    pub(super) wide_facet: f64,
    /// Smallest denominators of divisions: of the normal's length, and of two other tests.
    pub(super) min_denominator: f64,
    pub(super) min_denominator_1: f64,
    pub(super) min_denominator_1_2: f64,
    pub(super) min_denominator_2: f64,
}

impl Tolerance {
    /// Tolerances for points between `low` and `high`.
    pub(super) fn new(low: Vec3, high: Vec3) -> Self {
        let (mut max_abs, mut sum, mut max_width) = (0.0, 0.0, -f64::MAX);
        let mut near_zero = [0.0; 3];
        for k in 0..3 {
            let largest = if high[k] < -low[k] { -low[k] } else { high[k] };
            let width = high[k] - low[k];
            if max_width < width {
                max_width = width;
            }
            if max_abs < largest {
                max_abs = largest;
            }
            sum += largest;
            near_zero[k] = 80.0 * sum * f64::EPSILON;
        }
        let mut span = 3.0_f64.sqrt() * max_abs;
        if span > sum {
            span = sum;
        }
        let dist_round = f64::EPSILON * (3.0 * span * 1.01 + max_abs);
        let centrum_radius = 2.0 * dist_round;
        let one_merge = dist_round.max(3.0 * centrum_radius + dist_round);
        let min_outside = 2.0 * centrum_radius;
        let min_denominator_1 = f64::MIN_POSITIVE;
        let min_denominator_1_2 = (min_denominator_1 * 3.0).sqrt();
        Self {
            max_width,
            near_zero,
            dist_round,
            centrum_radius,
            min_visible: centrum_radius,
            max_coplanar: centrum_radius,
            min_outside,
            one_merge,
            near_inside: one_merge * 5.0,
            wide_facet: min_outside.max(6.0 * centrum_radius),
            min_denominator: min_denominator_1 * max_abs,
            min_denominator_1,
            min_denominator_1_2,
            min_denominator_2: min_denominator_1_2 * max_abs,
        }
    }

    /// Distance above a facet at which a search among new facets stops.
    pub(super) fn search_stop(&self, merges: usize, max_outside: f64) -> f64 {
        many_merges_factor(merges) * (2.0 * self.min_outside).max(max_outside)
    }

    /// Distance below the best facet down to which a search continues through neighbors.
    pub(super) fn search_distance(&self, merges: usize, max_outside: f64) -> f64 {
        many_merges_factor(merges) * (max_outside + 2.0 * self.dist_round + self.min_visible)
    }

    /// Bound on the distance of points from facets, of which `max_outside` is the largest so far.
    pub(super) fn outside_bound(&self, max_outside: f64) -> f64 {
        max_outside.max(self.one_merge + self.dist_round).max(self.min_outside)
    }
}

/// Whether so many facets were merged that searches test all new facets.
pub(super) fn many_merges(merges: usize) -> bool {
    merges > MANY_MERGES
}

fn many_merges_factor(merges: usize) -> f64 {
    if many_merges(merges) { 2.0 } else { 1.0 }
}
