//! Buffers of finite differences.

/// Buffers of the finite differences, allocated on first use.
#[derive(Debug, Clone, Default)]
pub(crate) struct Differences {
    /// State to restore after each perturbation.
    pub saved: Vec<f64>,
    /// Unperturbed evaluation.
    pub nominal: Sample,
    /// Evaluation with the input increased by the step.
    pub plus: Sample,
    /// Evaluation with the input decreased by the step.
    pub minus: Sample,
    /// Unit velocity of one dof.
    pub unit: Vec<f64>,
    /// Derivatives with respect to one input.
    pub column: Sample,
}

/// Outputs of one evaluation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sample {
    /// Next state, or inverse-dynamics force.
    pub main: Vec<f64>,
    /// `sensordata`.
    pub sensors: Vec<f64>,
    /// Joint-space inertia `qM`.
    pub inertia: Vec<f64>,
}
