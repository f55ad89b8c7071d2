//! Warm start (`warmstart` in MuJoCo's `engine_forward`): the solver starts from the previous
//! acceleration or from the unconstrained one, whichever has the lower cost.

use crate::inertia;
use crate::jacobian;
use crate::primal::{evaluate, gauss_cost, iterate, prepare};
use crate::problem::{Info, Params, Problem, Solution};
use crate::small::{self, Start};
use crate::update::update_rows;
use crate::vector::dot;
use crate::workspace::Workspace;
use sim_types::SolverType;

/// Selects the starting point of a solver. `b` is [`crate::residual`] at `qacc_smooth`.
///
/// For primal solvers, `out.qacc` becomes `qacc_warmstart` or `qacc_smooth`. For the dual solver,
/// `out.qacc` becomes `qacc_warmstart` and `out.force` the forces at it, or zero if that has a
/// lower cost. Does nothing if the array lengths are inconsistent.
pub fn warmstart(
    problem: &Problem<'_>,
    solver: SolverType,
    qacc_warmstart: &[f64],
    b: &[f64],
    out: &mut Solution<'_>,
    work: &mut Workspace,
) {
    if !is_consistent(problem, qacc_warmstart, b, out, work) {
        return;
    }
    prepare(problem, work);
    if solver == SolverType::Pgs {
        dual_start(problem, qacc_warmstart, b, out, work);
    } else {
        primal_start(problem, qacc_warmstart, b, out, work);
    }
}

/// [`warmstart`] followed by [`crate::newton`] or [`crate::cg`]. Reports a malformed problem for
/// another solver.
pub fn solve_warmstart(
    problem: &Problem<'_>,
    solver: SolverType,
    params: &Params,
    qacc_warmstart: &[f64],
    b: &[f64],
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    work.clear_stats();
    let newton = solver == SolverType::Newton;
    if newton && lengths_fit(problem, qacc_warmstart, b, out) && small::is_small(problem) {
        let start = Start::Warm { qacc: qacc_warmstart, b };
        return small::newton(problem, params, start, out, work);
    }
    if solver == SolverType::Pgs || !is_consistent(problem, qacc_warmstart, b, out, work) {
        return Info { malformed: true, ..Info::default() };
    }
    prepare(problem, work);
    primal_start(problem, qacc_warmstart, b, out, work);
    if newton {
        iterate::<true>(problem, params, out, work)
    } else {
        iterate::<false>(problem, params, out, work)
    }
}

/// Whether the array lengths and indices are consistent. Finds the row blocks.
fn is_consistent(
    problem: &Problem<'_>,
    qacc_warmstart: &[f64],
    b: &[f64],
    out: &Solution<'_>,
    work: &mut Workspace,
) -> bool {
    lengths_fit(problem, qacc_warmstart, b, out) && problem.find_row_blocks(&mut work.row_blocks)
}

/// Whether the starting point and the output have the lengths of the problem.
fn lengths_fit(
    problem: &Problem<'_>,
    qacc_warmstart: &[f64],
    b: &[f64],
    out: &Solution<'_>,
) -> bool {
    qacc_warmstart.len() == problem.nv() && b.len() == problem.nefc() && out.fits(problem)
}

/// Starting point of the primal solvers. Leaves `Ma` and `Jaref` of the selected acceleration in
/// the workspace.
fn primal_start(
    problem: &Problem<'_>,
    qacc_warmstart: &[f64],
    b: &[f64],
    out: &mut Solution<'_>,
    work: &mut Workspace,
) {
    evaluate(problem, qacc_warmstart, work);
    let cost = update_rows(problem, &work.constant_rows, &work.jaref, out.force, out.state, None);
    let gauss = gauss_cost(problem, &work.ma, qacc_warmstart);
    let smooth = update_rows(problem, &work.constant_rows, b, out.force, out.state, None);
    if cost + gauss > smooth {
        out.qacc.copy_from_slice(problem.qacc_smooth);
        work.jaref.copy_from_slice(b);
        work.root_paths.mul(&problem.inertia, problem.qacc_smooth, &mut work.ma);
    } else {
        out.qacc.copy_from_slice(qacc_warmstart);
    }
}

/// Starting point of the dual solver.
fn dual_start(
    problem: &Problem<'_>,
    qacc_warmstart: &[f64],
    b: &[f64],
    out: &mut Solution<'_>,
    work: &mut Workspace,
) {
    out.qacc.copy_from_slice(qacc_warmstart);
    evaluate(problem, qacc_warmstart, work);
    update_rows(problem, &work.constant_rows, &work.jaref, out.force, out.state, None);
    jacobian::mul_transposed(problem, &work.row_blocks, out.force, out.qfrc_constraint);
    // dual cost ½ fᵀ (J M⁻¹ Jᵀ + R) f + fᵀ b, without forming the matrix
    work.ma.copy_from_slice(out.qfrc_constraint);
    inertia::solve(&problem.inertia, &mut work.ma);
    let mut quadratic = dot(out.qfrc_constraint, &work.ma);
    for (&f, &r) in out.force.iter().zip(problem.rows.r) {
        quadratic += f * f * r;
    }
    if dot(out.force, b) + 0.5 * quadratic > 0.0 {
        out.force.fill(0.0);
        out.qfrc_constraint.fill(0.0);
    }
}
