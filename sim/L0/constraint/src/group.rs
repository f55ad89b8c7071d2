//! Runs of rows with the same columns: products with the Jacobian gather and scatter once a run.

use crate::problem::Problem;
use crate::vector::{lane_product, lane_scaled, lane_sum};
use sim_simd::dispatch;

/// Rows that follow each other in memory and have their entries in the same columns.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Run {
    /// First row.
    pub row: usize,
    /// Number of rows.
    pub rows: usize,
    /// Address of the first entry, also of the columns.
    pub adr: usize,
    /// Entries of each row.
    pub len: usize,
}

impl Run {
    /// Its rows.
    #[inline(always)]
    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.row..self.row + self.rows
    }

    /// Its columns.
    #[inline(always)]
    pub(crate) fn cols<'a>(&self, problem: &Problem<'a>) -> &'a [i32] {
        &problem.rows.colind[self.adr..self.adr + self.len]
    }

    /// The values of its rows, one after the other.
    #[inline(always)]
    pub(crate) fn values<'a>(&self, problem: &Problem<'a>) -> &'a [f64] {
        &problem.rows.j[self.adr..self.adr + self.len * self.rows]
    }
}

/// Finds the runs.
pub(crate) fn find(problem: &Problem<'_>, runs: &mut Vec<Run>) {
    runs.clear();
    let rows = &problem.rows;
    for i in 0..problem.nefc() {
        let (adr, len) = (rows.rowadr[i] as usize, rows.rownnz[i] as usize);
        if let Some(run) = runs.last_mut()
            && run.len == len
            && run.adr + run.len * run.rows == adr
            && rows.colind[run.adr..run.adr + len] == rows.colind[adr..adr + len]
        {
            run.rows += 1;
        } else {
            runs.push(Run { row: i, rows: 1, adr, len });
        }
    }
}

/// `out = J x`, for a Jacobian in compressed rows; `rowsuper` says of each row how many of those
/// after it have the same columns, and follow it in memory.
///
/// # Panics
/// If a slice is too short.
#[doc(alias = "mj_mulJacVec")]
pub fn multiply_jacobian(
    rownnz: &[i32],
    rowadr: &[i32],
    rowsuper: &[i32],
    colind: &[i32],
    j: &[f64],
    x: &[f64],
    out: &mut [f64],
) {
    dispatch!(mul_super(rownnz: &[i32], rowadr: &[i32], rowsuper: &[i32], colind: &[i32], j: &[f64], x: &[f64], out: &mut [f64]));
}

#[inline(always)]
fn mul_super(
    rownnz: &[i32],
    rowadr: &[i32],
    rowsuper: &[i32],
    colind: &[i32],
    j: &[f64],
    x: &[f64],
    out: &mut [f64],
) {
    let mut row = 0;
    while row < out.len() {
        let (adr, len) = (rowadr[row] as usize, rownnz[row] as usize);
        let rows = (rowsuper[row] as usize + 1).min(out.len() - row);
        let values = &j[adr..adr + len * rows];
        mul_run(values, &colind[adr..adr + len], x, &mut out[row..row + rows]);
        row += rows;
    }
}

/// `out = J x`.
pub(crate) fn mul(problem: &Problem<'_>, runs: &[Run], x: &[f64], out: &mut [f64]) {
    dispatch!(mul_runs(problem: &Problem<'_>, runs: &[Run], x: &[f64], out: &mut [f64]));
}

#[inline(always)]
fn mul_runs(problem: &Problem<'_>, runs: &[Run], x: &[f64], out: &mut [f64]) {
    for run in runs {
        mul_run(run.values(problem), run.cols(problem), x, &mut out[run.range()]);
    }
}

/// Rows with the same columns.
#[inline(always)]
fn mul_run(values: &[f64], cols: &[i32], x: &[f64], out: &mut [f64]) {
    if let [only] = cols {
        // limits and dry friction of joints
        let x = x[*only as usize];
        for (out, value) in out.iter_mut().zip(values) {
            *out = value * x;
        }
        return;
    }
    let (rows, len) = (out.len(), cols.len());
    let mut done = 0;
    while rows - done >= 4 {
        mul_rows::<4>(&values[done * len..], cols, x, &mut out[done..done + 4]);
        done += 4;
    }
    for k in done..rows {
        mul_rows::<1>(&values[k * len..], cols, x, &mut out[k..k + 1]);
    }
}

/// `N` rows at once. The vector is gathered into registers: a buffer in memory would have to be
/// written before it can be read.
#[inline(always)]
fn mul_rows<const N: usize>(values: &[f64], cols: &[i32], x: &[f64], out: &mut [f64]) {
    let len = cols.len();
    let mut sum = [[0.0; 4]; N];
    let (chunks, rest) = cols.as_chunks::<4>();
    let mut rows = [&values[..0]; N];
    for k in 0..N {
        rows[k] = &values[k * len..(k + 1) * len];
    }
    for (chunk, c) in chunks.iter().enumerate() {
        let x = [x[c[0] as usize], x[c[1] as usize], x[c[2] as usize], x[c[3] as usize]];
        for k in 0..N {
            let row = &rows[k][4 * chunk..];
            if let Some(row) = row.first_chunk() {
                sum[k] = lane_product(sum[k], *row, x);
            }
        }
    }
    for (lane, &c) in rest.iter().enumerate() {
        let x = x[c as usize];
        for k in 0..N {
            sum[k][lane & 3] += rows[k][4 * chunks.len() + lane] * x;
        }
    }
    for k in 0..N {
        out[k] = lane_sum(sum[k]);
    }
}

/// `out = Jᵀ f`.
pub(crate) fn mul_transposed(problem: &Problem<'_>, runs: &[Run], f: &[f64], out: &mut [f64]) {
    dispatch!(mul_runs_transposed(problem: &Problem<'_>, runs: &[Run], f: &[f64], out: &mut [f64]));
}

#[inline(always)]
fn mul_runs_transposed(problem: &Problem<'_>, runs: &[Run], f: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    for run in runs {
        let (f, cols, values) = (&f[run.range()], run.cols(problem), run.values(problem));
        if f.iter().all(|&f| f == 0.0) {
            continue;
        }
        let (chunks, rest) = cols.as_chunks::<4>();
        for (chunk, c) in chunks.iter().enumerate() {
            let mut sum = [0.0; 4];
            for (k, &f) in f.iter().enumerate() {
                let row = &values[k * run.len + 4 * chunk..];
                if let Some(row) = row.first_chunk()
                    && f != 0.0
                {
                    sum = lane_scaled(sum, *row, f);
                }
            }
            for lane in 0..4 {
                out[c[lane] as usize] += sum[lane];
            }
        }
        for (lane, &c) in rest.iter().enumerate() {
            let mut sum = 0.0;
            for (k, &f) in f.iter().enumerate() {
                if f != 0.0 {
                    sum += f * values[k * run.len + 4 * chunks.len() + lane];
                }
            }
            out[c as usize] += sum;
        }
    }
}
