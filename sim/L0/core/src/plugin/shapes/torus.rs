//! A torus around the z axis.

use super::{Shape, positive, radial};
use crate::plugin::{PluginError, SignedDistance};
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

impl SignedDistance for Torus {
    fn distance(&self, p: [f64; 3]) -> f64 {
        let from_circle = radial(p) - self.major;
        (from_circle * from_circle + p[2] * p[2]).sqrt() - self.minor
    }

    fn gradient(&self, p: [f64; 3]) -> [f64; 3] {
        let rho = radial(p);
        let from_circle = rho - self.major;
        let length = (from_circle * from_circle + p[2] * p[2]).sqrt().max(MINVAL);
        [from_circle * (p[0] / rho) / length, from_circle * (p[1] / rho) / length, p[2] / length]
    }

    fn aabb(&self) -> [f64; 6] {
        let outer = self.major + self.minor;
        [0.0, 0.0, 0.0, outer, outer, self.minor]
    }
}
