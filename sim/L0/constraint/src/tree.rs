//! Products and solves with the inertia, on the pattern of its tree.

use crate::problem::Inertia;
use crate::vector::{Lane, held, lane_product, lane_scaled, lane_sum};
use sim_simd::dispatch;
use std::ops::Range;

/// What products look up in a tree, and buffers for vectors along a path.
///
/// A row of the inertia has its dof's ancestors in order, so an entry's place in it is the depth of
/// its column: with the vector laid out along the path, products run along memory.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    /// How many leading ancestors of a dof are on the path to the dof before it, or are that dof.
    common: Vec<u32>,
    /// All rows are such paths.
    straight: bool,
    x: Vec<Lane>,
    out: Vec<Lane>,
}

impl Chains {
    /// Bytes that it holds.
    pub(crate) fn bytes(&self) -> usize {
        held!(self.common, self.x, self.out)
    }

    /// Looks at the inertia of a problem.
    pub(crate) fn find(&mut self, inertia: &Inertia<'_>) {
        let Inertia { rownnz, rowadr, colind, .. } = *inertia;
        let n = rownnz.len();
        self.common.resize(n, 0);
        self.straight = true;
        let mut longest = 1;
        for i in 0..n {
            let row = off_diagonal(inertia, i);
            longest = longest.max(row.len() + 1);
            let Some(&parent) = colind[row.clone()].last() else {
                self.common[i] = 0;
                continue;
            };
            self.straight &= rownnz[parent as usize] as usize == row.len();
            self.common[i] = if parent as usize + 1 == i {
                row.len() as u32
            } else {
                let before = &colind[rowadr[i - 1] as usize..][..rownnz[i - 1] as usize];
                let pairs = colind[row].iter().zip(before);
                pairs.take_while(|(a, b)| a == b).count() as u32
            };
        }
        // short rows are faster entry by entry
        self.straight &= inertia.colind.len() > 4 * n;
        self.x.resize(longest / 4 + 1, [0.0; 4]);
        self.out.resize(longest / 4 + 1, [0.0; 4]);
    }

    /// `out = M x`, for the inertia that was looked at.
    pub(crate) fn mul(&mut self, inertia: &Inertia<'_>, x: &[f64], out: &mut [f64]) {
        if self.straight {
            let this = self;
            dispatch!(mul_chains(this: &mut Chains, inertia: &Inertia<'_>, x: &[f64], out: &mut [f64]));
        } else {
            mul_scattered(inertia, x, out);
        }
    }
}

/// Where row `i` is, without its diagonal.
#[inline(always)]
fn off_diagonal(inertia: &Inertia<'_>, i: usize) -> Range<usize> {
    let start = inertia.rowadr[i] as usize;
    start..start + inertia.rownnz[i] as usize - 1
}

/// Goes from the last dof to the first: ancestors then find what their descendants added.
#[inline(always)]
fn mul_chains(this: &mut Chains, inertia: &Inertia<'_>, x: &[f64], out: &mut [f64]) {
    let Chains { common, x: path_x, out: path_out, .. } = this;
    let n = common.len();
    out.fill(0.0);
    // levels of the path that the buffers have right
    let mut known = 0;
    for k in (0..n).rev() {
        let row = off_diagonal(inertia, k);
        let (len, cols) = (row.len(), &inertia.colind[row.clone()]);
        for level in known..len {
            let a = cols[level] as usize;
            (path_x[level / 4][level % 4], path_out[level / 4][level % 4]) = (x[a], out[a]);
        }
        let value = x[k];
        // on the way up, what is known of this dof is in the buffer
        let own = if known > len { path_out[len / 4][len % 4] } else { out[k] };
        let sum = mul_row(&inertia.m[row.clone()], value, path_x, path_out);
        out[k] = own + (sum + inertia.m[row.end] * value);
        known = common[k] as usize;
        for level in known..len {
            out[cols[level] as usize] = path_out[level / 4][level % 4];
        }
    }
}

/// Adds `value · row` to `out` and returns `row · x`. Reads and writes whole vectors only: a value
/// that was stored alone cannot be read in a vector without delay.
#[inline(always)]
fn mul_row(row: &[f64], value: f64, x: &[Lane], out: &mut [Lane]) -> f64 {
    let (chunks, rest) = row.as_chunks::<4>();
    let mut sum = [0.0; 4];
    let mut add = |row: Lane, x: &Lane, out: &mut Lane| {
        sum = lane_product(sum, row, *x);
        *out = lane_scaled(*out, row, value);
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
    lane_sum(sum)
}

/// `out = M x` for any pattern.
fn mul_scattered(inertia: &Inertia<'_>, x: &[f64], out: &mut [f64]) {
    let Inertia { colind, m, .. } = *inertia;
    out.fill(0.0);
    for i in 0..x.len() {
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

/// `x ← M⁻¹ x`, by the factor.
pub(crate) fn solve(inertia: &Inertia<'_>, x: &mut [f64]) {
    back_substitute(inertia, x);
    for (x, inverse) in x.iter_mut().zip(inertia.diag_inv) {
        *x *= inverse;
    }
    let Inertia { rownnz, rowadr, colind, ld, .. } = *inertia;
    for i in 0..x.len() {
        let start = rowadr[i] as usize;
        let end = start + rownnz[i] as usize - 1;
        let sum: f64 =
            ld[start..end].iter().zip(&colind[start..end]).map(|(&l, &j)| l * x[j as usize]).sum();
        x[i] -= sum;
    }
}

/// `x ← L⁻ᵀ x`.
pub(crate) fn back_substitute(inertia: &Inertia<'_>, x: &mut [f64]) {
    let Inertia { rownnz, rowadr, colind, ld, .. } = *inertia;
    for i in (0..x.len()).rev() {
        let value = x[i];
        if value == 0.0 {
            continue;
        }
        let start = rowadr[i] as usize;
        let end = start + rownnz[i] as usize - 1;
        for (&l, &j) in ld[start..end].iter().zip(&colind[start..end]) {
            x[j as usize] -= l * value;
        }
    }
}
