//! Stable neo-Hookean tetrahedron: two constraints that are solved together.
//!
//! After Macklin, Müller 2021 ("A constraint-based formulation of stable neo-Hookean materials")
//! and Smith, de Goes, Kim 2018 ("Stable neo-Hookean flesh simulation"): with the deformation
//! gradient F = P·Q, where P are the edges from the first vertex and Q the inverse of those in the
//! rest shape,
//!
//! ```text
//! C₁ = √tr(FᵀF)           α₁ = 1 / (μ V₀)
//! C₂ = det F − 1 − μ/λ     α₂ = 1 / (λ V₀)
//! ```
//!
//! For small strains this is a linear material with the first Lamé parameter λ − μ.

use super::{Constraint, SerializeConstraint, Substep};
use crate::particle::{Particle, ParticleStore, add, cross, dot, moved, scale, sub as minus};
use nalgebra::{Matrix3, Vector3};

/// Four particles, their rest shape and their material.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NeoHookean {
    at: [u32; 4],
    /// Inverse Q of the rest edges, by rows, 1/m.
    inv_rest: [[f64; 3]; 3],
    volume: f64,
    /// Shear modulus μ, Pa.
    mu: f64,
    /// λ of the energy above, Pa.
    lambda: f64,
    /// α₁/h² and α₂/h².
    inv_h2_compliance: [f64; 2],
}

impl NeoHookean {
    /// `None` if the vertices are coplanar.
    pub(crate) fn new(at: [u32; 4], x: [Vector3<f64>; 4], mu: f64, lambda: f64) -> Option<Self> {
        let edges = Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]]);
        let inverse = edges.try_inverse()?;
        let inv_rest = std::array::from_fn(|r| std::array::from_fn(|c| inverse[(r, c)]));
        let volume = edges.determinant() / 6.0;
        Some(Self { at, inv_rest, volume, mu, lambda, inv_h2_compliance: [0.0; 2] })
    }

    /// Columns of the deformation gradient F.
    #[inline(always)]
    fn gradient(&self, edges: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
        std::array::from_fn(|c| self.combine(edges, |r| self.inv_rest[r][c]))
    }

    #[inline(always)]
    fn combine(&self, v: [[f64; 3]; 3], weight: impl Fn(usize) -> f64) -> [f64; 3] {
        add(add(scale(weight(0), v[0]), scale(weight(1), v[1])), scale(weight(2), v[2]))
    }

    /// Gradients at the four vertices from the derivatives with respect to the columns of F.
    #[inline(always)]
    fn vertex_gradients(&self, by_columns: [[f64; 3]; 3]) -> [[f64; 3]; 4] {
        let g: [[f64; 3]; 3] =
            std::array::from_fn(|r| self.combine(by_columns, |c| self.inv_rest[r][c]));
        [scale(-1.0, add(add(g[0], g[1]), g[2])), g[0], g[1], g[2]]
    }

    fn deformation(&self, x: &[Vector3<f64>]) -> [[f64; 3]; 3] {
        let p = self.at.map(|i| x[i as usize]);
        self.gradient([p[1] - p[0], p[2] - p[0], p[3] - p[0]].map(|e| [e.x, e.y, e.z]))
    }
}

impl Constraint for NeoHookean {
    fn particles(&self) -> &[u32] {
        &self.at
    }

    fn prepare(&mut self, _: &[f64], sub: Substep) {
        self.inv_h2_compliance = [self.mu, self.lambda].map(|k| sub.inv_h2 / (k * self.volume));
    }

    #[inline(always)]
    fn solve<const DAMPED: bool>(
        &self,
        x: &impl ParticleStore,
        previous: &[Particle],
        sub: Substep,
    ) {
        let p = self.at.map(|i| x.load(i));
        let f = self.gradient([minus(p[1], p[0]), minus(p[2], p[0]), minus(p[3], p[0])]);
        let size = (dot(f[0], f[0]) + dot(f[1], f[1]) + dot(f[2], f[2])).sqrt();
        let minors = [cross(f[1], f[2]), cross(f[2], f[0]), cross(f[0], f[1])];
        // a tetrahedron collapsed to a point has no gradient: its neighbours must expand it first
        if size <= 1e-150 {
            return;
        }
        let g =
            [self.vertex_gradients(f.map(|c| scale(1.0 / size, c))), self.vertex_gradients(minors)];
        let mut error = [size, dot(minors[0], f[0]) - 1.0 - self.mu / self.lambda];
        let [mut a00, mut a01, mut a11] = [0.0; 3];
        for k in 0..4 {
            a00 += p[k][3] * dot(g[0][k], g[0][k]);
            a01 += p[k][3] * dot(g[0][k], g[1][k]);
            a11 += p[k][3] * dot(g[1][k], g[1][k]);
            if DAMPED {
                let change = minus(p[k], previous[self.at[k] as usize]);
                error[0] += sub.gamma * dot(g[0][k], change);
                error[1] += sub.gamma * dot(g[1][k], change);
            }
        }
        // both multipliers from a 2×2 system, which is positive definite by the compliance
        let damping_factor = 1.0 + sub.gamma;
        let (a00, a01, a11) = (
            damping_factor * a00 + self.inv_h2_compliance[0],
            damping_factor * a01,
            damping_factor * a11 + self.inv_h2_compliance[1],
        );
        let inverse = (a00 * a11 - a01 * a01).recip();
        let first = (a01 * error[1] - a11 * error[0]) * inverse;
        let second = (a01 * error[0] - a00 * error[1]) * inverse;
        for k in 0..4 {
            let d = add(scale(first, g[0][k]), scale(second, g[1][k]));
            x.store(self.at[k], moved(p[k], p[k][3], d));
        }
    }

    /// Relative change of volume, `det F − 1`.
    fn value(&self, x: &[Vector3<f64>]) -> f64 {
        let f = self.deformation(x);
        dot(cross(f[0], f[1]), f[2]) - 1.0
    }

    fn energy(&self, x: &[Vector3<f64>]) -> f64 {
        let f = self.deformation(x);
        let trace = dot(f[0], f[0]) + dot(f[1], f[1]) + dot(f[2], f[2]);
        let ratio = self.mu / self.lambda;
        let volume_term = dot(cross(f[0], f[1]), f[2]) - 1.0 - ratio;
        // relative to the rest shape
        0.5 * self.volume
            * (self.mu * (trace - 3.0) + self.lambda * (volume_term * volume_term - ratio * ratio))
    }
}

impl SerializeConstraint<4, 12> for NeoHookean {
    fn parameters(&self) -> [f64; 12] {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.inv_rest;
        [a, b, c, d, e, f, g, h, i, self.volume, self.mu, self.lambda]
    }

    fn from_parameters(at: [u32; 4], parameters: [f64; 12]) -> Option<Self> {
        let [a, b, c, d, e, f, g, h, i, volume, mu, lambda] = parameters;
        let inv_rest = [[a, b, c], [d, e, f], [g, h, i]];
        let valid = volume > 0.0 && mu > 0.0 && lambda > 0.0;
        valid.then_some(Self { at, inv_rest, volume, mu, lambda, inv_h2_compliance: [0.0; 2] })
    }
}
