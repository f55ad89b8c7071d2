//! Walks over the vertices of a convex hull.

/// Neighbours in a block.
const BLOCK: usize = 4;

/// The vertices around each vertex of a hull, with their positions, in blocks of four.
#[derive(Debug, Clone, Default)]
pub struct HullMap {
    /// Where the blocks of each vertex start; one more than there are vertices.
    starts: Vec<u32>,
    blocks: Vec<Block>,
}

/// Four neighbours of a vertex; positions that are no numbers fill up the last block.
#[derive(Debug, Clone)]
struct Block {
    position: [[f32; BLOCK]; 3],
    vertex: [u32; BLOCK],
}

impl HullMap {
    /// A hull of which `neighbours` gives, vertex by vertex, the numbers and positions of the
    /// vertices around it.
    pub fn new<I: Iterator<Item = (u32, [f32; 3])>>(neighbours: impl Iterator<Item = I>) -> Self {
        let mut map = Self { starts: vec![0], blocks: Vec::new() };
        for list in neighbours {
            let start = map.blocks.len();
            for (k, (vertex, position)) in list.enumerate() {
                if k % BLOCK == 0 {
                    map.blocks.push(Block { position: [[f32::NAN; BLOCK]; 3], vertex: [0; BLOCK] });
                }
                let block = &mut map.blocks[start + k / BLOCK];
                block.vertex[k % BLOCK] = vertex;
                for (axis, &x) in position.iter().enumerate() {
                    block.position[axis][k % BLOCK] = x;
                }
            }
            map.starts.push(map.blocks.len() as u32);
        }
        map
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
    use super::{BLOCK, Block, HullMap};
    use std::arch::x86_64::{
        __m256d, _CMP_GT_OQ, _mm_loadu_ps, _mm256_add_pd, _mm256_cmp_pd, _mm256_cvtps_pd,
        _mm256_movemask_pd, _mm256_mul_pd, _mm256_set1_pd, _mm256_storeu_pd,
    };

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
            let along = |j: u32| {
                let p = points[j as usize].map(f64::from);
                direction[0] * p[0] + direction[1] * p[1] + direction[2] * p[2]
            };
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
    fn a_vertex_that_is_not_there_has_no_neighbours() {
        let map = HullMap::new(std::iter::empty::<std::iter::Empty<(u32, [f32; 3])>>());
        assert!(map.is_empty());
        assert_eq!(map.climb(7, f64::MIN, &[1.0, 0.0, 0.0]), 7);
    }
}
