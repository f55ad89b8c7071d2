//! Fluid force on the equivalent inertia box of a body (`mj_inertiaBoxFluidModel`): Stokes drag from
//! viscosity and quadratic drag from density.

use super::fluid::Medium;
use crate::math::spatial::Vec6;
use crate::math::vec3::Vec3;
use sim_types::MINVAL;
use std::f64::consts::PI;

/// Edge lengths of the box of uniform density with this mass and these principal moments of inertia (m).
fn edges(mass: f64, [a, b, c]: Vec3) -> Vec3 {
    [b + c - a, a + c - b, a + b - c].map(|x| (x.max(MINVAL) / mass * 6.0).sqrt())
}

/// Drag coefficients of the six components `[angular, linear]`: the force is
/// `−(linear + quadratic |v|) v`.
#[derive(Debug, Clone, Copy)]
pub struct BoxDrag {
    /// Viscous coefficients: Stokes' law for a sphere whose diameter is the mean edge length.
    pub linear: Vec6,
    /// Coefficients of the pressure on the faces of the box, proportional to density.
    pub quadratic: Vec6,
}

impl BoxDrag {
    /// The coefficients of a body with this mass and these principal moments of inertia.
    #[must_use]
    pub fn of(medium: &Medium, mass: f64, inertia: Vec3) -> Self {
        let edge = edges(mass, inertia);
        let (mut linear, mut quadratic) = ([0.0; 6], [0.0; 6]);
        if medium.viscosity > 0.0 {
            let diameter = (edge[0] + edge[1] + edge[2]) / 3.0;
            let angular = PI * diameter * diameter * diameter * medium.viscosity;
            let translational = 3.0 * PI * diameter * medium.viscosity;
            linear = [angular, angular, angular, translational, translational, translational];
        }
        if medium.density > 0.0 {
            let fourth = edge.map(|x| x * x * x * x);
            for k in 0..3 {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                quadratic[k] = medium.density * edge[k] * (fourth[i] + fourth[j]) / 64.0;
                quadratic[k + 3] = 0.5 * medium.density * edge[i] * edge[j];
            }
        }
        Self { linear, quadratic }
    }

    /// Drag `[torque, force]` at the velocity `vel` relative to the fluid, in the body's inertial frame.
    pub(super) fn force(&self, vel: &Vec6) -> Vec6 {
        std::array::from_fn(|k| -(self.linear[k] + self.quadratic[k] * vel[k].abs()) * vel[k])
    }

    /// Diagonal of the derivative of [`force`](Self::force) with respect to `vel`, which is diagonal.
    pub(crate) fn vel_derivative(&self, vel: &Vec6) -> Vec6 {
        std::array::from_fn(|k| -self.linear[k] - 2.0 * self.quadratic[k] * vel[k].abs())
    }
}
