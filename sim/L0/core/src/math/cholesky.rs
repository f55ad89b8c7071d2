//! Cholesky factorization, solve and rank-one update of dense row-major matrices (`mju_cholFactor`,
//! `mju_cholSolve`, `mju_cholUpdate`).

use super::dot;
use sim_types::MINVAL;

/// Overwrites the lower triangle of a symmetric `n × n` matrix with its Cholesky factor. Pivots below
/// `mindiag` are replaced by it. Returns the rank: the number of pivots that were not replaced.
///
/// # Panics
/// If the slice is shorter than `n²`.
#[doc(alias = "mju_cholFactor")]
pub fn factor(mat: &mut [f64], n: usize, mindiag: f64) -> usize {
    let mut rank = n;
    for j in 0..n {
        let (above, below) = mat[..n * n].split_at_mut((j + 1) * n);
        let row = &mut above[j * n..];
        let mut pivot = row[j] - dot(&row[..j], &row[..j]);
        if pivot < mindiag || pivot.is_nan() {
            pivot = mindiag;
            rank -= 1;
        }
        row[j] = pivot.sqrt();
        let scale = 1.0 / row[j];
        for other in below.chunks_exact_mut(n) {
            other[j] = (other[j] - dot(&other[..j], &row[..j])) * scale;
        }
    }
    rank
}

/// Solves `L Lᵀ x = b` in place.
///
/// # Panics
/// If the slice is shorter than `n²`, where `n` is the length of `x`.
#[doc(alias = "mju_cholSolve")]
pub fn solve(factor: &[f64], x: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        let row = &factor[i * n..i * n + i + 1];
        x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
    }
    for i in (0..n).rev() {
        let row = &factor[i * n..i * n + i + 1];
        x[i] /= row[i];
        let value = x[i];
        for (x, l) in x[..i].iter_mut().zip(row) {
            *x -= l * value;
        }
    }
}

/// Updates the factor of `A` to that of `A + x xᵀ` if `plus`, else of `A - x xᵀ`. Returns the rank; `x` is
/// overwritten.
///
/// # Panics
/// If the slice is shorter than `n²`, where `n` is the length of `x`.
#[doc(alias = "mju_cholUpdate")]
pub fn update(factor: &mut [f64], x: &mut [f64], plus: bool) -> usize {
    let n = x.len();
    let sign = if plus { 1.0 } else { -1.0 };
    let mut rank = n;
    for k in 0..n {
        if x[k] == 0.0 {
            continue;
        }
        let pivot = factor[k * n + k];
        let mut square = pivot * pivot + sign * x[k] * x[k];
        if square < MINVAL {
            square = MINVAL;
            rank -= 1;
        }
        let root = square.sqrt();
        let (c, s) = (root / pivot, x[k] / pivot);
        factor[k * n + k] = root;
        for i in k + 1..n {
            let entry = &mut factor[i * n + k];
            *entry = (*entry + sign * s * x[i]) / c;
            x[i] = c * x[i] - s * *entry;
        }
    }
    rank
}
