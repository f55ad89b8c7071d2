//! Newton's method in all lanes (`mj_solNewton`) with warm start. Lanes that have converged are masked.

use crate::cone::{self, LineCone};
use crate::hessian;
use crate::inertia;
use crate::line_search::Line;
use crate::pgs;
use crate::plan::Plan;
use crate::work::{Block, BlockKind, DOF_MASK, MAX_DOFS, State, Weights, Work};
use sim_simd::lanes::{Lanes, Mask};
use sim_types::MINVAL;

/// Reads the rows, `m`, `qfrc_smooth`, `qacc_smooth` and `qacc_warmstart`. Writes `qacc`, `qfrc_constraint`.
#[inline(always)]
pub(crate) fn solve<V: Lanes>(plan: &Plan, s: &State<V>, w: &mut Work<V>) {
    w.iterations = 0;
    if w.blocks.is_empty() {
        w.qacc.copy_from_slice(&w.qacc_smooth);
        w.qfrc_constraint.fill(V::zero());
        return;
    }
    if plan.is_pgs {
        pgs::solve(plan, s, w);
        return;
    }
    resize(w);
    hessian::analyze(plan, w);
    w.live.clone_from(&w.blocks);
    hessian::set_inertia(plan, w);
    let scale = scale(plan, w);
    start(plan, s, w);
    newton(plan, scale, w);
}

#[inline(always)]
fn resize<V: Lanes>(w: &mut Work<V>) {
    let n = w.d.len();
    let zero = V::zero();
    w.jar.resize(n, zero);
    w.jar_other.resize(n, zero);
    w.jv.resize(n, zero);
    let mut entries = 0;
    for block in &mut w.blocks {
        block.weights = entries;
        entries += block.dim * (block.dim + 1) / 2;
    }
    w.weights.clear();
    w.weights.resize(entries, zero);
}

/// Scale of the convergence criteria.
#[inline(always)]
fn scale<V: Lanes>(plan: &Plan, w: &Work<V>) -> V {
    if let Some(scale) = plan.scale {
        return V::splat(scale);
    }
    // the smallest of the traces that scale the criteria of each tree
    let mut smallest = V::splat(f64::INFINITY);
    for dofs in &plan.trees {
        let mut trace = V::zero();
        for row in &plan.inertia[dofs.clone()] {
            trace += w.m[row.start + row.len - 1];
        }
        smallest = trace.min(smallest);
    }
    V::splat(1.0) / smallest
}

/// Selects the starting point: `qacc_warmstart` or `qacc_smooth`, whichever has the lower cost. Writes `qacc`, `ma`
/// and `jar`.
#[inline(always)]
fn start<V: Lanes>(plan: &Plan, s: &State<V>, w: &mut Work<V>) {
    mul_jac(plan, &w.blocks, &w.jac, &w.qacc_smooth, &mut w.x, &mut w.jar_other);
    for (jar, aref) in w.jar_other.iter_mut().zip(&w.aref) {
        *jar -= *aref;
    }
    if !plan.warmstart {
        w.qacc.copy_from_slice(&w.qacc_smooth);
        w.ma.copy_from_slice(&w.qfrc_smooth);
        w.jar.copy_from_slice(&w.jar_other);
        return;
    }
    w.qacc.copy_from_slice(&s.qacc_warmstart);
    mul_jac(plan, &w.blocks, &w.jac, &w.qacc, &mut w.x, &mut w.jar);
    for (jar, aref) in w.jar.iter_mut().zip(&w.aref) {
        *jar -= *aref;
    }
    inertia::mul(plan, &w.m, &w.qacc, &mut w.ma);
    let warmstart_cost = row_cost(&w.blocks, &w.d, &w.jar) + gauss_cost(w);
    let smooth_cost = row_cost(&w.blocks, &w.d, &w.jar_other);
    // an environment without rows does not depend on those of the others
    let use_warm = warmstart_cost.le(smooth_cost) & w.constrained;
    for (a, b) in w.qacc.iter_mut().zip(&w.qacc_smooth) {
        *a = a.select(use_warm, *b);
    }
    for (a, b) in w.ma.iter_mut().zip(&w.qfrc_smooth) {
        *a = a.select(use_warm, *b);
    }
    for (a, b) in w.jar.iter_mut().zip(&w.jar_other) {
        *a = a.select(use_warm, *b);
    }
}

