//! Projected Gauss–Seidel on the dual problem (`mj_solPGS`).

use crate::dual::{self, Dual};
use crate::dual_blocks;
use crate::problem::{ContactRows, Info, Iteration, Params, Problem, Solution};
use crate::qcqp;
use crate::vector::dot;
use crate::workspace::Workspace;
use sim_simd::dispatch;
use sim_types::{ConstraintType, MINVAL};

/// A block update that increases the cost by more than this is reverted.
const MAX_COST_INCREASE: f64 = 1e-10;
/// Fewer sweeps than this save less time in blocks than it takes to form the blocks.
const MIN_SWEEPS_IN_BLOCKS: usize = 3;

/// Projected Gauss–Seidel on the forces. Starts from `out.force`.
#[doc(alias = "mj_solPGS")]
pub fn pgs(
    problem: &Problem<'_>,
    params: &Params,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    work.clear_stats();
    if !out.fits(problem) || !problem.find_row_blocks(&mut work.row_blocks) {
        return Info { malformed: true, ..Info::default() };
    }
    Dual::prepare(work, problem, out.force, params.iterations);
    dual::set_states(problem, out.force, out.state);
    let in_blocks = !work.dual.is_explicit()
        && params.iterations >= MIN_SWEEPS_IN_BLOCKS
        && work.dual_blocks.build(problem, &work.row_blocks, &work.dual);
    let mut info = Info { nnz: work.dual.nnz(), ..Info::default() };
    while info.iterations < params.iterations {
        let decrease = if in_blocks {
            dual_blocks::sweep(problem, out.force, &mut work.dual, &mut work.dual_blocks)
        } else {
            sweep(problem, out.force, &mut work.dual)
        };
        let improvement = params.scale * decrease;
        finish_iteration(problem, out, work, improvement);
        if info.is_last(improvement, params.tolerance) {
            break;
        }
    }
    dual::finish(problem, out, work);
    info
}

/// Updates the row states and stores the statistics of an iteration of a dual solver.
pub(crate) fn finish_iteration(
    problem: &Problem<'_>,
    out: &mut Solution<'_>,
    work: &mut Workspace,
    improvement: f64,
) {
    work.dual.state_old.copy_from_slice(out.state);
    let nactive = dual::set_states(problem, out.force, out.state);
    let changed = out.state.iter().zip(&work.dual.state_old).filter(|(a, b)| a != b).count();
    work.save(Iteration { improvement, nactive, nchange: changed as i32, ..Iteration::default() });
}

