//! Primal solvers (`mj_solPrimal`): Newton and conjugate gradients.
//!
//! Both share the loop: line search along `search`, update of `qacc`, `Ma` and `Jaref`, constraint
//! update, gradient, next search direction. They differ in the preconditioner of the gradient
//! (`H⁻¹` or `M⁻¹`) and in the search direction.

use crate::hessian::StateChange;
use crate::jacobian;
use crate::line_search::Line;
use crate::problem::{Info, Iteration, Params, Problem, Solution};
use crate::update::{find_constant_rows, update_rows};
use crate::vector::{add_scaled, dot, long_dot, long_dot_differences, resize_to, sums};
use crate::workspace::Workspace;
use sim_simd::dispatch;
use sim_types::{ConstraintState, MINVAL, SolverType};

/// Newton's method with the Hessian `M + Jᵀ D J`. Starts from `out.qacc`.
#[doc(alias = "mj_solNewton")]
pub fn newton(
    problem: &Problem<'_>,
    params: &Params,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    solve::<true>(problem, params, out, work)
}

/// Nonlinear conjugate gradients (Polak–Ribière with restarts), preconditioned with the inertia
/// matrix. Starts from `out.qacc`.
#[doc(alias = "mj_solCG")]
pub fn cg(
    problem: &Problem<'_>,
    params: &Params,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    solve::<false>(problem, params, out, work)
}

/// Maximum number of iterations with an improvement below the tolerance that do not terminate the
/// Newton solver while its decrement is above the tolerance, see [`decrement_above_tolerance`].
const MAX_SMALL_IMPROVEMENTS: usize = 2;

/// Scalar results of a constraint update.
#[derive(Debug, Clone, Copy)]
struct Update {
    /// Total cost: constraint cost plus Gauss cost.
    cost: f64,
    /// Gauss cost `½ (Ma − qfrc_smooth)ᵀ (qacc − qacc_smooth)`.
    gauss: f64,
    /// Number of rows that are not satisfied.
    nactive: i32,
    /// Number of rows of elliptic contacts in the middle zone of the cone.
    ncone: i32,
}

/// Matrix-vector products at the initial acceleration `out.qacc`.
#[derive(Debug, Clone, Copy)]
pub struct StartPoint<'a> {
    /// `Jaref = J qacc − aref`.
    pub jaref: &'a [f64],
    /// `Ma = M qacc`.
    pub ma: &'a [f64],
}

/// [`newton`] or [`cg`] with the products at the initial acceleration given. Reports a malformed
/// problem if their lengths do not match it, or if `solver` is not a primal solver.
pub fn solve_from(
    problem: &Problem<'_>,
    solver: SolverType,
    params: &Params,
    start: &StartPoint<'_>,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    work.clear_stats();
    let fits = start.jaref.len() == problem.nefc() && start.ma.len() == problem.nv();
    let fits = fits && out.fits(problem) && solver != SolverType::Pgs;
    if !fits || !problem.find_row_blocks(&mut work.row_blocks) {
        return Info { malformed: true, ..Info::default() };
    }
    prepare(problem, work);
    work.jaref.copy_from_slice(start.jaref);
    work.ma.copy_from_slice(start.ma);
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
    if !out.fits(problem) || !problem.find_row_blocks(&mut work.row_blocks) {
        return Info { malformed: true, ..Info::default() };
    }
    prepare(problem, work);
    evaluate(problem, out.qacc, work);
    iterate::<NEWTON>(problem, params, out, work)
}

/// Finds the root paths of the inertia matrix of a well-formed problem.
pub(crate) fn prepare(problem: &Problem<'_>, work: &mut Workspace) {
    work.root_paths.analyze(&problem.inertia);
    find_constant_rows(problem, &mut work.constant_rows);
    resize_to(&mut work.jaref, problem.nefc());
    resize_to(&mut work.ma, problem.nv());
}

