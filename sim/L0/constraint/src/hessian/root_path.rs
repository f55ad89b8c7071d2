//! `Lᵀ D L` factorisation in which the row of a dof stores its complete root path in the
//! elimination tree; dofs are eliminated from the last to the first.
//!
//! The index of an entry in its row is the depth of its column, so that all inner loops access
//! memory contiguously; vectors are processed in a buffer along the current root path. Rows are
//! padded to whole SIMD vectors; the padding is undefined until the row is eliminated and zero
//! afterwards. A dense matrix is the special case of a single path.

use super::elimination_tree::EliminationTree;
use super::path_rows::{MAX_SHORT_ROWS, PathRows, ShortRows};
use super::{MIN_PIVOT_RATIO, is_in_cone, mul_cone};
use crate::jacobian::RowBlock;
use crate::problem::{Inertia, Problem, Rows};
use crate::vector::{F64x4, axpy4, copy_padded, heap_bytes, mul_add4, resize_to, sum4};
use sim_simd::dispatch;
use sim_types::{ConstraintState, MINVAL};
use std::ops::Range;

/// Entries of a SIMD vector.
const LANES: usize = 4;

/// Runs an expression for the values and the weight `D` of each quadratic row of a block. A macro, because a
/// closure that is not inlined is compiled without the vector instructions.
macro_rules! for_each_quadratic {
    ($block:ident, $problem:ident, $state:ident, |$values:ident, $d:ident| $body:expr) => {
        let rows = $block.values($problem).chunks_exact($block.len);
        for (($values, &$d), &state) in rows.zip(&$problem.rows.d[$block.range()]).zip($state) {
            if state == ConstraintState::Quadratic {
                $body;
            }
        }
    };
}

/// Symmetric matrix stored along the root paths of its elimination tree, and its factor.
#[derive(Debug, Default)]
pub(super) struct RootPathFactor {
    pub tree: EliminationTree,
    /// The arrays below match the tree.
    valid: bool,
    /// Address of the row of each dof, in vectors.
    rowadr: Vec<u32>,
    /// For each entry of each path, the row address of that dof.
    coladr: Vec<u32>,
    /// Matrix without cone terms.
    h: Vec<F64x4>,
    /// `h` with cone terms, overwritten by the factor.
    l: Vec<F64x4>,
    diag: Vec<f64>,
    diag_inv: Vec<f64>,
    /// Vector along a root path.
    buffer: Vec<F64x4>,
    path_rows: PathRows,
    /// Cost of a rank-one update that starts at a dof.
    update_cost: Vec<u32>,
}

