//! Buffers of the implicit integrators.

/// Buffers of the free bodies that are integrated by the midpoint rule.
#[derive(Debug, Clone, Default)]
pub(crate) struct FreeBodies {
    /// Free joints whose tree is a single body.
    pub(super) joints: Vec<usize>,
    /// Velocities at the end of the step.
    pub(super) next: Vec<[f64; 6]>,
    /// Mean accelerations over the step.
    pub(super) rate: Vec<[f64; 6]>,
    /// Velocity that advances the positions, for all dofs.
    pub(super) middle: Vec<f64>,
}

/// Rank-one terms outside the sparsity of `M`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Corrections {
    /// Dense row `j` of each term.
    pub(super) rows: Vec<f64>,
    /// `A⁻¹ j` of each term, with the matrix `A` that precedes it.
    pub(super) solved: Vec<f64>,
    /// Weight `w` of each term; after factoring `w / (1 + w jᵀ A⁻¹ j)`.
    pub(super) weight: Vec<f64>,
}
