//! The dual problem, over the forces: `½ fᵀ (A + R) f + fᵀ b` with `A = J M⁻¹ Jᵀ`.
//!
//! `A` is built only where it is small and much used. With `M = Lᵀ D L` it is `B Bᵀ` for `B = J L⁻¹ D^-½`, whose rows are as short
//! as the chains they act on. Along with the forces the sweeps keep `y = Bᵀ f`: a residual is then
//! one short product, and a changed force one short addition.

use crate::group;
use crate::problem::{Problem, Solution};
use crate::tree;
use crate::vector::{dot, fit, held, norm};
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
    /// `A` in compressed rows, if it is worth building; else empty.
    a: Vec<f64>,
    a_cols: Vec<u32>,
    a_rowadr: Vec<u32>,
    /// Blocks of `A + R` of the elliptic contacts; those of others are unused.
    pub(crate) blocks: Vec<[f64; 36]>,
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
    /// Bytes that it holds.
    pub(crate) fn bytes(&self) -> usize {
        held!(
            self.cols,
            self.values,
            self.rows,
            self.y,
            self.b,
            self.a,
            self.a_cols,
            self.a_rowadr,
            self.blocks,
            self.diagonal,
            self.mark,
            self.dense,
            self.root,
            self.state_old
        )
    }

    /// Builds `B`, and `A` if there are many sweeps to come, and starts from the given forces.
    pub(crate) fn prepare(
        work: &mut Workspace,
        problem: &Problem<'_>,
        force: &[f64],
        sweeps: usize,
    ) {
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
        dual.a_rowadr.clear();
        if nefc <= SMALL && sweeps >= MANY {
            build(dual, nefc);
        }
        dual.make_blocks(problem);
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
    #[inline(always)]
    pub(crate) fn residual(&self, i: usize, force: &[f64]) -> f64 {
        if let Some(&[start, end]) = self.a_rowadr.get(i..i + 2).and_then(<[u32]>::first_chunk) {
            let row = start as usize..end as usize;
            return self.b[i] + gather(&self.a[row.clone()], &self.a_cols[row], force);
        }
        let (values, cols) = self.row(i);
        self.b[i] + gather(values, cols, &self.y)
    }

    fn make_blocks(&mut self, problem: &Problem<'_>) {
        self.blocks.resize(problem.contacts.len(), [0.0; 36]);
        for (index, contact) in problem.contacts.iter().enumerate() {
            let (row, dim) = (contact.row, contact.dim);
            if problem.rows.kind[row] != ConstraintType::ContactElliptic {
                continue;
            }
            for j in 0..dim {
                for k in 0..=j {
                    let value = self.product(row + j, row + k);
                    let value = value + if j == k { problem.rows.r[row + j] } else { 0.0 };
                    self.blocks[index][j * dim + k] = value;
                    self.blocks[index][k * dim + j] = value;
                }
            }
        }
    }

    /// Follows a change of the force of a row.
    #[inline]
    pub(crate) fn change(&mut self, i: usize, delta: f64) {
        let Row { cols, values, len } = self.rows[i];
        if delta != 0.0 && self.a_rowadr.is_empty() {
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

/// Problems with more rows never get their `A`.
const SMALL: usize = 300;
/// Fewer sweeps are not worth it.
const MANY: usize = 10;

/// Inner product of a sparse vector and a dense one.
#[inline(always)]
fn gather(values: &[f64], cols: &[u32], x: &[f64]) -> f64 {
    // two sums that take turns would be read in pairs, and what was just stored alone would delay
    // them
    let half = values.len() / 2;
    let (mut a, mut b) = (0.0, 0.0);
    for k in 0..half {
        a += values[k] * x[cols[k] as usize];
        b += values[half + k] * x[cols[half + k] as usize];
    }
    if values.len() > 2 * half {
        b += values[2 * half] * x[cols[2 * half] as usize];
    }
    a + b
}

/// Builds `A = B Bᵀ`, row by row, each spread out once. Gives up if it has too many entries.
fn build(this: &mut Dual, n: usize) {
    this.a.clear();
    this.a_cols.clear();
    this.a_rowadr.push(0);
    for i in 0..n {
        let Row { cols, values, len } = this.rows[i];
        for k in 0..len {
            this.dense[this.cols[cols + k] as usize] = this.values[values + k];
        }
        let own = &this.cols[cols..cols + len];
        for j in 0..n {
            let row = this.rows[j];
            let other = &this.cols[row.cols..row.cols + row.len];
            let apart = |a: &[u32], b: &[u32]| a.last().zip(b.first()).is_none_or(|(a, b)| a < b);
            if apart(own, other) || apart(other, own) {
                continue;
            }
            let value = gather(&this.values[row.values..row.values + row.len], other, &this.dense);
            if value != 0.0 {
                this.a.push(value);
                this.a_cols.push(j as u32);
            }
        }
        for k in 0..len {
            this.dense[this.cols[cols + k] as usize] = 0.0;
        }
        this.a_rowadr.push(this.a.len() as u32);
        // without it a row is used twice in a sweep
        if this.a.len() > 3 * (this.values.len() + this.b.len()) {
            this.a_rowadr.clear();
            return;
        }
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
