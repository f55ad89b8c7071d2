//! Assembly of the Hessian in dense blocks, and its update after a change of row states.

use super::LANES;
use super::graph::{BlockGraph, Node};
use crate::hessian::Cones;
use crate::jacobian::RowBlock;
use crate::parallel::join;
use crate::problem::Problem;
use crate::vector::{F64x4, axpy4, heap_bytes};
use sim_simd::dispatch;
use sim_types::ConstraintState;
use std::ops::Range;

/// Number of nodes from which on the blocks of two halves of them are updated in parallel.
const MIN_PARALLEL: usize = 400;

/// The Hessian, and what it was assembled from.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    /// Blocks of the graph: the lower triangles of the diagonal blocks, then the blocks of the edges.
    pub h: Vec<F64x4>,
    /// Nodes whose blocks changed since they were last scaled.
    pub changed: Vec<bool>,
    /// State of each row in `h`: the weight of quadratic rows is `D`, that of others zero.
    state: Vec<ConstraintState>,
    /// Cone Hessian of each contact in `h`, zero outside the middle zone.
    cones: Vec<[f64; 36]>,
    /// A cone Hessian is not zero.
    has_cones: bool,
    changes: Changes,
    /// Temporary memory of two threads.
    scratch: [Scratch; 2],
}

/// Changes of weights and cone Hessians.
#[derive(Debug, Default)]
struct Changes {
    /// Row blocks with changed weights, and the index of the first of their rows in `rows`.
    blocks: Vec<(u32, u32)>,
    /// Rows with changed weights, and the change.
    rows: Vec<(u32, f64)>,
    /// Contacts with changed cone Hessians, their row blocks and the change.
    cones: Vec<(u32, u32, [f64; 36])>,
}

/// Temporary memory of one thread.
#[derive(Debug, Default)]
struct Scratch {
    /// Rows of a block of the Jacobian: for each node, its part of each row.
    left: Vec<F64x4>,
    /// The same rows multiplied by changes of weights or of cone Hessians.
    right: Vec<F64x4>,
    /// Indices of the rows.
    rows: Vec<usize>,
}

/// Input of the update of the blocks.
#[derive(Clone, Copy)]
struct Input<'a> {
    graph: &'a BlockGraph,
    problem: &'a Problem<'a>,
    row_blocks: &'a [RowBlock],
    changes: &'a Changes,
}

/// Blocks of some nodes, and of their edges to nodes of lower index.
struct Target<'a> {
    nodes: Range<u32>,
    /// Diagonal blocks from address `diag_adr` on.
    diag: &'a mut [F64x4],
    diag_adr: usize,
    /// Blocks of edges from address `edge_adr` on.
    edges: &'a mut [F64x4],
    edge_adr: usize,
    /// Whether each node changed.
    changed: &'a mut [bool],
}

