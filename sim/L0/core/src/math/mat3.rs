//! 3 × 3 matrices, row-major.

use super::vec3::Vec3;

/// A row-major 3 × 3 matrix.
pub type Mat3 = [f64; 9];

/// The identity matrix.
pub const IDENTITY: Mat3 = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

/// `A v`.
#[doc(alias = "mju_mulMatVec3")]
#[inline(always)]
#[must_use]
pub fn mul_vec(a: &Mat3, v: Vec3) -> Vec3 {
    [
        a[0] * v[0] + a[1] * v[1] + a[2] * v[2],
        a[3] * v[0] + a[4] * v[1] + a[5] * v[2],
        a[6] * v[0] + a[7] * v[1] + a[8] * v[2],
    ]
}

/// `Aᵀ v`.
#[doc(alias = "mju_mulMatTVec3")]
#[inline(always)]
#[must_use]
pub fn mul_transpose_vec(a: &Mat3, v: Vec3) -> Vec3 {
    [
        a[0] * v[0] + a[3] * v[1] + a[6] * v[2],
        a[1] * v[0] + a[4] * v[1] + a[7] * v[2],
        a[2] * v[0] + a[5] * v[1] + a[8] * v[2],
    ]
}

/// `A B`.
#[inline(always)]
#[must_use]
pub fn mul(a: &Mat3, b: &Mat3) -> Mat3 {
    let mut c = [0.0; 9];
    for row in 0..3 {
        for col in 0..3 {
            c[3 * row + col] =
                a[3 * row] * b[col] + a[3 * row + 1] * b[3 + col] + a[3 * row + 2] * b[6 + col];
        }
    }
    c
}

/// `Aᵀ`.
#[inline(always)]
#[must_use]
pub fn transpose(a: &Mat3) -> Mat3 {
    [a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]]
}

/// Column `k` of `A`.
#[inline(always)]
#[must_use]
pub fn column(a: &Mat3, k: usize) -> Vec3 {
    [a[k], a[k + 3], a[k + 6]]
}
