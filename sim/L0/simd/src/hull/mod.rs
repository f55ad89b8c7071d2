//! Support mapping of convex hulls: the vertex of largest projection onto a direction.

#[cfg(test)]
mod tests;
mod transformed;

/// Vertices per block: the lanes of a 256-bit vector of `f32`.
const BLOCK: usize = 8;
/// Hulls of at most this many blocks are searched exhaustively.
const SMALL_BLOCKS: usize = 4;
/// Cells along each side of the six faces of a cube map of directions, which gives hill climbing on large
/// hulls its starting vertex.
const CELLS: usize = 16;
/// Bound on the error of single-precision projections, relative to the size of the hull.
const F32_ERROR: f32 = 2e-6;

/// The vertex graph of a convex hull, with neighbour positions as structure of arrays in blocks of eight.
#[derive(Debug, Clone, Default)]
pub struct HullSupport {
    /// Start of each vertex's neighbour blocks; one more entry than there are vertices.
    starts: Vec<u32>,
    blocks: Vec<Block>,
    /// All vertices in order of their indices; `None` for large hulls.
    small: Option<Box<[Block; SMALL_BLOCKS]>>,
    /// For each cell of the cube map, the support vertex of its centre direction and its position; empty for
    /// small hulls.
    cell_seeds: Vec<(u32, [f32; 3])>,
    /// Vertex positions of large hulls.
    positions: Vec<[f32; 3]>,
    /// Difference of projections below which single precision cannot order two vertices.
    tolerance: f32,
}

/// Eight vertices; padding lanes have NaN positions.
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

