//! Dense dual matrix `A = B Bᵀ` of a small problem, and the residuals `A f + b` that the sweeps maintain.
//!
//! A change of a force adds a multiple of a row of `A` to the residuals. The changes of several consecutive rows are
//! added in one pass.

use crate::dual_factor::{DualFactor, LANES};
use crate::jacobian::RowBlock;
use crate::problem::Problem;
use crate::vector::{F64x4, axpy4, heap_bytes};
use sim_simd::dispatch;

/// The matrix and the residuals, with rows padded to whole SIMD vectors.
#[derive(Debug, Default)]
pub(crate) struct DualMatrix {
    /// Index of the first column of each group of four rows, and the total number.
    start: Vec<usize>,
    /// Columns of `B` of each group.
    cols: Vec<u32>,
    /// Values of `B`: a vector for each column, with a lane for each row.
    values: Vec<F64x4>,
    /// `B` of one group by dof; zero between calls.
    dense: Vec<F64x4>,
    /// `A`, row-major.
    a: Vec<F64x4>,
    /// Number of vectors of a row: that of groups.
    stride: usize,
    /// `A f + b`.
    residual: Vec<F64x4>,
}

impl DualMatrix {
    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        heap_bytes!(self.start, self.cols, self.values, self.dense, self.a, self.residual)
    }

    /// Forms `A`.
    pub(crate) fn form(
        &mut self,
        problem: &Problem<'_>,
        row_blocks: &[RowBlock],
        factor: &mut DualFactor,
    ) {
        let this = self;
        dispatch!(form_products(this: &mut DualMatrix, problem: &Problem<'_>, row_blocks: &[RowBlock], factor: &mut DualFactor));
    }

    /// Computes `B` in groups of four rows. The lanes of missing rows are zero.
    #[inline(always)]
    fn form_factor(
        &mut self,
        problem: &Problem<'_>,
        row_blocks: &[RowBlock],
        factor: &mut DualFactor,
    ) {
        let nefc = problem.nefc();
        self.start.clear();
        self.cols.clear();
        self.values.clear();
        self.stride = nefc.div_ceil(LANES);
        let mut index = 0;
        for first in (0..nefc).step_by(LANES) {
            self.start.push(self.cols.len());
            let rows = first..nefc.min(first + LANES);
            while row_blocks[index].range().end <= first {
                index += 1;
            }
            let block = &row_blocks[index];
            if rows.end <= block.range().end {
                self.cols.extend_from_slice(&factor.cols()[factor.range(index)]);
                let rows = rows.start - block.row..rows.end - block.row;
                factor.append_rows(problem, block, index, rows, &mut self.values);
            } else {
                let Self { cols, values, .. } = self;
                factor.append_mixed_rows(problem, row_blocks, index, rows, cols, values);
            }
        }
        self.start.push(self.cols.len());
    }

    /// Sets the residuals to those of zero forces.
    pub(crate) fn reset(&mut self, b: &[f64]) {
        self.residual.resize(self.stride, [0.0; LANES]);
        self.residual.as_flattened_mut()[..b.len()].copy_from_slice(b);
    }

    /// Entry `(i, j)` of `A`.
    #[inline(always)]
    pub(crate) fn entry(&self, i: usize, j: usize) -> f64 {
        self.a.as_flattened()[LANES * self.stride * i + j]
    }

    /// Residual of row `i`.
    #[inline(always)]
    pub(crate) fn residual(&self, i: usize) -> f64 {
        self.residual.as_flattened()[i]
    }

    /// Residuals of `N` rows from row `first` on.
    #[inline(always)]
    pub(crate) fn residuals<const N: usize>(&self, first: usize) -> [f64; N] {
        let rows = &self.residual.as_flattened()[first..first + N];
        std::array::from_fn(|k| rows[k])
    }

    /// Updates the residuals for changes of the forces of `N` rows from row `first` on.
    #[inline(always)]
    pub(crate) fn add_forces<const N: usize>(&mut self, first: usize, delta: [f64; N]) {
        if delta.iter().fold(0.0, |sum, delta| sum + delta.abs()) == 0.0 {
            return;
        }
        let stride = self.stride;
        let a = &self.a[first * stride..(first + N) * stride];
        let rows: [&[F64x4]; N] = std::array::from_fn(|k| &a[k * stride..(k + 1) * stride]);
        for (t, residual) in self.residual[..stride].iter_mut().enumerate() {
            let mut sum = *residual;
            for k in 0..N {
                sum = axpy4(sum, rows[k][t], delta[k]);
            }
            *residual = sum;
        }
    }
}

#[inline(always)]
fn form_products(
    this: &mut DualMatrix,
    problem: &Problem<'_>,
    row_blocks: &[RowBlock],
    factor: &mut DualFactor,
) {
    this.form_factor(problem, row_blocks, factor);
    let DualMatrix { start, cols, values, dense, a, stride, .. } = this;
    dense.clear();
    dense.resize(problem.nv(), [0.0; LANES]);
    let stride = *stride;
    a.resize(LANES * stride * stride, [0.0; LANES]);
    let entries = |group: usize| {
        let range = start[group]..start[group + 1];
        cols[range.clone()].iter().zip(&values[range])
    };
    for right in 0..stride {
        for (&c, &value) in entries(right) {
            dense[c as usize] = value;
        }
        for left in 0..=right {
            let mut block = [[0.0; LANES]; LANES];
            for (&c, left) in entries(left) {
                let right = dense[c as usize];
                for (sum, &left) in block.iter_mut().zip(left) {
                    *sum = axpy4(*sum, right, left);
                }
            }
            for k in 0..LANES {
                a[(LANES * left + k) * stride + right] = block[k];
            }
            for k in 0..LANES {
                a[(LANES * right + k) * stride + left] = block.map(|row| row[k]);
            }
        }
        for (&c, _) in entries(right) {
            dense[c as usize] = [0.0; LANES];
        }
    }
}
