//! Small fixed-size math on plain arrays: what MuJoCo calls `mju_`.
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

/// Views a flat array as rows of `N` numbers.
#[inline(always)]
pub(crate) fn rows<const N: usize>(flat: &[f64]) -> &[[f64; N]] {
    flat.as_chunks().0
}

/// Views a flat array as rows of `N` numbers, for writing.
#[inline(always)]
pub(crate) fn rows_mut<const N: usize>(flat: &mut [f64]) -> &mut [[f64; N]] {
    flat.as_chunks_mut().0
}

/// The `i`-th entry of an index array. Negative entries (absent) become an index past every array.
#[inline(always)]
pub(crate) fn at(ids: &[i32], i: usize) -> usize {
    ids[i] as usize
}

/// Dot product of two equally long slices.
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

/// The index of the first number that marks divergence.
#[inline]
pub(crate) fn first_bad(values: &[f64]) -> Option<usize> {
    // a loop without an early exit runs in vectors, and almost always there is nothing to find
    if values.iter().fold(false, |bad, &x| bad | is_bad(x)) {
        values.iter().position(|&x| is_bad(x))
    } else {
        None
    }
}

/// Whether a number marks divergence: not finite, or huge.
#[doc(alias = "mju_isBad")]
#[inline(always)]
#[must_use]
pub fn is_bad(x: f64) -> bool {
    x.is_nan() || x.abs() > sim_types::MAXVAL
}
