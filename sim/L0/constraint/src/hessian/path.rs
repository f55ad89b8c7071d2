//! The Hessian with a full row for the path of each dof in the elimination tree, factored
//! `Lᵀ D L` from the last dof to the first.
//!
//! An entry's place in its row is the depth of its column, so all loops run along memory, and a
//! vector is worked on in a buffer that holds it along the present path. Rows are filled up to
//! whole vectors. The filling is junk until a row is eliminated, and zero from then on. A dense
//! matrix is the case of a single path.

use super::elimination::Elimination;
use super::{LOSS, each_cone, multiply};
use crate::group::Run;
use crate::problem::Problem;
use crate::vector::{Lane, fit, held, lane_product, lane_scaled, lane_sum};
use sim_simd::dispatch;
use sim_types::{ConstraintState, MINVAL};

/// Entries of a vector.
const LANES: usize = 4;

/// A matrix on the paths of a tree, and its factor.
#[derive(Debug, Default)]
pub(super) struct Paths {
    pub tree: Elimination,
    /// The arrays below are those of the tree.
    listed: bool,
    /// Address of each dof's row, in vectors.
    rowadr: Vec<u32>,
    /// For each entry of each path: the address of that dof's row.
    coladr: Vec<u32>,
    /// The matrix without cones.
    h: Vec<Lane>,
    /// First `h` with cones, then its factor.
    l: Vec<Lane>,
    diag: Vec<f64>,
    diag_inv: Vec<f64>,
    /// A vector along a path.
    buffer: Vec<Lane>,
    /// Rows to be added as a product, their partners and weights.
    rows: Vec<Lane>,
    partners: Vec<Lane>,
    weight: Vec<f64>,
    /// Cost of a rank-one change that starts at a dof.
    update_cost: Vec<u32>,
}

impl Paths {
    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        held!(
            self.rowadr,
            self.coladr,
            self.h,
            self.l,
            self.diag,
            self.diag_inv,
            self.buffer,
            self.rows,
            self.partners,
            self.weight,
            self.update_cost
        ) + self.tree.bytes()
    }

    /// Makes room for the tree, which is found already.
    pub(super) fn resize(&mut self, new: bool) {
        // a large tree may have been given to the other form, and not been listed here
        if new || !self.listed {
            self.list();
        }
        self.listed = true;
    }

    /// The tree is another, and this form does not know it yet.
    pub(super) fn forget(&mut self) {
        self.listed = false;
    }

    fn list(&mut self) {
        self.tree.list_paths();
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
        fit(&mut self.diag, n);
        fit(&mut self.diag_inv, n);
        self.buffer.resize(deepest / LANES + 1, [0.0; LANES]);
    }

    pub(super) fn nnz(&self) -> usize {
        self.tree.path.len() + self.diag.len()
    }

    /// Cost of a rank-one change that starts at this dof.
    pub(super) fn update_cost(&self, last: usize) -> u64 {
        u64::from(self.update_cost[last])
    }

    /// `h = M + Jᵀ D J` over the quadratic rows.
    pub(super) fn assemble(
        &mut self,
        problem: &Problem<'_>,
        runs: &[Run],
        state: &[ConstraintState],
    ) {
        let this = self;
        dispatch!(assemble(this: &mut Paths, problem: &Problem<'_>, runs: &[Run], state: &[ConstraintState]));
    }

    /// Adds the elliptic contacts in their middle zone to the assembled matrix, and factors. The
    /// matrix is lost if there are none.
    /// Returns whether all pivots were positive.
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
            dispatch!(add_cones(this: &mut Paths, problem: &Problem<'_>, state: &[ConstraintState], cones: &[[f64; 36]]));
        } else {
            std::mem::swap(&mut this.h, &mut this.l);
        }
        dispatch!(factor(this: &mut Paths) -> bool)
    }

    /// Follows `H += weight j jᵀ`. Returns false if accuracy was lost; the factor is then useless.
    pub(super) fn update(&mut self, j: &[f64], cols: &[i32], weight: f64) -> bool {
        let this = self;
        dispatch!(update(this: &mut Paths, j: &[f64], cols: &[i32], weight: f64) -> bool)
    }

    /// `x ← H⁻¹ x`.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        let this = self;
        dispatch!(solve(this: &mut Paths, x: &mut [f64]));
    }
}

