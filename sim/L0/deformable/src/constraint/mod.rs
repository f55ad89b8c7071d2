//! Constraints, sorted by colour: no two of a colour share a particle, so the constraints of a
//! colour can be solved in any order, or at once, to the same bits.
//!
//! One XPBD step of a constraint `C(x)` with compliance α (Macklin, Müller, Chentanez 2016,
//! "XPBD", eq. 18 and 26), once a substep from λ = 0 (Macklin et al. 2019, "Small steps"):
//!
//! ```text
//! Δλ = −(C + γ ∇C·(x − xₚ)) / ((1 + γ) Σ wᵢ|∇ᵢC|² + α/h²)      Δxᵢ = wᵢ ∇ᵢC Δλ
//! ```
//!
//! With Kelvin–Voigt damping, where a stiffness k comes with a damper τk, γ = τ/h whatever the
//! stiffness: it stays finite for rigid constraints.

pub(crate) mod angle;
mod batch;
pub(crate) mod distance;
pub(crate) mod solid;
pub(crate) mod stencil;
pub(crate) mod volume;

pub(crate) use batch::Batches;

use crate::cells::{Cells, Particle};
use nalgebra::Vector3;

/// What all constraints of a substep share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Substep {
    /// 1/h².
    pub(crate) inv_h2: f64,
    /// τ/h.
    pub(crate) gamma: f64,
}

/// One constraint.
pub(crate) trait Row: Clone + Send + Sync {
    /// The particles it touches, all different.
    fn particles(&self) -> &[u32];
    /// Computes what changes only with the masses and the substep.
    fn prepare(&mut self, inv_mass: &[f64], sub: Substep);
    /// Moves the particles. `previous` are the positions before the substep, read if `DAMPED`.
    fn solve<const DAMPED: bool>(&self, x: &impl Cells, previous: &[Particle], sub: Substep);
    /// The value of the constraint: how far it is from being kept.
    fn value(&self, x: &[Vector3<f64>]) -> f64;
    /// Elastic energy; a rigid constraint has none.
    fn energy(&self, x: &[Vector3<f64>]) -> f64;
}

/// A constraint that can be stored: by its `N` particles and `K` numbers.
pub(crate) trait Stored<const N: usize, const K: usize>: Row {
    /// Its numbers.
    fn numbers(&self) -> [f64; K];
    /// The constraint of these particles and finite numbers, if there can be one.
    fn restored(at: [u32; N], numbers: [f64; K]) -> Option<Self>;
}

/// `½ C²/α`, or nothing for a rigid constraint.
pub(crate) fn spring_energy(value: f64, compliance: f64) -> f64 {
    if compliance > 0.0 { 0.5 * value * value / compliance } else { 0.0 }
}

/// Every constraint of a body.
#[derive(Debug, Clone, Default)]
pub(crate) struct Constraints {
    pub(crate) distances: Batches<distance::Distance>,
    pub(crate) bends: Batches<stencil::Stencil<3>>,
    pub(crate) hinges: Batches<stencil::Stencil<4>>,
    pub(crate) angles: Batches<angle::Angle>,
    pub(crate) volumes: Batches<volume::Volume>,
    pub(crate) solids: Batches<solid::Solid>,
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
        x: &[crate::cells::Words],
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
