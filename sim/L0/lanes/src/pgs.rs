//! Projected Gauss–Seidel in all lanes (`mj_solPGS`) with warm start. Lanes that have converged are masked.
//!
//! With `M = Lᵀ D L` the matrix of the dual problem is `A = B Bᵀ`, `B = J L⁻¹ D^-½`. The sweeps maintain `y = Bᵀ f`. `B`
//! is stored along the frame of a contact; its edges are updated in their order by their block of `A + R`.

use crate::inertia;
use crate::plan::Plan;
use crate::solver::{add_force, mul_jac};
use crate::work::{Block, BlockKind, DOF_MASK, MAX_DOFS, State, Work};
use sim_simd::lanes::{Lanes, Mask};

/// An update that increases the cost by more than this is reverted.
const MAX_COST_INCREASE: f64 = 1e-10;

/// Buffers of the dual problem.
#[derive(Debug)]
pub(crate) struct Dual<V> {
    blocks: Vec<DualBlock>,
    /// Columns of the rows of `B`: those of `J` and all their ancestors.
    columns: Vec<u32>,
    values: Vec<V>,
    /// Diagonal blocks of `A + R`: lower triangles by rows, of the edges of a pyramid.
    a: Vec<V>,
    /// `R`, and the inverse of the diagonal of `A + R`; zero in lanes without the row.
    r: Vec<V>,
    inverse: Vec<V>,
    /// Forces of the rows.
    force: Vec<V>,
    /// `Bᵀ f`.
    y: Box<[V; MAX_DOFS]>,
    sqrt_diag_inv: Vec<V>,
}

/// Addresses of a block in [`Dual`].
#[derive(Debug, Clone, Copy)]
struct DualBlock {
    columns: (usize, usize),
    values: usize,
    a: usize,
}

impl<V: Lanes> Dual<V> {
    pub(crate) fn new() -> Self {
        Self {
            blocks: Vec::new(),
            columns: Vec::new(),
            values: Vec::new(),
            a: Vec::new(),
            r: Vec::new(),
            inverse: Vec::new(),
            force: Vec::new(),
            y: Box::new([V::zero(); MAX_DOFS]),
            sqrt_diag_inv: Vec::new(),
        }
    }
}

/// Reads the rows, the factor of `m`, `qacc_smooth` and `qacc_warmstart`. Writes `qacc`, `qfrc_constraint`.
#[inline(always)]
pub(crate) fn solve<V: Lanes>(plan: &Plan, s: &State<V>, w: &mut Work<V>) {
    let n = w.d.len();
    w.jar.resize(n, V::zero());
    w.jar_other.resize(n, V::zero());
    // b = J qacc_smooth − aref
    mul_jac(plan, &w.blocks, &w.jac, &w.qacc_smooth, &mut w.x, &mut w.jar_other);
    for (b, aref) in w.jar_other.iter_mut().zip(&w.aref) {
        *b -= *aref;
    }
    prepare(plan, w);
    start(plan, s, w);
    let scale = V::splat(plan.scale.unwrap_or(1.0));
    let tolerance = V::splat(plan.tolerance);
    let mut active = w.constrained;
    while w.iterations < plan.iterations && active.any() {
        let improvement = scale * sweep(active, w);
        w.iterations += 1;
        let finite = improvement.abs().le(V::splat(f64::MAX));
        active = active & !improvement.lt(tolerance) & finite;
    }
    finish(plan, w);
}

/// Computes `B`, the diagonal blocks of `A`, `R` and the inverse diagonal.
#[inline(always)]
fn prepare<V: Lanes>(plan: &Plan, w: &mut Work<V>) {
    let Work { dual, blocks, jac, d, ld, diag_inv, x, .. } = w;
    dual.blocks.clear();
    dual.columns.clear();
    dual.values.clear();
    dual.a.clear();
    dual.r.clear();
    dual.inverse.clear();
    dual.sqrt_diag_inv.clear();
    dual.sqrt_diag_inv.extend(diag_inv.iter().map(|inverse| inverse.sqrt()));
    for block in &*blocks {
        let mut closure = block.mask;
        for &c in &plan.columns[block.cols.0..block.cols.1] {
            closure |= plan.m_mask[c as usize];
        }
        let start = dual.columns.len();
        while closure != 0 {
            dual.columns.push(closure.trailing_zeros());
            closure &= closure - 1;
        }
        let columns = (start, dual.columns.len());
        let address = DualBlock { columns, values: dual.values.len(), a: dual.a.len() };
        dual.blocks.push(address);
        for r in 0..block.dim {
            push_row(plan, block, r, jac, ld, columns, x, dual);
        }
        push_diagonal(block, address, d, dual);
    }
}

