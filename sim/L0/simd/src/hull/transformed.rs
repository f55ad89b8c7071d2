//! Support point of a hull with a world pose.

use super::HullSupport;

impl HullSupport {
    /// Support vertex in a world direction of unit length, of the hull rotated by `mat` and translated by
    /// `pos`: its index and world position. Ties are decided by a [`hill_climb`](Self::hill_climb) from
    /// `from`. `position` returns the position of a vertex in the hull frame.
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
            // SAFETY: the CPU supports the target features of the function.
            return unsafe { avx::support(self, mat, pos, direction, from, position) };
        }
        self.support_scalar(mat, pos, direction, from, position)
    }

    /// As [`support`](Self::support), without vector instructions.
    pub(super) fn support_scalar(
        &self,
        a: &[f64; 9],
        pos: &[f64; 3],
        d: &[f64; 3],
        from: u32,
        position: impl Fn(u32) -> [f32; 3],
    ) -> (u32, [f64; 3]) {
        let local = [0, 1, 2].map(|k| a[k] * d[0] + a[k + 3] * d[1] + a[k + 6] * d[2]);
        let best = self.support_vertex(from, &local);
        let v = position(best).map(f64::from);
        let rotated = |k: usize| a[3 * k] * v[0] + a[3 * k + 1] * v[1] + a[3 * k + 2] * v[2];
        (best, [0, 1, 2].map(|k| rotated(k) + pos[k]))
    }
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::super::avx::{hill_climb, unique_support};
    use super::HullSupport;
    use std::arch::x86_64::{
        __m256d, _mm256_add_pd, _mm256_loadu_pd, _mm256_mul_pd, _mm256_permute2f128_pd,
        _mm256_permute4x64_pd, _mm256_set1_pd, _mm256_storeu_pd, _mm256_unpackhi_pd,
        _mm256_unpacklo_pd,
    };

    /// Same operations in the same order as the portable version.
    #[target_feature(enable = "avx2")]
    pub(super) fn support(
        map: &HullSupport,
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
        let [x_local, y_local, z_local, _] = to_array(linear_combination([x, y, z], *direction));
        let local = [x_local, y_local, z_local];
        let best = unique_support(map, from, &local)
            .unwrap_or_else(|| hill_climb(map, from, f64::MIN, &local));
        // the columns; the last lane of each is unused
        let (low, high) = (_mm256_unpacklo_pd(x, y), _mm256_unpackhi_pd(x, y));
        let columns = [
            _mm256_permute2f128_pd::<0x20>(low, z),
            _mm256_permute2f128_pd::<0x20>(high, _mm256_unpackhi_pd(z, z)),
            _mm256_permute2f128_pd::<0x31>(low, z),
        ];
        let rotated = to_array(linear_combination(columns, position(best).map(f64::from)));
        (best, [rotated[0] + pos[0], rotated[1] + pos[1], rotated[2] + pos[2]])
    }

    /// `x a + y b + z c`.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn linear_combination([x, y, z]: [__m256d; 3], factors: [f64; 3]) -> __m256d {
        let [a, b, c] = factors.map(|factor| _mm256_set1_pd(factor));
        let two = _mm256_add_pd(_mm256_mul_pd(x, a), _mm256_mul_pd(y, b));
        _mm256_add_pd(two, _mm256_mul_pd(z, c))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn to_array(v: __m256d) -> [f64; 4] {
        let mut out = [0.0; 4];
        // SAFETY: the pointer is to four `f64`.
        unsafe { _mm256_storeu_pd(out.as_mut_ptr(), v) };
        out
    }
}
