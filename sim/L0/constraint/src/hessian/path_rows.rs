//! Outer products of rows whose columns lie on one root path of the elimination tree.
//!
//! A row is stored as the SIMD vectors of the path that contain one of its columns, with zeros between the
//! columns. Its product is then added to the matrix in whole vectors, although the columns have gaps.

use super::elimination_tree::EliminationTree;
use crate::vector::{F64x4, axpy4, copy_padded, heap_bytes, pad};

/// Entries of a SIMD vector.
const LANES: usize = 4;

/// Rows with the same columns, for the sum `Σ leftᵀ right`, which is symmetric.
#[derive(Debug, Default)]
pub(super) struct PathRows {
    /// Number of rows.
    rows: usize,
    /// For each column, its index in a row.
    position: Vec<u32>,
    /// For each SIMD vector of a row, its index on the path.
    vectors: Vec<u32>,
    /// The columns are the complete path.
    is_complete: bool,
    pub left: Vec<F64x4>,
    pub right: Vec<F64x4>,
}

impl PathRows {
    /// Heap memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        heap_bytes!(self.position, self.vectors, self.left, self.right)
    }

    /// Starts with rows of zeros at these columns.
    #[inline(always)]
    pub(super) fn reset(&mut self, tree: &EliminationTree, cols: &[i32], rows: usize) {
        self.rows = rows;
        self.position.clear();
        self.vectors.clear();
        self.is_complete =
            cols.last().is_some_and(|&last| tree.depth[last as usize] as usize + 1 == cols.len());
        if self.is_complete {
            self.position.extend(0..cols.len() as u32);
            self.vectors.extend(0..cols.len().div_ceil(LANES) as u32);
        } else {
            let mut latest = u32::MAX;
            for &c in cols {
                let depth = tree.depth[c as usize];
                let vector = depth / LANES as u32;
                if vector != latest {
                    self.vectors.push(vector);
                    latest = vector;
                }
                let slot = self.vectors.len() - 1;
                self.position.push((slot * LANES) as u32 + depth % LANES as u32);
            }
        }
        let len = rows * self.vectors.len();
        for v in [&mut self.left, &mut self.right] {
            v.clear();
            v.resize(len, [0.0; LANES]);
        }
    }

    /// Sets a right row to the given values, and the left row to their multiple.
    #[inline(always)]
    pub(super) fn set_row(&mut self, row: usize, values: &[f64], weight: f64) {
        let stride = self.vectors.len();
        let right = &mut self.right[row * stride..][..stride];
        let left = &mut self.left[row * stride..][..stride];
        if self.is_complete {
            copy_padded(values, right);
        } else {
            let right = right.as_flattened_mut();
            for (&value, &position) in values.iter().zip(&self.position) {
                right[position as usize] = value;
            }
        }
        for (left, right) in left.iter_mut().zip(right) {
            *left = axpy4([0.0; LANES], *right, weight);
        }
    }

    /// Adds `Σ leftᵀ right` to the lower triangle of the matrix, whose rows have the given addresses.
    #[inline(always)]
    pub(super) fn add_to(
        &self,
        tree: &EliminationTree,
        rowadr: &[u32],
        cols: &[i32],
        h: &mut [F64x4],
    ) {
        // slices in local variables: the compiler reloads those of a structure after each store
        let terms = Terms {
            rows: self.rows,
            vectors: &self.vectors,
            is_complete: self.is_complete,
            left: self.left.as_flattened(),
            right: &self.right,
        };
        let depths = &tree.depth[..];
        for (&row, &position) in cols.iter().zip(&self.position) {
            let (row, position) = (row as usize, position as usize);
            let target = &mut h[rowadr[row] as usize..][..depths[row] as usize / LANES + 1];
            let end = position / LANES + 1;
            let mut first = 0;
            while end - first > 4 {
                terms.add::<4>(first, position, target);
                first += 4;
            }
            match end - first {
                1 => terms.add::<1>(first, position, target),
                2 => terms.add::<2>(first, position, target),
                3 => terms.add::<3>(first, position, target),
                _ => terms.add::<4>(first, position, target),
            }
        }
    }
}

/// The fields of [`PathRows`] that its product reads.
#[derive(Debug, Clone, Copy)]
struct Terms<'a> {
    rows: usize,
    vectors: &'a [u32],
    is_complete: bool,
    left: &'a [f64],
    right: &'a [F64x4],
}

