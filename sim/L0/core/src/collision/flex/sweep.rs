//! Sweep and prune over the elements of a flex.

use crate::data::heap_bytes;
use sim_simd::dispatch;

/// Number of elements that are tested at once.
const LANES: usize = 8;

/// Bounds along the two axes across the sweep, rounded outwards.
#[derive(Debug, Clone, Copy)]
pub(super) struct CrossSection {
    pub low: [f32; 2],
    pub high: [f32; 2],
}

impl CrossSection {
    /// The cross section of a box (centre, half size) across the given axes.
    pub(super) fn new(b: &[f64; 6], axes: [usize; 2]) -> Self {
        Self {
            low: axes.map(|k| ((b[k] - b[k + 3]) as f32).next_down()),
            high: axes.map(|k| ((b[k] + b[k + 3]) as f32).next_up()),
        }
    }
}

/// Elements that the sweep plane intersects, with their bounds.
#[derive(Debug, Clone, Copy)]
struct Chunk {
    low: [[f32; LANES]; 2],
    high: [[f32; LANES]; 2],
    element: [u32; LANES],
}

impl Chunk {
    /// Bounds that overlap nothing.
    const EMPTY: Self = Self {
        low: [[f32::INFINITY; LANES]; 2],
        high: [[f32::NEG_INFINITY; LANES]; 2],
        element: [0; LANES],
    };
}

/// The ordered bounds of elements along the sweep axis, and the elements that the sweep plane intersects.
#[derive(Debug, Clone, Default)]
pub(super) struct Sweep {
    /// Bounds of each flex in the order of the last sweep: twice the element, plus one for its upper bound.
    orders: Vec<Vec<u32>>,
    /// Sort keys: the bound along the axis and, for equal bounds, the index in `orders`.
    keys: Vec<u64>,
    /// Elements that the sweep plane intersects or has left, in the order in which it met them.
    active: Vec<Chunk>,
    /// Number of slots in `active` that were used.
    used: usize,
    /// Number of elements that the sweep plane has left.
    removed: usize,
    /// Slot of each element in `active`.
    slot: Vec<u32>,
    /// Elements whose bounds overlap those of a new one.
    hits: Vec<u32>,
}

impl Sweep {
    /// Allocated bytes.
    pub(super) fn bytes(&self) -> usize {
        self.orders.iter().map(heap_bytes).sum::<usize>()
            + heap_bytes(&self.orders)
            + heap_bytes(&self.keys)
            + heap_bytes(&self.active)
            + heap_bytes(&self.slot)
            + heap_bytes(&self.hits)
    }

    /// Sorts the bounds of the elements of flex `f` along an axis and starts a sweep. Equal bounds are in the order
    /// of the elements, the lower bound first.
    pub(super) fn start(
        &mut self,
        f: usize,
        boxes: &[[f64; 6]],
        axis: usize,
        is_active: impl Fn(usize) -> bool,
    ) {
        let Self { orders, keys, slot, .. } = self;
        if orders.len() <= f {
            orders.resize_with(f + 1, Vec::new);
        }
        let order = &mut orders[f];
        if order.len() != 2 * boxes.len() {
            order.clear();
            order.extend(0..2 * boxes.len() as u32);
        }
        keys.clear();
        keys.extend(order.iter().map(|&bound| {
            let b = &boxes[bound as usize / 2];
            let half = if bound & 1 == 1 { b[axis + 3] } else { -b[axis + 3] };
            u64::from(ordered_bits((b[axis] + half) as f32)) << 32 | u64::from(bound)
        }));
        sort_nearly_sorted(keys);
        for (bound, &key) in order.iter_mut().zip(&*keys) {
            *bound = key as u32;
        }
        keys.retain(|&key| is_active(key as u32 as usize / 2));
        slot.resize(boxes.len(), 0);
        self.active.clear();
        (self.used, self.removed) = (0, 0);
    }

    /// The bounds in order: an element and whether it is its upper bound.
    pub(super) fn bound(&self, index: usize) -> Option<(usize, bool)> {
        let bound = *self.keys.get(index)? as u32;
        Some((bound as usize / 2, bound & 1 == 1))
    }

    /// Elements whose cross sections overlap that of a new element, in the order in which they were added.
    pub(super) fn overlaps(&mut self, section: &CrossSection) -> &[u32] {
        let Self { active, hits, .. } = self;
        hits.clear();
        let active = &active[..];
        dispatch!(collect(active: &[Chunk], section: &CrossSection, hits: &mut Vec<u32>));
        &self.hits
    }

    /// Adds an element.
    pub(super) fn add(&mut self, element: usize, section: &CrossSection) {
        let (index, lane) = (self.used / LANES, self.used % LANES);
        if index == self.active.len() {
            self.active.push(Chunk::EMPTY);
        }
        let chunk = &mut self.active[index];
        for k in 0..2 {
            chunk.low[k][lane] = section.low[k];
            chunk.high[k][lane] = section.high[k];
        }
        chunk.element[lane] = element as u32;
        self.slot[element] = self.used as u32;
        self.used += 1;
    }

    /// Removes an element.
    pub(super) fn remove(&mut self, element: usize) {
        let slot = self.slot[element] as usize;
        // an element with undefined bounds may not have been added
        let Some(chunk) = self.active.get_mut(slot / LANES) else { return };
        if chunk.element[slot % LANES] != element as u32 {
            return;
        }
        chunk.low[0][slot % LANES] = f32::INFINITY;
        self.removed += 1;
        if self.removed > 2 * LANES && 3 * self.removed > self.used {
            self.compact();
        }
    }

