//! Constraint Jacobian in blocks of one row and up to four consecutive columns, for the repeated
//! products of conjugate gradients.
//!
//! The dofs are partitioned into column groups such that every row contains either all columns of a
//! group or none: the three dofs of a vertex of a flex, the dofs of a kinematic chain in chunks of
//! four. A block and the vector of its group are SIMD vectors, without a gather of single numbers.
//! `Jᵀ f` is computed group by group from a list of the blocks of each group, so that no sum goes
//! through memory.

use crate::jacobian::RowBlock;
use crate::problem::Problem;
use crate::vector::{F64x4, axpy4, heap_bytes, mul_add4, pad, resize_to, sum4};
use sim_simd::dispatch;

/// Width of a SIMD vector.
const LANES: usize = 4;

/// Jacobian in blocks, with the buffers to build it.
#[derive(Debug, Default)]
pub(crate) struct BlockJacobian {
    /// First column of each column group, and the number of columns.
    group_start: Vec<u32>,
    /// Column group of each column.
    group_of: Vec<u32>,
    /// Whether a group has to start at a column.
    boundary: Vec<bool>,
    /// First block of each row, and the number of blocks.
    row_start: Vec<u32>,
    /// Number of leading rows that have two blocks each, such as those of the edges of flexes.
    pairs: usize,
    /// Column group of each block.
    group: Vec<u32>,
    /// Values of each block, padded with zeros.
    value: Vec<F64x4>,
    /// First block of each column group in the order by groups, and their number.
    column_start: Vec<u32>,
    /// Row of the blocks of each column group, in increasing order.
    column_row: Vec<u32>,
    /// Values of the blocks of each column group: a copy in the order in which `Jᵀ f` reads them.
    column_value: Vec<F64x4>,
    /// Vector by column groups, padded with zeros.
    x: Vec<F64x4>,
}

impl BlockJacobian {
    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        heap_bytes!(
            self.group_start,
            self.group_of,
            self.boundary,
            self.row_start,
            self.group,
            self.value,
            self.column_start,
            self.column_row,
            self.column_value,
            self.x
        )
    }

    /// Converts the Jacobian of a problem.
    pub(crate) fn build(&mut self, problem: &Problem<'_>, row_blocks: &[RowBlock]) {
        self.partition_columns(problem, row_blocks);
        self.copy_values(problem, row_blocks);
        self.transpose();
        resize_to(&mut self.x, self.group_start.len() - 1);
    }

    /// Finds the column groups.
    fn partition_columns(&mut self, problem: &Problem<'_>, row_blocks: &[RowBlock]) {
        let nv = problem.nv();
        self.boundary.clear();
        self.boundary.resize(nv + 1, false);
        for block in row_blocks {
            // after the previous column, and one before the first
            let mut next = usize::MAX;
            for &c in block.cols(problem) {
                let c = c as usize;
                if c != next {
                    self.boundary[c] = true;
                    self.boundary[next.min(nv)] = true;
                }
                next = c + 1;
            }
            self.boundary[next.min(nv)] = true;
        }
        self.group_start.clear();
        self.group_of.clear();
        for column in 0..nv {
            let full = self.group_start.last().is_none_or(|&s| column - s as usize == LANES);
            if full || self.boundary[column] {
                self.group_start.push(column as u32);
            }
            self.group_of.push(self.group_start.len() as u32 - 1);
        }
        self.group_start.push(nv as u32);
    }

    /// Copies the values row by row.
    fn copy_values(&mut self, problem: &Problem<'_>, row_blocks: &[RowBlock]) {
        let Self { group_start, group_of, row_start, group, value, .. } = self;
        row_start.clear();
        group.clear();
        value.clear();
        for block in row_blocks {
            let (cols, values) = (block.cols(problem), block.values(problem));
            for k in 0..block.rows {
                row_start.push(value.len() as u32);
                let mut rest = &values[k * block.len..(k + 1) * block.len];
                let mut column = 0;
                while let Some(&c) = cols.get(column) {
                    let g = group_of[c as usize] as usize;
                    let width = (group_start[g + 1] - group_start[g]) as usize;
                    let (own, after) = rest.split_at(width);
                    group.push(g as u32);
                    value.push(pad(own));
                    rest = after;
                    column += width;
                }
            }
        }
        row_start.push(value.len() as u32);
        self.pairs = row_start.windows(2).take_while(|range| range[1] - range[0] == 2).count();
    }

    /// Lists the blocks of each column group by counting sort.
    fn transpose(&mut self) {
        let Self {
            group_start,
            row_start,
            group,
            value,
            column_start,
            column_row,
            column_value,
            ..
        } = self;
        column_start.clear();
        column_start.resize(group_start.len() + 1, 0);
        // counts are shifted by two places, and become first the starts and then the ends
        for &g in group.iter() {
            column_start[g as usize + 2] += 1;
        }
        for g in 2..column_start.len() {
            column_start[g] += column_start[g - 1];
        }
        resize_to(column_row, group.len());
        resize_to(column_value, group.len());
        for (row, range) in row_start.windows(2).enumerate() {
            for block in range[0] as usize..range[1] as usize {
                let next = &mut column_start[group[block] as usize + 1];
                column_row[*next as usize] = row as u32;
                column_value[*next as usize] = value[block];
                *next += 1;
            }
        }
    }

    /// `out = J x`.
    pub(crate) fn mul(&mut self, x: &[f64], out: &mut [f64]) {
        for (padded, range) in self.x.iter_mut().zip(self.group_start.windows(2)) {
            *padded = pad(&x[range[0] as usize..range[1] as usize]);
        }
        let this = &*self;
        dispatch!(mul_rows(this: &BlockJacobian, out: &mut [f64]));
    }

    /// `out = Jᵀ f`.
    pub(crate) fn mul_transposed(&self, f: &[f64], out: &mut [f64]) {
        let this = self;
        dispatch!(mul_groups(this: &BlockJacobian, f: &[f64], out: &mut [f64]));
    }
}

