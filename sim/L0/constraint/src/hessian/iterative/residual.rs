//! Residual of the linear system in double precision, for iterative refinement.

use super::LANES;
use super::graph::{BlockGraph, Node};
use crate::vector::{self, F64x4, axpy4, mul_add4, sum4};
use sim_simd::dispatch;

/// `xᵀ x`.
pub(super) fn dot(x: &[F64x4]) -> f64 {
    vector::long_dot(x.as_flattened(), x.as_flattened())
}

/// `y ← y − H x`.
pub(super) fn subtract_product(graph: &BlockGraph, h: &[F64x4], x: &[F64x4], y: &mut [F64x4]) {
    dispatch!(subtract(graph: &BlockGraph, h: &[F64x4], x: &[F64x4], y: &mut [F64x4]));
}

#[inline(always)]
fn subtract(graph: &BlockGraph, h: &[F64x4], x: &[F64x4], y: &mut [F64x4]) {
    for i in 0..graph.len() {
        let Node { adr, size, stride, diag, .. } = graph.nodes[i];
        let (adr, size, stride) = (adr as usize, size as usize, stride as usize);
        let block = &h[diag as usize..][..size * stride];
        subtract_diagonal(block, &x[adr..adr + stride], &mut y[adr..adr + stride]);
        for edge in graph.edges_of(i) {
            let Node { adr: other, stride: width, .. } = graph.nodes[edge.col as usize];
            let (other, width) = (other as usize, width as usize);
            let block = &h[edge.adr as usize..][..size * width];
            let own = x[adr..adr + stride].as_flattened();
            for (k, row) in block.chunks_exact(width).enumerate() {
                let mut sum = [0.0; LANES];
                for (chunk, row) in row.iter().enumerate() {
                    sum = mul_add4(sum, *row, x[other + chunk]);
                    y[other + chunk] = axpy4(y[other + chunk], *row, -own[k]);
                }
                y[adr + k / LANES][k % LANES] -= sum4(sum);
            }
        }
    }
}

/// The same for a diagonal block, of which the lower triangle is stored.
#[inline(always)]
fn subtract_diagonal(block: &[F64x4], x: &[F64x4], y: &mut [F64x4]) {
    let (x, y) = (x.as_flattened(), y.as_flattened_mut());
    for (i, row) in block.chunks_exact(x.len() / LANES).enumerate() {
        let row = row.as_flattened();
        for k in 0..i {
            y[i] -= row[k] * x[k];
            y[k] -= row[k] * x[i];
        }
        y[i] -= row[i] * x[i];
    }
}
