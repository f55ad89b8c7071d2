//! Unit quaternions `[w, x, y, z]`, Hamilton convention, and their rotations.

use super::mat3::{self, Mat3};
use super::trig;
use super::vec3::{self, Vec3};
use sim_types::MINVAL;
use std::f64::consts::PI;

/// A quaternion, scalar part first.
pub type Quat = [f64; 4];

/// The identity rotation.
pub const IDENTITY: Quat = [1.0, 0.0, 0.0, 0.0];

/// Quaternion product `a b`: rotation by `b`, then by `a`.
#[doc(alias = "mju_mulQuat")]
#[inline(always)]
#[must_use]
pub fn mul(a: Quat, b: Quat) -> Quat {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// Conjugate, the inverse of a unit quaternion.
#[doc(alias = "mju_negQuat")]
#[inline(always)]
#[must_use]
pub fn conjugate(q: Quat) -> Quat {
    [q[0], -q[1], -q[2], -q[3]]
}

/// `q` scaled to unit length; the identity if its length is below `MINVAL`.
#[doc(alias = "mju_normalize4")]
#[inline(always)]
#[must_use]
pub fn normalize(q: Quat) -> Quat {
    let square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    let excess = square - 1.0;
    // near unit length, the first-order expansion of 1/√(1+e) is exact to rounding
    let factor = if excess.abs() < 1e-8 {
        1.0 - 0.5 * excess
    } else {
        let length = square.sqrt();
        if length < MINVAL {
            return IDENTITY;
        }
        1.0 / length
    };
    [factor * q[0], factor * q[1], factor * q[2], factor * q[3]]
}

/// Rotates a vector by a unit quaternion.
#[doc(alias = "mju_rotVecQuat")]
#[inline(always)]
#[must_use]
pub fn rotate(q: Quat, v: Vec3) -> Vec3 {
    let axis = [q[1], q[2], q[3]];
    let t = vec3::scale(vec3::cross(axis, v), 2.0);
    vec3::add(vec3::add_scaled(v, t, q[0]), vec3::cross(axis, t))
}

/// Rotation by `angle` about the unit vector `axis`.
#[doc(alias = "mju_axisAngle2Quat")]
#[inline(always)]
#[must_use]
pub fn from_axis_angle(axis: Vec3, angle: f64) -> Quat {
    let (sin, cos) = trig::sin_cos(0.5 * angle);
    [cos, axis[0] * sin, axis[1] * sin, axis[2] * sin]
}

/// Rotation matrix of a unit quaternion.
#[doc(alias = "mju_quat2Mat")]
#[inline(always)]
#[must_use]
pub fn to_mat(q: Quat) -> Mat3 {
    let [w, x, y, z] = q;
    let (ww, xx, yy, zz) = (w * w, x * x, y * y, z * z);
    let (wx, wy, wz) = (w * x, w * y, w * z);
    let (xy, xz, yz) = (x * y, x * z, y * z);
    [
        ww + xx - yy - zz,
        2.0 * (xy - wz),
        2.0 * (xz + wy),
        2.0 * (xy + wz),
        ww - xx + yy - zz,
        2.0 * (yz - wx),
        2.0 * (xz - wy),
        2.0 * (yz + wx),
        ww - xx - yy + zz,
    ]
}

/// Unit quaternion of a rotation matrix, starting from its largest component for accuracy.
#[doc(alias = "mju_mat2Quat")]
#[must_use]
pub fn from_mat(m: &Mat3) -> Quat {
    let trace = m[0] + m[4] + m[8];
    let q = if trace > 0.0 {
        let w = 0.5 * (1.0 + trace).sqrt();
        let f = 0.25 / w;
        [w, f * (m[7] - m[5]), f * (m[2] - m[6]), f * (m[3] - m[1])]
    } else if m[0] > m[4] && m[0] > m[8] {
        let x = 0.5 * (1.0 + m[0] - m[4] - m[8]).sqrt();
        let f = 0.25 / x;
        [f * (m[7] - m[5]), x, f * (m[1] + m[3]), f * (m[2] + m[6])]
    } else if m[4] > m[8] {
        let y = 0.5 * (1.0 - m[0] + m[4] - m[8]).sqrt();
        let f = 0.25 / y;
        [f * (m[2] - m[6]), f * (m[1] + m[3]), y, f * (m[5] + m[7])]
    } else {
        let z = 0.5 * (1.0 - m[0] - m[4] + m[8]).sqrt();
        let f = 0.25 / z;
        [f * (m[3] - m[1]), f * (m[2] + m[6]), f * (m[5] + m[7]), z]
    };
    normalize(q)
}

/// Constant angular velocity that rotates the identity to `q` in the time `dt` (rad/s).
#[doc(alias = "mju_quat2Vel")]
#[inline]
#[must_use]
pub fn to_velocity(q: Quat, dt: f64) -> Vec3 {
    let (axis, sine) = vec3::normalize([q[1], q[2], q[3]]);
    let mut angle = 2.0 * sine.atan2(q[0]);
    if angle > PI {
        angle -= 2.0 * PI;
    }
    vec3::scale(axis, angle / dt)
}

/// Rotation vector `r` in the frame of `b` with `b exp(r) = a` (rad).
#[doc(alias = "mju_subQuat")]
#[inline]
#[must_use]
pub fn subtract(a: Quat, b: Quat) -> Vec3 {
    to_velocity(mul(conjugate(b), a), 1.0)
}

/// `q` rotated with the body-frame angular velocity `velocity` (rad/s) for the time `dt` (s).
#[doc(alias = "mju_quatIntegrate")]
#[inline]
#[must_use]
pub fn integrate(q: Quat, velocity: Vec3, dt: f64) -> Quat {
    let (axis, speed) = vec3::normalize(velocity);
    mul(normalize(q), from_axis_angle(axis, dt * speed))
}

/// The minimal rotation that maps the z axis to `direction`.
#[doc(alias = "mju_quatZ2Vec")]
#[must_use]
pub fn from_z_axis(direction: Vec3) -> Quat {
    let (v, length) = vec3::normalize(direction);
    if length < MINVAL {
        return IDENTITY;
    }
    let (mut axis, sine) = vec3::normalize(vec3::cross([0.0, 0.0, 1.0], v));
    if sine < MINVAL {
        axis = [1.0, 0.0, 0.0];
    }
    from_axis_angle(axis, sine.atan2(v[2]))
}

/// Time derivative of `q` at the world-frame angular velocity `velocity`.
#[doc(alias = "mju_derivQuat")]
#[must_use]
pub fn derivative(q: Quat, velocity: Vec3) -> Quat {
    let [x, y, z] = vec3::scale(velocity, 0.5);
    mul([0.0, x, y, z], q)
}

/// `q (0, axis)`: the product with a pure quaternion.
#[doc(alias = "mju_mulQuatAxis")]
#[must_use]
pub fn mul_axis(q: Quat, axis: Vec3) -> Quat {
    mul(q, [0.0, axis[0], axis[1], axis[2]])
}

/// Rotation given by three Euler angles (rad) about the axes of `sequence`, such as `"xyz"`: lower case is
/// intrinsic (body axes), upper case extrinsic (world axes). `None` for an invalid sequence.
#[doc(alias = "mju_euler2Quat")]
#[must_use]
pub fn from_euler(angles: Vec3, sequence: &str) -> Option<Quat> {
    let letters: [u8; 3] = sequence.as_bytes().try_into().ok()?;
    let mut q = IDENTITY;
    for (letter, angle) in letters.into_iter().zip(angles) {
        let mut axis = [0.0; 3];
        let k = letter.to_ascii_lowercase().checked_sub(b'x')?;
        *axis.get_mut(usize::from(k))? = 1.0;
        let rotation = from_axis_angle(axis, angle);
        q = if letter.is_ascii_lowercase() { mul(q, rotation) } else { mul(rotation, q) };
    }
    Some(q)
}

/// The rotation closest to a matrix, starting from the guess `q`, and the number of iterations (Müller,
/// Bender, Chentanez and Macklin, "A robust method to extract the rotational part of deformations", 2016).
#[doc(alias = "mju_mat2Rot")]
#[must_use]
pub fn nearest_rotation(m: &Mat3, mut q: Quat) -> (Quat, usize) {
    for iteration in 0..500 {
        let r = to_mat(q);
        let (mut cross, mut dot) = ([0.0; 3], 0.0);
        for k in 0..3 {
            let (current, target) = (mat3::column(&r, k), mat3::column(m, k));
            cross = vec3::add(cross, vec3::cross(current, target));
            dot += vec3::dot(current, target);
        }
        let (axis, angle) = vec3::normalize(vec3::scale(cross, 1.0 / (dot.abs() + MINVAL)));
        if angle < 1e-9 {
            return (q, iteration);
        }
        q = normalize(mul(from_axis_angle(axis, angle), q));
    }
    (q, 500)
}
