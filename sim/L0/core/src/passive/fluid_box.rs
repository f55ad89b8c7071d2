//! The medium's force on a body taken for the box of its inertia (`mj_inertiaBoxFluidModel`).

use crate::Model;
use crate::math::rows;
use crate::math::spatial::Vec6;
use crate::math::vec3::Vec3;
use sim_types::MINVAL;
use std::f64::consts::PI;

/// Edges of the box of uniform density with a body's mass and inertia.
fn edges(m: &Model, body: usize) -> Vec3 {
    let [a, b, c] = rows::<3>(&m.body_inertia)[body];
    [b + c - a, a + c - b, a + b - c].map(|x| (x.max(MINVAL) / m.body_mass[body] * 6.0).sqrt())
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
    /// The resistance of a body in the model's medium.
    pub(crate) fn of(m: &Model, body: usize) -> Self {
        let edge = edges(m, body);
        let (mut linear, mut quadratic) = ([0.0; 6], [0.0; 6]);
        if m.opt.viscosity > 0.0 {
            let diameter = (edge[0] + edge[1] + edge[2]) / 3.0;
            let turning = PI * diameter * diameter * diameter * m.opt.viscosity;
            let moving = 3.0 * PI * diameter * m.opt.viscosity;
            linear = [turning, turning, turning, moving, moving, moving];
        }
        if m.opt.density > 0.0 {
            let fourth = edge.map(|x| x * x * x * x);
            for k in 0..3 {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                quadratic[k] = m.opt.density * edge[k] * (fourth[i] + fourth[j]) / 64.0;
                quadratic[k + 3] = 0.5 * m.opt.density * edge[i] * edge[j];
            }
        }
        Self { linear, quadratic }
    }
}

/// Torque and force on a body that moves with `vel` against the medium, in its inertial axes.
pub(super) fn force(m: &Model, body: usize, vel: &Vec6) -> Vec6 {
    let Resistance { linear, quadratic } = Resistance::of(m, body);
    std::array::from_fn(|k| -linear[k] * vel[k] - quadratic[k] * vel[k].abs() * vel[k])
}
