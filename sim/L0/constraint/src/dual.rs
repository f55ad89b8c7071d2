//! The dual problem, over the forces: `½ fᵀ (A + R) f + fᵀ b` with `A = J M⁻¹ Jᵀ`.
//!
//! `A` is never built. With `M = Lᵀ D L` it is `B Bᵀ` for `B = J L⁻¹ D^-½`, whose rows are as short
//! as the chains they act on. Along with the forces the sweeps keep `y = Bᵀ f`: a residual is then
//! one short product, and a changed force one short addition.

use crate::group;
use crate::problem::{Problem, Solution};
use crate::tree;
use crate::vector::{dot, fit, norm};
use crate::workspace::Workspace;
use sim_types::{ConstraintState, ConstraintType};

/// Memory of the dual solvers.
#[derive(Debug, Default)]
pub(crate) struct Dual {
    /// Columns of `B`, each run's once.
    cols: Vec<u32>,
    /// `B` by rows.
    values: Vec<f64>,
    rows: Vec<Row>,
    /// `Bᵀ f`.
    y: Vec<f64>,
    /// `J qacc_smooth − aref`.
    b: Vec<f64>,
    /// Diagonal of `A`.
    pub(crate) diagonal: Vec<f64>,
    mark: Vec<u32>,
    dense: Vec<f64>,
    root: Vec<f64>,
    pub(crate) state_old: Vec<ConstraintState>,
}

/// Where a row of `B` is.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    cols: usize,
    values: usize,
    len: usize,
}

impl Dual {
    /// Builds `B` and starts from the given forces. The workspace's runs are those of the problem.
    pub(crate) fn prepare(work: &mut Workspace, problem: &Problem<'_>, force: &[f64]) {
        let (nv, nefc) = (problem.nv(), problem.nefc());
        group::find(problem, &mut work.runs);
        let Workspace { dual, runs, .. } = work;
        for v in [&mut dual.b, &mut dual.diagonal] {
            fit(v, nefc);
        }
        for v in [&mut dual.dense, &mut dual.root] {
            fit(v, nv);
            v.fill(0.0);
        }
        dual.y.clear();
        dual.y.resize(nv, 0.0);
        dual.mark.clear();
        dual.mark.resize(nv, 0);
        dual.rows.resize(nefc, Row::default());
        fit(&mut dual.state_old, nefc);
        group::mul(problem, runs, problem.qacc_smooth, &mut dual.b);
        for (b, aref) in dual.b.iter_mut().zip(problem.rows.aref) {
            *b -= aref;
        }
        for (root, inverse) in dual.root.iter_mut().zip(problem.inertia.diag_inv) {
            *root = inverse.sqrt();
        }
        dual.cols.clear();
        dual.values.clear();
        for (index, run) in runs.iter().enumerate() {
            let start = dual.cols.len();
            dual.close(problem, run.cols(problem), index as u32 + 1);
            for k in 0..run.rows {
                let row = &problem.rows.j[run.adr + k * run.len..][..run.len];
                dual.add_row(problem, run.row + k, row, run.cols(problem), start);
            }
        }
        for i in 0..nefc {
            dual.diagonal[i] = dual.product(i, i);
            dual.change(i, force[i]);
        }
    }

    /// Appends a run's columns and all their ancestors.
    fn close(&mut self, problem: &Problem<'_>, cols: &[i32], index: u32) {
        let inertia = &problem.inertia;
        let start = self.cols.len();
        for &c in cols.iter().rev() {
            let (adr, nnz) = (inertia.rowadr[c as usize], inertia.rownnz[c as usize]);
            if self.mark[c as usize] == index {
                continue;
            }
            for &a in &inertia.colind[adr as usize..][..nnz as usize] {
                if self.mark[a as usize] != index {
                    self.mark[a as usize] = index;
                    self.cols.push(a as u32);
                }
            }
        }
        self.cols[start..].sort_unstable();
    }