/// One sweep over all rows in order, one by one. Returns the decrease of the cost.
fn sweep(problem: &Problem<'_>, force: &mut [f64], dual: &mut Dual) -> f64 {
    dispatch!(sweep_rows(problem: &Problem<'_>, force: &mut [f64], dual: &mut Dual) -> f64)
}

#[inline(always)]
fn sweep_rows(problem: &Problem<'_>, force: &mut [f64], dual: &mut Dual) -> f64 {
    let rows = &problem.rows;
    let mut contacts = problem.contacts.iter().enumerate();
    let (mut improvement, mut i) = (0.0, 0);
    while i < force.len() {
        if rows.kind[i] == ConstraintType::ContactElliptic {
            // every elliptic row of a well-formed problem belongs to a contact
            let Some((index, contact)) = contacts.by_ref().find(|(_, c)| c.row >= i) else {
                break;
            };
            improvement -= update_contact(problem, index, force, dual);
            i = contact.row + contact.dim;
            continue;
        }
        improvement += update_single(problem, i, force, dual);
        i += 1;
    }
    improvement
}

/// Minimises over the force of row `i`, which does not belong to an elliptic contact. Returns the decrease of the cost.
#[inline(always)]
pub(crate) fn update_single(
    problem: &Problem<'_>,
    i: usize,
    force: &mut [f64],
    dual: &mut Dual,
) -> f64 {
    let residual = dual.residual(i);
    let (delta, change) = update_row(problem, i, &mut force[i], residual, dual);
    dual.add_force(i, delta);
    -change
}

/// Minimises over the force of row `i`, which does not belong to an elliptic contact. `residual` is its entry of
/// `A f + b`. Returns the changes of the force and of the cost.
#[inline(always)]
pub(crate) fn update_row(
    problem: &Problem<'_>,
    i: usize,
    force: &mut f64,
    residual: f64,
    dual: &Dual,
) -> (f64, f64) {
    let rows = &problem.rows;
    let old = *force;
    let residual = residual + rows.r[i] * old;
    let mut new = old - residual * dual.inverse[i];
    if i >= rows.ne + rows.nf {
        new = if new < 0.0 { 0.0 } else { new };
    } else if i >= rows.ne {
        let bound = rows.frictionloss[i];
        new = if new < -bound {
            -bound
        } else if new > bound {
            bound
        } else {
            new
        };
    }
    let delta = new - old;
    let a = dual.diagonal[i] + rows.r[i];
    let change = 0.5 * delta * delta * a + delta * residual;
    if change <= MAX_COST_INCREASE || change.is_nan() {
        *force = new;
        (delta, change)
    } else {
        (0.0, 0.0)
    }
}

/// Minimises over the forces of one elliptic contact. Returns the change of the cost.
#[inline(always)]
fn update_contact(problem: &Problem<'_>, index: usize, force: &mut [f64], dual: &mut Dual) -> f64 {
    // loops of constant length are unrolled
    match problem.contacts[index].dim {
        3 => update_cone_rows(problem, index, 3, force, dual),
        4 => update_cone_rows(problem, index, 4, force, dual),
        6 => update_cone_rows(problem, index, 6, force, dual),
        dim => update_cone_rows(problem, index, dim, force, dual),
    }
}

/// [`update_contact`] with `dim` rows.
#[inline(always)]
fn update_cone_rows(
    problem: &Problem<'_>,
    index: usize,
    dim: usize,
    force: &mut [f64],
    dual: &mut Dual,
) -> f64 {
    let row = problem.contacts[index].row;
    let (mut residual, mut delta) = ([0.0; 6], [0.0; 6]);
    for j in 0..dim {
        residual[j] = dual.residual(row + j);
    }
    let force = &mut force[row..row + dim];
    let block = &dual.blocks[index];
    let change = update_cone(problem, index, dim, force, block, &residual[..dim], &mut delta);
    dual.add_forces(row, &delta[..dim]);
    change
}

/// Minimises over the forces of an elliptic contact: first along the ray through the current force, then over
/// friction with fixed normal force (QCQP). `a` is its diagonal block of `A + R`, and `unregularised` has its entries of
/// the residual `A f + b`. Returns the change of the cost, and in `delta` the changes of the forces.
#[inline(always)]
pub(crate) fn update_cone(
    problem: &Problem<'_>,
    index: usize,
    dim: usize,
    force: &mut [f64],
    a: &[f64; 36],
    unregularised: &[f64],
    delta: &mut [f64; 6],
) -> f64 {
    let contact = &problem.contacts[index];
    let r = &problem.rows.r[contact.row..contact.row + dim];
    let (mut residual, mut old) = ([0.0; 6], [0.0; 6]);
    for j in 0..dim {
        old[j] = force[j];
        residual[j] = unregularised[j] + r[j] * old[j];
    }
    if force[0] < MINVAL {
        let new = force[0] - residual[0] * (1.0 / a[0]);
        force.fill(0.0);
        force[0] = if new < 0.0 { 0.0 } else { new };
    } else {
        let ray = old;
        let mut denom = 0.0;
        for j in 0..dim {
            denom += ray[j] * dot(&a[j * dim..(j + 1) * dim], &ray[..dim]);
        }
        if denom >= MINVAL {
            let mut x = -dot(&ray[..dim], &residual[..dim]) / denom;
            if force[0] + x * ray[0] < 0.0 {
                x = -ray[0] / force[0];
            }
            for j in 0..dim {
                force[j] += x * ray[j];
            }
        }
    }
    // QCQP over friction at the new normal force: ½ vᵀ Ac v + bcᵀ v
    let n = dim - 1;
    let (mut ac, mut bc) = ([0.0; 25], [0.0; 5]);
    for j in 0..n {
        let row = &a[(j + 1) * dim..(j + 2) * dim];
        ac[j * n..(j + 1) * n].copy_from_slice(&row[1..]);
        bc[j] = residual[j + 1] - dot(&row[1..], &old[1..dim]) + row[0] * (force[0] - old[0]);
    }
    solve_friction(contact, n, force, &ac, &bc);
    let change = cost_change(a, force, &old, &residual, dim);
    for j in 0..dim {
        delta[j] = force[j] - old[j];
    }
    change
}

/// Sets the friction forces that minimise `½ vᵀ A v + bᵀ v` within the cone at the contact's normal
/// force. `n` is the number of its friction forces.
#[inline(always)]
pub(crate) fn solve_friction(
    contact: &ContactRows,
    n: usize,
    force: &mut [f64],
    a: &[f64; 25],
    b: &[f64; 5],
) {
    let normal = force[0];
    if normal < MINVAL {
        force[1..].fill(0.0);
        return;
    }
    let (mut v, boundary) = qcqp::minimise(a, b, &contact.friction, normal, n);
    if boundary {
        // the QCQP multiplier is approximate: rescale to the cone boundary
        let mut s = 0.0;
        for j in 0..n {
            s += v[j] * v[j] / (contact.friction[j] * contact.friction[j]);
        }
        let s = (normal * normal / s.max(MINVAL)).sqrt();
        v.iter_mut().for_each(|v| *v *= s);
    }
    force[1..].copy_from_slice(&v[..n]);
}

/// Change of the cost from the old forces of a block to the new ones (`costChange`). Reverts the
/// forces and returns zero if the cost increases.
#[doc(alias = "costChange")]
#[inline(always)]
pub(crate) fn cost_change(
    a: &[f64],
    force: &mut [f64],
    old: &[f64],
    residual: &[f64],
    dim: usize,
) -> f64 {
    let mut delta = [0.0; 6];
    for j in 0..dim {
        delta[j] = force[j] - old[j];
    }
    let mut change = 0.0;
    for j in 0..dim {
        change += 0.5 * delta[j] * dot(&a[j * dim..(j + 1) * dim], &delta[..dim]);
        change += delta[j] * residual[j];
    }
    if change > MAX_COST_INCREASE {
        force.copy_from_slice(&old[..dim]);
        change = 0.0;
    }
    change
}
