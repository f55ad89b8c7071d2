//! The starting point: last step's acceleration or the smooth one, whichever costs less.

use crate::group;
use crate::primal::{evaluate, iterate, prepare};
use crate::problem::{Info, Params, Problem, Solution};
use crate::tree;
use crate::update::update_rows;
use crate::vector::dot;
use crate::workspace::Workspace;
use sim_types::SolverType;

/// Chooses the starting point of a solver. `b` is [`crate::residual`] at `qacc_smooth`.
///
/// For the primal solvers `out.qacc` becomes `qacc_warmstart` or `qacc_smooth`. For the dual one
/// it becomes `qacc_warmstart`, and `out.force` the forces there, or zero if that is better. Does
/// nothing if the arrays do not fit together.
pub fn warm_start(
    problem: &Problem<'_>,
    solver: SolverType,
    qacc_warmstart: &[f64],
    b: &[f64],
    out: &mut Solution<'_>,
    work: &mut Workspace,
) {
    if !fits(problem, qacc_warmstart, b, out) {
        return;
    }
    prepare(problem, work);
    if solver == SolverType::Pgs {
        choose_force(problem, qacc_warmstart, b, out, work);
    } else {
        choose_acceleration(problem, qacc_warmstart, b, out, work);
    }
}

/// [`warm_start`] and then [`crate::newton`] or [`crate::cg`]. Does nothing for another solver.
pub fn solve_warm(
    problem: &Problem<'_>,
    solver: SolverType,
    params: &Params,
    qacc_warmstart: &[f64],
    b: &[f64],
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    work.clear_stats();
    if !fits(problem, qacc_warmstart, b, out) || solver == SolverType::Pgs {
        return Info { malformed: true, ..Info::default() };
    }
    prepare(problem, work);
    choose_acceleration(problem, qacc_warmstart, b, out, work);
    if solver == SolverType::Newton {
        iterate::<true>(problem, params, out, work)
    } else {
        iterate::<false>(problem, params, out, work)
    }
}

fn fits(problem: &Problem<'_>, qacc_warmstart: &[f64], b: &[f64], out: &Solution<'_>) -> bool {
    qacc_warmstart.len() == problem.nv()
        && b.len() == problem.nefc()
        && out.fits(problem)
        && problem.is_well_formed()
}

/// For the primal solvers. Leaves the products with the chosen acceleration in the workspace.
fn choose_acceleration(
    problem: &Problem<'_>,
    qacc_warmstart: &[f64],
    b: &[f64],
    out: &mut Solution<'_>,
    work: &mut Workspace,
) {
    evaluate(problem, qacc_warmstart, work);
    let cost = update_rows(problem, &work.jaref, out.force, out.state, None);
    let mut gauss = 0.0;
    for i in 0..problem.nv() {
        gauss += 0.5
            * (work.ma[i] - problem.qfrc_smooth[i])
            * (qacc_warmstart[i] - problem.qacc_smooth[i]);
    }
    let smooth = update_rows(problem, b, out.force, out.state, None);
    if cost + gauss > smooth {
        out.qacc.copy_from_slice(problem.qacc_smooth);
        work.jaref.copy_from_slice(b);
        work.chains.mul(&problem.inertia, problem.qacc_smooth, &mut work.ma);
    } else {
        out.qacc.copy_from_slice(qacc_warmstart);
    }
}

/// For the dual solver.
fn choose_force(
    problem: &Problem<'_>,
    qacc_warmstart: &[f64],
    b: &[f64],
    out: &mut Solution<'_>,
    work: &mut Workspace,
) {
    out.qacc.copy_from_slice(qacc_warmstart);
    evaluate(problem, qacc_warmstart, work);
    update_rows(problem, &work.jaref, out.force, out.state, None);
    group::mul_transposed(problem, &work.runs, out.force, out.qfrc_constraint);
    // ½ fᵀ (J M⁻¹ Jᵀ + R) f + fᵀ b, without the matrix
    work.ma.copy_from_slice(out.qfrc_constraint);
    tree::solve(&problem.inertia, &mut work.ma);
    let mut twice = dot(out.qfrc_constraint, &work.ma);
    for (&f, &r) in out.force.iter().zip(problem.rows.r) {
        twice += f * f * r;
    }
    if dot(out.force, b) + 0.5 * twice > 0.0 {
        out.force.fill(0.0);
        out.qfrc_constraint.fill(0.0);
    }
}
