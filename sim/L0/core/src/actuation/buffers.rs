//! Tables of actuators that a model precomputes.

/// Armature and damping added by actuators, summed for each dof and each tendon.
#[derive(Debug, Clone, Default)]
pub struct ActuatorDofTerms {
    /// Armature added to each dof (kg or kg m²); length `nv`.
    pub dof_armature: Vec<f64>,
    /// Damping coefficients `[c₀, c₁, c₂]` of `(c₀ + c₁ |v| + c₂ v²) v` added to each dof; length `nv`.
    pub dof_damping: Vec<[f64; 3]>,
    /// Armature added to each tendon (kg); length `ntendon`.
    pub tendon_armature: Vec<f64>,
    /// Damping coefficients added to each tendon, as in `dof_damping`; length `ntendon`.
    pub tendon_damping: Vec<[f64; 3]>,
}
