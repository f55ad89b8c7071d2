//! Runs of rows with the same columns: products with the Jacobian gather and scatter once a run.

use crate::problem::Problem;
use crate::vector::{add_scaled, dot};
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

/// Finds the runs. Returns the length of the longest row.
pub(crate) fn find(problem: &Problem<'_>, runs: &mut Vec<Run>) -> usize {
    runs.clear();
    let rows = &problem.rows;
    let mut longest = 0;
    for i in 0..problem.nefc() {
        let (adr, len) = (rows.rowadr[i] as usize, rows.rownnz[i] as usize);
        longest = longest.max(len);
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
    longest
}

/// `out = J x`. The buffer is as long as the longest row.
pub(crate) fn mul(
    problem: &Problem<'_>,
    runs: &[Run],
    x: &[f64],
    out: &mut [f64],
    buffer: &mut [f64],
) {
    dispatch!(mul_runs(problem: &Problem<'_>, runs: &[Run], x: &[f64], out: &mut [f64], buffer: &mut [f64]));
}

#[inline(always)]
fn mul_runs(problem: &Problem<'_>, runs: &[Run], x: &[f64], out: &mut [f64], buffer: &mut [f64]) {
    for run in runs {
        let out = &mut out[run.range()];
        if run.len == 0 {
            out.fill(0.0);
            continue;
        }
        let buffer = &mut buffer[..run.len];
        for (b, &c) in buffer.iter_mut().zip(run.cols(problem)) {
            *b = x[c as usize];
        }
        for (out, row) in out.iter_mut().zip(run.values(problem).chunks_exact(run.len)) {
            *out = dot(row, buffer);
        }
    }
}

/// `out = Jᵀ f`. The buffer is as long as the longest row.
pub(crate) fn mul_transposed(
    problem: &Problem<'_>,
    runs: &[Run],
    f: &[f64],
    out: &mut [f64],
    buffer: &mut [f64],
) {
    dispatch!(mul_runs_transposed(problem: &Problem<'_>, runs: &[Run], f: &[f64], out: &mut [f64], buffer: &mut [f64]));
}

#[inline(always)]
fn mul_runs_transposed(
    problem: &Problem<'_>,
    runs: &[Run],
    f: &[f64],
    out: &mut [f64],
    buffer: &mut [f64],
) {
    out.fill(0.0);
    for run in runs {
        let f = &f[run.range()];
        if run.len == 0 || f.iter().all(|&f| f == 0.0) {
            continue;
        }
        let buffer = &mut buffer[..run.len];
        buffer.fill(0.0);
        for (&f, row) in f.iter().zip(run.values(problem).chunks_exact(run.len)) {
            if f != 0.0 {
                add_scaled(buffer, row, f);
            }
        }
        for (&b, &c) in buffer.iter().zip(run.cols(problem)) {
            out[c as usize] += b;
        }
    }
}
