//! Primal solvers (`mj_solPrimal`): Newton and conjugate gradients.
//!
//! Both share the loop: line search along `search`, update of `qacc`, `Ma` and `Jaref`, constraint
//! update, gradient, next search direction. They differ in the preconditioner of the gradient
//! (`H⁻¹` or `M⁻¹`) and in the search direction.

use crate::hessian::{Hessian, StateChange};
use crate::jacobian;
use crate::line_search::{Line, LineSearch, products};
use crate::parallel::join_if;
use crate::primal_update::{RowCounts, Update, update};
use crate::problem::{Info, Iteration, Params, Problem, Solution};
use crate::small;
use crate::update::{find_constant_rows, update_rows};
use crate::vector::{Terms, add_scaled, dot, long_dot, long_dot_differences, resize_to, sums};
use crate::workspace::Workspace;
use sim_simd::dispatch;
use sim_simd::lanes::Lanes;
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
/// Newton solver while its decrement is above the tolerance, see [`decrement_above`].
pub(crate) const MAX_SMALL_IMPROVEMENTS: usize = 2;

/// Tolerances of the gradient and of the decrement, which is quadratic in it, relative to those of a factored Hessian,
/// if the search direction is computed iteratively. The step with a factored Hessian that reaches the tolerance
/// usually exceeds it by orders of magnitude, because the states of all rows are those for which its direction was
/// computed.
const ITERATIVE_ACCURACY: (f64, f64) = (1e-2, 1e-6);

/// Bounds of the forcing term of the inexact Newton method, the relative residual up to which the linear
/// system of an iterative search direction is solved: the upper bound, and the factor `c` of the lower
/// bound `c · tolerance / ‖gradient‖`.
const FORCING: (f64, f64) = (0.1, 1e-3);

/// Number of iterations of CG before the Jacobian is converted to SIMD blocks, which takes as long as a few products.
const UNCONVERTED_ITERATIONS: usize = 2;

fn solve<const NEWTON: bool>(
    problem: &Problem<'_>,
    params: &Params,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    work.clear_stats();
    let solver = if NEWTON { SolverType::Newton } else { SolverType::Cg };
    if !out.fits(problem) || !evaluate(problem, solver, out.qacc, work) {
        return Info { malformed: true, ..Info::default() };
    }
    if small::is_small(problem, solver) {
        let cost = constraint_cost(problem, solver, out, work);
        return small::solve(problem, solver, params, cost, out, work);
    }
    iterate::<NEWTON>(problem, params, out, work)
}

/// Prepares the solution of a problem and computes `Ma = M qacc` and `Jaref = J qacc − aref`. Returns whether the
/// problem is well formed; the length of `qacc` fits it.
pub(crate) fn evaluate(
    problem: &Problem<'_>,
    solver: SolverType,
    qacc: &[f64],
    work: &mut Workspace,
) -> bool {
    if small::is_small(problem, solver) {
        return small::load(problem, qacc, work);
    }
    let known = work.root_paths.fits(&problem.inertia);
    let well_formed = match known {
        true => problem.find_row_blocks_with_inertia(&mut work.row_blocks),
        false => problem.find_row_blocks(&mut work.row_blocks),
    };
    if !well_formed {
        return false;
    }
    if !known {
        work.root_paths.analyze(&problem.inertia);
    }
    find_constant_rows(problem, &mut work.constant_rows);
    resize_to(&mut work.jaref, problem.nefc());
    resize_to(&mut work.ma, problem.nv());
    work.root_paths.mul(&problem.inertia, qacc, &mut work.ma);
    jacobian::mul(problem, &work.row_blocks, qacc, &mut work.jaref);
    add_scaled(&mut work.jaref, problem.rows.aref, -1.0);
    true
}

