//! Particles by the cells of a grid, in a table of hashed cells.

use nalgebra::Vector3;

/// Particles sorted by cell.
#[derive(Debug, Default)]
pub(super) struct Grid {
    inv_size: f64,
    /// Slot of each particle.
    slots: Vec<u32>,
    /// First entry of each slot, and the number of entries.
    starts: Vec<u32>,
    /// Particles by slot, in order within one.
    entries: Vec<u32>,
}

/// Cell of a point.
pub(super) type Cell = [i64; 3];

impl Grid {
    /// Sorts particles into cells of this size, by counting.
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
        // from the last to the first, so that each slot has its particles in order
        for (i, &s) in self.slots.iter().enumerate().rev() {
            self.starts[s as usize] -= 1;
            self.entries[self.starts[s as usize] as usize] = i as u32;
        }
    }

    /// Cell of a point. Points too far away to be numbered share the outermost cell.
    pub(super) fn cell(&self, x: Vector3<f64>) -> Cell {
        [x.x, x.y, x.z].map(|v| (v * self.inv_size).floor().clamp(-1e15, 1e15) as i64)
    }

    /// Slot of a cell.
    pub(super) fn slot(&self, c: Cell) -> usize {
        const MIX: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9];
        let hash = (0..3).fold(0u64, |h, k| (h ^ c[k] as u64).wrapping_mul(MIX[k]).rotate_left(29));
        hash as usize & (self.starts.len() - 2)
    }

    /// Particles of a slot: those of its cell, and of others that share it.
    pub(super) fn entries(&self, slot: usize) -> &[u32] {
        &self.entries[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }

    /// Whether a particle is in this cell.
    pub(super) fn is_in(&self, x: Vector3<f64>, c: Cell) -> bool {
        self.cell(x) == c
    }

    /// Calls `each` with every particle in a box: `x` are those that the grid was filled with.
    pub(super) fn visit(
        &self,
        x: &[Vector3<f64>],
        least: Vector3<f64>,
        greatest: Vector3<f64>,
        mut each: impl FnMut(u32),
    ) {
        let inside = |y: &Vector3<f64>| (0..3).all(|k| y[k] >= least[k] && y[k] <= greatest[k]);
        let (low, high) = (self.cell(least), self.cell(greatest));
        let cells = (0..3).map(|k| (high[k] - low[k] + 1) as f64).product::<f64>();
        if cells > x.len() as f64 {
            // a box over more cells than there are particles: look at each of them
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