impl RootPathFactor {
    /// Heap memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        heap_bytes!(
            self.rowadr,
            self.coladr,
            self.h,
            self.l,
            self.diag,
            self.diag_inv,
            self.buffer,
            self.update_cost
        ) + self.tree.bytes()
            + self.path_rows.bytes()
    }

    /// Resizes the arrays for the tree if it is new.
    pub(super) fn resize(&mut self, new: bool) {
        // the arrays are also out of date after problems that used the supernodal form
        if new || !self.valid {
            self.allocate();
        }
        self.valid = true;
    }

    /// Marks the arrays as out of date with the tree.
    pub(super) fn invalidate(&mut self) {
        self.valid = false;
    }

    fn allocate(&mut self) {
        self.tree.collect_paths();
        let n = self.tree.depth.len();
        let (mut adr, mut deepest) = (0, 0);
        self.rowadr.clear();
        self.update_cost.clear();
        for i in 0..n {
            let depth = self.tree.depth[i] as usize;
            deepest = deepest.max(depth);
            self.rowadr.push(adr);
            adr += (depth / LANES + 1) as u32;
            let parent = self.tree.parent(i).map_or(0, |p| self.update_cost[p]);
            self.update_cost.push(parent.saturating_add(20 + depth as u32 / 2));
        }
        self.coladr.clear();
        self.coladr.extend(self.tree.path.iter().map(|&c| self.rowadr[c as usize]));
        for v in [&mut self.h, &mut self.l] {
            v.resize(adr as usize, [0.0; LANES]);
        }
        resize_to(&mut self.diag, n);
        resize_to(&mut self.diag_inv, n);
        self.buffer.resize(deepest / LANES + 1, [0.0; LANES]);
    }

    pub(super) fn nnz(&self) -> usize {
        self.tree.path.len() + self.diag.len()
    }

    /// Cost of a rank-one update whose last column is this dof.
    pub(super) fn update_cost(&self, last: usize) -> u64 {
        u64::from(self.update_cost[last])
    }

    /// `h = M + Jᵀ D J` over the quadratic rows.
    pub(super) fn assemble(
        &mut self,
        problem: &Problem<'_>,
        row_blocks: &[RowBlock],
        state: &[ConstraintState],
    ) {
        let this = self;
        dispatch!(assemble(this: &mut RootPathFactor, problem: &Problem<'_>, row_blocks: &[RowBlock], state: &[ConstraintState]));
    }

    /// Adds the cone terms to the assembled matrix and factors it; without cone terms the assembled
    /// matrix is overwritten. Returns whether all pivots were positive.
    pub(super) fn factor(
        &mut self,
        problem: &Problem<'_>,
        state: &[ConstraintState],
        cones: Option<&[[f64; 36]]>,
    ) -> bool {
        let this = self;
        if let Some(cones) = cones {
            let this = &mut *this;
            this.l.copy_from_slice(&this.h);
            dispatch!(add_cones(this: &mut RootPathFactor, problem: &Problem<'_>, state: &[ConstraintState], cones: &[[f64; 36]]));
        } else {
            std::mem::swap(&mut this.h, &mut this.l);
        }
        dispatch!(factor(this: &mut RootPathFactor) -> bool)
    }

    /// Updates the factor for `H += weight j jᵀ`. Returns false if precision was lost; the factor
    /// is then invalid.
    pub(super) fn rank_one_update(&mut self, j: &[f64], cols: &[i32], weight: f64) -> bool {
        let this = self;
        dispatch!(rank_one_update(this: &mut RootPathFactor, j: &[f64], cols: &[i32], weight: f64) -> bool)
    }

    /// `x ← H⁻¹ x`.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        let this = self;
        dispatch!(solve(this: &mut RootPathFactor, x: &mut [f64]));
    }
}

#[inline(always)]
fn assemble(
    this: &mut RootPathFactor,
    problem: &Problem<'_>,
    row_blocks: &[RowBlock],
    state: &[ConstraintState],
) {
    let RootPathFactor { tree, rowadr, h, path_rows, .. } = this;
    add_inertia(tree, rowadr, &problem.inertia, h);
    for row_block in row_blocks {
        let len = row_block.len;
        let state = &state[row_block.range()];
        if len == 0 || !state.contains(&ConstraintState::Quadratic) {
            continue;
        }
        let cols = row_block.cols(problem);
        if len <= LANES && state.len() <= MAX_SHORT_ROWS {
            let mut rows = ShortRows::<1>::new();
            for_each_quadratic!(row_block, problem, state, |values, d| rows.push(values, d));
            rows.add_to(tree, rowadr, cols, h);
        } else if len <= 2 * LANES && state.len() <= MAX_SHORT_ROWS {
            let mut rows = ShortRows::<2>::new();
            for_each_quadratic!(row_block, problem, state, |values, d| rows.push(values, d));
            rows.add_to(tree, rowadr, cols, h);
        } else {
            let rows = state.iter().filter(|&&s| s == ConstraintState::Quadratic).count();
            path_rows.reset(tree, cols, rows);
            let mut row = 0;
            for_each_quadratic!(row_block, problem, state, |values, d| {
                path_rows.set_row(row, values, d);
                row += 1;
            });
            path_rows.add_to(tree, rowadr, cols, h);
        }
    }
}

/// Sets the matrix to the inertia.
#[inline(always)]
fn add_inertia(tree: &EliminationTree, rowadr: &[u32], inertia: &Inertia<'_>, h: &mut [F64x4]) {
    h.fill([0.0; LANES]);
    let n = rowadr.len();
    let depths = &tree.depth[..n];
    let (inertia_rowadr, rownnz) = (&inertia.rowadr[..n], &inertia.rownnz[..n]);
    for i in 0..n {
        let (adr, nnz) = (inertia_rowadr[i] as usize, rownnz[i] as usize);
        let target = &mut h[rowadr[i] as usize..][..depths[i] as usize / LANES + 1];
        let values = &inertia.m[adr..adr + nnz];
        if depths[i] as usize + 1 == nnz {
            copy_padded(values, target);
        } else {
            let target = target.as_flattened_mut();
            for (&value, &c) in values.iter().zip(&inertia.colind[adr..adr + nnz]) {
                target[depths[c as usize] as usize] = value;
            }
        }
    }
}

/// Adds `Jᵀ C J` for each contact in the middle zone, with its cone Hessian `C`.
#[inline(always)]
fn add_cones(
    this: &mut RootPathFactor,
    problem: &Problem<'_>,
    state: &[ConstraintState],
    cones: &[[f64; 36]],
) {
    let RootPathFactor { tree, rowadr, l, path_rows, .. } = this;
    // a closure would be compiled without the vector instructions
    for (contact, cone) in problem.contacts.iter().zip(cones) {
        if !is_in_cone(problem, state, contact) {
            continue;
        }
        let jacobian = &problem.rows;
        let len = jacobian.rownnz[contact.row] as usize;
        let cols = &jacobian.colind[jacobian.rowadr[contact.row] as usize..][..len];
        let range = contact.row..contact.row + contact.dim;
        match len.div_ceil(LANES) {
            1 => add_cone::<1>(tree, rowadr, cone, jacobian, range, l),
            2 => add_cone::<2>(tree, rowadr, cone, jacobian, range, l),
            3 => add_cone::<3>(tree, rowadr, cone, jacobian, range, l),
            4 => add_cone::<4>(tree, rowadr, cone, jacobian, range, l),
            _ => {
                path_rows.reset(tree, cols, contact.dim);
                for (row, k) in range.enumerate() {
                    let adr = jacobian.rowadr[k] as usize;
                    path_rows.set_row(row, &jacobian.j[adr..][..len], 1.0);
                }
                mul_cone(cone, contact.dim, &path_rows.left, &mut path_rows.right);
                path_rows.add_to(tree, rowadr, cols, l);
            }
        }
    }
}

/// Adds `Jᵀ C J` for one contact with at most `LANES * S` columns.
#[inline(always)]
fn add_cone<const S: usize>(
    tree: &EliminationTree,
    rowadr: &[u32],
    cone: &[f64; 36],
    jacobian: &Rows<'_>,
    range: Range<usize>,
    l: &mut [F64x4],
) {
    let (adr, len) = (jacobian.rowadr[range.start] as usize, jacobian.rownnz[range.start] as usize);
    let cols = &jacobian.colind[adr..][..len];
    let mut rows = ShortRows::<S>::new();
    for k in range {
        rows.push(&jacobian.j[jacobian.rowadr[k] as usize..][..len], 1.0);
    }
    rows.add_cone_to(cone, tree, rowadr, cols, l);
}

/// `y += a x` in whole vectors.
#[inline(always)]
fn add_lanes(y: &mut [F64x4], x: &[F64x4], a: f64) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = axpy4(*y, *x, a);
    }
}

