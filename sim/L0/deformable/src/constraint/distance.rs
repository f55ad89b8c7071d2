//! Distance constraint of two particles: `C = |b − a| − L`.

use super::{Constraint, SerializeConstraint, Substep, spring_energy};
use crate::particle::{Particle, ParticleStore, dot, moved, sub as minus};
use nalgebra::Vector3;

/// Length below which the direction of an edge is undefined, m.
const TINY: f64 = 1e-150;

/// Two particles and their rest distance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Distance {
    /// The particles.
    at: [u32; 2],
    /// Rest length L, m.
    pub(crate) rest: f64,
    /// Compliance α, m/N.
    pub(crate) compliance: f64,
    /// `1 / ((1 + γ)(wₐ + w_b) + α/h²)`; 0 if both particles are pinned.
    inv_denominator: f64,
}

impl Distance {
    pub(crate) fn new(a: u32, b: u32, rest: f64, compliance: f64) -> Self {
        Self { at: [a, b], rest, compliance, inv_denominator: 0.0 }
    }
}

/// Reciprocal of the denominator of Δλ for a constant `Σ wᵢ|∇ᵢC|²`; 0 if all particles are pinned.
pub(crate) fn inv_denominator(weight: f64, compliance: f64, sub: Substep) -> f64 {
    if weight > 0.0 { ((1.0 + sub.gamma) * weight + compliance * sub.inv_h2).recip() } else { 0.0 }
}

impl Constraint for Distance {
    fn particles(&self) -> &[u32] {
        &self.at
    }

    fn prepare(&mut self, inv_mass: &[f64], sub: Substep) {
        let [a, b] = self.at.map(|i| inv_mass[i as usize]);
        self.inv_denominator = inv_denominator(a + b, self.compliance, sub);
    }

    #[inline(always)]
    fn solve<const DAMPED: bool>(
        &self,
        x: &impl ParticleStore,
        previous: &[Particle],
        sub: Substep,
    ) {
        let [i, j] = self.at;
        let (a, b) = (x.load(i), x.load(j));
        let mut d = minus(b, a);
        let mut length = dot(d, d).sqrt();
        if length < TINY {
            // coincident particles: separate them along a coordinate axis
            d = [0.0; 3];
            d[(i as usize + j as usize) % 3] = TINY;
            length = TINY;
        }
        let mut error = length - self.rest;
        if DAMPED {
            let (pa, pb) = (previous[i as usize], previous[j as usize]);
            let change = [d[0] - (pb[0] - pa[0]), d[1] - (pb[1] - pa[1]), d[2] - (pb[2] - pa[2])];
            error += sub.gamma * dot(d, change) / length;
        }
        // `d` is |d| times the gradient
        let s = error * self.inv_denominator / length;
        x.store(i, moved(a, a[3] * s, d));
        x.store(j, moved(b, -b[3] * s, d));
    }

    fn value(&self, x: &[Vector3<f64>]) -> f64 {
        let [a, b] = self.at.map(|i| x[i as usize]);
        (b - a).norm() - self.rest
    }

    fn energy(&self, x: &[Vector3<f64>]) -> f64 {
        spring_energy(self.value(x), self.compliance)
    }
}

impl SerializeConstraint<2, 2> for Distance {
    fn parameters(&self) -> [f64; 2] {
        [self.rest, self.compliance]
    }

    fn from_parameters([a, b]: [u32; 2], [rest, compliance]: [f64; 2]) -> Option<Self> {
        (rest >= 0.0 && compliance >= 0.0).then(|| Self::new(a, b, rest, compliance))
    }
}
