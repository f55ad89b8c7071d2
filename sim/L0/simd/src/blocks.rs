//! Products with sparse matrices that consist of blocks of one row and four columns.
//!
//! The vector versions perform the operations of the portable ones in the same order.

/// Four consecutive numbers, aligned so that a vector instruction does not access two cache lines.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(C, align(32))]
pub struct Block(pub [f64; 4]);

/// `out[i] = direction[i] · (x[b] − x[a])` with `[a, b] = ends[i]`: rows of two opposite blocks.
///
/// # Panics
/// If `direction` and `ends` are shorter than `out`, or an index is out of range.
///
/// ```
/// use sim_simd::Block;
/// let x = [Block::default(), Block([1.0, 2.0, 3.0, 0.0])];
/// let mut out = [0.0];
/// sim_simd::mul_differences(&[Block([1.0, 10.0, 100.0, 0.0])], &[[0, 1]], &x, &mut out);
/// assert_eq!(out, [321.0]);
/// ```
pub fn mul_differences(direction: &[Block], ends: &[[u32; 2]], x: &[Block], out: &mut [f64]) {
    let (direction, ends) = (&direction[..out.len()], &ends[..out.len()]);
    #[cfg(target_arch = "x86_64")]
    if crate::has_avx2() {
        // SAFETY: the CPU supports the target features of the function.
        return unsafe { avx::mul_differences(direction, ends, x, out) };
    }
    scalar::mul_differences(direction, ends, x, out);
}

/// `out[4 i + lane]` is the sum of `value[k][lane] · x[group[k][lane]]` over the entries `k` from `start[i]` to
/// `start[i + 1]`: rows in slices of four.
///
/// # Panics
/// If `start` does not have one entry more than there are slices, or an index is out of range.
///
/// ```
/// use sim_simd::Block;
/// let (x, value) = ([Block([1.0, 2.0, 3.0, 0.0])], [[Block([1.0, 10.0, 100.0, 0.0]); 4]]);
/// let mut out = [0.0; 2];
/// sim_simd::mul_row_slices(&[0, 1], &[[0; 4]], &value, &x, &mut out);
/// assert_eq!(out, [321.0, 321.0]);
/// ```
pub fn mul_row_slices(
    start: &[u32],
    group: &[[u32; 4]],
    value: &[[Block; 4]],
    x: &[Block],
    out: &mut [f64],
) {
    assert!(start.len() == out.len().div_ceil(4) + 1, "a start per slice, and the end");
    #[cfg(target_arch = "x86_64")]
    if crate::has_avx2() {
        // SAFETY: the CPU supports the target features of the function.
        return unsafe { avx::mul_row_slices(start, group, value, x, out) };
    }
    scalar::mul_row_slices(start, group, value, x, out);
}

/// `out[i][lane]` is the sum of `f[row[k][lane]] value[k][lane]` over the entries `k` from `start[i]` to
/// `start[i + 1]`: the transposed product in slices of four column groups, in which the four sums are
/// independent of each other.
///
/// # Panics
/// If `start` does not have one entry more than `out`, or an index is out of range.
///
/// ```
/// use sim_simd::Block;
/// let value = [[Block([1.0, 2.0, 3.0, 0.0]); 4]];
/// let mut out = [[Block::default(); 4]];
/// sim_simd::mul_column_slices(&[0, 1], &[[0, 0, 1, 1]], &value, &[1.0, 10.0], &mut out);
/// assert_eq!(out[0][3], Block([10.0, 20.0, 30.0, 0.0]));
/// ```
pub fn mul_column_slices(
    start: &[u32],
    row: &[[u32; 4]],
    value: &[[Block; 4]],
    f: &[f64],
    out: &mut [[Block; 4]],
) {
    assert!(start.len() == out.len() + 1, "a start per slice, and the end");
    #[cfg(target_arch = "x86_64")]
    if crate::has_avx2() {
        // SAFETY: the CPU supports the target features of the function.
        return unsafe { avx::mul_column_slices(start, row, value, f, out) };
    }
    scalar::mul_column_slices(start, row, value, f, out);
}

