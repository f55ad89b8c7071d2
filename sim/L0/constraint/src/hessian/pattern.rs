//! Where the Hessian's factor has entries, found before any number is known.
//!
//! A row of the inertia brings its ancestors, a row of the Jacobian couples all its columns, and
//! an eliminated dof couples those that are left of its row. Neighbouring places whose rows are
//! equal, each cut at its diagonal, make a block; a few zeros are stored to have larger blocks.

use super::order::Order;
use crate::group::Run;
use crate::problem::{Inertia, Problem};
use crate::vector::held;

pub(super) const NONE: u32 = u32::MAX;

/// Entries of a vector.
pub(super) const LANES: usize = 4;

/// The columns of constraint rows, each set once as long as equal ones follow each other.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    start: Vec<u32>,
    cols: Vec<i32>,
}

impl Shapes {
    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        held!(self.start, self.cols)
    }

    pub(super) fn len(&self) -> usize {
        self.start.len()
    }

    pub(super) fn cols(&self, shape: usize) -> &[i32] {
        &self.cols[self.range(shape)]
    }

    fn range(&self, shape: usize) -> std::ops::Range<usize> {
        let end = self.start.get(shape + 1).map_or(self.cols.len(), |&end| end as usize);
        self.start[shape] as usize..end
    }
}

/// Neighbouring places with equal rows. A row has the columns outside the block first, then those
/// in it.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Block {
    /// First place, and how many there are.
    pub first: u32,
    pub width: u32,
    /// Columns outside the block: how many, and where they are listed.
    pub outside: u32,
    pub coladr: u32,
    /// Vectors of a row, and the address of the first row.
    pub stride: u32,
    pub adr: u32,
    /// The block of the last column outside.
    pub parent: u32,
    /// Cost of a rank-one change that starts here.
    pub update_cost: u32,
    /// Where the columns outside are in other blocks.
    pub parts: (u32, u32),
}

/// Columns that belong to one block: those from `start` to `end` of a list. What is before `end`
/// has its place in that block's rows listed from `posadr` on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub block: u32,
    pub start: u32,
    pub end: u32,
    pub posadr: u32,
}

/// The pattern of the factor.
#[derive(Debug, Default)]
pub(super) struct Pattern {
    pub order: Order,
    /// Blocks from the last places to the first.
    pub blocks: Vec<Block>,
    pub block_of: Vec<u32>,
    /// Places of the columns outside each block, increasing.
    pub cols: Vec<u32>,
    pub parts: Vec<Part>,
    pub pos: Vec<u32>,
    /// Vectors of all rows.
    pub size: usize,
    /// Entries of the factor.
    pub nnz: usize,
    /// Cost of a factorisation.
    pub cost: u64,
    /// Where each entry of the inertia goes.
    pub inertia_pos: Vec<u32>,
    /// The shape of each run.
    pub shape: Vec<u32>,
    pub shapes: Shapes,
    /// The entries of each shape in the order of places, and their parts.
    pub from: Vec<u32>,
    pub shape_parts: Vec<(u32, u32)>,
    shape_cols: Vec<u32>,
    shapes_old: Shapes,
    inertia_cols: Vec<i32>,
    inertia_cols_old: Vec<i32>,
    /// Lists of the shapes that end at each place.
    ends: Vec<u32>,
    next_end: Vec<u32>,
    child: Vec<u32>,
    sibling: Vec<u32>,
    mark: Vec<u32>,
    row: Vec<u32>,
}

