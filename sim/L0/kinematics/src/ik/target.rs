//! Targets of chain tips, and the weighted residual of a tip.

use crate::Frame;
use sim_core::math::quat::Quat;
use sim_core::math::vec3::{self, Vec3};

/// Target pose of the tip of a chain, in the frame of its base.
///
/// ```
/// use sim_kinematics::Target;
/// // a position with any orientation
/// let point = Target::position([0.4, 0.0, 0.3]);
/// // a pose
/// let pose = Target::pose([0.4, 0.0, 0.3], [0.0, 1.0, 0.0, 0.0]);
/// // the same, with free rotation about the z axis of the target frame
/// let drill = pose.with_mask([true, true, true, true, true, false]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target {
    /// Target position, m.
    pub pos: Vec3,
    /// Target orientation, a quaternion `[w, x, y, z]`; it need not be normalized.
    pub quat: Quat,
    /// Constrained directions: translation along, and rotation about, each axis of the target frame.
    pub mask: [bool; 6],
    /// Weight relative to other targets; positive.
    pub weight: f64,
}

impl Target {
    /// A target pose.
    #[must_use]
    pub const fn pose(pos: Vec3, quat: Quat) -> Self {
        Self { pos, quat, mask: [true; 6], weight: 1.0 }
    }

    /// A target position with any orientation.
    #[must_use]
    pub const fn position(pos: Vec3) -> Self {
        let mask = [true, true, true, false, false, false];
        Self { pos, quat: [1.0, 0.0, 0.0, 0.0], mask, weight: 1.0 }
    }

    /// A target orientation at any position.
    #[must_use]
    pub const fn orientation(quat: Quat) -> Self {
        let mask = [false, false, false, true, true, true];
        Self { pos: [0.0; 3], quat, mask, weight: 1.0 }
    }

    /// The pose of a frame as target.
    #[must_use]
    pub fn frame(frame: &Frame) -> Self {
        Self::pose(frame.pos(), frame.quat())
    }

    /// Sets the constrained directions: translation along, and rotation about, each axis of the
    /// target frame.
    #[must_use]
    pub const fn with_mask(mut self, mask: [bool; 6]) -> Self {
        self.mask = mask;
        self
    }

    /// Sets the weight relative to other targets.
    #[must_use]
    pub const fn with_weight(mut self, weight: f64) -> Self {
        self.weight = weight;
        self
    }

    /// Validates the target and computes its weights; `None` if it is invalid.
    pub(super) fn weighted(&self, rotation_weight: f64) -> Option<WeightedTarget> {
        let length: f64 = self.quat.iter().map(|x| x * x).sum();
        let finite = self.pos.iter().chain(&self.quat).all(|x| x.is_finite());
        if !finite || !(1e-20..1e20).contains(&length) || !(1e-9..=1e9).contains(&self.weight) {
            return None;
        }
        let constrained = |part: &[bool]| part.iter().filter(|on| **on).count();
        let counts = [constrained(&self.mask[..3]), constrained(&self.mask[3..])];
        let weight = |count: usize| if count > 0 { self.weight } else { 0.0 };
        let weights = [weight(counts[0]), rotation_weight * weight(counts[1])];
        let is_partial = counts.iter().any(|count| !matches!(count, 0 | 3));
        let mask = self.mask.map(|on| if on { 1.0 } else { 0.0 });
        let frame = Frame::new(self.pos, self.quat);
        Some(WeightedTarget { frame, weights, mask: is_partial.then_some(mask) })
    }
}

/// A validated target with the weights of its residual.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WeightedTarget {
    pub frame: Frame,
    /// Weights of the position and orientation errors; zero if unconstrained.
    pub weights: [f64; 2],
    /// Zeros and ones for each direction, if only some of the three translations or rotations are
    /// constrained.
    pub mask: Option<[f64; 6]>,
}

impl WeightedTarget {
    /// Weighted residual of a tip: target position minus tip position, and the rotation vector from
    /// tip to target. In the axes of the base, or of the target if there is a mask.
    #[inline(always)]
    pub(super) fn residual(&self, tip: &Frame) -> [f64; 6] {
        let [w, u] = self.weights;
        let mut p = vec3::scale(vec3::sub(self.frame.pos(), tip.pos()), w);
        let mut r = if u > 0.0 { tip.rotation_to(&self.frame) } else { [0.0; 3] };
        r = vec3::scale(r, u);
        if let Some(mask) = &self.mask {
            (p, r) = (self.frame.rotate_back(p), self.frame.rotate_back(r));
            for k in 0..3 {
                p[k] *= mask[k];
                r[k] *= mask[k + 3];
            }
        }
        [p[0], p[1], p[2], r[0], r[1], r[2]]
    }

