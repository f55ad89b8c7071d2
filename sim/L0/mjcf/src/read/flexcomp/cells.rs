//! Cells of an interpolated `flexcomp`: bounding box, empty cells and nodes that belong to empty cells only.

use super::FlexComp;
use std::collections::VecDeque;

/// Lower and upper corner of a box.
pub(super) type Bounds = [[f64; 3]; 2];

/// Bounding box of points.
pub(super) fn bounds(points: &[f64]) -> Bounds {
    let (mut low, mut high) = ([f64::MAX; 3], [-f64::MAX; 3]);
    for p in points.as_chunks::<3>().0 {
        for k in 0..3 {
            low[k] = low[k].min(p[k]);
            high[k] = high[k].max(p[k]);
        }
    }
    [low, high]
}

/// Index of a cell, z fastest.
const fn flat(cells: [usize; 3], at: [usize; 3]) -> usize {
    (at[0] * cells[1] + at[1]) * cells[2] + at[2]
}

/// Visits all grid positions below `counts`, z fastest.
pub(super) fn for_each(counts: [usize; 3], mut visit: impl FnMut([usize; 3])) {
    for x in 0..counts[0] {
        for y in 0..counts[1] {
            for z in 0..counts[2] {
                visit([x, y, z]);
            }
        }
    }
}

impl FlexComp {
    /// Cells along each axis.
    pub(super) fn cells(&self) -> [usize; 3] {
        self.cellcount.map_or([1; 3], |cells| cells.map(|n| usize::try_from(n).unwrap_or(1)))
    }

    /// Nodes along each axis.
    pub(super) fn nodes(&self) -> [usize; 3] {
        let order = usize::try_from(self.dof.order()).unwrap_or(0);
        self.cells().map(|n| n * order + 1)
    }

    /// Number of nodes, 0 without interpolation.
    pub(super) fn node_count(&self) -> usize {
        if self.dof.order() == 0 { 0 } else { self.nodes().iter().product() }
    }

    /// Cells without elements.
    ///
    /// For triangles these are the cells outside of the surface: those reachable from the boundary of the grid
    /// through cells without elements.
    pub(super) fn empty_cells(&self, bounds: Bounds) -> Vec<bool> {
        let cells = self.cells();
        let occupied = self.occupied_cells(bounds);
        if self.flex.dim != 2 {
            return occupied.iter().map(|&occupied| !occupied).collect();
        }
        let mut empty = vec![false; occupied.len()];
        let mut queue = VecDeque::new();
        for_each(cells, |at| {
            let boundary = (0..3).any(|k| at[k] == 0 || at[k] + 1 == cells[k]);
            let index = flat(cells, at);
            if boundary && !occupied[index] {
                empty[index] = true;
                queue.push_back(at);
            }
        });
        while let Some(at) = queue.pop_front() {
            for k in 0..3 {
                for next in [at[k].wrapping_sub(1), at[k] + 1] {
                    let mut neighbour = at;
                    neighbour[k] = next;
                    if next < cells[k] {
                        let index = flat(cells, neighbour);
                        if !empty[index] && !occupied[index] {
                            empty[index] = true;
                            queue.push_back(neighbour);
                        }
                    }
                }
            }
        }
        empty
    }

    /// Cells that the bounding box of an element overlaps.
    fn occupied_cells(&self, [low, high]: Bounds) -> Vec<bool> {
        let cells = self.cells();
        let mut occupied = vec![false; cells.iter().product()];
        let points = self.points.as_chunks::<3>().0;
        for element in self.flex.elem.chunks(self.corners()) {
            let (mut first, mut last) = ([0; 3], [0; 3]);
            for k in 0..3 {
                let cell = |x: f64| {
                    let side = high[k] - low[k];
                    if side <= 0.0 {
                        return 0;
                    }
                    #[allow(clippy::cast_possible_truncation, reason = "clamped to the grid")]
                    let cell = ((x - low[k]) / side * cells[k] as f64) as i64;
                    usize::try_from(cell).unwrap_or(0).min(cells[k] - 1)
                };
                let x = element.iter().map(|&v| points[v as usize][k]);
                first[k] = cell(x.clone().fold(f64::MAX, f64::min));
                last[k] = cell(x.fold(-f64::MAX, f64::max));
            }
            for x in first[0]..=last[0] {
                for y in first[1]..=last[1] {
                    for z in first[2]..=last[2] {
                        occupied[flat(cells, [x, y, z])] = true;
                    }
                }
            }
        }
        occupied
    }

    /// Whether all cells of a node are empty.
    pub(super) fn only_in_empty_cells(&self, node: [usize; 3], empty: &[bool]) -> bool {
        let cells = self.cells();
        let order = usize::try_from(self.dof.order()).unwrap_or(1).max(1);
        let first = node.map(|g| g.saturating_sub(1) / order);
        let last: [usize; 3] = std::array::from_fn(|k| (node[k] / order).min(cells[k] - 1));
        let mut all = true;
        for x in first[0]..=last[0] {
            for y in first[1]..=last[1] {
                for z in first[2]..=last[2] {
                    all &= empty[flat(cells, [x, y, z])];
                }
            }
        }
        all
    }
}
