//! Rigid transforms as 3×4 matrices.

use sim_core::math::mat3::Mat3;
use sim_core::math::quat::{self, Quat};
use sim_core::math::vec3::{self, Vec3};

/// A rigid transform: the pose of a frame relative to another, as a rotation matrix with the position
/// as fourth column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Rows of the matrix `[R p]`.
    pub rows: [[f64; 4]; 3],
}

impl Frame {
    /// The identity.
    pub const IDENTITY: Self =
        Self { rows: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] };

    /// A frame with this position and orientation; the quaternion need not be normalized.
    #[must_use]
    pub fn new(pos: Vec3, quat: Quat) -> Self {
        Self::from_mat(pos, &quat::to_mat(quat::normalize(quat)))
    }

    /// A frame with this position and rotation matrix (row-major).
    #[inline(always)]
    #[must_use]
    pub fn from_mat(pos: Vec3, mat: &Mat3) -> Self {
        let row = |r: usize| [mat[3 * r], mat[3 * r + 1], mat[3 * r + 2], pos[r]];
        Self { rows: [row(0), row(1), row(2)] }
    }

    /// Position of the origin.
    #[inline(always)]
    #[must_use]
    pub fn pos(&self) -> Vec3 {
        self.axis(3)
    }

    /// Orientation as a rotation matrix, row-major.
    #[inline(always)]
    #[must_use]
    pub fn mat(&self) -> Mat3 {
        let [a, b, c] = &self.rows;
        [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]]
    }

    /// Orientation as a unit quaternion `[w, x, y, z]`.
    #[must_use]
    pub fn quat(&self) -> Quat {
        quat::normalize(quat::from_mat(&self.mat()))
    }

    /// Axis `k` of the frame; 3 is the origin.
    #[inline(always)]
    #[must_use]
    pub fn axis(&self, k: usize) -> Vec3 {
        [self.rows[0][k], self.rows[1][k], self.rows[2][k]]
    }

    /// The product `self · other`: `other` is given in this frame.
    #[inline(always)]
    #[must_use]
    pub fn then(&self, other: &Self) -> Self {
        let o = &other.rows;
        // the same expression in all four columns, for vectorization
        let row = |a: &[f64; 4]| -> [f64; 4] {
            let pos = [0.0, 0.0, 0.0, a[3]];
            std::array::from_fn(|c| a[0] * o[0][c] + a[1] * o[1][c] + a[2] * o[2][c] + pos[c])
        };
        Self { rows: [row(&self.rows[0]), row(&self.rows[1]), row(&self.rows[2])] }
    }

    /// The inverse transform.
    #[inline(always)]
    #[must_use]
    pub fn inverse(&self) -> Self {
        let p = self.pos();
        let row = |k: usize| {
            let axis = self.axis(k);
            [axis[0], axis[1], axis[2], -vec3::dot(axis, p)]
        };
        Self { rows: [row(0), row(1), row(2)] }
    }

    /// Rotates a vector from this frame to the parent frame.
    #[inline(always)]
    #[must_use]
    pub fn rotate(&self, v: Vec3) -> Vec3 {
        self.rows.map(|r| r[0] * v[0] + r[1] * v[1] + r[2] * v[2])
    }

    /// Rotates a vector from the parent frame to this frame.
    #[inline(always)]
    #[must_use]
    pub fn rotate_back(&self, v: Vec3) -> Vec3 {
        [0, 1, 2].map(|k| vec3::dot(self.axis(k), v))
    }

    /// Transforms a point from this frame to the parent frame.
    #[inline(always)]
    #[must_use]
    pub fn apply(&self, point: Vec3) -> Vec3 {
        vec3::add(self.rotate(point), self.pos())
    }

    /// The rotation vector (axis times angle) from this orientation to that of `target`, in the axes of
    /// the parent frame.
    #[inline(always)]
    #[must_use]
    pub fn rotation_to(&self, target: &Self) -> Vec3 {
        // R = target · selfᵀ has the skew-symmetric part axis · sin and the trace 1 + 2 cos
        let (mut v, mut trace) = ([0.0; 3], 0.0);
        for k in 0..3 {
            let (a, b) = (self.axis(k), target.axis(k));
            v = vec3::add(v, vec3::cross(a, b));
            trace += vec3::dot(a, b);
        }
        let (v, cos) = (vec3::scale(v, 0.5), 0.5 * (trace - 1.0));
        let square = vec3::dot(v, v);
        if square < 1e-3 && cos > 0.0 {
            // series of asin(x) / x
            let s = square;
            let poly = 1.0 / 6.0
                + s * (3.0 / 40.0 + s * (5.0 / 112.0 + s * (35.0 / 1152.0 + s * (63.0 / 2816.0))));
            return vec3::scale(v, 1.0 + s * poly);
        }
        if cos > -0.99 {
            let sin = square.sqrt();
            return vec3::scale(v, sin.atan2(cos) / sin);
        }
        rotation_near_pi(self, target)
    }
}

/// The rotation vector for angles near π, where the skew-symmetric part does not determine the axis
/// accurately.
#[cold]
fn rotation_near_pi(from: &Frame, to: &Frame) -> Vec3 {
    let [a, b] = [from, to].map(Frame::quat);
    quat::to_velocity(quat::mul(b, quat::conjugate(a)), 1.0)
}

#[cfg(test)]
mod tests {
    use super::Frame;
    use crate::rng::Rng;
    use sim_core::math::{quat, vec3};

    #[test]
    fn rotation_vector_is_accurate_from_zero_to_pi() {
        let mut rng = Rng::new(1);
        for k in 0..2000 {
            let q = rng.quat();
            let axis = vec3::normalize(rng.normal_vector()).0;
            let angle = match k % 4 {
                0 => std::f64::consts::PI * rng.unit(),
                1 => 0.05 * rng.unit(),
                2 => std::f64::consts::PI - 0.2 * rng.unit(),
                _ => 1e-8 * rng.unit(),
            };
            let turned = quat::mul(quat::from_axis_angle(axis, angle), q);
            let [from, to] = [q, turned].map(|q| Frame::new([0.0; 3], q));
            let found = from.rotation_to(&to);
            let expected = vec3::scale(axis, angle);
            assert!(vec3::distance(found, expected) < 1e-13, "{angle}: {found:?} {expected:?}");
        }
    }

    #[test]
    fn frame_times_inverse_is_identity() {
        let mut rng = Rng::new(2);
        let frame = Frame::new(rng.normal_vector(), rng.quat());
        let product = frame.then(&frame.inverse());
        for (a, b) in product.rows.iter().flatten().zip(Frame::IDENTITY.rows.iter().flatten()) {
            assert!((a - b).abs() < 1e-15);
        }
        let point = rng.normal_vector();
        assert!(vec3::distance(frame.inverse().apply(frame.apply(point)), point) < 1e-15);
        let other = Frame::new(frame.pos(), frame.quat());
        assert!(vec3::norm(other.rotation_to(&frame)) < 1e-15);
    }
}