/// Computes `Ma = M qacc` and `Jaref = J qacc − aref`.
pub(crate) fn evaluate(problem: &Problem<'_>, qacc: &[f64], work: &mut Workspace) {
    work.root_paths.mul(&problem.inertia, qacc, &mut work.ma);
    jacobian::mul(problem, &work.row_blocks, qacc, &mut work.jaref);
    add_scaled(&mut work.jaref, problem.rows.aref, -1.0);
}

/// Minimises the cost from `out.qacc`. [`prepare`] was called, and `Ma` and `Jaref` are set.
pub(crate) fn iterate<const NEWTON: bool>(
    problem: &Problem<'_>,
    params: &Params,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    let (nv, nefc) = (problem.nv(), problem.nefc());
    resize::<NEWTON>(problem, work);
    if !NEWTON {
        work.block_jacobian.build(problem, &work.row_blocks);
    }
    let mut info = Info::default();
    let mut now = update::<NEWTON>(problem, out, work);
    if NEWTON {
        let change = StateChange {
            row_blocks: &work.row_blocks,
            state: out.state,
            state_old: &work.state_old,
            count: 0,
            cones: (now.ncone > 0).then_some(&work.cones[..]),
        };
        work.singular = !work.hessian.make(problem, &change);
        info.bad_pivot |= work.singular;
    }
    update_gradient::<NEWTON>(problem, out, work);
    start_search::<NEWTON>(work);
    let mut small_improvements = 0;
    while info.iterations < params.iterations {
        if !line_search::<NEWTON>(problem, params, now.gauss, out, work) {
            info.converged = true;
            break;
        }
        let old = now;
        now = update::<NEWTON>(problem, out, work);
        let nupdate = if NEWTON { update_hessian(problem, out, &now, work, &mut info) } else { 0 };
        update_gradient::<NEWTON>(problem, out, work);

        // scaled improvement and gradient norm, statistics
        let ne = problem.rows.ne;
        let states = out.state[ne..].iter().zip(&work.state_old[ne..]);
        let nchange = states.filter(|(a, b)| a != b).count();
        let improvement = params.scale * (old.cost - now.cost);
        let gradient = params.scale * long_dot(&work.grad, &work.grad).sqrt();
        work.save(Iteration {
            improvement,
            gradient,
            lineslope: work.line.slope,
            nactive: now.nactive,
            nchange: nchange as i32,
            neval: work.line.evaluations as i32,
            nupdate,
        });
        info.iterations += 1;

        // termination
        let small = improvement < params.tolerance;
        if gradient < params.tolerance
            || small
                && (small_improvements == MAX_SMALL_IMPROVEMENTS
                    || !decrement_above_tolerance::<NEWTON>(params, work))
        {
            info.converged = true;
            break;
        }
        small_improvements += usize::from(small);
        if !improvement.is_finite() || !gradient.is_finite() {
            info.not_finite = true;
            break;
        }
        update_search::<NEWTON>(work);
    }
    info.nnz = if NEWTON { work.hessian.nnz() } else { 0 };
    debug_assert!(out.qacc.len() == nv && out.force.len() == nefc);
    info
}

