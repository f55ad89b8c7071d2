//! Buffers of the articulated body algorithm and of the sparse LU factorisation.

/// Factor of the articulated body algorithm.
#[derive(Debug, Clone, Default)]
pub(crate) struct Articulated {
    /// Articulated inertia of each body, 6 × 6.
    pub(super) inertia: Vec<f64>,
    /// Articulated inertia times motion axis, for each dof.
    pub(super) force: Vec<f64>,
    /// Inverse of the articulated inertia along each dof.
    pub(super) inverse: Vec<f64>,
    /// Force or acceleration of each body during a solve.
    pub(super) body: Vec<f64>,
}

/// Lower and upper triangle of a sparse LU factor.
#[derive(Debug, Clone, Default)]
pub(crate) struct Triangles {
    pub(super) lower: Vec<f64>,
    pub(super) upper: Vec<f64>,
}
