//! Where a tip is wanted, and how far it is from there.

use crate::Frame;
use sim_core::math::quat::Quat;
use sim_core::math::vec3::{self, Vec3};

/// Where the tip of a chain is wanted, as seen from the chain's base.
///
/// ```
/// use sim_kinematics::Target;
/// // a point, any orientation
/// let point = Target::position([0.4, 0.0, 0.3]);
/// // a pose
/// let pose = Target::pose([0.4, 0.0, 0.3], [0.0, 1.0, 0.0, 0.0]);
/// // the same, free to turn about the tool's own z axis
/// let drill = pose.with_mask([true, true, true, true, true, false]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target {
    /// Where the origin is wanted.
    pub pos: Vec3,
    /// The orientation that is wanted, `[w, x, y, z]`; it need not have length one.
    pub quat: Quat,
    /// What counts: position along, and rotation about, each axis of the target's own frame.
    pub mask: [bool; 6],
    /// How much this target counts next to others; positive.
    pub weight: f64,
}

impl Target {
    /// A pose.
    #[must_use]
    pub const fn pose(pos: Vec3, quat: Quat) -> Self {
        Self { pos, quat, mask: [true; 6], weight: 1.0 }
    }

    /// A position with any orientation.
    #[must_use]
    pub const fn position(pos: Vec3) -> Self {
        let mask = [true, true, true, false, false, false];
        Self { pos, quat: [1.0, 0.0, 0.0, 0.0], mask, weight: 1.0 }
    }

    /// An orientation at any position.
    #[must_use]
    pub const fn orientation(quat: Quat) -> Self {
        let mask = [false, false, false, true, true, true];
        Self { pos: [0.0; 3], quat, mask, weight: 1.0 }
    }

    /// The pose of a frame.
    #[must_use]
    pub fn frame(frame: &Frame) -> Self {
        Self::pose(frame.pos(), frame.quat())
    }

    /// Counts only some directions: position along, and rotation about, each axis of the target's
    /// own frame.
    #[must_use]
    pub const fn with_mask(mut self, mask: [bool; 6]) -> Self {
        self.mask = mask;
        self
    }

    /// Counts more or less than others.
    #[must_use]
    pub const fn with_weight(mut self, weight: f64) -> Self {
        self.weight = weight;
        self
    }

    /// The target as the solver reads it; `None` when a number of it is no use.
    pub(super) fn prepared(&self, turn_weight: f64) -> Option<Prepared> {
        let length: f64 = self.quat.iter().map(|x| x * x).sum();
        let finite = self.pos.iter().chain(&self.quat).all(|x| x.is_finite());
        if !finite || !(1e-20..1e20).contains(&length) || !(1e-9..=1e9).contains(&self.weight) {
            return None;
        }
        let counts = |part: &[bool]| part.iter().filter(|on| **on).count();
        let parts = [counts(&self.mask[..3]), counts(&self.mask[3..])];
        let on = |count: usize| if count > 0 { self.weight } else { 0.0 };
        let weights = [on(parts[0]), turn_weight * on(parts[1])];
        let partial = parts.iter().any(|count| !matches!(count, 0 | 3));
        let mask = self.mask.map(|on| if on { 1.0 } else { 0.0 });
        let frame = Frame::new(self.pos, self.quat);
        Some(Prepared { frame, weights, partial: partial.then_some(mask) })
    }
}

/// A target that has been looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prepared {
    pub frame: Frame,
    /// Factors on distances and on angles.
    pub weights: [f64; 2],
    /// Which directions count, if only some do.
    pub partial: Option<[f64; 6]>,
}

