//! Overlap tests of axis-aligned bounding boxes (AABBs), one against many.

/// Boxes per block: the lanes of a 256-bit vector of `f32`.
const BLOCK: usize = 8;

/// Many boxes as structure of arrays, in blocks of eight.
#[derive(Debug, Clone, Default)]
pub struct AabbBatch {
    /// Lower bounds along each axis.
    low: [Vec<[f32; BLOCK]>; 3],
    /// Upper bounds along each axis.
    high: [Vec<[f32; BLOCK]>; 3],
    count: usize,
}

impl AabbBatch {
    /// Resizes to `count` boxes. The bounds of each must be set before a sweep.
    pub fn reset(&mut self, count: usize) {
        let blocks = count.div_ceil(BLOCK);
        for list in &mut self.low {
            list.resize(blocks, [f32::INFINITY; BLOCK]);
            // padding lanes end the sweep
            if let Some(last) = list.last_mut() {
                *last = [f32::INFINITY; BLOCK];
            }
        }
        for list in &mut self.high {
            list.resize(blocks, [f32::NEG_INFINITY; BLOCK]);
            if let Some(last) = list.last_mut() {
                *last = [f32::NEG_INFINITY; BLOCK];
            }
        }
        self.count = count;
    }

    /// Sets box `k`: lower bounds, then upper bounds.
    ///
    /// # Panics
    /// If `k` is out of range.
    #[inline]
    pub fn set(&mut self, k: usize, bounds: &[f32; 6]) {
        assert!(k < self.count, "box index {k} out of range for {} boxes", self.count);
        for axis in 0..3 {
            self.low[axis][k / BLOCK][k % BLOCK] = bounds[axis];
            self.high[axis][k / BLOCK][k % BLOCK] = bounds[3 + axis];
        }
    }

    /// Appends the index pairs of all overlapping boxes to `out`, the lower index first. The boxes must be
    /// sorted by their lower bounds along the first axis. Boxes with NaN bounds overlap nothing.
    pub fn sweep(&self, out: &mut Vec<[u32; 2]>) {
        #[cfg(target_arch = "x86_64")]
        if crate::has_avx2() {
            // SAFETY: the CPU supports the target features of the function.
            unsafe { avx::sweep(self, out) };
            return;
        }
        self.sweep_with(out, scalar_8::<f32>, push_bits);
    }

    /// The sweep, generic over the test of one box against eight and the output of the overlapping ones.
    #[inline(always)]
    fn sweep_with(
        &self,
        out: &mut Vec<[u32; 2]>,
        overlap: impl Fn(&[f32; 6], [&[f32; BLOCK]; 3], [&[f32; BLOCK]; 3]) -> u32,
        push: impl Fn(&mut Vec<[u32; 2]>, u32, u32, u32),
    ) {
        let [lx, ly, lz] = &self.low;
        let [hx, hy, hz] = &self.high;
        let blocks = lx.len();
        let (ly, lz) = (&ly[..blocks], &lz[..blocks]);
        let (hx, hy, hz) = (&hx[..blocks], &hy[..blocks], &hz[..blocks]);
        for b in 0..blocks {
            for lane in 0..BLOCK {
                let one =
                    [lx[b][lane], ly[b][lane], lz[b][lane], hx[b][lane], hy[b][lane], hz[b][lane]];
                let k = (b * BLOCK + lane) as u32;
                // in its own block, only later boxes
                let mut mask = !1 << lane;
                for c in b..blocks {
                    // sorted: all further boxes start beyond the upper bound of this one
                    if lx[c][0] > one[3] {
                        break;
                    }
                    let hits =
                        overlap(&one, [&lx[c], &ly[c], &lz[c]], [&hx[c], &hy[c], &hz[c]]) & mask;
                    mask = !0;
                    push(out, k, (c * BLOCK) as u32, hits);
                }
            }
        }
    }
}

/// Appends the pairs of box `k` with the boxes `from + bit` for each bit set in `hits`.
#[inline(always)]
fn push_bits(out: &mut Vec<[u32; 2]>, k: u32, from: u32, mut hits: u32) {
    while hits != 0 {
        out.push([k, from + hits.trailing_zeros()]);
        hits &= hits - 1;
    }
}

/// For each 8-bit mask, the indices of its set bits in increasing order, and their number.
#[cfg(target_arch = "x86_64")]
static BIT_INDICES: [([u8; BLOCK], u8); 256] = {
    let mut table = [([0; BLOCK], 0); 256];
    let mut set = 0;
    while set < 256 {
        let (mut count, mut bit) = (0, 0);
        while bit < BLOCK {
            if set >> bit & 1 == 1 {
                table[set].0[count] = bit as u8;
                count += 1;
            }
            bit += 1;
        }
        table[set].1 = count as u8;
        set += 1;
    }
    table
};

