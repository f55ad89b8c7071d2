//! Products and solves with the joint-space inertia matrix (`mj_mulM`, `mj_solveM`).

use crate::problem::Inertia;
use crate::vector::{F64x4, axpy4, heap_bytes, mul_add4, sum4};
use sim_simd::dispatch;
use std::ops::Range;

/// Root paths of the kinematic trees, and buffers for vectors along a path.
///
/// A row of the inertia matrix holds the ancestors of its dof in order, so that the index of an
/// entry in the row is the depth of its column. With the vector stored along the root path,
/// products access memory contiguously.
#[derive(Debug, Default)]
pub(crate) struct RootPaths {
    /// For each dof, the length of the common prefix of its root path and that of the previous dof
    /// (which counts as part of its own path).
    shared_prefix: Vec<u32>,
    /// Every row is a complete root path, and rows are long enough for vectorised products.
    contiguous: bool,
    /// Ranges of dofs without off-diagonal entries, whose diagonal entries are contiguous in memory.
    diagonal: Vec<Range<usize>>,
    /// Ranges of all other dofs.
    coupled: Vec<Range<usize>>,
    /// Whether a dof has off-diagonal entries.
    is_coupled: Vec<bool>,
    x: Vec<F64x4>,
    out: Vec<F64x4>,
}

