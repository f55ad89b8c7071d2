//! Dihedral angle constraint `C = φ − φ₀` between two planes that share an edge: bending of
//! surfaces that are curved at rest, and torsion of chains.
//!
//! Gradients after Bridson, Marino, Fedkiw 2003 ("Simulation of clothing with folds and wrinkles").

use super::{Constraint, SerializeConstraint, Substep, spring_energy};
use crate::particle::{Particle, ParticleStore, add, cross, dot, moved, scale, sub as minus};
use nalgebra::Vector3;
use std::f64::consts::{PI, TAU};

/// Four particles: the ends of the shared edge, and the opposite vertex of each plane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dihedral {
    at: [u32; 4],
    /// Rest angle φ₀, rad; 0 is flat.
    rest: f64,
    /// Compliance α, 1/(N·m).
    compliance: f64,
    inv_h2_compliance: f64,
}

impl Dihedral {
    pub(crate) fn new(at: [u32; 4], rest: f64, compliance: f64) -> Self {
        Self { at, rest, compliance, inv_h2_compliance: 0.0 }
    }

    /// Difference from the rest angle, in [−π, π].
    fn error(&self, angle: f64) -> f64 {
        let d = angle - self.rest;
        if d > PI {
            d - TAU
        } else if d < -PI {
            d + TAU
        } else {
            d
        }
    }
}

/// Angle between the planes (0, 1, 2) and (1, 0, 3), rad; 0 if flat.
pub(crate) fn angle_between(x: [Vector3<f64>; 4]) -> f64 {
    angle_and_gradient(x.map(|x| [x.x, x.y, x.z, 0.0])).map_or(0.0, |(angle, _)| angle)
}

/// Angle and its gradients; `None` if the edge or a triangle is degenerate.
#[inline(always)]
fn angle_and_gradient(p: [Particle; 4]) -> Option<(f64, [[f64; 3]; 4])> {
    let e = minus(p[1], p[0]);
    let (u, v) = (minus(p[2], p[0]), minus(p[3], p[0]));
    let (n1, n2) = (cross(e, u), cross(v, e));
    let (e2, n11, n22) = (dot(e, e), dot(n1, n1), dot(n2, n2));
    let length = e2.sqrt();
    // the gradient is unbounded for triangle heights below a millionth of the edge
    let min_squared = 1e-12 * e2 * e2;
    if !(e2 > 1e-200 && n11 > min_squared && n22 > min_squared) {
        return None;
    }
    let angle = (dot(cross(n1, n2), e) / length).atan2(dot(n1, n2));
    let g2 = scale(-length / n11, n1);
    let g3 = scale(-length / n22, n2);
    let (s2, s3) = (dot(u, e) / e2, dot(v, e) / e2);
    let g1 = add(scale(-s2, g2), scale(-s3, g3));
    let g0 = add(scale(s2 - 1.0, g2), scale(s3 - 1.0, g3));
    Some((angle, [g0, g1, g2, g3]))
}

impl Constraint for Dihedral {
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
        let Some((angle, g)) = angle_and_gradient(p) else { return };
        let mut error = self.error(angle);
        let mut weight = 0.0;
        for k in 0..4 {
            weight += p[k][3] * dot(g[k], g[k]);
            if DAMPED {
                error += sub.gamma * dot(g[k], minus(p[k], previous[self.at[k] as usize]));
            }
        }
        if weight > 0.0 {
            let s = -error / ((1.0 + sub.gamma) * weight + self.inv_h2_compliance);
            for k in 0..4 {
                x.store(self.at[k], moved(p[k], p[k][3] * s, g[k]));
            }
        }
    }

    fn value(&self, x: &[Vector3<f64>]) -> f64 {
        self.error(angle_between(self.at.map(|i| x[i as usize])))
    }

    fn energy(&self, x: &[Vector3<f64>]) -> f64 {
        spring_energy(self.value(x), self.compliance)
    }
}

impl SerializeConstraint<4, 2> for Dihedral {
    fn parameters(&self) -> [f64; 2] {
        [self.rest, self.compliance]
    }

    fn from_parameters(at: [u32; 4], [rest, compliance]: [f64; 2]) -> Option<Self> {
        (compliance >= 0.0).then(|| Self::new(at, rest, compliance))
    }
}

#[cfg(test)]
mod tests {
    use super::angle_and_gradient;

    #[test]
    fn gradient_is_the_slope_of_the_angle() {
        let p = [
            [0.0, 0.1, 0.0, 0.0],
            [1.0, 0.0, 0.2, 0.0],
            [0.3, 0.9, -0.1, 0.0],
            [0.6, -0.8, 0.4, 0.0],
        ];
        let (_, g) = angle_and_gradient(p).unwrap();
        for k in 0..4 {
            for axis in 0..3 {
                let eps = 1e-6;
                let (mut above, mut below) = (p, p);
                above[k][axis] += eps;
                below[k][axis] -= eps;
                let angles = [above, below].map(|p| angle_and_gradient(p).unwrap().0);
                let slope = (angles[0] - angles[1]) / (2.0 * eps);
                assert!((slope - g[k][axis]).abs() < 1e-8, "{k} {axis}: {slope} {}", g[k][axis]);
            }
        }
    }
}
