//! Forward and backward substitution with the unit block-triangular matrices `I + L` and `I + Lᵀ`, in parallel over the
//! parts of a [`Dissection`](super::dissection::Dissection).

use super::dissection::Part;
use super::matrix::{BlockMatrix, Row};
use super::single::{F32x8, LANES, Sum, sum_six};
use crate::parallel::join;
use sim_simd::dispatch;
use std::ops::Range;

/// Parts of the vectors of conjugate gradients: residual, direction, and the two terms of the product with it.
pub(super) struct Vectors<'a> {
    pub r: &'a [F32x8],
    pub p: &'a mut [F32x8],
    pub t: &'a mut [F32x8],
    pub s: &'a mut [F32x8],
}

impl Vectors<'_> {
    /// The first `len` elements of each, and the others.
    fn split(&mut self, len: usize) -> [Vectors<'_>; 2] {
        let (p0, p1) = self.p.split_at_mut(len);
        let (t0, t1) = self.t.split_at_mut(len);
        let (s0, s1) = self.s.split_at_mut(len);
        let first = Vectors { r: &self.r[..len], p: p0, t: t0, s: s0 };
        [first, Vectors { r: &self.r[len..], p: p1, t: t1, s: s1 }]
    }
}

/// `p ← r + β p`, `t = (I + Lᵀ)⁻¹ p`, `s = (I + L)⁻¹ (p − t)` in a part; the product with `p` is `t + s`. Returns
/// `pᵀ (t + s)`. `t` holds the terms of the separators of larger parts, and zeros in the whole system. The vectors
/// start at those of the part.
pub(super) fn multiply(matrix: &BlockMatrix, index: usize, beta: f32, v: &mut Vectors<'_>) -> f64 {
    let part = matrix.parts()[index];
    let own = part.separator as usize..part.end as usize;
    let base = matrix.rows[part.start as usize].adr;
    if part.child == 0 {
        return dispatch!(multiply_leaf(matrix: &BlockMatrix, own: Range<usize>, base: u32, beta: f32, v: &mut Vectors<'_>) -> f64);
    }
    {
        let (v, own) = (&mut *v, own.clone());
        dispatch!(start_separator(matrix: &BlockMatrix, own: Range<usize>, base: u32, beta: f32, v: &mut Vectors<'_>));
    }
    let child = part.child as usize;
    let [adr, end] = adrs(matrix, part, base);
    let [mut first, mut rest] = v.split(adr);
    let [mut second, _] = rest.split(end - adr);
    let (one, two) = join(
        || multiply(matrix, child, beta, &mut first),
        || multiply(matrix, child + 1, beta, &mut second),
    );
    let (p, t, s) = (&*v.p, &*v.t, &mut *v.s);
    one + two
        + dispatch!(forward_rows(matrix: &BlockMatrix, own: Range<usize>, base: u32, p: &[F32x8], t: &[F32x8], s: &mut [F32x8]) -> f64)
}

/// Address of the second child, and of the separator, relative to the part.
fn adrs(matrix: &BlockMatrix, part: Part, base: u32) -> [usize; 2] {
    let middle = matrix.parts()[part.child as usize].end;
    [middle, part.separator].map(|position| (matrix.rows[position as usize].adr - base) as usize)
}

#[inline(always)]
fn start_separator(
    matrix: &BlockMatrix,
    own: Range<usize>,
    base: u32,
    beta: f32,
    v: &mut Vectors<'_>,
) {
    let adr = |position: usize| (matrix.rows[position].adr - base) as usize;
    let range = adr(own.start)..adr(own.end);
    let (p, t) = (&mut v.p[range.clone()], &mut v.t[range.clone()]);
    for ((p, t), r) in p.iter_mut().zip(t).zip(&v.r[range]) {
        *p = r.add_scaled(*p, beta);
        *t = t.plus(*p);
    }
    backward_rows(matrix, own, base, v.t);
}

#[inline(always)]
fn multiply_leaf(
    matrix: &BlockMatrix,
    own: Range<usize>,
    base: u32,
    beta: f32,
    v: &mut Vectors<'_>,
) -> f64 {
    start_separator(matrix, own.clone(), base, beta, v);
    forward_rows(matrix, own, base, v.p, v.t, v.s)
}

/// `s = (I + L)⁻¹ p` in a part.
pub(super) fn forward(
    matrix: &BlockMatrix,
    index: usize,
    p: &[F32x8],
    zero: &[F32x8],
    s: &mut [F32x8],
) {
    let part = matrix.parts()[index];
    let base = matrix.rows[part.start as usize].adr;
    if part.child != 0 {
        let child = part.child as usize;
        let [adr, end] = adrs(matrix, part, base);
        let (first, rest) = s.split_at_mut(adr);
        join(
            || forward(matrix, child, p, zero, first),
            || forward(matrix, child + 1, &p[adr..], zero, &mut rest[..end - adr]),
        );
    }
    let own = part.separator as usize..part.end as usize;
    dispatch!(forward_rows(matrix: &BlockMatrix, own: Range<usize>, base: u32, p: &[F32x8], zero: &[F32x8], s: &mut [F32x8]) -> f64);
}

/// `x ← (I + Lᵀ)⁻¹ x` in a part.
pub(super) fn backward(matrix: &BlockMatrix, index: usize, x: &mut [F32x8]) {
    let part = matrix.parts()[index];
    let base = matrix.rows[part.start as usize].adr;
    let own = part.separator as usize..part.end as usize;
    {
        let x = &mut *x;
        dispatch!(backward_rows(matrix: &BlockMatrix, own: Range<usize>, base: u32, x: &mut [F32x8]));
    }
    if part.child != 0 {
        let child = part.child as usize;
        let [adr, end] = adrs(matrix, part, base);
        let (first, rest) = x.split_at_mut(adr);
        join(
            || backward(matrix, child, first),
            || backward(matrix, child + 1, &mut rest[..end - adr]),
        );
    }
}

/// `s = p − t − L s` for some rows; returns `pᵀ (t + s)`. The vectors start at address `base`.
#[inline(always)]
fn forward_rows(
    matrix: &BlockMatrix,
    own: Range<usize>,
    base: u32,
    p: &[F32x8],
    t: &[F32x8],
    s: &mut [F32x8],
) -> f64 {
    let mut total = Sum::default();
    for i in own {
        let Row { adr, size, stride, .. } = matrix.rows[i];
        let (adr, size, stride) = ((adr - base) as usize, size as usize, stride as usize);
        let (links, values) = matrix.row(i);
        if size == 6 && matrix.is_narrow {
            let mut sum = [F32x8::ZERO; 6];
            for (link, block) in links.iter().zip(values.as_chunks::<6>().0) {
                let x = s[(link.adr - base) as usize];
                for r in 0..6 {
                    sum[r] = sum[r].add_product(block[r], x);
                }
            }
            let (p, t) = (p[adr], t[adr]);
            let own = p.minus(t).minus(sum_six(sum));
            s[adr] = own;
            total.add(p, t.plus(own));
            continue;
        }
        let (before, own) = s.split_at_mut(adr);
        let (p, t) = (&p[adr..adr + stride], &t[adr..adr + stride]);
        for ((own, p), t) in own.iter_mut().zip(p).zip(t) {
            *own = p.minus(*t);
        }
        let mut values = values;
        for link in links {
            let (other, width) = ((link.adr - base) as usize, link.stride as usize);
            let other = &before[other..other + width];
            let (block, rest) = values.split_at(size * width);
            values = rest;
            for (i, row) in block.chunks_exact(width).enumerate() {
                let mut sum = F32x8::ZERO;
                for (row, other) in row.iter().zip(other) {
                    sum = sum.add_product(*row, *other);
                }
                own[i / LANES].0[i % LANES] -= sum.sum();
            }
        }
        for ((own, p), t) in own.iter().zip(p).zip(t) {
            total.add(*p, t.plus(*own));
        }
    }
    total.total()
}

/// `x ← x − Lᵀ x` for the columns of some rows, from the last to the first.
#[inline(always)]
fn backward_rows(matrix: &BlockMatrix, own: Range<usize>, base: u32, x: &mut [F32x8]) {
    for i in own.rev() {
        let Row { adr, size, stride, .. } = matrix.rows[i];
        let (adr, size, stride) = ((adr - base) as usize, size as usize, stride as usize);
        let (links, values) = matrix.row(i);
        if size == 6 && matrix.is_narrow {
            let own = x[adr].0;
            for (link, block) in links.iter().zip(values.as_chunks::<6>().0) {
                let target = &mut x[(link.adr - base) as usize];
                // two sums, because each addition waits for the previous one
                let (mut even, mut odd) = (*target, F32x8::ZERO);
                for k in 0..3 {
                    even = even.add_scaled(block[2 * k], -own[2 * k]);
                    odd = odd.add_scaled(block[2 * k + 1], -own[2 * k + 1]);
                }
                *target = even.plus(odd);
            }
            continue;
        }
        let (before, own) = x.split_at_mut(adr);
        let own = &own[..stride];
        let mut values = values;
        for link in links {
            let (other, width) = ((link.adr - base) as usize, link.stride as usize);
            let other = &mut before[other..other + width];
            let (block, rest) = values.split_at(size * width);
            values = rest;
            for (i, row) in block.chunks_exact(width).enumerate() {
                let value = own[i / LANES].0[i % LANES];
                for (other, row) in other.iter_mut().zip(row) {
                    *other = other.add_scaled(*row, -value);
                }
            }
        }
    }
}
