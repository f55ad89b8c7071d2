//! Supernodal `Lᵀ D L` factorisation of the Hessian in a fill-reducing ordering, eliminated from
//! the last permuted index to the first.
//!
//! Rows are padded to whole SIMD vectors. Entries beyond the diagonal are undefined until the row
//! is eliminated and zero afterwards.

use super::scatter::{OuterProducts, scatter};
use super::symbolic::{LANES, NONE, Supernode, Symbolic};
use super::{MIN_PIVOT_RATIO, is_in_cone, mul_cone};
use crate::jacobian::RowBlock;
use crate::problem::Problem;
use crate::vector::{F64x4, axpy4, heap_bytes, mul_add4, resize_to, sum4};
use sim_simd::dispatch;
use sim_types::{ConstraintState, MINVAL};

/// Sparse symmetric matrix in supernodal storage, and its factor.
#[derive(Debug, Default)]
pub(super) struct SupernodalFactor {
    pub symbolic: Symbolic,
    /// Matrix without cone terms.
    h: Vec<F64x4>,
    /// `h` with cone terms, overwritten by the factor.
    l: Vec<F64x4>,
    diag: Vec<f64>,
    diag_inv: Vec<f64>,
    /// Dense vector in permuted order for rank-one updates; zero between calls.
    dense: Vec<f64>,
    /// Right-hand side and solution in permuted order.
    x: Vec<f64>,
    /// Vector along the columns of a supernode.
    buffer: Vec<F64x4>,
    /// Left and right rows of a sum of weighted outer products.
    left: Vec<F64x4>,
    right: Vec<F64x4>,
    weight: Vec<f64>,
    /// Four weighted columns of the left rows.
    columns: Vec<F64x4>,
}

