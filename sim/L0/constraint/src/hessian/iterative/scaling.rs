//! Factors of the diagonal blocks of the Hessian, and the other blocks scaled with them.

use super::LANES;
use super::graph::{BlockGraph, Node};
use super::matrix::BlockMatrix;
use super::single::{self, F32x8};
use crate::parallel::join;
use crate::vector::{F64x4, axpy4};
use sim_simd::dispatch;
use sim_types::MINVAL;
use std::ops::Range;

/// Largest number of nodes that are scaled on one thread.
pub(super) const MAX_SERIAL: usize = 300;
/// Size of the temporary block of a thread: nodes with more dofs are scaled on one thread.
const SMALL: usize = 16;

/// The Hessian, and which of its nodes changed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Blocks<'a> {
    pub graph: &'a BlockGraph,
    pub h: &'a [F64x4],
    pub changed: &'a [bool],
}

/// Inverse Cholesky factors of the diagonal blocks.
#[derive(Debug, Default)]
pub(super) struct Factors {
    /// Blocks of `C⁻¹`, lower triangular.
    pub inverse: Vec<F64x4>,
    /// Blocks of `C⁻ᵀ`, upper triangular.
    pub transposed: Vec<F64x4>,
    /// Temporary block.
    pub block: Vec<F64x4>,
}

