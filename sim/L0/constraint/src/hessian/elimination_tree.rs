//! Elimination tree of the Hessian (Liu's algorithm with path compression).
//!
//! Dofs are eliminated from the last to the first, so that a parent has a smaller index than its
//! children. The tree equals the kinematic tree while every constraint acts on a single chain; a
//! constraint between two branches makes one branch a descendant of the other.

use crate::jacobian::RowBlock;
use crate::problem::Problem;
use crate::vector::heap_bytes;

const NONE: u32 = u32::MAX;

/// Elimination tree and the path from each dof to its root.
#[derive(Debug, Default)]
pub(super) struct EliminationTree {
    parent: Vec<u32>,
    /// Number of ancestors of each dof.
    pub depth: Vec<u32>,
    /// Address of the ancestors of each dof in `path`.
    pub pathadr: Vec<u32>,
    /// Ancestors of all dofs, each path from the root down.
    pub path: Vec<u32>,
    /// For each dof, the length of the common prefix of its root path and that of the previous dof
    /// (which counts as part of its own path).
    pub shared_prefix: Vec<u32>,
    /// Compressed ancestor links of Liu's algorithm.
    ancestor: Vec<u32>,
    /// Graph edges `(low, high)` that determine the tree, of this call and of the previous one.
    edges: Vec<(u32, u32)>,
    edges_old: Vec<(u32, u32)>,
    /// Linked lists of the edges of each lower dof.
    first: Vec<u32>,
    next: Vec<u32>,
    cost: u64,
}

impl EliminationTree {
    /// Heap memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        heap_bytes!(
            self.parent,
            self.depth,
            self.pathadr,
            self.path,
            self.shared_prefix,
            self.ancestor,
            self.edges,
            self.edges_old,
            self.first,
            self.next
        )
    }

    /// Computes the tree. Returns whether the edges changed since the previous call.
    pub(super) fn compute(&mut self, problem: &Problem<'_>, row_blocks: &[RowBlock]) -> bool {
        let n = problem.nv();
        self.collect_edges(problem, row_blocks);
        // the edges rarely change between steps
        if n == self.parent.len() && self.edges == self.edges_old {
            return false;
        }
        self.edges_old.clone_from(&self.edges);
        for v in [&mut self.parent, &mut self.ancestor, &mut self.first] {
            v.clear();
            v.resize(n, NONE);
        }
        self.next.clear();
        for (index, &(low, _)) in self.edges.iter().enumerate() {
            self.next.push(std::mem::replace(&mut self.first[low as usize], index as u32));
        }
        for i in (0..n).rev() {
            let mut edge = self.first[i];
            while edge != NONE {
                self.link_root(self.edges[edge as usize].1, i as u32);
                edge = self.next[edge as usize];
            }
        }
        self.depth.resize(n, 0);
        self.cost = 0;
        for i in 0..n {
            let parent = self.parent[i];
            self.depth[i] = if parent == NONE { 0 } else { self.depth[parent as usize] + 1 };
            let depth = u64::from(self.depth[i]);
            self.cost += 10 + 2 * depth + depth * depth / 8;
        }
        true
    }

    /// Estimated cost, in floating-point operations, of a factorisation in which each row holds all
    /// ancestors of its dof.
    pub(super) fn cost(&self) -> u64 {
        self.cost
    }

    /// Collects the edges. A clique has the same elimination tree as the path through its members,
    /// so that edges between consecutive columns suffice.
    fn collect_edges(&mut self, problem: &Problem<'_>, row_blocks: &[RowBlock]) {
        let inertia = &problem.inertia;
        self.edges.clear();
        for i in 0..problem.nv() {
            let (adr, nnz) = (inertia.rowadr[i] as usize, inertia.rownnz[i] as usize);
            if nnz > 1 {
                self.edges.push((inertia.colind[adr + nnz - 2] as u32, i as u32));
            }
        }
        let mut previous: &[i32] = &[];
        for block in row_blocks {
            let cols = block.cols(problem);
            if cols != previous {
                // the edges of the inertia matrix are already there
                let is_new = |a: i32, b: i32| {
                    let (adr, nnz) = (inertia.rowadr[b as usize], inertia.rownnz[b as usize]);
                    nnz < 2 || inertia.colind[(adr + nnz - 2) as usize] != a
                };
                let pairs = cols.windows(2).filter(|pair| is_new(pair[0], pair[1]));
                self.edges.extend(pairs.map(|pair| (pair[0] as u32, pair[1] as u32)));
                previous = cols;
            }
        }
    }

    /// Makes `to` the parent of the root of the subtree of `from`, with path compression.
    fn link_root(&mut self, mut from: u32, to: u32) {
        while from != to {
            let next = std::mem::replace(&mut self.ancestor[from as usize], to);
            if next == NONE {
                self.parent[from as usize] = to;
                return;
            }
            from = next;
        }
    }

    /// Collects the root path of each dof.
    pub(super) fn collect_paths(&mut self) {
        let n = self.parent.len();
        self.path.clear();
        self.pathadr.resize(n, 0);
        self.shared_prefix.resize(n, 0);
        for i in 0..n {
            self.pathadr[i] = self.path.len() as u32;
            let parent = self.parent[i];
            if parent != NONE {
                let start = self.pathadr[parent as usize] as usize;
                self.path.extend_from_within(start..start + self.depth[parent as usize] as usize);
                self.path.push(parent);
            }
            self.shared_prefix[i] = if i > 0 && parent as usize == i - 1 {
                self.depth[i]
            } else {
                let previous = i.saturating_sub(1);
                let pairs = self.ancestors(i).iter().zip(self.ancestors(previous));
                pairs.take_while(|(a, b)| a == b).count() as u32
            };
        }
    }

    /// Ancestors of a dof, from the root down.
    #[inline(always)]
    pub(super) fn ancestors(&self, i: usize) -> &[u32] {
        let start = self.pathadr[i] as usize;
        &self.path[start..start + self.depth[i] as usize]
    }

    /// Parent of a dof in the elimination tree.
    #[inline(always)]
    pub(super) fn parent(&self, i: usize) -> Option<usize> {
        (self.parent[i] != NONE).then_some(self.parent[i] as usize)
    }
}
