//! Spatial hash grid (Teschner et al. 2003): particles sorted by hashed cell.

use nalgebra::Vector3;

/// Particles sorted by the hash of their cell.
#[derive(Debug, Default)]
pub(super) struct HashGrid {
    inv_size: f64,
    /// Hash slot of each particle.
    slots: Vec<u32>,
    /// Start of each slot in `entries`, and the number of entries.
    starts: Vec<u32>,
    /// Particles by slot, sorted by index within a slot.
    entries: Vec<u32>,
}

/// Integer coordinates of a cell.
pub(super) type Cell = [i64; 3];

impl HashGrid {
    /// Builds the grid for cells of `size`, m, by counting sort.
    pub(super) fn fill(&mut self, x: &[Vector3<f64>], size: f64) {
        self.inv_size = size.recip();
        let slots = (2 * x.len()).next_power_of_two();
        self.starts.clear();
        self.starts.resize(slots + 1, 0);
        self.slots.clear();
        for x in x {
            let s = self.slot(self.cell(*x));
            self.slots.push(s as u32);
            self.starts[s] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.entries.resize(x.len(), 0);
        // in reverse, so that each slot is sorted by particle index
        for (i, &s) in self.slots.iter().enumerate().rev() {
            self.starts[s as usize] -= 1;
            self.entries[self.starts[s as usize] as usize] = i as u32;
        }
    }

    /// Cell of a point. Coordinates beyond ±1e15 cells are clamped.
    pub(super) fn cell(&self, x: Vector3<f64>) -> Cell {
        [x.x, x.y, x.z].map(|v| (v * self.inv_size).floor().clamp(-1e15, 1e15) as i64)
    }

    /// Hash slot of a cell.
    pub(super) fn slot(&self, c: Cell) -> usize {
        const MIX: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9];
        let hash = (0..3).fold(0u64, |h, k| (h ^ c[k] as u64).wrapping_mul(MIX[k]).rotate_left(29));
        hash as usize & (self.starts.len() - 2)
    }

    /// Particles of a slot: those of all cells with the same hash.
    pub(super) fn entries(&self, slot: usize) -> &[u32] {
        &self.entries[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }

    /// Whether a point is in a cell.
    pub(super) fn is_in(&self, x: Vector3<f64>, c: Cell) -> bool {
        self.cell(x) == c
    }

    /// Calls `each` with every particle in a box. `x` are the positions that the grid was built
    /// with.
    pub(super) fn visit(
        &self,
        x: &[Vector3<f64>],
        min: Vector3<f64>,
        max: Vector3<f64>,
        mut each: impl FnMut(u32),
    ) {
        let inside = |y: &Vector3<f64>| (0..3).all(|k| y[k] >= min[k] && y[k] <= max[k]);
        let (low, high) = (self.cell(min), self.cell(max));
        let cells = (0..3).map(|k| (high[k] - low[k] + 1) as f64).product::<f64>();
        if cells > x.len() as f64 {
            // a box of more cells than particles: testing every particle is faster
            let all = x.iter().enumerate().filter(|(_, y)| inside(y));
            return all.for_each(|(p, _)| each(p as u32));
        }
        for k in low[2]..=high[2] {
            for j in low[1]..=high[1] {
                for i in low[0]..=high[0] {
                    for &p in self.entries(self.slot([i, j, k])) {
                        let y = x[p as usize];
                        if inside(&y) && self.is_in(y, [i, j, k]) {
                            each(p);
                        }
                    }
                }
            }
        }
    }
}