/// Moves to the minimum along the search direction. Returns whether the cost decreases.
fn line_search<const NEWTON: bool>(
    problem: &Problem<'_>,
    params: &Params,
    gauss: f64,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> bool {
    work.root_paths.mul(&problem.inertia, &work.search, &mut work.line.mv);
    if NEWTON {
        jacobian::mul(problem, &work.row_blocks, &work.search, &mut work.line.jv);
    } else {
        work.block_jacobian.mul(&work.search, &mut work.line.jv);
    }
    let line = Line {
        jaref: &work.jaref,
        ma: &work.ma,
        search: &work.search,
        gauss,
        tolerance: params.tolerance * params.ls_tolerance,
        iterations: params.ls_iterations,
        scale: params.scale,
    };
    let alpha = work.line.search(problem, &line);
    if alpha == 0.0 {
        return false;
    }
    add_scaled(out.qacc, &work.search, alpha);
    add_scaled(&mut work.ma, &work.line.mv, alpha);
    add_scaled(&mut work.jaref, &work.line.jv, alpha);
    if !NEWTON {
        std::mem::swap(&mut work.mgrad, &mut work.mgrad_old);
    }
    // equality rows do not change their state
    let ne = problem.rows.ne;
    work.state_old[ne..].copy_from_slice(&out.state[ne..]);
    true
}

fn resize<const NEWTON: bool>(problem: &Problem<'_>, work: &mut Workspace) {
    let (nv, nefc) = (problem.nv(), problem.nefc());
    resize_to(&mut work.state_old, nefc);
    work.state_old[..problem.rows.ne].fill(ConstraintState::Quadratic);
    for v in [&mut work.grad, &mut work.mgrad, &mut work.search] {
        resize_to(v, nv);
    }
    if NEWTON {
        work.cones.resize(problem.contacts.len(), [0.0; 36]);
    } else {
        resize_to(&mut work.mgrad_old, nv);
    }
    work.line.resize(nv, nefc, problem.contacts.len());
}

/// Gauss cost `½ (Ma − qfrc_smooth)ᵀ (qacc − qacc_smooth)`.
pub(crate) fn gauss_cost(problem: &Problem<'_>, ma: &[f64], qacc: &[f64]) -> f64 {
    0.5 * long_dot_differences(ma, problem.qfrc_smooth, qacc, problem.qacc_smooth)
}

/// Constraint update: forces, states and total cost at the current acceleration
/// (`PrimalUpdateConstraint`).
#[doc(alias = "PrimalUpdateConstraint")]
fn update<const NEWTON: bool>(
    problem: &Problem<'_>,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Update {
    let cones = NEWTON.then_some(&mut work.cones[..]);
    let cost = update_rows(problem, &work.constant_rows, &work.jaref, out.force, out.state, cones);
    if NEWTON {
        jacobian::mul_transposed(problem, &work.row_blocks, out.force, out.qfrc_constraint);
    } else {
        work.block_jacobian.mul_transposed(out.force, out.qfrc_constraint);
    }
    let ne = problem.rows.ne;
    let count =
        |f: fn(ConstraintState) -> bool| out.state[ne..].iter().filter(|&&s| f(s)).count() as i32;
    let nactive = ne as i32 + count(|s| s != ConstraintState::Satisfied);
    let ncone = count(|s| s == ConstraintState::Cone);
    let gauss = gauss_cost(problem, &work.ma, out.qacc);
    Update { cost: cost + gauss, gauss, nactive, ncone }
}

/// Incremental update of the Hessian factor after a change of row states (`HessianIncremental`).
/// Returns the number of rank-one updates that the change amounts to.
#[doc(alias = "HessianIncremental")]
fn update_hessian(
    problem: &Problem<'_>,
    out: &Solution<'_>,
    now: &Update,
    work: &mut Workspace,
    info: &mut Info,
) -> i32 {
    let quadratic = |s: ConstraintState| s == ConstraintState::Quadratic;
    let pairs = out.state.iter().zip(&work.state_old);
    let nchange = pairs.filter(|(a, b)| quadratic(**a) != quadratic(**b)).count();
    let change = StateChange {
        row_blocks: &work.row_blocks,
        state: out.state,
        state_old: &work.state_old,
        count: nchange,
        cones: (now.ncone > 0).then_some(&work.cones[..]),
    };
    work.singular = !work.hessian.update(problem, &change);
    info.bad_pivot |= work.singular;
    nchange as i32 + now.ncone
}

/// Computes `grad = Ma − qfrc_smooth − qfrc_constraint` and the preconditioned gradient `Mgrad`
/// (`PrimalUpdateGradient`). The preconditioner falls back to the inertia matrix if the Hessian is
/// numerically singular.
#[doc(alias = "PrimalUpdateGradient")]
fn update_gradient<const NEWTON: bool>(
    problem: &Problem<'_>,
    out: &Solution<'_>,
    work: &mut Workspace,
) {
    let (ma, smooth) = (&work.ma[..], problem.qfrc_smooth);
    let (constraint, grad, mgrad) =
        (&*out.qfrc_constraint, &mut work.grad[..], &mut work.mgrad[..]);
    dispatch!(gradient(ma: &[f64], smooth: &[f64], constraint: &[f64], grad: &mut [f64], mgrad: &mut [f64]));
    if NEWTON && !work.singular {
        work.hessian.solve(&mut work.mgrad);
    } else {
        work.root_paths.solve(&problem.inertia, &mut work.mgrad);
    }
}

/// Writes `Ma − qfrc_smooth − qfrc_constraint` to `grad` and `copy`.
#[inline(always)]
fn gradient(ma: &[f64], smooth: &[f64], constraint: &[f64], grad: &mut [f64], copy: &mut [f64]) {
    let terms = ma.iter().zip(smooth).zip(constraint);
    for ((grad, copy), ((ma, smooth), constraint)) in grad.iter_mut().zip(copy).zip(terms) {
        *grad = ma - smooth - constraint;
        *copy = *grad;
    }
}

/// Whether half the squared Newton decrement, `½ gradᵀ H⁻¹ grad`, which predicts the improvement of
/// the next step, is above the tolerance. The measured improvement can be below it only because of
/// round-off if the cost is very large.
fn decrement_above_tolerance<const NEWTON: bool>(params: &Params, work: &Workspace) -> bool {
    NEWTON && !work.singular && 0.5 * params.scale * dot(&work.grad, &work.mgrad) > params.tolerance
}

/// Initial search direction: `−Mgrad`.
fn start_search<const NEWTON: bool>(work: &mut Workspace) {
    for (s, g) in work.search.iter_mut().zip(&work.mgrad) {
        *s = -g;
    }
    if !NEWTON {
        work.grad_mgrad = long_dot(&work.grad, &work.mgrad);
    }
}

/// Next search direction: `−Mgrad` for Newton, the Polak–Ribière direction for CG.
fn update_search<const NEWTON: bool>(work: &mut Workspace) {
    if NEWTON {
        return start_search::<NEWTON>(work);
    }
    // β = gradᵀ (Mgrad − Mgrad_old) / gradᵀ_old Mgrad_old, clamped to restart when negative
    let (grad, mgrad, mgrad_old) = (&work.grad[..], &work.mgrad[..], &work.mgrad_old[..]);
    let [numerator, grad_mgrad] =
        dispatch!(polak_ribiere(grad: &[f64], mgrad: &[f64], mgrad_old: &[f64]) -> [f64; 2]);
    let beta = numerator / work.grad_mgrad.max(MINVAL);
    let beta = if beta < 0.0 { 0.0 } else { beta };
    work.grad_mgrad = grad_mgrad;
    let search = &mut work.search[..];
    dispatch!(combine(mgrad: &[f64], beta: f64, search: &mut [f64]));
}

/// `gradᵀ (Mgrad − Mgrad_old)` and `gradᵀ Mgrad`.
#[inline(always)]
fn polak_ribiere(grad: &[f64], mgrad: &[f64], mgrad_old: &[f64]) -> [f64; 2] {
    sums([grad, mgrad, mgrad_old], |[grad, new, old]| [grad * (new - old), grad * new])
}

/// `search ← −Mgrad + β search`.
#[inline(always)]
fn combine(mgrad: &[f64], beta: f64, search: &mut [f64]) {
    for (s, g) in search.iter_mut().zip(mgrad) {
        *s = -g + beta * *s;
    }
}

impl Solution<'_> {
    /// Whether the array lengths match the problem.
    pub(crate) fn fits(&self, problem: &Problem<'_>) -> bool {
        let (nv, nefc) = (problem.nv(), problem.nefc());
        self.qacc.len() == nv
            && self.qfrc_constraint.len() == nv
            && self.force.len() == nefc
            && self.state.len() == nefc
    }
}
