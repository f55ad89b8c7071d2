//! Motion bounds: separated pairs of the pair list are skipped until their geoms may have come into
//! contact.
//!
//! A pair with separation `s` stays separated while the accumulated displacements of its two geoms sum to
//! less than `s`, where the displacement of a geom is that of its farthest-moving point. Pairs are
//! processed in blocks of eight: a block is skipped while twice the accumulated largest displacement of
//! any geom is below the smallest remaining separation of its pairs. Skipping changes the amount of
//! work, never the contacts.

pub(crate) use super::pair_table::BLOCK;
use super::pair_table::PairTable;
use crate::data::heap_bytes;
use crate::math::mat3::Mat3;
use crate::math::vec3::{self, Vec3};
use sim_simd::gather;

/// Separations below this are treated as contact, m; it also covers the rounding of larger ones.
const MIN_SEPARATION: f64 = 1e-9;
/// Accumulated displacement at which all bounds are reset, so that sums stay exact enough, m.
const MAX_DISPLACEMENT: f64 = 1e3;

/// Settings on which the stored bounds depend; a change discards them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct BoundKey {
    /// [`PairTable::id`].
    pub table: u64,
    /// Bits of the margin that overrides all others.
    pub margin: Option<u64>,
    /// Whether contacts between a body and its parent are allowed.
    pub parent_child: bool,
}

/// Separation bounds of the pairs of a list.
#[derive(Debug, Clone, Default)]
pub(crate) struct MotionBound {
    key: BoundKey,
    /// Accumulated upper bound on the displacement of any geom, m.
    max_displacement: f64,
    /// Accumulated displacement bound of each geom of the list, m.
    displacement: Vec<f64>,
    /// For each block, the value of `max_displacement` after which it must be checked again.
    recheck_after: Vec<f64>,
    /// For each pair, the sum of its geoms' displacements after which it must be checked again; infinite
    /// for unused lanes.
    pair_recheck_after: Vec<[f64; BLOCK]>,
    /// For each pair, the last separating axis that was found; zero if none.
    axes: Vec<[Vec3; BLOCK]>,
    /// Pose of each geom of the list at the last update.
    poses: Vec<(Vec3, Mat3)>,
    /// Blocks with active pairs, and a bit mask of these pairs.
    active: Vec<(u32, u32)>,
}

impl MotionBound {
    /// Heap memory, bytes.
    pub(crate) fn bytes(&self) -> usize {
        heap_bytes(&self.displacement)
            + heap_bytes(&self.recheck_after)
            + heap_bytes(&self.pair_recheck_after)
            + heap_bytes(&self.axes)
            + heap_bytes(&self.poses)
            + heap_bytes(&self.active)
    }

    /// Accumulates the displacements since the last call and collects the active pairs.
    pub(crate) fn update(
        &mut self,
        key: BoundKey,
        pairs: &PairTable,
        geom_xpos: &[Vec3],
        geom_xmat: &[Mat3],
    ) {
        if self.key != key {
            self.key = key;
            let blocks = pairs.list.len().div_ceil(BLOCK);
            self.recheck_after.clear();
            self.recheck_after.resize(blocks, f64::NEG_INFINITY);
            self.pair_recheck_after.clear();
            self.pair_recheck_after.resize(blocks, [f64::INFINITY; BLOCK]);
            self.axes.clear();
            self.axes.resize(blocks, [[0.0; 3]; BLOCK]);
            self.active.clear();
            self.active.reserve(blocks);
            self.displacement.clear();
            self.displacement.resize(pairs.geoms.len(), 0.0);
            self.poses.clear();
            self.poses.resize(pairs.geoms.len(), ([f64::NAN; 3], [f64::NAN; 9]));
        }
        let finite = self.accumulate(pairs, geom_xpos, geom_xmat);
        if !finite || self.max_displacement > MAX_DISPLACEMENT {
            self.max_displacement = 0.0;
            self.displacement.fill(0.0);
            self.recheck_after.fill(f64::NEG_INFINITY);
            let limits = self.pair_recheck_after.as_flattened_mut().iter_mut();
            for (limit, pair) in limits.zip(&pairs.list) {
                let never = pair.parent_child && !key.parent_child;
                *limit = if never { f64::INFINITY } else { f64::NEG_INFINITY };
            }
        }
        self.find_active(pairs);
    }

    /// Adds the displacements since the last call; false if one of them is not finite.
    fn accumulate(&mut self, pairs: &PairTable, xpos: &[Vec3], xmat: &[Mat3]) -> bool {
        let (poses, displacement) = (&mut self.poses[..], &mut self.displacement[..]);
        let geoms = &pairs.geoms[..];
        let largest = sim_simd::dispatch!(
            accumulate(
                poses: &mut [(Vec3, Mat3)],
                displacement: &mut [f64],
                geoms: &[(u32, f64)],
                xpos: &[Vec3],
                xmat: &[Mat3],
            ) -> f64
        );
        self.max_displacement += largest * (1.0 + 1e-9);
        largest.is_finite()
    }