impl Terms<'_> {
    /// Adds `N` vectors of the row of the product at a position.
    #[inline(always)]
    fn add<const N: usize>(self, first: usize, position: usize, target: &mut [F64x4]) {
        let Self { rows, vectors, is_complete, left, right } = self;
        let stride = vectors.len();
        let vectors = &vectors[first..][..N];
        let mut sum = [[0.0; LANES]; N];
        if is_complete {
            sum.copy_from_slice(&target[first..][..N]);
        }
        for row in 0..rows {
            let start = row * stride;
            let factor = left[start * LANES + position];
            let right = &right[start + first..][..N];
            for k in 0..N {
                sum[k] = axpy4(sum[k], right[k], factor);
            }
        }
        if is_complete {
            target[first..][..N].copy_from_slice(&sum);
        } else {
            for k in 0..N {
                let target = &mut target[vectors[k] as usize];
                *target = axpy4(*target, sum[k], 1.0);
            }
        }
    }
}

/// Largest number of rows in [`ShortRows`].
pub(super) const MAX_SHORT_ROWS: usize = 8;

/// Rows of a block with at most `LANES * S` columns.
#[derive(Debug)]
pub(super) struct ShortRows<const S: usize> {
    /// Number of rows.
    rows: usize,
    weight: [f64; MAX_SHORT_ROWS],
    values: [[F64x4; S]; MAX_SHORT_ROWS],
}

impl<const S: usize> ShortRows<S> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { rows: 0, weight: [0.0; MAX_SHORT_ROWS], values: [[[0.0; LANES]; S]; MAX_SHORT_ROWS] }
    }

    /// Adds a row.
    #[inline(always)]
    pub(super) fn push(&mut self, values: &[f64], weight: f64) {
        let (row, n) = (&mut self.values[self.rows], values.len());
        for k in 0..S {
            row[k] = pad(&values[(LANES * k).min(n)..(LANES * k + LANES).min(n)]);
        }
        self.weight[self.rows] = weight;
        self.rows += 1;
    }

    /// Adds `Σ weight valuesᵀ values` to the lower triangle of the matrix.
    #[inline(always)]
    pub(super) fn add_to(
        &self,
        tree: &EliminationTree,
        rowadr: &[u32],
        cols: &[i32],
        h: &mut [F64x4],
    ) {
        self.add_product(&self.values, tree, rowadr, cols, h);
    }

    /// Adds `valuesᵀ C values` with the cone Hessian `C`; all weights are one.
    #[inline(always)]
    pub(super) fn add_cone_to(
        &self,
        cone: &[f64; 36],
        tree: &EliminationTree,
        rowadr: &[u32],
        cols: &[i32],
        h: &mut [F64x4],
    ) {
        let mut right = [[[0.0; LANES]; S]; MAX_SHORT_ROWS];
        let values = &self.values[..self.rows];
        for (right, weights) in
            right.iter_mut().zip(cone.chunks_exact(values.len().max(1)).take(values.len()))
        {
            let mut sum = [[0.0; LANES]; S];
            for (values, &weight) in values.iter().zip(weights) {
                for k in 0..S {
                    sum[k] = axpy4(sum[k], values[k], weight);
                }
            }
            *right = sum;
        }
        self.add_product(&right, tree, rowadr, cols, h);
    }

    /// Adds `Σ weight valuesᵀ right`, which is symmetric.
    #[inline(always)]
    fn add_product(
        &self,
        right: &[[F64x4; S]; MAX_SHORT_ROWS],
        tree: &EliminationTree,
        rowadr: &[u32],
        cols: &[i32],
        h: &mut [F64x4],
    ) {
        let Some(&last) = cols.last() else {
            return;
        };
        let depths = &tree.depth[..];
        let is_complete = depths[last as usize] as usize + 1 == cols.len();
        let (weight, values) = (&self.weight[..self.rows], &self.values[..self.rows]);
        for a in 0..cols.len() {
            let row = cols[a] as usize;
            let target = &mut h[rowadr[row] as usize..][..depths[row] as usize / LANES + 1];
            let mut sum = [[0.0; LANES]; S];
            if is_complete {
                for (sum, target) in sum.iter_mut().zip(&*target) {
                    *sum = *target;
                }
            }
            for ((values, weight), right) in values.iter().zip(weight).zip(right) {
                let factor = weight * values.as_flattened()[a];
                for k in 0..S {
                    sum[k] = axpy4(sum[k], right[k], factor);
                }
            }
            if is_complete {
                for (sum, target) in sum.iter().zip(target) {
                    *target = *sum;
                }
            } else {
                let target = target.as_flattened_mut();
                for (sum, &c) in sum.as_flattened().iter().zip(&cols[..a + 1]) {
                    target[depths[c as usize] as usize] += sum;
                }
            }
        }
    }
}
