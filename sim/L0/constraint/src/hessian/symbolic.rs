//! Symbolic factorisation of the Hessian: permutation, fill-in, supernodes and relative indices.
//!
//! The pattern of a factor row is the union of the inertia row (ancestors of the dof), of the
//! columns of constraint rows that end at it, and of the patterns of its children in the
//! elimination tree. Adjacent rows with the same pattern up to the diagonal form a supernode;
//! supernodes are relaxed: a few explicit zeros are stored to merge rows.

use super::ordering::MinimumDegree;
use crate::jacobian::RowBlock;
use crate::problem::{Inertia, Problem};
use crate::vector::heap_bytes;

pub(super) const NONE: u32 = u32::MAX;

/// Entries of a SIMD vector.
pub(super) const LANES: usize = 4;

/// Column patterns of the constraint rows, with consecutive duplicates removed.
#[derive(Debug, Default)]
pub(super) struct RowPatterns {
    start: Vec<u32>,
    cols: Vec<i32>,
}

impl RowPatterns {
    /// Heap memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        heap_bytes!(self.start, self.cols)
    }

    pub(super) fn len(&self) -> usize {
        self.start.len()
    }

    pub(super) fn cols(&self, row_pattern: usize) -> &[i32] {
        &self.cols[self.range(row_pattern)]
    }

    fn range(&self, row_pattern: usize) -> std::ops::Range<usize> {
        let end = self.start.get(row_pattern + 1).map_or(self.cols.len(), |&end| end as usize);
        self.start[row_pattern] as usize..end
    }
}

/// Adjacent permuted rows with the same pattern. A row stores the columns outside the diagonal block
/// first, then those of the block.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Supernode {
    /// First permuted index.
    pub first: u32,
    /// Number of rows.
    pub width: u32,
    /// Number of columns outside the diagonal block.
    pub outside: u32,
    /// Address of the columns outside the diagonal block.
    pub coladr: u32,
    /// Number of SIMD vectors of a row.
    pub stride: u32,
    /// Address of the first row.
    pub adr: u32,
    /// Parent in the supernodal elimination tree: the supernode of the last column outside.
    pub parent: u32,
    /// Cost of a rank-one update that starts here.
    pub update_cost: u32,
    /// Range of the segments of the columns outside the diagonal block.
    pub segments: (u32, u32),
}

/// Part `start..end` of a column list that lies in one supernode. `posadr` is the address of the
/// relative indices of the columns `0..end` in the rows of that supernode.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    pub supernode: u32,
    pub start: u32,
    pub end: u32,
    pub posadr: u32,
}

/// Symbolic factorisation.
#[derive(Debug, Default)]
pub(super) struct Symbolic {
    pub ordering: MinimumDegree,
    /// Supernodes in order of elimination: from the last permuted index to the first.
    pub supernodes: Vec<Supernode>,
    /// Supernode of each permuted index.
    pub supernode_of: Vec<u32>,
    /// Permuted columns outside the diagonal block of each supernode, increasing.
    pub cols: Vec<u32>,
    pub segments: Vec<Segment>,
    /// Relative indices of all segments.
    pub pos: Vec<u32>,
    /// Size of the factor in SIMD vectors.
    pub size: usize,
    /// Number of entries of the factor.
    pub nnz: usize,
    /// Estimated cost of a factorisation.
    pub cost: u64,
    /// Address of each entry of the inertia matrix in the factor.
    pub inertia_pos: Vec<u32>,
    /// Row pattern of each row block.
    pub row_pattern: Vec<u32>,
    pub row_patterns: RowPatterns,
    /// For each row pattern, the permutation that sorts its entries by permuted column.
    pub permutation: Vec<u32>,
    /// Range of the segments of each row pattern.
    pub row_pattern_segments: Vec<(u32, u32)>,
    /// Permuted columns of each row pattern, sorted.
    row_pattern_cols: Vec<u32>,
    row_patterns_old: RowPatterns,
    inertia_cols: Vec<i32>,
    inertia_cols_old: Vec<i32>,
    /// Linked lists of the row patterns by their last permuted column.
    last_col: Vec<u32>,
    next_last_col: Vec<u32>,
    child: Vec<u32>,
    sibling: Vec<u32>,
    mark: Vec<u32>,
    row: Vec<u32>,
}

