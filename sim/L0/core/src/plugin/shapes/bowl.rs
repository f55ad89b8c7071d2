//! A spherical bowl: a sphere of some thickness, cut by a plane.

use super::{Shape, positive, radial};
use crate::plugin::{PluginError, SignedDistance};

#[derive(Debug)]
pub(super) struct Bowl {
    /// Height of the rim above the centre of the sphere.
    height: f64,
    radius: f64,
    thickness: f64,
    /// Radius of the rim.
    width: f64,
}

impl Shape<3> for Bowl {
    const NAME: &'static str = "mujoco.sdf.bowl";
    const ATTRIBUTES: [(&'static str, f64); 3] =
        [("height", 0.4), ("radius", 1.0), ("thickness", 0.02)];
    const KEYS: [&'static str; 3] = ["height", "radius", "thickness"];

    fn new([height, radius, thickness]: [f64; 3]) -> Result<Self, PluginError> {
        let (radius, thickness) = (positive("radius", radius)?, positive("thickness", thickness)?);
        if height.abs() > radius {
            return Err(PluginError::of_key("height", "must not be larger than the radius"));
        }
        let width = (radius * radius - height * height).sqrt();
        Ok(Self { height, radius, thickness, width })
    }
}

impl SignedDistance for Bowl {
    fn distance(&self, p: [f64; 3]) -> f64 {
        let (rho, z) = (radial(p), p[2]);
        let surface = if self.height * rho < self.width * z {
            let (x, y) = (rho - self.width, z - self.height);
            (x * x + y * y).sqrt()
        } else {
            ((rho * rho + z * z).sqrt() - self.radius).abs()
        };
        surface - self.thickness
    }

    fn aabb(&self) -> [f64; 6] {
        let half = self.radius + self.thickness;
        [0.0, 0.0, 0.0, half, half, half]
    }
}
