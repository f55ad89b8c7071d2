//! Sums of the entries of several vectors at once.

/// The sums of the entries of six vectors, and two zeros. Neighbours are added first, then the sums of neighbours, then
/// the two halves.
///
/// ```
/// let x = std::array::from_fn(|k| [k as f32; 8]);
/// assert_eq!(sim_simd::sum_six(&x), [0.0, 8.0, 16.0, 24.0, 32.0, 40.0, 0.0, 0.0]);
/// ```
#[inline(always)]
#[must_use]
pub fn sum_six(x: &[[f32; 8]; 6]) -> [f32; 8] {
    #[cfg(target_arch = "x86_64")]
    if crate::has_avx2() {
        // SAFETY: the CPU supports AVX2.
        return unsafe { avx2(x) };
    }
    scalar(x)
}

/// Not inlined: otherwise the compiler arranges the entries for these sums where they are computed.
#[inline(never)]
fn scalar(x: &[[f32; 8]; 6]) -> [f32; 8] {
    let sum = |x: &[f32; 8]| ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
    std::array::from_fn(|k| x.get(k).map_or(0.0, sum))
}

/// Horizontal additions, which work on the halves of a vector separately, then the sum of both halves.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn avx2(x: &[[f32; 8]; 6]) -> [f32; 8] {
    use std::arch::x86_64::{
        __m256, _mm256_add_ps, _mm256_hadd_ps, _mm256_loadu_ps, _mm256_permute2f128_ps,
        _mm256_setzero_ps, _mm256_storeu_ps,
    };
    // SAFETY: the pointer is to eight numbers.
    let load = |k: usize| -> __m256 { unsafe { _mm256_loadu_ps(x[k].as_ptr()) } };
    let pairs = [0, 2, 4].map(|k| _mm256_hadd_ps(load(k), load(k + 1)));
    let first = _mm256_hadd_ps(pairs[0], pairs[1]);
    let last = _mm256_hadd_ps(pairs[2], _mm256_setzero_ps());
    let low = _mm256_permute2f128_ps::<0x20>(first, last);
    let high = _mm256_permute2f128_ps::<0x31>(first, last);
    let mut sums = [0.0; 8];
    // SAFETY: the pointer is to eight numbers.
    unsafe { _mm256_storeu_ps(sums.as_mut_ptr(), _mm256_add_ps(low, high)) };
    sums
}

/// The sums of the entries of four vectors. Neighbours are added first, then the two halves.
///
/// ```
/// let x = std::array::from_fn(|k| [k as f64; 4]);
/// assert_eq!(sim_simd::sum_four(&x), [0.0, 4.0, 8.0, 12.0]);
/// ```
#[inline(always)]
#[must_use]
pub fn sum_four(x: &[[f64; 4]; 4]) -> [f64; 4] {
    #[cfg(target_arch = "x86_64")]
    if crate::has_avx2() {
        // SAFETY: the CPU supports AVX2.
        return unsafe { four_avx2(x) };
    }
    four_scalar(x)
}

/// Not inlined, as [`scalar`].
#[inline(never)]
fn four_scalar(x: &[[f64; 4]; 4]) -> [f64; 4] {
    x.map(|x| (x[0] + x[1]) + (x[2] + x[3]))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn four_avx2(x: &[[f64; 4]; 4]) -> [f64; 4] {
    use std::arch::x86_64::{
        __m256d, _mm256_add_pd, _mm256_hadd_pd, _mm256_loadu_pd, _mm256_permute2f128_pd,
        _mm256_storeu_pd,
    };
    // SAFETY: the pointer is to four numbers.
    let load = |k: usize| -> __m256d { unsafe { _mm256_loadu_pd(x[k].as_ptr()) } };
    let [first, last] = [0, 2].map(|k| _mm256_hadd_pd(load(k), load(k + 1)));
    let low = _mm256_permute2f128_pd::<0x20>(first, last);
    let high = _mm256_permute2f128_pd::<0x31>(first, last);
    let mut sums = [0.0; 4];
    // SAFETY: the pointer is to four numbers.
    unsafe { _mm256_storeu_pd(sums.as_mut_ptr(), _mm256_add_pd(low, high)) };
    sums
}

#[cfg(test)]
mod tests {
    use super::{four_scalar, scalar, sum_four, sum_six};

    #[test]
    fn sums_do_not_depend_on_the_instructions() {
        let x = std::array::from_fn(|k| {
            std::array::from_fn(|lane| ((8 * k + lane) as f32 * 1.234).sin() * 1e3)
        });
        assert_eq!(sum_six(&x), scalar(&x));
        let x = std::array::from_fn(|k| {
            std::array::from_fn(|lane| ((4 * k + lane) as f64 * 1.234).sin() * 1e3)
        });
        assert_eq!(sum_four(&x), four_scalar(&x));
    }
}
