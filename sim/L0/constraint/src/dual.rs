//! Dual problem: minimise `½ fᵀ (A + R) f + fᵀ b` over the row forces, with `A = J M⁻¹ Jᵀ`.
//!
//! With `M = Lᵀ D L`, `A = B Bᵀ` for `B = J L⁻¹ D^-½`, whose rows are as sparse as the kinematic
//! chains they act on. The Gauss–Seidel sweeps maintain `y = Bᵀ f`, so that the residual of a row is
//! one sparse dot product and a force change one sparse update. For small problems with many sweeps
//! `A` itself is formed, and the sweeps maintain the residuals `A f + b` of all rows: a force change
//! adds a multiple of a row of `A`, and a row whose force does not change costs nothing.

use crate::dual_factor::{DualFactor, LANES};
use crate::dual_matrix::DualMatrix;
use crate::inertia;
use crate::jacobian;
use crate::pgs::update_row;
use crate::problem::{ContactRows, Problem, Solution};
use crate::vector::{F64x4, dot, heap_bytes, resize_to};
use crate::workspace::Workspace;
use sim_simd::dispatch;
use sim_types::{ConstraintState, ConstraintType};

/// Buffers of the dual solvers.
#[derive(Debug, Default)]
pub(crate) struct Dual {
    factor: DualFactor,
    /// Values of `B`, row-major, unless `is_explicit`.
    values: Vec<f64>,
    rows: Vec<Row>,
    /// Values of up to four rows of `B`, by columns.
    lanes: Vec<F64x4>,
    /// `Bᵀ f`, and an entry for the padding of rows, unless `is_explicit`.
    pub(crate) y: Vec<f64>,
    /// `J qacc_smooth − aref`.
    pub(crate) b: Vec<f64>,
    /// `A` and `A f + b`, if `is_explicit`.
    pub(crate) matrix: DualMatrix,
    /// Whether `A` was formed.
    is_explicit: bool,
    /// Number of entries of `B`.
    nnz: usize,
    /// Diagonal blocks of `A + R` of the elliptic contacts; unused for other contacts.
    pub(crate) blocks: Vec<[f64; 36]>,
    /// Constants of the update of each row.
    pub(crate) scalars: Vec<ScalarRow>,
}

/// Storage location of a row of `B`.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    cols: usize,
    values: usize,
    len: usize,
}

/// Constants of the update of a row that does not belong to an elliptic contact.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ScalarRow {
    /// Regularisation.
    pub r: f64,
    /// Diagonal entry of `A + R`.
    pub a: f64,
    /// Its inverse.
    pub inverse: f64,
    /// Bounds of the force.
    pub bounds: [f64; 2],
}

/// Whether the dual cost contains the regularisation of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Regularization {
    With,
    Without,
}

