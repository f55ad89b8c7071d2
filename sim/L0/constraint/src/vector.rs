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

/// Number of partial sums of long vectors.
const LANES: usize = 8;

/// Inner product of long vectors.
pub(crate) fn long_dot(a: &[f64], b: &[f64]) -> f64 {
    #[inline(always)]
    fn lanes(a: &[f64], b: &[f64]) -> f64 {
        let [product] = sums([a, b], |[a, b]| [a * b]);
        product
    }
    dispatch!(lanes(a: &[f64], b: &[f64]) -> f64)
}

/// `(a − b)ᵀ (x − y)` of long vectors.
pub(crate) fn long_dot_differences(a: &[f64], b: &[f64], x: &[f64], y: &[f64]) -> f64 {
    #[inline(always)]
    fn lanes(a: &[f64], b: &[f64], x: &[f64], y: &[f64]) -> f64 {
        let [product] = sums([a, b, x, y], |[a, b, x, y]| [(a - b) * (x - y)]);
        product
    }
    dispatch!(lanes(a: &[f64], b: &[f64], x: &[f64], y: &[f64]) -> f64)
}

/// Sums of `N` terms over the entries of `K` long vectors in one pass. Each is summed in eight lanes, so that
/// the latency of an addition does not limit the speed.
///
/// # Panics
/// If a vector is shorter than the first.
#[inline(always)]
pub(crate) fn sums<const K: usize, const N: usize>(
    vectors: [&[f64]; K],
    term: impl Fn([f64; K]) -> [f64; N],
) -> [f64; N] {
    let n = vectors[0].len();
    let vectors = vectors.map(|x| x[..n].as_chunks::<LANES>());
    let mut total = [[0.0; LANES]; N];
    for chunk in 0..n / LANES {
        let x = vectors.map(|x| x.0[chunk]);
        for lane in 0..LANES {
            let terms = term(x.map(|x| x[lane]));
            for k in 0..N {
                total[k][lane] += terms[k];
            }
        }
    }
    for lane in 0..n % LANES {
        let terms = term(vectors.map(|x| x.1[lane]));
        for k in 0..N {
            total[k][lane] += terms[k];
        }
    }
    std::array::from_fn(|k| sum_lanes(&total[k]))
}

/// The sum of all lanes. Not inlined: otherwise the compiler arranges the lanes for this sum and permutes them in
/// the loop.
#[inline(never)]
fn sum_lanes(x: &[f64; LANES]) -> f64 {
    sum4([x[0] + x[4], x[1] + x[5], x[2] + x[6], x[3] + x[7]])
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

/// Whether two lists of columns are equal. They are short, so that a library call would dominate.
#[inline(always)]
pub(crate) fn same_columns(a: &[i32], b: &[i32]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let (a, a_rest) = a.as_chunks::<4>();
    let (b, b_rest) = b.as_chunks::<4>();
    let differ = |sum: i32, (x, y): (&i32, &i32)| sum | (x ^ y);
    let mut sum = [0; 4];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..4 {
            sum[lane] |= a[lane] ^ b[lane];
        }
    }
    (a_rest.iter().zip(b_rest).fold(0, differ) | sum[0] | sum[1] | sum[2] | sum[3]) == 0
}

/// Resizes a vector without releasing memory; existing entries keep their values.
pub(crate) fn resize_to<T: Copy + Default>(v: &mut Vec<T>, len: usize) {
    v.resize(len, T::default());
}
