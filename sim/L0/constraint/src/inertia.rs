//! Products and solves with the joint-space inertia matrix (`mj_mulM`, `mj_solveM`).

use crate::problem::Inertia;
use crate::vector::{F64x4, axpy4, heap_bytes, mul_add4, pad, sum4};
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
    /// `rownnz`, `rowadr` and `colind` of the matrix that was analysed last, if its rows fill `colind`.
    pattern: [Vec<i32>; 3],
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
        ) + self.pattern.iter().map(|indices| heap_bytes!(indices)).sum::<usize>()
    }

    /// Whether the matrix that was analysed last has the same sparsity, so that this one is valid too and needs no
    /// analysis.
    pub(crate) fn fits(&self, inertia: &Inertia<'_>) -> bool {
        let Inertia { rownnz, rowadr, colind, m, ld, .. } = *inertia;
        let [known_rownnz, known_rowadr, known_colind] = &self.pattern;
        !rownnz.is_empty()
            && rownnz == known_rownnz
            && rowadr == known_rowadr
            && colind == known_colind
            && m.len().min(ld.len()) >= colind.len()
    }

    /// Analyses the sparsity of the inertia matrix of a well-formed problem.
    pub(crate) fn analyze(&mut self, inertia: &Inertia<'_>) {
        let Inertia { rownnz, rowadr, colind, .. } = *inertia;
        let n = rownnz.len();
        // the columns of an island are a part of those of all islands, which would take long to copy
        let end =
            (rowadr.last().copied().unwrap_or(0) + rownnz.last().copied().unwrap_or(0)) as usize;
        let whole = end == colind.len() && rowadr.first() == Some(&0);
        for (known, indices) in self.pattern.iter_mut().zip([rownnz, rowadr, colind]) {
            known.clear();
            if whole {
                known.extend_from_slice(indices);
            }
        }
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
    pub(crate) fn solve(&mut self, inertia: &Inertia<'_>, x: &mut [f64]) {
        if self.contiguous {
            let this = self;
            return dispatch!(solve_root_paths(this: &mut RootPaths, inertia: &Inertia<'_>, x: &mut [f64]));
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

/// `x ← M⁻¹ x` with the factor `Lᵀ D L`, and the entries of the current root path in a buffer.
#[inline(always)]
fn solve_root_paths(this: &mut RootPaths, inertia: &Inertia<'_>, x: &mut [f64]) {
    let RootPaths { shared_prefix, x: path, .. } = this;
    let Inertia { colind, ld, diag_inv, .. } = *inertia;
    let n = shared_prefix.len();
    // x ← L⁻ᵀ x, from the last dof to the first
    let mut known = 0;
    for k in (0..n).rev() {
        let row = off_diagonal(inertia, k);
        let (len, cols) = (row.len(), &colind[row.clone()]);
        for level in known..len {
            path[level / 4][level % 4] = x[cols[level] as usize];
        }
        // inside a path, the value of this dof is in the buffer
        let value = if known > len { path[len / 4][len % 4] } else { x[k] };
        x[k] = value;
        let (chunks, rest) = ld[row].as_chunks::<4>();
        for (row, path) in chunks.iter().zip(&mut *path) {
            *path = axpy4(*path, *row, -value);
        }
        if !rest.is_empty() {
            let path = &mut path[chunks.len()];
            *path = axpy4(*path, pad(rest), -value);
        }
        known = shared_prefix[k] as usize;
        for level in known..len {
            x[cols[level] as usize] = path[level / 4][level % 4];
        }
    }
    // x ← L⁻¹ D⁻¹ x, from the first dof to the last
    for k in 0..n {
        let row = off_diagonal(inertia, k);
        let value = x[k] * diag_inv[k];
        let Some(last) = row.len().checked_sub(1) else {
            x[k] = value;
            path[0][0] = value;
            continue;
        };
        let (cols, row) = (&colind[row.clone()], &ld[row]);
        for level in shared_prefix[k] as usize..last + 1 {
            path[level / 4][level % 4] = x[cols[level] as usize];
        }
        // the parent is the only ancestor whose value may not be ready: it is subtracted last
        let (chunks, rest) = row[..last].as_chunks::<4>();
        let mut sum = [0.0; 4];
        for (row, path) in chunks.iter().zip(&*path) {
            sum = mul_add4(sum, *row, *path);
        }
        for (lane, value) in rest.iter().enumerate() {
            sum[lane & 3] += value * path[chunks.len()][lane & 3];
        }
        let value = value - sum4(sum) - row[last] * x[cols[last] as usize];
        x[k] = value;
        path[(last + 1) / 4][(last + 1) % 4] = value;
    }
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
        // the parent is the only ancestor whose value may not be ready: it is subtracted last
        if let (Some((parent, ancestors)), Some((&l, values))) =
            (colind[row.clone()].split_last(), ld[row].split_last())
        {
            x[i] = x[i] - gathered_dot(values, ancestors, x) - l * x[*parent as usize];
        }
    }
}

/// Dot product of a sparse and a dense vector, summed in four lanes: one sum would wait for the previous
/// addition of each entry.
#[inline(always)]
fn gathered_dot(values: &[f64], cols: &[i32], x: &[f64]) -> f64 {
    let (values, values_rest) = values.as_chunks::<4>();
    let (cols, cols_rest) = cols.as_chunks::<4>();
    let mut sum = [0.0; 4];
    for (values, cols) in values.iter().zip(cols) {
        sum = mul_add4(sum, *values, cols.map(|j| x[j as usize]));
    }
    for (lane, (value, &j)) in values_rest.iter().zip(cols_rest).enumerate() {
        sum[lane & 3] += value * x[j as usize];
    }
    sum4(sum)
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

#[cfg(test)]
mod tests {
    use super::{Inertia, RootPaths, solve};

    /// A chain of eight dofs with three branches of four dofs, and a second tree.
    const PARENTS: [i32; 24] =
        [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 7, 12, 13, 14, 3, 16, 17, 18, -1, 20, 21, 20];

    #[test]
    fn solve_along_root_paths_is_the_sparse_solve() {
        let (mut rownnz, mut rowadr, mut colind) = (Vec::new(), Vec::new(), Vec::new());
        for dof in 0..PARENTS.len() as i32 {
            let mut path = vec![dof];
            while let parent @ 0.. = PARENTS[path[path.len() - 1] as usize] {
                path.push(parent);
            }
            rowadr.push(colind.len() as i32);
            rownnz.push(path.len() as i32);
            colind.extend(path.iter().rev());
        }
        let values = |n: usize| (0..n).map(|k| (1.3 * k as f64 + 0.4).sin()).collect::<Vec<_>>();
        let (ld, diag_inv) = (values(colind.len()), values(PARENTS.len()));
        let inertia = Inertia {
            rownnz: &rownnz,
            rowadr: &rowadr,
            colind: &colind,
            m: &ld,
            ld: &ld,
            diag_inv: &diag_inv,
        };
        let mut paths = RootPaths::default();
        paths.analyze(&inertia);
        assert!(paths.contiguous);
        let (mut x, mut expected) = (values(PARENTS.len()), values(PARENTS.len()));
        paths.solve(&inertia, &mut x);
        solve(&inertia, &mut expected);
        for (x, expected) in x.iter().zip(&expected) {
            assert!((x - expected).abs() <= 1e-12 * (1.0 + expected.abs()), "{x} {expected}");
        }
    }
}