impl Pattern {
    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        held!(
            self.blocks,
            self.block_of,
            self.cols,
            self.parts,
            self.pos,
            self.inertia_pos,
            self.shape,
            self.from,
            self.shape_parts,
            self.shape_cols,
            self.inertia_cols,
            self.inertia_cols_old,
            self.ends,
            self.next_end
        ) + self.order.bytes()
            + self.shapes.bytes()
            + self.shapes_old.bytes()
    }

    /// Finds the pattern for a problem. Returns whether it may be another than before.
    pub(super) fn find(&mut self, problem: &Problem<'_>, runs: &[Run]) -> bool {
        std::mem::swap(&mut self.shapes, &mut self.shapes_old);
        std::mem::swap(&mut self.inertia_cols, &mut self.inertia_cols_old);
        self.collect(problem, runs);
        if self.shapes.start == self.shapes_old.start
            && self.shapes.cols == self.shapes_old.cols
            && self.inertia_cols == self.inertia_cols_old
        {
            return false;
        }
        self.order.find(&problem.inertia, &self.shapes);
        self.sort_shapes(problem.nv());
        self.find_blocks(&problem.inertia);
        self.link();
        self.locate_inertia(&problem.inertia);
        true
    }

    /// Lists what the pattern depends on.
    fn collect(&mut self, problem: &Problem<'_>, runs: &[Run]) {
        let Self { shapes, shape, inertia_cols, .. } = self;
        shapes.start.clear();
        shapes.cols.clear();
        shape.clear();
        let mut before: &[i32] = &[];
        for run in runs {
            let cols = run.cols(problem);
            if cols != before {
                shapes.start.push(shapes.cols.len() as u32);
                shapes.cols.extend_from_slice(cols);
                before = cols;
            }
            // rows without columns before all others have no shape, and are never asked for one
            shape.push((shapes.start.len() as u32).saturating_sub(1));
        }
        inertia_cols.clear();
        let Inertia { rownnz, rowadr, colind, .. } = problem.inertia;
        for (&adr, &nnz) in rowadr.iter().zip(rownnz) {
            inertia_cols.extend_from_slice(&colind[adr as usize..(adr + nnz) as usize]);
        }
    }

    /// Puts the columns of each shape in the order of places.
    fn sort_shapes(&mut self, n: usize) {
        let Self { shapes, order, from, shape_cols, ends, next_end, .. } = self;
        from.clear();
        shape_cols.clear();
        next_end.clear();
        ends.clear();
        ends.resize(n, NONE);
        for shape in 0..shapes.len() {
            let cols = shapes.cols(shape);
            let place = |k: u32| order.place[cols[k as usize] as usize];
            let start = from.len();
            from.extend(0..cols.len() as u32);
            // columns of one tree are in order already
            if cols.windows(2).any(|c| order.place[c[0] as usize] > order.place[c[1] as usize]) {
                from[start..].sort_unstable_by_key(|&k| place(k));
            }
            shape_cols.extend(from[start..].iter().map(|&k| place(k)));
            let head = match shape_cols[start..].last() {
                Some(&last) => std::mem::replace(&mut ends[last as usize], shape as u32),
                None => NONE,
            };
            next_end.push(head);
        }
    }

    fn find_blocks(&mut self, inertia: &Inertia<'_>) {
        let n = inertia.rownnz.len();
        for v in [&mut self.child, &mut self.mark] {
            v.clear();
            v.resize(n, NONE);
        }
        self.sibling.clear();
        self.cols.clear();
        self.blocks.clear();
        // the open block: where its columns begin, and its last place
        let (mut start, mut last) = (0, n);
        for i in (0..n).rev() {
            let below = last - i.min(last);
            // entries of the row below, which is in the open block
            let len = (self.cols.len() - start).saturating_sub(below.saturating_sub(1));
            let follows = below > 0 && len > 0 && self.cols[start + len - 1] == i as u32;
            if follows
                && self.child[i] == NONE
                && self.ends[i] == NONE
                && self.is_parent(inertia, i)
            {
                continue;
            }
            if below > 0 && last < n && !follows {
                self.close(start, i + 1, last);
            }
            let open = if follows { start..start + len - 1 } else { 0..0 };
            self.gather(inertia, i, open);
            if follows {
                let more = self.row.len() + 1 - len;
                if more == 0 {
                    continue;
                }
                self.row.sort_unstable();
                if more * below <= ZEROS + below * len / 4 {
                    self.cols.truncate(start);
                    self.cols.extend_from_slice(&self.row);
                    self.cols.extend(i as u32..last as u32);
                    continue;
                }
                self.close(start, i + 1, last);
            } else {
                self.row.sort_unstable();
            }
            (start, last) = (self.cols.len(), i);
            self.cols.extend_from_slice(&self.row);
        }
        if last < n {
            self.close(start, 0, last);
        }
    }

    /// Whether the next place's dof is coupled by the inertia to what this place's dof is, and to it.
    fn is_parent(&self, inertia: &Inertia<'_>, i: usize) -> bool {
        let row = |place: usize| {
            let dof = self.order.dof[place] as usize;
            &inertia.colind[inertia.rowadr[dof] as usize..][..inertia.rownnz[dof] as usize]
        };
        row(i + 1).split_last().is_some_and(|(_, above)| above == row(i))
    }

    /// Collects the columns of a row, `open` of them from the block below.
    fn gather(&mut self, inertia: &Inertia<'_>, i: usize, open: std::ops::Range<usize>) {
        let Self { order, shapes, row, mark, cols, ends, next_end, .. } = self;
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
        let dof = order.dof[i] as usize;
        let (adr, nnz) = (inertia.rowadr[dof] as usize, inertia.rownnz[dof] as usize);
        inertia.colind[adr..adr + nnz].iter().for_each(|&c| add(order.place[c as usize]));
        let mut shape = ends[i];
        while shape != NONE {
            self.shape_cols[shapes.range(shape as usize)].iter().for_each(|&c| add(c));
            shape = next_end[shape as usize];
        }
        let mut child = self.child[i];
        while child != NONE {
            let Block { coladr, outside, .. } = self.blocks[child as usize];
            cols[coladr as usize..(coladr + outside) as usize].iter().for_each(|&c| add(c));
            child = self.sibling[child as usize];
        }
    }

    /// Completes the open block, whose first place is now known.
    fn close(&mut self, start: usize, first: usize, last: usize) {
        let width = last - first + 1;
        self.cols.truncate(self.cols.len() + 1 - width);
        let outside = self.cols.len() - start;
        let index = self.blocks.len() as u32;
        self.blocks.push(Block {
            first: first as u32,
            width: width as u32,
            outside: outside as u32,
            coladr: start as u32,
            stride: (outside + width).div_ceil(LANES) as u32,
            ..Block::default()
        });
        let above = self.cols[start..].last().copied();
        self.sibling.push(match above {
            Some(above) => std::mem::replace(&mut self.child[above as usize], index),
            None => NONE,
        });
    }

    /// What needs all blocks: addresses, parts, costs.
    fn link(&mut self) {
        let Self { blocks, block_of, cols, parts, pos, shapes, shape_cols, .. } = self;
        block_of.resize(self.order.dof.len(), NONE);
        let (mut adr, mut nnz, mut cost) = (0, 0, 0);
        for (index, block) in blocks.iter_mut().enumerate() {
            let (width, outside) = (u64::from(block.width), u64::from(block.outside));
            block_of[block.first as usize..][..width as usize].fill(index as u32);
            block.adr = adr;
            adr += block.width * block.stride;
            nnz += width * outside + width * (width + 1) / 2;
            cost += 40
                + width * width * u64::from(block.stride)
                + (outside * outside / 8 + outside) * (2 * width + 6);
        }
        (self.size, self.nnz, self.cost) = (adr as usize, nnz as usize, cost);
        parts.clear();
        pos.clear();
        for index in (0..blocks.len()).rev() {
            let Block { coladr, outside, width, stride, .. } = blocks[index];
            let own = &cols[coladr as usize..(coladr + outside) as usize];
            let made = divide(own, blocks, block_of, cols, parts, pos);
            let parent = own.last().map_or(NONE, |&c| block_of[c as usize]);
            let above = blocks.get(parent as usize).map_or(0, |b| b.update_cost);
            let block = &mut blocks[index];
            (block.parts, block.parent) = (made, parent);
            block.update_cost = above.saturating_add(30 + 4 * outside + width * (12 + 3 * stride));
        }
        self.shape_parts.clear();
        for shape in 0..shapes.len() {
            let own = &shape_cols[shapes.range(shape)];
            self.shape_parts.push(divide(own, blocks, block_of, cols, parts, pos));
        }
    }

    fn locate_inertia(&mut self, inertia: &Inertia<'_>) {
        let Self { order, blocks, block_of, cols, inertia_pos, .. } = self;
        inertia_pos.clear();
        for i in 0..inertia.rownnz.len() {
            let (adr, nnz) = (inertia.rowadr[i] as usize, inertia.rownnz[i] as usize);
            let place = order.place[i];
            let block = &blocks[block_of[place as usize] as usize];
            let row = (block.adr + (place - block.first) * block.stride) * LANES as u32;
            let mut at = 0;
            for &c in &inertia.colind[adr..adr + nnz] {
                inertia_pos.push(row + block.locate(order.place[c as usize], cols, &mut at));
            }
        }
    }

    /// The entries of a shape in the order of places: which of a row's each is.
    #[inline(always)]
    pub(super) fn from(&self, shape: usize) -> &[u32] {
        &self.from[self.shapes.range(shape)]
    }
}

/// Zeros that may be stored to make one block of two.
const ZEROS: usize = 16;

impl Block {
    /// The place of a column in this block's rows. Columns outside are asked for in increasing
    /// order: the search goes on from `at`.
    fn locate(&self, column: u32, cols: &[u32], at: &mut usize) -> u32 {
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

/// Divides a list of columns by blocks.
fn divide(
    list: &[u32],
    blocks: &[Block],
    block_of: &[u32],
    cols: &[u32],
    parts: &mut Vec<Part>,
    pos: &mut Vec<u32>,
) -> (u32, u32) {
    let first = parts.len() as u32;
    let mut start = 0;
    while start < list.len() {
        let index = block_of[list[start] as usize];
        let block = &blocks[index as usize];
        let stop = block.first + block.width;
        let end = start + list[start..].iter().take_while(|&&c| c < stop).count();
        let posadr = pos.len() as u32;
        let mut at = 0;
        pos.extend(list[..end].iter().map(|&c| block.locate(c, cols, &mut at)));
        parts.push(Part { block: index, start: start as u32, end: end as u32, posadr });
        start = end;
    }
    (first, parts.len() as u32)
}
