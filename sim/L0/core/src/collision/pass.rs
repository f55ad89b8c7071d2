//! One sweep of boxes along the axis on which they are spread most.

use crate::data::held;
use sim_simd::Boxes;

/// Boxes along the axes of the world, in single precision, rounded outward.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pass {
    /// Lower and upper ends of each box.
    ends: Vec<[f32; 6]>,
    /// Who takes part: lower end along the axis, number of the box, in the order of the last sweep.
    order: Vec<(f32, u32)>,
    /// The same boxes in order.
    boxes: Boxes,
    /// Which of them overlap.
    overlaps: Vec<[u32; 2]>,
    /// Sum of the lower ends that were set since the last sweep, and of their squares.
    spread: [[f64; 3]; 2],
}

impl Pass {
    /// Bytes that it holds.
    pub(crate) fn bytes(&self) -> usize {
        // boxes are the ends again
        2 * held(&self.ends) + held(&self.order) + held(&self.overlaps)
    }

    /// Makes room for boxes, and lets all of them take part.
    pub(crate) fn take_all(&mut self, count: usize) {
        if self.order.len() != count {
            self.make_room(count);
            self.order.clear();
            self.order.extend((0..count as u32).map(|k| (0.0, k)));
        }
    }

    /// Lets only those of the boxes go on taking part that are told to, in their order.
    pub(crate) fn keep(&mut self, stays: impl Fn(u32) -> bool) {
        self.order.retain(|&(_, k)| stays(k));
    }

    /// Lets a box take part that did not.
    pub(crate) fn add(&mut self, k: u32) {
        self.order.push((0.0, k));
    }

    /// Makes room for boxes; if there were others, none takes part now.
    pub(crate) fn make_room(&mut self, count: usize) {
        if self.ends.len() != count {
            self.ends.clear();
            self.ends.resize(count, [f32::NAN; 6]);
            self.order.clear();
        }
    }

    /// Sets the ends of a box that takes part.
    #[inline(always)]
    pub(crate) fn set(&mut self, k: usize, low: [f64; 3], high: [f64; 3]) {
        let ends = &mut self.ends[k];
        for axis in 0..3 {
            self.spread[0][axis] += low[axis];
            self.spread[1][axis] += low[axis] * low[axis];
            // more than rounding to single precision takes away
            ends[axis] = (low[axis] - 1.2e-7 * low[axis].abs()) as f32;
            ends[3 + axis] = (high[axis] + 1.2e-7 * high[axis].abs()) as f32;
        }
    }

    /// The ends of a box.
    #[inline(always)]
    pub(crate) fn ends(&self, k: usize) -> &[f32; 6] {
        &self.ends[k]
    }

    /// Finds out which boxes overlap.
    pub(crate) fn sweep(&mut self) {
        let count = self.order.len().max(1) as f64;
        let [sum, square] = std::mem::take(&mut self.spread);
        let variance: [f64; 3] = std::array::from_fn(|k| square[k] - sum[k] * sum[k] / count);
        let larger = |a: usize, b: usize| if variance[b] > variance[a] { b } else { a };
        let x = larger(larger(0, 1), 2);
        let [y, z] = [(x + 1) % 3, (x + 2) % 3];
        for (low, k) in &mut self.order {
            *low = self.ends[*k as usize][x];
            // what is no number overlaps nothing, and must not part those that are
            if low.is_nan() {
                *low = f32::INFINITY;
            }
        }
        sort_nearly_sorted(&mut self.order);
        self.boxes.reset(self.order.len());
        for (place, &(low, k)) in self.order.iter().enumerate() {
            let e = &self.ends[k as usize];
            self.boxes.set(place, &[low, e[y], e[z], e[3 + x], e[3 + y], e[3 + z]]);
        }
        self.overlaps.clear();
        self.boxes.sweep(&mut self.overlaps);
    }

    /// Every two boxes that overlap, by their numbers.
    pub(crate) fn overlaps(&self) -> impl Iterator<Item = [usize; 2]> {
        self.overlaps.iter().map(|pair| pair.map(|place| self.order[place as usize].1 as usize))
    }
}

/// Sorts by the first number. From one step to the next little changes, so insertion is fast; if it
/// is not, a general sort takes over.
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
