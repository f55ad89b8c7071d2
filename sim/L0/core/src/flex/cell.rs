//! Interpolation cells: location of points, basis functions, rotation of a deformed cell.

use crate::Model;
use crate::math::at;
use crate::math::quat::{self, Quat};
use crate::math::vec3::Vec3;

/// Largest number of nodes of a cell.
const MAX_NODES: usize = 27;

/// The grid of cells of an interpolated flex. Nodes and cells are numbered with z fastest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cells {
    /// Polynomial order.
    pub order: usize,
    /// Cells along each axis.
    pub count: [usize; 3],
}

impl Cells {
    pub(crate) fn of(m: &Model, f: usize) -> Self {
        let order = m.flex_interp[f].unsigned_abs() as usize;
        Self { order, count: std::array::from_fn(|k| at(&m.flex_cellnum, 3 * f + k)) }
    }

    /// Nodes of one cell.
    pub(crate) fn nodes_per_cell(&self) -> usize {
        (self.order + 1).pow(3)
    }

    /// Number of cells.
    pub(crate) fn len(&self) -> usize {
        self.count[0] * self.count[1] * self.count[2]
    }

    fn node(&self, [x, y, z]: [usize; 3]) -> usize {
        let [_, ny, nz] = self.count.map(|n| n * self.order + 1);
        (x * ny + y) * nz + z
    }

    /// The first node of a cell.
    pub(crate) fn first_node(&self, cell: [usize; 3]) -> usize {
        self.node(cell.map(|c| c * self.order))
    }

    /// Position of cell `i` in the grid.
    pub(crate) fn cell(&self, i: usize) -> [usize; 3] {
        let [_, ny, nz] = self.count;
        [i / (ny * nz), i / nz % ny, i % nz]
    }

    /// Nodes of a cell relative to its first.
    pub(crate) fn offsets(self) -> impl Iterator<Item = usize> {
        let n = self.order + 1;
        (0..self.nodes_per_cell()).map(move |i| self.node([i / (n * n), i / n % n, i % n]))
    }

    /// Cell that contains a point given in units of the whole grid, and its coordinates in that cell.
    #[doc(alias = "mju_cellLookup")]
    pub(crate) fn locate(&self, coord: Vec3) -> ([usize; 3], Vec3) {
        let mut cell = [0; 3];
        let mut local = [0.0; 3];
        for k in 0..3 {
            let n = self.count[k] as f64;
            let index = (coord[k] * n).floor().clamp(0.0, (n - 1.0).max(0.0));
            cell[k] = index as usize;
            local[k] = (coord[k] * n - index).clamp(0.0, 1.0);
        }
        (cell, local)
    }
}

/// Value and derivative of the one-dimensional basis functions.
fn basis(order: usize, s: f64) -> [[f64; 2]; 3] {
    if order == 1 {
        [[1.0 - s, -1.0], [s, 1.0], [0.0; 2]]
    } else {
        [
            [2.0 * s * s - 3.0 * s + 1.0, 4.0 * s - 3.0],
            [4.0 * (s - s * s), 4.0 * (1.0 - 2.0 * s)],
            [2.0 * s * s - s, 4.0 * s - 1.0],
        ]
    }
}

/// Writes the weights of the nodes of a cell at a point in it; returns their number.
#[doc(alias = "mju_evalBasis")]
pub(crate) fn cell_basis(order: usize, local: Vec3, weights: &mut [f64; MAX_NODES]) -> usize {
    let [bx, by, bz] = local.map(|s| basis(order, s));
    let mut count = 0;
    for x in &bx[..=order] {
        for y in &by[..=order] {
            for z in &bz[..=order] {
                weights[count] = x[0] * y[0] * z[0];
                count += 1;
            }
        }
    }
    count
}

/// Gathers the values of the nodes of the cell whose first node is `first`.
#[inline]
pub(crate) fn cell_nodes<'a>(
    values: &[Vec3],
    first: usize,
    offsets: &[u32],
    out: &'a mut [Vec3; MAX_NODES],
) -> &'a [Vec3] {
    for (to, &offset) in out.iter_mut().zip(offsets) {
        *to = values[first + offset as usize];
    }
    &out[..offsets.len()]
}

/// The rotation from the world to the rest orientation of a deformed cell, from the deformation gradient at its
/// centre.
pub(crate) fn cell_rotation(order: usize, x: &[Vec3]) -> Quat {
    let centre = basis(order, 0.5);
    let mut gradient = [0.0; 9];
    let mut nodes = x.iter();
    for bx in &centre[..=order] {
        for by in &centre[..=order] {
            for bz in &centre[..=order] {
                let Some(p) = nodes.next() else { break };
                let g = [bx[1] * by[0] * bz[0], bx[0] * by[1] * bz[0], bx[0] * by[0] * bz[1]];
                for row in 0..3 {
                    for col in 0..3 {
                        gradient[3 * row + col] += p[row] * g[col];
                    }
                }
            }
        }
    }
    quat::conjugate(quat::nearest_rotation(&gradient, quat::IDENTITY).0)
}