/// Constraint cost at the residuals `jar`.
#[inline(always)]
fn row_cost<V: Lanes>(blocks: &[Block], d: &[V], jar: &[V]) -> V {
    let mut cost = V::zero();
    for block in blocks {
        let range = block.row..block.row + block.nrow;
        let (d, jar) = (&d[range.clone()], &jar[range]);
        cost += match block.dim {
            1 => evaluate::<V, 1>(block, d, jar).cost,
            3 => evaluate::<V, 3>(block, d, jar).cost,
            4 => evaluate::<V, 4>(block, d, jar).cost,
            _ => evaluate::<V, 6>(block, d, jar).cost,
        };
    }
    V::splat(0.5) * cost
}

/// Gauss cost `½ (Ma − qfrc_smooth)ᵀ (qacc − qacc_smooth)`.
#[inline(always)]
fn gauss_cost<V: Lanes>(w: &Work<V>) -> V {
    let mut sum = V::zero();
    let acc = w.qacc.iter().zip(&w.qacc_smooth);
    for ((ma, smooth), (qacc, qacc_smooth)) in w.ma.iter().zip(&w.qfrc_smooth).zip(acc) {
        sum += (*ma - *smooth) * (*qacc - *qacc_smooth);
    }
    V::splat(0.5) * sum
}

/// `out = J x`. `buffer` holds a copy of `x`.
#[inline(always)]
pub(crate) fn mul_jac<V: Lanes>(
    plan: &Plan,
    blocks: &[Block],
    jac: &[V],
    x: &[V],
    buffer: &mut [V; MAX_DOFS],
    out: &mut [V],
) {
    buffer[..x.len()].copy_from_slice(x);
    for block in blocks {
        let out = &mut out[block.row..][..block.nrow];
        match block.dim {
            1 => out[0] = products::<V, 1>(plan, block, jac, buffer)[0],
            3 => frame_rows(block, &products::<V, 3>(plan, block, jac, buffer), out),
            4 => frame_rows(block, &products::<V, 4>(plan, block, jac, buffer), out),
            _ => frame_rows(block, &products::<V, 6>(plan, block, jac, buffer), out),
        }
    }
}

/// Products of the stored rows of a block.
#[inline(always)]
fn products<V: Lanes, const D: usize>(
    plan: &Plan,
    block: &Block,
    jac: &[V],
    x: &[V; MAX_DOFS],
) -> [V; D] {
    let cols = &plan.columns[block.cols.0..block.cols.1];
    let n = cols.len();
    let jac = &jac[block.jac..][..D * n];
    let mut rows = [&jac[..0]; D];
    for r in 0..D {
        rows[r] = &jac[r * n..][..n];
    }
    let mut sum = [V::zero(); D];
    for k in 0..n {
        let x = x[cols[k] as usize & DOF_MASK];
        for r in 0..D {
            sum[r] += rows[r][k] * x;
        }
    }
    sum
}

/// Rows of a contact from the products along its frame.
#[inline(always)]
fn frame_rows<V: Lanes, const D: usize>(block: &Block, products: &[V; D], out: &mut [V]) {
    if block.kind == BlockKind::Pyramid {
        for axis in 1..D {
            let tangent = V::splat(block.friction[axis - 1]) * products[axis];
            out[2 * axis - 2] = products[0] + tangent;
            out[2 * axis - 1] = products[0] - tangent;
        }
    } else {
        out[..D].copy_from_slice(products);
    }
}

/// Force, Hessian and cost of a block.
pub(crate) struct Evaluation<V, const D: usize> {
    /// Force along the contact frame.
    pub force: [V; D],
    /// Hessian in the contact frame.
    pub weights: Weights<V>,
    /// Twice the cost.
    pub cost: V,
}

