//! The primal solvers, Newton and conjugate gradients: one loop with two ways to a direction.

use crate::group;
use crate::hessian::Change;
use crate::line_search::Line;
use crate::problem::{Info, Iteration, Params, Problem, Solution};
use crate::tree;
use crate::update::update_rows;
use crate::vector::{add_scaled, dot, fit, norm};
use crate::workspace::Workspace;
use sim_types::{ConstraintState, MINVAL, SolverType};

/// Newton's method: directions from the Hessian `M + Jᵀ D J`. Starts from `out.qacc`.
#[doc(alias = "mj_solNewton")]
pub fn newton(
    problem: &Problem<'_>,
    params: &Params,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    solve::<true>(problem, params, out, work)
}

/// Nonlinear conjugate gradients, Polak–Ribière with restarts, preconditioned by the inertia.
/// Starts from `out.qacc`.
#[doc(alias = "mj_solCG")]
pub fn cg(
    problem: &Problem<'_>,
    params: &Params,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    solve::<false>(problem, params, out, work)
}

/// How many steps that bring nothing are forgiven, see [`promising`].
const STALLS: usize = 2;

/// What an update of the constraints finds.
#[derive(Debug, Clone, Copy)]
struct Update {
    /// Cost of constraints and Gauss together.
    cost: f64,
    gauss: f64,
    active: i32,
    /// Rows of contacts in their middle zone.
    cone_rows: i32,
}

/// What is known at the starting point.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// `J qacc − aref`.
    pub jaref: &'a [f64],
    /// `M qacc`.
    pub ma: &'a [f64],
}

/// As [`newton`] and [`cg`], with products known at the starting point. Does nothing if they do not
/// have the problem's sizes, or for another solver.
pub fn solve_given(
    problem: &Problem<'_>,
    solver: SolverType,
    params: &Params,
    given: &Given<'_>,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    work.clear_stats();
    let fits = given.jaref.len() == problem.nefc() && given.ma.len() == problem.nv();
    if !fits || !problem.is_well_formed() || !out.fits(problem) || solver == SolverType::Pgs {
        return Info { malformed: true, ..Info::default() };
    }
    prepare(problem, work);
    work.jaref.copy_from_slice(given.jaref);
    work.ma.copy_from_slice(given.ma);
    if solver == SolverType::Newton {
        iterate::<true>(problem, params, out, work)
    } else {
        iterate::<false>(problem, params, out, work)
    }
}

fn solve<const NEWTON: bool>(
    problem: &Problem<'_>,
    params: &Params,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    work.clear_stats();
    if !problem.is_well_formed() || !out.fits(problem) {
        return Info { malformed: true, ..Info::default() };
    }
    prepare(problem, work);
    evaluate(problem, out.qacc, work);
    iterate::<NEWTON>(problem, params, out, work)
}

/// Looks at a problem whose arrays fit together.
pub(crate) fn prepare(problem: &Problem<'_>, work: &mut Workspace) {
    group::find(problem, &mut work.runs);
    work.chains.find(&problem.inertia);
    fit(&mut work.jaref, problem.nefc());
    fit(&mut work.ma, problem.nv());
}

/// The products with an acceleration.
pub(crate) fn evaluate(problem: &Problem<'_>, qacc: &[f64], work: &mut Workspace) {
    work.chains.mul(&problem.inertia, qacc, &mut work.ma);
    group::mul(problem, &work.runs, qacc, &mut work.jaref);
    add_scaled(&mut work.jaref, problem.rows.aref, -1.0);
}

/// Goes from `out.qacc` to the minimum; the problem is prepared, and the products there are known.
pub(crate) fn iterate<const NEWTON: bool>(
    problem: &Problem<'_>,
    params: &Params,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    let (nv, nefc) = (problem.nv(), problem.nefc());
    resize::<NEWTON>(problem, work);
    let mut info = Info::default();
    let mut now = update::<NEWTON>(problem, out, work);
    if NEWTON {
        let change = Change {
            runs: &work.runs,
            state: out.state,
            state_old: &work.state_old,
            count: 0,
            cones: (now.cone_rows > 0).then_some(&work.cones[..]),
        };
        work.singular = !work.hessian.start(problem, &change);
        info.bad_pivot |= work.singular;
    }
    gradient::<NEWTON>(problem, out, work);
    for (s, g) in work.search.iter_mut().zip(&work.mgrad) {
        *s = -g;
    }
    let mut stalls = 0;
    while info.iterations < params.iterations {
        work.chains.mul(&problem.inertia, &work.search, &mut work.line.mv);
        group::mul(problem, &work.runs, &work.search, &mut work.line.jv);
        let line = Line {
            jaref: &work.jaref,
            ma: &work.ma,
            search: &work.search,
            gauss: now.gauss,
            tolerance: params.tolerance * params.ls_tolerance,
            iterations: params.ls_iterations,
            scale: params.scale,
        };
        let alpha = work.line.search(problem, &line);
        if alpha == 0.0 {
            info.converged = true;
            break;
        }
        add_scaled(out.qacc, &work.search, alpha);
        add_scaled(&mut work.ma, &work.line.mv, alpha);
        add_scaled(&mut work.jaref, &work.line.jv, alpha);
        if !NEWTON {
            work.grad_old.copy_from_slice(&work.grad);
            work.mgrad_old.copy_from_slice(&work.mgrad);
        }
        work.state_old.copy_from_slice(out.state);
        let before = now;
        now = update::<NEWTON>(problem, out, work);
        let nupdate = if NEWTON { follow(problem, out, &now, work, &mut info) } else { 0 };
        gradient::<NEWTON>(problem, out, work);

        let changed = out.state.iter().zip(&work.state_old).filter(|(a, b)| a != b).count();
        let improvement = params.scale * (before.cost - now.cost);
        let slope = params.scale * norm(&work.grad);
        work.save(Iteration {
            improvement,
            gradient: slope,
            lineslope: work.line.slope,
            nactive: now.active,
            nchange: changed as i32,
            neval: work.line.evaluations as i32,
            nupdate,
        });
        info.iterations += 1;
        let small = improvement < params.tolerance;
        if slope < params.tolerance
            || small && (stalls == STALLS || !promising::<NEWTON>(params, work))
        {
            info.converged = true;
            break;
        }
        stalls += usize::from(small);
        // nothing good comes after NaN
        if !improvement.is_finite() || !slope.is_finite() {
            info.not_finite = true;
            break;
        }
        next_direction::<NEWTON>(work);
    }
    info.nnz = if NEWTON { work.hessian.nnz() } else { 0 };
    debug_assert!(out.qacc.len() == nv && out.force.len() == nefc);
    info
}