#[inline(always)]
fn assemble(this: &mut Paths, problem: &Problem<'_>, runs: &[Run], state: &[ConstraintState]) {
    let Paths { tree, rowadr, h, rows, weight, .. } = this;
    let inertia = &problem.inertia;
    h.fill([0.0; LANES]);
    for i in 0..rowadr.len() {
        let (adr, nnz) = (inertia.rowadr[i] as usize, inertia.rownnz[i] as usize);
        let depth = tree.depth[i] as usize;
        let target = &mut h[rowadr[i] as usize..][..depth / LANES + 1].as_flattened_mut();
        let values = &inertia.m[adr..adr + nnz];
        if depth + 1 == nnz {
            target[..nnz].copy_from_slice(values);
        } else {
            for (&value, &c) in values.iter().zip(&inertia.colind[adr..adr + nnz]) {
                target[tree.depth[c as usize] as usize] = value;
            }
        }
    }
    for run in runs {
        let len = run.len;
        let state = &state[run.range()];
        if len == 0 || !state.contains(&ConstraintState::Quadratic) {
            continue;
        }
        pack(run, problem, state, rows, weight);
        add_product(tree, rowadr, h, rows, rows, weight, run.cols(problem));
    }
}

/// Adds `Jᵀ H J` for each contact in its middle zone.
#[inline(always)]
fn add_cones(
    this: &mut Paths,
    problem: &Problem<'_>,
    state: &[ConstraintState],
    cones: &[[f64; 36]],
) {
    let Paths { tree, rowadr, l, rows, partners, weight, .. } = this;
    each_cone(problem, state, cones, |contact, cone| {
        let jacobian = &problem.rows;
        let len = jacobian.rownnz[contact.row] as usize;
        rows.clear();
        for k in contact.row..contact.row + contact.dim {
            push_row(&jacobian.j[jacobian.rowadr[k] as usize..][..len], rows);
        }
        multiply(cone, contact.dim, rows, partners);
        weight.clear();
        weight.resize(contact.dim, 1.0);
        let cols = &jacobian.colind[jacobian.rowadr[contact.row] as usize..][..len];
        add_product(tree, rowadr, l, rows, partners, weight, cols);
    });
}

/// Adds `Σ weight rowᵀ partner`, which is symmetric, to the rows and columns of the matrix.
#[inline(always)]
fn add_product(
    tree: &Elimination,
    rowadr: &[u32],
    h: &mut [Lane],
    rows: &[Lane],
    partners: &[Lane],
    weight: &[f64],
    cols: &[i32],
) {
    let len = cols.len();
    let Some(&last) = cols.last() else {
        return;
    };
    let whole = tree.depth[last as usize] as usize + 1 == len;
    for a in 0..len {
        let lanes = a / LANES + 1;
        let row = cols[a] as usize;
        if whole {
            let target = &mut h[rowadr[row] as usize..][..lanes];
            for chunk in 0..lanes {
                target[chunk] = gram(rows, partners, weight, len, a, chunk, target[chunk]);
            }
        } else {
            let end = tree.depth[row] as usize / LANES + 1;
            let target = h[rowadr[row] as usize..][..end].as_flattened_mut();
            for chunk in 0..lanes {
                let sum = gram(rows, partners, weight, len, a, chunk, [0.0; LANES]);
                for (&sum, &c) in sum.iter().zip(&cols[LANES * chunk..a + 1]) {
                    target[tree.depth[c as usize] as usize] += sum;
                }
            }
        }
    }
}

/// Copies the quadratic rows of a run, filled up with zeros to whole vectors, and their weights.
#[inline(always)]
fn pack(
    run: &Run,
    problem: &Problem<'_>,
    state: &[ConstraintState],
    rows: &mut Vec<Lane>,
    weight: &mut Vec<f64>,
) {
    rows.clear();
    weight.clear();
    let values = run.values(problem).chunks_exact(run.len);
    for ((row, &d), &state) in values.zip(&problem.rows.d[run.range()]).zip(state) {
        if state == ConstraintState::Quadratic {
            push_row(row, rows);
            weight.push(d);
        }
    }
}

#[inline(always)]
fn push_row(row: &[f64], rows: &mut Vec<Lane>) {
    let (chunks, rest) = row.as_chunks::<LANES>();
    rows.extend_from_slice(chunks);
    if !rest.is_empty() {
        let mut last = [0.0; LANES];
        last[..rest.len()].copy_from_slice(rest);
        rows.push(last);
    }
}

/// `start + Σ weight row(a) partner` over the rows, for one vector of columns.
#[inline(always)]
fn gram(
    rows: &[Lane],
    partners: &[Lane],
    weight: &[f64],
    len: usize,
    a: usize,
    chunk: usize,
    start: Lane,
) -> Lane {
    let mut sum = start;
    let stride = len.div_ceil(LANES);
    let pairs = rows.chunks_exact(stride).zip(partners.chunks_exact(stride));
    for ((row, partner), &weight) in pairs.zip(weight) {
        let factor = weight * row[a / LANES][a % LANES];
        sum = lane_scaled(sum, partner[chunk], factor);
    }
    sum
}

/// `y += a x`, vector by vector.
#[inline(always)]
fn add_lanes(y: &mut [Lane], x: &[Lane], a: f64) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = lane_scaled(*y, *x, a);
    }
}