/// Appends a row of `B`.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "parts of one structure that are borrowed separately")]
fn push_row<V: Lanes>(
    plan: &Plan,
    block: &Block,
    row: usize,
    jac: &[V],
    ld: &[V],
    columns: (usize, usize),
    x: &mut [V; MAX_DOFS],
    dual: &mut Dual<V>,
) {
    let closure = &dual.columns[columns.0..columns.1];
    for &c in closure {
        x[c as usize & DOF_MASK] = V::zero();
    }
    let cols = &plan.columns[block.cols.0..block.cols.1];
    let jac = &jac[block.jac + row * cols.len()..][..cols.len()];
    for (&c, value) in cols.iter().zip(jac) {
        x[c as usize & DOF_MASK] = *value;
    }
    for &c in closure.iter().rev() {
        let inertia = &plan.inertia[c as usize];
        let value = x[c as usize & DOF_MASK];
        let ancestors = &plan.m_colind[inertia.start..][..inertia.len - 1];
        for (l, &j) in ld[inertia.start..].iter().zip(ancestors) {
            x[j & DOF_MASK] -= *l * value;
        }
    }
    for &c in closure {
        dual.values.push(x[c as usize & DOF_MASK] * dual.sqrt_diag_inv[c as usize]);
    }
}

/// Appends the diagonal block of `A + R`, `R` and the inverse of the diagonal.
#[inline(always)]
fn push_diagonal<V: Lanes>(block: &Block, address: DualBlock, d: &[V], dual: &mut Dual<V>) {
    let (zero, one) = (V::zero(), V::splat(1.0));
    let (n, dim) = (address.columns.1 - address.columns.0, block.dim);
    // the block in the contact frame
    let mut frame = [[zero; 6]; 6];
    for i in 0..dim {
        for j in 0..=i {
            let rows = [i, j].map(|k| &dual.values[address.values + k * n..][..n]);
            let mut sum = zero;
            for (p, q) in rows[0].iter().zip(rows[1]) {
                sum += *p * *q;
            }
            (frame[i][j], frame[j][i]) = (sum, sum);
        }
    }
    for k in 0..block.nrow {
        let d = d[block.row + k];
        let mask = d.gt(zero);
        let r = (one / d.select(mask, one)).masked(mask);
        for j in 0..=k {
            let mut entry = frame[0][0];
            if block.kind == BlockKind::Pyramid {
                let ((p, mu), (q, nu)) = (edge::<V>(block, k), edge::<V>(block, j));
                entry = entry + mu * frame[p][0] + nu * (frame[0][q] + mu * frame[p][q]);
            }
            dual.a.push(if j == k { entry + r } else { entry });
        }
        let diagonal = dual.a[dual.a.len() - 1];
        dual.r.push(r);
        dual.inverse.push((one / diagonal).masked(mask));
    }
}

/// Tangent of an edge and its signed friction coefficient.
#[inline(always)]
fn edge<V: Lanes>(block: &Block, k: usize) -> (usize, V) {
    let axis = 1 + k / 2;
    let friction = block.friction[axis - 1];
    (axis, V::splat(if k.is_multiple_of(2) { friction } else { -friction }))
}

/// Force along the contact frame of the forces of all rows of a block.
#[inline(always)]
fn frame_force<V: Lanes>(block: &Block, rows: &[V]) -> [V; 6] {
    let mut force = [V::zero(); 6];
    if block.kind != BlockKind::Pyramid {
        force[0] = rows[0];
        return force;
    }
    for axis in 1..block.dim {
        let (plus, minus) = (rows[2 * axis - 2], rows[2 * axis - 1]);
        force[0] += plus + minus;
        force[axis] = V::splat(block.friction[axis - 1]) * (plus - minus);
    }
    force
}

