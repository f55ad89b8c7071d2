//! The Hessian scaled with the Cholesky factors of its diagonal blocks.

use super::LANES;
use super::graph::{BlockGraph, Node, PACKED_SIX};
use crate::vector::{F64x4, axpy4, heap_bytes};
use sim_simd::dispatch;
use sim_types::MINVAL;

/// `C⁻¹ H C⁻ᵀ = I + L + Lᵀ` with the Cholesky factor `C` of the block diagonal of `H`.
#[derive(Debug, Default)]
pub(super) struct BlockMatrix {
    /// Blocks of `L`.
    pub lower: Vec<F64x4>,
    /// Blocks of `C⁻¹`, lower triangular.
    inverse: Vec<F64x4>,
    /// Blocks of `C⁻ᵀ`, upper triangular.
    transposed: Vec<F64x4>,
    /// Cholesky factor of one block.
    factor: Vec<F64x4>,
    /// Product of one block.
    product: Vec<F64x4>,
}

impl BlockMatrix {
    /// Heap memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        heap_bytes!(self.lower, self.inverse, self.transposed, self.factor, self.product)
    }

    /// Scales the blocks of the changed nodes and of their edges, and clears `changed`. Returns whether all
    /// pivots were positive.
    pub(super) fn scale(&mut self, graph: &BlockGraph, h: &[F64x4], changed: &mut [bool]) -> bool {
        let this = self;
        dispatch!(scale(this: &mut BlockMatrix, graph: &BlockGraph, h: &[F64x4], changed: &mut [bool]) -> bool)
    }

    /// `out = C⁻¹ x`.
    #[inline(always)]
    pub(super) fn apply_inverse_factor(&self, graph: &BlockGraph, x: &[F64x4], out: &mut [F64x4]) {
        apply(graph, &self.transposed, x, out);
    }

    /// `out = C⁻ᵀ x`.
    #[inline(always)]
    pub(super) fn apply_inverse_factor_transposed(
        &self,
        graph: &BlockGraph,
        x: &[F64x4],
        out: &mut [F64x4],
    ) {
        apply(graph, &self.inverse, x, out);
    }
}

/// `out = Bᵀ x` with block-diagonal `B`.
#[inline(always)]
fn apply(graph: &BlockGraph, blocks: &[F64x4], x: &[F64x4], out: &mut [F64x4]) {
    for node in &graph.nodes[..graph.nodes.len() - 1] {
        let Node { adr, size, stride, diag, .. } = *node;
        let (adr, stride) = (adr as usize, stride as usize);
        let rows = blocks[diag as usize..].chunks_exact(stride).take(size as usize);
        let (x, out) = (&x[adr..adr + stride], &mut out[adr..adr + stride]);
        out.fill([0.0; LANES]);
        for (row, &x) in rows.zip(x.as_flattened()) {
            for (out, row) in out.iter_mut().zip(row) {
                *out = axpy4(*out, *row, x);
            }
        }
    }
}

#[inline(always)]
fn scale(this: &mut BlockMatrix, graph: &BlockGraph, h: &[F64x4], changed: &mut [bool]) -> bool {
    let BlockMatrix { lower, inverse, transposed, factor, product } = this;
    let n = graph.len();
    lower.resize(graph.scaled_size as usize, [0.0; LANES]);
    inverse.resize(graph.nodes[n].diag as usize, [0.0; LANES]);
    transposed.resize(graph.nodes[n].diag as usize, [0.0; LANES]);
    let mut good = true;
    for i in 0..n {
        let Node { size, stride, diag, .. } = graph.nodes[i];
        let (size, stride, diag) = (size as usize, stride as usize, diag as usize);
        if changed[i] {
            let range = diag..diag + size * stride;
            let (inverse, transposed) =
                (&mut inverse[range.clone()], &mut transposed[range.clone()]);
            good &= if size == 6 {
                invert_fixed::<6, 2>(&h[range], inverse, transposed)
            } else {
                factor.clear();
                factor.extend_from_slice(&h[range]);
                invert_factor(factor, inverse, transposed, size, stride)
            };
        }
        for edge in graph.edges_of(i) {
            if !changed[i] && !changed[edge.col as usize] {
                continue;
            }
            let Node { size: columns, stride: width, diag: other, .. } =
                graph.nodes[edge.col as usize];
            let (columns, width, other) = (columns as usize, width as usize, other as usize);
            let adr = edge.adr as usize;
            let own = &inverse[diag..diag + size * stride];
            let other = &transposed[other..other + columns * width];
            let (block, target) = (&h[adr..adr + size * width], &mut lower[edge.scaled as usize..]);
            if size == 6 && columns == 6 {
                scale_six(own, block, other, target);
            } else {
                product.resize(size * width, [0.0; LANES]);
                scale_block(own, block, other, product, &mut target[..size * width], stride, width);
            }
        }
    }
    changed.fill(false);
    good
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

/// [`scale_block`] for blocks of 6 × 6 entries; the result is packed.
#[inline(always)]
fn scale_six(own: &[F64x4], block: &[F64x4], other: &[F64x4], target: &mut [F64x4]) {
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
    let Some(target) = target.first_chunk_mut::<PACKED_SIX>() else { return };
    let mut last = [[0.0; LANES]; 6];
    for i in 0..6 {
        let mut sum = [[0.0; LANES]; 2];
        for k in 0..i + 1 {
            for chunk in 0..2 {
                let factor = own[i][k / LANES][k % LANES];
                sum[chunk] = axpy4(sum[chunk], product[k][chunk], factor);
            }
        }
        [target[i], last[i]] = sum;
    }
    for k in 0..3 {
        let [a, b] = [last[2 * k], last[2 * k + 1]];
        target[6 + k] = [a[0], a[1], b[0], b[1]];
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

/// `target = A⁻¹ B C⁻ᵀ` with the inverse factor `A⁻¹` of the rows and the transposed inverse factor `C⁻ᵀ` of the
/// columns.
#[inline(always)]
fn scale_block(
    own: &[F64x4],
    block: &[F64x4],
    other: &[F64x4],
    product: &mut [F64x4],
    target: &mut [F64x4],
    stride: usize,
    width: usize,
) {
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
    for (i, (out, own)) in target.chunks_exact_mut(width).zip(own.chunks_exact(stride)).enumerate()
    {
        out.fill([0.0; LANES]);
        for (&factor, row) in own.as_flattened()[..i + 1].iter().zip(product.chunks_exact(width)) {
            for (out, row) in out.iter_mut().zip(row) {
                *out = axpy4(*out, *row, factor);
            }
        }
    }
}
