//! Sparse LU factorisation of an unsymmetric matrix with the symmetric sparsity of a kinematic tree;
//! elimination from the leaves to the roots has no fill-in.
//!
//! The matrix is stored as two triangles with the same layout: row `i` of both holds the entries of
//! dof `i` with its ancestors and itself, `lower` those of matrix row `i`, `upper` those of matrix
//! column `i`, so that all inner loops access memory contiguously.

use super::buffers::Triangles;
use crate::Model;
use crate::derivative::entry_address;
use crate::math::at;
use sim_simd::dispatch;
use sim_types::MINVAL;

impl Triangles {
    /// Loads `inertia − h · deriv`, with the inertia in the sparsity of `M` and the derivative in that
    /// of `D`.
    pub(crate) fn load(&mut self, m: &Model, inertia: &[f64], slope: &[f64], h: f64) {
        self.lower.resize(m.nM, 0.0);
        self.upper.resize(m.nM, 0.0);
        for i in 0..m.nv {
            let (start, ancestors) = (at(&m.dof_Madr, i), at(&m.D_diag, i));
            let row = at(&m.D_rowadr, i);
            let lower = &mut self.lower[start..=start + ancestors];
            let upper = &mut self.upper[start..=start + ancestors];
            for (a, (low, up)) in lower.iter_mut().zip(&mut *upper).enumerate() {
                *low = -h * slope[row + a];
                let j = at(&m.D_colind, row + a);
                *up = entry_address(m, j, i).map_or(0.0, |adr| -h * slope[adr]);
            }
            // a simple dof stores its diagonal only
            let (first, stored) = (at(&m.M_rowadr, i), at(&m.M_rownnz, i));
            for a in 0..stored {
                let value = inertia[first + a];
                lower[ancestors + 1 - stored + a] += value;
                upper[ancestors + 1 - stored + a] += value;
            }
        }
    }

    /// Factors in place. Returns the last row with a pivot below `mjMINVAL`, if any.
    #[doc(alias = "mju_factorLUSparse")]
    pub(crate) fn factor(&mut self, m: &Model) -> Option<usize> {
        let Self { lower, upper } = self;
        dispatch!(eliminate(m: &Model, lower: &mut [f64], upper: &mut [f64]) -> Option<usize>)
    }

    /// `x ← A⁻¹ x`.
    #[doc(alias = "mju_solveLUSparse")]
    pub(crate) fn solve(&self, m: &Model, x: &mut [f64]) {
        for i in (0..m.nv).rev() {
            let (row, columns) = Self::row(m, &self.upper, i);
            let (value, ancestors) = (x[i], columns.len() - 1);
            for (factor, &j) in row[..ancestors].iter().zip(columns) {
                x[j as usize] -= factor * value;
            }
        }
        for i in 0..m.nv {
            let (row, columns) = Self::row(m, &self.lower, i);
            let ancestors = columns.len() - 1;
            let known: f64 =
                row[..ancestors].iter().zip(columns).map(|(l, &j)| l * x[j as usize]).sum();
            x[i] = (x[i] - known) / row[ancestors];
        }
    }

    /// `result = A x`, before factoring.
    pub(crate) fn mul(&self, m: &Model, x: &[f64], result: &mut [f64]) {
        result.fill(0.0);
        for i in 0..m.nv {
            let (lower, columns) = Self::row(m, &self.lower, i);
            let (upper, _) = Self::row(m, &self.upper, i);
            let ancestors = columns.len() - 1;
            for (a, &j) in columns[..ancestors].iter().enumerate() {
                result[i] += lower[a] * x[j as usize];
                result[j as usize] += upper[a] * x[i];
            }
            result[i] += lower[ancestors] * x[i];
        }
    }

    /// Writes both triangles to the sparsity of `D`.
    pub(crate) fn store(&self, m: &Model, matrix: &mut [f64]) {
        for i in 0..m.nv {
            let (lower, columns) = Self::row(m, &self.lower, i);
            let (upper, _) = Self::row(m, &self.upper, i);
            let row = at(&m.D_rowadr, i);
            matrix[row..row + lower.len()].copy_from_slice(lower);
            for (&j, value) in columns[..columns.len() - 1].iter().zip(upper) {
                if let Some(adr) = entry_address(m, j as usize, i) {
                    matrix[adr] = *value;
                }
            }
        }
    }

    /// Row `i` of a triangle, and the dofs of its entries.
    #[inline(always)]
    fn row<'a>(m: &'a Model, triangle: &'a [f64], i: usize) -> (&'a [f64], &'a [i32]) {
        let (start, count) = (at(&m.dof_Madr, i), at(&m.D_diag, i) + 1);
        (&triangle[start..start + count], &m.D_colind[at(&m.D_rowadr, i)..][..count])
    }
}

#[inline(always)]
fn eliminate(m: &Model, lower: &mut [f64], upper: &mut [f64]) -> Option<usize> {
    let mut singular = None;
    for i in (0..m.nv).rev() {
        let (start, ancestors) = (at(&m.dof_Madr, i), at(&m.D_diag, i));
        // rows of ancestors precede row i
        let (lower_above, row) = lower.split_at_mut(start);
        let (upper_above, column) = upper.split_at_mut(start);
        if row[ancestors].abs() < MINVAL {
            singular = Some(i);
            row[ancestors] = MINVAL;
        }
        let inverse = 1.0 / row[ancestors];
        let (row, column) = (&row[..ancestors], &mut column[..ancestors]);
        for factor in &mut *column {
            *factor *= inverse;
        }
        let columns = &m.D_colind[at(&m.D_rowadr, i)..][..ancestors];
        for (a, &j) in columns.iter().enumerate() {
            let above = at(&m.dof_Madr, j as usize);
            let (factor, entry) = (column[a], row[a]);
            for (t, r) in lower_above[above..=above + a].iter_mut().zip(row) {
                *t -= factor * r;
            }
            for (t, f) in upper_above[above..above + a].iter_mut().zip(&*column) {
                *t -= entry * f;
            }
        }
    }
    singular
}
