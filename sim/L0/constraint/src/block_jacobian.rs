//! Constraint Jacobian in blocks of one row and up to four consecutive columns, for the repeated
//! products of conjugate gradients.
//!
//! The dofs are partitioned into column groups such that every row contains either all columns of a
//! group or none: the three dofs of a vertex of a flex, the dofs of a kinematic chain in chunks of
//! four. A block and the vector of its group are SIMD vectors, without a gather of single numbers.
//!
//! The rows of the edges of flexes, which come first, consist of two opposite blocks `−n` and `n`:
//! their product is `nᵀ (x_b − x_a)`. `Jᵀ f` is computed in slices of four column groups from copies
//! of the blocks of each group, in the order in which they are read (sliced ELLPACK). The groups are
//! sorted by their number of blocks, which keeps the padding of the slices small and the number of
//! iterations of their loops predictable.

use crate::jacobian::{RowBlock, two_points};
use crate::problem::Problem;
use crate::vector::{heap_bytes, pad, resize_to};
use sim_simd::{Block, mul_column_slices, mul_differences, mul_row_slices};

/// Width of a SIMD vector, and number of column groups of a slice.
const LANES: usize = 4;

/// Jacobian in blocks, with the buffers to build it.
#[derive(Debug, Default)]
pub(crate) struct BlockJacobian {
    /// First column of each column group, and the number of columns.
    group_start: Vec<u32>,
    /// Column group of each column.
    group_of: Vec<u32>,
    /// Whether a group has to start at a column.
    boundary: Vec<bool>,
    /// The block `n` of each of the leading rows of two opposite blocks, or of one block.
    direction: Vec<Block>,
    /// Column groups of `−n` and `n`; the number of groups stands for a missing block.
    ends: Vec<[u32; 2]>,
    /// First entry of each slice of four other rows, and the number of entries.
    row_start: Vec<u32>,
    /// Column group of the blocks of each row; the number of groups for padding.
    row_group: Vec<[u32; LANES]>,
    /// Values of the blocks of each row.
    row_value: Vec<[Block; LANES]>,
    /// Number of blocks of each column group, then its next entry in the slices.
    next: Vec<u32>,
    /// Number of groups by their number of blocks, then the next position among those of equal number.
    histogram: Vec<u32>,
    /// Column groups in decreasing order of their number of blocks.
    order: Vec<u32>,
    /// Position of each column group in this order.
    position: Vec<u32>,
    /// First entry of each slice of four column groups, and the number of entries.
    column_start: Vec<u32>,
    /// Row of the blocks of each column group, in increasing order.
    column_row: Vec<[u32; LANES]>,
    /// Values of the blocks of each column group.
    column_value: Vec<[Block; LANES]>,
    /// `Jᵀ f` by slices.
    product: Vec<[Block; LANES]>,
    /// Vector by column groups, padded with zeros, and a zero block.
    x: Vec<Block>,
    /// Whether it has the values of the present problem.
    is_built: bool,
}

