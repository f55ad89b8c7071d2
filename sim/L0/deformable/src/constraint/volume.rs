//! Volume constraint of a tetrahedron: `C = V − V₀`, with the signed volume V.

use super::{Constraint, SerializeConstraint, Substep, spring_energy};
use crate::particle::{Particle, ParticleStore, add, cross, dot, moved, scale, sub as minus};
use nalgebra::Vector3;

/// Four particles and their rest volume.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Volume {
    at: [u32; 4],
    pub(crate) rest: f64,
    /// Compliance α, m⁶/(N·m).
    compliance: f64,
    inv_h2_compliance: f64,
}

impl Volume {
    pub(crate) fn new(at: [u32; 4], rest: f64, compliance: f64) -> Self {
        Self { at, rest, compliance, inv_h2_compliance: 0.0 }
    }
}

/// Signed volume, m³: positive if (b − a)×(c − a) points to d.
pub(crate) fn signed_volume(x: [Vector3<f64>; 4]) -> f64 {
    (x[1] - x[0]).cross(&(x[2] - x[0])).dot(&(x[3] - x[0])) / 6.0
}

impl Constraint for Volume {
    fn particles(&self) -> &[u32] {
        &self.at
    }

    fn prepare(&mut self, _: &[f64], sub: Substep) {
        self.inv_h2_compliance = self.compliance * sub.inv_h2;
    }

    #[inline(always)]
    fn solve<const DAMPED: bool>(
        &self,
        x: &impl ParticleStore,
        previous: &[Particle],
        sub: Substep,
    ) {
        let p = self.at.map(|i| x.load(i));
        let [u, v, w] = [minus(p[1], p[0]), minus(p[2], p[0]), minus(p[3], p[0])];
        let g1 = scale(1.0 / 6.0, cross(v, w));
        let g2 = scale(1.0 / 6.0, cross(w, u));
        let g3 = scale(1.0 / 6.0, cross(u, v));
        let g = [scale(-1.0, add(add(g1, g2), g3)), g1, g2, g3];
        let mut error = dot(g3, w) - self.rest;
        let mut weight = 0.0;
        for k in 0..4 {
            weight += p[k][3] * dot(g[k], g[k]);
            if DAMPED {
                error += sub.gamma * dot(g[k], minus(p[k], previous[self.at[k] as usize]));
            }
        }
        // collinear particles have no gradient: the distance constraints must separate them first
        if weight > 0.0 {
            let s = -error / ((1.0 + sub.gamma) * weight + self.inv_h2_compliance);
            for k in 0..4 {
                x.store(self.at[k], moved(p[k], p[k][3] * s, g[k]));
            }
        }
    }

    fn value(&self, x: &[Vector3<f64>]) -> f64 {
        signed_volume(self.at.map(|i| x[i as usize])) - self.rest
    }

    fn energy(&self, x: &[Vector3<f64>]) -> f64 {
        spring_energy(self.value(x), self.compliance)
    }
}

impl SerializeConstraint<4, 2> for Volume {
    fn parameters(&self) -> [f64; 2] {
        [self.rest, self.compliance]
    }

    fn from_parameters(at: [u32; 4], [rest, compliance]: [f64; 2]) -> Option<Self> {
        (compliance >= 0.0).then(|| Self::new(at, rest, compliance))
    }
}