impl Symbolic {
    /// Heap memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        heap_bytes!(
            self.supernodes,
            self.supernode_of,
            self.cols,
            self.segments,
            self.pos,
            self.inertia_pos,
            self.row_pattern,
            self.permutation,
            self.row_pattern_segments,
            self.row_pattern_cols,
            self.inertia_cols,
            self.inertia_cols_old,
            self.last_col,
            self.next_last_col
        ) + self.ordering.bytes()
            + self.row_patterns.bytes()
            + self.row_patterns_old.bytes()
    }

    /// Analyses a problem. Returns false if its sparsity is the same as in the previous call.
    pub(super) fn analyze(&mut self, problem: &Problem<'_>, row_blocks: &[RowBlock]) -> bool {
        std::mem::swap(&mut self.row_patterns, &mut self.row_patterns_old);
        std::mem::swap(&mut self.inertia_cols, &mut self.inertia_cols_old);
        self.collect_sparsity(problem, row_blocks);
        if self.row_patterns.start == self.row_patterns_old.start
            && self.row_patterns.cols == self.row_patterns_old.cols
            && self.inertia_cols == self.inertia_cols_old
        {
            return false;
        }
        self.ordering.compute(&problem.inertia, &self.row_patterns);
        self.permute_row_patterns(problem.nv());
        self.find_supernodes(&problem.inertia);
        self.finish();
        self.map_inertia(&problem.inertia);
        true
    }

    /// Collects the sparsity of the constraint rows and of the inertia matrix.
    fn collect_sparsity(&mut self, problem: &Problem<'_>, row_blocks: &[RowBlock]) {
        let Self { row_patterns, row_pattern, inertia_cols, .. } = self;
        row_patterns.start.clear();
        row_patterns.cols.clear();
        row_pattern.clear();
        let mut previous: &[i32] = &[];
        for row_block in row_blocks {
            let cols = row_block.cols(problem);
            if cols != previous {
                row_patterns.start.push(row_patterns.cols.len() as u32);
                row_patterns.cols.extend_from_slice(cols);
                previous = cols;
            }
            // leading rows without columns have no pattern; their index 0 is not used
            row_pattern.push((row_patterns.start.len() as u32).saturating_sub(1));
        }
        inertia_cols.clear();
        let Inertia { rownnz, rowadr, colind, .. } = problem.inertia;
        for (&adr, &nnz) in rowadr.iter().zip(rownnz) {
            inertia_cols.extend_from_slice(&colind[adr as usize..(adr + nnz) as usize]);
        }
    }

    /// Permutes and sorts the columns of each row pattern.
    fn permute_row_patterns(&mut self, n: usize) {
        let Self {
            row_patterns,
            ordering,
            permutation,
            row_pattern_cols,
            last_col,
            next_last_col,
            ..
        } = self;
        permutation.clear();
        row_pattern_cols.clear();
        next_last_col.clear();
        last_col.clear();
        last_col.resize(n, NONE);
        for row_pattern in 0..row_patterns.len() {
            let cols = row_patterns.cols(row_pattern);
            let permuted = |k: u32| ordering.iperm[cols[k as usize] as usize];
            let start = permutation.len();
            permutation.extend(0..cols.len() as u32);
            // columns of a single tree are already sorted
            if cols
                .windows(2)
                .any(|c| ordering.iperm[c[0] as usize] > ordering.iperm[c[1] as usize])
            {
                permutation[start..].sort_unstable_by_key(|&k| permuted(k));
            }
            row_pattern_cols.extend(permutation[start..].iter().map(|&k| permuted(k)));
            let head = match row_pattern_cols[start..].last() {
                Some(&last) => std::mem::replace(&mut last_col[last as usize], row_pattern as u32),
                None => NONE,
            };
            next_last_col.push(head);
        }
    }

    /// Computes the row patterns of the factor and partitions the rows into relaxed supernodes.
    fn find_supernodes(&mut self, inertia: &Inertia<'_>) {
        let n = inertia.rownnz.len();
        for v in [&mut self.child, &mut self.mark] {
            v.clear();
            v.resize(n, NONE);
        }
        self.sibling.clear();
        self.cols.clear();
        self.supernodes.clear();
        // the current supernode: start of its columns, and its last permuted index
        let (mut start, mut last) = (0, n);
        for i in (0..n).rev() {
            let below = last - i.min(last);
            // entries of the row below, which belongs to the current supernode
            let len = (self.cols.len() - start).saturating_sub(below.saturating_sub(1));
            let extends = below > 0 && len > 0 && self.cols[start + len - 1] == i as u32;
            if extends
                && self.child[i] == NONE
                && self.last_col[i] == NONE
                && self.has_parent_pattern(inertia, i)
            {
                continue;
            }
            if below > 0 && last < n && !extends {
                self.finish_supernode(start, i + 1, last);
            }
            let open = if extends { start..start + len - 1 } else { 0..0 };
            self.collect_row(inertia, i, open);
            if extends {
                let more = self.row.len() + 1 - len;
                if more == 0 {
                    continue;
                }
                self.row.sort_unstable();
                if more * below <= MAX_EXPLICIT_ZEROS + below * len / 4 {
                    self.cols.truncate(start);
                    self.cols.extend_from_slice(&self.row);
                    self.cols.extend(i as u32..last as u32);
                    continue;
                }
                self.finish_supernode(start, i + 1, last);
            } else {
                self.row.sort_unstable();
            }
            (start, last) = (self.cols.len(), i);
            self.cols.extend_from_slice(&self.row);
        }
        if last < n {
            self.finish_supernode(start, 0, last);
        }
    }

    /// Whether the inertia row of permuted index `i + 1` equals that of `i` plus its diagonal.
    fn has_parent_pattern(&self, inertia: &Inertia<'_>, i: usize) -> bool {
        let row = |index: usize| {
            let dof = self.ordering.perm[index] as usize;
            &inertia.colind[inertia.rowadr[dof] as usize..][..inertia.rownnz[dof] as usize]
        };
        row(i + 1).split_last().is_some_and(|(_, above)| above == row(i))
    }

    /// Collects the pattern of row `i`, including the range `open` of columns of the current
    /// supernode.
    fn collect_row(&mut self, inertia: &Inertia<'_>, i: usize, open: std::ops::Range<usize>) {
        let Self { ordering, row_patterns, row, mark, cols, last_col, next_last_col, .. } = self;
        let tag = i as u32;
        row.clear();
        mark[i] = tag;
        let mut add = |c: u32| {
            if mark[c as usize] != tag {
                mark[c as usize] = tag;
                row.push(c);
            }
        };
        cols[open].iter().for_each(|&c| add(c));
        let dof = ordering.perm[i] as usize;
        let (adr, nnz) = (inertia.rowadr[dof] as usize, inertia.rownnz[dof] as usize);
        inertia.colind[adr..adr + nnz].iter().for_each(|&c| add(ordering.iperm[c as usize]));
        let mut row_pattern = last_col[i];
        while row_pattern != NONE {
            self.row_pattern_cols[row_patterns.range(row_pattern as usize)]
                .iter()
                .for_each(|&c| add(c));
            row_pattern = next_last_col[row_pattern as usize];
        }
        let mut child = self.child[i];
        while child != NONE {
            let Supernode { coladr, outside, .. } = self.supernodes[child as usize];
            cols[coladr as usize..(coladr + outside) as usize].iter().for_each(|&c| add(c));
            child = self.sibling[child as usize];
        }
    }

    /// Completes the current supernode with rows `first..=last`.
    fn finish_supernode(&mut self, start: usize, first: usize, last: usize) {
        let width = last - first + 1;
        self.cols.truncate(self.cols.len() + 1 - width);
        let outside = self.cols.len() - start;
        let index = self.supernodes.len() as u32;
        self.supernodes.push(Supernode {
            first: first as u32,
            width: width as u32,
            outside: outside as u32,
            coladr: start as u32,
            stride: (outside + width).div_ceil(LANES) as u32,
            ..Supernode::default()
        });
        let above = self.cols[start..].last().copied();
        self.sibling.push(match above {
            Some(above) => std::mem::replace(&mut self.child[above as usize], index),
            None => NONE,
        });
    }

    /// Computes addresses, costs and relative indices, which depend on all supernodes.
    fn finish(&mut self) {
        let Self {
            supernodes,
            supernode_of,
            cols,
            segments,
            pos,
            row_patterns,
            row_pattern_cols,
            ..
        } = self;
        supernode_of.resize(self.ordering.perm.len(), NONE);
        let (mut adr, mut nnz, mut cost) = (0, 0, 0);
        for (index, supernode) in supernodes.iter_mut().enumerate() {
            let (width, outside) = (u64::from(supernode.width), u64::from(supernode.outside));
            supernode_of[supernode.first as usize..][..width as usize].fill(index as u32);
            supernode.adr = adr;
            adr += supernode.width * supernode.stride;
            nnz += width * outside + width * (width + 1) / 2;
            cost += 40
                + width * width * u64::from(supernode.stride)
                + (outside * outside / 8 + outside) * (2 * width + 6);
        }
        (self.size, self.nnz, self.cost) = (adr as usize, nnz as usize, cost);
        segments.clear();
        pos.clear();
        for index in (0..supernodes.len()).rev() {
            let Supernode { coladr, outside, width, stride, .. } = supernodes[index];
            let own = &cols[coladr as usize..(coladr + outside) as usize];
            let made = split_segments(own, supernodes, supernode_of, cols, segments, pos);
            let parent = own.last().map_or(NONE, |&c| supernode_of[c as usize]);
            let above = supernodes.get(parent as usize).map_or(0, |b| b.update_cost);
            let supernode = &mut supernodes[index];
            (supernode.segments, supernode.parent) = (made, parent);
            supernode.update_cost =
                above.saturating_add(30 + 4 * outside + width * (12 + 3 * stride));
        }
        self.row_pattern_segments.clear();
        for row_pattern in 0..row_patterns.len() {
            let own = &row_pattern_cols[row_patterns.range(row_pattern)];
            self.row_pattern_segments.push(split_segments(
                own,
                supernodes,
                supernode_of,
                cols,
                segments,
                pos,
            ));
        }
    }

    /// Computes the address of each entry of the inertia matrix in the factor.
    fn map_inertia(&mut self, inertia: &Inertia<'_>) {
        let Self { ordering, supernodes, supernode_of, cols, inertia_pos, .. } = self;
        inertia_pos.clear();
        for i in 0..inertia.rownnz.len() {
            let (adr, nnz) = (inertia.rowadr[i] as usize, inertia.rownnz[i] as usize);
            let index = ordering.iperm[i];
            let supernode = &supernodes[supernode_of[index as usize] as usize];
            let row = (supernode.adr + (index - supernode.first) * supernode.stride) * LANES as u32;
            let mut at = 0;
            for &c in &inertia.colind[adr..adr + nnz] {
                inertia_pos.push(
                    row + supernode.relative_index(ordering.iperm[c as usize], cols, &mut at),
                );
            }
        }
    }

    /// Permutation that sorts the entries of a row pattern by permuted column.
    #[inline(always)]
    pub(super) fn permutation(&self, row_pattern: usize) -> &[u32] {
        &self.permutation[self.row_patterns.range(row_pattern)]
    }
}

