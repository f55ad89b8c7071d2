//! Gauss–Seidel sweeps of PGS over blocks of rows with the same columns.
//!
//! The rows of a contact share their columns in `B`. A sweep that visits them one by one gathers and scatters these
//! entries of `y = Bᵀ f` for each row, and each row waits for the stores of its predecessor. Here `y` is gathered once
//! per block, the residuals `B y + b` of all rows of the block are computed together, and a change of the force of
//! one row is added to the residuals of the next ones by the diagonal block `B Bᵀ`. The updates are those of a sweep
//! row by row up to rounding. Blocks of one row are updated as in such a sweep.

use crate::cone::update_cone;
use crate::dual::Dual;
use crate::jacobian::RowBlock;
use crate::pgs::{rows_of, update_row, update_single};
use crate::problem::Problem;
use crate::vector::{F64x4, axpy4, heap_bytes, mul_add4, pad};
use sim_simd::{dispatch, sum_four};
use sim_types::ConstraintType;
use std::ops::Range;

/// Largest number of rows of a block: those of a contact with an elliptic cone and `condim` 6.
const MAX_ROWS: usize = 6;
/// Number of rows into which more rows with the same columns are divided: the edges of a friction pyramid with
/// `condim` 3.
const ROWS: usize = 4;

/// Blocks of rows, with columns and values padded to whole SIMD vectors.
#[derive(Debug, Default)]
pub(crate) struct DualBlocks {
    blocks: Vec<Block>,
    /// Columns of `B`; those of the padding refer to an entry behind the last one.
    cols: Vec<[u32; 4]>,
    /// Values of `B`, row-major.
    values: Vec<F64x4>,
    /// Diagonal blocks of `B Bᵀ`, row-major; none for elliptic contacts.
    products: Vec<f64>,
    /// Entries of `y` of one block.
    y: Vec<F64x4>,
}

/// One block.
#[derive(Debug, Clone, Copy)]
struct Block {
    /// Index of the first row.
    row: usize,
    /// Number of rows, at most [`MAX_ROWS`].
    rows: usize,
    /// Index of the first SIMD vector of columns.
    cols: usize,
    /// Number of SIMD vectors of columns.
    len: usize,
    /// Index of the first SIMD vector of values.
    values: usize,
    /// Index of the first entry in `products`.
    products: usize,
    /// Whether the rows belong to an elliptic contact.
    is_cone: bool,
    /// First columns of the two points of a single row, as the edges of flexes have.
    points: Option<[usize; 2]>,
}

impl DualBlocks {
    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        heap_bytes!(self.blocks, self.cols, self.values, self.products, self.y)
    }

    /// Divides the rows of a well-formed problem into blocks and copies the rows of `B`. Returns whether all rows of
    /// each elliptic contact have the same columns; otherwise there are no blocks.
    pub(crate) fn build(
        &mut self,
        problem: &Problem<'_>,
        row_blocks: &[RowBlock],
        dual: &Dual,
    ) -> bool {
        self.blocks.clear();
        self.cols.clear();
        self.values.clear();
        self.products.clear();
        let padding = problem.nv() as u32;
        let mut contacts = problem.contacts.iter();
        let mut longest = 0;
        for of_same_columns in row_blocks {
            let first_cols = self.cols.len();
            let (_, columns) = dual.row(of_same_columns.row);
            self.cols.extend(columns.chunks(4).map(|chunk| {
                let mut padded = [padding; 4];
                padded[..chunk.len()].copy_from_slice(chunk);
                padded
            }));
            let len = self.cols.len() - first_cols;
            longest = longest.max(len);
            let mut rows = of_same_columns.range();
            while !rows.is_empty() {
                let row = rows.start;
                let is_cone = problem.rows.kind[row] == ConstraintType::ContactElliptic;
                let count = if is_cone {
                    match contacts.by_ref().find(|contact| contact.row >= row) {
                        Some(c) if c.row == row && c.dim <= rows.len() => c.dim,
                        _ => return false,
                    }
                } else {
                    scalar_rows(problem, rows.clone())
                };
                self.push(row..row + count, first_cols, len, is_cone, dual);
                rows.start += count;
            }
        }
        self.y.clear();
        self.y.resize(longest, [0.0; 4]);
        true
    }

    /// Appends a block with its rows of `B`.
    fn push(&mut self, rows: Range<usize>, cols: usize, len: usize, is_cone: bool, dual: &Dual) {
        let Self { blocks, values, products, .. } = self;
        let is_single = rows.len() == 1;
        let points = is_single.then(|| dual.points(rows.start)).flatten();
        blocks.push(Block {
            row: rows.start,
            rows: rows.len(),
            cols,
            len,
            values: values.len(),
            products: products.len(),
            is_cone,
            points,
        });
        if is_single {
            // visited in `B` itself
            return;
        }
        for (values_of_row, _) in rows.clone().map(|row| dual.row(row)) {
            let (whole, rest) = values_of_row.as_chunks::<4>();
            values.extend_from_slice(whole);
            if !rest.is_empty() {
                values.push(pad(rest));
            }
        }
        if !is_cone {
            for row in rows.clone() {
                products.extend(rows.clone().map(|other| dual.a_entry(row, other)));
            }
        }
    }
}

/// Number of rows of the next block, which does not belong to an elliptic contact, of rows with the same columns.
fn scalar_rows(problem: &Problem<'_>, rows: Range<usize>) -> usize {
    let is_scalar = |&i: &usize| problem.rows.kind[i] != ConstraintType::ContactElliptic;
    let count = rows.take(MAX_ROWS + 1).take_while(is_scalar).count();
    if count > MAX_ROWS { ROWS } else { count }
}

