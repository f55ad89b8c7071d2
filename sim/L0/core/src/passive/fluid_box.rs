//! The medium's force on a body taken for the box of its inertia (`mj_inertiaBoxFluidModel`).

use super::fluid::Medium;
use crate::math::spatial::Vec6;
use crate::math::vec3::Vec3;
use sim_types::MINVAL;
use std::f64::consts::PI;

/// Edges of the box of uniform density with this mass and these principal moments of inertia.
fn edges(mass: f64, [a, b, c]: Vec3) -> Vec3 {
    [b + c - a, a + c - b, a + b - c].map(|x| (x.max(MINVAL) / mass * 6.0).sqrt())
}

/// How a body resists motion along its six coordinates, rotations first: the resisting force is
/// `linear v + quadratic |v| v`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resistance {
    /// From viscosity: Stokes' law for a sphere as wide as the box.
    pub linear: Vec6,
    /// From density: pressure on the faces of the box.
    pub quadratic: Vec6,
}

impl Resistance {
    /// Of a body with this mass and these principal moments of inertia.
    pub(crate) fn of(medium: &Medium, mass: f64, inertia: Vec3) -> Self {
        let edge = edges(mass, inertia);
        let (mut linear, mut quadratic) = ([0.0; 6], [0.0; 6]);
        if medium.viscosity > 0.0 {
            let diameter = (edge[0] + edge[1] + edge[2]) / 3.0;
            let turning = PI * diameter * diameter * diameter * medium.viscosity;
            let moving = 3.0 * PI * diameter * medium.viscosity;
            linear = [turning, turning, turning, moving, moving, moving];
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

    /// Torque and force on a body that moves with `vel` against the medium, in its inertial axes.
    pub(super) fn force(&self, vel: &Vec6) -> Vec6 {
        std::array::from_fn(|k| -(self.linear[k] + self.quadratic[k] * vel[k].abs()) * vel[k])
    }

    /// Derivative of each component of the force by the same component of the velocity; there are
    /// no others.
    pub(crate) fn slope(&self, vel: &Vec6) -> Vec6 {
        std::array::from_fn(|k| -self.linear[k] - 2.0 * self.quadratic[k] * vel[k].abs())
    }
}
