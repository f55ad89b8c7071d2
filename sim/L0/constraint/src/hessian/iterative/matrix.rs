//! The Hessian scaled with the Cholesky factors of its diagonal blocks, in single precision.

use super::LANES;
use super::dissection::{Dissection, Part};
use super::graph::{BlockGraph, Node};
use super::scaling::{Blocks, Factors, MAX_SERIAL, invert, scale};
use super::single::{self, F32x8};
use crate::parallel::join;
use crate::vector::{F64x4, axpy4, heap_bytes};
use sim_simd::dispatch;
use std::ops::Range;

/// A node at its position in the order of elimination.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Row {
    /// Address of its part of a vector, in SIMD vectors.
    pub adr: u32,
    /// Number of dofs.
    pub size: u32,
    /// Number of SIMD vectors of its part of a vector.
    pub stride: u32,
    /// Index of its first link.
    pub links: u32,
    /// Address of its first block.
    pub values: u32,
}

/// Coupling to a node at a lower position.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Link {
    /// Address of the part of a vector of that node.
    pub adr: u32,
    /// Number of SIMD vectors of that part.
    pub stride: u32,
}

/// Block of the Hessian of a link.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Source {
    /// The node at the lower position.
    pub node: u32,
    /// Address of the block.
    pub adr: u32,
}

/// `C⁻¹ H C⁻ᵀ = I + L + Lᵀ` with the Cholesky factor `C` of the block diagonal of `H`, in the order of elimination.
#[derive(Debug, Default)]
pub(super) struct BlockMatrix {
    pub dissection: Dissection,
    /// Rows in the order of elimination, and one past the last.
    pub rows: Vec<Row>,
    links: Vec<Link>,
    pub sources: Vec<Source>,
    /// The part of each node of a vector is one SIMD vector.
    pub is_narrow: bool,
    /// Blocks of `L`, by row.
    lower: Vec<F32x8>,
    pub factors: Factors,
}

impl BlockMatrix {
    /// Heap memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        let Factors { inverse, transposed, block } = &self.factors;
        heap_bytes!(*inverse, *transposed, *block)
            + heap_bytes!(self.rows, self.links, self.sources, self.lower)
            + self.dissection.bytes()
    }

    /// Parts of the order of elimination.
    #[inline(always)]
    pub(super) fn parts(&self) -> &[Part] {
        &self.dissection.parts
    }

    /// Links of a row, and their blocks one after another.
    #[inline(always)]
    pub(super) fn row(&self, i: usize) -> (&[Link], &[F32x8]) {
        let (row, next) = (self.rows[i], self.rows[i + 1]);
        let links = &self.links[row.links as usize..next.links as usize];
        (links, &self.lower[row.values as usize..next.values as usize])
    }

    /// Number of SIMD vectors of a vector.
    pub(super) fn vectors(&self) -> usize {
        self.rows.last().map_or(0, |end| end.adr as usize)
    }

    /// Finds the order of elimination, and the links.
    pub(super) fn analyze(&mut self, graph: &BlockGraph) {
        let Self { dissection, rows, links, sources, is_narrow, .. } = self;
        dissection.compute(graph);
        let n = graph.len();
        rows.clear();
        rows.resize(n + 1, Row::default());
        let pairs =
            || (0..n).flat_map(|i| graph.edges_of(i).iter().map(move |e| (i, e.col as usize, e)));
        let position = |node: usize| dissection.position[node] as usize;
        for (a, b, _) in pairs() {
            let [high, low] = if position(a) > position(b) { [a, b] } else { [b, a] };
            let row = &mut rows[position(high)];
            row.links += 1;
            row.values += graph.nodes[high].size * single_stride(graph.nodes[low].size);
        }
        let mut end = Row::default();
        for (row, &node) in rows.iter_mut().zip(&dissection.node) {
            let size = graph.nodes[node as usize].size;
            let next = Row {
                adr: end.adr + single_stride(size),
                links: end.links + row.links,
                values: end.values + row.values,
                ..end
            };
            *row = Row { size, stride: single_stride(size), ..end };
            end = next;
        }
        rows[n] = end;
        links.clear();
        links.resize(end.links as usize, Link::default());
        sources.clear();
        sources.resize(end.links as usize, Source::default());
        for (a, b, edge) in pairs() {
            let [high, low] = if position(a) > position(b) { [a, b] } else { [b, a] };
            let Row { adr, stride, .. } = rows[position(low)];
            let next = &mut rows[position(high)].links;
            links[*next as usize] = Link { adr, stride };
            sources[*next as usize] = Source { node: low as u32, adr: edge.adr };
            *next += 1;
        }
        // each index is now that of the next row
        for i in (1..n).rev() {
            rows[i].links = rows[i - 1].links;
        }
        if let Some(first) = rows.first_mut() {
            first.links = 0;
        }
        *is_narrow = rows[..n].iter().all(|row| row.stride == 1);
    }

    /// Scales the blocks of the changed nodes and of their edges, and clears `changed`. Returns whether all
    /// pivots were positive.
    pub(super) fn scale(&mut self, graph: &BlockGraph, h: &[F64x4], changed: &mut [bool]) -> bool {
        let n = graph.len();
        let mut lower = std::mem::take(&mut self.lower);
        let Factors { inverse, transposed, block } = &mut self.factors;
        lower.resize(self.rows[n].values as usize, F32x8::ZERO);
        inverse.resize(graph.nodes[n].diag as usize, [0.0; LANES]);
        transposed.resize(graph.nodes[n].diag as usize, [0.0; LANES]);
        let largest = graph.nodes[..n].iter().map(|node| node.size * node.stride).max();
        block.resize(largest.unwrap_or(0) as usize, [0.0; LANES]);
        let blocks = Blocks { graph, h, changed };
        let good = invert(blocks, 0..n, inverse, transposed, block);
        let mut block = std::mem::take(block);
        scale(blocks, self, 0..n, &mut lower, &mut block);
        self.factors.block = block;
        self.lower = lower;
        changed.fill(false);
        good
    }

    /// `out = factor C⁻¹ x`, from the order of the blocks of the Hessian to that of elimination, for some positions.
    pub(super) fn apply_inverse_factor(
        &self,
        graph: &BlockGraph,
        positions: Range<usize>,
        x: &[F64x4],
        factor: f64,
        out: &mut [F32x8],
    ) {
        if positions.len() > MAX_SERIAL {
            let middle = positions.start.midpoint(positions.end);
            let adr = |position: usize| self.rows[position].adr;
            let (one, two) = out.split_at_mut((adr(middle) - adr(positions.start)) as usize);
            join(
                || self.apply_inverse_factor(graph, positions.start..middle, x, factor, one),
                || self.apply_inverse_factor(graph, middle..positions.end, x, factor, two),
            );
            return;
        }
        let this = self;
        dispatch!(apply_inverse_factor(this: &BlockMatrix, graph: &BlockGraph, positions: Range<usize>, x: &[F64x4], factor: f64, out: &mut [F32x8]));
    }

    /// `out = factor C⁻ᵀ x`, from the order of elimination to that of the blocks of the Hessian, for some nodes.
    pub(super) fn apply_inverse_factor_transposed(
        &self,
        graph: &BlockGraph,
        nodes: Range<usize>,
        x: &[F32x8],
        factor: f64,
        out: &mut [F64x4],
    ) {
        if nodes.len() > MAX_SERIAL {
            let middle = nodes.start.midpoint(nodes.end);
            let adr = |node: usize| graph.nodes[node].adr;
            let (one, two) = out.split_at_mut((adr(middle) - adr(nodes.start)) as usize);
            let apply = Self::apply_inverse_factor_transposed;
            join(
                || apply(self, graph, nodes.start..middle, x, factor, one),
                || apply(self, graph, middle..nodes.end, x, factor, two),
            );
            return;
        }
        let this = self;
        dispatch!(apply_inverse_factor_transposed(this: &BlockMatrix, graph: &BlockGraph, nodes: Range<usize>, x: &[F32x8], factor: f64, out: &mut [F64x4]));
    }
}