impl HullSupport {
    /// Builds the mapping from the indices and positions of the neighbours of each vertex.
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
        map.prepare();
        map
    }

    /// Precomputes the vertex blocks of a small hull or the cell seeds of a large one.
    fn prepare(&mut self) {
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
        self.tolerance = F32_ERROR * size;
        if count <= SMALL_BLOCKS * BLOCK {
            let mut small = Box::new([Block::EMPTY; SMALL_BLOCKS]);
            for (k, &position) in positions.iter().enumerate() {
                small[k / BLOCK].put(k % BLOCK, k as u32, position);
            }
            self.small = Some(small);
            return;
        }
        let mut last = 0;
        self.cell_seeds = (0..6 * CELLS * CELLS)
            .map(|cell| {
                last = self.hill_climb(last, f64::MIN, &cell_centre(cell));
                // an invalid neighbour index has a NaN position, at which climbs end
                (last, positions.get(last as usize).copied().unwrap_or([f32::NAN; 3]))
            })
            .collect();
        self.positions = positions;
    }

    /// The vertex at which [`hill_climb`](Self::hill_climb) ends for a direction of unit length. If the maximum
    /// is unique it does not depend on the path: a small hull is searched exhaustively, a large one from the
    /// seed of the direction's cell, both in single precision. On ties the climb itself decides.
    #[must_use]
    fn support_vertex(&self, from: u32, direction: &[f64; 3]) -> u32 {
        self.unique_support(from, direction)
            .unwrap_or_else(|| self.hill_climb(from, f64::MIN, direction))
    }

    /// The vertex of largest projection, if no other is within the tolerance.
    #[inline]
    fn unique_support(&self, from: u32, direction: &[f64; 3]) -> Option<u32> {
        #[cfg(target_arch = "x86_64")]
        if crate::has_avx2() {
            // SAFETY: the CPU supports the target features of the function.
            return unsafe { avx::unique_support(self, from, direction) };
        }
        self.unique_support_scalar(from, direction)
    }

    /// As [`unique_support`](Self::unique_support), without vector instructions.
    fn unique_support_scalar(&self, from: u32, direction: &[f64; 3]) -> Option<u32> {
        match &self.small {
            Some(small) => unique_maximum(small, direction, self.tolerance),
            None => self.hill_climb_f32_with(from, direction, block_max),
        }
    }

    /// Hill climbing in single precision from the better of `from` and the seed of the direction's cell;
    /// `None` if a neighbour of the final vertex is within the tolerance. `block_max` returns the largest
    /// projection of a block, its lane, and whether it is at least a threshold.
    #[inline(always)]
    fn hill_climb_f32_with(
        &self,
        from: u32,
        direction: &[f64; 3],
        block_max: impl Fn(&Block, &[f32; 3], f32) -> (f32, usize, bool),
    ) -> Option<u32> {
        let &(mut best, start) = self.cell_seeds.get(cell(direction))?;
        let d = direction.map(|x| x as f32);
        let along = |p: &[f32; 3]| d[0] * p[0] + d[1] * p[1] + d[2] * p[2];
        let mut highest = along(&start);
        let other = self.positions.get(from as usize).map_or(f32::NAN, along);
        if other > highest {
            (best, highest) = (from, other);
        }
        loop {
            let (from, threshold) = (best, highest - self.tolerance);
            let mut tie = false;
            for block in self.neighbours(from) {
                let (along, lane, is_tie) = block_max(block, &d, threshold);
                tie |= is_tie;
                if along > highest {
                    (best, highest) = (block.vertex[lane % BLOCK], along);
                }
            }
            if best == from {
                return (!tie).then_some(best);
            }
        }
    }

    /// Whether the hull has no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.len() < 2
    }

    /// Hill climbing: moves from a vertex to its neighbour of largest projection onto `direction` while that
    /// exceeds all previous projections; `highest` is the projection assigned to the start vertex. Ties go to
    /// the first neighbour.
    #[must_use]
    pub fn hill_climb(&self, from: u32, highest: f64, direction: &[f64; 3]) -> u32 {
        #[cfg(target_arch = "x86_64")]
        if crate::has_avx2() {
            // SAFETY: the CPU supports the target features of the function.
            return unsafe { avx::hill_climb(self, from, highest, direction) };
        }
        self.hill_climb_with(from, highest, direction, project_f64, lanes_above)
    }

    /// The climb, generic over the projection of a block and the comparison with the highest projection.
    #[inline(always)]
    fn hill_climb_with<R: Copy>(
        &self,
        from: u32,
        mut highest: f64,
        direction: &[f64; 3],
        project_f64: impl Fn(&Block, &[f64; 3]) -> R,
        lanes_above: impl Fn(R, f64) -> (u32, [f64; BLOCK]),
    ) -> u32 {
        let mut best = from;
        loop {
            let from = best;
            for block in self.neighbours(from) {
                let (mut lanes, along) = lanes_above(project_f64(block, direction), highest);
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize % BLOCK;
                    lanes &= lanes - 1;
                    if along[lane] > highest {
                        (best, highest) = (block.vertex[lane], along[lane]);
                    }
                }
            }
            if best == from {
                return best;
            }
        }
    }

    /// Blocks of the neighbours of a vertex; empty if the index is out of range.
    #[inline(always)]
    fn neighbours(&self, vertex: u32) -> &[Block] {
        let Some(&[start, end]) =
            self.starts.get(vertex as usize..).and_then(|rest| rest.first_chunk::<2>())
        else {
            return &[];
        };
        self.blocks.get(start as usize..end as usize).unwrap_or(&[])
    }
}

/// Cube-map cell of a direction.
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
    let coordinate = |x: f64| ((x * scale + 0.5 * CELLS as f64) as usize).min(CELLS - 1);
    let face = 2 * axis + usize::from(d[axis] > 0.0);
    (face * CELLS + coordinate(d[(axis + 1) % 3])) * CELLS + coordinate(d[(axis + 2) % 3])
}

