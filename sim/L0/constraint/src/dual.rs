//! Dual problem: minimise `½ fᵀ (A + R) f + fᵀ b` over the row forces, with `A = J M⁻¹ Jᵀ`.
//!
//! With `M = Lᵀ D L`, `A = B Bᵀ` for `B = J L⁻¹ D^-½`, whose rows are as sparse as the kinematic
//! chains they act on. The Gauss–Seidel sweeps maintain `y = Bᵀ f`, so that the residual of a row is
//! one sparse dot product and a force change one sparse update. `A` itself is formed only for small
//! problems with many sweeps.

use crate::inertia;
use crate::jacobian;
use crate::problem::{Problem, Solution};
use crate::vector::{dot, heap_bytes, norm, resize_to};
use crate::workspace::Workspace;
use sim_types::{ConstraintState, ConstraintType};

/// Buffers of the dual solvers.
#[derive(Debug, Default)]
pub(crate) struct Dual {
    /// Columns of `B`, stored once per row block.
    cols: Vec<u32>,
    /// Values of `B`, row-major.
    values: Vec<f64>,
    rows: Vec<Row>,
    /// `Bᵀ f`.
    y: Vec<f64>,
    /// `J qacc_smooth − aref`.
    b: Vec<f64>,
    /// `A` in compressed sparse rows; `a_rowadr` is empty if it was not formed.
    a: Vec<f64>,
    a_cols: Vec<u32>,
    a_rowadr: Vec<u32>,
    /// Diagonal blocks of `A + R` of the elliptic contacts; unused for other contacts.
    pub(crate) blocks: Vec<[f64; 36]>,
    /// Diagonal of `A`.
    pub(crate) diagonal: Vec<f64>,
    mark: Vec<u32>,
    /// Dense work vector of length `nv`; zero between calls.
    dense: Vec<f64>,
    /// `D^-½`.
    sqrt_diag_inv: Vec<f64>,
    pub(crate) state_old: Vec<ConstraintState>,
}

/// Storage location of a row of `B`.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    cols: usize,
    values: usize,
    len: usize,
}