    /// Appends a row of `B`.
    fn add_row(
        &mut self,
        problem: &Problem<'_>,
        row: usize,
        j: &[f64],
        cols: &[i32],
        start: usize,
    ) {
        let inertia = &problem.inertia;
        let Self { dense, root, values, .. } = self;
        for (&value, &c) in j.iter().zip(cols) {
            dense[c as usize] = value;
        }
        let closed = &self.cols[start..];
        for &c in closed.iter().rev() {
            let (c, value) = (c as usize, dense[c as usize]);
            let (adr, nnz) = (inertia.rowadr[c] as usize, inertia.rownnz[c] as usize - 1);
            if value != 0.0 {
                let entries =
                    inertia.ld[adr..adr + nnz].iter().zip(&inertia.colind[adr..adr + nnz]);
                for (&l, &a) in entries {
                    dense[a as usize] -= l * value;
                }
            }
        }
        self.rows[row] = Row { cols: start, values: values.len(), len: closed.len() };
        for &c in closed {
            values.push(dense[c as usize] * root[c as usize]);
            dense[c as usize] = 0.0;
        }
    }

    fn row(&self, i: usize) -> (&[f64], &[u32]) {
        let Row { cols, values, len } = self.rows[i];
        (&self.values[values..values + len], &self.cols[cols..cols + len])
    }

    /// Entry of `A`, for two rows of one contact.
    pub(crate) fn product(&self, i: usize, j: usize) -> f64 {
        let ((a, a_cols), (b, b_cols)) = (self.row(i), self.row(j));
        if self.rows[i].cols == self.rows[j].cols {
            return dot(a, b);
        }
        let (mut sum, mut k) = (0.0, 0);
        for (value, col) in a.iter().zip(a_cols) {
            while b_cols.get(k).is_some_and(|c| c < col) {
                k += 1;
            }
            if b_cols.get(k) == Some(col) {
                sum += value * b[k];
            }
        }
        sum
    }

    /// `(A f + b)` of a row.
    #[inline]
    pub(crate) fn residual(&self, i: usize) -> f64 {
        let (values, cols) = self.row(i);
        let mut sum = [0.0; 2];
        for (k, (&value, &c)) in values.iter().zip(cols).enumerate() {
            sum[k & 1] += value * self.y[c as usize];
        }
        self.b[i] + (sum[0] + sum[1])
    }

    /// Follows a change of the force of a row.
    #[inline]
    pub(crate) fn change(&mut self, i: usize, delta: f64) {
        let Row { cols, values, len } = self.rows[i];
        if delta != 0.0 {
            for k in 0..len {
                self.y[self.cols[cols + k] as usize] += self.values[values + k] * delta;
            }
        }
    }

    /// Entries of `B`.
    pub(crate) fn nnz(&self) -> usize {
        self.values.len()
    }
}

/// The joint forces and the acceleration that go with the row forces.
pub(crate) fn finish(problem: &Problem<'_>, out: &mut Solution<'_>, work: &mut Workspace) {
    group::mul_transposed(problem, &work.runs, out.force, out.qfrc_constraint);
    out.qacc.copy_from_slice(out.qfrc_constraint);
    tree::solve(&problem.inertia, out.qacc);
    for (qacc, smooth) in out.qacc.iter_mut().zip(problem.qacc_smooth) {
        *qacc += smooth;
    }
}

/// Sets the states that go with the forces. Returns the number of active rows.
pub(crate) fn set_states(
    problem: &Problem<'_>,
    force: &[f64],
    state: &mut [ConstraintState],
) -> i32 {
    use ConstraintState as S;
    let rows = &problem.rows;
    let friction_end = rows.ne + rows.nf;
    state[..rows.ne].fill(S::Quadratic);
    for i in rows.ne..friction_end {
        let (f, floss) = (force[i], rows.frictionloss[i]);
        state[i] = if f <= -floss {
            S::LinearPos
        } else if f >= floss {
            S::LinearNeg
        } else {
            S::Quadratic
        };
    }
    for i in friction_end..force.len() {
        state[i] = if force[i] <= 0.0 { S::Satisfied } else { S::Quadratic };
    }
    for contact in problem.contacts {
        if rows.kind[contact.row] != ConstraintType::ContactElliptic {
            continue;
        }
        let range = contact.row..contact.row + contact.dim;
        let (f, mu) = (&force[range.clone()], contact.mu);
        let mut tangent = [0.0; 5];
        for j in 1..contact.dim {
            tangent[j - 1] = f[j] / contact.friction[j - 1];
        }
        let (n, t) = (f[0] / mu, norm(&tangent[..contact.dim - 1]));
        state[range].fill(if mu * n >= t {
            S::Satisfied
        } else if n + mu * t <= 0.0 {
            S::Quadratic
        } else {
            S::Cone
        });
    }
    // equalities and dry friction always count
    let tail = state[friction_end..].iter().filter(|&&s| s != S::Satisfied).count();
    (friction_end + tail) as i32
}
