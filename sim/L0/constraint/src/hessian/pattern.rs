//! Where the Hessian's factor has entries, found before any number is known.
//!
//! Dofs are eliminated from the last to the first. A row of the inertia brings its ancestors, a
//! row of the Jacobian couples all its columns, and an eliminated dof couples those that are left
//! of its row. For constraints that act on one chain each, nothing is new in the last two.

use crate::group::Run;
use crate::problem::Problem;

const NONE: u32 = u32::MAX;

/// The pattern of the factor. Rows are stored in the order of elimination, each with increasing
/// columns and the diagonal last.
#[derive(Debug, Default)]
pub(super) struct Pattern {
    /// Address of each dof's row.
    pub rowadr: Vec<u32>,
    /// Entries of each dof's row without the diagonal.
    pub len: Vec<u32>,
    pub cols: Vec<u32>,
    /// For each entry off the diagonal: the address of its column's row.
    pub coladr: Vec<u32>,
    /// The row of each of this row's columns is the row itself, cut there.
    pub aligned: Vec<bool>,
    /// Cost of a rank-one change that starts at a dof.
    pub path: Vec<u32>,
    /// Cost of a factorisation.
    pub cost: u64,
    child: Vec<u32>,
    sibling: Vec<u32>,
    run: Vec<u32>,
    next_run: Vec<u32>,
    mark: Vec<u32>,
}

impl Pattern {
    /// Finds the pattern for a problem. Returns false, early, if factoring costs more than
    /// `bound`.
    pub(super) fn find(&mut self, problem: &Problem<'_>, runs: &[Run], bound: u64) -> bool {
        let n = problem.nv();
        self.clear(n, runs.len());
        for (index, run) in runs.iter().enumerate() {
            if let Some(&last) = run.cols(problem).last() {
                let last = last as usize;
                // rows of one body pair follow each other: one run of them is enough
                let before = self.run[last];
                if before != NONE && runs[before as usize].cols(problem) == run.cols(problem) {
                    continue;
                }
                self.next_run[index] = before;
                self.run[last] = index as u32;
            }
        }
        for i in (0..n).rev() {
            self.find_row(problem, runs, i);
            if self.cost > bound {
                return false;
            }
        }
        self.link(n);
        true
    }

    fn clear(&mut self, n: usize, runs: usize) {
        for v in [&mut self.child, &mut self.run, &mut self.mark, &mut self.sibling] {
            v.clear();
            v.resize(n, NONE);
        }
        for v in [&mut self.rowadr, &mut self.len, &mut self.path] {
            v.resize(n, 0);
        }
        self.next_run.clear();
        self.next_run.resize(runs, NONE);
        self.aligned.resize(n, false);
        self.cols.clear();
        self.cost = 0;
    }

    fn find_row(&mut self, problem: &Problem<'_>, runs: &[Run], i: usize) {
        let inertia = &problem.inertia;
        let start = self.cols.len();
        let (adr, nnz) = (inertia.rowadr[i] as usize, inertia.rownnz[i] as usize - 1);
        let tag = i as u32;
        for &c in &inertia.colind[adr..adr + nnz] {
            self.mark[c as usize] = tag;
            self.cols.push(c as u32);
        }
        let mut run = self.run[i];
        while run != NONE {
            let cols = runs[run as usize].cols(problem);
            for &c in &cols[..cols.len() - 1] {
                if self.mark[c as usize] != tag {
                    self.mark[c as usize] = tag;
                    self.cols.push(c as u32);
                }
            }
            run = self.next_run[run as usize];
        }
        let mut child = self.child[i];
        while child != NONE {
            let (adr, len) =
                (self.rowadr[child as usize] as usize, self.len[child as usize] as usize);
            // its last column is this row
            for k in adr..adr + len - 1 {
                let c = self.cols[k];
                if self.mark[c as usize] != tag {
                    self.mark[c as usize] = tag;
                    self.cols.push(c);
                }
            }
            child = self.sibling[child as usize];
        }
        let len = self.cols.len() - start;
        if len > nnz {
            self.cols[start..].sort_unstable();
        }
        if let Some(&parent) = self.cols[start..].last() {
            self.sibling[i] = self.child[parent as usize];
            self.child[parent as usize] = tag;
        }
        self.cols.push(tag);
        (self.rowadr[i], self.len[i]) = (start as u32, len as u32);
        self.cost += row_cost(len);
    }

    /// What needs all rows: addresses of columns' rows, alignment, path costs.
    fn link(&mut self, n: usize) {
        self.coladr.clear();
        self.coladr.extend(self.cols.iter().map(|&c| self.rowadr[c as usize]));
        for i in 0..n {
            let (adr, len) = (self.rowadr[i] as usize, self.len[i] as usize);
            let Some((&parent, _)) = self.cols[adr..adr + len].split_last() else {
                (self.aligned[i], self.path[i]) = (true, 20);
                continue;
            };
            // a row is aligned if it is its parent's row and one more, and so upwards
            let parent = parent as usize;
            self.aligned[i] = self.aligned[parent] && self.len[parent] as usize + 1 == len;
            self.path[i] = (20 + len as u32).saturating_add(self.path[parent]);
        }
    }

    /// The row of a dof, without the diagonal.
    #[inline(always)]
    pub(super) fn row(&self, i: usize) -> std::ops::Range<usize> {
        let adr = self.rowadr[i] as usize;
        adr..adr + self.len[i] as usize
    }
}

/// Cost of eliminating a row with so many entries, in additions or so.
fn row_cost(len: usize) -> u64 {
    let len = len as u64;
    10 + 4 * len + len * len / 6
}
