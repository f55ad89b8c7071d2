//! Distance of two particles: `C = |b − a| − L`.

use super::{Row, Stored, Substep, spring_energy};
use crate::cells::{Cells, Particle, dot, moved, sub as minus};
use nalgebra::Vector3;

/// Below this length an edge has no direction of its own.
const TINY: f64 = 1e-150;

/// Two particles and their distance at rest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Distance {
    /// The particles.
    at: [u32; 2],
    /// Length at rest.
    pub(crate) rest: f64,
    /// α, in m/N.
    pub(crate) compliance: f64,
    /// 1 / ((1 + γ)(wₐ + w_b) + α/h²), or 0 if neither particle moves.
    gain: f64,
}

impl Distance {
    pub(crate) fn new(a: u32, b: u32, rest: f64, compliance: f64) -> Self {
        Self { at: [a, b], rest, compliance, gain: 0.0 }
    }
}

/// Reciprocal of a denominator; 0 when nothing can move.
pub(crate) fn gain(weight: f64, compliance: f64, sub: Substep) -> f64 {
    if weight > 0.0 { ((1.0 + sub.gamma) * weight + compliance * sub.inv_h2).recip() } else { 0.0 }
}

impl Row for Distance {
    fn particles(&self) -> &[u32] {
        &self.at
    }

    fn prepare(&mut self, inv_mass: &[f64], sub: Substep) {
        let [a, b] = self.at.map(|i| inv_mass[i as usize]);
        self.gain = gain(a + b, self.compliance, sub);
    }

    #[inline(always)]
    fn solve<const DAMPED: bool>(&self, x: &impl Cells, previous: &[Particle], sub: Substep) {
        let [i, j] = self.at;
        let (a, b) = (x.load(i), x.load(j));
        let mut d = minus(b, a);
        let mut length = dot(d, d).sqrt();
        if length < TINY {
            // both in one place: any direction parts them, and an axis is as good as another
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
        // along d, which is |d| times the gradient
        let s = error * self.gain / length;
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

impl Stored<2, 2> for Distance {
    fn numbers(&self) -> [f64; 2] {
        [self.rest, self.compliance]
    }

    fn restored([a, b]: [u32; 2], [rest, compliance]: [f64; 2]) -> Option<Self> {
        (rest >= 0.0 && compliance >= 0.0).then(|| Self::new(a, b, rest, compliance))
    }
}
