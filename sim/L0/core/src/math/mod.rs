//! Mathematical utilities on plain arrays (MuJoCo's `mju_` functions).
//!
//! Vectors are `[f64; 3]`, quaternions `[w, x, y, z]`, rotation matrices row-major `[f64; 9]`,
//! spatial vectors `[rotation, translation]`.

pub mod band;
pub mod box_qp;
pub mod cholesky;
pub mod eig3;
pub mod inside;
pub mod mat3;
pub mod poly;
pub mod pose;
pub mod pyramid;
pub mod quat;
pub mod quat_derivative;
pub mod random;
pub mod scalar;
pub mod spatial;
pub mod trig;
pub mod vec3;

/// Views a flat array as rows of `N` values.
///
/// ```
/// assert_eq!(sim_core::math::rows::<3>(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0])[1], [3.0, 4.0, 5.0]);
/// ```
#[inline(always)]
#[must_use]
pub fn rows<const N: usize>(flat: &[f64]) -> &[[f64; N]] {
    flat.as_chunks().0
}

/// Views a flat array as mutable rows of `N` values.
#[inline(always)]
pub(crate) fn rows_mut<const N: usize>(flat: &mut [f64]) -> &mut [[f64; N]] {
    flat.as_chunks_mut().0
}

/// Entry `i` of an index array. A negative entry (absent) becomes an index that is out of range of every
/// array.
#[inline(always)]
pub(crate) fn at(ids: &[i32], i: usize) -> usize {
    ids[i] as usize
}

/// Dot product of two slices of equal length.
#[inline]
#[must_use]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Euclidean norm of a slice.
#[inline]
#[must_use]
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Index of the first value for which [`is_bad`] holds.
#[inline]
pub(crate) fn first_bad(values: &[f64]) -> Option<usize> {
    // without an early exit the first loop vectorizes, and bad values are rare
    if values.iter().fold(false, |bad, &x| bad | is_bad(x)) {
        values.iter().position(|&x| is_bad(x))
    } else {
        None
    }
}

/// Whether a value indicates divergence: NaN, or larger than `MAXVAL` in magnitude.
#[doc(alias = "mju_isBad")]
#[inline(always)]
#[must_use]
pub fn is_bad(x: f64) -> bool {
    x.is_nan() || x.abs() > sim_types::MAXVAL
}
