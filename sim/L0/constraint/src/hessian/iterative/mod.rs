//! Solution of `H x = g` by conjugate gradients with a symmetric Gauss–Seidel preconditioner.
//!
//! The Hessian of a large pile has many cycles of contacts, so that its factor fills in and the cost of a
//! factorisation grows with about the square of the number of bodies. The regularisation of the constraints
//! bounds the condition number of `H` relative to its diagonal blocks, and conjugate gradients
//! converge in a number of iterations that hardly depends on the size.
//!
//! `H` is stored in dense blocks ([`BlockGraph`]), one for each kinematic tree and one for each pair of coupled
//! trees. With the Cholesky factors of the diagonal blocks it is scaled to `I + L + Lᵀ` ([`BlockMatrix`]), and
//! the preconditioned matrix is
//!
//! ```text
//! (I + L)⁻¹ (I + L + Lᵀ) (I + Lᵀ)⁻¹ = (I + Lᵀ)⁻¹ + (I + L)⁻¹ (I − (I + Lᵀ)⁻¹)
//! ```
//!
//! so that an iteration needs one backward and one forward substitution and no product with `H`
//! (S. C. Eisenstat, "Efficient implementation of a class of preconditioned conjugate gradient methods",
//! SIAM J. Sci. Stat. Comput. 2, 1981).
//!
//! The scaled matrix and the vectors of conjugate gradients are in single precision, which halves the memory traffic.
//! An accuracy beyond it is reached by iterative refinement: the residual is computed in double precision and solved
//! for again. The nodes are ordered by nested dissection ([`Dissection`](dissection::Dissection)), so that two threads
//! can share the substitutions; the order does not depend on the number of threads.

mod assembly;
mod dissection;
mod graph;
mod matrix;
mod residual;
mod scaling;
mod single;
mod substitution;
#[cfg(test)]
mod tests;

use super::Cones;
use crate::jacobian::RowBlock;
use crate::parallel::join;
use crate::problem::Problem;
use crate::vector::{F64x4, axpy4, heap_bytes};
use assembly::Assembly;
use graph::BlockGraph;
use matrix::BlockMatrix;
use residual::{dot, subtract_product};
use sim_simd::dispatch;
use sim_types::ConstraintState;
use single::{F32x8, Sum};
use substitution::{Vectors, backward, forward, multiply};

/// Entries of a SIMD vector in double precision.
const LANES: usize = 4;

/// Smallest number of edges beyond the number of nodes for which the iterative solution is cheaper than a
/// factorisation: the fill-in of a factor comes from cycles of the graph.
const MIN_CYCLES: usize = 100;

/// Maximum number of iterations of one solve.
const MAX_ITERATIONS: usize = 200;

/// Relative accuracy of conjugate gradients in single precision; a higher one is reached by refinement.
const SINGLE_ACCURACY: f64 = 1e-5;

/// Largest number of SIMD vectors whose sums are computed on one thread.
const MAX_SERIAL: usize = 2000;

/// Hessian of one problem and the vectors of conjugate gradients.
#[derive(Debug, Default)]
pub(super) struct IterativeSolver {
    graph: BlockGraph,
    assembly: Assembly,
    matrix: BlockMatrix,
    /// Solution and residual in double precision, in the order of the blocks of the Hessian.
    solution: Vec<F64x4>,
    residual: Vec<F64x4>,
    /// Change of the solution.
    change: Vec<F64x4>,
    /// Solution, residual and direction of conjugate gradients in the order of elimination, and the two terms of the
    /// product with the direction.
    x: Vec<F32x8>,
    r: Vec<F32x8>,
    p: Vec<F32x8>,
    t: Vec<F32x8>,
    s: Vec<F32x8>,
}