    fn find_active(&mut self, pairs: &PairTable) {
        self.active.clear();
        let (bound, slots) = (self, &pairs.slots[..]);
        sim_simd::dispatch!(find_active(bound: &mut MotionBound, slots: &[[[u32; BLOCK]; 2]]));
    }

    /// Number of blocks with active pairs.
    pub(crate) fn active_len(&self) -> usize {
        self.active.len()
    }

    /// Active block `i`: its index and the bit mask of its active pairs.
    #[inline(always)]
    pub(crate) fn active(&self, i: usize) -> (usize, u32) {
        let (block, pairs) = self.active[i];
        (block as usize, pairs)
    }

    /// The last separating axis of a pair; zero if none is known.
    #[inline(always)]
    pub(crate) fn axis(&mut self, block: usize, k: usize) -> &mut Vec3 {
        &mut self.axes[block][k]
    }

    /// Stores a lower bound on the separation of an active pair; without one it stays active.
    #[inline(always)]
    pub(crate) fn set_separation(
        &mut self,
        block: usize,
        k: usize,
        separation: f64,
        pairs: &PairTable,
    ) {
        let recheck_after = &mut self.recheck_after[block];
        if separation > MIN_SEPARATION {
            let [a, b] = pairs.slots[block].map(|slots| self.displacement[slots[k] as usize]);
            self.pair_recheck_after[block][k] = a + b + (separation - MIN_SEPARATION);
            *recheck_after =
                recheck_after.min(self.max_displacement + 0.5 * (separation - MIN_SEPARATION));
        } else {
            *recheck_after = f64::NEG_INFINITY;
        }
    }
}

/// Adds the displacement bound of each geom since its stored pose, and stores the new pose. Returns the
/// largest; not finite if one is not.
#[inline(always)]
fn accumulate(
    poses: &mut [(Vec3, Mat3)],
    displacement: &mut [f64],
    geoms: &[(u32, f64)],
    xpos: &[Vec3],
    xmat: &[Mat3],
) -> f64 {
    let (mut largest, mut sum) = (0.0_f64, 0.0);
    for ((pose, total), &(geom, radius)) in poses.iter_mut().zip(displacement).zip(geoms) {
        let (pos, mat) = (xpos[geom as usize], &xmat[geom as usize]);
        let translation = vec3::sub(pos, pose.0);
        let square = vec3::dot(translation, translation);
        let mut squares = [0.0; 4];
        for k in 0..4 {
            let (one, two) = (mat[k] - pose.1[k], mat[k + 4] - pose.1[k + 4]);
            squares[k] = one * one + two * two;
        }
        let last = mat[8] - pose.1[8];
        // squared Frobenius norm of the change of the rotation matrix
        let rotation = (squares[0] + squares[2]) + (squares[1] + squares[3]) + last * last;
        // a rotation moves a point at distance r by at most r |ΔR|_F / √2; the test avoids 0 · ∞
        let swing = if rotation == 0.0 { 0.0 } else { radius * (0.5 * rotation).sqrt() };
        let moved = square.sqrt() + swing;
        sum += moved;
        largest = largest.max(moved);
        *total += moved;
        *pose = (pos, *mat);
    }
    if sum.is_finite() { largest } else { sum }
}

/// Collects the active pairs: among blocks whose bound on `max_displacement` is used up, the pairs whose
/// own bound is. The remaining pairs give the block's next bound.
#[inline(always)]
fn find_active(bound: &mut MotionBound, slots: &[[[u32; BLOCK]; 2]]) {
    let MotionBound {
        max_displacement,
        displacement,
        recheck_after,
        pair_recheck_after,
        active,
        ..
    } = bound;
    let largest = *max_displacement;
    let blocks = recheck_after.iter_mut().zip(pair_recheck_after).zip(slots);
    for (block, ((recheck_after, limits), slots)) in blocks.enumerate() {
        if *recheck_after > largest {
            continue;
        }
        let [a, b] = [gather(displacement, &slots[0]), gather(displacement, &slots[1])];
        let (mut mask, mut least) = (0, [f64::INFINITY; BLOCK]);
        for k in 0..BLOCK {
            let remaining = limits[k] - (a[k] + b[k]);
            let is_active = remaining <= MIN_SEPARATION;
            mask |= u32::from(is_active) << k;
            least[k] = if is_active { f64::INFINITY } else { remaining };
        }
        for half in [4, 2, 1] {
            for k in 0..half {
                let (one, two) = (least[k], least[k + half]);
                least[k] = if one < two { one } else { two };
            }
        }
        *recheck_after = largest + 0.5 * (least[0] - MIN_SEPARATION);
        if mask != 0 {
            active.push((block as u32, mask));
        }
    }
}