fn resize<const NEWTON: bool>(problem: &Problem<'_>, work: &mut Workspace) {
    let (nv, nefc) = (problem.nv(), problem.nefc());
    fit(&mut work.state_old, nefc);
    for v in [&mut work.grad, &mut work.mgrad, &mut work.search] {
        fit(v, nv);
    }
    if NEWTON {
        work.cones.resize(problem.contacts.len(), [0.0; 36]);
    } else {
        fit(&mut work.grad_old, nv);
        fit(&mut work.mgrad_old, nv);
    }
    work.line.resize(nv, nefc, problem.contacts.len());
}

/// Forces, states and cost at the present acceleration.
fn update<const NEWTON: bool>(
    problem: &Problem<'_>,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Update {
    let cones = NEWTON.then_some(&mut work.cones[..]);
    let cost = update_rows(problem, &work.jaref, out.force, out.state, cones);
    group::mul_transposed(problem, &work.runs, out.force, out.qfrc_constraint);
    let count = |f: fn(ConstraintState) -> bool| out.state.iter().filter(|&&s| f(s)).count() as i32;
    let active = count(|s| s != ConstraintState::Satisfied);
    let cone_rows = count(|s| s == ConstraintState::Cone);
    let mut gauss = 0.0;
    for i in 0..problem.nv() {
        gauss +=
            0.5 * (work.ma[i] - problem.qfrc_smooth[i]) * (out.qacc[i] - problem.qacc_smooth[i]);
    }
    Update { cost: cost + gauss, gauss, active, cone_rows }
}

/// Brings the Hessian's factor up to date. Returns the number of rank-one changes that it takes.
fn follow(
    problem: &Problem<'_>,
    out: &Solution<'_>,
    now: &Update,
    work: &mut Workspace,
    info: &mut Info,
) -> i32 {
    let quadratic = |s: ConstraintState| s == ConstraintState::Quadratic;
    let pairs = out.state.iter().zip(&work.state_old);
    let changes = pairs.filter(|(a, b)| quadratic(**a) != quadratic(**b)).count();
    let change = Change {
        runs: &work.runs,
        state: out.state,
        state_old: &work.state_old,
        count: changes,
        cones: (now.cone_rows > 0).then_some(&work.cones[..]),
    };
    work.singular = !work.hessian.follow(problem, &change);
    info.bad_pivot |= work.singular;
    changes as i32 + now.cone_rows
}

/// The gradient, plain and preconditioned. A Hessian that is singular to rounding is no help; the
/// inertia then takes its place.
fn gradient<const NEWTON: bool>(problem: &Problem<'_>, out: &Solution<'_>, work: &mut Workspace) {
    for i in 0..problem.nv() {
        work.grad[i] = work.ma[i] - problem.qfrc_smooth[i] - out.qfrc_constraint[i];
    }
    work.mgrad.copy_from_slice(&work.grad);
    if NEWTON && !work.singular {
        work.hessian.solve(&mut work.mgrad);
    } else {
        tree::solve(&problem.inertia, &mut work.mgrad);
    }
}

/// Whether the next step of Newton's method promises more than the tolerance, though the last one
/// brought less: costs that begin very high are rounded so much that a good step may not show.
fn promising<const NEWTON: bool>(params: &Params, work: &Workspace) -> bool {
    NEWTON && !work.singular && 0.5 * params.scale * dot(&work.grad, &work.mgrad) > params.tolerance
}

/// The direction of the next line search.
fn next_direction<const NEWTON: bool>(work: &mut Workspace) {
    if NEWTON {
        for (s, g) in work.search.iter_mut().zip(&work.mgrad) {
            *s = -g;
        }
        return;
    }
    let mut rise = 0.0;
    for i in 0..work.grad.len() {
        rise += work.grad[i] * (work.mgrad[i] - work.mgrad_old[i]);
    }
    let beta = rise / dot(&work.grad_old, &work.mgrad_old).max(MINVAL);
    let beta = if beta < 0.0 { 0.0 } else { beta };
    for (s, g) in work.search.iter_mut().zip(&work.mgrad) {
        *s = -g + beta * *s;
    }
}

impl Solution<'_> {
    /// Whether the arrays have the problem's sizes.
    pub(crate) fn fits(&self, problem: &Problem<'_>) -> bool {
        let (nv, nefc) = (problem.nv(), problem.nefc());
        self.qacc.len() == nv
            && self.qfrc_constraint.len() == nv
            && self.force.len() == nefc
            && self.state.len() == nefc
    }
}
