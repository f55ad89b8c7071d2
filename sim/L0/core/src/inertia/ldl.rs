//! Sparse `LᵀDL` on the pattern of a kinematic tree: kernels on slices.
//!
//! The factor overwrites the matrix: unit lower-triangular `L` off the diagonal, `D` on it.
//! A pivot that is not positive is replaced by a tiny one and reported.

use sim_types::MINVAL;

/// Factors `mat` in place and stores the inverse pivots. Returns the first row whose pivot was
/// not positive, if there is one.
#[doc(alias = "mj_factorI")]
pub(crate) fn factor(
    rownnz: &[i32],
    rowadr: &[i32],
    colind: &[i32],
    mat: &mut [f64],
    diaginv: &mut [f64],
) -> Option<usize> {
    let mut singular = None;
    for k in (0..diaginv.len()).rev() {
        let start = rowadr[k] as usize;
        let len = rownnz[k] as usize - 1;
        // ancestors' rows lie before row k
        let (above, row) = mat.split_at_mut(start);
        let row = &mut row[..=len];
        if row[len] < MINVAL {
            singular = Some(k);
            row[len] = MINVAL;
        }
        let inverse = 1.0 / row[len];
        diaginv[k] = inverse;
        // remove row k from the triangle of its ancestors
        let cols = &colind[start..start + len];
        for (a, &i) in cols.iter().enumerate() {
            let factor = row[a] * inverse;
            let target = &mut above[rowadr[i as usize] as usize..][..=a];
            for (t, &r) in target.iter_mut().zip(&*row) {
                *t -= factor * r;
            }
        }
        for value in &mut row[..len] {
            *value *= inverse;
        }
    }
    singular
}

/// `x ← (LᵀDL)⁻¹ x`.
#[doc(alias = "mj_solveLD")]
pub(crate) fn solve(
    rownnz: &[i32],
    rowadr: &[i32],
    colind: &[i32],
    factor: &[f64],
    diaginv: &[f64],
    x: &mut [f64],
) {
    solve_transpose(rownnz, rowadr, colind, factor, x);
    for (x, inverse) in x.iter_mut().zip(diaginv) {
        *x *= inverse;
    }
    for i in 0..x.len() {
        let (row, cols) = off_diagonal(rownnz, rowadr, colind, factor, i);
        let mut value = x[i];
        for (&l, &j) in row.iter().zip(cols) {
            value -= l * x[j as usize];
        }
        x[i] = value;
    }
}

/// `x ← L⁻ᵀ x`.
pub(crate) fn solve_transpose(
    rownnz: &[i32],
    rowadr: &[i32],
    colind: &[i32],
    factor: &[f64],
    x: &mut [f64],
) {
    for i in (0..x.len()).rev() {
        let value = x[i];
        let (row, cols) = off_diagonal(rownnz, rowadr, colind, factor, i);
        for (&l, &j) in row.iter().zip(cols) {
            x[j as usize] -= l * value;
        }
    }
}

/// Row `i` of `L` without its diagonal: values and columns.
#[inline(always)]
fn off_diagonal<'a>(
    rownnz: &[i32],
    rowadr: &[i32],
    colind: &'a [i32],
    factor: &'a [f64],
    i: usize,
) -> (&'a [f64], &'a [i32]) {
    let start = rowadr[i] as usize;
    let end = start + rownnz[i] as usize - 1;
    (&factor[start..end], &colind[start..end])
}
