//! The farthest point of a hull that is turned and moved.

use super::HullMap;

impl HullMap {
    /// The farthest vertex in a direction of unit length, of the hull turned by `mat` and moved by `pos`:
    /// its number, and where it is. Where others are about as far, it is the one that a
    /// [`climb`](Self::climb) from `from` ends at. `position` tells where a vertex is on the hull itself.
    #[inline]
    pub fn support(
        &self,
        mat: &[f64; 9],
        pos: &[f64; 3],
        direction: &[f64; 3],
        from: u32,
        position: impl Fn(u32) -> [f32; 3],
    ) -> (u32, [f64; 3]) {
        #[cfg(target_arch = "x86_64")]
        if crate::has_avx2() {
            // SAFETY: the machine has the instructions that the function is compiled for.
            return unsafe { avx::support(self, mat, pos, direction, from, position) };
        }
        self.support_without(mat, pos, direction, from, position)
    }

    /// The same without vector instructions.
    pub(super) fn support_without(
        &self,
        a: &[f64; 9],
        pos: &[f64; 3],
        d: &[f64; 3],
        from: u32,
        position: impl Fn(u32) -> [f32; 3],
    ) -> (u32, [f64; 3]) {
        let local = [0, 1, 2].map(|k| a[k] * d[0] + a[k + 3] * d[1] + a[k + 6] * d[2]);
        let best = self.farthest(from, &local);
        let v = position(best).map(f64::from);
        let turned = |k: usize| a[3 * k] * v[0] + a[3 * k + 1] * v[1] + a[3 * k + 2] * v[2];
        (best, [0, 1, 2].map(|k| turned(k) + pos[k]))
    }
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::super::avx::{alone, climb};
    use super::HullMap;
    use std::arch::x86_64::{
        __m256d, _mm256_add_pd, _mm256_loadu_pd, _mm256_mul_pd, _mm256_permute2f128_pd,
        _mm256_permute4x64_pd, _mm256_set1_pd, _mm256_storeu_pd, _mm256_unpackhi_pd,
        _mm256_unpacklo_pd,
    };

    /// The arithmetic is that of the plain version, in the same order.
    #[target_feature(enable = "avx2")]
    pub(super) fn support(
        map: &HullMap,
        mat: &[f64; 9],
        pos: &[f64; 3],
        direction: &[f64; 3],
        from: u32,
        position: impl Fn(u32) -> [f32; 3],
    ) -> (u32, [f64; 3]) {
        let m = mat.as_ptr();
        // SAFETY: the loads cover entries 0 to 3, 3 to 6, and 5 to 8 of nine.
        let [x, y, z] =
            unsafe { [_mm256_loadu_pd(m), _mm256_loadu_pd(m.add(3)), _mm256_loadu_pd(m.add(5))] };
        let z = _mm256_permute4x64_pd::<0b1111_1001>(z);
        let [x_local, y_local, z_local, _] = in_order(sum_of([x, y, z], *direction));
        let local = [x_local, y_local, z_local];
        let best = alone(map, from, &local).unwrap_or_else(|| climb(map, from, f64::MIN, &local));
        // the columns; the last place of each is of no account
        let (low, high) = (_mm256_unpacklo_pd(x, y), _mm256_unpackhi_pd(x, y));
        let columns = [
            _mm256_permute2f128_pd::<0x20>(low, z),
            _mm256_permute2f128_pd::<0x20>(high, _mm256_unpackhi_pd(z, z)),
            _mm256_permute2f128_pd::<0x31>(low, z),
        ];
        let turned = in_order(sum_of(columns, position(best).map(f64::from)));
        (best, [turned[0] + pos[0], turned[1] + pos[1], turned[2] + pos[2]])
    }

    /// Three vectors, each times a number, summed.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn sum_of([x, y, z]: [__m256d; 3], factors: [f64; 3]) -> __m256d {
        let [a, b, c] = factors.map(|factor| _mm256_set1_pd(factor));
        let two = _mm256_add_pd(_mm256_mul_pd(x, a), _mm256_mul_pd(y, b));
        _mm256_add_pd(two, _mm256_mul_pd(z, c))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn in_order(v: __m256d) -> [f64; 4] {
        let mut out = [0.0; 4];
        // SAFETY: there is room for four numbers.
        unsafe { _mm256_storeu_pd(out.as_mut_ptr(), v) };
        out
    }
}
