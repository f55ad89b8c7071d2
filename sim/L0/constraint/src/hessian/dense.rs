//! The Hessian as a dense lower triangle, factored `Lᵀ D L` from the last dof to the first.
//!
//! That order keeps zeros of a tree zero, so whole rows can be passed over.

use super::sparse::LOSS;
use crate::group::Run;
use crate::problem::Problem;
use crate::vector::{add_scaled, dot, fit};
use sim_simd::dispatch;
use sim_types::{ConstraintState, ConstraintType, MINVAL};

/// A dense symmetric matrix and its factor.
#[derive(Debug, Default)]
pub(super) struct Dense {
    n: usize,
    /// The matrix without cones: lower triangle by rows of length `n`.
    h: Vec<f64>,
    /// First `h` with cones, then its factor.
    l: Vec<f64>,
    diag_inv: Vec<f64>,
    vector: Vec<f64>,
    /// The contribution of one run.
    block: Vec<f64>,
}

impl Dense {
    /// Cost of a factorisation, in the unit of the sparse one's.
    pub(super) fn cost(n: usize) -> u64 {
        let n = n as u64;
        n * (10 + 3 * n + n * n / 24)
    }

    /// Cost of a rank-one change.
    pub(super) fn update_cost(n: usize) -> u64 {
        let n = n as u64;
        n * (20 + n / 4)
    }

    pub(super) fn resize(&mut self, n: usize, longest: usize) {
        self.n = n;
        self.block.resize(longest * longest + longest, 0.0);
        for v in [&mut self.h, &mut self.l] {
            fit(v, n * n);
        }
        fit(&mut self.diag_inv, n);
        fit(&mut self.vector, n);
    }

    pub(super) fn nnz(&self) -> usize {
        self.n * self.n
    }

