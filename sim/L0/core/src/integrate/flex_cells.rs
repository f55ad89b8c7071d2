//! Implicit integration of the elasticity of interpolated flexes: a banded system of the dofs of their nodes.
//!
//! With the rotated stiffness `K` of each cell and the Jacobian `J` of its nodes, the accelerations of these dofs
//! solve `(M − h D + (h² + h c) Jᵀ K J) a = f − h Jᵀ K J v`, where `c` is the damping. Other dofs keep the
//! accelerations of the system without stiffness.

use super::buffers::CellSystem;
use crate::flex::{Cells, Dofs, cell_nodes, cell_rotation, node_position, node_velocity, nodes};
use crate::jacobian::for_each_dof;
use crate::math::band::Band;
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use crate::math::{at, quat};
use crate::{Data, Model};
use sim_types::Integrator;

/// Whether a flex has elastic cells: some stiffness, and no strain constraints.
fn is_elastic(m: &Model, f: usize) -> bool {
    m.flex_interp[f] != 0
        && !m.flex_rigid[f]
        && m.flex_edgeequality[f] != 3
        && m.flex_stiffness[at(&m.flex_stiffnessadr, f)] != 0.0
}

impl CellSystem {
    /// Discards the factor.
    pub(super) fn invalidate(&mut self) {
        self.valid = false;
    }

    /// Shape of the matrix: as many rows as dofs.
    fn band(m: &Model) -> Option<Band> {
        let ndof = m.plan.flex.cell_dofs.len();
        let width = m.flex_bandwidth.iter().max().map_or(0, |&w| w.max(0) as usize);
        Band::new(ndof, (width + 1).min(ndof), 0)
    }

    /// Builds and factors the matrix from `M − h D`, which for the symmetric integrator is in `qH`.
    pub(super) fn factor(&mut self, m: &Model, d: &Data) {
        self.valid = false;
        let Some(band) = Self::band(m) else { return };
        self.matrix.clear();
        self.matrix.resize(band.len(), 0.0);
        self.load(m, d, &band);
        for f in (0..m.nflex).filter(|&f| is_elastic(m, f)) {
            self.add_stiffness(m, d, f, &band);
        }
        // as in MuJoCo, a matrix that is not positive definite remains partly factored
        let _ = band.factor(&mut self.matrix, 0.0, 0.0);
        self.valid = true;
    }

    /// Copies the rows of the dofs of nodes from `M − h D`.
    fn load(&mut self, m: &Model, d: &Data, band: &Band) {
        self.coupling.clear();
        let plan = &m.plan.flex;
        let full = m.opt.integrator == Integrator::Implicit;
        let (rownnz, rowadr, colind) = if full {
            (&m.D_rownnz, &m.D_rowadr, &m.D_colind)
        } else {
            (&m.M_rownnz, &m.M_rowadr, &m.M_colind)
        };
        for (i, &dof) in plan.cell_dofs.iter().enumerate() {
            let start = at(rowadr, dof as usize);
            for k in start..start + at(rownnz, dof as usize) {
                let value = if full {
                    let inertia = usize::try_from(m.mapM2D[k]).map_or(0.0, |adr| d.M[adr]);
                    inertia - m.opt.timestep * d.qDeriv[k]
                } else {
                    d.qH[k]
                };
                let column = colind[k] as usize;
                match usize::try_from(plan.cell_rows[column]) {
                    Ok(j) => {
                        let (row, col) = (i.max(j), i.min(j));
                        self.matrix[band.diagonal(row) - (row - col)] = value;
                    }
                    Err(_) => self.coupling.push((i as u32, column as u32, value)),
                }
            }
        }
    }

    /// Adds `(h² + h c) Jᵀ K J` of the cells of a flex.
    fn add_stiffness(&mut self, m: &Model, d: &Data, f: usize, band: &Band) {
        let h = m.opt.timestep;
        let scale = h * h + h * m.flex_damping[f];
        if scale == 0.0 {
            return;
        }
        self.gather(m, d, f);
        let offsets = m.plan.flex.cell_offsets(f);
        for_each_cell(m, f, &self.positions, |first, x, k, rotation| {
            self.motions.clear();
            for (n, &offset) in offsets.iter().enumerate() {
                let node = nodes(m, f).start + first + offset as usize;
                push_motions(m, d, (n, node), x[n], &mut self.motions);
            }
            let size = 3 * offsets.len();
            let back = mat3::transpose(rotation);
            // K_ab in world axes is Rᵀ K_ab R
            let mut block: Mat3 = [0.0; 9];
            let mut last = None;
            for &(a, i, left) in &self.motions {
                for &(b, j, right) in &self.motions {
                    if j > i {
                        continue;
                    }
                    if last != Some((a, b)) {
                        let corner = 3 * a as usize * size + 3 * b as usize;
                        let local = std::array::from_fn(|e| k[corner + e / 3 * size + e % 3]);
                        block = mat3::mul(&back, &mat3::mul(&local, rotation));
                        last = Some((a, b));
                    }
                    let value = vec3::dot(left, mat3::mul_vec(&block, right));
                    let (row, col) = (i as usize, j as usize);
                    if row - col < band.width() {
                        self.matrix[band.diagonal(row) - (row - col)] -= scale * value;
                    }
                }
            }
        });
    }