impl Assembly {
    /// Heap memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        let Changes { blocks, rows, cones } = &self.changes;
        let scratch = |s: &Scratch| heap_bytes!(s.left, s.right, s.rows);
        heap_bytes!(self.h, self.changed, self.state, self.cones)
            + heap_bytes!(*blocks, *rows, *cones)
            + self.scratch.iter().map(scratch).sum::<usize>()
    }

    /// `h = M`: no row is active.
    pub(super) fn reset(&mut self, graph: &BlockGraph, problem: &Problem<'_>) {
        self.h.resize(graph.size as usize, [0.0; LANES]);
        let (one, two) = self.h.split_at_mut(graph.size as usize / 2);
        join(|| one.fill([0.0; LANES]), || two.fill([0.0; LANES]));
        self.state.clear();
        self.state.resize(problem.nefc(), ConstraintState::Satisfied);
        if self.has_cones {
            self.cones.fill([0.0; 36]);
            self.has_cones = false;
        }
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
        self.find_changed_rows(problem, row_blocks, state);
        self.changes.cones.clear();
        if cones.is_some() || self.has_cones {
            self.find_changed_cones(problem, row_blocks, state, cones);
            self.has_cones = cones.is_some();
        }
        let Self { h, changed, changes, scratch, .. } = self;
        let n = graph.len();
        let input = Input { graph, problem, row_blocks, changes };
        let (diag, edges) = h.split_at_mut(graph.nodes[n].diag as usize);
        let (diag_adr, edge_adr) = (0, diag.len());
        let all = Target { nodes: 0..n as u32, diag, diag_adr, edges, edge_adr, changed };
        let [one, two] = scratch;
        if n < MIN_PARALLEL {
            return update_blocks(input, all, one);
        }
        let (first, second) = all.split(graph);
        join(|| update_blocks(input, first, one), || update_blocks(input, second, two));
    }

    fn find_changed_rows(
        &mut self,
        problem: &Problem<'_>,
        row_blocks: &[RowBlock],
        state: &[ConstraintState],
    ) {
        let Changes { blocks, rows, .. } = &mut self.changes;
        blocks.clear();
        rows.clear();
        let quadratic = |s: ConstraintState| s == ConstraintState::Quadratic;
        for (index, block) in row_blocks.iter().enumerate() {
            let (new, old) = (&state[block.range()], &self.state[block.range()]);
            if new == old || block.len == 0 {
                continue;
            }
            let first = rows.len();
            for (k, (&new, &old)) in new.iter().zip(old).enumerate() {
                let (i, d) = (block.row + k, problem.rows.d[block.row + k]);
                match (quadratic(old), quadratic(new)) {
                    (false, true) => rows.push((i as u32, d)),
                    (true, false) => rows.push((i as u32, -d)),
                    _ => {}
                }
            }
            if rows.len() > first {
                blocks.push((index as u32, first as u32));
            }
        }
        self.state.copy_from_slice(state);
        blocks.push((0, rows.len() as u32));
    }

    fn find_changed_cones(
        &mut self,
        problem: &Problem<'_>,
        row_blocks: &[RowBlock],
        state: &[ConstraintState],
        new: Option<Cones<'_>>,
    ) {
        let mut index = 0;
        for (k, (contact, old)) in problem.contacts.iter().zip(&mut self.cones).enumerate() {
            let size = contact.dim * contact.dim;
            let new = new.filter(|_| state[contact.row] == ConstraintState::Cone);
            let new = new.map_or([0.0; 36], |new| new[k]);
            if new[..size] == old[..size] || problem.rows.rownnz[contact.row] == 0 {
                continue;
            }
            while row_blocks[index].range().end <= contact.row {
                index += 1;
            }
            let change = std::array::from_fn(|i| new[i] - old[i]);
            self.changes.cones.push((k as u32, index as u32, change));
            *old = new;
        }
    }
}

impl<'a> Target<'a> {
    /// Two halves of the nodes.
    fn split(self, graph: &BlockGraph) -> (Self, Self) {
        let Self { nodes, diag, diag_adr, edges, edge_adr, changed } = self;
        let middle = nodes.start.midpoint(nodes.end);
        let node = graph.nodes[middle as usize];
        let diag_middle = node.diag as usize;
        let edge = graph.edges.get(node.edges as usize).map(|edge| edge.adr as usize);
        let edge_middle = edge.unwrap_or(edge_adr + edges.len());
        let (diag, diag2) = diag.split_at_mut(diag_middle - diag_adr);
        let (edges, edges2) = edges.split_at_mut(edge_middle - edge_adr);
        let (changed, changed2) = changed.split_at_mut((middle - nodes.start) as usize);
        let second = Self {
            nodes: middle..nodes.end,
            diag: diag2,
            diag_adr: diag_middle,
            edges: edges2,
            edge_adr: edge_middle,
            changed: changed2,
        };
        (Self { nodes: nodes.start..middle, diag, diag_adr, edges, edge_adr, changed }, second)
    }

    /// Marks those of its nodes that a row block contains; returns whether there are any.
    #[inline(always)]
    fn mark(&mut self, nodes: &[u32]) -> bool {
        let mut any = false;
        for node in nodes {
            if self.nodes.contains(node) {
                self.changed[(node - self.nodes.start) as usize] = true;
                any = true;
            }
        }
        any
    }
}

