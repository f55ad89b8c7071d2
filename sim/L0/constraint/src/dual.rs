//! Dual problem: minimise `½ fᵀ (A + R) f + fᵀ b` over the row forces, with `A = J M⁻¹ Jᵀ`.
//!
//! With `M = Lᵀ D L`, `A = B Bᵀ` for `B = J L⁻¹ D^-½`, whose rows are as sparse as the kinematic
//! chains they act on. The Gauss–Seidel sweeps maintain `y = Bᵀ f`, so that the residual of a row is
//! one sparse dot product and a force change one sparse update. For small problems with many sweeps
//! `A` itself is formed, and the sweeps maintain the residuals `A f + b` of all rows: a force change
//! adds a multiple of a row of `A`, and a row whose force does not change costs nothing.

use crate::inertia;
use crate::jacobian;
use crate::problem::{Problem, Solution};
use crate::vector::{dot, heap_bytes, norm, resize_to};
use crate::workspace::Workspace;
use sim_simd::dispatch;
use sim_types::{ConstraintState, ConstraintType};

/// Buffers of the dual solvers.
#[derive(Debug, Default)]
pub(crate) struct Dual {
    /// Columns of `B`, stored once per row block.
    cols: Vec<u32>,
    /// Values of `B`, row-major.
    values: Vec<f64>,
    rows: Vec<Row>,
    /// `Bᵀ f`, and an entry for the padding of rows.
    pub(crate) y: Vec<f64>,
    /// `J qacc_smooth − aref`.
    pub(crate) b: Vec<f64>,
    /// `A`, dense and symmetric, if `is_explicit`.
    a: Vec<f64>,
    /// `Bᵀ`, dense, to form `A`.
    transposed: Vec<f64>,
    /// `A f + b`, if `is_explicit`.
    residual: Vec<f64>,
    /// Whether `A` was formed.
    is_explicit: bool,
    /// Diagonal blocks of `A + R` of the elliptic contacts; unused for other contacts.
    pub(crate) blocks: Vec<[f64; 36]>,
    /// Diagonal of `A`.
    pub(crate) diagonal: Vec<f64>,
    /// Inverse of the diagonal of `A + R`.
    pub(crate) inverse: Vec<f64>,
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
            self.transposed,
            self.residual,
            self.blocks,
            self.diagonal,
            self.inverse,
            self.mark,
            self.dense,
            self.sqrt_diag_inv,
            self.state_old
        )
    }

    /// For a problem whose row blocks were found: computes `b`, `B`, optionally `A`, the diagonal blocks, and `y` for the given forces.
    pub(crate) fn prepare(
        work: &mut Workspace,
        problem: &Problem<'_>,
        force: &[f64],
        sweeps: usize,
    ) {
        let (nv, nefc) = (problem.nv(), problem.nefc());
        let Workspace { dual, row_blocks, .. } = work;
        for v in [&mut dual.b, &mut dual.diagonal, &mut dual.inverse] {
            resize_to(v, nefc);
        }
        for v in [&mut dual.dense, &mut dual.sqrt_diag_inv] {
            resize_to(v, nv);
            v.fill(0.0);
        }
        dual.y.clear();
        dual.y.resize(nv + 1, 0.0);
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
        dual.is_explicit = sweeps >= MIN_EXPLICIT_SWEEPS
            && nefc * nefc <= MAX_EXPLICIT_RATIO * (dual.values.len() + nefc);
        if dual.is_explicit {
            dual.form_a(nv);
        }
        dual.form_diagonal_blocks(problem);
        for i in 0..nefc {
            dual.diagonal[i] = dual.a_entry(i, i);
            dual.inverse[i] = 1.0 / (dual.diagonal[i] + problem.rows.r[i]);
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

    /// Values and columns of row `i` of `B`.
    pub(crate) fn row(&self, i: usize) -> (&[f64], &[u32]) {
        let Row { cols, values, len } = self.rows[i];
        (&self.values[values..values + len], &self.cols[cols..cols + len])
    }

    /// Entry `(i, j)` of `A`.
    pub(crate) fn a_entry(&self, i: usize, j: usize) -> f64 {
        if self.is_explicit {
            return self.a[i * self.b.len() + j];
        }
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
    pub(crate) fn residual(&self, i: usize) -> f64 {
        if self.is_explicit {
            return self.residual[i];
        }
        let (values, cols) = self.row(i);
        self.b[i] + sparse_dot(values, cols, &self.y)
    }

    /// Forms `A = B Bᵀ`, and sets the residuals of zero forces.
    fn form_a(&mut self, nv: usize) {
        let n = self.b.len();
        self.residual.clone_from(&self.b);
        resize_to(&mut self.a, n * n);
        self.transposed.clear();
        self.transposed.resize(nv * n, 0.0);
        for (i, &Row { cols, values, len }) in self.rows.iter().enumerate() {
            for k in 0..len {
                self.transposed[self.cols[cols + k] as usize * n + i] = self.values[values + k];
            }
        }
        let this = self;
        dispatch!(multiply_b(this: &mut Dual));
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

    /// Updates `y`, or the residuals, for a change of the force of row `i`.
    #[inline(always)]
    pub(crate) fn add_force(&mut self, i: usize, delta: f64) {
        if delta == 0.0 {
            return;
        }
        if self.is_explicit {
            let n = self.residual.len();
            for (residual, a) in self.residual.iter_mut().zip(&self.a[i * n..(i + 1) * n]) {
                *residual += a * delta;
            }
            return;
        }
        let Row { cols, values, len } = self.rows[i];
        for k in 0..len {
            self.y[self.cols[cols + k] as usize] += self.values[values + k] * delta;
        }
    }

    /// [`add_force`](Self::add_force) of consecutive rows, with one pass over the residuals for three rows.
    #[inline(always)]
    pub(crate) fn add_forces(&mut self, first: usize, deltas: &[f64]) {
        let (triples, rest) = deltas.as_chunks::<3>();
        let mut row = first;
        for &[x, y, z] in triples {
            if self.is_explicit && [x, y, z] != [0.0; 3] {
                let n = self.residual.len();
                let (a, b) = self.a[row * n..(row + 3) * n].split_at(n);
                let (b, c) = b.split_at(n);
                for (k, residual) in self.residual.iter_mut().enumerate() {
                    *residual = *residual + a[k] * x + b[k] * y + c[k] * z;
                }
            } else {
                self.add_force(row, x);
                self.add_force(row + 1, y);
                self.add_force(row + 2, z);
            }
            row += 3;
        }
        for (k, &delta) in rest.iter().enumerate() {
            self.add_force(row + k, delta);
        }
    }

    /// Whether `A` was formed.
    pub(crate) fn is_explicit(&self) -> bool {
        self.is_explicit
    }

    /// Number of entries of `B`.
    pub(crate) fn nnz(&self) -> usize {
        self.values.len()
    }
}

/// `A` is formed for problems with at least this many sweeps…
const MIN_EXPLICIT_SWEEPS: usize = 10;
/// …and at most this many times as many entries as `B` and `b`: a force change updates a whole row of
/// `A`, but contiguous entries.
const MAX_EXPLICIT_RATIO: usize = 8;

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

/// Row `i` of `A` is the sum of the rows of `Bᵀ`, weighted by row `i` of `B`.
#[inline(always)]
fn multiply_b(dual: &mut Dual) {
    let Dual { a, transposed, rows, cols, values, .. } = dual;
    let n = rows.len();
    for (a, row) in a.chunks_exact_mut(n.max(1)).zip(rows) {
        a.fill(0.0);
        let (cols, values) = (&cols[row.cols..][..row.len], &values[row.values..][..row.len]);
        for (value, col) in values.iter().zip(cols) {
            let start = *col as usize * n;
            for (a, b) in a.iter_mut().zip(&transposed[start..start + n]) {
                *a += value * b;
            }
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