impl RootPaths {
    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        heap_bytes!(
            self.shared_prefix,
            self.diagonal,
            self.coupled,
            self.is_coupled,
            self.x,
            self.out
        )
    }

    /// Analyses the sparsity of the inertia matrix.
    pub(crate) fn analyze(&mut self, inertia: &Inertia<'_>) {
        let Inertia { rownnz, rowadr, colind, .. } = *inertia;
        let n = rownnz.len();
        self.shared_prefix.resize(n, 0);
        self.contiguous = true;
        let mut longest = 1;
        for i in 0..n {
            let row = off_diagonal(inertia, i);
            longest = longest.max(row.len() + 1);
            let Some(&parent) = colind[row.clone()].last() else {
                self.shared_prefix[i] = 0;
                continue;
            };
            self.contiguous &= rownnz[parent as usize] as usize == row.len();
            self.shared_prefix[i] = if parent as usize + 1 == i {
                row.len() as u32
            } else {
                let before = &colind[rowadr[i - 1] as usize..][..rownnz[i - 1] as usize];
                let pairs = colind[row].iter().zip(before);
                pairs.take_while(|(a, b)| a == b).count() as u32
            };
        }
        // short rows are faster with scalar code
        self.contiguous &= inertia.colind.len() > 4 * n;
        self.x.resize(longest / 4 + 1, [0.0; 4]);
        self.out.resize(longest / 4 + 1, [0.0; 4]);
        if !self.contiguous {
            self.find_diagonal(inertia);
        }
    }

    /// Finds the dofs without off-diagonal entries, such as those of the vertices of flexes.
    fn find_diagonal(&mut self, inertia: &Inertia<'_>) {
        let Self { diagonal, coupled, is_coupled, .. } = self;
        let n = inertia.rownnz.len();
        is_coupled.clear();
        is_coupled.resize(n, false);
        for i in 0..n {
            let row = off_diagonal(inertia, i);
            if !row.is_empty() {
                is_coupled[i] = true;
                for &j in &inertia.colind[row] {
                    is_coupled[j as usize] = true;
                }
            }
        }
        diagonal.clear();
        coupled.clear();
        for i in 0..n {
            let ranges = if is_coupled[i] { &mut *coupled } else { &mut *diagonal };
            let follows = |k: usize| is_coupled[i] || inertia.rowadr[k] + 1 == inertia.rowadr[i];
            match ranges.last_mut() {
                Some(last) if last.end == i && follows(i - 1) => last.end = i + 1,
                _ => ranges.push(i..i + 1),
            }
        }
    }

    /// `out = M x` for the matrix that was analysed last.
    pub(crate) fn mul(&mut self, inertia: &Inertia<'_>, x: &[f64], out: &mut [f64]) {
        if self.contiguous {
            let this = self;
            dispatch!(mul_root_paths(this: &mut RootPaths, inertia: &Inertia<'_>, x: &[f64], out: &mut [f64]));
        } else {
            for range in &self.diagonal {
                let start = inertia.rowadr[range.start] as usize;
                let m = &inertia.m[start..start + range.len()];
                for ((out, x), m) in out[range.clone()].iter_mut().zip(&x[range.clone()]).zip(m) {
                    *out = m * x;
                }
            }
            mul_scattered(inertia, &self.coupled, x, out);
        }
    }

    /// `x ← M⁻¹ x` with the factor of the matrix that was analysed last.
    pub(crate) fn solve(&self, inertia: &Inertia<'_>, x: &mut [f64]) {
        if self.contiguous {
            return solve(inertia, x);
        }
        for range in self.coupled.iter().rev() {
            back_substitute_range(inertia, range.clone(), x);
        }
        for (x, inverse) in x.iter_mut().zip(inertia.diag_inv) {
            *x *= inverse;
        }
        for range in &self.coupled {
            substitute_range(inertia, range.clone(), x);
        }
    }
}

/// Address range of row `i` without its diagonal.
#[inline(always)]
fn off_diagonal(inertia: &Inertia<'_>, i: usize) -> Range<usize> {
    let start = inertia.rowadr[i] as usize;
    start..start + inertia.rownnz[i] as usize - 1
}

/// Iterates from the last dof to the first, so that the contributions of descendants are complete
/// when a dof is reached.
#[inline(always)]
fn mul_root_paths(this: &mut RootPaths, inertia: &Inertia<'_>, x: &[f64], out: &mut [f64]) {
    let RootPaths { shared_prefix, x: path_x, out: path_out, .. } = this;
    let n = shared_prefix.len();
    out.fill(0.0);
    // number of leading path entries that are valid in the buffers
    let mut known = 0;
    for k in (0..n).rev() {
        let row = off_diagonal(inertia, k);
        let (len, cols) = (row.len(), &inertia.colind[row.clone()]);
        for level in known..len {
            let a = cols[level] as usize;
            (path_x[level / 4][level % 4], path_out[level / 4][level % 4]) = (x[a], out[a]);
        }
        let value = x[k];
        // inside a path, the partial sum of this dof is in the buffer
        let own = if known > len { path_out[len / 4][len % 4] } else { out[k] };
        let sum = mul_row(&inertia.m[row.clone()], value, path_x, path_out);
        out[k] = own + (sum + inertia.m[row.end] * value);
        known = shared_prefix[k] as usize;
        for level in known..len {
            out[cols[level] as usize] = path_out[level / 4][level % 4];
        }
    }
}

/// Adds `value · row` to `out` and returns `row · x`. Accesses whole SIMD vectors only, because a
/// vector load after a scalar store of one of its elements stalls (store forwarding).
#[inline(always)]
fn mul_row(row: &[f64], value: f64, x: &[F64x4], out: &mut [F64x4]) -> f64 {
    let (chunks, rest) = row.as_chunks::<4>();
    let mut sum = [0.0; 4];
    let mut add = |row: F64x4, x: &F64x4, out: &mut F64x4| {
        sum = mul_add4(sum, row, *x);
        *out = axpy4(*out, row, value);
    };
    let last = match *rest {
        [a] => [a, 0.0, 0.0, 0.0],
        [a, b] => [a, b, 0.0, 0.0],
        [a, b, c] => [a, b, c, 0.0],
        _ => [0.0; 4],
    };
    for ((row, x), out) in chunks.iter().zip(x).zip(&mut *out) {
        add(*row, x, out);
    }
    if !rest.is_empty() {
        add(last, &x[chunks.len()], &mut out[chunks.len()]);
    }
    sum4(sum)
}

/// `out = M x` for the dofs in `ranges`, with any sparsity.
fn mul_scattered(inertia: &Inertia<'_>, ranges: &[Range<usize>], x: &[f64], out: &mut [f64]) {
    let Inertia { colind, m, .. } = *inertia;
    for range in ranges {
        out[range.clone()].fill(0.0);
    }
    for i in ranges.iter().flat_map(Clone::clone) {
        let row = off_diagonal(inertia, i);
        let xi = x[i];
        let mut sum = m[row.end] * xi;
        for (&value, &j) in m[row.clone()].iter().zip(&colind[row]) {
            sum += value * x[j as usize];
            out[j as usize] += value * xi;
        }
        out[i] += sum;
    }
}

/// `x ← M⁻¹ x` with the factor `Lᵀ D L`.
pub(crate) fn solve(inertia: &Inertia<'_>, x: &mut [f64]) {
    back_substitute(inertia, x);
    for (x, inverse) in x.iter_mut().zip(inertia.diag_inv) {
        *x *= inverse;
    }
    substitute_range(inertia, 0..x.len(), x);
}

/// `x ← L⁻¹ x` for some dofs.
fn substitute_range(inertia: &Inertia<'_>, dofs: Range<usize>, x: &mut [f64]) {
    let Inertia { colind, ld, .. } = *inertia;
    for i in dofs {
        let row = off_diagonal(inertia, i);
        let sum: f64 =
            ld[row.clone()].iter().zip(&colind[row]).map(|(&l, &j)| l * x[j as usize]).sum();
        x[i] -= sum;
    }
}

/// `x ← L⁻ᵀ x`.
pub(crate) fn back_substitute(inertia: &Inertia<'_>, x: &mut [f64]) {
    back_substitute_range(inertia, 0..x.len(), x);
}

/// `x ← L⁻ᵀ x` for some dofs.
fn back_substitute_range(inertia: &Inertia<'_>, dofs: Range<usize>, x: &mut [f64]) {
    let Inertia { colind, ld, .. } = *inertia;
    for i in dofs.rev() {
        let value = x[i];
        if value == 0.0 {
            continue;
        }
        let row = off_diagonal(inertia, i);
        for (&l, &j) in ld[row.clone()].iter().zip(&colind[row]) {
            x[j as usize] -= l * value;
        }
    }
}
