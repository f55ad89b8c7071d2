//! Newton's method in all lanes (`mj_solNewton`) with warm start. Lanes that have converged are masked.

use crate::hessian;
use crate::inertia;
use crate::line_search::Line;
use crate::plan::Plan;
use crate::work::{Block, BlockKind, State, Work};
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
    resize(w);
    hessian::analyze(plan, w);
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
    w.line.resize(n, [zero; 5]);
    w.d_active.clear();
    w.d_active.resize(n, zero);
}

/// Scale of the convergence criteria.
#[inline(always)]
fn scale<V: Lanes>(plan: &Plan, w: &Work<V>) -> V {
    if let Some(scale) = plan.scale {
        return V::splat(scale);
    }
    let mut trace = V::zero();
    for row in &plan.inertia {
        trace += w.m[row.start + row.len - 1];
    }
    V::splat(1.0) / trace
}

/// Selects the starting point: `qacc_warmstart` or `qacc_smooth`, whichever has the lower cost. Writes `qacc`, `ma`
/// and `jar`.
#[inline(always)]
fn start<V: Lanes>(plan: &Plan, s: &State<V>, w: &mut Work<V>) {
    mul_jac(plan, &w.blocks, &w.jac, &w.qacc_smooth, &mut w.jar_other);
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
    mul_jac(plan, &w.blocks, &w.jac, &w.qacc, &mut w.jar);
    for (jar, aref) in w.jar.iter_mut().zip(&w.aref) {
        *jar -= *aref;
    }
    inertia::mul(plan, &w.m, &w.qacc, &mut w.ma);
    let warm = row_cost(&w.d, &w.jar) + gauss_cost(w);
    let cold = row_cost(&w.d, &w.jar_other);
    // an environment without rows does not depend on those of the others
    let use_warm = warm.le(cold) & w.constrained;
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

#[inline(always)]
fn row_cost<V: Lanes>(d: &[V], jar: &[V]) -> V {
    let mut cost = V::zero();
    for (d, jar) in d.iter().zip(jar) {
        cost = cost.add_masked(jar.lt(V::zero()), *d * *jar * *jar);
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

/// `out = J x`.
#[inline(always)]
fn mul_jac<V: Lanes>(plan: &Plan, blocks: &[Block], jac: &[V], x: &[V], out: &mut [V]) {
    for block in blocks {
        let cols = &plan.columns[block.cols.0..block.cols.1];
        let n = cols.len();
        let out = &mut out[block.row..][..block.nrow];
        match block.kind {
            BlockKind::OneSided => {
                let mut sum = V::zero();
                for (j, &c) in jac[block.jac..][..n].iter().zip(cols) {
                    sum += *j * x[c as usize];
                }
                out[0] = sum;
            }
            BlockKind::Pyramid => {
                let (row0, rest) = jac[block.jac..][..3 * n].split_at(n);
                let (row1, row2) = rest.split_at(n);
                let (mut normal, mut t1, mut t2) = (V::zero(), V::zero(), V::zero());
                for k in 0..n {
                    let x = x[cols[k] as usize];
                    normal += row0[k] * x;
                    t1 += row1[k] * x;
                    t2 += row2[k] * x;
                }
                t1 = V::splat(block.friction[0]) * t1;
                t2 = V::splat(block.friction[1]) * t2;
                (out[0], out[1], out[2], out[3]) =
                    (normal + t1, normal - t1, normal + t2, normal - t2);
            }
        }
    }
}

/// Constraint update: writes `qfrc_constraint`, brings `h` to the current row states. Returns the constraint cost and
/// whether the Hessian changed.
#[inline(always)]
fn update<V: Lanes>(plan: &Plan, w: &mut Work<V>) -> (V, bool) {
    let (zero, half) = (V::zero(), V::splat(0.5));
    let Work { blocks, jac, d, jar, d_active, h, tree, qfrc_constraint, .. } = w;
    qfrc_constraint.fill(zero);
    let mut cost = zero;
    let mut is_changed = false;
    for block in &*blocks {
        let range = block.row..block.row + block.nrow;
        let (d, jar) = (&d[range.clone()], &jar[range.clone()]);
        let d_active = &mut d_active[range];
        let (mut force, mut delta) = ([zero; 4], [zero; 4]);
        let mut changed = V::Mask::none();
        for k in 0..block.nrow {
            let now = d[k].masked(jar[k].lt(zero));
            let product = now * jar[k];
            cost += product * jar[k];
            force[k] = -product;
            delta[k] = now - d_active[k];
            changed = changed | zero.lt(delta[k].abs());
            d_active[k] = now;
        }
        if changed.any() {
            hessian::add_block(plan, tree, block, jac, &delta, h);
            is_changed = true;
        }
        add_force(plan, block, jac, &force, qfrc_constraint);
    }
    (half * cost, is_changed)
}

/// `qfrc += Jᵀ force`.
#[inline(always)]
fn add_force<V: Lanes>(plan: &Plan, block: &Block, jac: &[V], force: &[V; 4], qfrc: &mut [V]) {
    let cols = &plan.columns[block.cols.0..block.cols.1];
    let n = cols.len();
    match block.kind {
        BlockKind::OneSided => {
            for (j, &c) in jac[block.jac..][..n].iter().zip(cols) {
                qfrc[c as usize] += *j * force[0];
            }
        }
        BlockKind::Pyramid => {
            let normal = (force[0] + force[1]) + (force[2] + force[3]);
            let t1 = V::splat(block.friction[0]) * (force[0] - force[1]);
            let t2 = V::splat(block.friction[1]) * (force[2] - force[3]);
            let (row0, rest) = jac[block.jac..][..3 * n].split_at(n);
            let (row1, row2) = rest.split_at(n);
            for k in 0..n {
                qfrc[cols[k] as usize] += row0[k] * normal + row1[k] * t1 + row2[k] * t2;
            }
        }
    }
}

/// Maximum number of iterations with an improvement below the tolerance while the decrement is above it.
const MAX_SMALL_IMPROVEMENTS: f64 = 2.0;

#[inline(always)]
fn newton<V: Lanes>(plan: &Plan, scale: V, w: &mut Work<V>) {
    let tolerance = V::splat(plan.tolerance);
    let half = V::splat(0.5);
    let (rows, _) = update(plan, w);
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
        let (rows, is_changed) = update(plan, w);
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
    mul_jac(plan, &w.blocks, &w.jac, &w.search, &mut w.jv);
    let (mut squared, mut slope, mut curvature) = (V::zero(), V::zero(), V::zero());
    for i in 0..w.search.len() {
        let s = w.search[i];
        squared += s * s;
        slope += s * (w.ma[i] - w.qfrc_smooth[i]);
        curvature += s * w.mv[i];
    }
    let length = squared.sqrt();
    let half = V::splat(0.5);
    for i in 0..w.d.len() {
        let (d, jar, jv) = (w.d[i], w.jar[i], w.jv[i]);
        let dj = d * jar;
        w.line[i] = [jar, jv, half * (jar * dj), jv * dj, half * (jv * d * jv)];
    }
    let line = Line {
        rows: &w.line[..w.d.len()],
        gauss: [gauss, slope, half * curvature],
        gtol: V::splat(plan.tolerance * plan.ls_tolerance) * length / scale,
        limit: plan.ls_iterations as f64,
    };
    line.minimise(active & length.ge(V::splat(MINVAL)))
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
