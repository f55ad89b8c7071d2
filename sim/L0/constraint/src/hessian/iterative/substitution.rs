//! Forward and backward substitution with the unit block-triangular matrices `I + L` and `I + Lᵀ`.

use super::LANES;
use super::graph::{BlockGraph, Edge, Node, PACKED_SIX};
use super::matrix::BlockMatrix;
use crate::vector::{F64x4, axpy4, mul_add4, sum4};

/// `s = (I + L)⁻¹ (p − t)`; returns `pᵀ (t + s)`.
#[inline(always)]
pub(super) fn forward(
    graph: &BlockGraph,
    matrix: &BlockMatrix,
    p: &[F64x4],
    t: &[F64x4],
    s: &mut [F64x4],
) -> f64 {
    let mut total = [0.0; LANES];
    for i in 0..graph.len() {
        let Node { adr, size, stride, .. } = graph.nodes[i];
        let (adr, size, stride) = (adr as usize, size as usize, stride as usize);
        let edges = graph.edges_of(i);
        let (before, own) = s.split_at_mut(adr);
        let (p, t) = (&p[adr..adr + stride], &t[adr..adr + stride]);
        if let (6, [p0, p1], [t0, t1], Some([s0, s1])) = (size, p, t, own.first_chunk_mut::<2>()) {
            let sum = mul_six(graph, matrix, edges, before);
            *s0 = axpy4(axpy4(*p0, *t0, -1.0), sum[0], -1.0);
            *s1 = axpy4(axpy4(*p1, *t1, -1.0), sum[1], -1.0);
            total = mul_add4(total, *p0, axpy4(*t0, *s0, 1.0));
            total = mul_add4(total, *p1, axpy4(*t1, *s1, 1.0));
            continue;
        }
        let own = &mut own[..stride];
        for ((own, p), t) in own.iter_mut().zip(p).zip(t) {
            *own = axpy4(*p, *t, -1.0);
        }
        for edge in edges {
            let Node { adr, stride: width, .. } = graph.nodes[edge.col as usize];
            let (adr, width) = (adr as usize, width as usize);
            let block = &matrix.lower[edge.scaled as usize..][..size * width];
            for (own, row) in own.as_flattened_mut().iter_mut().zip(block.chunks_exact(width)) {
                let mut sum = [0.0; LANES];
                for (row, other) in row.iter().zip(&before[adr..adr + width]) {
                    sum = mul_add4(sum, *row, *other);
                }
                *own -= sum4(sum);
            }
        }
        for ((own, p), t) in own.iter().zip(p).zip(t) {
            total = mul_add4(total, *p, axpy4(*t, *own, 1.0));
        }
    }
    sum_lanes(&total)
}

/// Product of the row of blocks of a node with six dofs.
#[inline(always)]
fn mul_six(graph: &BlockGraph, matrix: &BlockMatrix, edges: &[Edge], x: &[F64x4]) -> [F64x4; 2] {
    let mut sum = [[0.0; LANES]; 6];
    // columns 4 and 5 of two rows each
    let mut last = [[0.0; LANES]; 3];
    for edge in edges {
        let Node { adr, size, stride, .. } = graph.nodes[edge.col as usize];
        let (adr, stride) = (adr as usize, stride as usize);
        let block = &matrix.lower[edge.scaled as usize..];
        if let (6, [x0, x1], Some(block)) =
            (size, &x[adr..adr + stride], block.first_chunk::<PACKED_SIX>())
        {
            for r in 0..6 {
                sum[r] = mul_add4(sum[r], block[r], *x0);
            }
            let x1 = [x1[0], x1[1], x1[0], x1[1]];
            for k in 0..3 {
                last[k] = mul_add4(last[k], block[6 + k], x1);
            }
        } else {
            add_rows(&block[..6 * stride], &x[adr..adr + stride], &mut sum);
        }
    }
    sum_six(sum, last)
}

/// The sum of the entries, not inlined for the reason of [`sum_six`].
#[inline(never)]
pub(super) fn sum_lanes(x: &F64x4) -> f64 {
    sum4(*x)
}

/// The sums of the entries of each row. It reads them from memory: otherwise the compiler arranges the entries for these
/// sums and permutes them in the loop.
#[inline(always)]
fn sum_six(x: [F64x4; 6], last: [F64x4; 3]) -> [F64x4; 2] {
    let (x, y) = (std::hint::black_box(x), std::hint::black_box(last));
    let first = [sum4(x[0]), sum4(x[1]), sum4(x[2]), sum4(x[3])];
    let more = [y[0][0] + y[0][1], y[0][2] + y[0][3], y[1][0] + y[1][1], y[1][2] + y[1][3]];
    let second = [sum4(x[4]) + (y[2][0] + y[2][1]), sum4(x[5]) + (y[2][2] + y[2][3]), 0.0, 0.0];
    [axpy4(first, more, 1.0), second]
}

/// Adds the products of the rows of a block, entry by entry.
#[inline(always)]
fn add_rows(block: &[F64x4], x: &[F64x4], sum: &mut [F64x4; 6]) {
    for (row, sum) in block.chunks_exact(x.len()).zip(sum) {
        for (row, x) in row.iter().zip(x) {
            *sum = mul_add4(*sum, *row, *x);
        }
    }
}

/// `x ← (I + Lᵀ)⁻¹ x`.
#[inline(always)]
pub(super) fn backward(graph: &BlockGraph, matrix: &BlockMatrix, x: &mut [F64x4]) {
    for i in (0..graph.len()).rev() {
        let Node { adr, size, stride, .. } = graph.nodes[i];
        let (adr, size, stride) = (adr as usize, size as usize, stride as usize);
        let (before, own) = x.split_at_mut(adr);
        let own = own[..stride].as_flattened();
        for edge in graph.edges_of(i) {
            let Node { adr, size: columns, stride: width, .. } = graph.nodes[edge.col as usize];
            let (adr, width) = (adr as usize, width as usize);
            let block = &matrix.lower[edge.scaled as usize..];
            let other = &mut before[adr..adr + width];
            if let (6, 6, Some(own), Some(block), [x0, x1]) = (
                size,
                columns,
                own.first_chunk::<6>(),
                block.first_chunk::<PACKED_SIX>(),
                &mut *other,
            ) {
                // several sums, because each addition waits for the previous one
                let (mut even, mut odd, mut last) = (*x0, [0.0; LANES], [0.0; LANES]);
                for k in 0..3 {
                    let [a, b] = [own[2 * k], own[2 * k + 1]];
                    even = axpy4(even, block[2 * k], -a);
                    odd = axpy4(odd, block[2 * k + 1], -b);
                    last = mul_add4(last, block[6 + k], [a, a, b, b]);
                }
                *x0 = axpy4(even, odd, 1.0);
                *x1 = axpy4(*x1, [last[0] + last[2], last[1] + last[3], 0.0, 0.0], -1.0);
            } else {
                let block = &block[..size * width];
                for (row, &value) in block.chunks_exact(width).zip(own) {
                    for (other, row) in other.iter_mut().zip(row) {
                        *other = axpy4(*other, *row, -value);
                    }
                }
            }
        }
    }
}
