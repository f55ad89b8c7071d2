//! Assembly of the Hessian in dense blocks, and its update after a change of row states.

use super::LANES;
use super::graph::{BlockGraph, Node};
use crate::hessian::Cones;
use crate::jacobian::RowBlock;
use crate::problem::Problem;
use crate::vector::{F64x4, axpy4, heap_bytes};
use sim_simd::dispatch;
use sim_types::ConstraintState;

/// The Hessian, and what it was assembled from.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    /// Blocks of the graph: the lower triangles of the diagonal blocks, then the blocks of the edges.
    pub h: Vec<F64x4>,
    /// Nodes whose blocks changed since they were last scaled.
    pub changed: Vec<bool>,
    /// Weight of each row in `h`: `D` of quadratic rows, zero of others.
    weight: Vec<f64>,
    /// Cone Hessian of each contact in `h`, zero outside the middle zone.
    cones: Vec<[f64; 36]>,
    /// Rows of a block of the Jacobian: for each node, its part of each row.
    left: Vec<F64x4>,
    /// The same rows multiplied by changes of weights or of cone Hessians.
    right: Vec<F64x4>,
    /// Indices of the rows, and the changes of their weights.
    rows: Vec<usize>,
    change: Vec<f64>,
}

impl Assembly {
    /// Heap memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        heap_bytes!(
            self.h,
            self.changed,
            self.weight,
            self.cones,
            self.left,
            self.right,
            self.rows,
            self.change
        )
    }

    /// `h = M`: no row is active.
    pub(super) fn reset(&mut self, graph: &BlockGraph, problem: &Problem<'_>) {
        self.h.clear();
        self.h.resize(graph.size as usize, [0.0; LANES]);
        self.weight.clear();
        self.weight.resize(problem.nefc(), 0.0);
        self.cones.clear();
        self.cones.resize(problem.contacts.len(), [0.0; 36]);
        self.changed.clear();
        self.changed.resize(graph.len(), true);
        add_inertia(graph, problem, &mut self.h);
    }

    /// Changes `h` to `M + Jᵀ D J` over the quadratic rows plus `Jᵀ C J` over the contacts in the middle zone.
    pub(super) fn update(
        &mut self,
        graph: &BlockGraph,
        problem: &Problem<'_>,
        row_blocks: &[RowBlock],
        state: &[ConstraintState],
        cones: Option<Cones<'_>>,
    ) {
        let this = self;
        {
            let this = &mut *this;
            dispatch!(update_rows(this: &mut Assembly, graph: &BlockGraph, problem: &Problem<'_>, row_blocks: &[RowBlock], state: &[ConstraintState]));
        }
        dispatch!(update_cones(this: &mut Assembly, graph: &BlockGraph, problem: &Problem<'_>, row_blocks: &[RowBlock], state: &[ConstraintState], cones: Option<Cones<'_>>));
    }
}

fn add_inertia(graph: &BlockGraph, problem: &Problem<'_>, h: &mut [F64x4]) {
    let inertia = &problem.inertia;
    let flat = h.as_flattened_mut();
    for (i, &node) in graph.node_of.iter().enumerate() {
        let Node { adr, stride, diag, .. } = graph.nodes[node as usize];
        let local = |dof: usize| (graph.pos[dof] - LANES as u32 * adr) as usize;
        let row = LANES * (diag as usize + local(i) * stride as usize);
        let (start, nnz) = (inertia.rowadr[i] as usize, inertia.rownnz[i] as usize);
        let entries = start..start + nnz;
        for (&value, &c) in inertia.m[entries.clone()].iter().zip(&inertia.colind[entries]) {
            flat[row + local(c as usize)] = value;
        }
    }
}

#[inline(always)]
fn update_rows(
    this: &mut Assembly,
    graph: &BlockGraph,
    problem: &Problem<'_>,
    row_blocks: &[RowBlock],
    state: &[ConstraintState],
) {
    let Assembly { h, changed, weight, left, right, rows, change, .. } = this;
    for (index, block) in row_blocks.iter().enumerate() {
        rows.clear();
        change.clear();
        for i in block.range() {
            let quadratic = state[i] == ConstraintState::Quadratic;
            let new = if quadratic { problem.rows.d[i] } else { 0.0 };
            if new != weight[i] {
                rows.push(i);
                change.push(new - weight[i]);
                weight[i] = new;
            }
        }
        if rows.is_empty() || block.len == 0 {
            continue;
        }
        let nodes = graph.nodes_of_block(index);
        load_rows(graph, problem, nodes, block.len, rows, left);
        right.clear();
        let mut k = 0;
        for &node in nodes {
            changed[node as usize] = true;
            let stride = graph.nodes[node as usize].stride as usize;
            for &d in &*change {
                right.extend(left[k..k + stride].iter().map(|x| x.map(|x| d * x)));
                k += stride;
            }
        }
        add_products(graph, index, rows.len(), left, right, h);
    }
}

#[inline(always)]
fn update_cones(
    this: &mut Assembly,
    graph: &BlockGraph,
    problem: &Problem<'_>,
    row_blocks: &[RowBlock],
    state: &[ConstraintState],
    new: Option<Cones<'_>>,
) {
    let Assembly { h, changed, cones, left, right, rows, .. } = this;
    let mut index = 0;
    for (k, (contact, old)) in problem.contacts.iter().zip(cones).enumerate() {
        let dim = contact.dim;
        let new = new.filter(|_| state[contact.row] == ConstraintState::Cone);
        let new = new.map_or([0.0; 36], |new| new[k]);
        if new[..dim * dim] == old[..dim * dim] || problem.rows.rownnz[contact.row] == 0 {
            continue;
        }
        while row_blocks[index].range().end <= contact.row {
            index += 1;
        }
        rows.clear();
        rows.extend(contact.row..contact.row + dim);
        let nodes = graph.nodes_of_block(index);
        load_rows(graph, problem, nodes, row_blocks[index].len, rows, left);
        right.clear();
        let mut start = 0;
        for &node in nodes {
            changed[node as usize] = true;
            let stride = graph.nodes[node as usize].stride as usize;
            let own = &left[start..start + dim * stride];
            for (new, old) in new.chunks_exact(dim).zip(old.chunks_exact(dim)).take(dim) {
                for chunk in 0..stride {
                    let mut sum = [0.0; LANES];
                    for ((row, new), old) in own.chunks_exact(stride).zip(new).zip(old) {
                        sum = axpy4(sum, row[chunk], new - old);
                    }
                    right.push(sum);
                }
            }
            start += dim * stride;
        }
        *old = new;
        add_products(graph, index, dim, left, right, h);
    }
}

/// Copies rows of the Jacobian with the same `len` columns: for each node, its part of each row.
#[inline(always)]
fn load_rows(
    graph: &BlockGraph,
    problem: &Problem<'_>,
    nodes: &[u32],
    len: usize,
    rows: &[usize],
    out: &mut Vec<F64x4>,
) {
    let jacobian = &problem.rows;
    out.clear();
    let size = |&node: &u32| graph.nodes[node as usize].size as usize;
    if graph.is_contiguous && nodes.iter().map(size).sum::<usize>() == len {
        // the rows contain all dofs of the nodes, in order
        let mut start = 0;
        for node in nodes {
            let size = size(node);
            for &row in rows {
                let values = &jacobian.j[jacobian.rowadr[row] as usize + start..][..size];
                let (chunks, rest) = values.as_chunks::<LANES>();
                out.extend_from_slice(chunks);
                if !rest.is_empty() {
                    out.push(crate::vector::pad(rest));
                }
            }
            start += size;
        }
        return;
    }
    let strides = nodes.iter().map(|&node| graph.nodes[node as usize].stride as usize);
    out.resize(strides.sum::<usize>() * rows.len(), [0.0; LANES]);
    let flat = out.as_flattened_mut();
    for (k, &row) in rows.iter().enumerate() {
        let adr = jacobian.rowadr[row] as usize;
        let (cols, values) = (&jacobian.colind[adr..adr + len], &jacobian.j[adr..adr + len]);
        for (&c, &value) in cols.iter().zip(values) {
            let mut start = 0;
            for &node in nodes {
                let Node { adr, stride, .. } = graph.nodes[node as usize];
                if node == graph.node_of[c as usize] {
                    let local = (graph.pos[c as usize] - LANES as u32 * adr) as usize;
                    flat[LANES * (start + k * stride as usize) + local] = value;
                    break;
                }
                start += stride as usize * rows.len();
            }
        }
    }
}

/// Adds `Σ leftᵀ right` over `rows` rows, which is symmetric, to the blocks of a row block.
#[inline(always)]
fn add_products(
    graph: &BlockGraph,
    block: usize,
    rows: usize,
    left: &[F64x4],
    right: &[F64x4],
    h: &mut [F64x4],
) {
    let nodes = graph.nodes_of_block(block);
    let mut edges = graph.edges_of_block(block).iter();
    let mut left_start = 0;
    for (a, &node) in nodes.iter().enumerate() {
        let Node { size, stride, diag, .. } = graph.nodes[node as usize];
        let (size, stride) = (size as usize, stride as usize);
        let own = &left[left_start..left_start + rows * stride];
        let mut right_start = 0;
        for (&other, &edge) in nodes[..a].iter().zip(&mut edges) {
            let width = graph.nodes[other as usize].stride as usize;
            let columns = &right[right_start..right_start + rows * width];
            let adr = graph.edges[edge as usize].adr as usize;
            add_outer::<false>(&mut h[adr..adr + size * width], own, columns, size, width);
            right_start += rows * width;
        }
        let columns = &right[right_start..right_start + rows * stride];
        let diag = diag as usize;
        add_outer::<true>(&mut h[diag..diag + size * stride], own, columns, size, stride);
        left_start += rows * stride;
    }
}

/// Adds `Σ leftᵀ right` to a block of `size` rows of `width` vectors; with `LOWER` only the vectors up to
/// the diagonal.
#[inline(always)]
fn add_outer<const LOWER: bool>(
    target: &mut [F64x4],
    left: &[F64x4],
    right: &[F64x4],
    size: usize,
    width: usize,
) {
    match (size, width) {
        (6, 2) => add_outer_fixed::<LOWER, 6, 2>(target, left, right),
        (3, 1) => add_outer_fixed::<LOWER, 3, 1>(target, left, right),
        _ => {
            let stride = size.div_ceil(LANES);
            for (left, right) in left.chunks_exact(stride).zip(right.chunks_exact(width)) {
                let factors = left.as_flattened();
                for (i, target) in target.chunks_exact_mut(width).enumerate() {
                    let (factor, end) = (factors[i], if LOWER { i / LANES + 1 } else { width });
                    if factor != 0.0 {
                        for (target, right) in target[..end].iter_mut().zip(right) {
                            *target = axpy4(*target, *right, factor);
                        }
                    }
                }
            }
        }
    }
}

/// [`add_outer`] for blocks of a compile-time size, with the sums in registers.
#[inline(always)]
fn add_outer_fixed<const LOWER: bool, const ROWS: usize, const N: usize>(
    target: &mut [F64x4],
    left: &[F64x4],
    right: &[F64x4],
) {
    let Some(target) = target.as_chunks_mut::<N>().0.first_chunk_mut::<ROWS>() else { return };
    let mut sum = *target;
    for (left, right) in left.as_chunks::<N>().0.iter().zip(right.as_chunks::<N>().0) {
        for i in 0..ROWS {
            let factor = left[i / LANES][i % LANES];
            let end = if LOWER { i / LANES + 1 } else { N };
            for chunk in 0..end {
                sum[i][chunk] = axpy4(sum[i][chunk], right[chunk], factor);
            }
        }
    }
    *target = sum;
}
