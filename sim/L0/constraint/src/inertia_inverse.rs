//! The inverse of the joint-space inertia matrix as dense blocks, one for each kinematic tree.
//!
//! A solve with the sparse factor is a chain of dependent operations from dof to dof: with 27 dofs it takes about ten
//! times as long as a product with the dense inverse. Conjugate gradients solve once per iteration with the same
//! matrix, so that the inverse is worth its cost after a few iterations.

use crate::inertia::RootPaths;
use crate::problem::Inertia;
use crate::vector::{F64x4, axpy4, heap_bytes};
use sim_simd::dispatch;
use std::ops::Range;

/// Solves with the factor before the inverse is computed, which takes as long as about six solves.
const SOLVES_BEFORE: usize = 8;
/// Largest number of dofs of a tree; the cost of a product is quadratic in it.
const MAX_TREE: usize = 64;
/// Largest ratio of the pivots, which bounds the error of the product.
const MAX_PIVOT_RATIO: f64 = 1e6;
/// SIMD vectors of a column that are summed at a time.
const SUMS: usize = 4;

/// The inverse of an inertia matrix.
#[derive(Debug, Default)]
pub(crate) struct InertiaInverse {
    /// Solves with the present matrix.
    solves: usize,
    /// Whether the inverse has been computed.
    computed: bool,
    /// Dofs of each tree.
    trees: Vec<Range<usize>>,
    /// Columns of the blocks, padded to whole SIMD vectors.
    columns: Vec<F64x4>,
    /// Four columns of a block while they are computed, a row in each SIMD vector.
    block: Vec<F64x4>,
}

impl InertiaInverse {
    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        heap_bytes!(self.trees, self.columns, self.block)
    }

    /// Forgets the matrix.
    pub(crate) fn reset(&mut self) {
        (self.solves, self.computed) = (0, false);
    }

    /// `x ← M⁻¹ x`, for the same matrix since the last reset.
    pub(crate) fn solve(
        &mut self,
        root_paths: &mut RootPaths,
        inertia: &Inertia<'_>,
        x: &mut [f64],
    ) {
        if self.solves == SOLVES_BEFORE && is_well_conditioned(inertia) && self.find_trees(inertia)
        {
            let this = &mut *self;
            dispatch!(invert(this: &mut InertiaInverse, inertia: &Inertia<'_>));
            self.computed = true;
        }
        self.solves += 1;
        if self.computed {
            let this = &mut *self;
            dispatch!(mul_blocks(this: &mut InertiaInverse, x: &mut [f64]));
        } else {
            root_paths.solve(inertia, x);
        }
    }

    /// Finds the trees: each begins with a dof without ancestors, to which the ancestors of the following dofs belong.
    /// Returns whether all of them are small and contiguous.
    fn find_trees(&mut self, inertia: &Inertia<'_>) -> bool {
        self.trees.clear();
        for (i, &adr) in inertia.rowadr.iter().enumerate() {
            let root = inertia.colind[adr as usize] as usize;
            match self.trees.last_mut() {
                Some(tree) if tree.start == root => tree.end = i + 1,
                _ if root == i => self.trees.push(i..i + 1),
                _ => return false,
            }
        }
        self.trees.iter().all(|tree| tree.len() <= MAX_TREE)
    }
}

fn is_well_conditioned(inertia: &Inertia<'_>) -> bool {
    let bounds = inertia
        .diag_inv
        .iter()
        .fold((f64::INFINITY, 0.0), |(least, most), &x| (x.min(least), x.max(most)));
    bounds.1 < MAX_PIVOT_RATIO * bounds.0
}

/// Solves for the columns of the identity, four at a time.
#[inline(always)]
fn invert(this: &mut InertiaInverse, inertia: &Inertia<'_>) {
    let InertiaInverse { trees, columns, block, .. } = this;
    let Inertia { rownnz, rowadr, colind, ld, diag_inv, .. } = *inertia;
    columns.clear();
    for tree in &*trees {
        let (first, n) = (tree.start, tree.len());
        let stride = n.div_ceil(4);
        let start = columns.len();
        columns.resize(start + n * stride, [0.0; 4]);
        block.clear();
        block.resize(n, [0.0; 4]);
        let row = |i: usize| {
            let adr = rowadr[first + i] as usize;
            let row = adr..adr + rownnz[first + i] as usize - 1;
            ld[row.clone()].iter().zip(&colind[row]).map(move |(&l, &j)| (l, j as usize - first))
        };
        for group in 0..stride {
            let end = (4 * group + 4).min(n);
            block.fill([0.0; 4]);
            for j in 4 * group..end {
                block[j][j % 4] = 1.0;
            }
            // L⁻ᵀ; dofs after the columns of the group remain zero
            for i in (0..end).rev() {
                let value = block[i];
                for (l, j) in row(i) {
                    block[j] = axpy4(block[j], value, -l);
                }
            }
            for (x, inverse) in block.iter_mut().zip(&diag_inv[tree.clone()]) {
                *x = x.map(|x| x * inverse);
            }
            for i in 0..n {
                let mut value = block[i];
                for (l, j) in row(i) {
                    value = axpy4(value, block[j], -l);
                }
                block[i] = value;
                // the matrix is symmetric: entries of column i
                columns[start + i * stride + group] = value;
            }
        }
    }
}

/// `x ← M⁻¹ x`.
#[inline(always)]
fn mul_blocks(this: &mut InertiaInverse, x: &mut [f64]) {
    let InertiaInverse { trees, columns, block, .. } = this;
    let mut start = 0;
    for tree in &*trees {
        let n = tree.len();
        let stride = n.div_ceil(4);
        let columns = &columns[start..start + n * stride];
        start += columns.len();
        block.clear();
        block.resize(stride, [0.0; 4]);
        let x = &mut x[tree.clone()];
        let mut group = 0;
        while group < stride {
            group += match stride - group {
                1 => mul_rows::<1>(columns, stride, x, group, block),
                2 => mul_rows::<2>(columns, stride, x, group, block),
                3 => mul_rows::<3>(columns, stride, x, group, block),
                _ => mul_rows::<SUMS>(columns, stride, x, group, block),
            };
        }
        for (x, product) in x.iter_mut().zip(block.as_flattened()) {
            *x = *product;
        }
    }
}

/// `N` SIMD vectors of the product, from `group` on. Returns `N`.
#[inline(always)]
fn mul_rows<const N: usize>(
    columns: &[F64x4],
    stride: usize,
    x: &[f64],
    group: usize,
    out: &mut [F64x4],
) -> usize {
    // two sums of even and odd columns hide the latency of an addition
    let mut sums = [[[0.0; 4]; N]; 2];
    for (j, (column, &value)) in columns.chunks_exact(stride).zip(x).enumerate() {
        let column = &column[group..group + N];
        for (sum, column) in sums[j % 2].iter_mut().zip(column) {
            *sum = axpy4(*sum, *column, value);
        }
    }
    for k in 0..N {
        out[group + k] = axpy4(sums[0][k], sums[1][k], 1.0);
    }
    N
}