/// Inverts the factors of the changed diagonal blocks of some nodes. `block` is a temporary block. Returns whether all
/// pivots were positive.
pub(super) fn invert(
    blocks: Blocks<'_>,
    nodes: Range<usize>,
    inverse: &mut [F64x4],
    transposed: &mut [F64x4],
    block: &mut [F64x4],
) -> bool {
    if block.len() <= SMALL && nodes.len() > MAX_SERIAL {
        let middle = nodes.start + nodes.len() / 2;
        let adr = |node: usize| blocks.graph.nodes[node].diag as usize;
        let len = adr(middle) - adr(nodes.start);
        let (inverse, inverse2) = inverse.split_at_mut(len);
        let (transposed, transposed2) = transposed.split_at_mut(len);
        let mut other = [[0.0; LANES]; SMALL];
        let other = &mut other[..block.len()];
        let (one, two) = join(
            || invert(blocks, nodes.start..middle, inverse, transposed, block),
            || invert(blocks, middle..nodes.end, inverse2, transposed2, other),
        );
        return one & two;
    }
    dispatch!(invert_nodes(blocks: Blocks<'_>, nodes: Range<usize>, inverse: &mut [F64x4], transposed: &mut [F64x4], block: &mut [F64x4]) -> bool)
}

#[inline(always)]
fn invert_nodes(
    blocks: Blocks<'_>,
    nodes: Range<usize>,
    inverse: &mut [F64x4],
    transposed: &mut [F64x4],
    block: &mut [F64x4],
) -> bool {
    let Blocks { graph, h, changed } = blocks;
    let base = graph.nodes[nodes.start].diag as usize;
    let mut good = true;
    for i in nodes {
        if !changed[i] {
            continue;
        }
        let Node { size, stride, diag, .. } = graph.nodes[i];
        let (size, stride, diag) = (size as usize, stride as usize, diag as usize);
        let h = &h[diag..diag + size * stride];
        let range = diag - base..diag - base + size * stride;
        let (inverse, transposed) = (&mut inverse[range.clone()], &mut transposed[range]);
        good &= if size == 6 {
            invert_fixed::<6, 2>(h, inverse, transposed)
        } else {
            let factor = &mut block[..size * stride];
            factor.copy_from_slice(h);
            invert_factor(factor, inverse, transposed, size, stride)
        };
    }
    good
}

/// Scales the blocks of some rows that are coupled to a changed node. `lower` starts at those of the first row,
/// `block` is a temporary block.
pub(super) fn scale(
    blocks: Blocks<'_>,
    matrix: &BlockMatrix,
    rows: Range<usize>,
    lower: &mut [F32x8],
    block: &mut [F64x4],
) {
    if block.len() <= SMALL && rows.len() > MAX_SERIAL {
        let middle = rows.start + rows.len() / 2;
        let len = matrix.rows[middle].values - matrix.rows[rows.start].values;
        let (lower, lower2) = lower.split_at_mut(len as usize);
        let mut other = [[0.0; LANES]; SMALL];
        let other = &mut other[..block.len()];
        join(
            || scale(blocks, matrix, rows.start..middle, lower, block),
            || scale(blocks, matrix, middle..rows.end, lower2, other),
        );
        return;
    }
    dispatch!(scale_rows(blocks: Blocks<'_>, matrix: &BlockMatrix, rows: Range<usize>, lower: &mut [F32x8], block: &mut [F64x4]));
}

#[inline(always)]
fn scale_rows(
    blocks: Blocks<'_>,
    matrix: &BlockMatrix,
    rows: Range<usize>,
    lower: &mut [F32x8],
    block: &mut [F64x4],
) {
    let Blocks { graph, h, changed } = blocks;
    let Factors { inverse, transposed, .. } = &matrix.factors;
    let mut targets = lower;
    for i in rows {
        let own = matrix.dissection.node[i];
        let size = matrix.rows[i].size as usize;
        let links = matrix.rows[i].links as usize..matrix.rows[i + 1].links as usize;
        for source in &matrix.sources[links] {
            let width = graph.nodes[source.node as usize].size.div_ceil(single::LANES as u32);
            let (target, rest) = targets.split_at_mut(size * width as usize);
            targets = rest;
            if !changed[own as usize] && !changed[source.node as usize] {
                continue;
            }
            // the block of the Hessian has the rows of the node of higher index
            let flip = own < source.node;
            let [high, low] = if flip { [source.node, own] } else { [own, source.node] };
            let [high, low] = [high, low].map(|node| graph.nodes[node as usize]);
            let range =
                |node: Node| node.diag as usize..(node.diag + node.size * node.stride) as usize;
            let (a, b) = (&inverse[range(high)], &transposed[range(low)]);
            let h = &h[source.adr as usize..][..(high.size * low.stride) as usize];
            if high.size == 6 && low.size == 6 {
                scale_six(a, h, b, flip, target);
            } else {
                scale_block(a, h, b, [high, low], block, flip, target);
            }
        }
    }
}

/// [`invert_factor`] for blocks of a compile-time size.
#[inline(always)]
fn invert_fixed<const SIZE: usize, const N: usize>(
    h: &[F64x4],
    inverse: &mut [F64x4],
    transposed: &mut [F64x4],
) -> bool {
    let mut c = [[0.0; SIZE]; SIZE];
    for (c, h) in c.iter_mut().zip(h.chunks_exact(N)) {
        c.copy_from_slice(&h.as_flattened()[..SIZE]);
    }
    let mut good = true;
    for i in 0..SIZE {
        // right-looking: the pivots are a chain of square roots and divisions
        let pivot = c[i][i];
        let bad = pivot.is_nan() || pivot < MINVAL;
        good &= !bad;
        let inverse = 1.0 / if bad { MINVAL } else { pivot }.sqrt();
        c[i][i] = inverse;
        for k in i + 1..SIZE {
            c[k][i] *= inverse;
        }
        for k in i + 1..SIZE {
            for j in i + 1..k + 1 {
                c[k][j] -= c[k][i] * c[j][i];
            }
        }
    }
    let mut rows = [[[0.0; LANES]; N]; SIZE];
    for i in 0..SIZE {
        let mut row = [[0.0; LANES]; N];
        row[i / LANES][i % LANES] = 1.0;
        for k in 0..i {
            for chunk in 0..N {
                row[chunk] = axpy4(row[chunk], rows[k][chunk], -c[i][k]);
            }
        }
        rows[i] = row.map(|row| row.map(|x| x * c[i][i]));
    }
    for (out, row) in inverse.chunks_exact_mut(N).zip(&rows) {
        out.copy_from_slice(row);
    }
    for (k, out) in transposed.chunks_exact_mut(N).enumerate().take(SIZE) {
        let mut row = [[0.0; LANES]; N];
        for i in k..SIZE {
            row[i / LANES][i % LANES] = rows[i][k / LANES][k % LANES];
        }
        out.copy_from_slice(&row);
    }
    good
}

/// [`scale_block`] for blocks of 6 × 6 entries.
#[inline(always)]
fn scale_six(own: &[F64x4], block: &[F64x4], other: &[F64x4], flip: bool, target: &mut [F32x8]) {
    let rows = |x: &[F64x4]| -> [[F64x4; 2]; 6] {
        *x.as_chunks::<2>().0.first_chunk().unwrap_or(&[[[0.0; LANES]; 2]; 6])
    };
    let (own, block, other) = (rows(own), rows(block), rows(other));
    let mut product = [[[0.0; LANES]; 2]; 6];
    for i in 0..6 {
        for k in 0..6 {
            for chunk in k / LANES..2 {
                let factor = block[i][k / LANES][k % LANES];
                product[i][chunk] = axpy4(product[i][chunk], other[k][chunk], factor);
            }
        }
    }
    let Some(target) = target.first_chunk_mut::<6>() else { return };
    let mut result = [F32x8::ZERO; 6];
    for i in 0..6 {
        let mut sum = [[0.0; LANES]; 2];
        for k in 0..i + 1 {
            for chunk in 0..2 {
                let factor = own[i][k / LANES][k % LANES];
                sum[chunk] = axpy4(sum[chunk], product[k][chunk], factor);
            }
        }
        for lane in 0..single::LANES {
            result[i].0[lane] = sum[lane / LANES][lane % LANES] as f32;
        }
    }
    *target = result;
    if flip {
        for i in 0..6 {
            for k in 0..6 {
                target[i].0[k] = result[k].0[i];
            }
        }
    }
}

/// Computes `C⁻¹` and `C⁻ᵀ` from the lower triangle of `C Cᵀ`, which is overwritten by `C`. Returns whether
/// all pivots were positive.
#[inline(always)]
fn invert_factor(
    factor: &mut [F64x4],
    inverse: &mut [F64x4],
    transposed: &mut [F64x4],
    size: usize,
    stride: usize,
) -> bool {
    let n = LANES * stride;
    inverse.fill([0.0; LANES]);
    transposed.fill([0.0; LANES]);
    let c = factor.as_flattened_mut();
    let mut good = true;
    for i in 0..size {
        let (above, row) = c.split_at_mut(i * n);
        for j in 0..i {
            let other = &above[j * n..j * n + j + 1];
            let mut sum = row[j];
            for k in 0..j {
                sum -= row[k] * other[k];
            }
            // the diagonal holds its inverse
            row[j] = sum * other[j];
        }
        let mut pivot = row[i];
        for k in 0..i {
            pivot -= row[k] * row[k];
        }
        let bad = pivot.is_nan() || pivot < MINVAL;
        good &= !bad;
        row[i] = 1.0 / if bad { MINVAL } else { pivot }.sqrt();
    }
    // row i of the inverse: (eᵢ − Σ C[i,k] row k) / C[i,i]
    for i in 0..size {
        let (above, row) = inverse.split_at_mut(i * stride);
        let row = &mut row[..stride];
        row.as_flattened_mut()[i] = 1.0;
        for (k, above) in above.chunks_exact(stride).enumerate() {
            let factor = c[i * n + k];
            for (row, above) in row.iter_mut().zip(above) {
                *row = axpy4(*row, *above, -factor);
            }
        }
        let diagonal = c[i * n + i];
        for (j, value) in row.as_flattened_mut().iter_mut().enumerate().take(i + 1) {
            *value *= diagonal;
            transposed.as_flattened_mut()[j * n + i] = *value;
        }
    }
    good
}

/// `target = A⁻¹ B C⁻ᵀ` or its transpose, with the inverse factor `A⁻¹` of the rows of `B` and the transposed inverse
/// factor `C⁻ᵀ` of its columns.
#[inline(always)]
fn scale_block(
    own: &[F64x4],
    block: &[F64x4],
    other: &[F64x4],
    [high, low]: [Node; 2],
    product: &mut [F64x4],
    flip: bool,
    target: &mut [F32x8],
) {
    let (stride, width) = (high.stride as usize, low.stride as usize);
    // product = B C⁻ᵀ
    for (out, row) in product.chunks_exact_mut(width).zip(block.chunks_exact(width)) {
        out.fill([0.0; LANES]);
        for (k, (&factor, other)) in
            row.as_flattened().iter().zip(other.chunks_exact(width)).enumerate()
        {
            for chunk in k / LANES..width {
                out[chunk] = axpy4(out[chunk], other[chunk], factor);
            }
        }
    }
    // target = A⁻¹ product
    target.fill(F32x8::ZERO);
    let columns = if flip { high.size } else { low.size };
    let target_width = columns.div_ceil(single::LANES as u32) as usize;
    for (i, own) in own.chunks_exact(stride).enumerate() {
        let factors = &own.as_flattened()[..i + 1];
        for chunk in 0..width {
            let mut sum = [0.0; LANES];
            for (&factor, row) in factors.iter().zip(product.chunks_exact(width)) {
                sum = axpy4(sum, row[chunk], factor);
            }
            for (k, sum) in (LANES * chunk..low.size as usize).zip(sum) {
                let [row, column] = if flip { [k, i] } else { [i, k] };
                let vector = &mut target[row * target_width + column / single::LANES];
                vector.0[column % single::LANES] = sum as f32;
            }
        }
    }
}