#[inline(always)]
fn evaluate<V: Lanes, const D: usize>(block: &Block, d: &[V], jar: &[V]) -> Evaluation<V, D> {
    let zero = V::zero();
    let (mut force, mut weights, mut cost) = ([zero; D], [zero; 21], zero);
    match block.kind {
        BlockKind::Equality => {
            let product = d[0] * jar[0];
            force[0] = -product;
            weights[0] = d[0];
            cost = product * jar[0];
        }
        BlockKind::OneSided => {
            let now = d[0].masked(jar[0].lt(zero));
            let product = now * jar[0];
            force[0] = -product;
            weights[0] = now;
            cost = product * jar[0];
        }
        BlockKind::Pyramid => {
            for axis in 1..D {
                let (plus, minus) = (2 * axis - 2, 2 * axis - 1);
                let now =
                    [d[plus].masked(jar[plus].lt(zero)), d[minus].masked(jar[minus].lt(zero))];
                let (a, b) = (now[0] * jar[plus], now[1] * jar[minus]);
                cost += a * jar[plus] + b * jar[minus];
                let (sum, difference) = (now[0] + now[1], now[0] - now[1]);
                let friction = V::splat(block.friction[axis - 1]);
                force[0] -= a + b;
                force[axis] = friction * (b - a);
                weights[0] += sum;
                weights[axis * (axis + 1) / 2] = friction * difference;
                weights[axis * (axis + 1) / 2 + axis] = friction * friction * sum;
            }
        }
        BlockKind::Friction => {
            let bound = V::splat(block.friction[0]);
            let product = d[0] * jar[0];
            let (low, high) = (product.le(-bound), product.ge(bound));
            let inside = !(low | high);
            let outside = bound.select(low, -bound);
            force[0] = (-product).select(inside, outside);
            weights[0] = d[0].masked(inside);
            let linear = -(bound * bound / d[0]) - (outside + outside) * jar[0];
            cost = (product * jar[0]).select(inside, linear);
        }
        BlockKind::Elliptic => return cone::evaluate(block, d, jar),
    }
    Evaluation { force, weights, cost }
}

/// Force of a contact along its frame.
#[inline(always)]
pub(crate) fn contact_force<V: Lanes, const D: usize>(
    plan: &Plan,
    block: &Block,
    w: &Work<V>,
) -> [V; D] {
    if plan.is_pgs {
        return pgs::contact_force(block, w);
    }
    let range = block.row..block.row + block.nrow;
    evaluate::<V, D>(block, &w.d[range.clone()], &w.jar[range]).force
}

/// Constraint update in the given lanes: writes `qfrc_constraint`, brings `h` to the current row states. Returns the constraint cost and
/// whether the Hessian changed.
#[inline(always)]
fn update<V: Lanes>(plan: &Plan, lanes: V::Mask, w: &mut Work<V>) -> (V, bool) {
    w.x.fill(V::zero());
    let mut cost = V::zero();
    let mut is_changed = false;
    for i in 0..w.live.len() {
        let (block_cost, changed) = match w.live[i].dim {
            1 => update_block::<V, 1>(plan, i, w),
            3 => update_block::<V, 3>(plan, i, w),
            4 => update_block::<V, 4>(plan, i, w),
            _ => update_block::<V, 6>(plan, i, w),
        };
        cost += block_cost;
        is_changed |= changed;
    }
    for (out, sum) in w.qfrc_constraint.iter_mut().zip(&*w.x) {
        *out = sum.select(lanes, *out);
    }
    (V::splat(0.5) * cost, is_changed)
}

