//! Sparse `LᵀDL` factorisation with the sparsity of a kinematic tree (`mj_factorI`, `mj_solveLD`):
//! kernels on slices.
//!
//! The factor overwrites the matrix: unit lower-triangular `L` off the diagonal, `D` on it.
//! A pivot of a magnitude below `mjMINVAL` is replaced by `mjMINVAL` and reported. Negative pivots occur: with
//! fluid forces at high velocities `M − h D` of `implicitfast` is indefinite.
//!
//! Kinematic trees of robots are shallow and rows are short, so that loop overhead would dominate:
//! each row kernel is unrolled for every length up to 16, with a loop for longer rows.

use sim_simd::dispatch;
use sim_types::MINVAL;
use std::ops::Range;

/// Sparsity of a lower-triangular matrix on kinematic trees, with precomputed addresses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pattern<'a> {
    /// Entries of each row, the diagonal included.
    pub rownnz: &'a [i32],
    /// Address of each row's first entry.
    pub rowadr: &'a [i32],
    /// Column of each entry.
    pub colind: &'a [i32],
    /// Address of the row of each entry's column: `rowadr[colind]`.
    pub coladr: &'a [u32],
    /// Column of each entry, counted from the first dof of its tree; meaningful for small trees.
    pub collocal: &'a [u8],
    /// First dof of each tree.
    pub treeadr: &'a [i32],
    /// Dofs of each tree.
    pub treenum: &'a [i32],
}

impl Pattern<'_> {
    /// Address range of the rows of consecutive dofs.
    pub(crate) fn entries(&self, dofs: Range<usize>) -> Range<usize> {
        let last = dofs.end - 1;
        self.rowadr[dofs.start] as usize..self.rowadr[last] as usize + self.rownnz[last] as usize
    }

    /// The pattern restricted to a range of trees.
    pub(crate) fn of_trees(self, trees: Range<usize>) -> Self {
        Self { treeadr: &self.treeadr[trees.clone()], treenum: &self.treenum[trees], ..self }
    }
}

