//! Tests of conservation laws, analytical solutions, contacts and error handling.

mod arbitrary_input;
mod body_pair;
mod conservation;
mod convergence;
mod invalid_input;
mod meshes;
mod recovery;
mod self_contact;
mod skinning;
mod statics;
mod stepping;
#[cfg(feature = "parallel")]
mod threads;

use nalgebra::Vector3;
use sim_deformable::{DeformableBody, XpbdConfig, XpbdSolver};

/// Gravity along z.
pub const GRAVITY: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);

/// Steps a body for `time` seconds, in steps of `dt` with `substeps` each.
pub fn run(body: &mut dyn DeformableBody, time: f64, dt: f64, substeps: usize, damping: f64) {
    let config = XpbdConfig { substeps, damping, ..XpbdConfig::default() };
    let mut solver = XpbdSolver::new(config);
    for _ in 0..(time / dt).round() as usize {
        solver.step(body, GRAVITY, dt).unwrap();
    }
}

/// Linear congruential generator of numbers in [0, 1).
pub struct Random(u64);

impl Random {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A vector with coordinates in [−1, 1).
    pub fn vector(&mut self) -> Vector3<f64> {
        Vector3::from_fn(|_, _| 2.0 * self.number() - 1.0)
    }
}

/// Gives every particle a random velocity.
pub fn randomize_velocities(body: &mut dyn DeformableBody, speed: f64) {
    let mut random = Random::new(7);
    body.body_mut().velocities_mut().iter_mut().for_each(|v| *v = speed * random.vector());
}
