//! Projected Gauss–Seidel on the dual problem (`mj_solPGS`).

use crate::cone::{MAX_COST_INCREASE, update_cone};
use crate::dual::{self, Dual, Regularization, ScalarRow, StateCounts};
use crate::dual_blocks;
use crate::dual_sweep;
use crate::jacobian;
use crate::problem::{Info, Iteration, Params, Problem, Solution};
use crate::update::update_rows;
use crate::vector::{add_scaled, resize_to};
use crate::workspace::Workspace;
use sim_simd::dispatch;
use sim_types::ConstraintType;

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
    Dual::prepare(work, problem, None, params.iterations, Regularization::With);
    work.dual.add_all(out.force);
    iterate(problem, params, out, work)
}

/// [`pgs`] from the forces at `qacc_warmstart`, or from zero if that has a lower cost. The lengths fit the problem.
pub(crate) fn pgs_warmstart(
    problem: &Problem<'_>,
    params: &Params,
    qacc_warmstart: &[f64],
    b: &[f64],
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    work.clear_stats();
    if !start(problem, params.iterations, qacc_warmstart, b, out, work) {
        return Info { malformed: true, ..Info::default() };
    }
    iterate(problem, params, out, work)
}

/// Prepares the dual problem and sets the starting point. Returns whether the problem is well formed.
pub(crate) fn start(
    problem: &Problem<'_>,
    sweeps: usize,
    qacc_warmstart: &[f64],
    b: &[f64],
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> bool {
    if !problem.find_row_blocks(&mut work.row_blocks) {
        return false;
    }
    resize_to(&mut work.jaref, problem.nefc());
    jacobian::mul(problem, &work.row_blocks, qacc_warmstart, &mut work.jaref);
    add_scaled(&mut work.jaref, problem.rows.aref, -1.0);
    // no cost is needed, so that no row is excluded from it
    update_rows(problem, &[], &work.jaref, out.force, out.state, None);
    Dual::prepare(work, problem, Some(b), sweeps, Regularization::With);
    work.dual.add_all(out.force);
    if work.dual.cost(out.force) > 0.0 {
        out.force.fill(0.0);
        work.dual.reset();
    }
    true
}

/// Sweeps over a problem that was prepared.
fn iterate(
    problem: &Problem<'_>,
    params: &Params,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    dual::set_states(problem, out.force, out.state);
    let is_explicit = work.dual.is_explicit();
    if is_explicit {
        work.dual_sweep.build(problem);
    }
    let in_blocks = !is_explicit
        && params.iterations >= MIN_SWEEPS_IN_BLOCKS
        && work.dual_blocks.build(problem, &work.row_blocks, &work.dual);
    let mut info = Info { nnz: work.dual.nnz(), ..Info::default() };
    while info.iterations < params.iterations {
        let decrease = if is_explicit {
            dual_sweep::sweep(problem, out.force, &mut work.dual, &work.dual_sweep)
        } else if in_blocks {
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
    let StateCounts { active, changed } = dual::set_states(problem, out.force, out.state);
    let counts = Iteration { nactive: active, nchange: changed, ..Iteration::default() };
    work.save(Iteration { improvement, ..counts });
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
            improvement -= match contact.dim {
                3 => update_contact::<3, 2, false>(problem, index, force, dual),
                4 => update_contact::<4, 3, false>(problem, index, force, dual),
                5 => update_contact::<5, 4, false>(problem, index, force, dual),
                6 => update_contact::<6, 5, false>(problem, index, force, dual),
                _ => update_contact::<2, 1, false>(problem, index, force, dual),
            };
            i = contact.row + contact.dim;
            continue;
        }
        improvement += update_single(i, force, dual);
        i += 1;
    }
    improvement
}

/// Minimises over the force of row `i`, which does not belong to an elliptic contact. Returns the decrease of the cost.
#[inline(always)]
pub(crate) fn update_single(i: usize, force: &mut [f64], dual: &mut Dual) -> f64 {
    let residual = dual.residual(i);
    let (delta, change) = update_row(&dual.scalars[i], &mut force[i], residual);
    dual.add_force(i, delta);
    -change
}

/// Minimises over the force of a row that does not belong to an elliptic contact. `residual` is its entry of
/// `A f + b`. Returns the changes of the force and of the cost.
#[inline(always)]
pub(crate) fn update_row(row: &ScalarRow, force: &mut f64, residual: f64) -> (f64, f64) {
    let old = *force;
    let residual = residual + row.r * old;
    let new = old - residual * row.inverse;
    let [lower, upper] = row.bounds;
    let new = if new < lower { lower } else { new };
    let new = if new > upper { upper } else { new };
    let delta = new - old;
    let change = 0.5 * delta * delta * row.a + delta * residual;
    if change <= MAX_COST_INCREASE || change.is_nan() {
        *force = new;
        (delta, change)
    } else {
        (0.0, 0.0)
    }
}

/// Minimises over the forces of one elliptic contact with `D` rows. `EXPLICIT` is [`Dual::is_explicit`]. Returns the
/// change of the cost.
#[inline(always)]
pub(crate) fn update_contact<const D: usize, const N: usize, const EXPLICIT: bool>(
    problem: &Problem<'_>,
    index: usize,
    force: &mut [f64],
    dual: &mut Dual,
) -> f64 {
    let contact = &problem.contacts[index];
    let row = contact.row;
    let Some((r, force)) = rows_of::<D>(problem.rows.r, force, row) else { return 0.0 };
    let residual = match EXPLICIT {
        true => dual.matrix.residuals(row),
        false => std::array::from_fn(|k| dual.residual(row + k)),
    };
    let (delta, change) = update_cone::<D, N>(contact, &dual.blocks[index], r, force, &residual);
    if EXPLICIT {
        dual.matrix.add_forces(row, delta);
    } else {
        for k in 0..D {
            dual.add_force(row + k, delta[k]);
        }
    }
    change
}

/// The regularisation and the forces of `D` rows.
#[inline(always)]
pub(crate) fn rows_of<'a, 'b, const D: usize>(
    r: &'a [f64],
    force: &'b mut [f64],
    row: usize,
) -> Option<(&'a [f64; D], &'b mut [f64; D])> {
    Some((r.get(row..)?.first_chunk()?, force.get_mut(row..)?.first_chunk_mut()?))
}