/// Number of SIMD vectors in single precision.
fn single_stride(size: u32) -> u32 {
    size.div_ceil(single::LANES as u32)
}

#[inline(always)]
fn apply_inverse_factor(
    this: &BlockMatrix,
    graph: &BlockGraph,
    positions: Range<usize>,
    x: &[F64x4],
    factor: f64,
    out: &mut [F32x8],
) {
    let base = this.rows[positions.start].adr;
    for position in positions {
        let (row, node) = (this.rows[position], this.dissection.node[position]);
        let Node { adr, size, stride, diag, .. } = graph.nodes[node as usize];
        let (adr, size, stride) = (adr as usize, size as usize, stride as usize);
        let columns = this.factors.transposed[diag as usize..].chunks_exact(stride).take(size);
        let x = x[adr..adr + stride].as_flattened();
        let out = &mut out[(row.adr - base) as usize..][..row.stride as usize];
        for (chunk, out) in out.iter_mut().enumerate() {
            let mut sum = [[0.0; LANES]; 2];
            for (column, &x) in columns.clone().zip(x) {
                for (sum, column) in sum.iter_mut().zip(&column[2 * chunk..]) {
                    *sum = axpy4(*sum, *column, x);
                }
            }
            for (out, sum) in out.0.iter_mut().zip(sum.as_flattened()) {
                *out = (factor * sum) as f32;
            }
        }
    }
}

#[inline(always)]
fn apply_inverse_factor_transposed(
    this: &BlockMatrix,
    graph: &BlockGraph,
    nodes: Range<usize>,
    x: &[F32x8],
    factor: f64,
    out: &mut [F64x4],
) {
    let base = graph.nodes[nodes.start].adr;
    for node in nodes {
        let row = this.rows[this.dissection.position[node] as usize];
        let Node { adr, size, stride, diag, .. } = graph.nodes[node];
        let (adr, size, stride) = ((adr - base) as usize, size as usize, stride as usize);
        let columns = this.factors.inverse[diag as usize..].chunks_exact(stride).take(size);
        let x = &x[row.adr as usize..][..row.stride as usize];
        let out = &mut out[adr..adr + stride];
        out.fill([0.0; LANES]);
        for (k, column) in columns.enumerate() {
            let x = factor * f64::from(x[k / single::LANES].0[k % single::LANES]);
            for (out, column) in out.iter_mut().zip(column) {
                *out = axpy4(*out, *column, x);
            }
        }
    }
}