mod scalar {
    use super::Block;

    /// The sum of the entries of `x`, in the order of a reduction of vectors.
    fn sum(x: [f64; 4]) -> f64 {
        (x[0] + x[2]) + (x[1] + x[3])
    }

    pub(super) fn mul_differences(
        direction: &[Block],
        ends: &[[u32; 2]],
        x: &[Block],
        out: &mut [f64],
    ) {
        for ((out, n), &[a, b]) in out.iter_mut().zip(direction).zip(ends) {
            let (a, b) = (x[a as usize].0, x[b as usize].0);
            *out = sum([0, 1, 2, 3].map(|lane| n.0[lane] * (b[lane] - a[lane])));
        }
    }

    pub(super) fn mul_row_slices(
        start: &[u32],
        group: &[[u32; 4]],
        value: &[[Block; 4]],
        x: &[Block],
        out: &mut [f64],
    ) {
        for (out, range) in out.chunks_mut(4).zip(start.windows(2)) {
            let range = range[0] as usize..range[1] as usize;
            for (k, out) in out.iter_mut().enumerate() {
                let mut total = [0.0; 4];
                for (group, value) in group[range.clone()].iter().zip(&value[range.clone()]) {
                    let (x, value) = (x[group[k] as usize].0, value[k].0);
                    total = [0, 1, 2, 3].map(|lane| total[lane] + value[lane] * x[lane]);
                }
                *out = sum(total);
            }
        }
    }

