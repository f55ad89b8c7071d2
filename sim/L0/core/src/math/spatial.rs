//! Spatial vectors `[rotation, translation]` and rigid-body inertias (Featherstone 2008), used in the
//! com-based frame: world axes, origin at the centre of mass of the kinematic tree.

use super::mat3::Mat3;
use super::vec3::{self, Vec3};

/// Spatial motion or force vector: three rotational components, then three translational ones.
pub type Vec6 = [f64; 6];

/// Spatial inertia about the frame's origin: `Ixx Iyy Izz Ixy Ixz Iyz`, mass times offset (3), mass.
pub type Inertia = [f64; 10];

/// The rotational components.
#[inline(always)]
#[must_use]
pub fn rotation(v: &Vec6) -> Vec3 {
    [v[0], v[1], v[2]]
}

/// The translational components.
#[inline(always)]
#[must_use]
pub fn translation(v: &Vec6) -> Vec3 {
    [v[3], v[4], v[5]]
}

/// The spatial vector `[rotation, translation]`.
#[inline(always)]
#[must_use]
pub fn join(rotation: Vec3, translation: Vec3) -> Vec6 {
    [rotation[0], rotation[1], rotation[2], translation[0], translation[1], translation[2]]
}

/// `a · b`.
#[inline(always)]
#[must_use]
pub fn dot(a: &Vec6, b: &Vec6) -> f64 {
    // even and odd components are summed separately, which maps to two-lane SIMD
    let even = a[0] * b[0] + a[2] * b[2] + a[4] * b[4];
    let odd = a[1] * b[1] + a[3] * b[3] + a[5] * b[5];
    even + odd
}

/// `a + b`.
#[inline(always)]
#[must_use]
pub fn add(a: &Vec6, b: &Vec6) -> Vec6 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]]
}

/// `a += s b`.
#[inline(always)]
pub fn add_scaled(a: &mut Vec6, b: &Vec6, s: f64) {
    for k in 0..6 {
        a[k] += s * b[k];
    }
}

/// Spatial cross product `vel × v`: time derivative of the motion vector `v` fixed in a frame that moves with
/// velocity `vel`.
#[doc(alias = "mju_crossMotion")]
#[inline(always)]
#[must_use]
pub fn cross_motion(vel: &Vec6, v: &Vec6) -> Vec6 {
    let (w, u) = (rotation(vel), translation(vel));
    let (r, t) = (rotation(v), translation(v));
    join(vec3::cross(w, r), vec3::add(vec3::cross(w, t), vec3::cross(u, r)))
}

/// Dual spatial cross product `vel ×* f`: time derivative of the force vector `f` fixed in a frame that moves
/// with velocity `vel`.
#[doc(alias = "mju_crossForce")]
#[inline(always)]
#[must_use]
pub fn cross_force(vel: &Vec6, f: &Vec6) -> Vec6 {
    let (w, u) = (rotation(vel), translation(vel));
    let (r, t) = (rotation(f), translation(f));
    join(vec3::add(vec3::cross(w, r), vec3::cross(u, t)), vec3::cross(w, t))
}

/// `I v`: spatial momentum of the inertia `i` at velocity `v`.
#[doc(alias = "mju_mulInertVec")]
#[inline(always)]
#[must_use]
pub fn mul_inertia(i: &Inertia, v: &Vec6) -> Vec6 {
    [
        i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
        i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
        i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
        i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
        i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
        i[7] * v[0] - i[6] * v[1] + i[9] * v[5],
    ]
}

/// Spatial inertia about the frame's origin of a body with these principal moments and axes, whose centre of
/// mass is at `offset`.
#[doc(alias = "mju_inertCom")]
#[inline(always)]
#[must_use]
pub fn inertia_about(principal: Vec3, axes: &Mat3, offset: Vec3, mass: f64) -> Inertia {
    let [a, b, c] = principal;
    let r = axes;
    let [x, y, z] = offset;
    // rows of R diag(principal)
    let (p0, p1, p2) = (r[0] * a, r[1] * b, r[2] * c);
    let (q0, q1, q2) = (r[3] * a, r[4] * b, r[5] * c);
    let (s0, s1, s2) = (r[6] * a, r[7] * b, r[8] * c);
    let (mx, my, mz) = (mass * x, mass * y, mass * z);
    [
        p0 * r[0] + p1 * r[1] + p2 * r[2] + my * y + mz * z,
        q0 * r[3] + q1 * r[4] + q2 * r[5] + mx * x + mz * z,
        s0 * r[6] + s1 * r[7] + s2 * r[8] + mx * x + my * y,
        p0 * r[3] + p1 * r[4] + p2 * r[5] - mx * y,
        p0 * r[6] + p1 * r[7] + p2 * r[8] - mx * z,
        q0 * r[6] + q1 * r[7] + q2 * r[8] - my * z,
        mx,
        my,
        mz,
        mass,
    ]
}

/// Spatial axis of a rotation about `axis` through the point at `-offset` from the origin.
#[doc(alias = "mju_dofCom")]
#[inline(always)]
#[must_use]
pub fn rotational_dof(axis: Vec3, offset: Vec3) -> Vec6 {
    join(axis, vec3::cross(axis, offset))
}

/// Moves the reference point of a force vector from `from` to `to`, without rotating the axes.
#[doc(alias = "mju_transformSpatial")]
#[inline(always)]
#[must_use]
pub fn shift_force(f: &Vec6, from: Vec3, to: Vec3) -> Vec6 {
    let arm = vec3::sub(from, to);
    join(vec3::add(rotation(f), vec3::cross(arm, translation(f))), translation(f))
}

/// Moves the reference point of a motion vector from `from` to `to`, without rotating the axes.
#[inline(always)]
#[must_use]
pub fn shift_motion(v: &Vec6, from: Vec3, to: Vec3) -> Vec6 {
    let arm = vec3::sub(to, from);
    join(rotation(v), vec3::add(translation(v), vec3::cross(rotation(v), arm)))
}