impl SupernodalFactor {
    /// Heap memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        heap_bytes!(
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
            self.columns
        ) + self.symbolic.bytes()
    }

    /// Symbolic factorisation, skipped if the sparsity is unchanged.
    pub(super) fn analyze(&mut self, problem: &Problem<'_>, row_blocks: &[RowBlock]) {
        if !self.symbolic.analyze(problem, row_blocks) {
            return;
        }
        let n = problem.nv();
        self.h.resize(self.symbolic.size, [0.0; LANES]);
        self.l.resize(self.symbolic.size, [0.0; LANES]);
        for v in [&mut self.diag, &mut self.diag_inv, &mut self.x] {
            resize_to(v, n);
        }
        self.dense.clear();
        self.dense.resize(n, 0.0);
        let longest =
            self.symbolic.supernodes.iter().map(|supernode| supernode.stride).max().unwrap_or(0);
        self.buffer.resize(longest as usize, [0.0; LANES]);
    }

    pub(super) fn nnz(&self) -> usize {
        self.symbolic.nnz
    }

    /// Cost of a rank-one update with these columns.
    pub(super) fn update_cost(&self, cols: &[i32]) -> u64 {
        let last = cols.iter().map(|&c| self.symbolic.ordering.iperm[c as usize]).max();
        last.map_or(0, |last| {
            let supernode = self.symbolic.supernode_of[last as usize];
            u64::from(self.symbolic.supernodes[supernode as usize].update_cost)
        })
    }

    /// `h = M + Jᵀ D J` over the quadratic rows.
    pub(super) fn assemble(
        &mut self,
        problem: &Problem<'_>,
        row_blocks: &[RowBlock],
        state: &[ConstraintState],
    ) {
        let this = self;
        dispatch!(assemble(this: &mut SupernodalFactor, problem: &Problem<'_>, row_blocks: &[RowBlock], state: &[ConstraintState]));
    }

    /// Adds the cone terms to the assembled matrix and factors it; without cone terms the assembled
    /// matrix is overwritten. Returns whether all pivots were positive.
    pub(super) fn factor(
        &mut self,
        problem: &Problem<'_>,
        row_blocks: &[RowBlock],
        state: &[ConstraintState],
        cones: Option<&[[f64; 36]]>,
    ) -> bool {
        let this = self;
        if let Some(cones) = cones {
            let this = &mut *this;
            this.l.copy_from_slice(&this.h);
            dispatch!(add_cones(this: &mut SupernodalFactor, problem: &Problem<'_>, row_blocks: &[RowBlock], state: &[ConstraintState], cones: &[[f64; 36]]));
        } else {
            std::mem::swap(&mut this.h, &mut this.l);
        }
        dispatch!(factor(this: &mut SupernodalFactor) -> bool)
    }

    /// Updates the factor for `H += weight j jᵀ`. Returns false if precision was lost; the factor
    /// is then invalid.
    pub(super) fn rank_one_update(&mut self, j: &[f64], cols: &[i32], weight: f64) -> bool {
        let this = self;
        dispatch!(rank_one_update(this: &mut SupernodalFactor, j: &[f64], cols: &[i32], weight: f64) -> bool)
    }

    /// `x ← H⁻¹ x`.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        let this = self;
        dispatch!(solve(this: &mut SupernodalFactor, x: &mut [f64]));
    }
}

#[inline(always)]
fn assemble(
    this: &mut SupernodalFactor,
    problem: &Problem<'_>,
    row_blocks: &[RowBlock],
    state: &[ConstraintState],
) {
    let SupernodalFactor { symbolic, h, left, weight, columns, .. } = this;
    h.fill([0.0; LANES]);
    let inertia = &problem.inertia;
    let mut pos = symbolic.inertia_pos.iter();
    let flat = h.as_flattened_mut();
    for (&adr, &nnz) in inertia.rowadr.iter().zip(inertia.rownnz) {
        for (&value, &pos) in inertia.m[adr as usize..(adr + nnz) as usize].iter().zip(&mut pos) {
            flat[pos as usize] = value;
        }
    }
    for (row_block, &row_pattern) in row_blocks.iter().zip(&symbolic.row_pattern) {
        let state = &state[row_block.range()];
        if row_block.len == 0 || !state.contains(&ConstraintState::Quadratic) {
            continue;
        }
        let permutation = symbolic.permutation(row_pattern as usize);
        left.clear();
        weight.clear();
        let rows = row_block.values(problem).chunks_exact(row_block.len);
        for ((row, &d), &state) in rows.zip(&problem.rows.d[row_block.range()]).zip(state) {
            if state == ConstraintState::Quadratic {
                push_permuted(row, permutation, left);
                weight.push(d);
            }
        }
        let terms =
            OuterProducts { left, right: left, weight, stride: row_block.len.div_ceil(LANES) };
        scatter(symbolic, symbolic.row_pattern_segments[row_pattern as usize], &terms, columns, h);
    }
}

/// Appends a row in permuted column order, zero-padded to whole vectors.
#[inline(always)]
fn push_permuted(row: &[f64], permutation: &[u32], out: &mut Vec<F64x4>) {
    let (chunks, rest) = permutation.as_chunks::<LANES>();
    out.extend(chunks.iter().map(|permutation| permutation.map(|k| row[k as usize])));
    if !rest.is_empty() {
        let mut last = [0.0; LANES];
        for (last, &k) in last.iter_mut().zip(rest) {
            *last = row[k as usize];
        }
        out.push(last);
    }
}

/// Adds `Jᵀ C J` for each contact in the middle zone, with its cone Hessian `C`.
#[inline(always)]
fn add_cones(
    this: &mut SupernodalFactor,
    problem: &Problem<'_>,
    row_blocks: &[RowBlock],
    state: &[ConstraintState],
    cones: &[[f64; 36]],
) {
    let SupernodalFactor { symbolic, l, left, right, weight, columns, .. } = this;
    let rows = &problem.rows;
    let mut row_block = 0;
    // a closure would be compiled without the vector instructions
    for (contact, cone) in problem.contacts.iter().zip(cones) {
        if !is_in_cone(problem, state, contact) {
            continue;
        }
        while row_blocks[row_block].range().end <= contact.row {
            row_block += 1;
        }
        let row_pattern = symbolic.row_pattern[row_block] as usize;
        left.clear();
        for k in contact.row..contact.row + contact.dim {
            let values = &rows.j[rows.rowadr[k] as usize..][..rows.rownnz[k] as usize];
            push_permuted(values, symbolic.permutation(row_pattern), left);
        }
        right.clear();
        right.resize(left.len(), [0.0; LANES]);
        mul_cone(cone, contact.dim, left, right);
        weight.clear();
        weight.resize(contact.dim, 1.0);
        let terms = OuterProducts {
            left,
            right,
            weight,
            stride: row_blocks[row_block].len.div_ceil(LANES),
        };
        scatter(symbolic, symbolic.row_pattern_segments[row_pattern], &terms, columns, l);
    }
}

#[inline(always)]
fn factor(this: &mut SupernodalFactor) -> bool {
    let SupernodalFactor { symbolic, l, diag, diag_inv, weight, columns, .. } = this;
    let mut good = true;
    for supernode in &symbolic.supernodes {
        let Supernode { first, width, outside, stride, adr, .. } = *supernode;
        let (first, width, outside) = (first as usize, width as usize, outside as usize);
        let (stride, adr) = (stride as usize, adr as usize);
        // supernodes that are eliminated later have higher addresses
        let (own, later) = l[adr..].split_at_mut(width * stride);
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
                    *t = axpy4(*t, *r, factor);
                }
            }
            for lane in &mut row[..at / LANES + 1] {
                *lane = axpy4([0.0; LANES], *lane, inverse);
            }
        }
        if outside > 0 {
            weight.clear();
            weight.extend(diag[first..first + width].iter().map(|d| -d));
            let terms = OuterProducts { left: own, right: own, weight, stride };
            let shift = adr + width * stride;
            super::scatter::scatter_from(
                symbolic,
                supernode.segments,
                &terms,
                columns,
                later,
                shift,
            );
        }
    }
    good
}

