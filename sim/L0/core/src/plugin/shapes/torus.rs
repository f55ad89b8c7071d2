//! A torus around the z axis.

use super::{Shape, positive};
use crate::plugin::{PluginError, SignedDistance};
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
    fn at(&self, [x, y, z]: [f64; 3]) -> f64 {
        let from_circle = (x * x + y * y).sqrt() - self.major;
        (from_circle * from_circle + z * z).sqrt() - self.minor
    }

    #[inline(always)]
    fn gradient_at(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let rho = (x * x + y * y).sqrt();
        let from_circle = rho - self.major;
        let length = (from_circle * from_circle + z * z).sqrt().max(MINVAL);
        [from_circle * (x / rho) / length, from_circle * (y / rho) / length, z / length]
    }
}

#[inline(always)]
fn four_distances(torus: &Torus, [x, y, z]: &[[f64; 4]; 3]) -> [f64; 4] {
    std::array::from_fn(|k| torus.at([x[k], y[k], z[k]]))
}

#[inline(always)]
fn four_gradients(torus: &Torus, [x, y, z]: &[[f64; 4]; 3]) -> [[f64; 4]; 3] {
    let mut gradients = [[0.0; 4]; 3];
    for k in 0..4 {
        let [dx, dy, dz] = torus.gradient_at([x[k], y[k], z[k]]);
        (gradients[0][k], gradients[1][k], gradients[2][k]) = (dx, dy, dz);
    }
    gradients
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

    fn aabb(&self) -> [f64; 6] {
        let outer = self.major + self.minor;
        [0.0, 0.0, 0.0, outer, outer, self.minor]
    }
}
