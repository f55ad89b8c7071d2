//! The starting point: last step's acceleration or the smooth one, whichever costs less.

use crate::group;
use crate::problem::{Problem, Solution};
use crate::tree;
use crate::update::update_rows;
use crate::vector::{dot, fit};
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
    let (nv, nefc) = (problem.nv(), problem.nefc());
    let fits = problem.is_well_formed() && out.fits(problem);
    if !fits || qacc_warmstart.len() != nv || b.len() != nefc {
        return;
    }
    group::find(problem, &mut work.runs);
    fit(&mut work.jaref, nefc);
    fit(&mut work.ma, nv);
    out.qacc.copy_from_slice(qacc_warmstart);
    group::mul(problem, &work.runs, qacc_warmstart, &mut work.jaref);
    for (jar, aref) in work.jaref.iter_mut().zip(problem.rows.aref) {
        *jar -= aref;
    }
    let cost = update_rows(problem, &work.jaref, out.force, out.state, None);
    if solver == SolverType::Pgs {
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
        return;
    }
    work.chains.find(&problem.inertia);
    work.chains.mul(&problem.inertia, qacc_warmstart, &mut work.ma);
    let mut gauss = 0.0;
    for i in 0..nv {
        gauss += 0.5
            * (work.ma[i] - problem.qfrc_smooth[i])
            * (qacc_warmstart[i] - problem.qacc_smooth[i]);
    }
    let smooth = update_rows(problem, b, out.force, out.state, None);
    if cost + gauss > smooth {
        out.qacc.copy_from_slice(problem.qacc_smooth);
    }
}
