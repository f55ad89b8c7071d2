//! Dense vector operations whose order of summation does not depend on the instruction set.

use sim_simd::dispatch;

/// Total heap memory of some vectors in bytes.
macro_rules! heap_bytes {
    ($($v:expr),+ $(,)?) => { 0 $(+ $crate::vector::bytes(&$v))+ };
}
pub(crate) use heap_bytes;

/// Capacity of a vector in bytes.
pub(crate) fn bytes<T>(v: &Vec<T>) -> usize {
    v.capacity() * size_of::<T>()
}

/// [`dot`] of long vectors.
pub(crate) fn long_dot(a: &[f64], b: &[f64]) -> f64 {
    dispatch!(dot(a: &[f64], b: &[f64]) -> f64)
}

/// [`dot_differences`] of long vectors.
pub(crate) fn long_dot_differences(a: &[f64], b: &[f64], x: &[f64], y: &[f64]) -> f64 {
    dispatch!(dot_differences(a: &[f64], b: &[f64], x: &[f64], y: &[f64]) -> f64)
}

/// Inner product, summed in four lanes.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, a_rest) = a[..n].as_chunks::<4>();
    let (b, b_rest) = b[..n].as_chunks::<4>();
    let mut sum = [0.0; 4];
    for (a, b) in a.iter().zip(b) {
        sum = mul_add4(sum, *a, *b);
    }
    for (lane, (a, b)) in a_rest.iter().zip(b_rest).enumerate() {
        sum[lane & 3] += a * b;
    }
    sum4(sum)
}

/// `(a − b)ᵀ (x − y)`, summed in four lanes.
#[inline(always)]
fn dot_differences(a: &[f64], b: &[f64], x: &[f64], y: &[f64]) -> f64 {
    let n = a.len();
    let (a, a_rest) = a.as_chunks::<4>();
    let (b, b_rest) = b[..n].as_chunks::<4>();
    let (x, x_rest) = x[..n].as_chunks::<4>();
    let (y, y_rest) = y[..n].as_chunks::<4>();
    let mut sum = [0.0; 4];
    for k in 0..a.len() {
        for lane in 0..4 {
            sum[lane] += (a[k][lane] - b[k][lane]) * (x[k][lane] - y[k][lane]);
        }
    }
    for lane in 0..a_rest.len() {
        sum[lane & 3] += (a_rest[lane] - b_rest[lane]) * (x_rest[lane] - y_rest[lane]);
    }
    sum4(sum)
}

/// `aᵀ (x − y)`, summed in four lanes.
pub(crate) fn dot_difference(a: &[f64], x: &[f64], y: &[f64]) -> f64 {
    dispatch!(dot_difference_lanes(a: &[f64], x: &[f64], y: &[f64]) -> f64)
}

#[inline(always)]
fn dot_difference_lanes(a: &[f64], x: &[f64], y: &[f64]) -> f64 {
    let n = a.len();
    let (a, a_rest) = a.as_chunks::<4>();
    let (x, x_rest) = x[..n].as_chunks::<4>();
    let (y, y_rest) = y[..n].as_chunks::<4>();
    let mut sum = [0.0; 4];
    for k in 0..a.len() {
        for lane in 0..4 {
            sum[lane] += a[k][lane] * (x[k][lane] - y[k][lane]);
        }
    }
    for lane in 0..a_rest.len() {
        sum[lane & 3] += a_rest[lane] * (x_rest[lane] - y_rest[lane]);
    }
    sum4(sum)
}

/// Euclidean norm.
#[inline(always)]
pub(crate) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// `y += a x`.
pub(crate) fn add_scaled(y: &mut [f64], x: &[f64], a: f64) {
    dispatch!(add_scaled_lanes(y: &mut [f64], x: &[f64], a: f64));
}

#[inline(always)]
fn add_scaled_lanes(y: &mut [f64], x: &[f64], a: f64) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

/// Vector of four numbers. Passed by value, so that the compiler can rule out aliasing and emit one
/// SIMD instruction per operation.
pub(crate) type F64x4 = [f64; 4];

/// `y + a x`.
#[inline(always)]
pub(crate) fn axpy4(y: F64x4, x: F64x4, a: f64) -> F64x4 {
    [y[0] + a * x[0], y[1] + a * x[1], y[2] + a * x[2], y[3] + a * x[3]]
}

/// `x z`, entry by entry.
#[inline(always)]
pub(crate) fn mul4(x: F64x4, z: F64x4) -> F64x4 {
    [x[0] * z[0], x[1] * z[1], x[2] * z[2], x[3] * z[3]]
}

/// Up to four numbers, padded with zeros.
#[inline(always)]
pub(crate) fn pad(x: &[f64]) -> F64x4 {
    match *x {
        [a] => [a, 0.0, 0.0, 0.0],
        [a, b] => [a, b, 0.0, 0.0],
        [a, b, c] => [a, b, c, 0.0],
        [a, b, c, d] => [a, b, c, d],
        _ => [0.0; 4],
    }
}

/// `y + x z`, entry by entry.
#[inline(always)]
pub(crate) fn mul_add4(y: F64x4, x: F64x4, z: F64x4) -> F64x4 {
    [y[0] + x[0] * z[0], y[1] + x[1] * z[1], y[2] + x[2] * z[2], y[3] + x[3] * z[3]]
}

/// The sum of the entries.
#[inline(always)]
pub(crate) fn sum4(x: F64x4) -> f64 {
    (x[0] + x[2]) + (x[1] + x[3])
}

/// Resizes a vector without releasing memory; existing entries keep their values.
pub(crate) fn resize_to<T: Copy + Default>(v: &mut Vec<T>, len: usize) {
    v.resize(len, T::default());
}