    /// The negative derivative of the residual by one dof, from its column of the Jacobian.
    #[inline(always)]
    pub(super) fn weighted_column(&self, tip: &Frame, column: &[f64; 6]) -> [f64; 6] {
        let [w, u] = self.weights;
        match &self.mask {
            None => std::array::from_fn(|k| if k < 3 { w * column[k] } else { u * column[k] }),
            Some(mask) => self.masked_column(tip, column, mask),
        }
    }

    #[cold]
    fn masked_column(&self, tip: &Frame, column: &[f64; 6], mask: &[f64; 6]) -> [f64; 6] {
        let [w, u] = self.weights;
        let linear = self.frame.rotate_back([column[0], column[1], column[2]]);
        // the components of a rotation vector do not change at the rate of the angular velocity
        let rotation = tip.rotation_to(&self.frame);
        let angular = rotation_vector_rate(rotation, [column[3], column[4], column[5]]);
        let angular = self.frame.rotate_back(angular);
        std::array::from_fn(|k| mask[k] * if k < 3 { w * linear[k] } else { u * angular[k - 3] })
    }

    /// Unweighted position and orientation error of a residual.
    pub(super) fn errors(&self, residual: &[f64; 6]) -> [f64; 2] {
        let part = |r: &[f64], w: f64| {
            if w > 0.0 { r.iter().map(|x| x * x).sum::<f64>().sqrt() / w } else { 0.0 }
        };
        [part(&residual[..3], self.weights[0]), part(&residual[3..], self.weights[1])]
    }
}

/// Rate of decrease of the rotation vector `e` from a frame to a fixed one while the frame rotates
/// with angular velocity `w`: the inverse right Jacobian of SO(3), times `w`.
fn rotation_vector_rate(e: Vec3, w: Vec3) -> Vec3 {
    let square = vec3::dot(e, e);
    let factor = if square < 1e-4 {
        1.0 / 12.0 + square / 720.0
    } else {
        let half = 0.5 * square.sqrt();
        (1.0 - half / half.tan()) / square
    };
    let once = vec3::cross(e, w);
    vec3::add_scaled(vec3::add_scaled(w, once, 0.5), vec3::cross(e, once), factor)
}

#[cfg(test)]
mod tests {
    use super::{Target, rotation_vector_rate};
    use crate::Frame;
    use crate::rng::Rng;
    use sim_core::math::{quat, vec3};

    #[test]
    fn rotation_vector_rate_matches_finite_differences() {
        let mut rng = Rng::new(5);
        for k in 0..300 {
            let from = rng.quat();
            let e = vec3::scale(vec3::normalize(rng.normal_vector()).0, 0.01 * f64::from(k));
            let to = Frame::new([0.0; 3], quat::mul(exp(e), from));
            let w = rng.normal_vector();
            let at = |time: f64| {
                let from = quat::mul(exp(vec3::scale(w, time)), from);
                Frame::new([0.0; 3], from).rotation_to(&to)
            };
            let difference = vec3::scale(vec3::sub(at(-1e-6), at(1e-6)), 0.5e6);
            assert!(vec3::distance(rotation_vector_rate(e, w), difference) < 1e-7, "{k}");
        }
    }

    fn exp(v: [f64; 3]) -> [f64; 4] {
        let (axis, angle) = vec3::normalize(v);
        quat::from_axis_angle(axis, angle)
    }

    #[test]
    fn invalid_targets_are_rejected() {
        let good = Target::pose([0.0; 3], [2.0, 0.0, 0.0, 0.0]);
        assert!(good.weighted(1.0).is_some());
        assert!(Target::position([f64::NAN, 0.0, 0.0]).weighted(1.0).is_none());
        assert!(Target::position([0.0, f64::INFINITY, 0.0]).weighted(1.0).is_none());
        assert!(Target::orientation([0.0; 4]).weighted(1.0).is_none());
        assert!(good.with_weight(0.0).weighted(1.0).is_none());
        assert!(good.with_weight(f64::NAN).weighted(1.0).is_none());
    }
}
