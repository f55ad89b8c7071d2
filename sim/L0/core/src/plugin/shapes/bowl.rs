//! A spherical bowl: a sphere of some thickness, cut by a plane.

use super::{Shape, positive, radial};
use crate::plugin::{
    DIFFERENCE_STEP, PluginError, SignedDistance, SignedDistanceFormula, each_distance,
};
use sim_simd::dispatch;

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

impl Bowl {
    #[inline(always)]
    fn at(&self, p: [f64; 3]) -> f64 {
        let (rho, z) = (radial(p), p[2]);
        let (from_rim, above_rim) = (rho - self.width, z - self.height);
        let rim = (from_rim * from_rim + above_rim * above_rim).sqrt();
        let sphere = ((rho * rho + z * z).sqrt() - self.radius).abs();
        let surface = if self.height * rho < self.width * z { rim } else { sphere };
        surface - self.thickness
    }
}

#[inline(always)]
fn four_distances(bowl: &Bowl, points: &[[f64; 4]; 3]) -> [f64; 4] {
    each_distance(points, |p| bowl.at(p))
}

impl SignedDistance for Bowl {
    fn distance(&self, p: [f64; 3]) -> f64 {
        self.at(p)
    }

    fn gradient(&self, p: [f64; 3]) -> [f64; 3] {
        let mut points = p.map(|x| [x; 4]);
        for (k, x) in points.iter_mut().enumerate() {
            x[k] += DIFFERENCE_STEP;
        }
        let [x, y, z, here] = self.distance4(&points);
        [x, y, z].map(|moved| (moved - here) / DIFFERENCE_STEP)
    }

    fn distance4(&self, points: &[[f64; 4]; 3]) -> [f64; 4] {
        let bowl = self;
        dispatch!(four_distances(bowl: &Bowl, points: &[[f64; 4]; 3]) -> [f64; 4])
    }

    fn is_vectorized(&self) -> bool {
        true
    }

    fn formula(&self) -> Option<SignedDistanceFormula> {
        let Self { height, radius, thickness, width } = *self;
        Some(SignedDistanceFormula::Bowl { height, radius, thickness, width })
    }

    fn aabb(&self) -> [f64; 6] {
        let half = self.radius + self.thickness;
        [0.0, 0.0, 0.0, half, half, half]
    }
}