/// Selects the starting point: the forces at `qacc_warmstart`, or zero if that has the lower cost.
#[inline(always)]
fn start<V: Lanes>(plan: &Plan, s: &State<V>, w: &mut Work<V>) {
    let zero = V::zero();
    w.dual.force.clear();
    w.dual.force.resize(w.d.len(), zero);
    w.dual.y.fill(zero);
    if !plan.warmstart {
        return;
    }
    mul_jac(plan, &w.blocks, &w.jac, &s.qacc_warmstart, &mut w.x, &mut w.jar);
    let Work { dual, blocks, d, jar, aref, jar_other: b, .. } = w;
    for block in &*blocks {
        for k in block.row..block.row + block.nrow {
            let jar = jar[k] - aref[k];
            let free = -(d[k] * jar);
            dual.force[k] = match block.kind {
                BlockKind::Equality => free,
                BlockKind::Friction => {
                    let bound = V::splat(block.friction[0]);
                    free.max(-bound).min(bound)
                }
                _ => free.masked(jar.lt(zero)),
            };
        }
    }
    for i in 0..blocks.len() {
        let rows = &dual.force[blocks[i].row..][..blocks[i].nrow];
        let force = frame_force(&blocks[i], rows);
        add_to_y(dual, i, &blocks[i], &force);
    }
    let (mut linear, mut quadratic) = (zero, zero);
    for y in &dual.y[..plan.nv] {
        quadratic += *y * *y;
    }
    for k in 0..dual.force.len() {
        let f = dual.force[k];
        quadratic += f * f * dual.r[k];
        linear += f * b[k];
    }
    let keep = !(linear + V::splat(0.5) * quadratic).gt(zero);
    dual.force.iter_mut().for_each(|f| *f = f.masked(keep));
    dual.y.iter_mut().for_each(|y| *y = y.masked(keep));
}

/// `y += Bᵀ force` for a force along the contact frame.
#[inline(always)]
fn add_to_y<V: Lanes>(dual: &mut Dual<V>, i: usize, block: &Block, force: &[V; 6]) {
    match block.dim {
        1 => add_rows::<V, 1>(dual, i, &[force[0]]),
        3 => add_rows::<V, 3>(dual, i, &[force[0], force[1], force[2]]),
        4 => add_rows::<V, 4>(dual, i, &[force[0], force[1], force[2], force[3]]),
        _ => add_rows::<V, 6>(dual, i, force),
    }
}

/// The `D` rows of `n` entries that `values` consists of.
#[inline(always)]
fn split_rows<V, const D: usize>(values: &[V], n: usize) -> [&[V]; D] {
    std::array::from_fn(|r| &values[r * n..][..n])
}

#[inline(always)]
fn add_rows<V: Lanes, const D: usize>(dual: &mut Dual<V>, i: usize, force: &[V; D]) {
    let DualBlock { columns, values, .. } = dual.blocks[i];
    let n = columns.1 - columns.0;
    let values = &dual.values[values..][..D * n];
    let rows = split_rows::<V, D>(values, n);
    for (k, &c) in dual.columns[columns.0..columns.1].iter().enumerate() {
        let y = &mut dual.y[c as usize & DOF_MASK];
        let mut sum = *y;
        for r in 0..D {
            sum += rows[r][k] * force[r];
        }
        *y = sum;
    }
}

/// `B y` of the rows of a block.
#[inline(always)]
fn products<V: Lanes, const D: usize>(dual: &Dual<V>, i: usize) -> [V; D] {
    let DualBlock { columns, values, .. } = dual.blocks[i];
    let n = columns.1 - columns.0;
    let values = &dual.values[values..][..D * n];
    let rows = split_rows::<V, D>(values, n);
    let columns = &dual.columns[columns.0..columns.1];
    // two sums: the latency of the additions would dominate
    let (mut even, mut odd) = ([V::zero(); D], [V::zero(); D]);
    let y = |k: usize| dual.y[columns[k] as usize & DOF_MASK];
    let mut k = 0;
    while k + 1 < n {
        let (first, second) = (y(k), y(k + 1));
        for r in 0..D {
            even[r] += rows[r][k] * first;
            odd[r] += rows[r][k + 1] * second;
        }
        k += 2;
    }
    if k < n {
        let last = y(k);
        for r in 0..D {
            even[r] += rows[r][k] * last;
        }
    }
    for r in 0..D {
        even[r] += odd[r];
    }
    even
}

