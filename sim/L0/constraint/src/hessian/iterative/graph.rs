//! Block structure of the Hessian: dofs grouped into nodes, and the pairs of nodes that are coupled by
//! constraint rows.

use super::LANES;
use crate::jacobian::RowBlock;
use crate::problem::{Inertia, Problem};
use crate::vector::{F64x4, heap_bytes};

const NONE: u32 = u32::MAX;

/// Maximum number of dofs of a node that the inertia matrix does not couple: those of a free body.
const MAX_UNCOUPLED: u32 = 6;

/// A kinematic tree, or consecutive dofs that occur in the same constraint rows.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Node {
    /// Address of its part of a vector, in SIMD vectors.
    pub adr: u32,
    /// Number of dofs.
    pub size: u32,
    /// Number of SIMD vectors of its part of a vector.
    pub stride: u32,
    /// Address of its diagonal block.
    pub diag: u32,
    /// Index of its first edge to a node of lower index.
    pub edges: u32,
}

/// Coupling of a node to one of lower index. The block has the rows of the first and the columns of the second.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Edge {
    /// The node of lower index.
    pub col: u32,
    /// Address of the block.
    pub adr: u32,
}

/// Nodes and edges, and those of each row block.
#[derive(Debug, Default)]
pub(super) struct BlockGraph {
    /// Nodes, and one past the last.
    pub(super) nodes: Vec<Node>,
    /// Edges sorted by node and lower node.
    pub(super) edges: Vec<Edge>,
    /// Node of each dof.
    pub(super) node_of: Vec<u32>,
    /// Index of each dof in a vector.
    pub(super) pos: Vec<u32>,
    /// The dofs of each node are consecutive.
    pub(super) is_contiguous: bool,
    /// Size of all blocks in SIMD vectors.
    pub(super) size: u32,
    /// First element of `block_nodes` and `block_edges` of each row block, and the end.
    pub(super) block_adr: Vec<(u32, u32)>,
    /// Nodes of each row block, increasing.
    pub(super) block_nodes: Vec<u32>,
    /// Edge of each pair of nodes of each row block: (1,0), (2,0), (2,1), …
    pub(super) block_edges: Vec<u32>,
    /// Couplings `(node, lower node)` of all row blocks, in the order of `block_edges`.
    pairs: Vec<(u32, u32)>,
    /// Permutations of the pairs: by lower node, and by node and lower node.
    by_col: Vec<u32>,
    by_row: Vec<u32>,
    count: Vec<u32>,
    /// Whether the inertia matrix couples a dof to another one.
    is_coupled: Vec<bool>,
    /// Whether the set of rows changes before a dof.
    is_boundary: Vec<bool>,
}

