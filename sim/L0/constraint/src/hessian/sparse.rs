//! The Hessian in blocks of dofs with equal rows, factored `Lᵀ D L` from the last place to the
//! first.
//!
//! Rows are filled up to whole vectors. What is beyond a row's diagonal is junk until the row is
//! eliminated, and zero from then on.

use super::pattern::{Block, LANES, NONE, Pattern};
use super::spread::{Terms, spread};
use super::{LOSS, each_cone, multiply};
use crate::group::Run;
use crate::problem::Problem;
use crate::vector::{Lane, fit, held, lane_product, lane_scaled, lane_sum};
use sim_simd::dispatch;
use sim_types::{ConstraintState, MINVAL};

/// A sparse symmetric matrix and its factor.
#[derive(Debug, Default)]
pub(super) struct Sparse {
    pub pattern: Pattern,
    /// The matrix without cones.
    h: Vec<Lane>,
    /// First `h` with cones, then its factor.
    l: Vec<Lane>,
    diag: Vec<f64>,
    diag_inv: Vec<f64>,
    /// A vector of all dofs, by place; zero between calls where a rank-one change needs it.
    dense: Vec<f64>,
    x: Vec<f64>,
    /// A vector along a block's row.
    buffer: Vec<Lane>,
    /// Rows to be added as a product, their partners and weights.
    left: Vec<Lane>,
    right: Vec<Lane>,
    weight: Vec<f64>,
    /// Four entries of each of a block's rows.
    four: Vec<Lane>,
}