/// Adds the changes to some blocks.
fn update_blocks(input: Input<'_>, mut target: Target<'_>, scratch: &mut Scratch) {
    let target = &mut target;
    {
        let (target, scratch) = (&mut *target, &mut *scratch);
        dispatch!(update_rows(input: Input<'_>, target: &mut Target<'_>, scratch: &mut Scratch));
    }
    dispatch!(update_cones(input: Input<'_>, target: &mut Target<'_>, scratch: &mut Scratch));
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
fn update_rows(input: Input<'_>, target: &mut Target<'_>, scratch: &mut Scratch) {
    let Input { graph, problem, row_blocks, changes } = input;
    let Scratch { left, right, rows } = scratch;
    for (&(index, first), next) in changes.blocks.iter().zip(&changes.blocks[1..]) {
        let nodes = graph.nodes_of_block(index as usize);
        if !target.mark(nodes) {
            continue;
        }
        let change = &changes.rows[first as usize..next.1 as usize];
        rows.clear();
        rows.extend(change.iter().map(|&(row, _)| row as usize));
        load_rows(graph, problem, nodes, row_blocks[index as usize].len, rows, left);
        right.clear();
        let mut k = 0;
        for &node in nodes {
            let stride = graph.nodes[node as usize].stride as usize;
            for &(_, d) in change {
                right.extend(left[k..k + stride].iter().map(|x| x.map(|x| d * x)));
                k += stride;
            }
        }
        add_products(graph, index as usize, rows.len(), left, right, target);
    }
}

#[inline(always)]
fn update_cones(input: Input<'_>, target: &mut Target<'_>, scratch: &mut Scratch) {
    let Input { graph, problem, row_blocks, changes } = input;
    let Scratch { left, right, rows } = scratch;
    for (contact, index, change) in &changes.cones {
        let contact = &problem.contacts[*contact as usize];
        let (dim, index) = (contact.dim, *index as usize);
        let nodes = graph.nodes_of_block(index);
        if !target.mark(nodes) {
            continue;
        }
        rows.clear();
        rows.extend(contact.row..contact.row + dim);
        load_rows(graph, problem, nodes, row_blocks[index].len, rows, left);
        right.clear();
        let mut start = 0;
        for &node in nodes {
            let stride = graph.nodes[node as usize].stride as usize;
            let own = &left[start..start + dim * stride];
            for change in change.chunks_exact(dim).take(dim) {
                for chunk in 0..stride {
                    let mut sum = [0.0; LANES];
                    for (row, &change) in own.chunks_exact(stride).zip(change) {
                        sum = axpy4(sum, row[chunk], change);
                    }
                    right.push(sum);
                }
            }
            start += dim * stride;
        }
        add_products(graph, index, dim, left, right, target);
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
                if let [a, b, c, d, e, f] = *values {
                    out.extend([[a, b, c, d], [e, f, 0.0, 0.0]]);
                    continue;
                }
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

/// Adds `Σ leftᵀ right` over `rows` rows, which is symmetric, to those blocks of a row block that are in `target`.
#[inline(always)]
fn add_products(
    graph: &BlockGraph,
    block: usize,
    rows: usize,
    left: &[F64x4],
    right: &[F64x4],
    target: &mut Target<'_>,
) {
    let nodes = graph.nodes_of_block(block);
    let mut edges = graph.edges_of_block(block);
    let mut left_start = 0;
    for (a, &node) in nodes.iter().enumerate() {
        let Node { size, stride, diag, .. } = graph.nodes[node as usize];
        let (size, stride) = (size as usize, stride as usize);
        let own = &left[left_start..left_start + rows * stride];
        left_start += rows * stride;
        let (own_edges, rest) = edges.split_at(a);
        edges = rest;
        if !target.nodes.contains(&node) {
            continue;
        }
        let mut right_start = 0;
        for (&other, &edge) in nodes[..a].iter().zip(own_edges) {
            let width = graph.nodes[other as usize].stride as usize;
            let columns = &right[right_start..right_start + rows * width];
            let adr = graph.edges[edge as usize].adr as usize - target.edge_adr;
            let block = &mut target.edges[adr..adr + size * width];
            add_outer::<false>(block, own, columns, size, width);
            right_start += rows * width;
        }
        let columns = &right[right_start..right_start + rows * stride];
        let adr = diag as usize - target.diag_adr;
        add_outer::<true>(&mut target.diag[adr..adr + size * stride], own, columns, size, stride);
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
