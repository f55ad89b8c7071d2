//! The elimination tree: which dof a dof hands its coupling on to when it is eliminated.
//!
//! Dofs are eliminated from the last to the first, so parents have smaller numbers. The tree is
//! that of the mechanism as long as each constraint acts on one chain; a constraint between
//! branches hangs one below the other.

use crate::group::Run;
use crate::problem::Problem;
use crate::vector::held;

const NONE: u32 = u32::MAX;

/// The elimination tree of a Hessian, and the path from each dof to its root.
#[derive(Debug, Default)]
pub(super) struct Elimination {
    parent: Vec<u32>,
    /// Number of ancestors of each dof.
    pub depth: Vec<u32>,
    /// Where each dof's ancestors are, from the root down.
    pub pathadr: Vec<u32>,
    pub path: Vec<u32>,
    /// How many leading ancestors of a dof are on the path to the dof before it, or are that dof.
    pub common: Vec<u32>,
    ancestor: Vec<u32>,
    /// Pairs of coupled dofs, the smaller first, and those of the call before.
    edges: Vec<(u32, u32)>,
    edges_old: Vec<(u32, u32)>,
    /// Lists of the edges at each smaller dof.
    first: Vec<u32>,
    next: Vec<u32>,
    cost: u64,
}

impl Elimination {
    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        held!(
            self.parent,
            self.depth,
            self.pathadr,
            self.path,
            self.common,
            self.ancestor,
            self.edges,
            self.edges_old,
            self.first,
            self.next
        )
    }

    /// Finds the tree for a problem. Returns whether it is another than the call before found.
    pub(super) fn find(&mut self, problem: &Problem<'_>, runs: &[Run]) -> bool {
        let n = problem.nv();
        self.collect_edges(problem, runs);
        // the couplings are mostly those of the step before
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
                self.climb(self.edges[edge as usize].1, i as u32);
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

    /// The cost of a factorisation that takes each dof to be coupled to all its ancestors, in
    /// additions or so.
    pub(super) fn cost(&self) -> u64 {
        self.cost
    }

    /// A clique has the tree of the path through its members, so neighbours are enough.
    fn collect_edges(&mut self, problem: &Problem<'_>, runs: &[Run]) {
        let inertia = &problem.inertia;
        self.edges.clear();
        for i in 0..problem.nv() {
            let (adr, nnz) = (inertia.rowadr[i] as usize, inertia.rownnz[i] as usize);
            if nnz > 1 {
                self.edges.push((inertia.colind[adr + nnz - 2] as u32, i as u32));
            }
        }
        let mut before: &[i32] = &[];
        for run in runs {
            let cols = run.cols(problem);
            if cols != before {
                self.edges.extend(cols.windows(2).map(|pair| (pair[0] as u32, pair[1] as u32)));
                before = cols;
            }
        }
    }

    /// Hangs the root above `from` below `to`, shortening the way for the next climb.
    fn climb(&mut self, mut from: u32, to: u32) {
        while from != to {
            let next = std::mem::replace(&mut self.ancestor[from as usize], to);
            if next == NONE {
                self.parent[from as usize] = to;
                return;
            }
            from = next;
        }
    }

    /// Lists the ancestors of each dof.
    pub(super) fn list_paths(&mut self) {
        let n = self.parent.len();
        self.path.clear();
        self.pathadr.resize(n, 0);
        self.common.resize(n, 0);
        for i in 0..n {
            self.pathadr[i] = self.path.len() as u32;
            let parent = self.parent[i];
            if parent != NONE {
                let start = self.pathadr[parent as usize] as usize;
                self.path.extend_from_within(start..start + self.depth[parent as usize] as usize);
                self.path.push(parent);
            }
            self.common[i] = if i > 0 && parent as usize == i - 1 {
                self.depth[i]
            } else {
                let before = i.saturating_sub(1);
                let pairs = self.ancestors(i).iter().zip(self.ancestors(before));
                pairs.take_while(|(a, b)| a == b).count() as u32
            };
        }
    }

    /// The ancestors of a dof, from the root down.
    #[inline(always)]
    pub(super) fn ancestors(&self, i: usize) -> &[u32] {
        let start = self.pathadr[i] as usize;
        &self.path[start..start + self.depth[i] as usize]
    }

    /// The parent of a dof.
    #[inline(always)]
    pub(super) fn parent(&self, i: usize) -> Option<usize> {
        (self.parent[i] != NONE).then_some(self.parent[i] as usize)
    }
}
