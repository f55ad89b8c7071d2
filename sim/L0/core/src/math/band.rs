//! Symmetric band-dense ("arrowhead") matrices and their Cholesky factorization (`mju_cholFactorBand`).
//!
//! The lower triangle is stored row by row. The first `ntotal - ndense` rows store `nband` values each,
//! the diagonal last; each of the last `ndense` rows stores `ntotal` values.

use super::dot;
use sim_types::MINVAL;
use std::ops::Range;

/// Shape of a band-dense matrix. Its methods panic if a slice is shorter than the shape requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    ntotal: usize,
    nband: usize,
    ndense: usize,
}

impl Band {
    /// The shape with `ntotal` rows, the last `ndense` of them dense, and `nband` values per band row, the
    /// diagonal included. `None` if the sizes are inconsistent.
    #[must_use]
    pub fn new(ntotal: usize, nband: usize, ndense: usize) -> Option<Self> {
        let fits = ndense <= ntotal && (1..=ntotal.max(1)).contains(&nband);
        fits.then_some(Self { ntotal, nband, ndense })
    }

    /// Number of band rows.
    fn nsparse(&self) -> usize {
        self.ntotal - self.ndense
    }

    /// Number of stored values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nsparse() * self.nband + self.ndense * self.ntotal
    }

    /// Whether the matrix has no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of values of a band row, the diagonal included.
    #[must_use]
    pub fn width(&self) -> usize {
        self.nband
    }

    /// Storage range of row `i` up to the diagonal, and the column of its first entry.
    fn row(&self, i: usize) -> (Range<usize>, usize) {
        let diagonal = self.diagonal(i);
        let width = if i < self.nsparse() { i.min(self.nband - 1) } else { i };
        (diagonal - width..diagonal + 1, i - width)
    }

    /// Storage index of the diagonal entry of row `i`.
    #[doc(alias = "mju_bandDiag")]
    #[must_use]
    pub fn diagonal(&self, i: usize) -> usize {
        let nsparse = self.nsparse();
        if i < nsparse {
            i * self.nband + self.nband - 1
        } else {
            nsparse * self.nband + (i - nsparse) * self.ntotal + i
        }
    }

    /// Overwrites `A` with the Cholesky factor of `A + diagadd I + diagmul diag(A)`. Returns the smallest
    /// pivot, or `None` if the matrix is not positive definite.
    #[doc(alias = "mju_cholFactorBand")]
    pub fn factor(&self, mat: &mut [f64], diagadd: f64, diagmul: f64) -> Option<f64> {
        let mut smallest = f64::INFINITY;
        for j in 0..self.ntotal {
            let (row_j, start_j) = self.row(j);
            let adr = row_j.end - 1;
            let left = &mat[row_j.start..adr];
            let pivot = diagadd + diagmul * mat[adr] + mat[adr] - dot(left, left);
            if pivot < MINVAL || pivot.is_nan() {
                return None;
            }
            smallest = smallest.min(pivot);
            let root = pivot.sqrt();
            let scale = 1.0 / root;
            // band rows with an entry in column j, then the dense rows
            let last =
                if j < self.nsparse() { (j + self.nband).min(self.nsparse()) } else { j + 1 };
            for i in (j + 1..last).chain(self.nsparse().max(j + 1)..self.ntotal) {
                let (row_i, start_i) = self.row(i);
                let start = start_i.max(start_j);
                let above = &mat[row_j.start + (start - start_j)..adr];
                let own = row_i.start + (start - start_i);
                let sum = dot(above, &mat[own..own + above.len()]);
                let entry = row_i.start + (j - start_i);
                mat[entry] = scale * (mat[entry] - sum);
            }
            mat[adr] = root;
        }
        Some(smallest)
    }

    /// Solves `L Lᵀ x = b` in place, with the factor of [`factor`](Self::factor).
    #[doc(alias = "mju_cholSolveBand")]
    pub fn solve(&self, factor: &[f64], x: &mut [f64]) {
        for i in 0..self.ntotal {
            let (row, start) = self.row(i);
            let diagonal = row.end - 1;
            x[i] = (x[i] - dot(&factor[row.start..diagonal], &x[start..i])) / factor[diagonal];
        }
        for i in (0..self.ntotal).rev() {
            let (row, start) = self.row(i);
            let diagonal = row.end - 1;
            x[i] /= factor[diagonal];
            let value = x[i];
            for (x, l) in x[start..i].iter_mut().zip(&factor[row.start..diagonal]) {
                *x -= l * value;
            }
        }
    }

    /// `result = A x` with the symmetric matrix, or with its lower triangle only.
    #[doc(alias = "mju_bandMulMatVec")]
    pub fn mul_vec(&self, mat: &[f64], x: &[f64], result: &mut [f64], symmetric: bool) {
        for i in 0..self.ntotal {
            let (row, start) = self.row(i);
            result[i] = dot(&mat[row.clone()], &x[start..i + 1]);
            if symmetric {
                for (r, a) in result[start..i].iter_mut().zip(&mat[row.start..row.end - 1]) {
                    *r += a * x[i];
                }
            }
        }
    }

    /// Writes the dense row-major matrix to `dense`: symmetric, or its lower triangle only.
    #[doc(alias = "mju_band2Dense")]
    pub fn to_dense(&self, mat: &[f64], dense: &mut [f64], symmetric: bool) {
        let n = self.ntotal;
        dense[..n * n].fill(0.0);
        for i in 0..n {
            let (row, start) = self.row(i);
            dense[i * n + start..=i * n + i].copy_from_slice(&mat[row.clone()]);
            if symmetric {
                for (j, &a) in (start..i).zip(&mat[row]) {
                    dense[j * n + i] = a;
                }
            }
        }
    }

    /// Stores the lower triangle of a dense row-major matrix in `mat`; entries outside the pattern are
    /// dropped, and storage that holds no entry is unchanged.
    #[doc(alias = "mju_dense2Band")]
    pub fn from_dense(&self, dense: &[f64], mat: &mut [f64]) {
        let n = self.ntotal;
        for i in 0..n {
            let (row, start) = self.row(i);
            mat[row].copy_from_slice(&dense[i * n + start..=i * n + i]);
        }
    }
}
