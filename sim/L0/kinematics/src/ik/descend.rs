//! One attempt: Gauss–Newton steps within limits, from where it stands to where no step helps.
//!
//! A step minimises `½ ‖e − J x‖² + ½ λ ‖x‖²` within the room that limits leave. The damping `λ`
//! falls with the square of the distance, so that convergence stays quadratic, and grows when steps
//! promise more than they keep. A step is shortened until the distance falls; no other is taken.

use super::program::{Memory, Program};
use super::{Solver, Workspace};
use crate::Frame;
use crate::chain::place_inline;
use crate::jacobian::fill;
use sim_simd::dispatch;

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// At the targets.
    Met,
    /// Where no small motion helps.
    Still,
    /// Where motions help so little that another start is worth more.
    Slow,
    /// After the last step.
    OutOfSteps,
}

/// How an attempt went.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt {
    pub ending: Ending,
    /// Half the square of the weighted distance that is left.
    pub merit: f64,
    pub iterations: usize,
}

/// When an attempt gives up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    pub iterations: usize,
    /// Steps in a row that may bring less than a tenth.
    pub slow: usize,
}

/// Damping next to the merit, and bounds of the factor on it.
const DAMPING: f64 = 0.3;
const FACTOR: [f64; 2] = [1e-3, 1e8];
/// Damping next to the mean of the matrix's diagonal: enough for pivots that are not lost in
/// rounding.
const LEAST_DAMPING: f64 = 1e-11;
/// Share of the promised fall that a step has to reach.
const ARMIJO: f64 = 1e-4;
/// A promise below this share of the distance is rounding.
const STILL: f64 = 1e-10;

impl Solver {
    /// Goes from `work.q` downhill; `work.q` and `work.residuals` are left at the best point.
    pub(super) fn descend(&self, work: &mut Workspace, patience: Patience) -> Attempt {
        let solver = self;
        dispatch!(descend_sized(solver: &Solver, work: &mut Workspace, patience: Patience) -> Attempt)
    }

    /// Half the square of the weighted distance at `work.q`.
    pub(super) fn evaluate(&self, work: &mut Workspace) -> f64 {
        evaluate(self, &work.q, &work.targets, &mut work.frames, &mut work.residuals)
    }
}

/// The same code for sizes that are known and for those that are not.
#[inline(always)]
fn descend_sized(solver: &Solver, work: &mut Workspace, patience: Patience) -> Attempt {
    match solver.space.n {
        6 => descend(solver, 6, 8, work, patience),
        7 => descend(solver, 7, 8, work, patience),
        n => descend(solver, n, solver.space.stride, work, patience),
    }
}

#[inline(always)]
fn descend(
    solver: &Solver,
    n: usize,
    stride: usize,
    work: &mut Workspace,
    patience: Patience,
) -> Attempt {
    let mut merit = evaluate(solver, &work.q, &work.targets, &mut work.frames, &mut work.residuals);
    let (mut factor, mut slow) = (1.0, 0);
    for iterations in 0..patience.iterations {
        if is_met(solver, work) {
            return Attempt { ending: Ending::Met, merit, iterations };
        }
        assemble(solver, n, stride, work);
        let mean = (0..n).map(|i| work.h[i * stride + i]).sum::<f64>() / n.max(1) as f64;
        solver.space.room(&work.q, &mut work.low, &mut work.high);
        let next = loop {
            let damping = factor * DAMPING * merit + LEAST_DAMPING * mean;
            let promise = step(n, stride, damping, work);
            if promise.is_nan() || promise <= STILL * merit {
                return Attempt { ending: Ending::Still, merit, iterations };
            }
            if let Some((found, share)) = search(solver, n, merit, work) {
                let kept = (merit - found) / promise;
                if share < 1.0 || kept < 0.25 {
                    factor = (4.0 * factor).min(FACTOR[1]);
                } else if kept > 0.75 {
                    factor = (0.25 * factor).max(FACTOR[0]);
                }
                break found;
            }
            factor *= 16.0;
            if factor > FACTOR[1] {
                return Attempt { ending: Ending::Still, merit, iterations };
            }
        };
        slow = if next > 0.9 * merit { slow + 1 } else { 0 };
        merit = next;
        if slow >= patience.slow {
            return Attempt { ending: Ending::Slow, merit, iterations: iterations + 1 };
        }
    }
    let ending = if is_met(solver, work) { Ending::Met } else { Ending::OutOfSteps };
    Attempt { ending, merit, iterations: patience.iterations }
}