/// As [`add_lanes`], for a known number of vectors.
#[inline(always)]
fn add_some<const N: usize>(y: &mut [Lane], x: &[Lane; N], a: f64) {
    if let Some(y) = y.first_chunk_mut::<N>() {
        for k in 0..N {
            y[k] = lane_scaled(y[k], x[k], a);
        }
    }
}

/// Subtracts a row from those of four ancestors, the last in vector `N - 1`.
#[inline(always)]
fn eliminate<const N: usize>(above: &mut [Lane], row: &[Lane], adr: &[u32], inverse: f64) {
    if let Some(row) = row.first_chunk::<N>() {
        for (lane, &adr) in adr.iter().enumerate().take(LANES) {
            add_some(&mut above[adr as usize..], row, -(row[N - 1][lane & 3] * inverse));
        }
    }
}

#[inline(always)]
fn factor(this: &mut Paths) -> bool {
    let Paths { tree, rowadr, coladr, l, diag, diag_inv, .. } = this;
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
fn solve(this: &mut Paths, x: &mut [f64]) {
    let Paths { tree, rowadr, l, diag_inv, buffer, .. } = this;
    let n = diag_inv.len();
    // x ← L⁻ᵀ x; the buffer has x along the path of the present dof
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
            // the next value is wanted first, so it does not wait for the rest of the vector
            let (lane, at) = ((depth - 1) / LANES, (depth - 1) % LANES);
            let next = buffer[lane][at] + -value * row[lane][at];
            add_lanes(&mut buffer[..lanes], row, -value);
            value = next;
        } else if k > 0 {
            add_lanes(&mut buffer[..lanes], row, -value);
            let common = tree.common[k] as usize;
            for (level, &a) in tree.ancestors(k).iter().enumerate().skip(common) {
                x[a as usize] = buffer[level / LANES][level % LANES];
            }
            load(tree, k - 1, common, x, buffer);
            let depth = tree.depth[k - 1] as usize;
            value = buffer[depth / LANES][depth % LANES];
        }
    }
    // x ← L⁻¹ D⁻¹ x
    let mut latest = 0.0;
    for k in 0..n {
        let depth = tree.depth[k] as usize;
        let lanes = depth / LANES + 1;
        let common = tree.common[k] as usize;
        for (level, &a) in tree.ancestors(k).iter().enumerate().skip(common) {
            buffer[level / LANES][level % LANES] = x[a as usize];
        }
        let row = &l[rowadr[k] as usize..][..lanes];
        let buffer = &mut buffer[..lanes];
        let rest = x[k] * diag_inv[k] - product(row, buffer, depth.saturating_sub(LATEST));
        // the latest values come last, so that little waits for them
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

/// Levels near the end of a path whose values may still be on their way to memory.
const FRESH: usize = 8;

/// Values of a path that are kept out of the inner product.
const LATEST: usize = 2;

/// Inner product of a row and the buffer, up to a depth. A value that was just stored alone cannot be read in a
/// vector without delay, so the last levels are read one by one.
#[inline(always)]
fn product(row: &[Lane], buffer: &[Lane], depth: usize) -> f64 {
    let old = depth.saturating_sub(FRESH) / LANES;
    let mut sum = [0.0; LANES];
    for (l, b) in row[..old].iter().zip(&buffer[..old]) {
        sum = lane_product(sum, *l, *b);
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
    lane_sum(sum) + (a + b)
}

/// Loads the buffer with a vector along the path to dof `k`, from a level on.
#[inline(always)]
fn load(tree: &Elimination, k: usize, level: usize, x: &[f64], buffer: &mut [Lane]) {
    for (level, &a) in tree.ancestors(k).iter().enumerate().skip(level) {
        buffer[level / LANES][level % LANES] = x[a as usize];
    }
    let depth = tree.depth[k] as usize;
    buffer[depth / LANES][depth % LANES] = x[k];
}

#[inline(always)]
fn update(this: &mut Paths, j: &[f64], cols: &[i32], mut weight: f64) -> bool {
    let Paths { tree, rowadr, l, diag, diag_inv, buffer, .. } = this;
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
        if new.is_nan() || new < MINVAL || new < LOSS * diag[k] {
            return false;
        }
        let inverse = 1.0 / new;
        let beta = p * weight * inverse;
        weight *= diag[k] * inverse;
        (diag[k], diag_inv[k]) = (new, inverse);
        let lanes = depth / LANES + 1;
        // beyond the path the row is zero and must stay so
        buffer[depth / LANES][depth % LANES] = 0.0;
        for (l, b) in l[rowadr[k] as usize..][..lanes].iter_mut().zip(&mut buffer[..lanes]) {
            *b = lane_scaled(*b, *l, -p);
            *l = lane_scaled(*l, *b, beta);
        }
    }
    true
}
