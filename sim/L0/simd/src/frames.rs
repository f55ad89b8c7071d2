//! World poses of frames attached to bodies: batched products of 3 × 3 and 3 × 4 matrices.

/// Pose of a frame in its body: three rows, each a row of the rotation matrix followed by a component of
/// the position, so that one matrix product with the body's rotation transforms both.
pub type LocalFrame = [[f64; 4]; 3];

/// Computes the world poses of frames: for frame `i` on body `b = bodies[i]`, the rotation `mat[b] · R` is
/// written to `out_mat[i]` and the position `pos[b] + mat[b] · p` to `out_pos[i]`.
///
/// # Panics
/// If a body index is out of range for `pos` or `mat`.
pub fn transform_frames(
    bodies: &[i32],
    locals: &[LocalFrame],
    pos: &[[f64; 3]],
    mat: &[[f64; 9]],
    out_pos: &mut [[f64; 3]],
    out_mat: &mut [[f64; 9]],
) {
    let frames = bodies.iter().zip(locals).zip(out_pos.iter_mut().zip(out_mat));
    #[cfg(target_arch = "x86_64")]
    if crate::has_avx2() {
        #[target_feature(enable = "avx2")]
        fn all<'a>(
            frames: impl Iterator<
                Item = ((&'a i32, &'a LocalFrame), (&'a mut [f64; 3], &'a mut [f64; 9])),
            >,
            pos: &[[f64; 3]],
            mat: &[[f64; 9]],
        ) {
            for ((&body, local), (out_pos, out_mat)) in frames {
                let b = body as usize;
                avx::transform(&pos[b], &mat[b], local, out_pos, out_mat);
            }
        }
        // SAFETY: the CPU supports the target features of the function.
        unsafe { all(frames, pos, mat) };
        return;
    }
    for ((&body, local), (out_pos, out_mat)) in frames {
        let b = body as usize;
        transform(&pos[b], &mat[b], local, out_pos, out_mat);
    }
}

/// One frame, portable.
fn transform(
    pos: &[f64; 3],
    mat: &[f64; 9],
    local: &LocalFrame,
    out_pos: &mut [f64; 3],
    out_mat: &mut [f64; 9],
) {
    for r in 0..3 {
        let a = [mat[3 * r], mat[3 * r + 1], mat[3 * r + 2]];
        let row: [f64; 4] =
            std::array::from_fn(|k| a[0] * local[0][k] + a[1] * local[1][k] + a[2] * local[2][k]);
        out_mat[3 * r..3 * r + 3].copy_from_slice(&row[..3]);
        out_pos[r] = pos[r] + row[3];
    }
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::LocalFrame;
    use std::arch::x86_64::{
        __m256d, _mm_cvtsd_f64, _mm_storeu_pd, _mm_unpackhi_pd, _mm256_add_pd,
        _mm256_castpd256_pd128, _mm256_extractf128_pd, _mm256_loadu_pd, _mm256_mul_pd,
        _mm256_set1_pd, _mm256_storeu_pd,
    };

    /// One frame, one vector per row of the result. Same operations in the same order as the portable
    /// version.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn transform(
        pos: &[f64; 3],
        mat: &[f64; 9],
        local: &LocalFrame,
        out_pos: &mut [f64; 3],
        out_mat: &mut [f64; 9],
    ) {
        // SAFETY: each pointer is to four `f64`.
        let l: [__m256d; 3] =
            unsafe { [0, 1, 2].map(|k: usize| _mm256_loadu_pd(local[k].as_ptr())) };
        let row = |r: usize| {
            let a = [0, 1, 2].map(|k| _mm256_set1_pd(mat[3 * r + k]));
            let two = _mm256_add_pd(_mm256_mul_pd(a[0], l[0]), _mm256_mul_pd(a[1], l[1]));
            _mm256_add_pd(two, _mm256_mul_pd(a[2], l[2]))
        };
        let rows = [row(0), row(1), row(2)];
        let upper = rows.map(|r| _mm256_extractf128_pd::<1>(r));
        let out = out_mat.as_mut_ptr();
        // SAFETY: the stores cover entries 0 to 3, 3 to 6, and 6 to 7 of nine; each store overwrites the
        // extra entry of the previous one.
        unsafe {
            _mm256_storeu_pd(out, rows[0]);
            _mm256_storeu_pd(out.add(3), rows[1]);
            _mm_storeu_pd(out.add(6), _mm256_castpd256_pd128(rows[2]));
        }
        out_mat[8] = _mm_cvtsd_f64(upper[2]);
        for r in 0..3 {
            out_pos[r] = pos[r] + _mm_cvtsd_f64(_mm_unpackhi_pd(upper[r], upper[r]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LocalFrame, transform, transform_frames};

    #[test]
    fn vector_and_scalar_versions_agree_bitwise() {
        let number = |k: usize| (k as f64 * 1.7).sin();
        let pos: Vec<[f64; 3]> =
            (0..4).map(|b| std::array::from_fn(|k| number(b * 31 + k))).collect();
        let mat: Vec<[f64; 9]> =
            (0..4).map(|b| std::array::from_fn(|k| number(b * 17 + k + 5))).collect();
        let bodies: Vec<i32> = (0..23).map(|i| i % 4).collect();
        let locals: Vec<LocalFrame> = (0..23)
            .map(|i| std::array::from_fn(|r| std::array::from_fn(|k| number(i * 12 + 4 * r + k))))
            .collect();
        let (mut out_pos, mut out_mat) = (vec![[0.0; 3]; 23], vec![[0.0; 9]; 23]);
        transform_frames(&bodies, &locals, &pos, &mat, &mut out_pos, &mut out_mat);
        for i in 0..23 {
            let b = bodies[i] as usize;
            let (mut one_pos, mut one_mat) = ([0.0; 3], [0.0; 9]);
            transform(&pos[b], &mat[b], &locals[i], &mut one_pos, &mut one_mat);
            assert_eq!((one_pos, one_mat), (out_pos[i], out_mat[i]));
        }
    }
}
