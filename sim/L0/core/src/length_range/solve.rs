//! Forces of a few soft constraints, exactly.
//!
//! Forces `f` satisfy `(A + R) f + b = 0` for the rows that act, with `A = J M⁻¹ Jᵀ` and
//! `b = J a₀ - aref`; a row that can only push either does so, or has `f = 0` and is satisfied.
//! The matrix is positive definite, so that exchanging one violated row at a time, the first one
//! first, ends at the only solution.

use super::rows::Rows;
use crate::inertia::{cholesky_in_place, cholesky_solve_in_place, mj_solve_m, mj_solve_m2};
use crate::math::dot;
use crate::{Data, Model};
use nalgebra::{DMatrix, DVector};

/// Computes `qacc` and `qfrc_constraint` under these rows, from `qacc_smooth`.
pub(super) fn constrained_acceleration(m: &Model, d: &mut Data, rows: &Rows) {
    d.qacc.copy_from_slice(&d.qacc_smooth);
    d.qfrc_constraint.fill(0.0);
    let n = rows.len();
    if n == 0 {
        return;
    }
    let row = |i: usize| &rows.jac[i * m.nv..(i + 1) * m.nv];
    let mut half = rows.jac.clone();
    mj_solve_m2(m, d, &mut half);
    let half = |i: usize| &half[i * m.nv..(i + 1) * m.nv];
    let matrix =
        DMatrix::from_fn(n, n, |i, j| dot(half(i), half(j)) + if i == j { rows.r[i] } else { 0.0 });
    let b: Vec<f64> = (0..n).map(|i| dot(row(i), &d.qacc_smooth) - rows.aref[i]).collect();
    let force = forces(&matrix, &b, &rows.one_sided);
    for (i, f) in force.iter().enumerate() {
        for (q, j) in d.qfrc_constraint.iter_mut().zip(row(i)) {
            *q += f * j;
        }
    }
    let mut change = d.qfrc_constraint.clone();
    mj_solve_m(m, d, &mut change);
    for (a, c) in d.qacc.iter_mut().zip(&change) {
        *a += c;
    }
}

/// Rounds of exchanging all violated rows at once, before one at a time.
const FAST_ROUNDS: usize = 10;

/// The forces of all rows.
fn forces(matrix: &DMatrix<f64>, b: &[f64], one_sided: &[bool]) -> Vec<f64> {
    let n = b.len();
    let mut active: Vec<bool> = (0..n).map(|i| !one_sided[i] || b[i] < 0.0).collect();
    let mut force = vec![0.0; n];
    // the exchange of single rows is finite, but its bound is exponential: far more rows than here
    for round in 0..FAST_ROUNDS + 100 * n {
        solve_active(matrix, b, &active, &mut force);
        let violated = |i: usize| {
            one_sided[i]
                && if active[i] {
                    force[i] < 0.0
                } else {
                    (0..n).map(|j| matrix[(i, j)] * force[j]).sum::<f64>() + b[i] < 0.0
                }
        };
        let wrong: Vec<usize> = (0..n).filter(|&i| violated(i)).collect();
        let exchanged = if round < FAST_ROUNDS { wrong.len() } else { wrong.len().min(1) };
        if exchanged == 0 {
            break;
        }
        for &i in &wrong[..exchanged] {
            active[i] = !active[i];
        }
    }
    force
}

/// Forces of the active rows; zero for the others.
fn solve_active(matrix: &DMatrix<f64>, b: &[f64], active: &[bool], force: &mut [f64]) {
    force.fill(0.0);
    let ids: Vec<usize> = (0..b.len()).filter(|&i| active[i]).collect();
    let mut small = DMatrix::from_fn(ids.len(), ids.len(), |i, j| matrix[(ids[i], ids[j])]);
    let mut x = DVector::from_fn(ids.len(), |i, _| -b[ids[i]]);
    // positive definite unless the state is not finite, which the checks of the step find
    if cholesky_in_place(&mut small).is_err() {
        return;
    }
    cholesky_solve_in_place(&small, &mut x);
    for (&i, &f) in ids.iter().zip(&x) {
        force[i] = f;
    }
}
