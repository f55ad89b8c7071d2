//! Rows of `B = J L⁻¹ D^-½`, the factor of the dual matrix `A = B Bᵀ`, for `M = Lᵀ D L`.
//!
//! Up to four rows with the same columns are computed together, one row in each lane of a SIMD vector.

use crate::jacobian::RowBlock;
use crate::problem::{Inertia, Problem};
use crate::vector::{F64x4, axpy4, heap_bytes, resize_to};
use std::ops::Range;

/// Number of rows that are computed together.
pub(crate) const LANES: usize = 4;

/// Columns of `B`, and buffers to compute its values.
#[derive(Debug, Default)]
pub(crate) struct DualFactor {
    /// Columns of all row blocks.
    cols: Vec<u32>,
    /// First column of each row block, and the total number.
    start: Vec<usize>,
    /// Stamp of the last row block with a column.
    mark: Vec<u32>,
    /// `D^-½`.
    sqrt_diag_inv: Vec<f64>,
    /// Entries of up to four rows by dof; zero between calls.
    dense: Vec<F64x4>,
    /// Set of columns, one bit each; empty between calls.
    set: Vec<u64>,
}

impl DualFactor {
    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        heap_bytes!(self.cols, self.start, self.mark, self.sqrt_diag_inv, self.dense, self.set)
    }

    /// Finds the columns of each row block. Returns the number of entries of all rows.
    pub(crate) fn analyze(&mut self, problem: &Problem<'_>, row_blocks: &[RowBlock]) -> usize {
        let nv = problem.nv();
        self.cols.clear();
        self.start.clear();
        self.mark.clear();
        self.mark.resize(nv, 0);
        self.dense.clear();
        self.dense.resize(nv, [0.0; 4]);
        self.set.clear();
        self.set.resize(nv.div_ceil(64), 0);
        resize_to(&mut self.sqrt_diag_inv, nv);
        for (root, inverse) in self.sqrt_diag_inv.iter_mut().zip(problem.inertia.diag_inv) {
            *root = inverse.sqrt();
        }
        let mut entries = 0;
        for (index, block) in row_blocks.iter().enumerate() {
            let start = self.cols.len();
            self.start.push(start);
            self.push_closure(&problem.inertia, block.cols(problem), 2 * index as u32);
            entries += block.rows * (self.cols.len() - start);
        }
        self.start.push(self.cols.len());
        entries
    }

    /// Appends the columns of a row block and all their ancestors. Uses the stamps after `stamp` and the next one.
    fn push_closure(&mut self, inertia: &Inertia<'_>, cols: &[i32], stamp: u32) {
        let Inertia { rownnz, rowadr, colind, .. } = *inertia;
        let Self { mark, cols: all, .. } = self;
        let path = |c: i32| &colind[rowadr[c as usize] as usize..][..rownnz[c as usize] as usize];
        if let [only] = cols {
            return all.extend(path(*only).iter().map(|&c| c as u32));
        }
        // most rows have all ancestors of their columns
        let mut complete = true;
        for &c in cols {
            mark[c as usize] = stamp + 1;
            if let [.., parent, _] = path(c) {
                complete &= mark[*parent as usize] == stamp + 1;
            }
        }
        if complete {
            return all.extend(cols.iter().map(|&c| c as u32));
        }
        let start = all.len();
        for &c in cols.iter().rev() {
            if mark[c as usize] == stamp + 2 {
                continue;
            }
            for &ancestor in path(c) {
                if mark[ancestor as usize] != stamp + 2 {
                    mark[ancestor as usize] = stamp + 2;
                    all.push(ancestor as u32);
                }
            }
        }
        all[start..].sort_unstable();
    }

    /// Range of the columns of a row block in [`cols`](Self::cols).
    #[inline(always)]
    pub(crate) fn range(&self, index: usize) -> Range<usize> {
        self.start[index]..self.start[index + 1]
    }

    /// Columns of all row blocks.
    #[inline(always)]
    pub(crate) fn cols(&self) -> &[u32] {
        &self.cols
    }

    /// Appends up to four rows of row block `index` to `out`: a vector for each column, with a lane for each row.
    #[inline(always)]
    pub(crate) fn append_rows(
        &mut self,
        problem: &Problem<'_>,
        block: &RowBlock,
        index: usize,
        rows: Range<usize>,
        out: &mut Vec<F64x4>,
    ) {
        let values = &block.values(problem)[rows.start * block.len..rows.end * block.len];
        let cols = block.cols(problem);
        // loops of constant length are unrolled
        match rows.len() {
            1 => self.scatter::<1>(cols, values),
            2 => self.scatter::<2>(cols, values),
            3 => self.scatter::<3>(cols, values),
            _ => self.scatter::<LANES>(cols, values),
        }
        let range = self.range(index);
        self.substitute(&problem.inertia, None, range, out);
    }

    /// Appends up to four rows of different row blocks to `out`, as [`append_rows`](Self::append_rows) those of one
    /// block, and the union of their columns to `union`. `first` is the row block of the first row.
    #[inline(always)]
    pub(crate) fn append_mixed_rows(
        &mut self,
        problem: &Problem<'_>,
        row_blocks: &[RowBlock],
        first: usize,
        rows: Range<usize>,
        union: &mut Vec<u32>,
        out: &mut Vec<F64x4>,
    ) {
        let start = union.len();
        for (index, block) in row_blocks.iter().enumerate().skip(first) {
            let shared = block.row.max(rows.start)..(block.row + block.rows).min(rows.end);
            if shared.is_empty() {
                break;
            }
            for &c in &self.cols[self.range(index)] {
                self.set[c as usize / 64] |= 1 << (c % 64);
            }
            for row in shared {
                let values = &block.values(problem)[(row - block.row) * block.len..][..block.len];
                for (&c, &value) in block.cols(problem).iter().zip(values) {
                    self.dense[c as usize][row - rows.start] = value;
                }
            }
        }
        for (word, bits) in self.set.iter_mut().enumerate() {
            while *bits != 0 {
                union.push(64 * word as u32 + bits.trailing_zeros());
                *bits &= *bits - 1;
            }
        }
        let end = union.len();
        self.substitute(&problem.inertia, Some(union), start..end, out);
    }

    /// Multiplies the rows in `dense` by `L⁻¹ D^-½` and moves them to `out`. The columns are a range of `union`, or of
    /// those of all row blocks.
    #[inline(always)]
    fn substitute(
        &mut self,
        inertia: &Inertia<'_>,
        union: Option<&[u32]>,
        range: Range<usize>,
        out: &mut Vec<F64x4>,
    ) {
        let Inertia { rownnz, rowadr, colind, ld, .. } = *inertia;
        let Self { cols, dense, sqrt_diag_inv, .. } = self;
        let cols = &union.unwrap_or(cols)[range];
        for &c in cols.iter().rev() {
            let value = dense[c as usize];
            let (adr, nnz) = (rowadr[c as usize] as usize, rownnz[c as usize] as usize - 1);
            for (&l, &ancestor) in ld[adr..adr + nnz].iter().zip(&colind[adr..adr + nnz]) {
                let entry = &mut dense[ancestor as usize];
                *entry = axpy4(*entry, value, -l);
            }
        }
        out.extend(cols.iter().map(|&c| {
            let value = std::mem::take(&mut dense[c as usize]);
            value.map(|value| value * sqrt_diag_inv[c as usize])
        }));
    }

    /// Writes `N` rows of a row block to `dense`.
    #[inline(always)]
    fn scatter<const N: usize>(&mut self, cols: &[i32], values: &[f64]) {
        let len = cols.len();
        let rows: [&[f64]; N] = std::array::from_fn(|lane| &values[lane * len..(lane + 1) * len]);
        for (k, &c) in cols.iter().enumerate() {
            let mut entry = [0.0; LANES];
            for lane in 0..N {
                entry[lane] = rows[lane][k];
            }
            self.dense[c as usize] = entry;
        }
    }
}