    /// Positions and velocities of the nodes of a flex.
    fn gather(&mut self, m: &Model, d: &Data, f: usize) {
        let range = nodes(m, f);
        self.positions.clear();
        self.positions.extend(range.clone().map(|i| node_position(m, d, i)));
        self.velocities.clear();
        let velocity = |(i, x): (usize, &Vec3)| node_velocity(m, d, range.start + i, *x);
        self.velocities.extend(self.positions.iter().enumerate().map(velocity));
    }

    /// Replaces the accelerations of the dofs of nodes in `qacc`; `qfrc` is the total force.
    pub(super) fn solve(&mut self, m: &Model, d: &Data, qfrc: &[f64], qacc: &mut [f64]) {
        let plan = &m.plan.flex;
        let Some(band) = Self::band(m).filter(|_| self.valid) else { return };
        self.solution.clear();
        self.solution.extend(plan.cell_dofs.iter().map(|&dof| qfrc[dof as usize]));
        for f in (0..m.nflex).filter(|&f| is_elastic(m, f)) {
            self.add_velocity_force(m, d, f);
        }
        for &(row, dof, value) in &self.coupling {
            self.solution[row as usize] -= value * qacc[dof as usize];
        }
        band.solve(&self.matrix, &mut self.solution);
        for (&dof, &value) in plan.cell_dofs.iter().zip(&self.solution) {
            qacc[dof as usize] = value;
        }
    }

    /// Adds `h Jᵀ K J v` with the negative stiffness `K` of the model.
    fn add_velocity_force(&mut self, m: &Model, d: &Data, f: usize) {
        let h = m.opt.timestep;
        if h * h + h * m.flex_damping[f] == 0.0 {
            return;
        }
        self.gather(m, d, f);
        self.forces.clear();
        self.forces.resize(self.positions.len(), [0.0; 3]);
        let offsets = m.plan.flex.cell_offsets(f);
        let (velocities, forces) = (&self.velocities, &mut self.forces);
        for_each_cell(m, f, &self.positions, |first, _, k, rotation| {
            let mut local = [[0.0; 3]; 27];
            for (v, &offset) in local.iter_mut().zip(offsets) {
                *v = mat3::mul_vec(rotation, velocities[first + offset as usize]);
            }
            let size = 3 * offsets.len();
            let flat = local[..offsets.len()].as_flattened();
            for (rows, &offset) in k.chunks_exact(3 * size).zip(offsets) {
                let force: Vec3 = std::array::from_fn(|r| {
                    crate::math::dot(&rows[r * size..(r + 1) * size], flat)
                });
                let node = &mut forces[first + offset as usize];
                *node = vec3::add(*node, mat3::mul_transpose_vec(rotation, force));
            }
        });
        for (i, node) in nodes(m, f).enumerate() {
            self.motions.clear();
            push_motions(m, d, (i, node), self.positions[i], &mut self.motions);
            for &(_, row, motion) in &self.motions {
                self.solution[row as usize] += h * vec3::dot(motion, self.forces[i]);
            }
        }
    }
}

/// Calls `f(first node, positions, stiffness, rotation)` for every cell that is not empty.
fn for_each_cell(
    m: &Model,
    f: usize,
    positions: &[Vec3],
    mut visit: impl FnMut(usize, &[Vec3], &[f64], &Mat3),
) {
    let cells = Cells::of(m, f);
    let offsets = m.plan.flex.cell_offsets(f);
    let size = 3 * offsets.len();
    let stiffness = &m.flex_stiffness[at(&m.flex_stiffnessadr, f)..];
    for (i, k) in stiffness.chunks_exact(size * size).take(cells.len()).enumerate() {
        if k[0] == 0.0 {
            continue;
        }
        let first = cells.first_node(cells.cell(i));
        let mut buffer = [[0.0; 3]; 27];
        let x = cell_nodes(positions, first, offsets, &mut buffer);
        let rotation = quat::to_mat(cell_rotation(cells.order, x));
        visit(first, x, k, &rotation);
    }
}

/// Adds the rows of the system that move a node, with its velocity per unit.
fn push_motions(
    m: &Model,
    d: &Data,
    (index, node): (usize, usize),
    point: Vec3,
    out: &mut Vec<(u32, u32, Vec3)>,
) {
    let plan = &m.plan.flex;
    match plan.nodes[node] {
        Dofs::Fixed => {}
        Dofs::Aligned(dof) => {
            for k in 0..3 {
                let mut axis = [0.0; 3];
                axis[k] = 1.0;
                out.push((index as u32, plan.cell_rows[dof as usize + k] as u32, axis));
            }
        }
        Dofs::General => {
            for_each_dof(m, d, at(&m.flex_nodebodyid, node), point, |dof, linear, _| {
                if let Ok(row) = u32::try_from(plan.cell_rows[dof]) {
                    out.push((index as u32, row, linear));
                }
            });
        }
    }
}