/// [`add_lanes`] for a compile-time number of vectors.
#[inline(always)]
fn add_some<const N: usize>(y: &mut [F64x4], x: &[F64x4; N], a: f64) {
    if let Some(y) = y.first_chunk_mut::<N>() {
        for k in 0..N {
            y[k] = axpy4(y[k], x[k], a);
        }
    }
}

/// Subtracts multiples of a row from the rows of up to four ancestors at depths in vector `N - 1`.
#[inline(always)]
fn eliminate<const N: usize>(above: &mut [F64x4], row: &[F64x4], adr: &[u32], inverse: f64) {
    if let Some(row) = row.first_chunk::<N>() {
        for (lane, &adr) in adr.iter().enumerate().take(LANES) {
            add_some(&mut above[adr as usize..], row, -(row[N - 1][lane & 3] * inverse));
        }
    }
}

#[inline(always)]
fn factor(this: &mut RootPathFactor) -> bool {
    let RootPathFactor { tree, rowadr, coladr, l, diag, diag_inv, .. } = this;
    let mut good = true;
    for k in (0..diag.len()).rev() {
        let depth = tree.depth[k] as usize;
        let (above, row) = l.split_at_mut(rowadr[k] as usize);
        let row = &mut row[..depth / LANES + 1];
        let last = &mut row[depth / LANES];
        let pivot = last[depth % LANES];
        last[depth % LANES..].fill(0.0);
        let bad = pivot.is_nan() || pivot < MINVAL;
        good &= !bad;
        let pivot = if bad { MINVAL } else { pivot };
        let inverse = 1.0 / pivot;
        (diag[k], diag_inv[k]) = (pivot, inverse);
        let adr = &coladr[tree.pathadr[k] as usize..][..depth];
        for (block, adr) in adr.chunks(LANES).enumerate() {
            match block {
                0 => eliminate::<1>(above, row, adr, inverse),
                1 => eliminate::<2>(above, row, adr, inverse),
                2 => eliminate::<3>(above, row, adr, inverse),
                3 => eliminate::<4>(above, row, adr, inverse),
                4 => eliminate::<5>(above, row, adr, inverse),
                5 => eliminate::<6>(above, row, adr, inverse),
                _ => {
                    let row = &row[..block + 1];
                    for (lane, &adr) in adr.iter().enumerate() {
                        let target = &mut above[adr as usize..][..block + 1];
                        add_lanes(target, row, -(row[block][lane & 3] * inverse));
                    }
                }
            }
        }
        for lane in row.as_flattened_mut() {
            *lane *= inverse;
        }
    }
    good
}