/// Tests one box (lower bounds, then upper bounds) against four and returns a bit mask of those that overlap
/// it. Touching boxes overlap; boxes with NaN bounds do not.
///
/// ```
/// // the points (0, 0, 0), (1, 1, 1), (2, 2, 2) and (3, 3, 3) as boxes
/// let x = [0.0, 1.0, 2.0, 3.0];
/// let hits = sim_simd::batch_aabb_overlap_4(&[0.5, 0.5, 0.5, 2.0, 2.0, 2.0], [&x; 3], [&x; 3]);
/// assert_eq!(hits, 0b0110);
/// ```
#[must_use]
pub fn batch_aabb_overlap_4(one: &[f64; 6], low: [&[f64; 4]; 3], high: [&[f64; 4]; 3]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if crate::has_avx2() {
        // SAFETY: the CPU supports the target features of the function.
        return unsafe { avx::overlap_4(one, low, high) };
    }
    scalar_4(one, low, high)
}

/// The portable implementation.
#[inline(always)]
fn scalar<T: PartialOrd + Copy, const N: usize>(
    one: &[T; 6],
    low: [&[T; N]; 3],
    high: [&[T; N]; 3],
) -> u32 {
    let mut hits = 0;
    for k in 0..N {
        let overlaps = |axis: usize| low[axis][k] <= one[3 + axis] && one[axis] <= high[axis][k];
        hits |= u32::from(overlaps(0) & overlaps(1) & overlaps(2)) << k;
    }
    hits
}

#[inline(always)]
fn scalar_4<T: PartialOrd + Copy>(one: &[T; 6], low: [&[T; 4]; 3], high: [&[T; 4]; 3]) -> u32 {
    scalar(one, low, high)
}

