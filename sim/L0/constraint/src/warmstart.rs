//! Warm start (`warmstart` in MuJoCo's `engine_forward`): the solver starts from the previous
//! acceleration or from the unconstrained one, whichever has the lower cost.

use crate::pgs;
use crate::primal::{constraint_cost, evaluate, gauss_cost, iterate};
use crate::problem::{Info, Params, Problem, Solution};
use crate::small;
use crate::update::update_rows;
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
    if solver != SolverType::Pgs {
        if let Some(costs) = start_costs(problem, solver, qacc_warmstart, b, out, work)
            && !costs.is_warm()
        {
            out.qacc.copy_from_slice(problem.qacc_smooth);
        }
    } else if lengths_fit(problem, qacc_warmstart, b, out) {
        out.qacc.copy_from_slice(qacc_warmstart);
        // a single evaluation does not need the matrix
        pgs::start(problem, 0, qacc_warmstart, b, out, work);
    }
}

/// [`warmstart`] followed by [`crate::newton`], [`crate::cg`] or [`crate::pgs`].
pub fn solve_warmstart(
    problem: &Problem<'_>,
    solver: SolverType,
    params: &Params,
    qacc_warmstart: &[f64],
    b: &[f64],
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    if solver == SolverType::Pgs {
        if !lengths_fit(problem, qacc_warmstart, b, out) {
            return Info { malformed: true, ..Info::default() };
        }
        return pgs::pgs_warmstart(problem, params, qacc_warmstart, b, out, work);
    }
    let costs = start_costs(problem, solver, qacc_warmstart, b, out, work).unwrap_or_default();
    solve_start(problem, solver, params, b, costs.is_warm(), out, work)
}

/// Costs of a problem at the two possible starting points of a primal solver. Islands start from the same one: that
/// with the lower sum of costs.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StartCosts {
    /// Cost at the previous acceleration.
    pub warm: f64,
    /// Cost at the unconstrained acceleration, whose Gauss cost is zero.
    pub smooth: f64,
}

impl StartCosts {
    /// Whether the solver starts from the previous acceleration.
    #[must_use]
    pub fn is_warm(&self) -> bool {
        // also if a cost is NaN
        !matches!(self.warm.partial_cmp(&self.smooth), Some(std::cmp::Ordering::Greater))
    }
}

/// Evaluates the starting points of a primal solver, before [`solve_start`]; `out.qacc` becomes `qacc_warmstart`.
/// Returns nothing if the array lengths are inconsistent or `solver` is not a primal solver.
pub fn start_costs(
    problem: &Problem<'_>,
    solver: SolverType,
    qacc_warmstart: &[f64],
    b: &[f64],
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Option<StartCosts> {
    work.start_cost = None;
    if solver == SolverType::Pgs
        || !lengths_fit(problem, qacc_warmstart, b, out)
        || !evaluate(problem, solver, qacc_warmstart, work)
    {
        return None;
    }
    let smooth = update_rows(problem, &work.constant_rows, b, out.force, out.state, None);
    // last, so that the forces and states are those at the probable starting point
    let cost = constraint_cost(problem, solver, out, work);
    work.start_cost = Some(cost);
    out.qacc.copy_from_slice(qacc_warmstart);
    Some(StartCosts { warm: cost + gauss_cost(problem, &work.ma, qacc_warmstart), smooth })
}

/// [`crate::newton`] or [`crate::cg`] from one of the starting points that [`start_costs`] evaluated for the same
/// problem with the same workspace. Reports a malformed problem if it did not.
pub fn solve_start(
    problem: &Problem<'_>,
    solver: SolverType,
    params: &Params,
    b: &[f64],
    is_warm: bool,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    work.clear_stats();
    let Some(mut cost) = work.start_cost.take() else {
        return Info { malformed: true, ..Info::default() };
    };
    let is_small = small::is_small(problem, solver);
    if !is_warm {
        out.qacc.copy_from_slice(problem.qacc_smooth);
        work.jaref.copy_from_slice(b);
        if is_small {
            small::mul_inertia(problem, problem.qacc_smooth, work);
        } else {
            work.root_paths.mul(&problem.inertia, problem.qacc_smooth, &mut work.ma);
        }
        cost = constraint_cost(problem, solver, out, work);
    }
    if is_small {
        small::solve(problem, solver, params, cost, out, work)
    } else if solver == SolverType::Newton {
        iterate::<true>(problem, params, out, work)
    } else {
        iterate::<false>(problem, params, out, work)
    }
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