#[inline(always)]
fn solve(this: &mut SupernodalFactor, out: &mut [f64]) {
    let SupernodalFactor { symbolic, l, diag_inv, buffer, x, .. } = this;
    for (x, &dof) in x.iter_mut().zip(&symbolic.ordering.perm) {
        *x = out[dof as usize];
    }
    for supernode in &symbolic.supernodes {
        let (rows, cols) = (supernode.rows(l), supernode.cols(&symbolic.cols));
        let (stride, outside) = (supernode.stride as usize, supernode.outside as usize);
        let own = supernode.first as usize..(supernode.first + supernode.width) as usize;
        load(buffer, cols, &x[own.clone()], x);
        for (k, row) in rows.chunks_exact(stride).enumerate().rev() {
            let at = outside + k;
            let value = buffer[at / LANES][at % LANES];
            let lanes = at / LANES + 1;
            for (b, r) in buffer[..lanes].iter_mut().zip(&row[..lanes]) {
                *b = axpy4(*b, *r, -value);
            }
        }
        let buffer = buffer.as_flattened();
        for (&c, &value) in cols.iter().zip(buffer) {
            x[c as usize] = value;
        }
        x[own].copy_from_slice(&buffer[outside..outside + supernode.width as usize]);
    }
    for supernode in symbolic.supernodes.iter().rev() {
        let (rows, cols) = (supernode.rows(l), supernode.cols(&symbolic.cols));
        let (stride, outside) = (supernode.stride as usize, supernode.outside as usize);
        let first = supernode.first as usize;
        load(buffer, cols, &[], x);
        for lane in &mut buffer.as_flattened_mut()[outside..stride * LANES] {
            *lane = 0.0;
        }
        for (k, row) in rows.chunks_exact(stride).enumerate() {
            let at = outside + k;
            let mut sum = [0.0; LANES];
            for (b, r) in buffer[..at / LANES + 1].iter().zip(row) {
                sum = mul_add4(sum, *b, *r);
            }
            let value = x[first + k] * diag_inv[first + k] - sum4(sum);
            x[first + k] = value;
            buffer[at / LANES][at % LANES] = value;
        }
    }
    for (&x, &dof) in x.iter().zip(&symbolic.ordering.perm) {
        out[dof as usize] = x;
    }
}

/// Loads a vector along the columns of a supernode: those outside the diagonal block, then those of
/// the block.
#[inline(always)]
fn load(buffer: &mut [F64x4], cols: &[u32], own: &[f64], x: &[f64]) {
    let buffer = buffer.as_flattened_mut();
    for (b, &c) in buffer.iter_mut().zip(cols) {
        *b = x[c as usize];
    }
    buffer[cols.len()..cols.len() + own.len()].copy_from_slice(own);
}

#[inline(always)]
fn rank_one_update(this: &mut SupernodalFactor, j: &[f64], cols: &[i32], mut weight: f64) -> bool {
    let SupernodalFactor { symbolic, l, diag, diag_inv, dense, buffer, .. } = this;
    let mut last = 0;
    for (&value, &c) in j.iter().zip(cols) {
        let index = symbolic.ordering.iperm[c as usize] as usize;
        dense[index] = value;
        last = last.max(index);
    }
    let mut index = if cols.is_empty() { NONE } else { symbolic.supernode_of[last] };
    while let Some(supernode) = symbolic.supernodes.get(index as usize) {
        index = supernode.parent;
        let cols = supernode.cols(&symbolic.cols);
        let (stride, outside) = (supernode.stride as usize, supernode.outside as usize);
        let first = supernode.first as usize;
        let own = first..first + supernode.width as usize;
        load(buffer, cols, &dense[own.clone()], dense);
        dense[own].fill(0.0);
        let rows = &mut l[supernode.adr as usize..][..supernode.width as usize * stride];
        for (k, row) in rows.chunks_exact_mut(stride).enumerate().rev() {
            let at = outside + k;
            let p = std::mem::take(&mut buffer[at / LANES][at % LANES]);
            // entries beyond the diagonal are zero and must stay zero
            buffer[at / LANES][at % LANES..].fill(0.0);
            if p == 0.0 {
                continue;
            }
            let old = diag[first + k];
            let new = old + weight * p * p;
            if new.is_nan() || new < MINVAL || new < MIN_PIVOT_RATIO * old {
                dense.fill(0.0);
                return false;
            }
            let inverse = 1.0 / new;
            let beta = p * weight * inverse;
            weight *= old * inverse;
            (diag[first + k], diag_inv[first + k]) = (new, inverse);
            let lanes = at / LANES + 1;
            for (l, b) in row[..lanes].iter_mut().zip(&mut buffer[..lanes]) {
                *b = axpy4(*b, *l, -p);
                *l = axpy4(*l, *b, beta);
            }
        }
        for (&c, &value) in cols.iter().zip(buffer.as_flattened()) {
            dense[c as usize] = value;
        }
    }
    true
}

impl Supernode {
    #[inline(always)]
    fn rows<'a>(&self, l: &'a [F64x4]) -> &'a [F64x4] {
        &l[self.adr as usize..][..(self.width * self.stride) as usize]
    }

    #[inline(always)]
    fn cols<'a>(&self, all: &'a [u32]) -> &'a [u32] {
        &all[self.coladr as usize..(self.coladr + self.outside) as usize]
    }
}
