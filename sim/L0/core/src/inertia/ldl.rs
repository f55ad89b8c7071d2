//! Sparse `LᵀDL` on the pattern of a kinematic tree: kernels on slices.
//!
//! The factor overwrites the matrix: unit lower-triangular `L` off the diagonal, `D` on it.
//! A pivot that is not positive is replaced by a tiny one and reported.

use sim_types::MINVAL;

/// The pattern of a lower-triangular matrix on a tree, with what the kernels look up all the time.
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
}

/// Factors `mat` in place and stores the inverse pivots. Returns the last row whose pivot was not
/// positive, if there is one.
#[doc(alias = "mj_factorI")]
#[inline(always)]
pub(crate) fn factor(
    pattern: Pattern<'_>,
    (mat, diaginv): (&mut [f64], &mut [f64]),
) -> Option<usize> {
    let mut singular = None;
    for k in (0..diaginv.len()).rev() {
        let start = pattern.rowadr[k] as usize;
        let len = pattern.rownnz[k] as usize - 1;
        // ancestors' rows lie before row k
        let (above, row) = mat.split_at_mut(start);
        let row = &mut row[..=len];
        if row[len] < MINVAL {
            singular = Some(k);
            row[len] = MINVAL;
        }
        let inverse = 1.0 / row[len];
        diaginv[k] = inverse;
        eliminate(&row[..len], inverse, &pattern.coladr[start..start + len], above);
        for value in &mut row[..len] {
            *value *= inverse;
        }
    }
    singular
}

/// Removes a row from the triangle of its ancestors: `above(i, ·) -= row(i) · inverse · row`.
///
/// Robots are shallow, so rows are short: the first sixteen are written out, each with the length
/// that it has, and loops serve the rest.
#[inline(always)]
fn eliminate(row: &[f64], inverse: f64, adr: &[u32], above: &mut [f64]) {
    macro_rules! ancestor {
        ($($a:literal)*) => {
            $(
                if row.len() == $a {
                    return;
                }
                let factor = row[$a] * inverse;
                let start = adr[$a] as usize;
                if let (Some(target), Some(row)) = (
                    above[start..].first_chunk_mut::<{ $a + 1 }>(),
                    row.first_chunk::<{ $a + 1 }>(),
                ) {
                    for b in 0..$a + 1 {
                        target[b] -= factor * row[b];
                    }
                }
            )*
        };
    }
    ancestor!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    for a in 16..row.len() {
        let factor = row[a] * inverse;
        let target = &mut above[adr[a] as usize..][..=a];
        for (t, &r) in target.iter_mut().zip(row) {
            *t -= factor * r;
        }
    }
}

/// `x ← (LᵀDL)⁻¹ x`.
#[doc(alias = "mj_solveLD")]
#[inline(always)]
pub(crate) fn solve(pattern: Pattern<'_>, (factor, diaginv, x): (&[f64], &[f64], &mut [f64])) {
    solve_transpose(pattern, factor, x);
    for (x, inverse) in x.iter_mut().zip(diaginv) {
        *x *= inverse;
    }
    for i in 0..x.len() {
        let (row, cols) = off_diagonal(pattern, factor, i);
        let mut value = x[i];
        for (&l, &j) in row.iter().zip(cols) {
            value -= l * x[j as usize];
        }
        x[i] = value;
    }
}

/// `x ← L⁻ᵀ x`.
#[inline(always)]
pub(crate) fn solve_transpose(pattern: Pattern<'_>, factor: &[f64], x: &mut [f64]) {
    for i in (0..x.len()).rev() {
        let value = x[i];
        let (row, cols) = off_diagonal(pattern, factor, i);
        for (&l, &j) in row.iter().zip(cols) {
            x[j as usize] -= l * value;
        }
    }
}

/// Row `i` of `L` without its diagonal: values and columns.
#[inline(always)]
fn off_diagonal<'a>(pattern: Pattern<'a>, factor: &'a [f64], i: usize) -> (&'a [f64], &'a [i32]) {
    let start = pattern.rowadr[i] as usize;
    let end = start + pattern.rownnz[i] as usize - 1;
    (&factor[start..end], &pattern.colind[start..end])
}