#[inline(always)]
fn solve(this: &mut RootPathFactor, x: &mut [f64]) {
    let RootPathFactor { tree, rowadr, l, diag_inv, buffer, .. } = this;
    let n = diag_inv.len();
    // x ← L⁻ᵀ x; the buffer holds x along the root path of the current dof
    if n > 0 {
        load(tree, n - 1, 0, x, buffer);
    }
    let mut value = if n > 0 { x[n - 1] } else { 0.0 };
    for k in (0..n).rev() {
        let depth = tree.depth[k] as usize;
        let lanes = depth / LANES + 1;
        let row = &l[rowadr[k] as usize..][..lanes];
        let buffer = &mut buffer[..];
        x[k] = value;
        if tree.parent(k) == Some(k.wrapping_sub(1)) {
            // computed first and separately: the next iteration depends on this value only
            let (lane, at) = ((depth - 1) / LANES, (depth - 1) % LANES);
            let next = buffer[lane][at] + -value * row[lane][at];
            add_lanes(&mut buffer[..lanes], row, -value);
            value = next;
        } else if k > 0 {
            add_lanes(&mut buffer[..lanes], row, -value);
            let shared_prefix = tree.shared_prefix[k] as usize;
            for (level, &a) in tree.ancestors(k).iter().enumerate().skip(shared_prefix) {
                x[a as usize] = buffer[level / LANES][level % LANES];
            }
            load(tree, k - 1, shared_prefix, x, buffer);
            let depth = tree.depth[k - 1] as usize;
            value = buffer[depth / LANES][depth % LANES];
        }
    }
    // x ← L⁻¹ D⁻¹ x
    let mut latest = 0.0;
    for k in 0..n {
        let depth = tree.depth[k] as usize;
        let lanes = depth / LANES + 1;
        let shared_prefix = tree.shared_prefix[k] as usize;
        for (level, &a) in tree.ancestors(k).iter().enumerate().skip(shared_prefix) {
            buffer[level / LANES][level % LANES] = x[a as usize];
        }
        let row = &l[rowadr[k] as usize..][..lanes];
        let buffer = &mut buffer[..lanes];
        let rest = x[k] * diag_inv[k] - product(row, buffer, depth.saturating_sub(LATEST));
        // the most recent values enter last, to shorten the dependency chain
        let (row, known) = (row.as_flattened(), buffer.as_flattened());
        let value = match depth {
            0 => rest,
            1 => rest - row[0] * known[0],
            _ => {
                let follows = tree.parent(k) == Some(k.wrapping_sub(1));
                let parent = if follows { latest } else { known[depth - 1] };
                rest - row[depth - 2] * known[depth - 2] - row[depth - 1] * parent
            }
        };
        latest = value;
        x[k] = value;
        buffer[depth / LANES][depth % LANES] = value;
    }
}