/// Number of explicit zeros that are always accepted to extend a supernode by a row.
const MAX_EXPLICIT_ZEROS: usize = 16;

impl Supernode {
    /// Relative index: the position of a column in the rows of this supernode. Columns outside the
    /// diagonal block must be queried in increasing order; the search resumes at `at`.
    fn relative_index(&self, column: u32, cols: &[u32], at: &mut usize) -> u32 {
        if column >= self.first {
            return self.outside + column - self.first;
        }
        let own = &cols[self.coladr as usize..(self.coladr + self.outside) as usize];
        while own.get(*at).is_some_and(|&c| c < column) {
            *at += 1;
        }
        *at as u32
    }
}

/// Splits a column list into segments, one per supernode, and appends their relative indices.
fn split_segments(
    list: &[u32],
    supernodes: &[Supernode],
    supernode_of: &[u32],
    cols: &[u32],
    segments: &mut Vec<Segment>,
    pos: &mut Vec<u32>,
) -> (u32, u32) {
    let first = segments.len() as u32;
    let mut start = 0;
    while start < list.len() {
        let index = supernode_of[list[start] as usize];
        let supernode = &supernodes[index as usize];
        let stop = supernode.first + supernode.width;
        let end = start + list[start..].iter().take_while(|&&c| c < stop).count();
        let posadr = pos.len() as u32;
        let mut at = 0;
        pos.extend(list[..end].iter().map(|&c| supernode.relative_index(c, cols, &mut at)));
        segments.push(Segment { supernode: index, start: start as u32, end: end as u32, posadr });
        start = end;
    }
    (first, segments.len() as u32)
}