impl Sparse {
    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        held!(
            self.h,
            self.l,
            self.diag,
            self.diag_inv,
            self.dense,
            self.x,
            self.buffer,
            self.left,
            self.right,
            self.weight,
            self.four
        ) + self.pattern.bytes()
    }

    /// Finds the pattern for a problem, and makes room for it.
    pub(super) fn find(&mut self, problem: &Problem<'_>, runs: &[Run]) {
        if !self.pattern.find(problem, runs) {
            return;
        }
        let n = problem.nv();
        self.h.resize(self.pattern.size, [0.0; LANES]);
        self.l.resize(self.pattern.size, [0.0; LANES]);
        for v in [&mut self.diag, &mut self.diag_inv, &mut self.x] {
            fit(v, n);
        }
        self.dense.clear();
        self.dense.resize(n, 0.0);
        let longest = self.pattern.blocks.iter().map(|block| block.stride).max().unwrap_or(0);
        self.buffer.resize(longest as usize, [0.0; LANES]);
    }

    pub(super) fn nnz(&self) -> usize {
        self.pattern.nnz
    }

    /// Cost of a rank-one change whose last column is this dof.
    pub(super) fn update_cost(&self, cols: &[i32]) -> u64 {
        let last = cols.iter().map(|&c| self.pattern.order.place[c as usize]).max();
        last.map_or(0, |last| {
            let block = self.pattern.block_of[last as usize];
            u64::from(self.pattern.blocks[block as usize].update_cost)
        })
    }

    /// `h = M + Jᵀ D J` over the quadratic rows.
    pub(super) fn assemble(
        &mut self,
        problem: &Problem<'_>,
        runs: &[Run],
        state: &[ConstraintState],
    ) {
        let this = self;
        dispatch!(assemble(this: &mut Sparse, problem: &Problem<'_>, runs: &[Run], state: &[ConstraintState]));
    }

    /// Adds the elliptic contacts in their middle zone to the assembled matrix, and factors. The
    /// matrix is lost if there are none.
    /// Returns whether all pivots were positive.
    pub(super) fn factor(
        &mut self,
        problem: &Problem<'_>,
        runs: &[Run],
        state: &[ConstraintState],
        cones: Option<&[[f64; 36]]>,
    ) -> bool {
        let this = self;
        if let Some(cones) = cones {
            let this = &mut *this;
            this.l.copy_from_slice(&this.h);
            dispatch!(add_cones(this: &mut Sparse, problem: &Problem<'_>, runs: &[Run], state: &[ConstraintState], cones: &[[f64; 36]]));
        } else {
            std::mem::swap(&mut this.h, &mut this.l);
        }
        dispatch!(factor(this: &mut Sparse) -> bool)
    }

    /// Follows `H += weight j jᵀ`. Returns false if accuracy was lost; the factor is then useless.
    pub(super) fn update(&mut self, j: &[f64], cols: &[i32], weight: f64) -> bool {
        let this = self;
        dispatch!(update(this: &mut Sparse, j: &[f64], cols: &[i32], weight: f64) -> bool)
    }

    /// `x ← H⁻¹ x`.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        let this = self;
        dispatch!(solve(this: &mut Sparse, x: &mut [f64]));
    }
}

#[inline(always)]
fn assemble(this: &mut Sparse, problem: &Problem<'_>, runs: &[Run], state: &[ConstraintState]) {
    let Sparse { pattern, h, left, weight, four, .. } = this;
    h.fill([0.0; LANES]);
    let inertia = &problem.inertia;
    let mut pos = pattern.inertia_pos.iter();
    let flat = h.as_flattened_mut();
    for (&adr, &nnz) in inertia.rowadr.iter().zip(inertia.rownnz) {
        for (&value, &pos) in inertia.m[adr as usize..(adr + nnz) as usize].iter().zip(&mut pos) {
            flat[pos as usize] = value;
        }
    }
    for (run, &shape) in runs.iter().zip(&pattern.shape) {
        let state = &state[run.range()];
        if run.len == 0 || !state.contains(&ConstraintState::Quadratic) {
            continue;
        }
        let from = pattern.from(shape as usize);
        left.clear();
        weight.clear();
        let rows = run.values(problem).chunks_exact(run.len);
        for ((row, &d), &state) in rows.zip(&problem.rows.d[run.range()]).zip(state) {
            if state == ConstraintState::Quadratic {
                pack(row, from, left);
                weight.push(d);
            }
        }
        let terms = Terms { left, right: left, weight, stride: run.len.div_ceil(LANES) };
        spread(pattern, pattern.shape_parts[shape as usize], &terms, four, h);
    }
}

/// Appends a row in the order of places, filled up with zeros to whole vectors.
#[inline(always)]
fn pack(row: &[f64], from: &[u32], out: &mut Vec<Lane>) {
    let (chunks, rest) = from.as_chunks::<LANES>();
    out.extend(chunks.iter().map(|from| from.map(|k| row[k as usize])));
    if !rest.is_empty() {
        let mut last = [0.0; LANES];
        for (last, &k) in last.iter_mut().zip(rest) {
            *last = row[k as usize];
        }
        out.push(last);
    }
}

/// Adds `Jᵀ H J` for each contact in its middle zone.
#[inline(always)]
fn add_cones(
    this: &mut Sparse,
    problem: &Problem<'_>,
    runs: &[Run],
    state: &[ConstraintState],
    cones: &[[f64; 36]],
) {
    let Sparse { pattern, l, left, right, weight, four, .. } = this;
    let rows = &problem.rows;
    let mut run = 0;
    each_cone(problem, state, cones, |contact, cone| {
        while runs[run].range().end <= contact.row {
            run += 1;
        }
        let shape = pattern.shape[run] as usize;
        left.clear();
        for k in contact.row..contact.row + contact.dim {
            let values = &rows.j[rows.rowadr[k] as usize..][..rows.rownnz[k] as usize];
            pack(values, pattern.from(shape), left);
        }
        multiply(cone, contact.dim, left, right);
        weight.clear();
        weight.resize(contact.dim, 1.0);
        let terms = Terms { left, right, weight, stride: runs[run].len.div_ceil(LANES) };
        spread(pattern, pattern.shape_parts[shape], &terms, four, l);
    });
}

#[inline(always)]
fn factor(this: &mut Sparse) -> bool {
    let Sparse { pattern, l, diag, diag_inv, weight, four, .. } = this;
    let mut good = true;
    for block in &pattern.blocks {
        let Block { first, width, outside, stride, adr, .. } = *block;
        let (first, width, outside) = (first as usize, width as usize, outside as usize);
        let (stride, adr) = (stride as usize, adr as usize);
        // blocks that are eliminated later lie behind
        let (own, behind) = l[adr..].split_at_mut(width * stride);
        for k in (0..width).rev() {
            let (above, row) = own.split_at_mut(k * stride);
            let row = &mut row[..stride];
            let at = outside + k;
            let pivot = row[at / LANES][at % LANES];
            row[at / LANES][at % LANES..].fill(0.0);
            row[at / LANES + 1..].fill([0.0; LANES]);
            let bad = pivot.is_nan() || pivot < MINVAL;
            good &= !bad;
            let pivot = if bad { MINVAL } else { pivot };
            let inverse = 1.0 / pivot;
            (diag[first + k], diag_inv[first + k]) = (pivot, inverse);
            for (j, target) in above.chunks_exact_mut(stride).enumerate() {
                let at = outside + j;
                let factor = -(row[at / LANES][at % LANES] * inverse);
                let lanes = at / LANES + 1;
                for (t, r) in target[..lanes].iter_mut().zip(&row[..lanes]) {
                    *t = lane_scaled(*t, *r, factor);
                }
            }
            for lane in &mut row[..at / LANES + 1] {
                *lane = lane_scaled([0.0; LANES], *lane, inverse);
            }
        }
        if outside > 0 {
            weight.clear();
            weight.extend(diag[first..first + width].iter().map(|d| -d));
            let terms = Terms { left: own, right: own, weight, stride };
            let shift = adr + width * stride;
            super::spread::spread_from(pattern, block.parts, &terms, four, behind, shift);
        }
    }
    good
}

#[inline(always)]
fn solve(this: &mut Sparse, out: &mut [f64]) {
    let Sparse { pattern, l, diag_inv, buffer, x, .. } = this;
    for (x, &dof) in x.iter_mut().zip(&pattern.order.dof) {
        *x = out[dof as usize];
    }
    for block in &pattern.blocks {
        let (rows, cols) = (block.rows(l), block.cols(&pattern.cols));
        let (stride, outside) = (block.stride as usize, block.outside as usize);
        let own = block.first as usize..(block.first + block.width) as usize;
        load(buffer, cols, &x[own.clone()], x);
        for (k, row) in rows.chunks_exact(stride).enumerate().rev() {
            let at = outside + k;
            let value = buffer[at / LANES][at % LANES];
            let lanes = at / LANES + 1;
            for (b, r) in buffer[..lanes].iter_mut().zip(&row[..lanes]) {
                *b = lane_scaled(*b, *r, -value);
            }
        }
        let buffer = buffer.as_flattened();
        for (&c, &value) in cols.iter().zip(buffer) {
            x[c as usize] = value;
        }
        x[own].copy_from_slice(&buffer[outside..outside + block.width as usize]);
    }
    for block in pattern.blocks.iter().rev() {
        let (rows, cols) = (block.rows(l), block.cols(&pattern.cols));
        let (stride, outside) = (block.stride as usize, block.outside as usize);
        let first = block.first as usize;
        load(buffer, cols, &[], x);
        for lane in &mut buffer.as_flattened_mut()[outside..stride * LANES] {
            *lane = 0.0;
        }
        for (k, row) in rows.chunks_exact(stride).enumerate() {
            let at = outside + k;
            let mut sum = [0.0; LANES];
            for (b, r) in buffer[..at / LANES + 1].iter().zip(row) {
                sum = lane_product(sum, *b, *r);
            }
            let value = x[first + k] * diag_inv[first + k] - lane_sum(sum);
            x[first + k] = value;
            buffer[at / LANES][at % LANES] = value;
        }
    }
    for (&x, &dof) in x.iter().zip(&pattern.order.dof) {
        out[dof as usize] = x;
    }
}

/// Lays a vector out along a block's row: the columns outside, then those in the block.
#[inline(always)]
fn load(buffer: &mut [Lane], cols: &[u32], own: &[f64], x: &[f64]) {
    let buffer = buffer.as_flattened_mut();
    for (b, &c) in buffer.iter_mut().zip(cols) {
        *b = x[c as usize];
    }
    buffer[cols.len()..cols.len() + own.len()].copy_from_slice(own);
}

#[inline(always)]
fn update(this: &mut Sparse, j: &[f64], cols: &[i32], mut weight: f64) -> bool {
    let Sparse { pattern, l, diag, diag_inv, dense, buffer, .. } = this;
    let mut last = 0;
    for (&value, &c) in j.iter().zip(cols) {
        let place = pattern.order.place[c as usize] as usize;
        dense[place] = value;
        last = last.max(place);
    }
    let mut index = if cols.is_empty() { NONE } else { pattern.block_of[last] };
    while let Some(block) = pattern.blocks.get(index as usize) {
        index = block.parent;
        let cols = block.cols(&pattern.cols);
        let (stride, outside) = (block.stride as usize, block.outside as usize);
        let first = block.first as usize;
        let own = first..first + block.width as usize;
        load(buffer, cols, &dense[own.clone()], dense);
        dense[own].fill(0.0);
        let rows = &mut l[block.adr as usize..][..block.width as usize * stride];
        for (k, row) in rows.chunks_exact_mut(stride).enumerate().rev() {
            let at = outside + k;
            let p = std::mem::take(&mut buffer[at / LANES][at % LANES]);
            // beyond the diagonal the row is zero and must stay so
            buffer[at / LANES][at % LANES..].fill(0.0);
            if p == 0.0 {
                continue;
            }
            let old = diag[first + k];
            let new = old + weight * p * p;
            if new.is_nan() || new < MINVAL || new < LOSS * old {
                dense.fill(0.0);
                return false;
            }
            let inverse = 1.0 / new;
            let beta = p * weight * inverse;
            weight *= old * inverse;
            (diag[first + k], diag_inv[first + k]) = (new, inverse);
            let lanes = at / LANES + 1;
            for (l, b) in row[..lanes].iter_mut().zip(&mut buffer[..lanes]) {
                *b = lane_scaled(*b, *l, -p);
                *l = lane_scaled(*l, *b, beta);
            }
        }
        for (&c, &value) in cols.iter().zip(buffer.as_flattened()) {
            dense[c as usize] = value;
        }
    }
    true
}

impl Block {
    #[inline(always)]
    fn rows<'a>(&self, l: &'a [Lane]) -> &'a [Lane] {
        &l[self.adr as usize..][..(self.width * self.stride) as usize]
    }

    #[inline(always)]
    fn cols<'a>(&self, all: &'a [u32]) -> &'a [u32] {
        &all[self.coladr as usize..(self.coladr + self.outside) as usize]
    }
}