/// [`update`] of one block; returns twice its cost and whether its Hessian changed.
#[inline(always)]
fn update_block<V: Lanes, const D: usize>(plan: &Plan, i: usize, w: &mut Work<V>) -> (V, bool) {
    let Work { live, jac, d, jar, weights, h, tree, x, .. } = w;
    let block = &live[i];
    let range = block.row..block.row + block.nrow;
    let now = evaluate::<V, D>(block, &d[range.clone()], &jar[range]);
    let entries = D * (D + 1) / 2;
    let weights = &mut weights[block.weights..][..entries];
    let mut changed = V::Mask::none();
    let mut delta = [V::zero(); 21];
    for k in 0..entries {
        delta[k] = now.weights[k] - weights[k];
        changed = changed | V::zero().lt(delta[k].abs());
        weights[k] = now.weights[k];
    }
    let is_changed = changed.any();
    if is_changed {
        hessian::add_block::<V, D>(plan, tree, block, jac, &delta, h);
    }
    add_force::<V, D>(plan, block, jac, &now.force, x);
    (now.cost, is_changed)
}

/// `qfrc += Jᵀ force` for the force along the contact frame.
#[inline(always)]
pub(crate) fn add_force<V: Lanes, const D: usize>(
    plan: &Plan,
    block: &Block,
    jac: &[V],
    force: &[V; D],
    qfrc: &mut [V; MAX_DOFS],
) {
    let cols = &plan.columns[block.cols.0..block.cols.1];
    let n = cols.len();
    let jac = &jac[block.jac..][..D * n];
    let mut rows = [&jac[..0]; D];
    for r in 0..D {
        rows[r] = &jac[r * n..][..n];
    }
    for k in 0..n {
        let out = &mut qfrc[cols[k] as usize & DOF_MASK];
        let mut sum = *out;
        for r in 0..D {
            sum += rows[r][k] * force[r];
        }
        *out = sum;
    }
}

/// Maximum number of iterations with an improvement below the tolerance while the decrement is above it.
const MAX_SMALL_IMPROVEMENTS: f64 = 2.0;

#[inline(always)]
fn newton<V: Lanes>(plan: &Plan, scale: V, w: &mut Work<V>) {
    let tolerance = V::splat(plan.tolerance);
    let half = V::splat(0.5);
    let (rows, _) = update(plan, V::Mask::all_lanes(), w);
    let mut gauss = gauss_cost(w);
    let mut cost = rows + gauss;
    gradient(w);
    hessian::factor(w);
    search_direction(w);
    let mut active = w.constrained;
    let mut small_improvements = V::zero();
    while w.iterations < plan.iterations {
        let alpha = line_search(plan, scale, gauss, active, w);
        active = active & V::zero().lt(alpha.abs());
        if !active.any() {
            break;
        }
        advance(alpha, active, w);
        let old = cost;
        w.live.retain(|block| block.lanes & active.bits() != 0);
        let (rows, is_changed) = update(plan, active, w);
        gauss = gauss_cost(w);
        cost = rows + gauss;
        let norm = gradient(w);
        w.iterations += 1;

        // termination
        let improvement = scale * (old - cost);
        let gradient = scale * norm.sqrt();
        let small = improvement.lt(tolerance);
        let stop = gradient.lt(tolerance)
            | small & small_improvements.ge(V::splat(MAX_SMALL_IMPROVEMENTS));
        let finite = improvement.abs().le(V::splat(f64::MAX)) & gradient.le(V::splat(f64::MAX));
        active = active & !stop & finite;
        if !active.any() {
            break;
        }
        if is_changed {
            hessian::factor(w);
        }
        search_direction(w);
        // half the squared Newton decrement predicts the improvement of the next step
        if (active & small).any() {
            let decrement = -(half * scale * dot(&w.grad, &w.search));
            active = active & !(small & !decrement.gt(tolerance));
            if !active.any() {
                break;
            }
        }
        small_improvements = small_improvements.add_masked(small, V::splat(1.0));
    }
}

#[inline(always)]
fn dot<V: Lanes>(a: &[V], b: &[V]) -> V {
    let mut sum = V::zero();
    for (a, b) in a.iter().zip(b) {
        sum += *a * *b;
    }
    sum
}

/// `grad = Ma − qfrc_smooth − qfrc_constraint`; returns its squared norm.
#[inline(always)]
fn gradient<V: Lanes>(w: &mut Work<V>) -> V {
    let mut norm = V::zero();
    for i in 0..w.grad.len() {
        let value = w.ma[i] - w.qfrc_smooth[i] - w.qfrc_constraint[i];
        w.grad[i] = value;
        norm += value * value;
    }
    norm
}