    pub(super) fn mul_column_slices(
        start: &[u32],
        row: &[[u32; 4]],
        value: &[[Block; 4]],
        f: &[f64],
        out: &mut [[Block; 4]],
    ) {
        for (out, range) in out.iter_mut().zip(start.windows(2)) {
            let range = range[0] as usize..range[1] as usize;
            let mut total = [[0.0; 4]; 4];
            for (row, value) in row[range.clone()].iter().zip(&value[range]) {
                for k in 0..4 {
                    let f = f[row[k] as usize];
                    let value = value[k].0;
                    total[k] = [0, 1, 2, 3].map(|lane| total[k][lane] + value[lane] * f);
                }
            }
            *out = total.map(Block);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::Block;
    use std::arch::x86_64::{
        __m256d, _mm_add_pd, _mm_add_sd, _mm_cvtsd_f64, _mm_unpackhi_pd, _mm256_add_pd,
        _mm256_castpd256_pd128, _mm256_extractf128_pd, _mm256_hadd_pd, _mm256_load_pd,
        _mm256_mul_pd, _mm256_permute2f128_pd, _mm256_set1_pd, _mm256_setzero_pd, _mm256_store_pd,
        _mm256_storeu_pd, _mm256_sub_pd,
    };

    #[target_feature(enable = "avx2")]
    fn load(x: &Block) -> __m256d {
        // SAFETY: the type has the size and the alignment of the vector.
        unsafe { _mm256_load_pd(x.0.as_ptr()) }
    }

    #[target_feature(enable = "avx2")]
    fn mul_add(sum: __m256d, a: __m256d, b: __m256d) -> __m256d {
        _mm256_add_pd(sum, _mm256_mul_pd(a, b))
    }

    /// The sum of the entries.
    #[target_feature(enable = "avx2")]
    fn sum(x: __m256d) -> f64 {
        let halves = _mm_add_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd::<1>(x));
        _mm_cvtsd_f64(_mm_add_sd(halves, _mm_unpackhi_pd(halves, halves)))
    }

    /// The sums of the lower and upper halves of two vectors.
    #[target_feature(enable = "avx2")]
    fn add_halves(x: __m256d, y: __m256d) -> __m256d {
        let low = _mm256_permute2f128_pd::<0x20>(x, y);
        _mm256_add_pd(low, _mm256_permute2f128_pd::<0x31>(x, y))
    }

    /// Panics if one of the indices is not below `end`. One comparison after a vectorised maximum: a comparison of
    /// each index would be a third of the instructions of a product.
    #[target_feature(enable = "avx2")]
    fn check(indices: &[u32], end: usize) {
        let last = indices.iter().fold(0, |last, &index| last.max(index));
        assert!(indices.is_empty() || (last as usize) < end, "index {last} out of range for {end}");
    }

    /// The sums of the entries of four vectors.
    #[target_feature(enable = "avx2")]
    fn sums(x: &[__m256d; 4]) -> __m256d {
        _mm256_hadd_pd(add_halves(x[0], x[2]), add_halves(x[1], x[3]))
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn mul_differences(
        direction: &[Block],
        ends: &[[u32; 2]],
        x: &[Block],
        out: &mut [f64],
    ) {
        check(ends.as_flattened(), x.len());
        // SAFETY: all indices were checked.
        let at = |k: u32| load(unsafe { x.get_unchecked(k as usize) });
        let product =
            |n: &Block, &[a, b]: &[u32; 2]| _mm256_mul_pd(load(n), _mm256_sub_pd(at(b), at(a)));
        let (directions, direction) = direction.as_chunks::<4>();
        let (pairs, pair) = ends.as_chunks::<4>();
        let (outs, out) = out.as_chunks_mut::<4>();
        for ((out, n), ends) in outs.iter_mut().zip(directions).zip(pairs) {
            let products = [0, 1, 2, 3].map(|k| product(&n[k], &ends[k]));
            // SAFETY: the array has the size of the vector.
            unsafe { _mm256_storeu_pd(out.as_mut_ptr(), sums(&products)) };
        }
        for ((out, n), ends) in out.iter_mut().zip(direction).zip(pair) {
            *out = sum(product(n, ends));
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn mul_row_slices(
        start: &[u32],
        group: &[[u32; 4]],
        value: &[[Block; 4]],
        x: &[Block],
        out: &mut [f64],
    ) {
        check(group.as_flattened(), x.len());
        for (out, range) in out.chunks_mut(4).zip(start.windows(2)) {
            let range = range[0] as usize..range[1] as usize;
            let mut total = [_mm256_setzero_pd(); 4];
            for (group, value) in group[range.clone()].iter().zip(&value[range]) {
                for k in 0..4 {
                    // SAFETY: all indices were checked.
                    let x = unsafe { x.get_unchecked(group[k] as usize) };
                    total[k] = mul_add(total[k], load(&value[k]), load(x));
                }
            }
            if let Some(out) = out.first_chunk_mut::<4>() {
                // SAFETY: the array has the size of the vector.
                unsafe { _mm256_storeu_pd(out.as_mut_ptr(), sums(&total)) };
                continue;
            }
            let mut product = Block::default();
            // SAFETY: the type has the size and the alignment of the vector.
            unsafe { _mm256_store_pd(product.0.as_mut_ptr(), sums(&total)) };
            for (out, product) in out.iter_mut().zip(product.0) {
                *out = product;
            }
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn mul_column_slices(
        start: &[u32],
        row: &[[u32; 4]],
        value: &[[Block; 4]],
        f: &[f64],
        out: &mut [[Block; 4]],
    ) {
        check(row.as_flattened(), f.len());
        for (out, range) in out.iter_mut().zip(start.windows(2)) {
            let range = range[0] as usize..range[1] as usize;
            let mut total = [_mm256_setzero_pd(); 4];
            for (row, value) in row[range.clone()].iter().zip(&value[range]) {
                for k in 0..4 {
                    // SAFETY: all indices were checked.
                    let f = _mm256_set1_pd(*unsafe { f.get_unchecked(row[k] as usize) });
                    total[k] = mul_add(total[k], load(&value[k]), f);
                }
            }
            for (out, total) in out.iter_mut().zip(total) {
                // SAFETY: the type has the size and the alignment of the vector.
                unsafe { _mm256_store_pd(out.0.as_mut_ptr(), total) };
            }
        }
    }
}

#[cfg(test)]
mod tests;
