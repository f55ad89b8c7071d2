//! Buffers of the implicit integrators.

use crate::math::vec3::Vec3;

/// Buffers of the free bodies that are integrated by the midpoint rule.
#[derive(Debug, Clone, Default)]
pub(crate) struct FreeBodies {
    /// Free joints whose tree is a single body.
    pub(super) joints: Vec<usize>,
    /// Velocities at the end of the step.
    pub(super) end_velocity: Vec<[f64; 6]>,
    /// Mean accelerations over the step.
    pub(super) acceleration: Vec<[f64; 6]>,
    /// Velocity that advances the positions, for all dofs: the midpoint velocity of these bodies.
    pub(super) position_velocity: Vec<f64>,
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

/// Buffers of the banded system.
#[derive(Debug, Clone, Default)]
pub(crate) struct CellSystem {
    /// Whether the matrix is factored.
    pub(super) valid: bool,
    /// Band matrix, then its factor.
    pub(super) matrix: Vec<f64>,
    /// Right-hand side, then the solution.
    pub(super) solution: Vec<f64>,
    /// Entries that couple to other dofs: row, dof, value.
    pub(super) coupling: Vec<(u32, u32, f64)>,
    /// Positions of the nodes of a flex.
    pub(super) positions: Vec<Vec3>,
    /// Velocities of the nodes of a flex.
    pub(super) velocities: Vec<Vec3>,
    /// Forces on the nodes of a flex.
    pub(super) forces: Vec<Vec3>,
    /// Motion of the nodes of a cell: node, row of the system, velocity per unit.
    pub(super) motions: Vec<(u32, u32, Vec3)>,
}
