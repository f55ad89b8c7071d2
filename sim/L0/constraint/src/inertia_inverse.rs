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

#[cfg(test)]
mod tests {
    use super::{InertiaInverse, MAX_PIVOT_RATIO, SOLVES_BEFORE};
    use crate::inertia::RootPaths;
    use crate::problem::Inertia;

    /// Solves as often as the inverse needs and once more, compares all solutions, and returns whether the inverse was
    /// computed. A dof without a parent has itself; `pivot` is the last entry of `D`.
    fn computes_inverse(parents: &[usize], pivot: f64) -> bool {
        let (mut rownnz, mut rowadr, mut colind, mut ld) = (vec![], vec![], vec![], vec![]);
        let mut diag_inv = Vec::new();
        for (i, &parent) in parents.iter().enumerate() {
            let mut path = vec![i];
            let mut at = parent;
            while at != path[path.len() - 1] {
                path.push(at);
                at = parents[at];
            }
            rownnz.push(path.len() as i32);
            rowadr.push(colind.len() as i32);
            for &j in path.iter().rev() {
                colind.push(j as i32);
                ld.push(0.1 + ((3 * i + 5 * j) % 7) as f64 / 10.0);
            }
            let d = if i + 1 == parents.len() { pivot } else { 1.0 + (i % 3) as f64 };
            diag_inv.push(1.0 / d);
        }
        let inertia = Inertia {
            rownnz: &rownnz,
            rowadr: &rowadr,
            colind: &colind,
            m: &ld,
            ld: &ld,
            diag_inv: &diag_inv,
        };
        let mut root_paths = RootPaths::default();
        root_paths.analyze(&inertia);
        let mut inverse = InertiaInverse::default();
        inverse.reset();
        let x: Vec<f64> = (0..parents.len()).map(|i| (i as f64).sin()).collect();
        let mut expected = x.clone();
        root_paths.solve(&inertia, &mut expected);
        for _ in 0..=SOLVES_BEFORE {
            let mut solution = x.clone();
            inverse.solve(&mut root_paths, &inertia, &mut solution);
            for (a, b) in solution.iter().zip(&expected) {
                assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{a} instead of {b}");
            }
        }
        inverse.computed
    }

    #[test]
    fn products_with_the_inverse_are_solutions() {
        // trees of one dof, of a branch, and of a chain longer than the sums of a product
        let mut parents = vec![0, 1, 1, 2, 2, 4];
        parents.push(6);
        parents.extend(6..28);
        assert!(computes_inverse(&parents, 2.0));
        assert!(!computes_inverse(&parents, 10.0 * MAX_PIVOT_RATIO), "badly conditioned");
    }

    #[test]
    fn interleaved_and_large_trees_keep_the_factor() {
        assert!(!computes_inverse(&[0, 1, 0, 1, 2], 2.0));
        let chain: Vec<usize> = std::iter::once(0).chain(0..70).collect();
        assert!(!computes_inverse(&chain, 2.0));
    }
}