/// Number of trailing path levels whose scalar stores may still be in the store buffer.
const FRESH: usize = 8;

/// Number of trailing path values that are excluded from the inner product.
const LATEST: usize = 2;

/// Inner product of a row and the buffer up to a depth. The last levels use scalar loads, because a
/// vector load after a scalar store of one of its elements stalls (store forwarding).
#[inline(always)]
fn product(row: &[F64x4], buffer: &[F64x4], depth: usize) -> f64 {
    let old = depth.saturating_sub(FRESH) / LANES;
    let mut sum = [0.0; LANES];
    for (l, b) in row[..old].iter().zip(&buffer[..old]) {
        sum = mul_add4(sum, *l, *b);
    }
    let row = &row.as_flattened()[old * LANES..depth];
    let buffer = &buffer.as_flattened()[old * LANES..depth];
    let (first, second) = row.split_at(row.len() / 2);
    let (first_x, second_x) = buffer.split_at(row.len() / 2);
    let (mut a, mut b) = (0.0, 0.0);
    for k in 0..first.len() {
        a += first[k] * first_x[k];
        b += second[k] * second_x[k];
    }
    if second.len() > first.len() {
        b += second[first.len()] * second_x[first.len()];
    }
    sum4(sum) + (a + b)
}

/// Loads entries of a vector along the root path of dof `k` into the buffer, starting at a level.
#[inline(always)]
fn load(tree: &EliminationTree, k: usize, level: usize, x: &[f64], buffer: &mut [F64x4]) {
    for (level, &a) in tree.ancestors(k).iter().enumerate().skip(level) {
        buffer[level / LANES][level % LANES] = x[a as usize];
    }
    let depth = tree.depth[k] as usize;
    buffer[depth / LANES][depth % LANES] = x[k];
}

#[inline(always)]
fn rank_one_update(this: &mut RootPathFactor, j: &[f64], cols: &[i32], mut weight: f64) -> bool {
    let RootPathFactor { tree, rowadr, l, diag, diag_inv, buffer, .. } = this;
    let Some(&last) = cols.last() else {
        return true;
    };
    buffer.fill([0.0; LANES]);
    for (&value, &c) in j.iter().zip(cols) {
        let depth = tree.depth[c as usize] as usize;
        buffer[depth / LANES][depth % LANES] = value;
    }
    let mut dof = Some(last as usize);
    while let Some(k) = dof {
        let depth = tree.depth[k] as usize;
        let p = buffer[depth / LANES][depth % LANES];
        dof = tree.parent(k);
        if p == 0.0 {
            continue;
        }
        let new = diag[k] + weight * p * p;
        if new.is_nan() || new < MINVAL || new < MIN_PIVOT_RATIO * diag[k] {
            return false;
        }
        let inverse = 1.0 / new;
        let beta = p * weight * inverse;
        weight *= diag[k] * inverse;
        (diag[k], diag_inv[k]) = (new, inverse);
        let lanes = depth / LANES + 1;
        // entries beyond the diagonal are zero and must stay zero
        buffer[depth / LANES][depth % LANES] = 0.0;
        for (l, b) in l[rowadr[k] as usize..][..lanes].iter_mut().zip(&mut buffer[..lanes]) {
            *b = axpy4(*b, *l, -p);
            *l = axpy4(*l, *b, beta);
        }
    }
    true
}
