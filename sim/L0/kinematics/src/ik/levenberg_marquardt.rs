//! One attempt of the solver: Levenberg–Marquardt (damped least squares) with joint limits.
//!
//! Each step minimizes `½ ‖e − J x‖² + ½ λ ‖x‖²` subject to the bounds that the joint limits put on
//! `x` (a box-constrained QP). The damping `λ` is proportional to the cost `½ ‖e‖²`, which preserves
//! quadratic convergence (Sugihara 2011), times a factor that is adapted by the ratio of actual to
//! predicted reduction. A backtracking line search makes the cost decrease in every step.

use super::box_qp::{BoxQp, Scratch};
use super::{Solver, Workspace};
use crate::Frame;
use crate::chain::forward_inline;
use crate::jacobian::fill;
use sim_simd::dispatch;

/// Termination reason of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Termination {
    /// Every target is reached.
    Converged,
    /// The predicted reduction vanishes, or no step reduces the cost: a local minimum.
    Stationary,
    /// Progress is so slow that a restart is more promising.
    Stalled,
    /// The iteration limit was reached.
    IterationLimit,
}

/// Result of an attempt.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt {
    pub termination: Termination,
    /// `½ ‖e‖²` of the weighted residual.
    pub cost: f64,
    pub iterations: usize,
}

/// Iteration limits of an attempt.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub iterations: usize,
    /// Consecutive steps with a reduction of less than 10% before the attempt counts as stalled.
    pub slow_steps: usize,
}

/// Damping relative to the cost, and bounds of the adaptive factor on it.
const DAMPING: f64 = 0.3;
const FACTOR: [f64; 2] = [1e-3, 1e8];
/// Minimum damping relative to the mean diagonal of `JᵀJ`, against pivots lost in rounding.
const MIN_DAMPING: f64 = 1e-11;
/// Sufficient-decrease parameter of the line search (Armijo condition).
const ARMIJO: f64 = 1e-4;
/// A predicted reduction below this fraction of the cost is rounding error.
const STATIONARY: f64 = 1e-10;

impl Solver {
    /// Minimizes the cost from `work.q`; leaves the solution in `work.q` and its residual in
    /// `work.residuals`.
    pub(super) fn minimize(&self, work: &mut Workspace, limits: Limits) -> Attempt {
        let solver = self;
        dispatch!(minimize_sized(solver: &Solver, work: &mut Workspace, limits: Limits) -> Attempt)
    }

    /// Computes the residual at `work.q`; returns the cost.
    pub(super) fn evaluate(&self, work: &mut Workspace) -> f64 {
        evaluate(self, &work.q, &work.targets, &mut work.frames, &mut work.residuals)
    }
}

/// Specializes the loop for six and seven unknowns, whose inner loops are then unrolled.
#[inline(always)]
fn minimize_sized(solver: &Solver, work: &mut Workspace, limits: Limits) -> Attempt {
    match solver.variables.n {
        6 => minimize(solver, 6, 8, work, limits),
        7 => minimize(solver, 7, 8, work, limits),
        n => minimize(solver, n, solver.variables.stride, work, limits),
    }
}

#[inline(always)]
fn minimize(
    solver: &Solver,
    n: usize,
    stride: usize,
    work: &mut Workspace,
    limits: Limits,
) -> Attempt {
    let mut cost = evaluate(solver, &work.q, &work.targets, &mut work.frames, &mut work.residuals);
    let (mut factor, mut slow) = (1.0, 0);
    for iterations in 0..limits.iterations {
        if is_converged(solver, work) {
            return Attempt { termination: Termination::Converged, cost, iterations };
        }
        assemble(solver, n, stride, work);
        let mean = (0..n).map(|i| work.h[i * stride + i]).sum::<f64>() / n.max(1) as f64;
        solver.variables.step_bounds(&work.q, &mut work.lower, &mut work.upper);
        let next = loop {
            let damping = factor * DAMPING * cost + MIN_DAMPING * mean;
            let predicted = compute_step(n, stride, damping, work);
            if predicted.is_nan() || predicted <= STATIONARY * cost {
                return Attempt { termination: Termination::Stationary, cost, iterations };
            }
            if let Some((new_cost, alpha)) = line_search(solver, n, cost, work) {
                let ratio = (cost - new_cost) / predicted;
                if alpha < 1.0 || ratio < 0.25 {
                    factor = (4.0 * factor).min(FACTOR[1]);
                } else if ratio > 0.75 {
                    factor = (0.25 * factor).max(FACTOR[0]);
                }
                break new_cost;
            }
            factor *= 16.0;
            if factor > FACTOR[1] {
                return Attempt { termination: Termination::Stationary, cost, iterations };
            }
        };
        slow = if next > 0.9 * cost { slow + 1 } else { 0 };
        cost = next;
        if slow >= limits.slow_steps {
            return Attempt { termination: Termination::Stalled, cost, iterations: iterations + 1 };
        }
    }
    let termination = if is_converged(solver, work) {
        Termination::Converged
    } else {
        Termination::IterationLimit
    };
    Attempt { termination, cost, iterations: limits.iterations }
}

