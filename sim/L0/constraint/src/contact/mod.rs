//! Contact forces alone: point contacts with friction cones, by projected conjugate gradients.
//!
//! For whoever wants contact forces without the rest of the constraints: given the Jacobian of
//! each contact and the inertia's factor, it minimises `½ λᵀ W λ − rhsᵀ λ` with `W = J M⁻¹ Jᵀ` over
//! `λₙ ≥ 0`, `|λₜ| ≤ μ λₙ`. Where the cones do not matter this solves `W λ = rhs`.

mod block;
mod cg;
mod sweep;

pub use cg::cg_solve_contacts;

/// A point contact.
#[derive(Debug, Clone, Copy)]
pub struct ContactBlock<'a> {
    /// Rows of the normal and of two tangents, each with an entry for every dof.
    pub jacobian: &'a [f64],
    /// Wanted change of velocity along the three directions.
    pub rhs: [f64; 3],
    /// Friction coefficient.
    pub friction: f64,
}

/// Settings of [`cg_solve_contacts`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CGSolverConfig {
    /// Most iterations of conjugate gradients.
    pub max_iterations: usize,
    /// Length of the residual, relative to that of the right-hand side, that counts as solved.
    pub tolerance: f64,
    /// Most sweeps of projected Gauss–Seidel where conjugate gradients do not get there.
    pub fallback_iterations: usize,
}

impl Default for CGSolverConfig {
    fn default() -> Self {
        Self { max_iterations: 200, tolerance: 1e-8, fallback_iterations: 200 }
    }
}

/// What [`cg_solve_contacts`] found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CGContactResult {
    /// Normal force and two friction forces of each contact, inside its cone.
    pub forces: Vec<[f64; 3]>,
    /// Iterations done, sweeps of the fallback not counted.
    pub iterations_used: usize,
    /// Length of the residual at the end, relative to that of the right-hand side: how far a step
    /// along the gradient, scaled contact by contact, would still move the forces.
    pub residual_norm: f64,
    /// Whether the residual is below the tolerance, by whichever method.
    pub converged: bool,
    /// Conjugate gradients did not converge and projected Gauss–Seidel took over.
    pub fell_back: bool,
}

/// Memory of [`cg_solve_contacts`], and a count of its warnings.
#[derive(Debug, Default)]
pub struct ContactWorkspace {
    /// `J L⁻¹ D^-½`, three rows a contact.
    b: Vec<f64>,
    /// `Bᵀ λ`, and the same for a direction.
    y: Vec<f64>,
    y_step: Vec<f64>,
    blocks: Vec<block::Block>,
    residual: Vec<[f64; 3]>,
    direction: Vec<[f64; 3]>,
    step: Vec<[f64; 3]>,
    step_old: Vec<[f64; 3]>,
    residual_old: Vec<[f64; 3]>,
    trial: Vec<[f64; 3]>,
    /// How often conjugate gradients did not converge.
    fallbacks: u64,
}

impl ContactWorkspace {
    /// How often, in the life of this workspace, conjugate gradients did not converge and projected
    /// Gauss–Seidel took over.
    #[must_use]
    pub fn fallbacks(&self) -> u64 {
        self.fallbacks
    }
}