/// Places the chains at `q` and looks how far their tips are from the targets.
#[inline(always)]
fn evaluate(
    solver: &Solver,
    q: &[f64],
    targets: &[super::target::Prepared],
    frames: &mut [Frame],
    residuals: &mut [[f64; 6]],
) -> f64 {
    let mut sum = 0.0;
    for ((end, target), residual) in solver.ends.iter().zip(targets).zip(residuals) {
        let frames = &mut frames[end.frames.clone()];
        place_inline(&end.chain, q, frames);
        if let Some(tip) = frames.last() {
            *residual = target.residual(tip);
            sum += residual.iter().map(|x| x * x).sum::<f64>();
        }
    }
    0.5 * sum
}

#[inline(always)]
fn is_met(solver: &Solver, work: &Workspace) -> bool {
    let square = |part: &[f64]| part.iter().map(|x| x * x).sum::<f64>();
    work.residuals.iter().zip(&work.targets).all(|(residual, target)| {
        let within = |part: &[f64], weight: f64, tolerance: f64| {
            let bound = weight * tolerance;
            square(part) <= bound * bound
        };
        within(&residual[..3], target.weights[0], solver.options.position_tolerance)
            && within(&residual[3..], target.weights[1], solver.options.orientation_tolerance)
    })
}

/// As [`assemble`], for whoever is in no hurry.
pub(super) fn assemble_at(solver: &Solver, work: &mut Workspace) {
    assemble(solver, solver.space.n, solver.space.stride, work);
}

/// The matrix `Jᵀ J` and the gradient `Jᵀ e` over all chains.
#[inline(always)]
fn assemble(solver: &Solver, n: usize, stride: usize, work: &mut Workspace) {
    let Workspace { frames, residuals, targets, columns, rows, h, g, .. } = work;
    let (h, g) = (&mut h[..n * stride], &mut g[..stride]);
    let rows = &mut rows[..6 * stride];
    for (k, (end, target)) in solver.ends.iter().zip(targets).enumerate() {
        let frames = &frames[end.frames.clone()];
        let columns = &mut columns[..end.chain.nv()];
        fill(&end.chain, frames, columns);
        let Some(tip) = frames.last() else { continue };
        if !end.whole {
            rows.fill(0.0);
        }
        for (column, &at) in columns.iter().zip(&end.map) {
            let slope = target.slope(tip, column);
            for r in 0..6 {
                rows[r * stride + at] = slope[r];
            }
        }
        add_squares(n, stride, rows, &residuals[k], k == 0, h, g);
    }
}

/// Adds `rowsᵀ rows` to `h` and `rowsᵀ e` to `g`, or begins with them.
#[inline(always)]
fn add_squares(
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
            add_sum(&x, rows, block, first, to);
        }
    }
    for (block, to) in g.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        add_sum(e, rows, block, first, to);
    }
}

/// Four sums over the six rows at once.
#[inline(always)]
fn add_sum(x: &[f64; 6], rows: [&[[f64; 4]]; 6], block: usize, first: bool, to: &mut [f64; 4]) {
    let mut sum = if first { [0.0; 4] } else { *to };
    for r in 0..6 {
        let row = &rows[r][block];
        for k in 0..4 {
            sum[k] += x[r] * row[k];
        }
    }
    *to = sum;
}

/// Finds the step; returns how much of the merit it promises to take away.
#[inline(always)]
fn step(n: usize, stride: usize, damping: f64, work: &mut Workspace) -> f64 {
    let Workspace { h, g, low, high, matrix, point, side, x, .. } = work;
    let program = Program { n, stride, h, g, low, high, damping };
    program.solve(&mut Memory { matrix, point, side }, x)
}

/// Tries the step, half of it and a quarter; on success `work.q` is there. Returns the merit and the
/// share.
#[inline(always)]
fn search(solver: &Solver, n: usize, merit: f64, work: &mut Workspace) -> Option<(f64, f64)> {
    let Workspace { q, trial, x, g, frames, targets, residuals, trial_residuals, .. } = work;
    let slope: f64 = g[..n].iter().zip(&x[..n]).map(|(a, b)| a * b).sum();
    for share in [1.0, 0.5, 0.25] {
        solver.space.go(q, x, share, trial);
        let found = evaluate(solver, trial, targets, frames, trial_residuals);
        if found < merit - ARMIJO * share * slope.max(0.0) {
            std::mem::swap(q, trial);
            std::mem::swap(residuals, trial_residuals);
            return Some((found, share));
        }
    }
    None
}
