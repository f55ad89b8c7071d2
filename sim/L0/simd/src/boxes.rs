//! Boxes along the axes of the world: which of many overlap.

/// Numbers in a block of [`batch_aabb_overlap_8`].
const BLOCK: usize = 8;

/// Many boxes, coordinate by coordinate, in blocks of eight.
#[derive(Debug, Clone, Default)]
pub struct Boxes {
    /// Lower ends along each axis.
    low: [Vec<[f32; BLOCK]>; 3],
    /// Upper ends.
    high: [Vec<[f32; BLOCK]>; 3],
    count: usize,
}

impl Boxes {
    /// Makes room for `count` boxes; all of them overlap nothing until they are set.
    pub fn reset(&mut self, count: usize) {
        let blocks = count.div_ceil(BLOCK);
        for list in &mut self.low {
            list.resize(blocks, [f32::INFINITY; BLOCK]);
            // what is past the end stops a sweep
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

    /// Sets box `k`: its lower ends, then its upper ends.
    ///
    /// # Panics
    /// If there is no box `k`.
    #[inline]
    pub fn set(&mut self, k: usize, ends: &[f32; 6]) {
        assert!(k < self.count, "box {k} of {}", self.count);
        for axis in 0..3 {
            self.low[axis][k / BLOCK][k % BLOCK] = ends[axis];
            self.high[axis][k / BLOCK][k % BLOCK] = ends[3 + axis];
        }
    }

    /// Adds every two boxes that overlap to `out`, by their numbers, the lower one first. Boxes
    /// have to be in the order of their lower ends along the first axis. Ends that are no numbers
    /// overlap nothing.
    pub fn sweep(&self, out: &mut Vec<[u32; 2]>) {
        #[cfg(target_arch = "x86_64")]
        if crate::has_avx2() {
            // SAFETY: the machine has the instructions that the function is compiled for.
            unsafe { avx::sweep(self, out) };
            return;
        }
        self.sweep_with(out, plain_8::<f32>, push_each);
    }

    /// The sweep, with a test of one box against eight, and a way to add those that overlap it.
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
                // in its own block, only those after it
                let mut mask = !1 << lane;
                for c in b..blocks {
                    // sorted: once one starts beyond this one's end, all others do
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

/// Adds box `k` with each of eight boxes, counted from `from`, that is a bit of `hits`.
#[inline(always)]
fn push_each(out: &mut Vec<[u32; 2]>, k: u32, from: u32, mut hits: u32) {
    while hits != 0 {
        out.push([k, from + hits.trailing_zeros()]);
        hits &= hits - 1;
    }
}

/// For each set of eight bits the numbers of the bits in it, in order, and how many they are.
static MEMBERS: [([u8; BLOCK], u8); 256] = {
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

/// Which of four boxes overlap one: bit `k` for box `k`. The one box is its lower ends and then its
/// upper ends; boxes that share only a point overlap, and ends that are no numbers do not.
#[must_use]
pub fn batch_aabb_overlap_4(one: &[f64; 6], low: [&[f64; 4]; 3], high: [&[f64; 4]; 3]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if crate::has_avx2() {
        // SAFETY: the machine has the instructions that the function is compiled for.
        return unsafe { avx::overlap_4(one, low, high) };
    }
    plain_4(one, low, high)
}

/// Which of eight boxes overlap one, as [`batch_aabb_overlap_4`].
#[must_use]
pub fn batch_aabb_overlap_8(one: &[f32; 6], low: [&[f32; 8]; 3], high: [&[f32; 8]; 3]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if crate::has_avx2() {
        // SAFETY: the machine has the instructions that the function is compiled for.
        return unsafe { avx::overlap_8(one, low, high) };
    }
    plain_8(one, low, high)
}

/// The test on any processor.
#[inline(always)]
fn plain<T: PartialOrd + Copy, const N: usize>(
    one: &[T; 6],
    low: [&[T; N]; 3],
    high: [&[T; N]; 3],
) -> u32 {
    let mut hits = 0;
    for k in 0..N {
        let meets = |axis: usize| low[axis][k] <= one[3 + axis] && one[axis] <= high[axis][k];
        hits |= u32::from(meets(0) & meets(1) & meets(2)) << k;
    }
    hits
}

#[inline(always)]
fn plain_4<T: PartialOrd + Copy>(one: &[T; 6], low: [&[T; 4]; 3], high: [&[T; 4]; 3]) -> u32 {
    plain(one, low, high)
}

#[inline(always)]
fn plain_8<T: PartialOrd + Copy>(one: &[T; 6], low: [&[T; 8]; 3], high: [&[T; 8]; 3]) -> u32 {
    plain(one, low, high)
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::{BLOCK, Boxes, MEMBERS};
    use std::arch::x86_64::{
        _CMP_LE_OQ, _mm_loadl_epi64, _mm256_add_epi32, _mm256_and_pd, _mm256_and_ps, _mm256_cmp_pd,
        _mm256_cmp_ps, _mm256_cvtepu8_epi32, _mm256_loadu_pd, _mm256_loadu_ps, _mm256_movemask_pd,
        _mm256_movemask_ps, _mm256_permute2x128_si256, _mm256_set1_epi32, _mm256_set1_pd,
        _mm256_set1_ps, _mm256_storeu_si256, _mm256_unpackhi_epi32, _mm256_unpacklo_epi32,
    };

    #[target_feature(enable = "avx2")]
    pub(super) fn sweep(boxes: &Boxes, out: &mut Vec<[u32; 2]>) {
        boxes.sweep_with(
            out,
            |one, low, high| overlap_8(one, low, high),
            |out, k, from, hits| push_all(out, k, from, hits),
        );
    }

    /// Adds box `k` with all that overlap it of eight boxes, without asking how many they are: that can
    /// hardly be foretold.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn push_all(out: &mut Vec<[u32; 2]>, k: u32, from: u32, hits: u32) {
        let (members, count) = &MEMBERS[(hits & 0xff) as usize];
        out.reserve(BLOCK);
        // SAFETY: the pointer is to eight numbers.
        let members = unsafe { _mm_loadl_epi64(members.as_ptr().cast()) };
        let members = _mm256_cvtepu8_epi32(members);
        let others = _mm256_add_epi32(_mm256_set1_epi32(from as i32), members);
        let one = _mm256_set1_epi32(k as i32);
        // pairs 0, 1, 4, 5 and pairs 2, 3, 6, 7
        let (low, high) = (_mm256_unpacklo_epi32(one, others), _mm256_unpackhi_epi32(one, others));
        let len = out.len();
        // SAFETY: there is room for eight pairs beyond the end, and those that count are written.
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
        let meets = |axis: usize| {
            // SAFETY: each pointer is to eight numbers.
            let (low, high) = unsafe {
                (_mm256_loadu_ps(low[axis].as_ptr()), _mm256_loadu_ps(high[axis].as_ptr()))
            };
            let below = _mm256_cmp_ps::<_CMP_LE_OQ>(low, _mm256_set1_ps(one[3 + axis]));
            let above = _mm256_cmp_ps::<_CMP_LE_OQ>(_mm256_set1_ps(one[axis]), high);
            _mm256_and_ps(below, above)
        };
        _mm256_movemask_ps(_mm256_and_ps(_mm256_and_ps(meets(0), meets(1)), meets(2))) as u32
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn overlap_4(one: &[f64; 6], low: [&[f64; 4]; 3], high: [&[f64; 4]; 3]) -> u32 {
        let meets = |axis: usize| {
            // SAFETY: each pointer is to four numbers.
            let (low, high) = unsafe {
                (_mm256_loadu_pd(low[axis].as_ptr()), _mm256_loadu_pd(high[axis].as_ptr()))
            };
            let below = _mm256_cmp_pd::<_CMP_LE_OQ>(low, _mm256_set1_pd(one[3 + axis]));
            let above = _mm256_cmp_pd::<_CMP_LE_OQ>(_mm256_set1_pd(one[axis]), high);
            _mm256_and_pd(below, above)
        };
        _mm256_movemask_pd(_mm256_and_pd(_mm256_and_pd(meets(0), meets(1)), meets(2))) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::{Boxes, batch_aabb_overlap_4, batch_aabb_overlap_8, plain_4, plain_8, push_each};

    /// Boxes in a cube, some of them without extent, one in fifty without numbers.
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
                // on a grid, so that some ends are equal
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
    fn every_version_of_the_test_agrees() {
        let all = boxes(800);
        for chunk in all.chunks_exact(10) {
            let (one, many) = (&chunk[0], &chunk[1..9]);
            let low: [[f32; 8]; 3] =
                std::array::from_fn(|axis| std::array::from_fn(|k| many[k][axis]));
            let high: [[f32; 8]; 3] =
                std::array::from_fn(|axis| std::array::from_fn(|k| many[k][3 + axis]));
            let expected: u32 = (0..8).map(|k| u32::from(overlap(one, &many[k])) << k).sum();
            let (lows, highs) = (low.each_ref(), high.each_ref());
            assert_eq!(batch_aabb_overlap_8(one, lows, highs), expected);
            assert_eq!(plain_8(one, lows, highs), expected);
            let wide = one.map(f64::from);
            let half = |ends: &[[f32; 8]; 3]| -> [[f64; 4]; 3] {
                ends.map(|e| std::array::from_fn(|k| f64::from(e[k])))
            };
            let (low, high) = (half(&low), half(&high));
            let (lows, highs) = (low.each_ref(), high.each_ref());
            assert_eq!(batch_aabb_overlap_4(&wide, lows, highs), expected & 15);
            assert_eq!(plain_4(&wide, lows, highs), expected & 15);
        }
    }

    #[test]
    fn a_sweep_finds_each_overlap_once() {
        let mut swept = Boxes::default();
        // fewer after more: nothing of the larger set may stay behind
        for count in [300, 299, 41, 8, 7, 1, 0] {
            let mut all = boxes(count);
            all.retain(|ends| !ends[0].is_nan());
            all.sort_by(|a, b| a[0].total_cmp(&b[0]));
            swept.reset(all.len());
            for (k, ends) in all.iter().enumerate() {
                swept.set(k, ends);
            }
            let mut expected = Vec::new();
            for i in 0..all.len() {
                let after = i + 1..all.len();
                expected.extend(
                    after.filter(|&j| overlap(&all[i], &all[j])).map(|j| [i as u32, j as u32]),
                );
            }
            let (mut fast, mut plain) = (Vec::new(), Vec::new());
            swept.sweep(&mut fast);
            swept.sweep_with(&mut plain, plain_8::<f32>, push_each);
            assert_eq!(fast, expected);
            assert_eq!(plain, expected);
        }
    }
}
