//! Sums and products of dense vectors, in an order that does not depend on the processor.

/// Inner product, summed in four lanes.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, a_rest) = a[..n].as_chunks::<4>();
    let (b, b_rest) = b[..n].as_chunks::<4>();
    let mut sum = [0.0; 4];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..4 {
            sum[lane] += a[lane] * b[lane];
        }
    }
    for (lane, (a, b)) in a_rest.iter().zip(b_rest).enumerate() {
        sum[lane & 3] += a * b;
    }
    (sum[0] + sum[2]) + (sum[1] + sum[3])
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

/// Gives the vector this length; keeps its memory.
pub(crate) fn fit<T: Copy + Default>(v: &mut Vec<T>, len: usize) {
    v.resize(len, T::default());
}
