//! Walks over the vertices of a convex hull.

#[cfg(test)]
mod laws;
mod placed;

/// Vertices in a block.
const BLOCK: usize = 8;
/// Hulls of no more blocks are searched whole.
const WHOLE: usize = 4;
/// Cells along each side of the six faces of a cube, by which walks over large hulls know where to start.
const CELLS: usize = 16;
/// What single precision leaves open of how far vertices are along a direction, as a part of the hull's
/// size: its shape, and the rounding of sums of products.
const ROUGH: f32 = 2e-6;

/// The vertices around each vertex of a hull, with their positions, in blocks of eight.
#[derive(Debug, Clone, Default)]
pub struct HullMap {
    /// Where the blocks of each vertex start; one more than there are vertices.
    starts: Vec<u32>,
    blocks: Vec<Block>,
    /// All vertices in the order of their numbers; none for a large hull.
    whole: Option<Box<[Block; WHOLE]>>,
    /// For each cell of directions a vertex of a large hull that is far in it, and where that is.
    starts_by_cell: Vec<(u32, [f32; 3])>,
    /// Where each vertex of a large hull is.
    positions: Vec<[f32; 3]>,
    /// Vertices less apart than this along a direction count as equally far.
    slack: f32,
}

/// Eight vertices; positions that are no numbers fill up the last block.
#[derive(Debug, Clone)]
struct Block {
    position: [[f32; BLOCK]; 3],
    vertex: [u32; BLOCK],
}

impl Block {
    const EMPTY: Self = Self { position: [[f32::NAN; BLOCK]; 3], vertex: [0; BLOCK] };

    fn put(&mut self, lane: usize, vertex: u32, position: [f32; 3]) {
        self.vertex[lane] = vertex;
        for (axis, &x) in position.iter().enumerate() {
            self.position[axis][lane] = x;
        }
    }
}

impl HullMap {
    /// A hull of which `neighbours` gives, vertex by vertex, the numbers and positions of the
    /// vertices around it.
    pub fn new<I: Iterator<Item = (u32, [f32; 3])>>(neighbours: impl Iterator<Item = I>) -> Self {
        let mut map = Self { starts: vec![0], ..Self::default() };
        for list in neighbours {
            let start = map.blocks.len();
            for (k, (vertex, position)) in list.enumerate() {
                if k % BLOCK == 0 {
                    map.blocks.push(Block::EMPTY);
                }
                map.blocks[start + k / BLOCK].put(k % BLOCK, vertex, position);
            }
            map.starts.push(map.blocks.len() as u32);
        }
        map.gather();
        map
    }

    /// Prepares the search: puts the vertices of a small hull together, finds starts on a large one.
    fn gather(&mut self) {
        let count = self.starts.len() - 1;
        let mut positions = vec![[f32::NAN; 3]; count];
        let mut size = 0.0_f32;
        for block in &self.blocks {
            for (lane, &vertex) in block.vertex.iter().enumerate() {
                let position = block.position.map(|axis| axis[lane]);
                if !position[0].is_nan()
                    && let Some(slot) = positions.get_mut(vertex as usize)
                {
                    *slot = position;
                    size = position.iter().fold(size, |size, x| size.max(x.abs()));
                }
            }
        }
        self.slack = ROUGH * size;
        if count <= WHOLE * BLOCK {
            let mut whole = Box::new([Block::EMPTY; WHOLE]);
            for (k, &position) in positions.iter().enumerate() {
                whole[k / BLOCK].put(k % BLOCK, k as u32, position);
            }
            self.whole = Some(whole);
            return;
        }
        let mut last = 0;
        self.starts_by_cell = (0..6 * CELLS * CELLS)
            .map(|cell| {
                last = self.climb(last, f64::MIN, &cell_centre(cell));
                // what is no vertex is nowhere, and walks end there
                (last, positions.get(last as usize).copied().unwrap_or([f32::NAN; 3]))
            })
            .collect();
        self.positions = positions;
    }

