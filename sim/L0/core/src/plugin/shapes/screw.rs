//! A bolt and a nut with a triangular thread of twelve turns per metre and a hexagonal head.

use super::{Shape, positive, radial, subtraction};
use crate::plugin::{PluginError, SignedDistance, SignedDistanceFormula};
use std::f64::consts::PI;

/// Turns of the thread per metre.
const TURNS: f64 = 12.0;
/// Half-extents of both shapes.
const HALF: [f64; 3] = [0.6, 0.6, 1.0];

/// √2 / 2, which makes a distance along a 45° slope normal to it.
fn slope() -> f64 {
    2.0_f64.sqrt() / 2.0
}

/// Distance to the thread of a screw of some radius, and the distance from its cylinder.
fn thread(p: [f64; 3], radius: f64) -> (f64, f64) {
    let outside = radial(p) - radius;
    let turn = p[2] * TURNS - p[1].atan2(p[0]) / PI / 2.0;
    let wave = (turn - turn.floor() - 0.5).abs();
    ((outside - wave / TURNS) * slope(), outside)
}

/// A hexagonal prism of half a metre with a conical chamfer.
fn hexagon(p: [f64; 3], outside: f64) -> f64 {
    let per_side = 6.0 / PI / 2.0;
    let angle = -(p[1].atan2(p[0]) * per_side + 0.5).floor() / per_side;
    // the sector of the point, turned to the x axis
    let (sin, cos) = (angle.sin(), (angle + PI * 0.5).sin());
    let side = cos * p[0] - sin * p[1] - 0.5;
    side.max((p[2] + 0.25).abs() - 0.25).max((p[2] + outside - 0.22) * slope())
}

#[derive(Debug)]
pub(super) struct Bolt(f64);

impl Shape<1> for Bolt {
    const NAME: &'static str = "mujoco.sdf.bolt";
    const ATTRIBUTES: [(&'static str, f64); 1] = [("radius", 0.26)];
    const KEYS: [&'static str; 1] = ["radius"];

    fn new([radius]: [f64; 1]) -> Result<Self, PluginError> {
        positive("radius", radius).map(Self)
    }
}

impl SignedDistance for Bolt {
    fn distance(&self, p: [f64; 3]) -> f64 {
        let (thread, outside) = thread(p, self.0);
        let cut = subtraction(thread, 0.5 - (p[2] + 0.5).abs());
        let cone = (p[2] - outside) * slope();
        let shank = subtraction(cut, cone + slope());
        shank.min(hexagon(p, outside))
    }

    fn formula(&self) -> Option<SignedDistanceFormula> {
        Some(SignedDistanceFormula::Bolt { radius: self.0 })
    }

    fn aabb(&self) -> [f64; 6] {
        [0.0, 0.0, 0.0, HALF[0], HALF[1], HALF[2]]
    }
}

#[derive(Debug)]
pub(super) struct Nut(f64);

impl Shape<1> for Nut {
    const NAME: &'static str = "mujoco.sdf.nut";
    const ATTRIBUTES: [(&'static str, f64); 1] = [("radius", 0.26)];
    const KEYS: [&'static str; 1] = ["radius"];

    fn new([radius]: [f64; 1]) -> Result<Self, PluginError> {
        positive("radius", radius).map(Self)
    }
}

impl SignedDistance for Nut {
    fn distance(&self, p: [f64; 3]) -> f64 {
        let (thread, outside) = thread(p, self.0);
        let cone = (p[2] - outside) * slope();
        let hole = subtraction(thread, cone + 0.5 * slope()).min(-cone - 0.05 * slope());
        subtraction(hexagon(p, outside), hole)
    }

    fn formula(&self) -> Option<SignedDistanceFormula> {
        Some(SignedDistanceFormula::Nut { radius: self.0 })
    }

    fn aabb(&self) -> [f64; 6] {
        [0.0, 0.0, 0.0, HALF[0], HALF[1], HALF[2]]
    }
}