    /// Closes the gaps of removed elements.
    fn compact(&mut self) {
        let count = self.used;
        (self.used, self.removed) = (0, 0);
        for from in 0..count {
            let (chunk, lane) = (&self.active[from / LANES], from % LANES);
            if chunk.low[0][lane] < f32::INFINITY {
                let section = CrossSection {
                    low: [0, 1].map(|k| chunk.low[k][lane]),
                    high: [0, 1].map(|k| chunk.high[k][lane]),
                };
                self.add(chunk.element[lane] as usize, &section);
            }
        }
        self.active.truncate(self.used.div_ceil(LANES));
        for slot in self.used..self.active.len() * LANES {
            self.active[slot / LANES].low[0][slot % LANES] = f32::INFINITY;
        }
    }
}

/// Adds the elements whose cross sections overlap `section` to `hits`.
#[inline(always)]
fn collect(active: &[Chunk], section: &CrossSection, hits: &mut Vec<u32>) {
    let CrossSection { low, high } = *section;
    for chunk in active {
        let mut bits = [0; LANES];
        for lane in 0..LANES {
            let first = (chunk.low[0][lane] <= high[0]) & (low[0] <= chunk.high[0][lane]);
            let second = (chunk.low[1][lane] <= high[1]) & (low[1] <= chunk.high[1][lane]);
            bits[lane] = if first & second { 1u32 << lane } else { 0 };
        }
        let mut mask = bits.iter().fold(0, |all, bit| all | bit);
        while mask != 0 {
            hits.push(chunk.element[mask.trailing_zeros() as usize]);
            mask &= mask - 1;
        }
    }
}

/// Bits of a number as an integer with the same order.
fn ordered_bits(x: f32) -> u32 {
    let bits = x.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// Sorts by insertion, which is linear if the order has hardly changed since the last step; otherwise by quicksort.
fn sort_nearly_sorted(keys: &mut [u64]) {
    let mut moves_left = 8 * keys.len();
    for i in 1..keys.len() {
        let key = keys[i];
        let mut to = i;
        while to > 0 && keys[to - 1] > key {
            keys[to] = keys[to - 1];
            to -= 1;
        }
        keys[to] = key;
        let Some(left) = moves_left.checked_sub(i - to) else {
            keys.sort_unstable();
            return;
        };
        moves_left = left;
    }
}

#[cfg(test)]
mod tests {
    use super::{CrossSection, Sweep, ordered_bits};
    use crate::math::random::halton;

    #[test]
    fn bits_have_the_order_of_the_numbers() {
        let numbers = [f32::NEG_INFINITY, -2.0, -1e-30, -0.0, 0.0, 1e-30, 3.0, f32::INFINITY];
        assert!(numbers.is_sorted_by(|a, b| ordered_bits(*a) < ordered_bits(*b)));
    }

    /// Boxes that drift a little in each step; some have equal bounds.
    fn boxes(count: u32, step: u32) -> Vec<[f64; 6]> {
        let drift = 0.01 * f64::from(step);
        let centre = |i: u32, base| (8.0 * halton(i + 1, base)).round() + drift * f64::from(i % 3);
        (0..count)
            .map(|i| [centre(i, 2), centre(i, 3), centre(i, 5), 0.5, 0.4, 0.3 + halton(i, 7)])
            .collect()
    }

    /// Overlapping pairs by comparing all, in the order of the sweep along the first axis.
    fn all_pairs(boxes: &[[f64; 6]]) -> Vec<[usize; 2]> {
        let lower = |i: usize| ((boxes[i][0] - boxes[i][3]) as f32, i);
        let mut order: Vec<usize> = (0..boxes.len()).collect();
        order.sort_by(|&a, &b| lower(a).partial_cmp(&lower(b)).unwrap());
        let mut pairs = Vec::new();
        for (k, &b) in order.iter().enumerate() {
            for &a in &order[..k] {
                // the upper bound of an element comes before an equal bound of a later one
                let upper = ((boxes[a][0] + boxes[a][3]) as f32, a);
                let across = |k: usize| {
                    (boxes[a][k] - boxes[b][k]).abs() < boxes[a][k + 3] + boxes[b][k + 3] + 1e-6
                };
                if upper > lower(b) && across(1) && across(2) {
                    pairs.push([a, b]);
                }
            }
        }
        pairs
    }

    #[test]
    fn a_sweep_finds_all_pairs_in_order() {
        let mut sweep = Sweep::default();
        for step in 0..4 {
            let boxes = boxes(300, step);
            sweep.start(0, &boxes, 0, |_| true);
            let mut pairs = Vec::new();
            let mut index = 0;
            while let Some((element, upper)) = sweep.bound(index) {
                index += 1;
                if upper {
                    sweep.remove(element);
                    continue;
                }
                let section = CrossSection::new(&boxes[element], [1, 2]);
                pairs.extend(sweep.overlaps(&section).iter().map(|&a| [a as usize, element]));
                sweep.add(element, &section);
            }
            assert!(pairs.len() > 300);
            assert_eq!(pairs, all_pairs(&boxes), "step {step}");
        }
    }
}