impl BlockJacobian {
    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        heap_bytes!(
            self.group_start,
            self.group_of,
            self.boundary,
            self.direction,
            self.ends,
            self.row_start,
            self.row_group,
            self.row_value,
            self.next,
            self.histogram,
            self.order,
            self.position,
            self.column_start,
            self.column_row,
            self.column_value,
            self.product,
            self.x
        )
    }

    /// Whether the Jacobian was converted since [`reset`](Self::reset).
    pub(crate) fn is_built(&self) -> bool {
        self.is_built
    }

    /// Starts another problem.
    pub(crate) fn reset(&mut self) {
        self.is_built = false;
    }

    /// Converts the Jacobian of a problem.
    pub(crate) fn build(&mut self, problem: &Problem<'_>, row_blocks: &[RowBlock]) {
        self.is_built = true;
        self.partition_columns(problem, row_blocks);
        self.copy_values(problem, row_blocks);
        self.count_blocks();
        self.arrange_slices();
        self.fill_slices();
        self.x.clear();
        self.x.resize(self.groups() + 1, Block::default());
    }

    /// Number of column groups.
    fn groups(&self) -> usize {
        self.group_start.len() - 1
    }

    /// Finds the column groups.
    fn partition_columns(&mut self, problem: &Problem<'_>, row_blocks: &[RowBlock]) {
        let nv = problem.nv();
        self.boundary.clear();
        self.boundary.resize(nv + 1, false);
        for block in row_blocks {
            let cols = block.cols(problem);
            if let Some([a, b]) = two_points(cols) {
                for column in [a, a + 3, b, b + 3] {
                    self.boundary[column] = true;
                }
                continue;
            }
            // after the previous column, and one before the first
            let mut next = usize::MAX;
            for &c in cols {
                let c = c as usize;
                if c != next {
                    self.boundary[c] = true;
                    self.boundary[next.min(nv)] = true;
                }
                next = c + 1;
            }
            self.boundary[next.min(nv)] = true;
        }
        self.group_start.clear();
        self.group_of.clear();
        for column in 0..nv {
            let full = self.group_start.last().is_none_or(|&s| column - s as usize == LANES);
            if full || self.boundary[column] {
                self.group_start.push(column as u32);
            }
            self.group_of.push(self.group_start.len() as u32 - 1);
        }
        self.group_start.push(nv as u32);
    }

    /// Copies the values row by row.
    fn copy_values(&mut self, problem: &Problem<'_>, row_blocks: &[RowBlock]) {
        let Self { group_start, group_of, direction, ends, .. } = self;
        direction.clear();
        ends.clear();
        let none = group_start.len() as u32 - 1;
        'blocks: for block in row_blocks {
            let (cols, values) = (block.cols(problem), block.values(problem));
            for k in 0..block.rows {
                let values = &values[k * block.len..(k + 1) * block.len];
                let Some((row_ends, n)) = difference(cols, values, group_start, group_of) else {
                    break 'blocks;
                };
                ends.push(row_ends.map(|g| g.unwrap_or(none)));
                direction.push(n);
            }
        }
        self.copy_slices(problem, row_blocks);
    }

    /// Copies the rows that are not differences in slices of four.
    fn copy_slices(&mut self, problem: &Problem<'_>, row_blocks: &[RowBlock]) {
        let Self { group_start, group_of, direction, row_start, row_group, row_value, .. } = self;
        row_start.clear();
        row_group.clear();
        row_value.clear();
        let none = group_start.len() as u32 - 1;
        for block in row_blocks {
            let (cols, values) = (block.cols(problem), block.values(problem));
            for row in block.range().skip_while(|&row| row < direction.len()) {
                let lane = (row - direction.len()) % LANES;
                if lane == 0 {
                    row_start.push(row_group.len() as u32);
                }
                let first = row_start.last().map_or(0, |&start| start as usize);
                let mut rest = &values[(row - block.row) * block.len..][..block.len];
                let mut column = 0;
                for entry in first.. {
                    let Some(&c) = cols.get(column) else { break };
                    let g = group_of[c as usize] as usize;
                    let width = (group_start[g + 1] - group_start[g]) as usize;
                    let (own, after) = rest.split_at(width);
                    if entry == row_group.len() {
                        row_group.push([none; LANES]);
                        row_value.push([Block::default(); LANES]);
                    }
                    row_group[entry][lane] = g as u32;
                    row_value[entry][lane] = Block(pad(own));
                    rest = after;
                    column += width;
                }
            }
        }
        row_start.push(row_group.len() as u32);
    }

    /// Counts the blocks of each column group.
    fn count_blocks(&mut self) {
        let groups = self.groups();
        self.next.clear();
        self.next.resize(groups + 1, 0);
        for &g in self.ends.as_flattened().iter().chain(self.row_group.as_flattened()) {
            self.next[g as usize] += 1;
        }
        // missing blocks are not stored
        self.next.truncate(groups);
    }

    /// Sorts the column groups by their number of blocks (counting sort), combines them into slices
    /// and fills their padding.
    fn arrange_slices(&mut self) {
        let Self {
            next, histogram, order, position, column_start, column_row, column_value, ..
        } = self;
        let most = next.iter().max().map_or(0, |&n| n as usize);
        histogram.clear();
        histogram.resize(most + 2, 0);
        for &count in next.iter() {
            histogram[most - count as usize + 1] += 1;
        }
        for k in 1..histogram.len() {
            histogram[k] += histogram[k - 1];
        }
        resize_to(order, next.len());
        position.clear();
        for (g, &count) in next.iter().enumerate() {
            let first = &mut histogram[most - count as usize];
            order[*first as usize] = g as u32;
            position.push(*first);
            *first += 1;
        }
        column_start.clear();
        let mut end = 0;
        for slice in order.chunks(LANES) {
            column_start.push(end);
            end += next[slice[0] as usize];
        }
        column_start.push(end);
        resize_to(column_row, end as usize);
        resize_to(column_value, end as usize);
        let (row, value) = (column_row.as_flattened_mut(), column_value.as_flattened_mut());
        for (slice, range) in order.chunks(LANES).zip(column_start.windows(2)) {
            for lane in 0..LANES {
                let count = slice.get(lane).map_or(0, |&g| next[g as usize]);
                for entry in range[0] + count..range[1] {
                    let index = LANES * entry as usize + lane;
                    (row[index], value[index]) = (0, Block::default());
                }
                if let Some(&g) = slice.get(lane) {
                    next[g as usize] = LANES as u32 * range[0] + lane as u32;
                }
            }
        }
        resize_to(&mut self.product, column_start.len() - 1);
    }

    /// Copies the blocks into the slices.
    fn fill_slices(&mut self) {
        let Self {
            direction,
            ends,
            row_start,
            row_group,
            row_value,
            next,
            column_row,
            column_value,
            ..
        } = self;
        let (rows, values) = (column_row.as_flattened_mut(), column_value.as_flattened_mut());
        let mut push = |g: u32, row: usize, value: Block| {
            if let Some(entry) = next.get_mut(g as usize) {
                rows[*entry as usize] = row as u32;
                values[*entry as usize] = value;
                *entry += LANES as u32;
            }
        };
        for (row, (&[a, b], n)) in ends.iter().zip(&*direction).enumerate() {
            push(a, row, Block(n.0.map(|x| -x)));
            push(b, row, *n);
        }
        for (slice, range) in row_start.windows(2).enumerate() {
            let range = range[0] as usize..range[1] as usize;
            for lane in 0..LANES {
                let row = direction.len() + LANES * slice + lane;
                for (group, value) in row_group[range.clone()].iter().zip(&row_value[range.clone()])
                {
                    push(group[lane], row, value[lane]);
                }
            }
        }
    }

    /// `out = J x`.
    pub(crate) fn mul(&mut self, x: &[f64], out: &mut [f64]) {
        for (padded, range) in self.x.iter_mut().zip(self.group_start.windows(2)) {
            let (start, width) = (range[0] as usize, range[1] - range[0]);
            *padded = Block(match x[start..].first_chunk() {
                Some(&[a, b, c, d]) => {
                    let keep = |x: f64, lane: u32| if width > lane { x } else { 0.0 };
                    [a, keep(b, 1), keep(c, 2), keep(d, 3)]
                }
                None => pad(&x[start..start + width as usize]),
            });
        }
        let (first, rest) = out.split_at_mut(self.direction.len());
        mul_differences(&self.direction, &self.ends, &self.x, first);
        mul_row_slices(&self.row_start, &self.row_group, &self.row_value, &self.x, rest);
    }

    /// `out = Jᵀ f`.
    pub(crate) fn mul_transposed(&mut self, f: &[f64], out: &mut [f64]) {
        mul_column_slices(
            &self.column_start,
            &self.column_row,
            &self.column_value,
            f,
            &mut self.product,
        );
        let product = self.product.as_flattened();
        for (&start, &position) in self.group_start.iter().zip(&self.position) {
            let (out, sum) = (&mut out[start as usize..], &product[position as usize].0);
            match out.first_chunk_mut() {
                // later groups overwrite the padding
                Some(four) => *four = *sum,
                None => out.copy_from_slice(&sum[..out.len()]),
            }
        }
    }
}

/// The column groups of the blocks `−n` and `n` of a row, and `n`, if there are no other blocks.
fn difference(
    cols: &[i32],
    values: &[f64],
    group_start: &[u32],
    group_of: &[u32],
) -> Option<([Option<u32>; 2], Block)> {
    let group = |column: i32| {
        let g = group_of[column as usize];
        (g, (group_start[g as usize + 1] - group_start[g as usize]) as usize)
    };
    let Some(&first) = cols.first() else { return Some(([None; 2], Block::default())) };
    let (a, width) = group(first);
    let (own, rest) = values.split_at(width);
    let Some(&second) = cols.get(width) else { return Some(([None, Some(a)], Block(pad(own)))) };
    let (b, other) = group(second);
    let opposite =
        width == rest.len() && other == width && own.iter().zip(rest).all(|(x, y)| *x == -y);
    opposite.then(|| ([Some(a), Some(b)], Block(pad(rest))))
}

#[cfg(test)]
mod tests;
