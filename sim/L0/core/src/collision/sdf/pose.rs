//! Poses and relative transforms, with the same order of operations as MuJoCo.
//!
//! Descent amplifies rounding differences of its starting point to visible ones, so these operations match
//! MuJoCo's bit by bit.

use crate::math::mat3::{self, Mat3};
use crate::math::quat::{self, Quat};
use crate::math::vec3::{self, Vec3};
use sim_types::MINVAL;

/// World pose of a shape.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pose {
    pub pos: Vec3,
    pub quat: Quat,
}

impl Pose {
    pub(super) fn new(pos: Vec3, mat: &Mat3) -> Self {
        Self { pos, quat: from_mat(mat) }
    }
}

/// Rigid transform between the frames of two shapes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Transform {
    pub offset: Vec3,
    pub rotation: Mat3,
}

impl Transform {
    /// Transform from the frame of `from` to that of `to`.
    #[doc(alias = "mapPose")]
    pub(super) fn new(from: &Pose, to: &Pose) -> Self {
        let inverse = quat::conjugate(to.quat);
        let offset = vec3::sub(rotate(inverse, from.pos), rotate(inverse, to.pos));
        Self { offset, rotation: quat::to_mat(normalize(quat::mul(inverse, from.quat))) }
    }

    pub(super) fn apply(&self, point: Vec3) -> Vec3 {
        vec3::add(mat3::mul_vec(&self.rotation, point), self.offset)
    }
}

/// Rotates a vector.
pub(super) fn rotate(q: Quat, v: Vec3) -> Vec3 {
    if q == quat::IDENTITY {
        return v;
    }
    let [w, x, y, z] = q;
    let t = [
        w * v[0] + y * v[2] - z * v[1],
        w * v[1] + z * v[0] - x * v[2],
        w * v[2] + x * v[1] - y * v[0],
    ];
    let c = vec3::cross([x, y, z], t);
    std::array::from_fn(|k| v[k] + 2.0 * c[k])
}

fn normalize(q: Quat) -> Quat {
    let length = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    if length < MINVAL {
        quat::IDENTITY
    } else if (length - 1.0).abs() > MINVAL {
        let inverse = 1.0 / length;
        q.map(|x| x * inverse)
    } else {
        q
    }
}

/// The quaternion of a rotation matrix, from its largest component.
fn from_mat(m: &Mat3) -> Quat {
    let [xx, yy, zz] = [m[0], m[4], m[8]];
    let difference = [m[7] - m[5], m[2] - m[6], m[3] - m[1]];
    let sum = [m[5] + m[7], m[2] + m[6], m[1] + m[3]];
    let share = |entry: f64, largest: f64| 0.25 * entry / largest;
    normalize(if xx + yy + zz > 0.0 {
        let w = 0.5 * (1.0 + xx + yy + zz).sqrt();
        [w, share(difference[0], w), share(difference[1], w), share(difference[2], w)]
    } else if xx > yy && xx > zz {
        let x = 0.5 * (1.0 + xx - yy - zz).sqrt();
        [share(difference[0], x), x, share(sum[2], x), share(sum[1], x)]
    } else if yy > zz {
        let y = 0.5 * (1.0 - xx + yy - zz).sqrt();
        [share(difference[1], y), share(sum[2], y), y, share(sum[0], y)]
    } else {
        let z = 0.5 * (1.0 - xx - yy + zz).sqrt();
        [share(difference[2], z), share(sum[1], z), share(sum[0], z), z]
    })
}
