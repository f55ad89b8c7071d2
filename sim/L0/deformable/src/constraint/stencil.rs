//! Curvature as a fixed combination of particles: `C = |Σ cᵢ xᵢ| − r` with `Σ cᵢ = 0`.
//!
//! Bending of what is straight or flat at rest has r = 0, and then the constraint is linear in all
//! three coordinates and costs no root and no division. Four particles around an edge make the
//! quadratic bending energy of Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006 ("A quadratic bending
//! model for inextensible surfaces"), three in a row the second difference of a rod.

use super::distance::gain;
use super::{Row, Stored, Substep, spring_energy};
use crate::cells::{Cells, Particle, moved};
use nalgebra::Vector3;

/// `N` particles, their coefficients, and the length of the combination at rest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stencil<const N: usize> {
    at: [u32; N],
    coefficients: [f64; N],
    /// Length at rest; 0 for what is straight or flat.
    rest: f64,
    compliance: f64,
    gain: f64,
}

impl<const N: usize> Stencil<N> {
    pub(crate) fn new(at: [u32; N], coefficients: [f64; N], rest: f64, compliance: f64) -> Self {
        Self { at, coefficients, rest, compliance, gain: 0.0 }
    }

    fn sum(&self, x: &[Vector3<f64>]) -> Vector3<f64> {
        (0..N).map(|k| self.coefficients[k] * x[self.at[k] as usize]).sum()
    }
}

impl<const N: usize> Row for Stencil<N> {
    fn particles(&self) -> &[u32] {
        &self.at
    }

    fn prepare(&mut self, inv_mass: &[f64], sub: Substep) {
        let weight = (0..N)
            .map(|k| inv_mass[self.at[k] as usize] * self.coefficients[k] * self.coefficients[k])
            .sum();
        self.gain = gain(weight, self.compliance, sub);
    }

    #[inline(always)]
    fn solve<const DAMPED: bool>(&self, x: &impl Cells, previous: &[Particle], sub: Substep) {
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
            // straightened out, a bent rod may bend either way: leave the choice to the rest
            let share = if length > 0.0 { 1.0 - self.rest / length } else { 0.0 };
            error = sum.map(|s| s * share);
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
            x.store(self.at[k], moved(p[k], -p[k][3] * c[k] * self.gain, error));
        }
    }

    fn value(&self, x: &[Vector3<f64>]) -> f64 {
        self.sum(x).norm() - self.rest
    }

    fn energy(&self, x: &[Vector3<f64>]) -> f64 {
        spring_energy(self.value(x), self.compliance)
    }
}

impl Stored<3, 5> for Stencil<3> {
    fn numbers(&self) -> [f64; 5] {
        let [a, b, c] = self.coefficients;
        [a, b, c, self.rest, self.compliance]
    }

    fn restored(at: [u32; 3], [a, b, c, rest, compliance]: [f64; 5]) -> Option<Self> {
        let good = rest >= 0.0 && compliance >= 0.0;
        good.then(|| Self::new(at, [a, b, c], rest, compliance))
    }
}

impl Stored<4, 6> for Stencil<4> {
    fn numbers(&self) -> [f64; 6] {
        let [a, b, c, d] = self.coefficients;
        [a, b, c, d, self.rest, self.compliance]
    }

    fn restored(at: [u32; 4], [a, b, c, d, rest, compliance]: [f64; 6]) -> Option<Self> {
        let good = rest >= 0.0 && compliance >= 0.0;
        good.then(|| Self::new(at, [a, b, c, d], rest, compliance))
    }
}