/// One sweep over all rows in order. Returns the decrease of the cost.
pub(crate) fn sweep(
    problem: &Problem<'_>,
    force: &mut [f64],
    dual: &mut Dual,
    blocks: &mut DualBlocks,
) -> f64 {
    dispatch!(sweep_blocks(problem: &Problem<'_>, force: &mut [f64], dual: &mut Dual, blocks: &mut DualBlocks) -> f64)
}

#[inline(always)]
fn sweep_blocks(
    problem: &Problem<'_>,
    force: &mut [f64],
    dual: &mut Dual,
    blocks: &mut DualBlocks,
) -> f64 {
    let DualBlocks { blocks, cols, values, products, y } = blocks;
    let mut improvement = 0.0;
    let mut contact = 0;
    for block in &*blocks {
        if block.rows == 1 {
            improvement += match block.points {
                Some(points) => dual.update_points(block.row, points, &mut force[block.row]),
                None => update_single(block.row, force, dual),
            };
            continue;
        }
        let cols = &cols[block.cols..][..block.len];
        let y = &mut y[..block.len];
        if block.is_cone {
            while problem.contacts[contact].row < block.row {
                contact += 1;
            }
        }
        let mut update = Update {
            problem,
            dual,
            row: block.row,
            r: &problem.rows.r[block.row..block.row + block.rows],
            contact: block.is_cone.then_some(contact),
            values: &values[block.values..][..block.rows * block.len],
            products: &products[block.products..],
            cols,
            y,
        };
        let force = &mut force[block.row..block.row + block.rows];
        // loops of constant length are unrolled
        let (decrease, changed) = match block.rows {
            2 => update.run::<2, 1>(force),
            3 => update.run::<3, 2>(force),
            4 => update.run::<4, 3>(force),
            5 => update.run::<5, 4>(force),
            _ => update.run::<6, 5>(force),
        };
        improvement += decrease;
        if changed {
            for (y, cols) in y.iter().zip(cols) {
                for (y, &c) in y.iter().zip(cols) {
                    dual.y[c as usize] = *y;
                }
            }
        }
    }
    improvement
}

/// The update of one block.
struct Update<'a> {
    problem: &'a Problem<'a>,
    dual: &'a Dual,
    /// Index of the first row.
    row: usize,
    /// Regularisation of the rows.
    r: &'a [f64],
    /// Index of the contact, if it is elliptic.
    contact: Option<usize>,
    values: &'a [F64x4],
    products: &'a [f64],
    cols: &'a [[u32; 4]],
    /// Entries of `y` in these columns.
    y: &'a mut [F64x4],
}

impl Update<'_> {
    /// Updates `N` forces, of an elliptic contact one of them normal and `FRICTION` tangential, and `y`. Returns the decrease of the cost, and whether a force changed.
    #[inline(always)]
    fn run<const N: usize, const FRICTION: usize>(&mut self, force: &mut [f64]) -> (f64, bool) {
        let Some((r, force)) = rows_of::<N>(self.r, force, 0) else { return (0.0, false) };
        let len = self.y.len();
        let rows: [&[F64x4]; N] = std::array::from_fn(|k| &self.values[k * len..(k + 1) * len]);
        let mut sums = [[0.0; 4]; MAX_ROWS];
        for (t, (copy, cols)) in self.y.iter_mut().zip(self.cols).enumerate() {
            let y = cols.map(|c| self.dual.y[c as usize]);
            *copy = y;
            for k in 0..N {
                sums[k] = mul_add4(sums[k], rows[k][t], y);
            }
        }
        let products = sum_four(&[sums[0], sums[1], sums[2], sums[3]]);
        let more = if N > 4 { sum_four(&[sums[4], sums[5], [0.0; 4], [0.0; 4]]) } else { [0.0; 4] };
        let b = &self.dual.b[self.row..self.row + N];
        let mut residual =
            std::array::from_fn(|k| b[k] + if k < 4 { products[k] } else { more[k - 4] });
        let (delta, decrease) = match self.contact {
            Some(contact) => {
                let block = &self.dual.blocks[contact];
                let contact = &self.problem.contacts[contact];
                let (delta, change) =
                    update_cone::<N, FRICTION>(contact, block, r, force, &residual);
                (delta, -change)
            }
            None => self.update_rows(force, &mut residual),
        };
        if delta == [0.0; N] {
            return (decrease, false);
        }
        for (t, y) in self.y.iter_mut().enumerate() {
            let mut sum = *y;
            for k in 0..N {
                sum = axpy4(sum, rows[k][t], delta[k]);
            }
            *y = sum;
        }
        (decrease, true)
    }

    /// Updates the forces of rows that do not belong to an elliptic contact, one after the other. Returns their
    /// changes and the decrease of the cost.
    #[inline(always)]
    fn update_rows<const N: usize>(
        &self,
        force: &mut [f64; N],
        residual: &mut [f64; N],
    ) -> ([f64; N], f64) {
        let products = &self.products[..N * N];
        let (mut delta, mut decrease) = ([0.0; N], 0.0);
        for k in 0..N {
            let change;
            (delta[k], change) =
                update_row(&self.dual.scalars[self.row + k], &mut force[k], residual[k]);
            decrease -= change;
            for j in k + 1..N {
                residual[j] += products[k * N + j] * delta[k];
            }
        }
        (delta, decrease)
    }
}
