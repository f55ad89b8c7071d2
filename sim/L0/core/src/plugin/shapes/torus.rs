//! A torus around the z axis.

use super::{Shape, positive, radial};
use crate::plugin::{
    PluginError, SignedDistance, SignedDistanceFormula, each_distance, each_gradient,
};
use sim_simd::dispatch;
use sim_types::MINVAL;

#[derive(Debug)]
pub(super) struct Torus {
    /// Radius of the circle.
    major: f64,
    /// Radius of the tube.
    minor: f64,
}

impl Shape<2> for Torus {
    const NAME: &'static str = "mujoco.sdf.torus";
    const ATTRIBUTES: [(&'static str, f64); 2] = [("radius1", 0.35), ("radius2", 0.15)];
    const KEYS: [&'static str; 2] = ["radius1", "radius2"];

    fn new([major, minor]: [f64; 2]) -> Result<Self, PluginError> {
        Ok(Self { major: positive("radius1", major)?, minor: positive("radius2", minor)? })
    }
}

impl Torus {
    #[inline(always)]
    fn at(&self, p: [f64; 3]) -> f64 {
        let from_circle = radial(p) - self.major;
        (from_circle * from_circle + p[2] * p[2]).sqrt() - self.minor
    }

    #[inline(always)]
    fn gradient_at(&self, p: [f64; 3]) -> [f64; 3] {
        let rho = radial(p);
        let from_circle = rho - self.major;
        let length = (from_circle * from_circle + p[2] * p[2]).sqrt().max(MINVAL);
        [from_circle * (p[0] / rho) / length, from_circle * (p[1] / rho) / length, p[2] / length]
    }
}

#[inline(always)]
fn four_distances(torus: &Torus, points: &[[f64; 4]; 3]) -> [f64; 4] {
    each_distance(points, |p| torus.at(p))
}

#[inline(always)]
fn four_gradients(torus: &Torus, points: &[[f64; 4]; 3]) -> [[f64; 4]; 3] {
    each_gradient(points, |p| torus.gradient_at(p))
}

impl SignedDistance for Torus {
    fn distance(&self, p: [f64; 3]) -> f64 {
        self.at(p)
    }

    fn gradient(&self, p: [f64; 3]) -> [f64; 3] {
        self.gradient_at(p)
    }

    fn distance4(&self, points: &[[f64; 4]; 3]) -> [f64; 4] {
        let torus = self;
        dispatch!(four_distances(torus: &Torus, points: &[[f64; 4]; 3]) -> [f64; 4])
    }

    fn gradient4(&self, points: &[[f64; 4]; 3]) -> [[f64; 4]; 3] {
        let torus = self;
        dispatch!(four_gradients(torus: &Torus, points: &[[f64; 4]; 3]) -> [[f64; 4]; 3])
    }

    fn is_vectorized(&self) -> bool {
        true
    }

    fn formula(&self) -> Option<SignedDistanceFormula> {
        Some(SignedDistanceFormula::Torus { major: self.major, minor: self.minor })
    }

    fn aabb(&self) -> [f64; 6] {
        let outer = self.major + self.minor;
        [0.0, 0.0, 0.0, outer, outer, self.minor]
    }
}
