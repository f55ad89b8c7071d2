//! Products with the constraint Jacobian (`mj_mulJacVec`, `mj_mulJacTVec`).
//!
//! Consecutive rows with the same columns (row supernodes in MuJoCo, `efc_J_rowsuper`) are
//! processed as one block: the vector is gathered or scattered once per block.

use crate::parallel::join;
use crate::problem::Problem;
use crate::vector::{axpy4, mul_add4, sum4};
use sim_simd::dispatch;

/// Block of rows that are contiguous in memory and have the same columns.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RowBlock {
    /// Index of the first row.
    pub row: usize,
    /// Number of rows.
    pub rows: usize,
    /// Address of the first entry in `j` and `colind`.
    pub adr: usize,
    /// Number of entries of each row.
    pub len: usize,
}

impl RowBlock {
    /// Indices of the rows.
    #[inline(always)]
    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.row..self.row + self.rows
    }

    /// Columns shared by all rows.
    #[inline(always)]
    pub(crate) fn cols<'a>(&self, problem: &Problem<'a>) -> &'a [i32] {
        &problem.rows.colind[self.adr..self.adr + self.len]
    }

    /// Values, row-major.
    #[inline(always)]
    pub(crate) fn values<'a>(&self, problem: &Problem<'a>) -> &'a [f64] {
        &problem.rows.j[self.adr..self.adr + self.len * self.rows]
    }
}

/// `out = J x` for a Jacobian in compressed sparse rows. `rowsuper[i]` is the number of rows after
/// row `i` that have the same columns and are contiguous with it.
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
    if out.len() >= MIN_PARALLEL_ROWS {
        let half = out.len() / 2;
        let (one, two) = out.split_at_mut(half);
        let (nnz, adr, equal) = (&rownnz[half..], &rowadr[half..], &rowsuper[half..]);
        join(
            || multiply_rows(rownnz, rowadr, rowsuper, colind, j, x, one),
            || multiply_rows(nnz, adr, equal, colind, j, x, two),
        );
    } else {
        multiply_rows(rownnz, rowadr, rowsuper, colind, j, x, out);
    }
}

/// [`multiply_jacobian`] on this thread.
fn multiply_rows(
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
        mul_row_block(values, &colind[adr..adr + len], x, &mut out[row..row + rows]);
        row += rows;
    }
}

/// Number of row blocks, and of rows, from which on a product is computed on two threads.
const MIN_PARALLEL: usize = 1000;
const MIN_PARALLEL_ROWS: usize = 4000;

/// Whether two threads share the passes over the rows.
pub(crate) fn is_large(row_blocks: &[RowBlock]) -> bool {
    row_blocks.len() >= MIN_PARALLEL
}

/// `out = J x`.
pub(crate) fn mul(problem: &Problem<'_>, row_blocks: &[RowBlock], x: &[f64], out: &mut [f64]) {
    if is_large(row_blocks) {
        let (one, two) = row_blocks.split_at(row_blocks.len() / 2);
        let (out1, out2) = out.split_at_mut(two[0].row);
        join(|| mul_part(problem, one, x, out1), || mul_part(problem, two, x, out2));
    } else {
        mul_part(problem, row_blocks, x, out);
    }
}

/// `out = J x` of some row blocks.
fn mul_part(problem: &Problem<'_>, row_blocks: &[RowBlock], x: &[f64], out: &mut [f64]) {
    dispatch!(mul_blocks(problem: &Problem<'_>, row_blocks: &[RowBlock], x: &[f64], out: &mut [f64]));
}

#[inline(always)]
fn mul_blocks(problem: &Problem<'_>, row_blocks: &[RowBlock], x: &[f64], out: &mut [f64]) {
    let first = row_blocks.first().map_or(0, |block| block.row);
    for block in row_blocks {
        let (values, cols) = (block.values(problem), block.cols(problem));
        let start = block.row - first;
        mul_row_block(values, cols, x, &mut out[start..start + block.rows]);
    }
}

/// Product of one row block, with a short cut for the edges of flexes.
#[inline(always)]
fn mul_row_block(values: &[f64], cols: &[i32], x: &[f64], out: &mut [f64]) {
    if let (Some([a, b]), [v0, v1, v2, v3, v4, v5], [out]) = (two_points(cols), values, &mut *out) {
        let (a, b) = (&x[a..a + 3], &x[b..b + 3]);
        // the order of the sum is that of four lanes
        let lanes = [v0 * a[0] + v4 * b[1], v1 * a[1] + v5 * b[2], v2 * a[2], v3 * b[0]];
        *out = sum4(lanes);
        return;
    }
    mul_block(values, cols, x, out);
}

/// The first columns of two points with three dofs each, as in the edges of flexes.
#[inline(always)]
pub(crate) fn two_points(cols: &[i32]) -> Option<[usize; 2]> {
    let [a0, _, a2, b0, _, b2] = *cols else { return None };
    // columns increase
    let runs = a2 == a0 + 2 && b2 == b0 + 2;
    runs.then_some([a0 as usize, b0 as usize])
}

/// Product of one row block.
#[inline(always)]
fn mul_block(values: &[f64], cols: &[i32], x: &[f64], out: &mut [f64]) {
    if let [only] = cols {
        // joint limits and joint friction
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

/// Product of `N` rows of a block. The vector is gathered into registers, without a buffer in
/// memory that would delay the loads (store forwarding).
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
                sum[k] = mul_add4(sum[k], *row, x);
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
        out[k] = sum4(sum[k]);
    }
}

/// `out = Jᵀ f` of some row blocks; `f` starts with the first of their rows.
pub(crate) fn mul_transposed(
    problem: &Problem<'_>,
    row_blocks: &[RowBlock],
    f: &[f64],
    out: &mut [f64],
) {
    dispatch!(mul_blocks_transposed(problem: &Problem<'_>, row_blocks: &[RowBlock], f: &[f64], out: &mut [f64]));
}

#[inline(always)]
fn mul_blocks_transposed(
    problem: &Problem<'_>,
    row_blocks: &[RowBlock],
    f: &[f64],
    out: &mut [f64],
) {
    out.fill(0.0);
    let first = row_blocks.first().map_or(0, |block| block.row);
    for block in row_blocks {
        let f = &f[block.row - first..][..block.rows];
        let (cols, values) = (block.cols(problem), block.values(problem));
        if f.iter().all(|&f| f == 0.0) {
            continue;
        }
        if let (Some([a, b]), [v0, v1, v2, v3, v4, v5], [f]) = (two_points(cols), values, f) {
            for (out, v) in out[a..a + 3].iter_mut().zip([v0, v1, v2]) {
                *out += v * f;
            }
            for (out, v) in out[b..b + 3].iter_mut().zip([v3, v4, v5]) {
                *out += v * f;
            }
            continue;
        }
        let (chunks, rest) = cols.as_chunks::<4>();
        for (chunk, c) in chunks.iter().enumerate() {
            let mut sum = [0.0; 4];
            for (k, &f) in f.iter().enumerate() {
                let row = &values[k * block.len + 4 * chunk..];
                if let Some(row) = row.first_chunk()
                    && f != 0.0
                {
                    sum = axpy4(sum, *row, f);
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
                    sum += f * values[k * block.len + 4 * chunks.len() + lane];
                }
            }
            out[c as usize] += sum;
        }
    }
}
