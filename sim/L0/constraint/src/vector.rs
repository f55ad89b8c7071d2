//! Dense vector operations whose order of summation does not depend on the instruction set.

use sim_simd::dispatch;
use sim_simd::lanes::{FourLanes, Lanes, with_four_lanes};
use std::marker::PhantomData;

/// Total heap memory of some vectors in bytes.
macro_rules! heap_bytes {
    ($($v:expr),+ $(,)?) => { 0 $(+ $crate::vector::bytes(&$v))+ };
}
pub(crate) use heap_bytes;

/// Capacity of a vector in bytes.
pub(crate) fn bytes<T>(v: &Vec<T>) -> usize {
    v.capacity() * size_of::<T>()
}

/// Inner product of long vectors.
pub(crate) fn long_dot(a: &[f64], b: &[f64]) -> f64 {
    struct Product;
    impl Terms<2, 1> for Product {
        #[inline(always)]
        fn terms<V: Lanes>([a, b]: [V; 2]) -> [V; 1] {
            [a * b]
        }
    }
    let [product] = sums::<Product, 2, 1>([a, b]);
    product
}

/// `(a − b)ᵀ (x − y)` of long vectors.
pub(crate) fn long_dot_differences(a: &[f64], b: &[f64], x: &[f64], y: &[f64]) -> f64 {
    struct Product;
    impl Terms<4, 1> for Product {
        #[inline(always)]
        fn terms<V: Lanes>([a, b, x, y]: [V; 4]) -> [V; 1] {
            [(a - b) * (x - y)]
        }
    }
    let [product] = sums::<Product, 4, 1>([a, b, x, y]);
    product
}

/// `N` terms of the entries of `K` vectors, zero where all entries are zero.
pub(crate) trait Terms<const K: usize, const N: usize> {
    /// Terms of four entries. Implementations must be marked `#[inline(always)]`.
    fn terms<V: Lanes>(x: [V; K]) -> [V; N];
}

/// Sums of terms over the entries of long vectors in one pass.
///
/// # Panics
/// If a vector is shorter than the first.
pub(crate) fn sums<T: Terms<K, N>, const K: usize, const N: usize>(
    vectors: [&[f64]; K],
) -> [f64; N] {
    struct Pass<'a, T, const K: usize, const N: usize>([&'a [f64]; K], PhantomData<T>);
    impl<T: Terms<K, N>, const K: usize, const N: usize> FourLanes for Pass<'_, T, K, N> {
        type Output = [f64; N];
        #[inline(always)]
        fn run<V: Lanes>(self) -> [f64; N] {
            let mut total = [LongSum::<V>::default(); N];
            let n = self.0[0].len();
            let vectors = self.0.map(|x| x[..n].as_chunks::<8>());
            // no closures: only functions that are marked are inlined with the target features
            for chunk in 0..n / 8 {
                let mut low = [V::zero(); K];
                let mut high = low;
                for k in 0..K {
                    let (x, y) = vectors[k].0[chunk].split_at(4);
                    (low[k], high[k]) = (V::load(x), V::load(y));
                }
                add_terms::<V, T, K, N>(&mut total, low, high);
            }
            if !n.is_multiple_of(8) {
                let mut low = [V::zero(); K];
                let mut high = low;
                for k in 0..K {
                    let rest = vectors[k].1;
                    let (x, y) = rest.split_at(rest.len().min(4));
                    (low[k], high[k]) = (V::load_padded(x), V::load_padded(y));
                }
                add_terms::<V, T, K, N>(&mut total, low, high);
            }
            let mut sums = [0.0; N];
            for k in 0..N {
                sums[k] = total[k].sum();
            }
            sums
        }
    }
    with_four_lanes(Pass::<T, K, N>(vectors, PhantomData))
}

/// Adds the terms of eight entries.
#[inline(always)]
fn add_terms<V: Lanes, T: Terms<K, N>, const K: usize, const N: usize>(
    total: &mut [LongSum<V>; N],
    low: [V; K],
    high: [V; K],
) {
    let (low, high) = (T::terms(low), T::terms(high));
    for k in 0..N {
        total[k].add(low[k], high[k]);
    }
}

/// Sum over a long vector in eight lanes, so that the latency of an addition does not limit the speed.
#[derive(Clone, Copy)]
pub(crate) struct LongSum<V>(V, V);

impl<V: Lanes> Default for LongSum<V> {
    #[inline(always)]
    fn default() -> Self {
        Self(V::zero(), V::zero())
    }
}

impl<V: Lanes> LongSum<V> {
    /// Adds eight terms.
    #[inline(always)]
    pub(crate) fn add(&mut self, low: V, high: V) {
        self.0 += low;
        self.1 += high;
    }

    #[inline(always)]
    pub(crate) fn sum(self) -> f64 {
        sum_lanes(self.0 + self.1)
    }
}

/// The sum of four lanes, in the order of [`sum4`].
#[inline(always)]
pub(crate) fn sum_lanes<V: Lanes>(x: V) -> f64 {
    (x.get(0) + x.get(2)) + (x.get(1) + x.get(3))
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

/// Copies numbers into vectors of four, the last one padded with zeros.
#[inline(always)]
pub(crate) fn copy_padded(values: &[f64], vectors: &mut [F64x4]) {
    let (chunks, rest) = values.as_chunks::<4>();
    for (vector, chunk) in vectors.iter_mut().zip(chunks) {
        *vector = *chunk;
    }
    if !rest.is_empty() {
        vectors[chunks.len()] = pad(rest);
    }
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
