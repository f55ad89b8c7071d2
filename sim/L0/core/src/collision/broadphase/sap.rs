//! Sweep and prune (`mj_SAP`): overlapping pairs among axis-aligned bounding boxes, by sorting and
//! sweeping along the axis of largest variance. The sorted order is kept between steps.

use super::pair_table::PairKey;
use crate::data::heap_bytes;
use sim_simd::AabbBatch;

/// World-axis-aligned boxes in single precision, rounded outward.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sap {
    /// Lower and upper bounds of each box.
    bounds: Vec<[f32; 6]>,
    /// Active boxes: lower bound along the sweep axis and box index, in the order of the last sweep.
    order: Vec<(f32, u32)>,
    /// The active boxes in sorted order, as structure of arrays.
    sorted: AabbBatch,
    /// Overlapping pairs, as positions in `order`.
    overlaps: Vec<[u32; 2]>,
    /// Sum and sum of squares of the lower bounds set since the last sweep, for each axis.
    moments: [[f64; 3]; 2],
}

impl Sap {
    /// Heap memory, bytes.
    pub(crate) fn bytes(&self) -> usize {
        // `sorted` holds the bounds a second time
        2 * heap_bytes(&self.bounds) + heap_bytes(&self.order) + heap_bytes(&self.overlaps)
    }

    /// Makes exactly the boxes `0..count` active.
    pub(crate) fn activate_all(&mut self, count: usize) {
        if self.order.len() != count {
            self.resize(count);
            self.order.clear();
            self.order.extend((0..count as u32).map(|k| (0.0, k)));
        }
    }

    /// Deactivates the boxes for which `keep` is false; the others keep their order.
    pub(crate) fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        self.order.retain(|&(_, k)| keep(k));
    }

    /// Activates an inactive box.
    pub(crate) fn activate(&mut self, k: u32) {
        self.order.push((0.0, k));
    }

    /// Sets the number of boxes; a different number than before deactivates all of them.
    pub(crate) fn resize(&mut self, count: usize) {
        if self.bounds.len() != count {
            self.bounds.clear();
            self.bounds.resize(count, [f32::NAN; 6]);
            self.order.clear();
        }
    }

    /// Sets the bounds of an active box.
    #[inline(always)]
    pub(crate) fn set(&mut self, k: usize, low: [f64; 3], high: [f64; 3]) {
        let bounds = &mut self.bounds[k];
        for axis in 0..3 {
            self.moments[0][axis] += low[axis];
            self.moments[1][axis] += low[axis] * low[axis];
            // exceeds the rounding error of the conversion to single precision
            bounds[axis] = (low[axis] - 1.2e-7 * low[axis].abs()) as f32;
            bounds[3 + axis] = (high[axis] + 1.2e-7 * high[axis].abs()) as f32;
        }
    }

    /// The bounds of a box.
    #[inline(always)]
    pub(crate) fn bounds(&self, k: usize) -> &[f32; 6] {
        &self.bounds[k]
    }

    /// Finds all overlapping pairs of active boxes.
    pub(crate) fn sweep(&mut self) {
        let count = self.order.len().max(1) as f64;
        let [sum, square] = std::mem::take(&mut self.moments);
        let variance: [f64; 3] = std::array::from_fn(|k| square[k] - sum[k] * sum[k] / count);
        let larger = |a: usize, b: usize| if variance[b] > variance[a] { b } else { a };
        let x = larger(larger(0, 1), 2);
        let [y, z] = [(x + 1) % 3, (x + 2) % 3];
        for (low, k) in &mut self.order {
            *low = self.bounds[*k as usize][x];
            // boxes with NaN bounds overlap nothing; sorted last, they do not end the sweep early
            if low.is_nan() {
                *low = f32::INFINITY;
            }
        }
        sort_nearly_sorted(&mut self.order);
        self.sorted.reset(self.order.len());
        for (position, &(low, k)) in self.order.iter().enumerate() {
            let b = &self.bounds[k as usize];
            self.sorted.set(position, &[low, b[y], b[z], b[3 + x], b[3 + y], b[3 + z]]);
        }
        self.overlaps.clear();
        self.sorted.sweep(&mut self.overlaps);
    }

    /// Overlapping pairs of the last sweep, as box indices.
    pub(crate) fn overlaps(&self) -> impl Iterator<Item = [usize; 2]> {
        self.overlaps
            .iter()
            .map(|pair| pair.map(|position| self.order[position as usize].1 as usize))
    }
}

/// Sorts by the first component: insertion sort for the nearly sorted lists of consecutive steps, and a
/// general sort when that takes too many moves.
fn sort_nearly_sorted(list: &mut [(f32, u32)]) {
    let mut budget = 8 * list.len();
    for k in 1..list.len() {
        let new = list[k];
        let mut hole = k;
        while hole > 0 && list[hole - 1].0 > new.0 {
            list[hole] = list[hole - 1];
            hole -= 1;
        }
        list[hole] = new;
        budget = budget.saturating_sub(k - hole);
        if budget == 0 {
            list.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            return;
        }
    }
}

/// Memory of the two-level sweep; its stage functions are in `two_level.rs`.
#[derive(Debug, Clone, Default)]
pub(crate) struct TwoLevelSap {
    /// First level: single geoms and whole bodies.
    pub(super) coarse: Sap,
    /// Second level: geoms of bodies that overlap something, and what they overlap.
    pub(super) fine: Sap,
    /// For each item of the first level, the bounds of its overlaps with bodies.
    pub(super) regions: Vec<[f32; 6]>,
    /// For each geom, the last sweep in which it was active on the second level, and whether as part of
    /// a body.
    pub(super) stamps: Vec<(u64, bool)>,
    /// Number of second-level sweeps so far.
    pub(super) count: u64,
    /// Stack of BVH traversals.
    pub(super) stack: Vec<u32>,
    /// Keys of the candidates found, unsorted.
    pub(super) found: Vec<PairKey>,
    /// Start of each first body's keys in `sorted`.
    pub(super) starts: Vec<u32>,
    /// Keys in contact order.
    pub(super) sorted: Vec<PairKey>,
}

impl TwoLevelSap {
    /// Heap memory, bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.coarse.bytes()
            + self.fine.bytes()
            + heap_bytes(&self.regions)
            + heap_bytes(&self.stamps)
            + heap_bytes(&self.stack)
            + heap_bytes(&self.found)
            + heap_bytes(&self.starts)
            + heap_bytes(&self.sorted)
    }
}
