//! Projected Gauss–Seidel in all lanes (`mj_solPGS`) with warm start. Lanes that have converged are masked.
//!
//! With `M = Lᵀ D L` the matrix of the dual problem is `A = B Bᵀ`, `B = J L⁻¹ D^-½`. The sweeps maintain `y = Bᵀ f`. `B`
//! is stored along the frame of a contact; its edges are updated in their order by the block of `A` in this frame.

use crate::inertia;
use crate::plan::Plan;
use crate::solver::{add_force, mul_jac};
use crate::work::{Block, BlockKind, DOF_MASK, MAX_DOFS, State, Work};
use sim_simd::lanes::{Lanes, Mask};

/// An update that increases the cost by more than this is reverted.
const MAX_COST_INCREASE: f64 = 1e-10;

/// Largest number of edges of a contact.
const MAX_EDGES: usize = 10;

/// Buffers of the dual problem.
#[derive(Debug)]
pub(crate) struct Dual<V> {
    blocks: Vec<DualBlock>,
    /// Columns of the rows of `B`: those of `J` and all their ancestors.
    columns: Vec<u32>,
    values: Vec<V>,
    /// Diagonal blocks of `A` in the contact frame, row-major.
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

/// Appends the diagonal block of `A`, `R` and the inverse diagonal of `A + R` of each row.
#[inline(always)]
fn push_diagonal<V: Lanes>(block: &Block, address: DualBlock, d: &[V], dual: &mut Dual<V>) {
    let (zero, one) = (V::zero(), V::splat(1.0));
    let n = address.columns.1 - address.columns.0;
    let dim = block.dim;
    for i in 0..dim {
        for j in 0..dim {
            let rows = [i, j].map(|k| &dual.values[address.values + k * n..][..n]);
            let mut sum = zero;
            for (p, q) in rows[0].iter().zip(rows[1]) {
                sum += *p * *q;
            }
            dual.a.push(sum);
        }
    }
    for k in 0..block.nrow {
        let d = d[block.row + k];
        let mask = d.gt(zero);
        let r = (one / d.select(mask, one)).masked(mask);
        let diagonal = edge(block, k, &dual.a[address.a..][..dim * dim]).1;
        dual.r.push(r);
        dual.inverse.push((one / (diagonal + r)).masked(mask));
    }
}

/// The change of all frame residuals by a unit force of a row, `A e`, and the diagonal entry `eᵀ A e`.
#[inline(always)]
fn edge<V: Lanes>(block: &Block, k: usize, a: &[V]) -> ([V; 6], V) {
    let dim = block.dim;
    let mut column = [V::zero(); 6];
    if block.kind != BlockKind::Pyramid {
        column[0] = a[0];
        return (column, a[0]);
    }
    let axis = 1 + k / 2;
    let friction = block.friction[axis - 1];
    let mu = V::splat(if k.is_multiple_of(2) { friction } else { -friction });
    for c in 0..dim {
        column[c] = a[c * dim] + mu * a[c * dim + axis];
    }
    let diagonal = column[0] + mu * column[axis];
    (column, diagonal)
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
        1 => add_rows::<V, 1>(dual, i, force),
        3 => add_rows::<V, 3>(dual, i, force),
        4 => add_rows::<V, 4>(dual, i, force),
        _ => add_rows::<V, 6>(dual, i, force),
    }
}

#[inline(always)]
fn add_rows<V: Lanes, const D: usize>(dual: &mut Dual<V>, i: usize, force: &[V; 6]) {
    let DualBlock { columns, values, .. } = dual.blocks[i];
    let n = columns.1 - columns.0;
    let values = &dual.values[values..][..D * n];
    for (k, &c) in dual.columns[columns.0..columns.1].iter().enumerate() {
        let y = &mut dual.y[c as usize & DOF_MASK];
        let mut sum = *y;
        for r in 0..D {
            sum += values[r * n + k] * force[r];
        }
        *y = sum;
    }
}

/// `B y` of the rows of a block.
#[inline(always)]
fn products<V: Lanes, const D: usize>(dual: &Dual<V>, i: usize) -> [V; 6] {
    let DualBlock { columns, values, .. } = dual.blocks[i];
    let n = columns.1 - columns.0;
    let values = &dual.values[values..][..D * n];
    let mut sum = [V::zero(); 6];
    for (k, &c) in dual.columns[columns.0..columns.1].iter().enumerate() {
        let y = dual.y[c as usize & DOF_MASK];
        for r in 0..D {
            sum[r] += values[r * n + k] * y;
        }
    }
    sum
}

/// One sweep over all rows in order, in the active lanes. Returns the decrease of the cost.
#[inline(always)]
fn sweep<V: Lanes>(active: V::Mask, w: &mut Work<V>) -> V {
    let Work { dual, blocks, jar_other: b, .. } = w;
    let mut decrease = V::zero();
    for i in 0..blocks.len() {
        let block = &blocks[i];
        if block.lanes & active.bits() == 0 {
            continue;
        }
        let mut u = match block.dim {
            1 => products::<V, 1>(dual, i),
            3 => products::<V, 3>(dual, i),
            4 => products::<V, 4>(dual, i),
            _ => products::<V, 6>(dual, i),
        };
        let dim = block.dim;
        let a = &dual.a[dual.blocks[i].a..][..dim * dim];
        let mut deltas = [V::zero(); MAX_EDGES];
        let mut changed = V::Mask::none();
        for k in 0..block.nrow {
            let row = block.row + k;
            let (column, diagonal) = edge(block, k, a);
            let (old, r) = (dual.force[row], dual.r[row]);
            let product = edge_value(block, k, &u);
            let residual = product + b[row] + r * old;
            let mut new = old - residual * dual.inverse[row];
            match block.kind {
                BlockKind::Equality => {}
                BlockKind::Friction => {
                    let bound = V::splat(block.friction[0]);
                    new = new.max(-bound).min(bound);
                }
                _ => new = new.masked(!new.lt(V::zero())),
            }
            let delta = new - old;
            let change = V::splat(0.5) * delta * delta * (diagonal + r) + delta * residual;
            let take = active & !change.gt(V::splat(MAX_COST_INCREASE));
            let delta = delta.masked(take);
            decrease -= change.masked(take);
            dual.force[row] = new.select(take, old);
            for c in 0..dim {
                u[c] += column[c] * delta;
            }
            changed = changed | V::zero().lt(delta.abs());
            deltas[k] = delta;
        }
        if changed.any() {
            let force = frame_force(block, &deltas[..block.nrow]);
            add_to_y(dual, i, block, &force);
        }
    }
    decrease
}

/// Value of a row from those along the contact frame.
#[inline(always)]
fn edge_value<V: Lanes>(block: &Block, k: usize, u: &[V; 6]) -> V {
    if block.kind != BlockKind::Pyramid {
        return u[0];
    }
    let axis = 1 + k / 2;
    let tangent = V::splat(block.friction[axis - 1]) * u[axis % 6];
    if k.is_multiple_of(2) { u[0] + tangent } else { u[0] - tangent }
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