impl Dual {
    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        heap_bytes!(
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
            self.sqrt_diag_inv,
            self.state_old
        )
    }

    /// Computes `b`, `B`, optionally `A`, the diagonal blocks, and `y` for the given forces.
    pub(crate) fn prepare(
        work: &mut Workspace,
        problem: &Problem<'_>,
        force: &[f64],
        sweeps: usize,
    ) {
        let (nv, nefc) = (problem.nv(), problem.nefc());
        jacobian::find_row_blocks(problem, &mut work.row_blocks);
        let Workspace { dual, row_blocks, .. } = work;
        for v in [&mut dual.b, &mut dual.diagonal] {
            resize_to(v, nefc);
        }
        for v in [&mut dual.dense, &mut dual.sqrt_diag_inv] {
            resize_to(v, nv);
            v.fill(0.0);
        }
        dual.y.clear();
        dual.y.resize(nv, 0.0);
        dual.mark.clear();
        dual.mark.resize(nv, 0);
        dual.rows.resize(nefc, Row::default());
        resize_to(&mut dual.state_old, nefc);
        jacobian::mul(problem, row_blocks, problem.qacc_smooth, &mut dual.b);
        for (b, aref) in dual.b.iter_mut().zip(problem.rows.aref) {
            *b -= aref;
        }
        for (sqrt_diag_inv, inverse) in dual.sqrt_diag_inv.iter_mut().zip(problem.inertia.diag_inv)
        {
            *sqrt_diag_inv = inverse.sqrt();
        }
        dual.cols.clear();
        dual.values.clear();
        for (index, block) in row_blocks.iter().enumerate() {
            let start = dual.cols.len();
            dual.push_closure(problem, block.cols(problem), index as u32 + 1);
            for k in 0..block.rows {
                let row = &problem.rows.j[block.adr + k * block.len..][..block.len];
                dual.push_row(problem, block.row + k, row, block.cols(problem), start);
            }
        }
        dual.a_rowadr.clear();
        if nefc <= MAX_EXPLICIT_ROWS && sweeps >= MIN_EXPLICIT_SWEEPS {
            form_a(dual, nefc);
        }
        dual.form_diagonal_blocks(problem);
        for i in 0..nefc {
            dual.diagonal[i] = dual.a_entry(i, i);
            dual.add_force(i, force[i]);
        }
    }

    /// Appends the columns of a row block and all their ancestors.
    fn push_closure(&mut self, problem: &Problem<'_>, cols: &[i32], index: u32) {
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

    /// Appends a row of `B`: back substitution with `L`, then scaling by `D^-½`.
    fn push_row(
        &mut self,
        problem: &Problem<'_>,
        row: usize,
        j: &[f64],
        cols: &[i32],
        start: usize,
    ) {
        let inertia = &problem.inertia;
        let Self { dense, sqrt_diag_inv, values, .. } = self;
        for (&value, &c) in j.iter().zip(cols) {
            dense[c as usize] = value;
        }
        let closure = &self.cols[start..];
        for &c in closure.iter().rev() {
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
        self.rows[row] = Row { cols: start, values: values.len(), len: closure.len() };
        for &c in closure {
            values.push(dense[c as usize] * sqrt_diag_inv[c as usize]);
            dense[c as usize] = 0.0;
        }
    }

    fn row(&self, i: usize) -> (&[f64], &[u32]) {
        let Row { cols, values, len } = self.rows[i];
        (&self.values[values..values + len], &self.cols[cols..cols + len])
    }

    /// Entry `(i, j)` of `A`.
    pub(crate) fn a_entry(&self, i: usize, j: usize) -> f64 {
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

    /// Residual `(A f + b)` of row `i`.
    #[inline(always)]
    pub(crate) fn residual(&self, i: usize, force: &[f64]) -> f64 {
        if let Some(&[start, end]) = self.a_rowadr.get(i..i + 2).and_then(<[u32]>::first_chunk) {
            let row = start as usize..end as usize;
            return self.b[i] + sparse_dot(&self.a[row.clone()], &self.a_cols[row], force);
        }
        let (values, cols) = self.row(i);
        self.b[i] + sparse_dot(values, cols, &self.y)
    }

    fn form_diagonal_blocks(&mut self, problem: &Problem<'_>) {
        self.blocks.resize(problem.contacts.len(), [0.0; 36]);
        for (index, contact) in problem.contacts.iter().enumerate() {
            let (row, dim) = (contact.row, contact.dim);
            if problem.rows.kind[row] != ConstraintType::ContactElliptic {
                continue;
            }
            for j in 0..dim {
                for k in 0..=j {
                    let value = self.a_entry(row + j, row + k);
                    let value = value + if j == k { problem.rows.r[row + j] } else { 0.0 };
                    self.blocks[index][j * dim + k] = value;
                    self.blocks[index][k * dim + j] = value;
                }
            }
        }
    }

    /// Updates `y` for a change of the force of row `i`.
    #[inline]
    pub(crate) fn add_force(&mut self, i: usize, delta: f64) {
        let Row { cols, values, len } = self.rows[i];
        if delta != 0.0 && self.a_rowadr.is_empty() {
            for k in 0..len {
                self.y[self.cols[cols + k] as usize] += self.values[values + k] * delta;
            }
        }
    }

    /// Number of entries of `B`.
    pub(crate) fn nnz(&self) -> usize {
        self.values.len()
    }
}

/// `A` is formed for problems with at most this many rows…
const MAX_EXPLICIT_ROWS: usize = 300;
/// …and at least this many sweeps.
const MIN_EXPLICIT_SWEEPS: usize = 10;

/// Dot product of a sparse and a dense vector.
#[inline(always)]
fn sparse_dot(values: &[f64], cols: &[u32], x: &[f64]) -> f64 {
    // two accumulators over separate halves: with interleaved ones the compiler would load pairs of
    // elements, which stalls on values that were just stored one by one (store forwarding)
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

/// Forms `A = B Bᵀ` row by row, with each row of `B` expanded to a dense vector. Leaves `a_rowadr`
/// empty if `A` has too many entries to be faster than `B`.
fn form_a(this: &mut Dual, n: usize) {
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
            let disjoint =
                |a: &[u32], b: &[u32]| a.last().zip(b.first()).is_none_or(|(a, b)| a < b);
            if disjoint(own, other) || disjoint(other, own) {
                continue;
            }
            let value =
                sparse_dot(&this.values[row.values..row.values + row.len], other, &this.dense);
            if value != 0.0 {
                this.a.push(value);
                this.a_cols.push(j as u32);
            }
        }
        for k in 0..len {
            this.dense[this.cols[cols + k] as usize] = 0.0;
        }
        this.a_rowadr.push(this.a.len() as u32);
        // a sweep with `B` reads each row twice: residual and update of `y`
        if this.a.len() > 3 * (this.values.len() + this.b.len()) {
            this.a_rowadr.clear();
            return;
        }
    }
}

/// Computes `qfrc_constraint` and `qacc` from the row forces (`dualFinish`).
#[doc(alias = "dualFinish")]
pub(crate) fn finish(problem: &Problem<'_>, out: &mut Solution<'_>, work: &mut Workspace) {
    jacobian::mul_transposed(problem, &work.row_blocks, out.force, out.qfrc_constraint);
    out.qacc.copy_from_slice(out.qfrc_constraint);
    inertia::solve(&problem.inertia, out.qacc);
    for (qacc, smooth) in out.qacc.iter_mut().zip(problem.qacc_smooth) {
        *qacc += smooth;
    }
}

/// Sets the state of each row from its force (`dualState`). Returns the number of active rows.
#[doc(alias = "dualState")]
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
    // equality and friction rows are always active
    let tail = state[friction_end..].iter().filter(|&&s| s != S::Satisfied).count();
    (friction_end + tail) as i32
}
