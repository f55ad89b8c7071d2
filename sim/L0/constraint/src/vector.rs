//! Sums and products of dense vectors, in an order that does not depend on the processor.

/// Bytes that vectors hold.
macro_rules! held {
    ($($v:expr),+ $(,)?) => { 0 $(+ $crate::vector::bytes(&$v))+ };
}
pub(crate) use held;

/// Bytes that a vector holds, in use or not.
pub(crate) fn bytes<T>(v: &Vec<T>) -> usize {
    v.capacity() * size_of::<T>()
}

/// Inner product, summed in four lanes.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, a_rest) = a[..n].as_chunks::<4>();
    let (b, b_rest) = b[..n].as_chunks::<4>();
    let mut sum = [0.0; 4];
    for (a, b) in a.iter().zip(b) {
        sum = lane_product(sum, *a, *b);
    }
    for (lane, (a, b)) in a_rest.iter().zip(b_rest).enumerate() {
        sum[lane & 3] += a * b;
    }
    lane_sum(sum)
}

/// Euclidean length.
#[inline(always)]
pub(crate) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// `y += a x`.
#[inline(always)]
pub(crate) fn add_scaled(y: &mut [f64], x: &[f64], a: f64) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

/// Four numbers that are worked on at once. By value: a compiler that need not ask what overlaps
/// makes one instruction of each operation.
pub(crate) type Lane = [f64; 4];

/// `y + a x`.
#[inline(always)]
pub(crate) fn lane_scaled(y: Lane, x: Lane, a: f64) -> Lane {
    [y[0] + a * x[0], y[1] + a * x[1], y[2] + a * x[2], y[3] + a * x[3]]
}

/// `y + x z`, entry by entry.
#[inline(always)]
pub(crate) fn lane_product(y: Lane, x: Lane, z: Lane) -> Lane {
    [y[0] + x[0] * z[0], y[1] + x[1] * z[1], y[2] + x[2] * z[2], y[3] + x[3] * z[3]]
}

/// The sum of the entries.
#[inline(always)]
pub(crate) fn lane_sum(x: Lane) -> f64 {
    (x[0] + x[2]) + (x[1] + x[3])
}

/// Gives the vector this length; keeps its memory.
pub(crate) fn fit<T: Copy + Default>(v: &mut Vec<T>, len: usize) {
    v.resize(len, T::default());
}