impl Dual {
    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        heap_bytes!(self.values, self.rows, self.lanes, self.y, self.b, self.blocks, self.scalars)
            + self.factor.bytes()
            + self.matrix.bytes()
    }

    /// For a problem whose row blocks were found: computes `B`, optionally `A`, the diagonal blocks, and the
    /// residuals of zero forces. `b` is computed if it is not given.
    pub(crate) fn prepare(
        work: &mut Workspace,
        problem: &Problem<'_>,
        b: Option<&[f64]>,
        sweeps: usize,
        regularization: Regularization,
    ) {
        let (nv, nefc) = (problem.nv(), problem.nefc());
        let Workspace { dual, row_blocks, .. } = work;
        resize_to(&mut dual.b, nefc);
        if let Some(b) = b {
            dual.b.copy_from_slice(b);
        } else {
            jacobian::mul(problem, row_blocks, problem.qacc_smooth, &mut dual.b);
            for (b, aref) in dual.b.iter_mut().zip(problem.rows.aref) {
                *b -= aref;
            }
        }
        dual.nnz = dual.factor.analyze(problem, row_blocks);
        dual.is_explicit =
            sweeps >= MIN_EXPLICIT_SWEEPS && nefc * nefc <= MAX_EXPLICIT_RATIO * (dual.nnz + nefc);
        if dual.is_explicit {
            dual.matrix.form(problem, row_blocks, &mut dual.factor);
        } else {
            dual.form_rows(problem, row_blocks);
            resize_to(&mut dual.y, nv + 1);
        }
        dual.reset();
        dual.form_diagonal(problem, regularization);
    }

    /// Computes `B` row by row.
    fn form_rows(&mut self, problem: &Problem<'_>, row_blocks: &[jacobian::RowBlock]) {
        self.values.clear();
        self.rows.clear();
        let this = self;
        dispatch!(push_rows(this: &mut Dual, problem: &Problem<'_>, row_blocks: &[jacobian::RowBlock]));
    }

    /// Diagonal blocks of `A + R`, or of `A`.
    fn form_diagonal(&mut self, problem: &Problem<'_>, regularization: Regularization) {
        let rows = &problem.rows;
        let r = |i: usize| if regularization == Regularization::With { rows.r[i] } else { 0.0 };
        let mut scalars = std::mem::take(&mut self.scalars);
        scalars.clear();
        scalars.extend((0..problem.nefc()).map(|i| {
            let (r, bound) = (r(i), rows.frictionloss[i]);
            let a = self.a_entry(i, i) + r;
            let bounds = if i < rows.ne {
                [f64::NEG_INFINITY, f64::INFINITY]
            } else if i < rows.ne + rows.nf {
                [-bound, bound]
            } else {
                [0.0, f64::INFINITY]
            };
            ScalarRow { r, a, inverse: 1.0 / a, bounds }
        }));
        let mut blocks = std::mem::take(&mut self.blocks);
        blocks.resize(problem.contacts.len(), [0.0; 36]);
        for (block, contact) in blocks.iter_mut().zip(problem.contacts) {
            let (row, dim) = (contact.row, contact.dim);
            if rows.kind[row] != ConstraintType::ContactElliptic {
                continue;
            }
            for j in 0..dim {
                for k in 0..j {
                    let value = self.a_entry(row + j, row + k);
                    (block[j * dim + k], block[k * dim + j]) = (value, value);
                }
                block[j * (dim + 1)] = scalars[row + j].a;
            }
        }
        (self.scalars, self.blocks) = (scalars, blocks);
    }

    /// Values and columns of row `i` of `B`.
    pub(crate) fn row(&self, i: usize) -> (&[f64], &[u32]) {
        let Row { cols, values, len } = self.rows[i];
        (&self.values[values..values + len], &self.factor.cols()[cols..cols + len])
    }

    /// The first columns of a row of `B` with two points of three dofs each, as the edges of flexes have.
    pub(crate) fn points(&self, i: usize) -> Option<[usize; 2]> {
        let [a0, _, a2, b0, _, b2] = *self.row(i).1 else { return None };
        // columns increase
        let runs = a2 == a0 + 2 && b2 == b0 + 2;
        runs.then_some([a0 as usize, b0 as usize])
    }

    /// Minimises over the force of a row with two points, if `A` was not formed. Returns the decrease of the cost.
    #[inline(always)]
    pub(crate) fn update_points(&mut self, i: usize, points: [usize; 2], force: &mut f64) -> f64 {
        let [a, b] = points;
        let v = &self.values[self.rows[i].values..][..6];
        let (x, z) = (&self.y[a..a + 3], &self.y[b..b + 3]);
        let product =
            (x[0] * v[0] + x[1] * v[1] + x[2] * v[2]) + (z[0] * v[3] + z[1] * v[4] + z[2] * v[5]);
        let (delta, change) = update_row(&self.scalars[i], force, self.b[i] + product);
        if delta != 0.0 {
            for (y, v) in self.y[a..a + 3].iter_mut().zip(&v[..3]) {
                *y += v * delta;
            }
            for (y, v) in self.y[b..b + 3].iter_mut().zip(&v[3..]) {
                *y += v * delta;
            }
        }
        -change
    }

    /// Entry `(i, j)` of `A`.
    pub(crate) fn a_entry(&self, i: usize, j: usize) -> f64 {
        if self.is_explicit {
            return self.matrix.entry(i, j);
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
            return self.matrix.residual(i);
        }
        let (values, cols) = self.row(i);
        self.b[i] + sparse_dot(values, cols, &self.y)
    }

    /// Sets `y`, or the residuals, to those of zero forces.
    pub(crate) fn reset(&mut self) {
        if self.is_explicit {
            self.matrix.reset(&self.b);
        } else {
            self.y.fill(0.0);
        }
    }

    /// Updates `y`, or the residuals, for a change of the force of row `i`.
    #[inline(always)]
    pub(crate) fn add_force(&mut self, i: usize, delta: f64) {
        if delta == 0.0 {
            return;
        }
        if self.is_explicit {
            return self.matrix.add_forces(i, [delta]);
        }
        let Row { cols, values, len } = self.rows[i];
        let (values, cols) = (&self.values[values..][..len], &self.factor.cols()[cols..][..len]);
        for (&value, &c) in values.iter().zip(cols) {
            self.y[c as usize] += value * delta;
        }
    }

    /// [`add_force`](Self::add_force) of all rows.
    pub(crate) fn add_all(&mut self, force: &[f64]) {
        let this = self;
        dispatch!(add_all_rows(this: &mut Dual, force: &[f64]));
    }

    /// Dual cost of forces after [`add_all`](Self::add_all) of them.
    pub(crate) fn cost(&self, force: &[f64]) -> f64 {
        let mut cost = 0.0;
        for (i, (&f, row)) in force.iter().zip(&self.scalars).enumerate() {
            let product = if self.is_explicit { self.matrix.residual(i) - self.b[i] } else { 0.0 };
            cost += f * (self.b[i] + 0.5 * (product + row.r * f));
        }
        if !self.is_explicit {
            cost += 0.5 * dot(&self.y, &self.y);
        }
        cost
    }

    /// Whether `A` was formed.
    pub(crate) fn is_explicit(&self) -> bool {
        self.is_explicit
    }

    /// Number of entries of `B`.
    pub(crate) fn nnz(&self) -> usize {
        self.nnz
    }
}

/// `A` is formed for problems with at least this many sweeps…
const MIN_EXPLICIT_SWEEPS: usize = 10;
/// …and at most this many times as many entries as `B` and `b`: a force change updates a whole row of
/// `A`, but contiguous entries.
const MAX_EXPLICIT_RATIO: usize = 8;

#[inline(always)]
fn add_all_rows(dual: &mut Dual, force: &[f64]) {
    let (quads, rest) = force.as_chunks::<LANES>();
    for (index, &quad) in quads.iter().enumerate() {
        let row = LANES * index;
        if dual.is_explicit {
            dual.matrix.add_forces(row, quad);
        } else {
            quad.iter().enumerate().for_each(|(k, &f)| dual.add_force(row + k, f));
        }
    }
    for (k, &f) in rest.iter().enumerate() {
        dual.add_force(LANES * quads.len() + k, f);
    }
}

#[inline(always)]
fn push_rows(dual: &mut Dual, problem: &Problem<'_>, row_blocks: &[jacobian::RowBlock]) {
    let Dual { factor, values, rows, lanes, .. } = dual;
    for (index, block) in row_blocks.iter().enumerate() {
        let range = factor.range(index);
        let mut first = 0;
        while first < block.rows {
            let group = first..block.rows.min(first + LANES);
            lanes.clear();
            factor.append_rows(problem, block, index, group.clone(), lanes);
            for lane in 0..group.len() {
                rows.push(Row { cols: range.start, values: values.len(), len: range.len() });
                values.extend(lanes.iter().map(|entry| entry[lane]));
            }
            first = group.end;
        }
    }
}

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

/// Numbers of rows that are not satisfied, and of those whose state changed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StateCounts {
    pub active: i32,
    pub changed: i32,
}