#[inline(always)]
fn mul_rows(this: &BlockJacobian, out: &mut [f64]) {
    let BlockJacobian { row_start, group, value, x, pairs, .. } = this;
    let (first, rest) = out.split_at_mut(*pairs);
    let (groups, values) = (group.as_chunks::<2>().0, value.as_chunks::<2>().0);
    for ((out, &[a, b]), value) in first.iter_mut().zip(groups).zip(values) {
        let sum = mul_add4([0.0; LANES], value[0], x[a as usize]);
        *out = sum4(mul_add4(sum, value[1], x[b as usize]));
    }
    for (out, range) in rest.iter_mut().zip(row_start[*pairs..].windows(2)) {
        let range = range[0] as usize..range[1] as usize;
        let mut sum = [0.0; LANES];
        for (&g, value) in group[range.clone()].iter().zip(&value[range]) {
            sum = mul_add4(sum, *value, x[g as usize]);
        }
        *out = sum4(sum);
    }
}

#[inline(always)]
fn mul_groups(this: &BlockJacobian, f: &[f64], out: &mut [f64]) {
    let BlockJacobian { group_start, column_start, column_row, column_value, .. } = this;
    for (columns, range) in group_start.windows(2).zip(column_start.windows(2)) {
        let range = range[0] as usize..range[1] as usize;
        // two sums, because the latency of an addition is longer than the time of the other operations
        let mut sums = [[0.0; LANES]; 2];
        let (rows, row) = column_row[range.clone()].as_chunks::<2>();
        let (values, value) = column_value[range].as_chunks::<2>();
        for (rows, values) in rows.iter().zip(values) {
            sums[0] = axpy4(sums[0], values[0], f[rows[0] as usize]);
            sums[1] = axpy4(sums[1], values[1], f[rows[1] as usize]);
        }
        for (&row, value) in row.iter().zip(value) {
            sums[0] = axpy4(sums[0], *value, f[row as usize]);
        }
        let sum = axpy4(sums[0], sums[1], 1.0);
        match &mut out[columns[0] as usize..columns[1] as usize] {
            [a, b, c] => (*a, *b, *c) = (sum[0], sum[1], sum[2]),
            out => out.copy_from_slice(&sum[..out.len()]),
        }
    }
}

#[cfg(test)]
mod tests;