impl BlockGraph {
    /// Heap memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        heap_bytes!(
            self.nodes,
            self.edges,
            self.node_of,
            self.pos,
            self.block_adr,
            self.block_nodes,
            self.block_edges,
            self.pairs,
            self.by_col,
            self.by_row,
            self.count,
            self.is_coupled,
            self.is_boundary
        )
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Number of SIMD vectors of a vector.
    pub(super) fn vectors(&self) -> usize {
        self.nodes.last().map_or(0, |end| end.adr as usize)
    }

    /// Nodes of a row block.
    #[inline(always)]
    pub(super) fn nodes_of_block(&self, block: usize) -> &[u32] {
        let (start, end) = (self.block_adr[block].0, self.block_adr[block + 1].0);
        &self.block_nodes[start as usize..end as usize]
    }

    /// Edges of a row block.
    #[inline(always)]
    pub(super) fn edges_of_block(&self, block: usize) -> &[u32] {
        let (start, end) = (self.block_adr[block].1, self.block_adr[block + 1].1);
        &self.block_edges[start as usize..end as usize]
    }

    /// Edges of a node to nodes of lower index.
    #[inline(always)]
    pub(super) fn edges_of(&self, node: usize) -> &[Edge] {
        let (start, end) = (self.nodes[node].edges, self.nodes[node + 1].edges);
        &self.edges[start as usize..end as usize]
    }

    /// Copies a vector into the order of the blocks.
    pub(super) fn scatter(&self, from: &[f64], to: &mut [F64x4]) {
        if !self.is_contiguous {
            for (&pos, &value) in self.pos.iter().zip(from) {
                to.as_flattened_mut()[pos as usize] = value;
            }
            return;
        }
        let mut from = from;
        for node in &self.nodes[..self.len()] {
            let (own, rest) = from.split_at(node.size as usize);
            let to = &mut to[node.adr as usize..][..node.stride as usize];
            match (own, &mut *to) {
                (&[a, b, c, d, e, f], [one, two]) => {
                    (*one, *two) = ([a, b, c, d], [e, f, 0.0, 0.0]);
                }
                _ => to.as_flattened_mut()[..own.len()].copy_from_slice(own),
            }
            from = rest;
        }
    }

    /// Copies a vector from the order of the blocks.
    pub(super) fn gather(&self, from: &[F64x4], to: &mut [f64]) {
        if !self.is_contiguous {
            for (&pos, value) in self.pos.iter().zip(to) {
                *value = from.as_flattened()[pos as usize];
            }
            return;
        }
        let mut to = to;
        for node in &self.nodes[..self.len()] {
            let (own, rest) = to.split_at_mut(node.size as usize);
            match (&mut *own, &from[node.adr as usize..][..node.stride as usize]) {
                ([a, b, c, d, e, f], [one, two]) => {
                    ([*a, *b, *c, *d], [*e, *f, ..]) = (*one, *two);
                }
                (own, from) => own.copy_from_slice(&from.as_flattened()[..own.len()]),
            }
            to = rest;
        }
    }

    /// Finds nodes and edges.
    pub(super) fn build(&mut self, problem: &Problem<'_>, row_blocks: &[RowBlock]) {
        self.find_boundaries(problem, row_blocks);
        self.find_nodes(&problem.inertia);
        self.collect_pairs(problem, row_blocks);
        self.sort_pairs();
        self.merge_pairs();
    }

    fn find_boundaries(&mut self, problem: &Problem<'_>, row_blocks: &[RowBlock]) {
        let (n, inertia) = (problem.nv(), &problem.inertia);
        let Self { is_boundary, is_coupled, .. } = self;
        is_boundary.clear();
        is_boundary.resize(n + 1, false);
        for block in row_blocks {
            let mut next = n;
            for &c in block.cols(problem) {
                if c as usize != next {
                    is_boundary[next] = true;
                    is_boundary[c as usize] = true;
                }
                next = c as usize + 1;
            }
            is_boundary[next] = true;
        }
        is_coupled.clear();
        is_coupled.resize(n, false);
        for i in 0..n {
            if inertia.rownnz[i] > 1 {
                is_coupled[i] = true;
                is_coupled[inertia.colind[inertia.rowadr[i] as usize] as usize] = true;
            }
        }
    }

    fn find_nodes(&mut self, inertia: &Inertia<'_>) {
        let Self { nodes, node_of, pos, is_coupled, is_boundary, .. } = self;
        nodes.clear();
        node_of.clear();
        for i in 0..inertia.rownnz.len() {
            let root = inertia.colind[inertia.rowadr[i] as usize] as usize;
            let node = if root < i {
                node_of[root]
            } else {
                let joins = !is_boundary[i]
                    && !is_coupled[i]
                    && i > 0
                    && !is_coupled[i - 1]
                    && nodes.last().is_some_and(|last| last.size < MAX_UNCOUPLED);
                if !joins {
                    nodes.push(Node::default());
                }
                nodes.len() as u32 - 1
            };
            node_of.push(node);
            nodes[node as usize].size += 1;
        }
        let (mut adr, mut diag) = (0, 0);
        for node in &mut *nodes {
            node.stride = node.size.div_ceil(LANES as u32);
            (node.adr, node.diag) = (adr, diag);
            adr += node.stride;
            diag += node.size * node.stride;
            // reused as the number of dofs that have a position
            node.edges = 0;
        }
        pos.clear();
        for &node in &*node_of {
            let node = &mut nodes[node as usize];
            pos.push(LANES as u32 * node.adr + node.edges);
            node.edges += 1;
        }
        nodes.push(Node { adr, diag, ..Node::default() });
        self.size = diag;
        self.is_contiguous = self.node_of.is_sorted();
    }

    /// Collects the nodes and the pairs of nodes of each row block.
    fn collect_pairs(&mut self, problem: &Problem<'_>, row_blocks: &[RowBlock]) {
        let Self { node_of, block_adr, block_nodes, pairs, .. } = self;
        block_adr.clear();
        block_nodes.clear();
        pairs.clear();
        for block in row_blocks {
            let start = block_nodes.len();
            block_adr.push((start as u32, pairs.len() as u32));
            let mut last = NONE;
            for &c in block.cols(problem) {
                let node = node_of[c as usize];
                if node != last {
                    block_nodes.push(node);
                    last = node;
                }
            }
            let increases = block_nodes[start..].windows(2).all(|pair| pair[0] < pair[1]);
            if !increases {
                // the dofs of several trees alternate
                block_nodes[start..].sort_unstable();
                let mut end = start + 1;
                for k in start + 1..block_nodes.len() {
                    if block_nodes[k] != block_nodes[end - 1] {
                        block_nodes[end] = block_nodes[k];
                        end += 1;
                    }
                }
                block_nodes.truncate(end);
            }
            for a in start + 1..block_nodes.len() {
                for b in start..a {
                    pairs.push((block_nodes[a], block_nodes[b]));
                }
            }
        }
        block_adr.push((block_nodes.len() as u32, pairs.len() as u32));
    }

    /// Sorts the pairs by node and lower node: two stable counting sorts.
    fn sort_pairs(&mut self) {
        let Self { nodes, pairs, by_col, by_row, count, .. } = self;
        let n = nodes.len() - 1;
        by_row.clear();
        by_row.extend(0..pairs.len() as u32);
        by_col.clear();
        by_col.resize(pairs.len(), 0);
        counting_sort(n, by_row, by_col, count, |k| pairs[k as usize].1);
        counting_sort(n, by_col, by_row, count, |k| pairs[k as usize].0);
    }

    /// Creates one edge for equal pairs.
    fn merge_pairs(&mut self) {
        let Self { nodes, edges, pairs, by_row, block_edges, size, .. } = self;
        edges.clear();
        block_edges.clear();
        block_edges.resize(pairs.len(), 0);
        let mut last = (NONE, NONE);
        let mut next = 0;
        for &k in &*by_row {
            let pair = pairs[k as usize];
            if pair != last {
                while next <= pair.0 as usize {
                    nodes[next].edges = edges.len() as u32;
                    next += 1;
                }
                edges.push(Edge { col: pair.1, adr: *size });
                let [row, col] = [pair.0, pair.1].map(|node| nodes[node as usize]);
                *size += row.size * col.stride;
                last = pair;
            }
            block_edges[k as usize] = edges.len() as u32 - 1;
        }
        for node in &mut nodes[next..] {
            node.edges = edges.len() as u32;
        }
    }
}

/// Stable counting sort of indices by a key below `n`.
fn counting_sort(
    n: usize,
    from: &[u32],
    to: &mut [u32],
    count: &mut Vec<u32>,
    key: impl Fn(u32) -> u32,
) {
    count.clear();
    count.resize(n + 1, 0);
    for &k in from {
        count[key(k) as usize + 1] += 1;
    }
    for i in 1..count.len() {
        count[i] += count[i - 1];
    }
    for &k in from {
        let position = &mut count[key(k) as usize];
        to[*position as usize] = k;
        *position += 1;
    }
}