impl Prepared {
    /// How far a tip is from the target, in weighted distances and angles: in the axes of the base,
    /// or of the target where only some count.
    #[inline(always)]
    pub(super) fn residual(&self, tip: &Frame) -> [f64; 6] {
        let [w, u] = self.weights;
        let mut p = vec3::scale(vec3::sub(self.frame.pos(), tip.pos()), w);
        let mut r = if u > 0.0 { tip.rotation_to(&self.frame) } else { [0.0; 3] };
        r = vec3::scale(r, u);
        if let Some(mask) = &self.partial {
            (p, r) = (self.frame.rotate_back(p), self.frame.rotate_back(r));
            for k in 0..3 {
                p[k] *= mask[k];
                r[k] *= mask[k + 3];
            }
        }
        [p[0], p[1], p[2], r[0], r[1], r[2]]
    }

    /// How the residual falls with the motion of one dof, given as a column of the Jacobian.
    #[inline(always)]
    pub(super) fn slope(&self, tip: &Frame, column: &[f64; 6]) -> [f64; 6] {
        let [w, u] = self.weights;
        match &self.partial {
            None => std::array::from_fn(|k| if k < 3 { w * column[k] } else { u * column[k] }),
            Some(mask) => self.partial_slope(tip, column, mask),
        }
    }

    #[cold]
    fn partial_slope(&self, tip: &Frame, column: &[f64; 6], mask: &[f64; 6]) -> [f64; 6] {
        let [w, u] = self.weights;
        let linear = self.frame.rotate_back([column[0], column[1], column[2]]);
        // single components of a rotation vector do not change as the angular velocity does
        let turn = tip.rotation_to(&self.frame);
        let angular = rotation_rate(turn, [column[3], column[4], column[5]]);
        let angular = self.frame.rotate_back(angular);
        std::array::from_fn(|k| mask[k] * if k < 3 { w * linear[k] } else { u * angular[k - 3] })
    }

    /// Distance and angle that are left, without weights.
    pub(super) fn errors(&self, residual: &[f64; 6]) -> [f64; 2] {
        let part = |r: &[f64], w: f64| {
            if w > 0.0 { r.iter().map(|x| x * x).sum::<f64>().sqrt() / w } else { 0.0 }
        };
        [part(&residual[..3], self.weights[0]), part(&residual[3..], self.weights[1])]
    }
}

/// How the rotation vector `e` from a frame to a fixed one falls while the frame turns with `w`: the
/// inverse of the right Jacobian of the rotation group, times `w`.
fn rotation_rate(e: Vec3, w: Vec3) -> Vec3 {
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
    use super::{Target, rotation_rate};
    use crate::Frame;
    use crate::random::Random;
    use sim_core::math::{quat, vec3};

    #[test]
    fn rates_of_rotation_vectors_are_those_of_differences() {
        let mut random = Random::new(5);
        for k in 0..300 {
            let from = random.quat();
            let turn = vec3::scale(vec3::normalize(random.vector()).0, 0.01 * f64::from(k));
            let to = Frame::new([0.0; 3], quat::mul(turned(turn), from));
            let w = random.vector();
            let at = |time: f64| {
                let from = quat::mul(turned(vec3::scale(w, time)), from);
                Frame::new([0.0; 3], from).rotation_to(&to)
            };
            let difference = vec3::scale(vec3::sub(at(-1e-6), at(1e-6)), 0.5e6);
            assert!(vec3::distance(rotation_rate(turn, w), difference) < 1e-7, "{k}");
        }
    }

    fn turned(v: [f64; 3]) -> [f64; 4] {
        let (axis, angle) = vec3::normalize(v);
        quat::from_axis_angle(axis, angle)
    }

    #[test]
    fn targets_that_are_no_numbers_are_refused() {
        let good = Target::pose([0.0; 3], [2.0, 0.0, 0.0, 0.0]);
        assert!(good.prepared(1.0).is_some());
        assert!(Target::position([f64::NAN, 0.0, 0.0]).prepared(1.0).is_none());
        assert!(Target::position([0.0, f64::INFINITY, 0.0]).prepared(1.0).is_none());
        assert!(Target::orientation([0.0; 4]).prepared(1.0).is_none());
        assert!(good.with_weight(0.0).prepared(1.0).is_none());
        assert!(good.with_weight(f64::NAN).prepared(1.0).is_none());
    }
}