/// Sets the state of each row from its force (`dualState`).
#[doc(alias = "dualState")]
pub(crate) fn set_states(
    problem: &Problem<'_>,
    force: &[f64],
    state: &mut [ConstraintState],
) -> StateCounts {
    use ConstraintState as S;
    let rows = &problem.rows;
    let friction_end = rows.ne + rows.nf;
    // equality and friction rows are always active
    let mut counts = StateCounts { active: friction_end as i32, changed: 0 };
    let mut set = |state: &mut S, new: S| {
        counts.changed += i32::from(*state != new);
        *state = new;
    };
    state[..rows.ne].iter_mut().for_each(|state| set(state, S::Quadratic));
    for i in rows.ne..friction_end {
        let (f, floss) = (force[i], rows.frictionloss[i]);
        let new = if f <= -floss {
            S::LinearPos
        } else if f >= floss {
            S::LinearNeg
        } else {
            S::Quadratic
        };
        set(&mut state[i], new);
    }
    let mut next = friction_end;
    for contact in problem.contacts {
        let row = contact.row;
        if rows.kind[row] != ConstraintType::ContactElliptic {
            continue;
        }
        if next < row {
            one_sided(&force[next..row], &mut state[next..row], &mut counts);
        }
        next = row + contact.dim;
        let (force, state) = (&force[row..next], &mut state[row..next]);
        // loops of constant length are unrolled
        match contact.dim {
            3 => cone_state::<3>(contact, force, state, &mut counts),
            4 => cone_state::<4>(contact, force, state, &mut counts),
            5 => cone_state::<5>(contact, force, state, &mut counts),
            6 => cone_state::<6>(contact, force, state, &mut counts),
            _ => cone_state::<2>(contact, force, state, &mut counts),
        }
    }
    one_sided(&force[next..], &mut state[next..], &mut counts);
    counts
}

/// States of limits and pyramid edges.
#[inline(always)]
fn one_sided(force: &[f64], state: &mut [ConstraintState], counts: &mut StateCounts) {
    for (state, &f) in state.iter_mut().zip(force) {
        let satisfied = f <= 0.0;
        let new = if satisfied { ConstraintState::Satisfied } else { ConstraintState::Quadratic };
        counts.active += i32::from(!satisfied);
        counts.changed += i32::from(*state != new);
        *state = new;
    }
}

/// States of the `D` rows of an elliptic contact.
#[inline(always)]
fn cone_state<const D: usize>(
    contact: &ContactRows,
    force: &[f64],
    state: &mut [ConstraintState],
    counts: &mut StateCounts,
) {
    let (Some(force), Some(state)) = (force.first_chunk::<D>(), state.first_chunk_mut::<D>())
    else {
        return;
    };
    let (mut square, mu) = (0.0, contact.mu);
    for j in 1..D {
        let tangent = force[j] / contact.friction[j - 1];
        square += tangent * tangent;
    }
    let (n, t) = (force[0] / mu, square.sqrt());
    let new = if mu * n >= t {
        ConstraintState::Satisfied
    } else if n + mu * t <= 0.0 {
        ConstraintState::Quadratic
    } else {
        ConstraintState::Cone
    };
    if new != ConstraintState::Satisfied {
        counts.active += D as i32;
    }
    for state in state {
        counts.changed += i32::from(*state != new);
        *state = new;
    }
}