/// Forces and states of the rows at `Jaref`, and for Newton's method the cone Hessians. Returns their cost.
pub(crate) fn constraint_cost(
    problem: &Problem<'_>,
    solver: SolverType,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> f64 {
    let Workspace { constant_rows, jaref, cones, .. } = work;
    let cones = (solver == SolverType::Newton).then(|| {
        cones.resize(problem.contacts.len(), [0.0; 36]);
        &mut cones[..]
    });
    update_rows(problem, constant_rows, jaref, out.force, out.state, cones)
}

/// Minimises the cost from `out.qacc`. After [`evaluate`].
pub(crate) fn iterate<const NEWTON: bool>(
    problem: &Problem<'_>,
    params: &Params,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    let (nv, nefc) = (problem.nv(), problem.nefc());
    resize::<NEWTON>(problem, work);
    work.block_jacobian.reset();
    let mut info = Info::default();
    let mut now = update::<NEWTON>(problem, None, out, work);
    if NEWTON {
        let (hessian, change) = hessian_and_change(out, &now, work);
        work.singular = !hessian.make(problem, &change);
        info.bad_pivot |= work.singular;
    }
    let mut gradient = params.scale * now.gradient;
    work.forcing = FORCING.0;
    precondition::<NEWTON>(problem, params, out, &now, gradient, work);
    start_search::<NEWTON>(work);
    let mut small_improvements = 0;
    while info.iterations < params.iterations {
        if !NEWTON && info.iterations == UNCONVERTED_ITERATIONS {
            work.block_jacobian.build(problem, &work.row_blocks);
        }
        let alpha = line_search::<NEWTON>(problem, params, now.gauss, work);
        if alpha == 0.0 {
            info.converged = true;
            break;
        }
        if !NEWTON {
            std::mem::swap(&mut work.mgrad, &mut work.mgrad_old);
        }
        let old = now;
        now = update::<NEWTON>(problem, Some(alpha), out, work);
        gradient = params.scale * now.gradient;

        // scaled improvement, statistics
        let RowCounts { active, cone, changed, quadratic } = now.rows;
        let improvement = params.scale * (old.cost - now.cost);
        work.save(Iteration {
            improvement,
            gradient,
            lineslope: work.line.slope,
            nactive: active as i32,
            nchange: changed as i32,
            neval: work.line.evaluations as i32,
            // rank-one updates of the Hessian that the change of row states amounts to
            nupdate: if NEWTON { (quadratic + cone) as i32 } else { 0 },
        });
        info.iterations += 1;

        // termination
        let accuracy =
            if NEWTON && work.hessian.is_iterative() { ITERATIVE_ACCURACY } else { (1.0, 1.0) };
        if gradient < accuracy.0 * params.tolerance {
            info.converged = true;
            break;
        }
        if NEWTON {
            update_hessian(problem, out, &now, work, &mut info);
            work.forcing = (changed as f64 / nefc as f64).min(FORCING.0);
        }
        precondition::<NEWTON>(problem, params, out, &now, gradient, work);
        let small = improvement < params.tolerance;
        let tolerance = accuracy.1 * params.tolerance;
        if small
            && (small_improvements == MAX_SMALL_IMPROVEMENTS
                || !decrement_above::<NEWTON>(tolerance, params, work))
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

/// Finds the minimum along the search direction. Returns the step size, zero if the cost does not decrease.
fn line_search<const NEWTON: bool>(
    problem: &Problem<'_>,
    params: &Params,
    gauss: f64,
    work: &mut Workspace,
) -> f64 {
    let Workspace { root_paths, row_blocks, block_jacobian, search, line, .. } = work;
    let LineSearch { jv, mv, .. } = line;
    if NEWTON {
        join_if(
            jacobian::is_large(row_blocks),
            || jacobian::mul(problem, row_blocks, search, jv),
            || root_paths.mul(&problem.inertia, search, mv),
        );
    } else if block_jacobian.is_built() {
        // `M search` was updated with the direction
        block_jacobian.mul(search, jv);
    } else {
        jacobian::mul(problem, row_blocks, search, jv);
    }
    let line = Line {
        jaref: &work.jaref,
        gauss,
        tolerance: params.tolerance * params.ls_tolerance,
        iterations: params.ls_iterations,
        scale: params.scale,
    };
    let products = products(&work.search, &work.ma, problem.qfrc_smooth, &work.line.mv);
    work.line.search(problem, &line, products)
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

/// The Hessian of the workspace, and the current and previous row states.
fn hessian_and_change<'a>(
    out: &'a Solution<'_>,
    now: &Update,
    work: &'a mut Workspace,
) -> (&'a mut Hessian, StateChange<'a>) {
    let Workspace { hessian, row_blocks, state_old, cones, .. } = work;
    let change = StateChange {
        row_blocks,
        state: out.state,
        state_old,
        cones: (now.rows.cone > 0).then_some(&cones[..]),
    };
    (hessian, change)
}

/// Incremental update of the Hessian after a change of row states (`HessianIncremental`).
#[doc(alias = "HessianIncremental")]
fn update_hessian(
    problem: &Problem<'_>,
    out: &Solution<'_>,
    now: &Update,
    work: &mut Workspace,
    info: &mut Info,
) {
    let (hessian, change) = hessian_and_change(out, now, work);
    work.singular = !hessian.update(problem, &change);
    info.bad_pivot |= work.singular;
}

/// Computes the preconditioned gradient `Mgrad` from the gradient. The preconditioner falls back to the inertia
/// matrix if the Hessian is numerically singular. `gradient` is the scaled norm of the gradient.
fn precondition<const NEWTON: bool>(
    problem: &Problem<'_>,
    params: &Params,
    out: &Solution<'_>,
    now: &Update,
    gradient: f64,
    work: &mut Workspace,
) {
    if !NEWTON || work.singular {
        return work.root_paths.solve(&problem.inertia, &mut work.mgrad);
    }
    let relative = work.forcing.max(FORCING.1 * params.tolerance / gradient);
    if work.hessian.solve(&mut work.mgrad, relative) {
        return;
    }
    work.mgrad.copy_from_slice(&work.grad);
    let (hessian, change) = hessian_and_change(out, now, work);
    work.singular = !hessian.make_factor(problem, &change);
    if work.singular {
        work.root_paths.solve(&problem.inertia, &mut work.mgrad);
    } else {
        work.hessian.solve(&mut work.mgrad, relative);
    }
}

/// Whether half the squared Newton decrement, `½ gradᵀ H⁻¹ grad`, which predicts the improvement of
/// the next step, is above a tolerance. The measured improvement can be below it only because of
/// round-off if the cost is very large.
fn decrement_above<const NEWTON: bool>(tolerance: f64, params: &Params, work: &Workspace) -> bool {
    NEWTON && !work.singular && 0.5 * params.scale * dot(&work.grad, &work.mgrad) > tolerance
}

/// Initial search direction: `−Mgrad`.
fn start_search<const NEWTON: bool>(work: &mut Workspace) {
    for (s, g) in work.search.iter_mut().zip(&work.mgrad) {
        *s = -g;
    }
    if !NEWTON {
        work.grad_mgrad = long_dot(&work.grad, &work.mgrad);
        // M Mgrad = grad
        for (mv, g) in work.line.mv.iter_mut().zip(&work.grad) {
            *mv = -g;
        }
    }
}

/// Next search direction: `−Mgrad` for Newton, the Polak–Ribière direction for CG.
fn update_search<const NEWTON: bool>(work: &mut Workspace) {
    if NEWTON {
        return start_search::<NEWTON>(work);
    }
    // β = gradᵀ (Mgrad − Mgrad_old) / gradᵀ_old Mgrad_old, clamped to restart when negative
    let (grad, mgrad) = (&work.grad[..], &work.mgrad[..]);
    let [numerator, grad_mgrad] = sums::<PolakRibiere, 3, 2>([grad, mgrad, &work.mgrad_old]);
    let beta = numerator / work.grad_mgrad.max(MINVAL);
    let beta = if beta < 0.0 { 0.0 } else { beta };
    work.grad_mgrad = grad_mgrad;
    let search = &mut work.search[..];
    dispatch!(combine(mgrad: &[f64], beta: f64, search: &mut [f64]));
    // M search follows from M Mgrad = grad, without a product
    let mv = &mut work.line.mv[..];
    dispatch!(combine(grad: &[f64], beta: f64, mv: &mut [f64]));
}

/// `gradᵀ (Mgrad − Mgrad_old)` and `gradᵀ Mgrad`.
struct PolakRibiere;

impl Terms<3, 2> for PolakRibiere {
    #[inline(always)]
    fn terms<V: Lanes>([grad, new, old]: [V; 3]) -> [V; 2] {
        [grad * (new - old), grad * new]
    }
}

/// `x ← −gradient + β x`.
#[inline(always)]
fn combine(gradient: &[f64], beta: f64, x: &mut [f64]) {
    for (x, g) in x.iter_mut().zip(gradient) {
        *x = -g + beta * *x;
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