    /// The vertex that [`climb`](Self::climb) ends at for a direction of unit length, where no other comes
    /// near it: then it does not depend on the way. Of a small hull all vertices are measured at once, on
    /// a large one the walk starts near the end. Where two are about equally far, the climb is made.
    #[must_use]
    fn farthest(&self, from: u32, direction: &[f64; 3]) -> u32 {
        self.alone(from, direction).unwrap_or_else(|| self.climb(from, f64::MIN, direction))
    }

    /// The farthest of all vertices, if no other comes near it.
    #[inline]
    fn alone(&self, from: u32, direction: &[f64; 3]) -> Option<u32> {
        #[cfg(target_arch = "x86_64")]
        if crate::has_avx2() {
            // SAFETY: the machine has the instructions that the function is compiled for.
            return unsafe { avx::alone(self, from, direction) };
        }
        self.alone_without(from, direction)
    }

    /// The same without vector instructions.
    fn alone_without(&self, from: u32, direction: &[f64; 3]) -> Option<u32> {
        match &self.whole {
            Some(whole) => alone_of(whole, direction, self.slack),
            None => self.ascend_with(from, direction, ahead),
        }
    }

    /// Walks uphill from the start that is nearer to the end: `from`, or the one of the direction's cell.
    /// Nothing if a neighbour of the last vertex is about as far. `ahead` tells how far the farthest of
    /// eight vertices is, which one, and whether it is no less far than asked.
    #[inline(always)]
    fn ascend_with(
        &self,
        from: u32,
        direction: &[f64; 3],
        ahead: impl Fn(&Block, &[f32; 3], f32) -> (f32, usize, bool),
    ) -> Option<u32> {
        let &(mut best, start) = self.starts_by_cell.get(cell(direction))?;
        let d = direction.map(|x| x as f32);
        let along = |p: &[f32; 3]| d[0] * p[0] + d[1] * p[1] + d[2] * p[2];
        let mut farthest = along(&start);
        let other = self.positions.get(from as usize).map_or(f32::NAN, along);
        if other > farthest {
            (best, farthest) = (from, other);
        }
        loop {
            let (from, enough) = (best, farthest - self.slack);
            let mut near = false;
            for block in self.around(from) {
                let (along, lane, is_near) = ahead(block, &d, enough);
                near |= is_near;
                if along > farthest {
                    (best, farthest) = (block.vertex[lane % BLOCK], along);
                }
            }
            if best == from {
                return (!near).then_some(best);
            }
        }
    }

    /// Whether there are no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.len() < 2
    }

    /// Walks uphill along a direction, from a vertex to the farthest of its neighbours, as long as
    /// there is one beyond all seen before; `farthest` is how far the first vertex counts. Of
    /// neighbours that are equally far the first is taken.
    #[must_use]
    pub fn climb(&self, from: u32, farthest: f64, direction: &[f64; 3]) -> u32 {
        #[cfg(target_arch = "x86_64")]
        if crate::has_avx2() {
            // SAFETY: the machine has the instructions that the function is compiled for.
            return unsafe { avx::climb(self, from, farthest, direction) };
        }
        self.climb_with(from, farthest, direction, reach, beyond)
    }

    /// The walk, with a way to measure eight neighbours, and to tell which are beyond a distance.
    #[inline(always)]
    fn climb_with<R: Copy>(
        &self,
        from: u32,
        mut farthest: f64,
        direction: &[f64; 3],
        reach: impl Fn(&Block, &[f64; 3]) -> R,
        beyond: impl Fn(R, f64) -> (u32, [f64; BLOCK]),
    ) -> u32 {
        let mut best = from;
        loop {
            let from = best;
            for block in self.around(from) {
                let (mut lanes, along) = beyond(reach(block, direction), farthest);
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize % BLOCK;
                    lanes &= lanes - 1;
                    if along[lane] > farthest {
                        (best, farthest) = (block.vertex[lane], along[lane]);
                    }
                }
            }
            if best == from {
                return best;
            }
        }
    }

    /// The neighbours of a vertex; none if there is no such vertex.
    #[inline(always)]
    fn around(&self, vertex: u32) -> &[Block] {
        let Some(&[start, end]) =
            self.starts.get(vertex as usize..).and_then(|rest| rest.first_chunk::<2>())
        else {
            return &[];
        };
        self.blocks.get(start as usize..end as usize).unwrap_or(&[])
    }
}