/// Direction through the centre of a cell (not normalized).
fn cell_centre(cell: usize) -> [f64; 3] {
    let (face, axis) = (cell / (CELLS * CELLS), cell / (CELLS * CELLS) / 2);
    let coordinate = |k: usize| (2 * k + 1) as f64 / CELLS as f64 - 1.0;
    let mut d = [0.0; 3];
    d[axis] = if face % 2 == 1 { 1.0 } else { -1.0 };
    d[(axis + 1) % 3] = coordinate(cell / CELLS % CELLS);
    d[(axis + 2) % 3] = coordinate(cell % CELLS);
    d
}

/// Projections of eight vertices onto a direction.
#[inline(always)]
fn project_f64(block: &Block, d: &[f64; 3]) -> [f64; BLOCK] {
    let [x, y, z] = &block.position;
    std::array::from_fn(|k| {
        d[0] * f64::from(x[k]) + d[1] * f64::from(y[k]) + d[2] * f64::from(z[k])
    })
}

/// Bit mask of the lanes above a value.
#[inline(always)]
fn lanes_above(along: [f64; BLOCK], highest: f64) -> (u32, [f64; BLOCK]) {
    ((0..BLOCK).map(|k| u32::from(along[k] > highest) << k).sum(), along)
}

/// Projections of eight vertices onto a direction, in single precision.
#[inline(always)]
fn project_f32(block: &Block, d: &[f32; 3]) -> [f32; BLOCK] {
    let [x, y, z] = &block.position;
    std::array::from_fn(|k| d[0] * x[k] + d[1] * y[k] + d[2] * z[k])
}

/// The vertex of largest projection, if no other is within `tolerance`.
fn unique_maximum(
    small: &[Block; SMALL_BLOCKS],
    direction: &[f64; 3],
    tolerance: f32,
) -> Option<u32> {
    let d = direction.map(|x| x as f32);
    let along = small.each_ref().map(|block| project_f32(block, &d));
    let along = along.as_flattened();
    let most = along.iter().fold(f32::NEG_INFINITY, |most, &x| most.max(x));
    let mut maxima = (0..SMALL_BLOCKS * BLOCK).filter(|&k| along[k] >= most - tolerance);
    let first = maxima.next()?;
    maxima.next().is_none().then_some(first as u32)
}