/// `search = −H⁻¹ grad`.
#[inline(always)]
fn search_direction<V: Lanes>(w: &mut Work<V>) {
    for (s, g) in w.search.iter_mut().zip(&w.grad) {
        *s = -*g;
    }
    hessian::solve(&w.tree, &w.l, &w.l_diag_inv, &mut w.search);
}

/// Step size along the search direction.
#[inline(always)]
fn line_search<V: Lanes>(plan: &Plan, scale: V, gauss: V, active: V::Mask, w: &mut Work<V>) -> V {
    inertia::mul(plan, &w.m, &w.search, &mut w.mv);
    mul_jac(plan, &w.live, &w.jac, &w.search, &mut w.x, &mut w.jv);
    let (mut squared, mut slope, mut curvature) = (V::zero(), V::zero(), V::zero());
    for i in 0..w.search.len() {
        let s = w.search[i];
        squared += s * s;
        slope += s * (w.ma[i] - w.qfrc_smooth[i]);
        curvature += s * w.mv[i];
    }
    let length = squared.sqrt();
    let half = V::splat(0.5);
    let [c0, c1, c2] = prepare(w);
    let line = Line {
        rows: &w.line,
        gauss: [gauss + c0, slope + c1, half * curvature + c2],
        gtol: V::splat(plan.tolerance * plan.ls_tolerance) * length / scale,
        limit: plan.ls_iterations as f64,
    };
    line.minimise(active & length.ge(V::splat(MINVAL)))
}

/// Computes the coefficients of the cost of each row along the line (`PrimalPrepare`). Returns those of all rows that
/// are quadratic everywhere.
#[inline(always)]
fn prepare<V: Lanes>(w: &mut Work<V>) -> [V; 3] {
    let mut constant = [V::zero(); 3];
    let Work { live, d, jar, jv, line, .. } = w;
    line.one_sided.clear();
    line.edges.clear();
    line.friction.clear();
    line.cones.clear();
    for block in &*live {
        let range = block.row..block.row + block.nrow;
        let (d, jar, jv) = (&d[range.clone()], &jar[range.clone()], &jv[range]);
        match block.kind {
            BlockKind::Elliptic => line.cones.push(LineCone::new(block, d, jar, jv)),
            BlockKind::Pyramid => {
                for k in (0..block.nrow).step_by(2) {
                    let plus = line_row(d[k], jar[k], jv[k]);
                    line.edges.push([plus, line_row(d[k + 1], jar[k + 1], jv[k + 1])]);
                }
            }
            BlockKind::Equality => {
                let row = line_row(d[0], jar[0], jv[0]);
                for (sum, value) in constant.iter_mut().zip(&row[2..]) {
                    *sum += *value;
                }
            }
            BlockKind::OneSided => line.one_sided.push(line_row(d[0], jar[0], jv[0])),
            BlockKind::Friction => {
                let force = block.friction[0];
                let row = line_row(d[0], jar[0], jv[0]);
                line.friction.push((row, force, V::splat(force) / d[0]));
            }
        }
    }
    constant
}

/// Residual and direction of a row, and the coefficients of its quadratic cost.
#[inline(always)]
fn line_row<V: Lanes>(d: V, jar: V, jv: V) -> [V; 5] {
    let (dj, half) = (d * jar, V::splat(0.5));
    [jar, jv, half * (jar * dj), jv * dj, half * (jv * d * jv)]
}

/// Moves by `alpha` along the search direction, in the active lanes.
#[inline(always)]
fn advance<V: Lanes>(alpha: V, active: V::Mask, w: &mut Work<V>) {
    for i in 0..w.search.len() {
        w.qacc[i] = w.qacc[i].add_masked(active, alpha * w.search[i]);
        w.ma[i] = w.ma[i].add_masked(active, alpha * w.mv[i]);
    }
    for i in 0..w.d.len() {
        w.jar[i] = w.jar[i].add_masked(active, alpha * w.jv[i]);
    }
}