/// Calls the unrolled `kernel::<N>(…)` for lengths up to 16, else `other`.
macro_rules! by_length {
    ($length:expr, $kernel:ident $arguments:tt, $other:expr) => {
        by_length!($length, $kernel $arguments, $other; 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
    };
    ($length:expr, $kernel:ident $arguments:tt, $other:expr; $($n:literal)*) => {
        match $length {
            0 => {}
            $($n => $kernel::<$n> $arguments,)*
            _ => $other,
        }
    };
}

/// Factors `mat` in place and stores the inverse pivots. Returns the last row with a pivot of a
/// magnitude below `mjMINVAL`, if any.
#[doc(alias = "mj_factorI")]
pub(crate) fn factor(pattern: Pattern<'_>, mat: &mut [f64], diaginv: &mut [f64]) -> Option<usize> {
    dispatch!(factor_all(pattern: Pattern<'_>, mat: &mut [f64], diaginv: &mut [f64]) -> Option<usize>)
}

/// [`factor`] restricted to the dofs of complete trees.
pub(crate) fn factor_dofs(
    pattern: Pattern<'_>,
    mat: &mut [f64],
    diaginv: &mut [f64],
    dofs: Range<usize>,
) -> Option<usize> {
    dispatch!(factor_rows(pattern: Pattern<'_>, mat: &mut [f64], diaginv: &mut [f64], dofs: Range<usize>) -> Option<usize>)
}

#[inline(always)]
fn factor_all(pattern: Pattern<'_>, mat: &mut [f64], diaginv: &mut [f64]) -> Option<usize> {
    let dofs = 0..diaginv.len();
    factor_rows(pattern, mat, diaginv, dofs)
}

#[inline(always)]
fn factor_rows(
    pattern: Pattern<'_>,
    mat: &mut [f64],
    diaginv: &mut [f64],
    dofs: Range<usize>,
) -> Option<usize> {
    let mut singular = None;
    for k in dofs.rev() {
        let start = pattern.rowadr[k] as usize;
        let len = pattern.rownnz[k] as usize - 1;
        // rows of ancestors precede row k
        let (above, row) = mat.split_at_mut(start);
        if row[len].abs() < MINVAL {
            singular = Some(k);
            row[len] = MINVAL;
        }
        let inverse = 1.0 / row[len];
        diaginv[k] = inverse;
        let row = &mut row[..len];
        let adr = &pattern.coladr[start..start + len];
        by_length!(
            len,
            eliminate(row, inverse, adr, above),
            eliminate_long(row, inverse, adr, above)
        );
    }
    singular
}

/// Eliminates a row: `above(i, ·) -= row(i) · inverse · row` for its ancestors `i`, then scales it to
/// a row of `L`.
#[inline(always)]
fn eliminate<const N: usize>(row: &mut [f64], inverse: f64, adr: &[u32], above: &mut [f64]) {
    let (Some(row), Some(adr)) = (row.first_chunk_mut::<N>(), adr.first_chunk::<N>()) else {
        return;
    };
    // a local copy without aliasing allows vectorisation
    let copy = *row;
    for value in row.iter_mut() {
        *value *= inverse;
    }
    macro_rules! ancestors {
        ($($a:literal)*) => {
            $(
                if $a < N {
                    let start = adr[$a] as usize;
                    let target = &mut above[start..start + $a + 1];
                    let factor = row[$a];
                    for b in 0..$a + 1 {
                        target[b] -= factor * copy[b];
                    }
                }
            )*
        };
    }
    ancestors!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
}

/// [`eliminate`] for rows of any length.
#[inline(always)]
fn eliminate_long(row: &mut [f64], inverse: f64, adr: &[u32], above: &mut [f64]) {
    for a in 0..row.len() {
        let factor = row[a] * inverse;
        let target = &mut above[adr[a] as usize..][..=a];
        for (t, &r) in target.iter_mut().zip(&*row) {
            *t -= factor * r;
        }
    }
    for value in row {
        *value *= inverse;
    }
}

/// `result = A x` for a symmetric matrix given by its lower triangle.
pub(crate) fn mul(pattern: Pattern<'_>, matrix: &[f64], x: &[f64], result: &mut [f64]) {
    result.fill(0.0);
    for i in 0..x.len() {
        let start = pattern.rowadr[i] as usize;
        let diagonal = start + pattern.rownnz[i] as usize - 1;
        let mut sum = matrix[diagonal] * x[i];
        for adr in start..diagonal {
            let j = pattern.colind[adr] as usize;
            sum += matrix[adr] * x[j];
            result[j] += matrix[adr] * x[i];
        }
        result[i] += sum;
    }
}

/// Maximum number of dofs of a tree that is solved in a local buffer.
const SMALL_TREE: usize = 64;
/// Mask that keeps an index inside the buffer, which removes bounds checks.
const INDEX_MASK: usize = SMALL_TREE - 1;

/// `x ← (LᵀDL)⁻¹ x`.
#[doc(alias = "mj_solveLD")]
pub(crate) fn solve(pattern: Pattern<'_>, factor: &[f64], diaginv: &[f64], x: &mut [f64]) {
    dispatch!(substitute(pattern: Pattern<'_>, factor: &[f64], diaginv: &[f64], x: &mut [f64]));
}

/// Solves tree by tree: a dof depends only on dofs of its own tree.
#[inline(always)]
fn substitute(pattern: Pattern<'_>, factor: &[f64], diaginv: &[f64], x: &mut [f64]) {
    let mut buffer = [0.0; SMALL_TREE];
    for (&first, &count) in pattern.treeadr.iter().zip(pattern.treenum) {
        let dofs = first as usize..first as usize + count as usize;
        if dofs.len() > SMALL_TREE {
            transpose_rows(pattern, factor, x, dofs.clone());
            for i in dofs.clone() {
                x[i] *= diaginv[i];
            }
            for i in dofs {
                let (row, cols) = off_diagonal(pattern, factor, i);
                let sum: f64 = row.iter().zip(cols).map(|(&l, &j)| l * x[j as usize]).sum();
                x[i] -= sum;
            }
            continue;
        }
        // the rows of a tree are contiguous: each pass reads memory once
        let start = pattern.rowadr[dofs.start] as usize;
        let last = dofs.end - 1;
        let end = pattern.rowadr[last] as usize + pattern.rownnz[last] as usize;
        let (factor, cols) = (&factor[start..end], &pattern.collocal[start..end]);
        let lengths = &pattern.rownnz[dofs.clone()];
        let x = &mut x[dofs.clone()];
        // diagonal matrix: a free body, slide joints
        if factor.len() == x.len() {
            for (x, inverse) in x.iter_mut().zip(&diaginv[dofs]) {
                *x *= inverse;
            }
            continue;
        }
        buffer[..x.len()].copy_from_slice(x);
        let (mut values, mut columns) = (factor, cols);
        for (i, &n) in lengths.iter().enumerate().rev() {
            let (rest, row) = values.split_at(values.len() - n as usize);
            let (rest_columns, row_columns) = columns.split_at(rest.len());
            (values, columns) = (rest, rest_columns);
            let n = n as usize - 1;
            by_length!(
                n,
                scatter(row, row_columns, &mut buffer, i),
                scatter_long(&row[..n], row_columns, &mut buffer, i)
            );
        }
        for (b, inverse) in buffer.iter_mut().zip(&diaginv[dofs]) {
            *b *= inverse;
        }
        let (mut values, mut columns) = (factor, cols);
        for (i, &n) in lengths.iter().enumerate() {
            let (row, rest) = values.split_at(n as usize);
            let (row_columns, rest_columns) = columns.split_at(n as usize);
            (values, columns) = (rest, rest_columns);
            let n = n as usize - 1;
            by_length!(
                n,
                gather(row, row_columns, &mut buffer, i),
                gather_long(&row[..n], row_columns, &mut buffer, i)
            );
        }
        x.copy_from_slice(&buffer[..x.len()]);
    }
}

/// `x ← L⁻ᵀ x`.
pub(crate) fn solve_transpose(pattern: Pattern<'_>, factor: &[f64], x: &mut [f64]) {
    let dofs = 0..x.len();
    transpose_rows(pattern, factor, x, dofs);
}

#[inline(always)]
fn transpose_rows(pattern: Pattern<'_>, factor: &[f64], x: &mut [f64], dofs: Range<usize>) {
    for i in dofs.rev() {
        let value = x[i];
        let (row, cols) = off_diagonal(pattern, factor, i);
        for (&l, &j) in row.iter().zip(cols) {
            x[j as usize] -= l * value;
        }
    }
}

/// `x(cols) -= row · x(i)` for a row of compile-time length.
#[inline(always)]
fn scatter<const N: usize>(row: &[f64], cols: &[u8], x: &mut [f64; SMALL_TREE], i: usize) {
    if let (Some(row), Some(cols)) = (row.first_chunk::<N>(), cols.first_chunk::<N>()) {
        let value = x[i & INDEX_MASK];
        for k in 0..N {
            x[cols[k] as usize & INDEX_MASK] -= row[k] * value;
        }
    }
}

#[inline(always)]
fn scatter_long(row: &[f64], cols: &[u8], x: &mut [f64; SMALL_TREE], i: usize) {
    let value = x[i & INDEX_MASK];
    for (&l, &j) in row.iter().zip(cols) {
        x[j as usize & INDEX_MASK] -= l * value;
    }
}

/// `x(i) -= row · x(cols)` for a row of compile-time length.
#[inline(always)]
fn gather<const N: usize>(row: &[f64], cols: &[u8], x: &mut [f64; SMALL_TREE], i: usize) {
    if let (Some(row), Some(cols)) = (row.first_chunk::<N>(), cols.first_chunk::<N>()) {
        // the last term depends on the previous iteration: it is subtracted last
        let term = |k: usize| row[k] * x[cols[k] as usize & INDEX_MASK];
        let (mut even, mut odd) = (x[i & INDEX_MASK], 0.0);
        for k in 0..N - 1 {
            if k % 2 == 0 {
                even -= term(k);
            } else {
                odd += term(k);
            }
        }
        x[i & INDEX_MASK] = (even - odd) - term(N - 1);
    }
}

#[inline(always)]
fn gather_long(row: &[f64], cols: &[u8], x: &mut [f64; SMALL_TREE], i: usize) {
    let sum: f64 = row.iter().zip(cols).map(|(&l, &j)| l * x[j as usize & INDEX_MASK]).sum();
    x[i & INDEX_MASK] -= sum;
}

/// Row `i` of `L` without its diagonal: values and columns.
#[inline(always)]
fn off_diagonal<'a>(pattern: Pattern<'a>, factor: &'a [f64], i: usize) -> (&'a [f64], &'a [i32]) {
    let start = pattern.rowadr[i] as usize;
    let end = start + pattern.rownnz[i] as usize - 1;
    (&factor[start..end], &pattern.colind[start..end])
}
