//! Contact forces by projected conjugate gradients, without other constraints.
//!
//! Given the Jacobian of each point contact and the factored inertia matrix, it minimises
//! `½ λᵀ W λ − rhsᵀ λ` with `W = J M⁻¹ Jᵀ` over the friction cones `λₙ ≥ 0`, `|λₜ| ≤ μ λₙ`. If no
//! cone constraint is active, the solution satisfies `W λ = rhs`.

mod block;
mod cg;
mod pgs;

pub use cg::cg_solve_contacts;

/// A point contact.
#[derive(Debug, Clone, Copy)]
pub struct ContactBlock<'a> {
    /// Jacobian rows of the normal and two tangents, row-major `3 × nv`.
    pub jacobian: &'a [f64],
    /// Desired change of velocity or acceleration along the three directions.
    pub rhs: [f64; 3],
    /// Friction coefficient.
    pub friction: f64,
}

/// Settings of [`cg_solve_contacts`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CGSolverConfig {
    /// Maximum number of conjugate gradient iterations.
    pub max_iterations: usize,
    /// Convergence tolerance of the residual norm relative to the norm of the right-hand side.
    pub tolerance: f64,
    /// Maximum number of projected Gauss–Seidel sweeps if conjugate gradients do not converge.
    pub fallback_iterations: usize,
}

impl Default for CGSolverConfig {
    fn default() -> Self {
        Self { max_iterations: 200, tolerance: 1e-8, fallback_iterations: 200 }
    }
}

/// Result of [`cg_solve_contacts`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CGContactResult {
    /// Normal force and two friction forces of each contact, inside its cone.
    pub forces: Vec<[f64; 3]>,
    /// Number of conjugate gradient iterations, without the sweeps of the fallback.
    pub iterations_used: usize,
    /// Number of projected Gauss–Seidel sweeps of the fallback.
    pub fallback_iterations_used: usize,
    /// Norm of the projected gradient step, scaled per contact, relative to the norm of the
    /// right-hand side.
    pub residual_norm: f64,
    /// Whether the residual norm is below the tolerance.
    pub converged: bool,
    /// Conjugate gradients did not converge, and projected Gauss–Seidel continued.
    pub fell_back: bool,
}

/// Temporary memory of [`cg_solve_contacts`] and its fallback counter.
#[derive(Debug, Default)]
pub struct ContactWorkspace {
    /// `B = J L⁻¹ D^-½`, dense, three rows per contact.
    b: Vec<f64>,
    /// `Bᵀ λ`, and `Bᵀ` times the search direction.
    y: Vec<f64>,
    y_step: Vec<f64>,
    blocks: Vec<block::Block>,
    residual: Vec<[f64; 3]>,
    direction: Vec<[f64; 3]>,
    step: Vec<[f64; 3]>,
    step_old: Vec<[f64; 3]>,
    residual_old: Vec<[f64; 3]>,
    trial: Vec<[f64; 3]>,
    /// Number of solves in which conjugate gradients did not converge.
    fallbacks: u64,
}

impl ContactWorkspace {
    /// Number of solves with this workspace in which conjugate gradients did not converge and
    /// projected Gauss–Seidel continued.
    #[must_use]
    pub fn fallbacks(&self) -> u64 {
        self.fallbacks
    }
}