    /// `h = M + Jᵀ D J` over the quadratic rows.
    pub(super) fn assemble(
        &mut self,
        problem: &Problem<'_>,
        runs: &[Run],
        state: &[ConstraintState],
    ) {
        let n = self.n;
        self.h.fill(0.0);
        let inertia = &problem.inertia;
        for i in 0..n {
            let (adr, nnz) = (inertia.rowadr[i] as usize, inertia.rownnz[i] as usize);
            let row = &mut self.h[i * n..i * n + n];
            for (&m, &c) in inertia.m[adr..adr + nnz].iter().zip(&inertia.colind[adr..adr + nnz]) {
                row[c as usize] = m;
            }
        }
        let Self { h, block, .. } = self;
        let (h, block) = (&mut h[..], &mut block[..]);
        dispatch!(add_runs(problem: &Problem<'_>, runs: &[Run], state: &[ConstraintState], h: &mut [f64], block: &mut [f64], n: usize));
    }

    /// Starts a factor from the assembled matrix.
    pub(super) fn start_factor(&mut self) {
        self.l.copy_from_slice(&self.h);
    }

    /// Adds the elliptic contacts in their middle zone to the matrix that is to be factored.
    pub(super) fn add_cones(
        &mut self,
        problem: &Problem<'_>,
        state: &[ConstraintState],
        cones: &[[f64; 36]],
    ) {
        let Self { l, block, n, .. } = self;
        let (l, block, n) = (&mut l[..], &mut block[..], *n);
        dispatch!(add_cones(problem: &Problem<'_>, state: &[ConstraintState], cones: &[[f64; 36]], l: &mut [f64], block: &mut [f64], n: usize));
    }

    /// Factors. Returns whether all pivots were positive.
    pub(super) fn factor(&mut self) -> bool {
        let Self { l, diag_inv, n, .. } = self;
        let (l, diag_inv, n) = (&mut l[..], &mut diag_inv[..], *n);
        dispatch!(factor(l: &mut [f64], diag_inv: &mut [f64], n: usize) -> bool)
    }

    /// Follows `H += weight j jᵀ`. Returns false if accuracy was lost; the factor is then useless.
    pub(super) fn update(&mut self, j: &[f64], cols: &[i32], weight: f64) -> bool {
        let Self { l, diag_inv, n, vector, .. } = self;
        let (l, diag_inv, vector, n) = (&mut l[..], &mut diag_inv[..], &mut vector[..], *n);
        vector.fill(0.0);
        for (&value, &c) in j.iter().zip(cols) {
            vector[c as usize] = value;
        }
        let last = cols.last().map_or(0, |&c| c as usize + 1);
        dispatch!(update(l: &mut [f64], diag_inv: &mut [f64], vector: &mut [f64], n: usize, last: usize, weight: f64) -> bool)
    }

    pub(super) fn solve(&self, x: &mut [f64]) {
        let (l, diag_inv, n) = (&self.l[..], &self.diag_inv[..], self.n);
        dispatch!(solve(l: &[f64], diag_inv: &[f64], n: usize, x: &mut [f64]));
    }
}

/// Adds `Σ D j jᵀ` over the quadratic rows, run by run.
#[inline(always)]
fn add_runs(
    problem: &Problem<'_>,
    runs: &[Run],
    state: &[ConstraintState],
    h: &mut [f64],
    block: &mut [f64],
    n: usize,
) {
    for run in runs {
        let len = run.len;
        let state = &state[run.range()];
        if len == 0 || !state.contains(&ConstraintState::Quadratic) {
            continue;
        }
        let block = &mut block[..len * len];
        block.fill(0.0);
        let rows = run.values(problem).chunks_exact(len);
        for ((row, &d), &state) in rows.zip(&problem.rows.d[run.range()]).zip(state) {
            if state == ConstraintState::Quadratic {
                for a in 0..len {
                    add_scaled(&mut block[a * len..a * len + a + 1], row, d * row[a]);
                }
            }
        }
        scatter(block, run.cols(problem), h, n);
    }
}

/// Adds `Jᵀ H J` for each contact in its middle zone.
#[inline(always)]
fn add_cones(
    problem: &Problem<'_>,
    state: &[ConstraintState],
    cones: &[[f64; 36]],
    l: &mut [f64],
    block: &mut [f64],
    n: usize,
) {
    let rows = &problem.rows;
    for (contact, cone) in problem.contacts.iter().zip(cones) {
        let (row, dim) = (contact.row, contact.dim);
        if rows.kind[row] != ConstraintType::ContactElliptic || state[row] != ConstraintState::Cone
        {
            continue;
        }
        let len = rows.rownnz[row] as usize;
        let (block, product) = block.split_at_mut(len * len);
        let product = &mut product[..len];
        block.fill(0.0);
        let jacobian = |k: usize| &rows.j[rows.rowadr[row + k] as usize..][..len];
        for k in 0..dim {
            product.fill(0.0);
            for j in 0..dim {
                add_scaled(product, jacobian(j), cone[k * dim + j]);
            }
            let row = jacobian(k);
            for a in 0..len {
                add_scaled(&mut block[a * len..a * len + a + 1], product, row[a]);
            }
        }
        let cols = &rows.colind[rows.rowadr[row] as usize..][..len];
        scatter(block, cols, l, n);
    }
}

/// Adds the lower triangle of a small block to the rows and columns of a big one.
#[inline(always)]
fn scatter(block: &[f64], cols: &[i32], h: &mut [f64], n: usize) {
    let len = cols.len();
    for (a, &row) in cols.iter().enumerate() {
        let target = &mut h[row as usize * n..row as usize * n + n];
        for (&value, &c) in block[a * len..a * len + a + 1].iter().zip(cols) {
            target[c as usize] += value;
        }
    }
}

#[inline(always)]
fn factor(l: &mut [f64], diag_inv: &mut [f64], n: usize) -> bool {
    let mut good = true;
    for k in (0..n).rev() {
        let (above, row) = l.split_at_mut(k * n);
        let row = &mut row[..k + 1];
        let pivot = row[k];
        let bad = pivot.is_nan() || pivot < MINVAL;
        good &= !bad;
        row[k] = if bad { MINVAL } else { pivot };
        let inverse = 1.0 / row[k];
        diag_inv[k] = inverse;
        for (j, target) in above.chunks_exact_mut(n).enumerate() {
            let value = row[j];
            if value != 0.0 {
                add_scaled(&mut target[..j + 1], &row[..j + 1], -(value * inverse));
            }
        }
        for value in &mut row[..k] {
            *value *= inverse;
        }
    }
    good
}

#[inline(always)]
fn solve(l: &[f64], diag_inv: &[f64], n: usize, x: &mut [f64]) {
    for k in (0..n).rev() {
        let (above, here) = x.split_at_mut(k);
        add_scaled(above, &l[k * n..k * n + k], -here[0]);
    }
    for (x, inverse) in x.iter_mut().zip(diag_inv) {
        *x *= inverse;
    }
    for k in 0..n {
        x[k] -= dot(&l[k * n..k * n + k], &x[..k]);
    }
}

#[inline(always)]
fn update(
    l: &mut [f64],
    diag_inv: &mut [f64],
    vector: &mut [f64],
    n: usize,
    last: usize,
    mut weight: f64,
) -> bool {
    for k in (0..last).rev() {
        let p = vector[k];
        if p == 0.0 {
            continue;
        }
        let (row, pivot) = l[k * n..k * n + k + 1].split_at_mut(k);
        let new = pivot[0] + weight * p * p;
        if new.is_nan() || new < MINVAL || new < LOSS * pivot[0] {
            return false;
        }
        let inverse = 1.0 / new;
        let beta = p * weight * inverse;
        weight *= pivot[0] * inverse;
        (pivot[0], diag_inv[k]) = (new, inverse);
        for (l, v) in row.iter_mut().zip(vector.iter_mut()) {
            *v -= p * *l;
            *l += beta * *v;
        }
    }
    true
}
