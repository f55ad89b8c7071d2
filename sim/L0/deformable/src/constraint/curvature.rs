//! Curvature constraint: the norm of a constant linear combination of particles, `C = |Σ cᵢ xᵢ| −
//! r` with `Σ cᵢ = 0`.
//!
//! For a straight or flat rest shape r = 0: the projection is linear in the coordinates, without
//! square root and division. Four particles around an edge give the quadratic bending energy of
//! Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006 ("A quadratic bending model for inextensible
//! surfaces"), three particles in a row the second difference of a rod.

use super::distance::inv_denominator;
use super::{Constraint, SerializeConstraint, Substep, spring_energy};
use crate::particle::{Particle, ParticleStore, moved};
use nalgebra::Vector3;

/// `N` particles, their coefficients, and the norm of the combination in the rest shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Curvature<const N: usize> {
    at: [u32; N],
    coefficients: [f64; N],
    /// Rest norm r; 0 for a straight or flat rest shape.
    rest: f64,
    compliance: f64,
    inv_denominator: f64,
}

impl<const N: usize> Curvature<N> {
    pub(crate) fn new(at: [u32; N], coefficients: [f64; N], rest: f64, compliance: f64) -> Self {
        Self { at, coefficients, rest, compliance, inv_denominator: 0.0 }
    }

    fn sum(&self, x: &[Vector3<f64>]) -> Vector3<f64> {
        (0..N).map(|k| self.coefficients[k] * x[self.at[k] as usize]).sum()
    }
}

impl<const N: usize> Constraint for Curvature<N> {
    fn particles(&self) -> &[u32] {
        &self.at
    }

    fn prepare(&mut self, inv_mass: &[f64], sub: Substep) {
        let weight = (0..N)
            .map(|k| inv_mass[self.at[k] as usize] * self.coefficients[k] * self.coefficients[k])
            .sum();
        self.inv_denominator = inv_denominator(weight, self.compliance, sub);
    }

    #[inline(always)]
    fn solve<const DAMPED: bool>(
        &self,
        x: &impl ParticleStore,
        previous: &[Particle],
        sub: Substep,
    ) {
        let p: [Particle; N] = std::array::from_fn(|k| x.load(self.at[k]));
        let c = &self.coefficients;
        let mut sum = [0.0; 3];
        for k in 0..N {
            for axis in 0..3 {
                sum[axis] += c[k] * p[k][axis];
            }
        }
        let mut error = sum;
        if self.rest > 0.0 {
            let length = (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]).sqrt();
            // a curved rod in a straight state has no bending direction: no correction
            let scale_factor = if length > 0.0 { 1.0 - self.rest / length } else { 0.0 };
            error = sum.map(|s| s * scale_factor);
        }
        if DAMPED {
            for axis in 0..3 {
                let mut before = 0.0;
                for k in 0..N {
                    before += c[k] * previous[self.at[k] as usize][axis];
                }
                error[axis] += sub.gamma * (sum[axis] - before);
            }
        }
        for k in 0..N {
            x.store(self.at[k], moved(p[k], -p[k][3] * c[k] * self.inv_denominator, error));
        }
    }

    fn value(&self, x: &[Vector3<f64>]) -> f64 {
        self.sum(x).norm() - self.rest
    }

    fn energy(&self, x: &[Vector3<f64>]) -> f64 {
        spring_energy(self.value(x), self.compliance)
    }
}

impl SerializeConstraint<3, 5> for Curvature<3> {
    fn parameters(&self) -> [f64; 5] {
        let [a, b, c] = self.coefficients;
        [a, b, c, self.rest, self.compliance]
    }

    fn from_parameters(at: [u32; 3], [a, b, c, rest, compliance]: [f64; 5]) -> Option<Self> {
        let valid = rest >= 0.0 && compliance >= 0.0;
        valid.then(|| Self::new(at, [a, b, c], rest, compliance))
    }
}

impl SerializeConstraint<4, 6> for Curvature<4> {
    fn parameters(&self) -> [f64; 6] {
        let [a, b, c, d] = self.coefficients;
        [a, b, c, d, self.rest, self.compliance]
    }

    fn from_parameters(at: [u32; 4], [a, b, c, d, rest, compliance]: [f64; 6]) -> Option<Self> {
        let valid = rest >= 0.0 && compliance >= 0.0;
        valid.then(|| Self::new(at, [a, b, c, d], rest, compliance))
    }
}
