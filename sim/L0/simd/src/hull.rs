//! Walks over the vertices of a convex hull.

/// Vertices in a block.
const BLOCK: usize = 4;
/// Hulls of no more blocks are searched whole.
const WHOLE: usize = 8;
/// Cells along each side of the six faces of a cube, by which walks over large hulls know where to start.
const CELLS: usize = 16;
/// What single precision leaves open of a hull's shape, as a part of its size.
const ROUGH: f64 = 1e-6;

/// The vertices around each vertex of a hull, with their positions, in blocks of four.
#[derive(Debug, Clone, Default)]
pub struct HullMap {
    /// Where the blocks of each vertex start; one more than there are vertices.
    starts: Vec<u32>,
    blocks: Vec<Block>,
    /// All vertices in the order of their numbers; empty for a large hull.
    whole: Vec<Block>,
    /// For each cell of directions a vertex of a large hull that is far in it, and where that is.
    starts_by_cell: Vec<(u32, [f32; 3])>,
    /// Vertices less apart than this along a direction count as equally far.
    slack: f64,
}

/// Four vertices; positions that are no numbers fill up the last block.
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
        self.slack = ROUGH * f64::from(size);
        if count <= WHOLE * BLOCK {
            self.whole = vec![Block::EMPTY; count.div_ceil(BLOCK)];
            for (k, &position) in positions.iter().enumerate() {
                self.whole[k / BLOCK].put(k % BLOCK, k as u32, position);
            }
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
    }

    /// The vertex that [`climb`](Self::climb) ends at for a direction of unit length, where no other comes
    /// near it: then it does not depend on the way. Of a small hull all vertices are measured at once, on
    /// a large one the walk starts near the end. Where two are about equally far, the climb is made.
    #[must_use]
    pub fn farthest(&self, from: u32, direction: &[f64; 3]) -> u32 {
        self.alone(direction).unwrap_or_else(|| self.climb(from, f64::MIN, direction))
    }

    /// The farthest of all vertices, if no other comes near it.
    fn alone(&self, direction: &[f64; 3]) -> Option<u32> {
        #[cfg(target_arch = "x86_64")]
        if crate::has_avx2() {
            // SAFETY: the machine has the instructions that the functions are compiled for.
            return unsafe {
                if self.whole.is_empty() {
                    avx::ascend(self, direction)
                } else {
                    avx::alone(self, direction)
                }
            };
        }
        self.alone_without(direction)
    }

    /// The same without vector instructions.
    fn alone_without(&self, direction: &[f64; 3]) -> Option<u32> {
        if self.whole.is_empty() {
            self.ascend_with(direction, reach, beyond)
        } else {
            self.alone_portable(direction)
        }
    }

    /// Walks uphill from a start that is near the end. Nothing if a neighbour of the last vertex is about
    /// as far.
    #[inline(always)]
    fn ascend_with<R: Copy>(
        &self,
        direction: &[f64; 3],
        reach: impl Fn(&Block, &[f64; 3]) -> R,
        beyond: impl Fn(R, f64) -> (u32, [f64; BLOCK]),
    ) -> Option<u32> {
        let &(mut best, start) = self.starts_by_cell.get(cell(direction))?;
        let mut farthest = direction[0] * f64::from(start[0])
            + direction[1] * f64::from(start[1])
            + direction[2] * f64::from(start[2]);
        loop {
            let from = best;
            let mut near = false;
            for block in self.around(from) {
                let (mut lanes, along) = beyond(reach(block, direction), farthest - self.slack);
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize % BLOCK;
                    lanes &= lanes - 1;
                    near = true;
                    if along[lane] > farthest {
                        (best, farthest) = (block.vertex[lane], along[lane]);
                    }
                }
            }
            if best == from {
                return (!near).then_some(best);
            }
        }
    }

    fn alone_portable(&self, direction: &[f64; 3]) -> Option<u32> {
        let mut along = [[f64::NAN; BLOCK]; WHOLE];
        let mut most = f64::NEG_INFINITY;
        for (along, block) in along.iter_mut().zip(&self.whole) {
            *along = reach(block, direction);
            most = along.iter().fold(most, |most, &x| most.max(x));
        }
        let near = |k: &usize| along[k / BLOCK][k % BLOCK] >= most - self.slack;
        let mut near = (0..WHOLE * BLOCK).filter(near);
        let first = near.next()?;
        near.next().is_none().then_some(first as u32)
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

    /// The walk, with a way to measure four neighbours, and to tell which are beyond a distance.
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

/// How far four neighbours are along a direction.
#[inline(always)]
fn reach(block: &Block, d: &[f64; 3]) -> [f64; BLOCK] {
    let [x, y, z] = &block.position;
    std::array::from_fn(|k| {
        d[0] * f64::from(x[k]) + d[1] * f64::from(y[k]) + d[2] * f64::from(z[k])
    })
}

/// Which of four are beyond a distance, as bits.
#[inline(always)]
fn beyond(along: [f64; BLOCK], farthest: f64) -> (u32, [f64; BLOCK]) {
    ((0..BLOCK).map(|k| u32::from(along[k] > farthest) << k).sum(), along)
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::{BLOCK, Block, HullMap, WHOLE};
    use std::arch::x86_64::{
        __m256d, _CMP_GE_OQ, _CMP_GT_OQ, _mm_cvtsd_f64, _mm_loadu_ps, _mm_max_pd, _mm_max_sd,
        _mm_unpackhi_pd, _mm256_add_pd, _mm256_castpd256_pd128, _mm256_cmp_pd, _mm256_cvtps_pd,
        _mm256_extractf128_pd, _mm256_max_pd, _mm256_movemask_pd, _mm256_mul_pd, _mm256_set1_pd,
        _mm256_storeu_pd,
    };

    #[target_feature(enable = "avx2")]
    pub(super) fn alone(map: &HullMap, direction: &[f64; 3]) -> Option<u32> {
        let mut along = [_mm256_set1_pd(f64::NAN); WHOLE];
        let mut most = _mm256_set1_pd(f64::NEG_INFINITY);
        for (along, block) in along.iter_mut().zip(&map.whole) {
            *along = reach(block, direction);
            // of a number and what is none the second counts
            most = _mm256_max_pd(*along, most);
        }
        let most = _mm_max_pd(_mm256_castpd256_pd128(most), _mm256_extractf128_pd::<1>(most));
        let most = _mm_cvtsd_f64(_mm_max_sd(most, _mm_unpackhi_pd(most, most)));
        let enough = _mm256_set1_pd(most - map.slack);
        let mut near = 0;
        for (k, along) in along.iter().enumerate().take(map.whole.len()) {
            let lanes = _mm256_cmp_pd::<_CMP_GE_OQ>(*along, enough);
            near |= (_mm256_movemask_pd(lanes) as u32) << (BLOCK * k);
        }
        (near.count_ones() == 1).then(|| near.trailing_zeros())
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn ascend(map: &HullMap, direction: &[f64; 3]) -> Option<u32> {
        map.ascend_with(direction, |b, d| reach(b, d), |r, far| beyond(r, far))
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn climb(map: &HullMap, from: u32, farthest: f64, direction: &[f64; 3]) -> u32 {
        map.climb_with(from, farthest, direction, |b, d| reach(b, d), |r, far| beyond(r, far))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn reach(block: &Block, d: &[f64; 3]) -> __m256d {
        let part = |axis: usize| {
            // SAFETY: the pointer is to four numbers.
            let position = unsafe { _mm_loadu_ps(block.position[axis].as_ptr()) };
            _mm256_mul_pd(_mm256_set1_pd(d[axis]), _mm256_cvtps_pd(position))
        };
        _mm256_add_pd(_mm256_add_pd(part(0), part(1)), part(2))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn beyond(along: __m256d, farthest: f64) -> (u32, [f64; BLOCK]) {
        let lanes = _mm256_cmp_pd::<_CMP_GT_OQ>(along, _mm256_set1_pd(farthest));
        let mut out = [0.0; BLOCK];
        // SAFETY: there is room for four numbers.
        unsafe { _mm256_storeu_pd(out.as_mut_ptr(), along) };
        (_mm256_movemask_pd(lanes) as u32, out)
    }
}

#[cfg(test)]
mod tests {
    use super::{HullMap, beyond, reach};

    /// Points on a sphere, each next to those that differ little in number: no hull, but a map.
    fn points() -> Vec<[f32; 3]> {
        (0..200_u16)
            .map(|k| {
                let (turn, z) = (f32::from(k) * 2.4, f32::from(k) / 100.0 - 0.995);
                let r = (1.0 - z * z).sqrt();
                [r * turn.cos(), r * turn.sin(), z]
            })
            .collect()
    }

    /// How far a point is along a direction.
    fn along(point: [f32; 3], d: [f64; 3]) -> f64 {
        let p = point.map(f64::from);
        d[0] * p[0] + d[1] * p[1] + d[2] * p[2]
    }

    #[test]
    fn both_versions_walk_the_same_way() {
        let points = points();
        let around = |k: usize| -> Vec<(u32, [f32; 3])> {
            let steps = [1, 8, 13, 21, 34, 5].iter().take(3 + k % 4);
            steps
                .flat_map(|step| [k.checked_sub(*step), Some(k + step)])
                .flatten()
                .filter(|&j| j < points.len())
                .map(|j| (j as u32, points[j]))
                .collect()
        };
        let map = HullMap::new((0..points.len()).map(|k| around(k).into_iter()));
        assert!(!map.is_empty());
        for k in 0..500_u16 {
            let t = f64::from(k);
            let direction = [t.sin(), (1.7 * t).sin(), (0.3 * t).cos()];
            let along = |j: u32| along(points[j as usize], direction);
            let start = u32::from(k) % 200;
            for lowest in [f64::MIN, along(start)] {
                let end = map.climb(start, lowest, &direction);
                assert_eq!(end, map.climb_with(start, lowest, &direction, reach, beyond));
                // one vertex after another
                let (mut best, mut farthest) = (start, lowest);
                loop {
                    let from = best;
                    for (j, _) in around(from as usize) {
                        if along(j) > farthest {
                            (best, farthest) = (j, along(j));
                        }
                    }
                    if best == from {
                        break;
                    }
                }
                assert_eq!(end, best);
            }
        }
    }

    #[test]
    fn a_small_hull_is_searched_whole() {
        let points: Vec<[f32; 3]> = points().into_iter().step_by(9).collect();
        let around = |k: usize| {
            let others = (0..points.len()).filter(move |&j| j != k);
            others.map(|j| (j as u32, points[j])).collect::<Vec<_>>().into_iter()
        };
        let map = HullMap::new((0..points.len()).map(around));
        for k in 0..500_u16 {
            let t = f64::from(k);
            let d = [t.sin(), (1.7 * t).sin(), (0.3 * t).cos()];
            let along = |j: u32| along(points[j as usize], d);
            let best = (0..points.len() as u32).max_by(|&a, &b| along(a).total_cmp(&along(b)));
            assert_eq!(best, map.alone(&d));
            assert_eq!(best, map.alone_without(&d));
            assert_eq!(best, Some(map.farthest(u32::from(k) % 23, &d)));
        }
    }

    /// A ball of trapezoids: rings of vertices between two poles.
    #[test]
    fn walks_over_a_large_hull_start_near_their_end() {
        let (rings, around) = (12_u16, 16_u16);
        let number = |ring: u16, k: u16| u32::from(ring * around + k % around);
        let angle = |k: u16, of: u16| f32::from(k) / f32::from(of) * std::f32::consts::TAU;
        let point = |j: u32| -> [f32; 3] {
            let (ring, k) = (j as u16 / around, j as u16 % around);
            let (polar, turn) = (angle(2 * ring + 1, 4 * rings), angle(k, around));
            [polar.sin() * turn.cos(), polar.sin() * turn.sin(), 0.7 * polar.cos()]
        };
        let count = u32::from(rings * around);
        let neighbours = |j: u32| {
            let (ring, k) = (j as u16 / around, j as u16 % around);
            let mut list = vec![number(ring, k + 1), number(ring, k + around - 1)];
            list.extend((ring > 0).then(|| number(ring - 1, k)));
            list.extend((ring + 1 < rings).then(|| number(ring + 1, k)));
            list.into_iter().map(|j| (j, point(j))).collect::<Vec<_>>().into_iter()
        };
        let map = HullMap::new((0..count).map(neighbours));
        let mut found = 0;
        for k in 0..2000_u16 {
            let t = f64::from(k);
            let d = [t.sin(), (1.7 * t).sin(), (0.3 * t).cos()];
            let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
            let d = d.map(|x| x / length);
            let along = |j: u32| along(point(j), d);
            let best = (0..count).max_by(|&a, &b| along(a).total_cmp(&along(b)));
            let alone = map.alone(&d);
            assert_eq!(alone, map.alone_without(&d));
            assert!(alone.is_none() || alone == best);
            found += u32::from(alone.is_some());
            let end = map.farthest(u32::from(k) % count, &d);
            assert!(along(end) > along(best.unwrap_or(0)) - 2.0 * map.slack);
        }
        assert!(found > 1900, "{found}");
    }

    #[test]
    fn every_direction_is_in_the_cell_of_its_middle() {
        for k in 0..6 * super::CELLS * super::CELLS {
            assert_eq!(super::cell(&super::cell_centre(k)), k);
        }
    }

    #[test]
    fn of_equally_far_vertices_the_climb_decides() {
        let corner = |k: u32| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { 1.0 } else { -1.0 });
        let around = |k: u32| (0..3).map(move |axis| (k ^ 1 << axis, corner(k ^ 1 << axis)));
        let map = HullMap::new((0..8).map(around));
        let up = [0.0, 0.0, 1.0];
        assert_eq!(map.alone(&up), None);
        assert_eq!(map.alone_without(&up), None);
        for from in 0..8 {
            assert_eq!(map.farthest(from, &up), map.climb(from, f64::MIN, &up));
        }
        assert_eq!(map.farthest(0, &[0.6, -0.48, 0.64]), 0b101);
    }

    #[test]
    fn a_neighbour_that_is_not_there_ends_a_walk() {
        let nowhere = |k: u32| std::iter::once((k + 40, [1.0, 0.0, 0.0]));
        let map = HullMap::new((0..40).map(nowhere));
        assert_eq!(map.farthest(3, &[1.0, 0.0, 0.0]), 40);
    }

    #[test]
    fn a_vertex_that_is_not_there_has_no_neighbours() {
        let map = HullMap::new(std::iter::empty::<std::iter::Empty<(u32, [f32; 3])>>());
        assert!(map.is_empty());
        assert_eq!(map.climb(7, f64::MIN, &[1.0, 0.0, 0.0]), 7);
    }
}
