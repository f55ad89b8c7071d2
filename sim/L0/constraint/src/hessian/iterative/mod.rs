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

mod assembly;
mod graph;
mod matrix;
mod substitution;
#[cfg(test)]
mod tests;

use super::Cones;
use crate::jacobian::RowBlock;
use crate::problem::Problem;
use crate::vector::{F64x4, axpy4, dot, heap_bytes, mul_add4};
use assembly::Assembly;
use graph::BlockGraph;
use matrix::BlockMatrix;
use sim_simd::dispatch;
use sim_types::ConstraintState;
use substitution::{backward, forward, sum_lanes};

/// Entries of a SIMD vector.
const LANES: usize = 4;

/// Smallest number of edges beyond the number of nodes for which the iterative solution is cheaper than a
/// factorisation: the fill-in of a factor comes from cycles of the graph.
const MIN_CYCLES: usize = 100;

/// Maximum number of iterations of one solve.
const MAX_ITERATIONS: usize = 200;

/// Hessian of one problem and the vectors of conjugate gradients.
#[derive(Debug, Default)]
pub(super) struct IterativeSolver {
    graph: BlockGraph,
    assembly: Assembly,
    matrix: BlockMatrix,
    /// Solution, residual and direction of conjugate gradients in the order of the blocks, and the two terms of the
    /// product with the direction.
    x: Vec<F64x4>,
    r: Vec<F64x4>,
    p: Vec<F64x4>,
    t: Vec<F64x4>,
    s: Vec<F64x4>,
}

impl IterativeSolver {
    /// Heap memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        heap_bytes!(self.x, self.r, self.p, self.t, self.s)
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

    /// Starts with the inertia matrix alone.
    pub(super) fn reset(&mut self, problem: &Problem<'_>) {
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
        let this = self;
        dispatch!(solve(this: &mut IterativeSolver, x: &mut [f64], relative: f64) -> bool)
    }

    /// Number of entries of all blocks.
    pub(super) fn nnz(&self) -> usize {
        self.graph.size as usize * LANES
    }
}

#[inline(always)]
fn solve(this: &mut IterativeSolver, out: &mut [f64], relative: f64) -> bool {
    let IterativeSolver { graph, matrix, x, r, p, t, s, .. } = this;
    for v in [&mut *x, &mut *r, &mut *p, &mut *t, &mut *s] {
        v.clear();
        v.resize(graph.vectors(), [0.0; LANES]);
    }
    // r = (I + L)⁻¹ C⁻¹ g
    for (&pos, &value) in graph.pos.iter().zip(&*out) {
        t.as_flattened_mut()[pos as usize] = value;
    }
    matrix.apply_inverse_factor(graph, t, s);
    t.fill([0.0; LANES]);
    forward(graph, matrix, s, t, r);
    let mut norm = dot(r.as_flattened(), r.as_flattened());
    let bound = relative * relative * norm;
    let mut beta = 0.0;
    let mut iterations = 0;
    while norm > bound && iterations < MAX_ITERATIONS {
        // p ← r + β p, t = (I + Lᵀ)⁻¹ p, s = (I + L)⁻¹ (p − t); the product with p is t + s
        for ((p, t), r) in p.iter_mut().zip(&mut *t).zip(&*r) {
            *p = axpy4(*r, *p, beta);
            *t = *p;
        }
        backward(graph, matrix, t);
        let curvature = forward(graph, matrix, p, t, s);
        let new = step(norm / curvature, [p, t, s], x, r);
        beta = new / norm;
        norm = new;
        iterations += 1;
    }
    // x = C⁻ᵀ (I + Lᵀ)⁻¹ x
    backward(graph, matrix, x);
    matrix.apply_inverse_factor_transposed(graph, x, t);
    for (&pos, value) in graph.pos.iter().zip(&mut *out) {
        *value = t.as_flattened()[pos as usize];
    }
    norm <= bound
}

/// `x += α p`, `r −= α (t + s)`; returns `rᵀ r`.
#[inline(always)]
fn step(alpha: f64, [p, t, s]: [&[F64x4]; 3], x: &mut [F64x4], r: &mut [F64x4]) -> f64 {
    let mut sum = [0.0; LANES];
    for ((((p, t), s), x), r) in p.iter().zip(t).zip(s).zip(x).zip(r) {
        *x = axpy4(*x, *p, alpha);
        *r = axpy4(*r, axpy4(*t, *s, 1.0), -alpha);
        sum = mul_add4(sum, *r, *r);
    }
    sum_lanes(&sum)
}