/// Forward kinematics at `q` and the weighted residuals; returns the cost.
#[inline(always)]
fn evaluate(
    solver: &Solver,
    q: &[f64],
    targets: &[super::target::WeightedTarget],
    frames: &mut [Frame],
    residuals: &mut [[f64; 6]],
) -> f64 {
    let mut sum = 0.0;
    for ((effector, target), residual) in solver.effectors.iter().zip(targets).zip(residuals) {
        let frames = &mut frames[effector.frames.clone()];
        forward_inline(&effector.chain, q, frames);
        if let Some(tip) = frames.last() {
            *residual = target.residual(tip);
            sum += residual.iter().map(|x| x * x).sum::<f64>();
        }
    }
    0.5 * sum
}

#[inline(always)]
fn is_converged(solver: &Solver, work: &Workspace) -> bool {
    let squared_norm = |part: &[f64]| part.iter().map(|x| x * x).sum::<f64>();
    work.residuals.iter().zip(&work.targets).all(|(residual, target)| {
        let within = |part: &[f64], weight: f64, tolerance: f64| {
            let bound = weight * tolerance;
            squared_norm(part) <= bound * bound
        };
        within(&residual[..3], target.weights[0], solver.options.position_tolerance)
            && within(&residual[3..], target.weights[1], solver.options.orientation_tolerance)
    })
}

/// [`assemble`] without specialization.
pub(super) fn assemble_unspecialized(solver: &Solver, work: &mut Workspace) {
    assemble(solver, solver.variables.n, solver.variables.stride, work);
}

/// Computes the Gauss–Newton matrix `h = JᵀJ` and `g = Jᵀe`, summed over all chains.
#[inline(always)]
fn assemble(solver: &Solver, n: usize, stride: usize, work: &mut Workspace) {
    let Workspace { frames, residuals, targets, columns, rows, h, g, .. } = work;
    let (h, g) = (&mut h[..n * stride], &mut g[..stride]);
    let rows = &mut rows[..6 * stride];
    for (k, (effector, target)) in solver.effectors.iter().zip(targets).enumerate() {
        let frames = &frames[effector.frames.clone()];
        let columns = &mut columns[..effector.chain.nv()];
        fill(&effector.chain, frames, columns);
        let Some(tip) = frames.last() else { continue };
        if !effector.has_all_variables {
            rows.fill(0.0);
        }
        for (column, &variable) in columns.iter().zip(&effector.variables) {
            let weighted = target.weighted_column(tip, column);
            for r in 0..6 {
                rows[r * stride + variable] = weighted[r];
            }
        }
        add_normal_equations(n, stride, rows, &residuals[k], k == 0, h, g);
    }
}

/// Adds `rowsᵀ rows` to `h` and `rowsᵀ e` to `g`; overwrites both if `first`.
#[inline(always)]
fn add_normal_equations(
    n: usize,
    stride: usize,
    rows: &[f64],
    e: &[f64; 6],
    first: bool,
    h: &mut [f64],
    g: &mut [f64],
) {
    let rows = &rows[..6 * stride];
    let [a, b, c, d, f, p] = [0, 1, 2, 3, 4, 5].map(|r| &rows[r * stride..(r + 1) * stride]);
    let rows = [a, b, c, d, f, p].map(|row| row.as_chunks::<4>().0);
    for (i, line) in h.chunks_exact_mut(stride).enumerate().take(n) {
        let x = [a[i], b[i], c[i], d[i], f[i], p[i]];
        for (block, to) in line.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            add_dot_products(&x, rows, block, first, to);
        }
    }
    for (block, to) in g.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        add_dot_products(e, rows, block, first, to);
    }
}

/// Four dot products over the six rows, in SIMD lanes.
#[inline(always)]
fn add_dot_products(
    x: &[f64; 6],
    rows: [&[[f64; 4]]; 6],
    block: usize,
    first: bool,
    to: &mut [f64; 4],
) {
    let mut sum = if first { [0.0; 4] } else { *to };
    for r in 0..6 {
        let row = &rows[r][block];
        for k in 0..4 {
            sum[k] += x[r] * row[k];
        }
    }
    *to = sum;
}

/// Computes the step `work.x`; returns the predicted reduction of the cost.
#[inline(always)]
fn compute_step(n: usize, stride: usize, damping: f64, work: &mut Workspace) -> f64 {
    let Workspace { h, g, lower, upper, matrix, point, active, x, .. } = work;
    let qp = BoxQp { n, stride, h, g, lower, upper, damping };
    qp.solve(&mut Scratch { matrix, point, active }, x)
}

/// Backtracking line search along `work.x`. On success moves `work.q` and returns the cost and the
/// step length.
#[inline(always)]
fn line_search(solver: &Solver, n: usize, cost: f64, work: &mut Workspace) -> Option<(f64, f64)> {
    let Workspace { q, trial, x, g, frames, targets, residuals, trial_residuals, .. } = work;
    let slope: f64 = g[..n].iter().zip(&x[..n]).map(|(a, b)| a * b).sum();
    for alpha in [1.0, 0.5, 0.25] {
        solver.variables.integrate(q, x, alpha, trial);
        let new_cost = evaluate(solver, trial, targets, frames, trial_residuals);
        if new_cost < cost - ARMIJO * alpha * slope.max(0.0) {
            std::mem::swap(q, trial);
            std::mem::swap(residuals, trial_residuals);
            return Some((new_cost, alpha));
        }
    }
    None
}