/// `B y` of a single row.
#[inline(always)]
fn product<V: Lanes>(dual: &Dual<V>, i: usize) -> V {
    let DualBlock { columns, values, .. } = dual.blocks[i];
    let columns = &dual.columns[columns.0..columns.1];
    let values = &dual.values[values..][..columns.len()];
    // four sums: the latency of the additions would dominate
    let mut sums = [V::zero(); 4];
    let (values, rest) = values.as_chunks::<4>();
    let (columns, rest_columns) = columns.as_chunks::<4>();
    for (values, columns) in values.iter().zip(columns) {
        for k in 0..4 {
            sums[k] += values[k] * dual.y[columns[k] as usize & DOF_MASK];
        }
    }
    for (value, &column) in rest.iter().zip(rest_columns) {
        sums[0] += *value * dual.y[column as usize & DOF_MASK];
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// One sweep over all rows in order, in the active lanes. Returns the decrease of the cost.
#[inline(always)]
fn sweep<V: Lanes>(active: V::Mask, w: &mut Work<V>) -> V {
    let Work { dual, blocks, jar_other: b, .. } = w;
    let mut decrease = V::zero();
    let bits = active.bits();
    for (i, block) in blocks.iter().enumerate() {
        if block.lanes & bits == 0 {
            continue;
        }
        match (block.kind, block.dim) {
            (BlockKind::Pyramid, 3) => {
                sweep_edges::<V, 3, 4>(active, i, block, b, dual, &mut decrease)
            }
            (BlockKind::Pyramid, 4) => {
                sweep_edges::<V, 4, 6>(active, i, block, b, dual, &mut decrease)
            }
            (BlockKind::Pyramid, _) => {
                sweep_edges::<V, 6, 10>(active, i, block, b, dual, &mut decrease)
            }
            _ => sweep_row(active, i, block, b, dual, &mut decrease),
        }
    }
    decrease
}

/// Updates a single row.
#[inline(always)]
fn sweep_row<V: Lanes>(
    active: V::Mask,
    i: usize,
    block: &Block,
    b: &[V],
    dual: &mut Dual<V>,
    decrease: &mut V,
) {
    let row = block.row;
    let old = dual.force[row];
    let residual = product(dual, i) + b[row] + dual.r[row] * old;
    let mut new = old - residual * dual.inverse[row];
    match block.kind {
        BlockKind::Equality => {}
        BlockKind::Friction => {
            let bound = V::splat(block.friction[0]);
            new = new.max(-bound).min(bound);
        }
        _ => new = new.masked(!new.lt(V::zero())),
    }
    let delta = (new - old).masked(active);
    let change = cost_change(delta, residual, dual.a[dual.blocks[i].a]);
    let worse = change.gt(V::splat(MAX_COST_INCREASE));
    let delta = delta.masked(!worse);
    *decrease -= change.masked(!worse);
    if V::zero().lt(delta.abs()).any() {
        dual.force[row] = old + delta;
        add_rows::<V, 1>(dual, i, &[delta]);
    }
}

/// Change of the cost by a change of a force: `½ δ² A + δ residual`.
#[inline(always)]
fn cost_change<V: Lanes>(delta: V, residual: V, a: V) -> V {
    V::splat(0.5) * delta * delta * a + delta * residual
}

/// Updates the edges of a friction pyramid one after the other; `D` is the dimension of the contact, `E` the number of
/// edges.
///
/// The residuals of all edges are kept: a change of a force costs one dependent multiplication and addition per edge.
/// The test of the cost is not a part of this chain; if it fails in some lane, the block is updated again without the
/// changes that fail.
#[inline(always)]
fn sweep_edges<V: Lanes, const D: usize, const E: usize>(
    active: V::Mask,
    i: usize,
    block: &Block,
    b: &[V],
    dual: &mut Dual<V>,
    decrease: &mut V,
) {
    let u = products::<V, D>(dual, i);
    let a = &dual.a[dual.blocks[i].a..][..E * (E + 1) / 2];
    let rows = block.row..block.row + E;
    let (b, r) = (&b[rows.clone()], &dual.r[rows.clone()]);
    let (inverse, force) = (&dual.inverse[rows.clone()], &mut dual.force[rows]);
    let mut start = [V::zero(); E];
    for axis in 1..D {
        let tangent = V::splat(block.friction[axis - 1]) * u[axis];
        let (plus, minus) = (2 * axis - 2, 2 * axis - 1);
        start[plus] = u[0] + tangent + (b[plus] + r[plus] * force[plus]);
        start[minus] = u[0] - tangent + (b[minus] + r[minus] * force[minus]);
    }
    // edges whose change is rejected
    let mut rejected = [V::Mask::none(); E];
    loop {
        let mut residual = start;
        let mut deltas = [V::zero(); E];
        for k in 0..E {
            let new = force[k] - residual[k] * inverse[k];
            let new = new.masked(!new.lt(V::zero()));
            let delta = (new - force[k]).masked(active & !rejected[k]);
            for j in k + 1..E {
                residual[j] += a[j * (j + 1) / 2 + k] * delta;
            }
            deltas[k] = delta;
        }
        let mut total = V::zero();
        let (mut worse, mut changed) = (V::Mask::none(), V::Mask::none());
        for k in 0..E {
            let change = cost_change(deltas[k], residual[k], a[k * (k + 1) / 2 + k]);
            // only the first rejection of a lane is certain
            let here = change.gt(V::splat(MAX_COST_INCREASE)) & !worse;
            rejected[k] = rejected[k] | here;
            worse = worse | here;
            total += change;
            changed = changed | V::zero().lt(deltas[k].abs());
        }
        if worse.any() {
            continue;
        }
        *decrease -= total;
        if changed.any() {
            let mut frame = [V::zero(); D];
            for axis in 1..D {
                let (plus, minus) = (deltas[2 * axis - 2], deltas[2 * axis - 1]);
                frame[0] += plus + minus;
                frame[axis] = V::splat(block.friction[axis - 1]) * (plus - minus);
            }
            for k in 0..E {
                force[k] += deltas[k];
            }
            add_rows::<V, D>(dual, i, &frame);
        }
        return;
    }
}

/// Writes `qfrc_constraint = Jᵀ f` and `qacc = qacc_smooth + M⁻¹ qfrc_constraint`.
#[inline(always)]
fn finish<V: Lanes>(plan: &Plan, w: &mut Work<V>) {
    let Work { dual, blocks, jac, x, .. } = w;
    x.fill(V::zero());
    for block in &*blocks {
        let [f0, f1, f2, f3, f4, f5] = frame_force(block, &dual.force[block.row..][..block.nrow]);
        match block.dim {
            1 => add_force::<V, 1>(plan, block, jac, &[f0], x),
            3 => add_force::<V, 3>(plan, block, jac, &[f0, f1, f2], x),
            4 => add_force::<V, 4>(plan, block, jac, &[f0, f1, f2, f3], x),
            _ => add_force::<V, 6>(plan, block, jac, &[f0, f1, f2, f3, f4, f5], x),
        }
    }
    for i in 0..plan.nv {
        w.qfrc_constraint[i] = w.x[i];
        w.qacc[i] = w.x[i];
    }
    inertia::solve(plan, &w.ld, &w.diag_inv, &mut w.qacc);
    for (qacc, smooth) in w.qacc.iter_mut().zip(&w.qacc_smooth) {
        *qacc += *smooth;
    }
}

/// Force of a contact along its frame.
#[inline(always)]
pub(crate) fn contact_force<V: Lanes, const D: usize>(block: &Block, w: &Work<V>) -> [V; D] {
    let all = frame_force(block, &w.dual.force[block.row..][..block.nrow]);
    let mut force = [V::zero(); D];
    force.copy_from_slice(&all[..D]);
    force
}