/// The cell of a direction: the face of a cube that it goes through, and where.
#[inline(always)]
fn cell(d: &[f64; 3]) -> usize {
    let size = d.map(f64::abs);
    let axis = if size[0] >= size[1] && size[0] >= size[2] {
        0
    } else if size[1] >= size[2] {
        1
    } else {
        2
    };
    let scale = 0.5 * CELLS as f64 / size[axis];
    let place = |x: f64| ((x * scale + 0.5 * CELLS as f64) as usize).min(CELLS - 1);
    let face = 2 * axis + usize::from(d[axis] > 0.0);
    (face * CELLS + place(d[(axis + 1) % 3])) * CELLS + place(d[(axis + 2) % 3])
}

/// The direction through the middle of a cell.
fn cell_centre(cell: usize) -> [f64; 3] {
    let (face, axis) = (cell / (CELLS * CELLS), cell / (CELLS * CELLS) / 2);
    let place = |k: usize| (2 * k + 1) as f64 / CELLS as f64 - 1.0;
    let mut d = [0.0; 3];
    d[axis] = if face % 2 == 1 { 1.0 } else { -1.0 };
    d[(axis + 1) % 3] = place(cell / CELLS % CELLS);
    d[(axis + 2) % 3] = place(cell % CELLS);
    d
}

/// How far eight vertices are along a direction.
#[inline(always)]
fn reach(block: &Block, d: &[f64; 3]) -> [f64; BLOCK] {
    let [x, y, z] = &block.position;
    std::array::from_fn(|k| {
        d[0] * f64::from(x[k]) + d[1] * f64::from(y[k]) + d[2] * f64::from(z[k])
    })
}

/// Which of eight are beyond a distance, as bits.
#[inline(always)]
fn beyond(along: [f64; BLOCK], farthest: f64) -> (u32, [f64; BLOCK]) {
    ((0..BLOCK).map(|k| u32::from(along[k] > farthest) << k).sum(), along)
}

/// How far eight vertices are along a direction, in single precision.
#[inline(always)]
fn roughly(block: &Block, d: &[f32; 3]) -> [f32; BLOCK] {
    let [x, y, z] = &block.position;
    std::array::from_fn(|k| d[0] * x[k] + d[1] * y[k] + d[2] * z[k])
}

/// The farthest of all vertices, if no other comes as near to it as `slack`.
fn alone_of(whole: &[Block; WHOLE], direction: &[f64; 3], slack: f32) -> Option<u32> {
    let d = direction.map(|x| x as f32);
    let along = whole.each_ref().map(|block| roughly(block, &d));
    let along = along.as_flattened();
    let most = along.iter().fold(f32::NEG_INFINITY, |most, &x| most.max(x));
    let mut near = (0..WHOLE * BLOCK).filter(|&k| along[k] >= most - slack);
    let first = near.next()?;
    near.next().is_none().then_some(first as u32)
}

