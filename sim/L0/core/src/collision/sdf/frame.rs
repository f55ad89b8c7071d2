//! Frames of shapes and maps between them, rounded exactly as in the reference engine.
//!
//! A descent can magnify the last bit of where it starts to something that one sees, so that these
//! few operations keep to the reference engine's order.

use crate::math::mat3::{self, Mat3};
use crate::math::quat::{self, Quat};
use crate::math::vec3::{self, Vec3};
use sim_types::MINVAL;

/// The frame of a placed shape.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub pos: Vec3,
    pub quat: Quat,
}

impl Frame {
    pub(super) fn new(pos: Vec3, mat: &Mat3) -> Self {
        Self { pos, quat: from_mat(mat) }
    }
}

/// A map between the frames of two shapes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Map {
    pub offset: Vec3,
    pub turn: Mat3,
}

impl Map {
    /// From the frame of `from` to that of `to`.
    #[doc(alias = "mapPose")]
    pub(super) fn new(from: &Frame, to: &Frame) -> Self {
        let back = quat::conjugate(to.quat);
        let offset = vec3::sub(rotate(back, from.pos), rotate(back, to.pos));
        Self { offset, turn: quat::to_mat(normalize(quat::mul(back, from.quat))) }
    }

    pub(super) fn apply(&self, point: Vec3) -> Vec3 {
        vec3::add(mat3::mul_vec(&self.turn, point), self.offset)
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
    let turn = [m[7] - m[5], m[2] - m[6], m[3] - m[1]];
    let mix = [m[5] + m[7], m[2] + m[6], m[1] + m[3]];
    let share = |part: f64, largest: f64| 0.25 * part / largest;
    normalize(if xx + yy + zz > 0.0 {
        let w = 0.5 * (1.0 + xx + yy + zz).sqrt();
        [w, share(turn[0], w), share(turn[1], w), share(turn[2], w)]
    } else if xx > yy && xx > zz {
        let x = 0.5 * (1.0 + xx - yy - zz).sqrt();
        [share(turn[0], x), x, share(mix[2], x), share(mix[1], x)]
    } else if yy > zz {
        let y = 0.5 * (1.0 - xx + yy - zz).sqrt();
        [share(turn[1], y), share(mix[2], y), y, share(mix[0], y)]
    } else {
        let z = 0.5 * (1.0 - xx - yy + zz).sqrt();
        [share(turn[2], z), share(mix[1], z), share(mix[0], z), z]
    })
}
