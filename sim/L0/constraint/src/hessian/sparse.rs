//! The Hessian in compressed rows, factored `Lᵀ D L` from the last dof to the first.

use super::pattern::Pattern;
use super::{LOSS, each_cone};
use crate::group::Run;
use crate::problem::Problem;
use crate::vector::{add_scaled, fit};
use sim_simd::dispatch;
use sim_types::{ConstraintState, MINVAL};
use std::ops::Range;

/// A sparse symmetric matrix and its factor.
#[derive(Debug, Default)]
pub(super) struct Sparse {
    pub pattern: Pattern,
    /// The matrix without cones.
    h: Vec<f64>,
    /// First `h` with cones, then its factor.
    l: Vec<f64>,
    diag_inv: Vec<f64>,
    /// The contribution of one run, or a vector of all dofs.
    block: Vec<f64>,
    dense: Vec<f64>,
    /// For rows that are not aligned: the rows to be subtracted from each dof's.
    pending: Vec<u32>,
    next: Vec<u32>,
    at: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Sparse {
    /// Makes room for the pattern.
    pub(super) fn resize(&mut self, longest: usize) {
        let n = self.pattern.rowadr.len();
        for v in [&mut self.h, &mut self.l] {
            fit(v, self.pattern.cols.len());
        }
        fit(&mut self.diag_inv, n);
        self.block.resize(longest * longest + longest, 0.0);
        self.dense.clear();
        self.dense.resize(n, 0.0);
        self.pending.clear();
        self.pending.resize(n, NONE);
        self.next.resize(n, NONE);
        self.at.resize(n, 0);
    }

    pub(super) fn nnz(&self) -> usize {
        self.l.len()
    }

    /// `h = M + Jᵀ D J` over the quadratic rows.
    pub(super) fn assemble(
        &mut self,
        problem: &Problem<'_>,
        runs: &[Run],
        state: &[ConstraintState],
    ) {
        let Self { h, block, pattern, .. } = self;
        let (h, block, pattern) = (&mut h[..], &mut block[..], &*pattern);
        dispatch!(assemble(problem: &Problem<'_>, runs: &[Run], state: &[ConstraintState], pattern: &Pattern, h: &mut [f64], block: &mut [f64]));
    }

    /// Adds the elliptic contacts in their middle zone to the assembled matrix, and factors.
    /// Returns whether all pivots were positive.
    pub(super) fn factor(
        &mut self,
        problem: &Problem<'_>,
        state: &[ConstraintState],
        cones: Option<&[[f64; 36]]>,
    ) -> bool {
        self.l.copy_from_slice(&self.h);
        if let Some(cones) = cones {
            let Self { l, block, pattern, .. } = self;
            each_cone(problem, state, cones, block, |block, cols| scatter(block, cols, pattern, l));
        }
        let this = self;
        dispatch!(factor(this: &mut Sparse) -> bool)
    }

    /// Follows `H += sign D j jᵀ`. Returns false if accuracy was lost; the factor is then useless.
    pub(super) fn update(&mut self, j: &[f64], cols: &[i32], weight: f64) -> bool {
        let this = self;
        dispatch!(update(this: &mut Sparse, j: &[f64], cols: &[i32], weight: f64) -> bool)
    }

    pub(super) fn solve(&self, x: &mut [f64]) {
        let this = self;
        dispatch!(solve(this: &Sparse, x: &mut [f64]));
    }
}

#[inline(always)]
fn assemble(
    problem: &Problem<'_>,
    runs: &[Run],
    state: &[ConstraintState],
    pattern: &Pattern,
    h: &mut [f64],
    block: &mut [f64],
) {
    let inertia = &problem.inertia;
    for i in 0..inertia.rownnz.len() {
        let (adr, nnz) = (inertia.rowadr[i] as usize, inertia.rownnz[i] as usize);
        let row = pattern.row(i);
        let (target, values) = (&mut h[row.start..row.end + 1], &inertia.m[adr..adr + nnz]);
        if target.len() == nnz {
            target.copy_from_slice(values);
        } else {
            target.fill(0.0);
            let cols = &pattern.cols[row.start..row.end + 1];
            let mut at = 0;
            for (&value, &c) in values.iter().zip(&inertia.colind[adr..adr + nnz]) {
                while cols[at] != c as u32 {
                    at += 1;
                }
                target[at] = value;
            }
        }
    }
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
        scatter(block, run.cols(problem), pattern, h);
    }
}

/// Adds the lower triangle of a small block to the rows and columns of the matrix.
#[inline(always)]
fn scatter(block: &[f64], cols: &[i32], pattern: &Pattern, h: &mut [f64]) {
    let len = cols.len();
    for (a, &row) in cols.iter().enumerate() {
        let source = &block[a * len..a * len + a + 1];
        let row = pattern.row(row as usize);
        let target = &mut h[row.start..row.end + 1];
        // the pattern holds all columns of the block, so with as many entries it has no other
        if target.len() == source.len() {
            for (t, s) in target.iter_mut().zip(source) {
                *t += s;
            }
            continue;
        }
        let places = &pattern.cols[row.start..row.end + 1];
        let mut at = 0;
        for (&value, &c) in source.iter().zip(cols) {
            while places[at] != c as u32 {
                at += 1;
            }
            target[at] += value;
        }
    }
}

#[inline(always)]
fn factor(this: &mut Sparse) -> bool {
    let Sparse { pattern, l, diag_inv, dense, pending, next, at, .. } = this;
    let mut good = true;
    for k in (0..diag_inv.len()).rev() {
        let Range { start, end } = pattern.row(k);
        if pending[k] != NONE {
            subtract_pending(pattern, l, dense, pending, next, at, diag_inv, k);
        }
        let (row, below) = l[start..].split_at_mut(end - start + 1);
        let len = end - start;
        let pivot = row[len];
        let bad = pivot.is_nan() || pivot < MINVAL;
        good &= !bad;
        let pivot = if bad { MINVAL } else { pivot };
        row[len] = pivot;
        let inverse = 1.0 / pivot;
        diag_inv[k] = inverse;
        let row = &mut row[..len];
        if len == 0 {
            continue;
        }
        if pattern.aligned[k] {
            let adr = &pattern.coladr[start..end];
            for a in 0..len {
                let to = adr[a] as usize - end - 1;
                add_scaled(&mut below[to..to + a + 1], &row[..a + 1], -(row[a] * inverse));
            }
        } else {
            let parent = pattern.cols[end - 1] as usize;
            at[k] = len as u32 - 1;
            next[k] = pending[parent];
            pending[parent] = k as u32;
        }
        for value in row {
            *value *= inverse;
        }
    }
    good
}

/// Subtracts from row `r` the rows that wait for it, and sends each on to its next column.
#[inline(always)]
fn subtract_pending(
    pattern: &Pattern,
    l: &mut [f64],
    dense: &mut [f64],
    pending: &mut [u32],
    next: &mut [u32],
    at: &mut [u32],
    diag_inv: &[f64],
    r: usize,
) {
    let own = pattern.row(r);
    let cols = &pattern.cols[own.start..own.end + 1];
    for (&c, &value) in cols.iter().zip(&l[own.start..own.end + 1]) {
        dense[c as usize] = value;
    }
    let mut k = std::mem::replace(&mut pending[r], NONE);
    while k != NONE {
        let row = pattern.row(k as usize);
        let here = at[k as usize] as usize;
        // the row is scaled already
        let factor = l[row.start + here] / diag_inv[k as usize];
        let entries = row.start..row.start + here + 1;
        for (&value, &c) in l[entries.clone()].iter().zip(&pattern.cols[entries]) {
            dense[c as usize] -= factor * value;
        }
        let following = next[k as usize];
        if here > 0 {
            let target = pattern.cols[row.start + here - 1] as usize;
            at[k as usize] = here as u32 - 1;
            next[k as usize] = pending[target];
            pending[target] = k;
        }
        k = following;
    }
    for (&c, value) in cols.iter().zip(&mut l[own.start..own.end + 1]) {
        *value = dense[c as usize];
        dense[c as usize] = 0.0;
    }
}

#[inline(always)]
fn solve(this: &Sparse, x: &mut [f64]) {
    let Sparse { pattern, l, diag_inv, .. } = this;
    for k in (0..diag_inv.len()).rev() {
        let (row, value) = (pattern.row(k), x[k]);
        for (&l, &c) in l[row.clone()].iter().zip(&pattern.cols[row]) {
            x[c as usize] -= l * value;
        }
    }
    for k in 0..diag_inv.len() {
        let row = pattern.row(k);
        let mut sum = [0.0; 2];
        for (i, (&l, &c)) in l[row.clone()].iter().zip(&pattern.cols[row]).enumerate() {
            sum[i & 1] += l * x[c as usize];
        }
        x[k] = x[k] * diag_inv[k] - (sum[0] + sum[1]);
    }
}

#[inline(always)]
fn update(this: &mut Sparse, j: &[f64], cols: &[i32], weight: f64) -> bool {
    let Sparse { pattern, l, diag_inv, dense, .. } = this;
    for (&value, &c) in j.iter().zip(cols) {
        dense[c as usize] = value;
    }
    let Some(&last) = cols.last() else {
        return true;
    };
    let (mut k, mut weight) = (last as usize, weight);
    loop {
        let row = pattern.row(k);
        let p = std::mem::take(&mut dense[k]);
        if p != 0.0 {
            let old = l[row.end];
            let new = old + weight * p * p;
            if new.is_nan() || new < MINVAL || new < LOSS * old {
                dense.fill(0.0);
                return false;
            }
            let inverse = 1.0 / new;
            let beta = p * weight * inverse;
            weight *= old * inverse;
            (l[row.end], diag_inv[k]) = (new, inverse);
            for (l, &c) in l[row.clone()].iter_mut().zip(&pattern.cols[row.clone()]) {
                let w = dense[c as usize] - p * *l;
                dense[c as usize] = w;
                *l += beta * w;
            }
        }
        if row.is_empty() {
            return true;
        }
        k = pattern.cols[row.end - 1] as usize;
    }
}