/// Largest projection of eight vertices, its first lane, and whether it is at least `threshold`.
#[inline(always)]
fn block_max(block: &Block, d: &[f32; 3], threshold: f32) -> (f32, usize, bool) {
    let along = project_f32(block, d);
    let most = along.iter().fold(f32::NEG_INFINITY, |most, &x| most.max(x));
    let lane = along.iter().position(|&x| x == most).unwrap_or(BLOCK);
    (most, lane, most >= threshold)
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::{BLOCK, Block, HullSupport, SMALL_BLOCKS};
    use std::arch::x86_64::{
        __m256, __m256d, _CMP_EQ_OQ, _CMP_GE_OQ, _CMP_GT_OQ, _mm_loadu_ps, _mm256_add_pd,
        _mm256_add_ps, _mm256_cmp_pd, _mm256_cmp_ps, _mm256_cvtps_pd, _mm256_cvtss_f32,
        _mm256_loadu_ps, _mm256_max_ps, _mm256_movemask_pd, _mm256_movemask_ps, _mm256_mul_pd,
        _mm256_mul_ps, _mm256_permute_ps, _mm256_permute2f128_ps, _mm256_set1_pd, _mm256_set1_ps,
        _mm256_storeu_pd, _mm256_sub_ps,
    };

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn unique_support(
        map: &HullSupport,
        from: u32,
        direction: &[f64; 3],
    ) -> Option<u32> {
        match &map.small {
            Some(small) => unique_maximum(small, direction, map.tolerance),
            None => hill_climb_f32(map, from, direction),
        }
    }

    /// All vertices at once, with short dependency chains: the next query depends on this result.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn unique_maximum(
        small: &[Block; SMALL_BLOCKS],
        direction: &[f64; 3],
        tolerance: f32,
    ) -> Option<u32> {
        let d = direction.map(|x| _mm256_set1_ps(x as f32));
        let lowest = _mm256_set1_ps(f32::NEG_INFINITY);
        // `max` returns its second operand if the first is NaN
        let along = small.each_ref().map(|block| _mm256_max_ps(project_f32(block, &d), lowest));
        let [a, b, c, e] = along;
        let most = broadcast_max(_mm256_max_ps(_mm256_max_ps(a, b), _mm256_max_ps(c, e)));
        let threshold = _mm256_sub_ps(most, _mm256_set1_ps(tolerance));
        let [a, b, c, e] = along
            .map(|along| _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GE_OQ>(along, threshold)) as u32);
        let maxima = (a | b << BLOCK) | (c | e << BLOCK) << (2 * BLOCK);
        // exactly one bit
        (maxima != 0 && maxima & (maxima - 1) == 0).then(|| maxima.trailing_zeros())
    }

    #[target_feature(enable = "avx2")]
    fn hill_climb_f32(map: &HullSupport, from: u32, direction: &[f64; 3]) -> Option<u32> {
        map.hill_climb_f32_with(from, direction, |block, d, threshold| {
            let along = project_f32(block, &d.map(|x| _mm256_set1_ps(x)));
            // `max` returns its second operand if the first is NaN
            let most = broadcast_max(_mm256_max_ps(along, _mm256_set1_ps(f32::NEG_INFINITY)));
            let lanes = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_EQ_OQ>(along, most)) as u32;
            let most = _mm256_cvtss_f32(most);
            (most, lanes.trailing_zeros() as usize, most >= threshold)
        })
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn hill_climb(
        map: &HullSupport,
        from: u32,
        highest: f64,
        direction: &[f64; 3],
    ) -> u32 {
        map.hill_climb_with(
            from,
            highest,
            direction,
            |b, d| project_f64(b, d),
            |r, min| lanes_above(r, min),
        )
    }

    /// Projections of eight vertices onto a direction, in single precision.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn project_f32(block: &Block, d: &[__m256; 3]) -> __m256 {
        let part = |axis: usize| {
            // SAFETY: the pointer is to eight `f32`.
            let position = unsafe { _mm256_loadu_ps(block.position[axis].as_ptr()) };
            _mm256_mul_ps(d[axis], position)
        };
        _mm256_add_ps(_mm256_add_ps(part(0), part(1)), part(2))
    }

    /// The largest of eight lanes, in all lanes.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn broadcast_max(x: __m256) -> __m256 {
        let x = _mm256_max_ps(x, _mm256_permute2f128_ps::<1>(x, x));
        let x = _mm256_max_ps(x, _mm256_permute_ps::<0b0100_1110>(x));
        _mm256_max_ps(x, _mm256_permute_ps::<0b1011_0001>(x))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn project_f64(block: &Block, d: &[f64; 3]) -> [__m256d; 2] {
        let part = |half: usize, axis: usize| {
            // SAFETY: the pointer is to four of eight `f32`.
            let position = unsafe { _mm_loadu_ps(block.position[axis].as_ptr().add(4 * half)) };
            _mm256_mul_pd(_mm256_set1_pd(d[axis]), _mm256_cvtps_pd(position))
        };
        [0, 1].map(|half| _mm256_add_pd(_mm256_add_pd(part(half, 0), part(half, 1)), part(half, 2)))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn lanes_above(along: [__m256d; 2], highest: f64) -> (u32, [f64; BLOCK]) {
        let mut out = [0.0; BLOCK];
        let mut lanes = 0;
        for (half, along) in along.into_iter().enumerate() {
            let above = _mm256_cmp_pd::<_CMP_GT_OQ>(along, _mm256_set1_pd(highest));
            lanes |= (_mm256_movemask_pd(above) as u32) << (4 * half);
            // SAFETY: the pointer is to four of eight `f64`.
            unsafe { _mm256_storeu_pd(out.as_mut_ptr().add(4 * half), along) };
        }
        (lanes, out)
    }
}