#[inline(always)]
fn scalar_8<T: PartialOrd + Copy>(one: &[T; 6], low: [&[T; 8]; 3], high: [&[T; 8]; 3]) -> u32 {
    scalar(one, low, high)
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::{AabbBatch, BIT_INDICES, BLOCK};
    use std::arch::x86_64::{
        _CMP_LE_OQ, _mm_loadl_epi64, _mm256_add_epi32, _mm256_and_pd, _mm256_and_ps, _mm256_cmp_pd,
        _mm256_cmp_ps, _mm256_cvtepu8_epi32, _mm256_loadu_pd, _mm256_loadu_ps, _mm256_movemask_pd,
        _mm256_movemask_ps, _mm256_permute2x128_si256, _mm256_set1_epi32, _mm256_set1_pd,
        _mm256_set1_ps, _mm256_storeu_si256, _mm256_unpackhi_epi32, _mm256_unpacklo_epi32,
    };

    #[target_feature(enable = "avx2")]
    pub(super) fn sweep(boxes: &AabbBatch, out: &mut Vec<[u32; 2]>) {
        boxes.sweep_with(
            out,
            |one, low, high| overlap_8(one, low, high),
            |out, k, from, hits| push_branchless(out, k, from, hits),
        );
    }

    /// As `push_bits`, without a branch on the number of hits, which is hard to predict.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn push_branchless(out: &mut Vec<[u32; 2]>, k: u32, from: u32, hits: u32) {
        let (indices, count) = &BIT_INDICES[(hits & 0xff) as usize];
        out.reserve(BLOCK);
        // SAFETY: the pointer is to eight bytes.
        let indices = unsafe { _mm_loadl_epi64(indices.as_ptr().cast()) };
        let indices = _mm256_cvtepu8_epi32(indices);
        let others = _mm256_add_epi32(_mm256_set1_epi32(from as i32), indices);
        let one = _mm256_set1_epi32(k as i32);
        // pairs 0, 1, 4, 5 and pairs 2, 3, 6, 7
        let (low, high) = (_mm256_unpacklo_epi32(one, others), _mm256_unpackhi_epi32(one, others));
        let len = out.len();
        // SAFETY: capacity for eight more pairs is reserved, and the first `count` are initialized.
        unsafe {
            let end = out.as_mut_ptr().add(len);
            _mm256_storeu_si256(end.cast(), _mm256_permute2x128_si256::<0x20>(low, high));
            _mm256_storeu_si256(end.add(4).cast(), _mm256_permute2x128_si256::<0x31>(low, high));
            out.set_len(len + usize::from(*count));
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn overlap_8(one: &[f32; 6], low: [&[f32; 8]; 3], high: [&[f32; 8]; 3]) -> u32 {
        let overlaps = |axis: usize| {
            // SAFETY: each pointer is to eight `f32`.
            let (low, high) = unsafe {
                (_mm256_loadu_ps(low[axis].as_ptr()), _mm256_loadu_ps(high[axis].as_ptr()))
            };
            let below = _mm256_cmp_ps::<_CMP_LE_OQ>(low, _mm256_set1_ps(one[3 + axis]));
            let above = _mm256_cmp_ps::<_CMP_LE_OQ>(_mm256_set1_ps(one[axis]), high);
            _mm256_and_ps(below, above)
        };
        _mm256_movemask_ps(_mm256_and_ps(_mm256_and_ps(overlaps(0), overlaps(1)), overlaps(2)))
            as u32
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn overlap_4(one: &[f64; 6], low: [&[f64; 4]; 3], high: [&[f64; 4]; 3]) -> u32 {
        let overlaps = |axis: usize| {
            // SAFETY: each pointer is to four `f64`.
            let (low, high) = unsafe {
                (_mm256_loadu_pd(low[axis].as_ptr()), _mm256_loadu_pd(high[axis].as_ptr()))
            };
            let below = _mm256_cmp_pd::<_CMP_LE_OQ>(low, _mm256_set1_pd(one[3 + axis]));
            let above = _mm256_cmp_pd::<_CMP_LE_OQ>(_mm256_set1_pd(one[axis]), high);
            _mm256_and_pd(below, above)
        };
        _mm256_movemask_pd(_mm256_and_pd(_mm256_and_pd(overlaps(0), overlaps(1)), overlaps(2)))
            as u32
    }
}

#[cfg(test)]
mod tests {
    use super::{AabbBatch, batch_aabb_overlap_4, push_bits, scalar_4, scalar_8};

    /// Boxes in a cube, some of zero extent, one in fifty with NaN bounds.
    fn boxes(count: usize) -> Vec<[f32; 6]> {
        let mut state = 1_u64;
        let mut number = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f32 / (1_u32 << 24) as f32
        };
        (0..count)
            .map(|k| {
                if k % 50 == 49 {
                    return [f32::NAN; 6];
                }
                // on a grid, so that some bounds are equal
                let low = [(); 3].map(|()| (8.0 * number()).floor());
                let size = [(); 3].map(|()| (3.0 * number()).floor());
                [low[0], low[1], low[2], low[0] + size[0], low[1] + size[1], low[2] + size[2]]
            })
            .collect()
    }

    fn overlap(a: &[f32; 6], b: &[f32; 6]) -> bool {
        (0..3).all(|k| a[k] <= b[3 + k] && b[k] <= a[3 + k])
    }

    #[test]
    fn vector_and_scalar_tests_agree() {
        let all = boxes(800);
        for chunk in all.chunks_exact(10) {
            let (one, many) = (&chunk[0], &chunk[1..9]);
            let low: [[f32; 8]; 3] =
                std::array::from_fn(|axis| std::array::from_fn(|k| many[k][axis]));
            let high: [[f32; 8]; 3] =
                std::array::from_fn(|axis| std::array::from_fn(|k| many[k][3 + axis]));
            let expected: u32 = (0..8).map(|k| u32::from(overlap(one, &many[k])) << k).sum();
            let (lows, highs) = (low.each_ref(), high.each_ref());
            assert_eq!(scalar_8(one, lows, highs), expected);
            let wide = one.map(f64::from);
            let half = |bounds: &[[f32; 8]; 3]| -> [[f64; 4]; 3] {
                bounds.map(|e| std::array::from_fn(|k| f64::from(e[k])))
            };
            let (low, high) = (half(&low), half(&high));
            let (lows, highs) = (low.each_ref(), high.each_ref());
            assert_eq!(batch_aabb_overlap_4(&wide, lows, highs), expected & 15);
            assert_eq!(scalar_4(&wide, lows, highs), expected & 15);
        }
    }

    #[test]
    fn sweep_finds_each_overlap_once() {
        let mut swept = AabbBatch::default();
        // decreasing counts: no boxes of the larger set may remain
        for count in [300, 299, 41, 8, 7, 1, 0] {
            let mut all = boxes(count);
            all.retain(|bounds| !bounds[0].is_nan());
            all.sort_by(|a, b| a[0].total_cmp(&b[0]));
            swept.reset(all.len());
            for (k, bounds) in all.iter().enumerate() {
                swept.set(k, bounds);
            }
            let mut expected = Vec::new();
            for i in 0..all.len() {
                let after = i + 1..all.len();
                expected.extend(
                    after.filter(|&j| overlap(&all[i], &all[j])).map(|j| [i as u32, j as u32]),
                );
            }
            let (mut fast, mut portable) = (Vec::new(), Vec::new());
            swept.sweep(&mut fast);
            swept.sweep_with(&mut portable, scalar_8::<f32>, push_bits);
            assert_eq!(fast, expected);
            assert_eq!(portable, expected);
        }
    }
}