/// How far the farthest of eight vertices is, which is the first so far, and whether that is `enough`.
#[inline(always)]
fn ahead(block: &Block, d: &[f32; 3], enough: f32) -> (f32, usize, bool) {
    let along = roughly(block, d);
    let most = along.iter().fold(f32::NEG_INFINITY, |most, &x| most.max(x));
    let lane = along.iter().position(|&x| x == most).unwrap_or(BLOCK);
    (most, lane, most >= enough)
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::{BLOCK, Block, HullMap, WHOLE};
    use std::arch::x86_64::{
        __m256, __m256d, _CMP_EQ_OQ, _CMP_GE_OQ, _CMP_GT_OQ, _mm_loadu_ps, _mm256_add_pd,
        _mm256_add_ps, _mm256_cmp_pd, _mm256_cmp_ps, _mm256_cvtps_pd, _mm256_cvtss_f32,
        _mm256_loadu_ps, _mm256_max_ps, _mm256_movemask_pd, _mm256_movemask_ps, _mm256_mul_pd,
        _mm256_mul_ps, _mm256_permute_ps, _mm256_permute2f128_ps, _mm256_set1_pd, _mm256_set1_ps,
        _mm256_storeu_pd, _mm256_sub_ps,
    };

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn alone(map: &HullMap, from: u32, direction: &[f64; 3]) -> Option<u32> {
        match &map.whole {
            Some(whole) => alone_of(whole, direction, map.slack),
            None => ascend(map, from, direction),
        }
    }

    /// All vertices at once, and what can be done side by side is: the next search waits for this one.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn alone_of(whole: &[Block; WHOLE], direction: &[f64; 3], slack: f32) -> Option<u32> {
        let d = direction.map(|x| _mm256_set1_ps(x as f32));
        let nowhere = _mm256_set1_ps(f32::NEG_INFINITY);
        // of a number and what is none the second counts
        let along = whole.each_ref().map(|block| _mm256_max_ps(roughly(block, &d), nowhere));
        let [a, b, c, e] = along;
        let most = in_all(_mm256_max_ps(_mm256_max_ps(a, b), _mm256_max_ps(c, e)));
        let enough = _mm256_sub_ps(most, _mm256_set1_ps(slack));
        let [a, b, c, e] = along
            .map(|along| _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GE_OQ>(along, enough)) as u32);
        let near = (a | b << BLOCK) | (c | e << BLOCK) << (2 * BLOCK);
        // one bit and no other
        (near != 0 && near & (near - 1) == 0).then(|| near.trailing_zeros())
    }

    #[target_feature(enable = "avx2")]
    fn ascend(map: &HullMap, from: u32, direction: &[f64; 3]) -> Option<u32> {
        map.ascend_with(from, direction, |block, d, enough| {
            let along = roughly(block, &d.map(|x| _mm256_set1_ps(x)));
            // of a number and what is none the second counts
            let most = in_all(_mm256_max_ps(along, _mm256_set1_ps(f32::NEG_INFINITY)));
            let lanes = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_EQ_OQ>(along, most)) as u32;
            let most = _mm256_cvtss_f32(most);
            (most, lanes.trailing_zeros() as usize, most >= enough)
        })
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn climb(map: &HullMap, from: u32, farthest: f64, direction: &[f64; 3]) -> u32 {
        map.climb_with(from, farthest, direction, |b, d| reach(b, d), |r, far| beyond(r, far))
    }

    /// How far eight vertices are along a direction, in single precision.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn roughly(block: &Block, d: &[__m256; 3]) -> __m256 {
        let part = |axis: usize| {
            // SAFETY: the pointer is to eight numbers.
            let position = unsafe { _mm256_loadu_ps(block.position[axis].as_ptr()) };
            _mm256_mul_ps(d[axis], position)
        };
        _mm256_add_ps(_mm256_add_ps(part(0), part(1)), part(2))
    }

    /// The largest of eight numbers in all eight places.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn in_all(x: __m256) -> __m256 {
        let x = _mm256_max_ps(x, _mm256_permute2f128_ps::<1>(x, x));
        let x = _mm256_max_ps(x, _mm256_permute_ps::<0b0100_1110>(x));
        _mm256_max_ps(x, _mm256_permute_ps::<0b1011_0001>(x))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn reach(block: &Block, d: &[f64; 3]) -> [__m256d; 2] {
        let part = |half: usize, axis: usize| {
            // SAFETY: the pointer is to four numbers, the half of eight.
            let position = unsafe { _mm_loadu_ps(block.position[axis].as_ptr().add(4 * half)) };
            _mm256_mul_pd(_mm256_set1_pd(d[axis]), _mm256_cvtps_pd(position))
        };
        [0, 1].map(|half| _mm256_add_pd(_mm256_add_pd(part(half, 0), part(half, 1)), part(half, 2)))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn beyond(along: [__m256d; 2], farthest: f64) -> (u32, [f64; BLOCK]) {
        let mut out = [0.0; BLOCK];
        let mut lanes = 0;
        for (half, along) in along.into_iter().enumerate() {
            let ahead = _mm256_cmp_pd::<_CMP_GT_OQ>(along, _mm256_set1_pd(farthest));
            lanes |= (_mm256_movemask_pd(ahead) as u32) << (4 * half);
            // SAFETY: there is room for four numbers in each half.
            unsafe { _mm256_storeu_pd(out.as_mut_ptr().add(4 * half), along) };
        }
        (lanes, out)
    }
}
