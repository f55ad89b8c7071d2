//! Elastic constraints, sorted by colour: constraints of one colour share no particle, so that they
//! can be projected in any order or in parallel with bit-identical results.
//!
//! XPBD update of a constraint `C(x)` with compliance α (Macklin, Müller, Chentanez 2016, "XPBD",
//! eq. 18 and 26), once per substep from λ = 0 (Macklin et al. 2019, "Small steps in physics
//! simulation"):
//!
//! ```text
//! Δλ = −(C + γ ∇C·(x − xₚ)) / ((1 + γ) Σ wᵢ|∇ᵢC|² + α/h²)      Δxᵢ = wᵢ ∇ᵢC Δλ
//! ```
//!
//! With Kelvin–Voigt damping, a stiffness k has a damper τk in parallel, and γ = τ/h for any
//! stiffness: γ is finite for rigid constraints (α = 0).

mod coloring;
pub(crate) mod curvature;
pub(crate) mod dihedral;
pub(crate) mod distance;
pub(crate) mod neo_hookean;
pub(crate) mod volume;

pub(crate) use coloring::ColoredConstraints;

use crate::particle::{Particle, ParticleStore};
use nalgebra::Vector3;

/// Quantities that all constraints of a substep share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Substep {
    /// 1/h².
    pub(crate) inv_h2: f64,
    /// τ/h.
    pub(crate) gamma: f64,
}

/// An elastic constraint.
pub(crate) trait Constraint: Clone + Send + Sync {
    /// Its particles, all different.
    fn particles(&self) -> &[u32];
    /// Precomputes the quantities that depend on masses and substep only.
    fn prepare(&mut self, inv_mass: &[f64], sub: Substep);
    /// Projects the constraint. `previous` are the particles before the substep, read if `DAMPED`.
    fn solve<const DAMPED: bool>(
        &self,
        x: &impl ParticleStore,
        previous: &[Particle],
        sub: Substep,
    );
    /// Value C of the constraint.
    fn value(&self, x: &[Vector3<f64>]) -> f64;
    /// Elastic energy `½ C²/α`, J; 0 for a rigid constraint.
    fn energy(&self, x: &[Vector3<f64>]) -> f64;
}

/// A constraint that is serialized as `N` particles and `K` parameters.
pub(crate) trait SerializeConstraint<const N: usize, const K: usize>: Constraint {
    /// Its parameters.
    fn parameters(&self) -> [f64; K];
    /// The constraint of these particles and finite parameters; `None` if the parameters are out of
    /// range.
    fn from_parameters(at: [u32; N], parameters: [f64; K]) -> Option<Self>;
}

/// `½ C²/α`, J; 0 for a rigid constraint.
pub(crate) fn spring_energy(value: f64, compliance: f64) -> f64 {
    if compliance > 0.0 { 0.5 * value * value / compliance } else { 0.0 }
}

/// All elastic constraints of a body by kind.
#[derive(Debug, Clone, Default)]
pub(crate) struct Constraints {
    pub(crate) distances: ColoredConstraints<distance::Distance>,
    pub(crate) bends: ColoredConstraints<curvature::Curvature<3>>,
    pub(crate) hinges: ColoredConstraints<curvature::Curvature<4>>,
    pub(crate) angles: ColoredConstraints<dihedral::Dihedral>,
    pub(crate) volumes: ColoredConstraints<volume::Volume>,
    pub(crate) solids: ColoredConstraints<neo_hookean::NeoHookean>,
}

impl Constraints {
    pub(crate) fn prepare(&mut self, inv_mass: &[f64], sub: Substep) {
        self.distances.prepare(inv_mass, sub);
        self.bends.prepare(inv_mass, sub);
        self.hinges.prepare(inv_mass, sub);
        self.angles.prepare(inv_mass, sub);
        self.volumes.prepare(inv_mass, sub);
        self.solids.prepare(inv_mass, sub);
    }

    pub(crate) fn solve(&self, x: &mut [Particle], previous: &[Particle], sub: Substep) {
        self.distances.solve(x, previous, sub);
        self.bends.solve(x, previous, sub);
        self.hinges.solve(x, previous, sub);
        self.angles.solve(x, previous, sub);
        self.volumes.solve(x, previous, sub);
        self.solids.solve(x, previous, sub);
    }

    #[cfg(feature = "parallel")]
    pub(crate) fn solve_parallel(
        &self,
        x: &[crate::particle::AtomicParticle],
        previous: &[Particle],
        sub: Substep,
    ) {
        self.distances.solve_parallel(x, previous, sub);
        self.bends.solve_parallel(x, previous, sub);
        self.hinges.solve_parallel(x, previous, sub);
        self.angles.solve_parallel(x, previous, sub);
        self.volumes.solve_parallel(x, previous, sub);
        self.solids.solve_parallel(x, previous, sub);
    }

    pub(crate) fn energy(&self, x: &[Vector3<f64>]) -> f64 {
        self.distances.energy(x)
            + self.bends.energy(x)
            + self.hinges.energy(x)
            + self.angles.energy(x)
            + self.volumes.energy(x)
            + self.solids.energy(x)
    }
}
