//! A spur gear with involute teeth.

use super::{Shape, positive, radial, subtraction};
use crate::plugin::{GearFormula, PluginError, SignedDistance, SignedDistanceFormula};
use std::f64::consts::PI;

#[derive(Debug)]
pub(super) struct Gear(GearFormula);

impl Shape<5> for Gear {
    const NAME: &'static str = "mujoco.sdf.gear";
    const ATTRIBUTES: [(&'static str, f64); 5] = [
        ("alpha", 0.0),
        ("diameter", 2.8),
        ("teeth", 25.0),
        ("thickness", 0.2),
        ("innerdiameter", -1.0),
    ];
    const KEYS: [&'static str; 5] = ["alpha", "diameter", "teeth", "thickness", "innerdiameter"];

    fn new(
        [alpha, diameter, teeth, thickness, inner_diameter]: [f64; 5],
    ) -> Result<Self, PluginError> {
        let (d, n) = (positive("diameter", diameter)?, positive("teeth", teeth)?);
        let pressure_angle = 3.096e-5 * n * n - 6.557e-3 * n + 0.551;
        let pitch_radius = d / 2.0;
        // teeth per length of diameter, and length of arc per tooth
        let diametral_pitch = n / d;
        let circular_pitch = PI / diametral_pitch;
        let outer = (d + 2.0 * (1.0 / diametral_pitch)) / 2.0;
        let depth = 2.2 / diametral_pitch;
        let default = outer - depth - 0.14 * d;
        let base = d * pressure_angle.cos() / 2.0;
        let stride = circular_pitch / pitch_radius;
        let at_pitch = (base / pitch_radius).acos();
        let involute = at_pitch.tan() - at_pitch;
        Ok(Self(GearFormula {
            alpha,
            diameter: d,
            thickness: positive("thickness", thickness)?,
            // negative for the default
            inner: if inner_diameter >= 0.0 { inner_diameter / 2.0 } else { default },
            base,
            outer,
            depth,
            stride,
            shift: stride / 2.0 - 2.0 * involute,
        }))
    }
}

impl Gear {
    /// Distance to the profile in the plane.
    fn profile(&self, p: [f64; 3]) -> f64 {
        let GearFormula { alpha, diameter: d, inner, base, outer, depth, stride, shift, .. } =
            self.0;
        let rho = radial(p);
        if inner - rho > 0.0 {
            return inner - rho;
        }
        if outer - rho < -0.2 {
            return rho - outer;
        }
        let angle = p[1].atan2(p[0]) + alpha;
        // angles from both flanks of the tooth
        let one = modulo(angle + shift / 2.0, stride) - shift / 2.0;
        let two = modulo(-angle - shift + shift / 2.0, stride) - shift / 2.0;
        let flanks = if base < rho {
            let unwound = (base / rho).acos();
            let tangent = (rho * rho - base * base).sqrt();
            (tangent - base * (one + unwound)).max(tangent - base * (two + unwound))
        } else {
            -1.0e6
        };
        let walls = (one - (stride - shift)).max(two - (stride - shift));
        let tooth = smooth_intersection(rho - outer, walls.max(flanks), 0.0035 * d);
        let wheel = smooth_union(rho - (outer - depth), tooth, base - outer + depth);
        subtraction(wheel, rho - inner)
    }
}

impl SignedDistance for Gear {
    fn distance(&self, p: [f64; 3]) -> f64 {
        let w = [self.profile(p), p[2].abs() - self.0.thickness / 2.0];
        let [x, y] = w.map(|w| w.max(0.0));
        w[0].max(w[1]).min(0.0) + (x * x + y * y).sqrt()
    }

    fn formula(&self) -> Option<SignedDistanceFormula> {
        Some(SignedDistanceFormula::Gear(self.0))
    }

    fn aabb(&self) -> [f64; 6] {
        let half = 1.25 * (self.0.diameter / 2.0);
        [0.0, 0.0, 0.0, half, half, 1.1 * (self.0.thickness / 2.0)]
    }
}

/// Remainder of a division, with the sign of the divisor.
fn modulo(x: f64, y: f64) -> f64 {
    x - y * (x / y).floor()
}

/// Union with an edge that is rounded over the length `k`.
fn smooth_union(a: f64, b: f64, k: f64) -> f64 {
    let h = (0.5 + 0.5 * (b - a) / k).clamp(0.0, 1.0);
    b * (1.0 - h) + a * h - k * h * (1.0 - h)
}

/// Intersection with an edge that is rounded over the length `k`.
fn smooth_intersection(a: f64, b: f64, k: f64) -> f64 {
    subtraction(a.max(b), smooth_union(subtraction(a, b), subtraction(b, a), k))
}