impl IterativeSolver {
    /// Heap memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        heap_bytes!(self.x, self.r, self.p, self.t, self.s, self.solution, self.residual)
            + heap_bytes!(self.change)
            + self.graph.bytes()
            + self.assembly.bytes()
            + self.matrix.bytes()
    }

    /// Finds the blocks of a problem. Returns whether the iterative solution is likely to be cheaper than a
    /// factorisation.
    pub(super) fn analyze(&mut self, problem: &Problem<'_>, row_blocks: &[RowBlock]) -> bool {
        self.graph.build(problem, row_blocks);
        self.graph.edges.len() >= self.graph.len() + MIN_CYCLES
    }

    /// Finds the order of elimination and starts with the inertia matrix alone.
    pub(super) fn reset(&mut self, problem: &Problem<'_>) {
        self.matrix.analyze(&self.graph);
        self.assembly.reset(&self.graph, problem);
    }

    /// Updates the Hessian to the current row states. Returns whether the diagonal blocks are positive definite.
    pub(super) fn update(
        &mut self,
        problem: &Problem<'_>,
        row_blocks: &[RowBlock],
        state: &[ConstraintState],
        cones: Option<Cones<'_>>,
    ) -> bool {
        let Self { graph, assembly, matrix, .. } = self;
        assembly.update(graph, problem, row_blocks, state, cones);
        matrix.scale(graph, &assembly.h, &mut assembly.changed)
    }

    /// `x ← H⁻¹ x` to a residual of `relative` times the initial one in the norm of the preconditioner `P`,
    /// `rᵀ P⁻¹ r`, which is close to the energy norm `rᵀ H⁻¹ r` of the error. Returns whether it converged.
    pub(super) fn solve(&mut self, x: &mut [f64], relative: f64) -> bool {
        let n = self.graph.vectors();
        self.residual.clear();
        self.residual.resize(n, [0.0; LANES]);
        self.graph.scatter(x, &mut self.residual);
        self.solution.clear();
        self.solution.resize(n, [0.0; LANES]);
        self.change.resize(n, [0.0; LANES]);
        let converged = self.refine(relative);
        self.graph.gather(&self.solution, x);
        converged
    }

    /// Adds solutions for the residual until it is small enough. Returns whether it is.
    fn refine(&mut self, relative: f64) -> bool {
        let mut bound = None;
        let mut iterations = 0;
        loop {
            // in units of the norm of the residual, which may be outside the range of single precision
            let unit = dot(&self.residual).sqrt();
            if unit == 0.0 {
                return true;
            }
            let norm = self.start(1.0 / unit);
            let bound = *bound.get_or_insert(relative * relative * norm * unit * unit);
            let target = bound / (unit * unit);
            if norm <= target {
                return true;
            }
            let accuracy = SINGLE_ACCURACY * SINGLE_ACCURACY * norm;
            let reached = self.iterate(norm, target.max(accuracy), &mut iterations);
            backward(&self.matrix, 0, &mut self.x);
            let Self { graph, assembly, matrix, x, change, solution, residual, .. } = self;
            matrix.apply_inverse_factor_transposed(graph, 0..graph.len(), x, unit, change);
            for (solution, change) in solution.iter_mut().zip(&*change) {
                *solution = axpy4(*solution, *change, 1.0);
            }
            if target >= accuracy && reached <= target {
                return true;
            }
            if iterations >= MAX_ITERATIONS || reached.is_nan() {
                return false;
            }
            subtract_product(graph, &assembly.h, change, residual);
        }
    }

    /// Starts conjugate gradients for the residual times `factor`. Returns `rᵀ r`.
    fn start(&mut self, factor: f64) -> f64 {
        let Self { graph, matrix, residual, x, r, p, t, s, .. } = self;
        for v in [&mut *x, &mut *r, &mut *p, &mut *t, &mut *s] {
            v.clear();
            v.resize(matrix.vectors(), F32x8::ZERO);
        }
        // r = (I + L)⁻¹ C⁻¹ g
        matrix.apply_inverse_factor(graph, 0..graph.len(), residual, factor, p);
        forward(matrix, 0, p, t, r);
        p.fill(F32x8::ZERO);
        // the step of length zero does not change the vectors
        step(0.0, [p, s], t, x, r)
    }

    /// Iterations of conjugate gradients until `rᵀ r`, which is `norm` at the start, is at most `bound`. Returns it.
    fn iterate(&mut self, mut norm: f64, bound: f64, iterations: &mut usize) -> f64 {
        let Self { matrix, x, r, p, t, s, .. } = self;
        let mut beta = 0.0;
        while norm > bound && *iterations < MAX_ITERATIONS {
            let curvature = multiply(matrix, 0, beta as f32, &mut Vectors { r, p, t, s });
            let new = step((norm / curvature) as f32, [p, s], t, x, r);
            beta = new / norm;
            norm = new;
            *iterations += 1;
        }
        norm
    }

    /// Number of entries of all blocks.
    pub(super) fn nnz(&self) -> usize {
        self.graph.size as usize * LANES
    }
}

/// `x += α p`, `r −= α (t + s)`, `t = 0`; returns `rᵀ r`.
fn step(
    alpha: f32,
    [p, s]: [&[F32x8]; 2],
    t: &mut [F32x8],
    x: &mut [F32x8],
    r: &mut [F32x8],
) -> f64 {
    if p.len() > MAX_SERIAL {
        let middle = p.len() / 2;
        let ((p, p2), (s, s2)) = (p.split_at(middle), s.split_at(middle));
        let (t, t2) = t.split_at_mut(middle);
        let (x, x2) = x.split_at_mut(middle);
        let (r, r2) = r.split_at_mut(middle);
        let (one, two) =
            join(|| step(alpha, [p, s], t, x, r), || step(alpha, [p2, s2], t2, x2, r2));
        return one + two;
    }
    dispatch!(step_lanes(alpha: f32, p: &[F32x8], s: &[F32x8], t: &mut [F32x8], x: &mut [F32x8], r: &mut [F32x8]) -> f64)
}

#[inline(always)]
fn step_lanes(
    alpha: f32,
    p: &[F32x8],
    s: &[F32x8],
    t: &mut [F32x8],
    x: &mut [F32x8],
    r: &mut [F32x8],
) -> f64 {
    let mut sum = Sum::default();
    for ((((p, t), s), x), r) in p.iter().zip(t).zip(s).zip(x).zip(r) {
        *x = x.add_scaled(*p, alpha);
        *r = r.add_scaled(t.plus(*s), -alpha);
        *t = F32x8::ZERO;
        sum.add(*r, *r);
    }
    sum.total()
}
