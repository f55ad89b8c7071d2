//! Hopper-v5: a planar leg that hops along x.

use super::{inside, need_dofs, planar, uniform_qpos, uniform_qvel};
use crate::parameters::parameters;
use crate::{Camera, Error, Info, InfoFields, Outcome, Parameters, Rng, Step, Task};
use sim_physics::{Data, Model};

parameters! {
    /// Hopper-v5: a planar leg that hops along x.
    pub struct Hopper {
        /// Weight of the velocity along x.
        forward_reward_weight: f64 = 1.0,
        /// Weight of the squared controls.
        ctrl_cost_weight: f64 = 1e-3,
        /// Reward of each healthy step.
        healthy_reward: f64 = 1.0,
        /// Whether an unhealthy state ends the episode.
        terminate_when_unhealthy: bool = true,
        /// Values of all positions but the first two, and of all velocities, that are healthy.
        healthy_state_range: (f64, f64) = (-100.0, 100.0),
        /// Heights of the torso that are healthy, m.
        healthy_z_range: (f64, f64) = (0.7, f64::INFINITY),
        /// Angles of the torso that are healthy, rad.
        healthy_angle_range: (f64, f64) = (-0.2, 0.2),
        /// Amplitude of the noise of initial states.
        reset_noise_scale: f64 = 5e-3,
        /// Whether observations omit the x position.
        exclude_current_positions_from_observation: bool = true,
    }
}

impl Hopper {
    fn skipped(&self) -> usize {
        usize::from(self.exclude_current_positions_from_observation)
    }

    fn reward(&self) -> planar::Reward {
        planar::Reward {
            forward: self.forward_reward_weight,
            ctrl: self.ctrl_cost_weight,
            healthy: self.healthy_reward,
            terminate_when_unhealthy: self.terminate_when_unhealthy,
        }
    }

    fn is_healthy(&self, data: &Data) -> bool {
        let mut state = data.qpos[2..].iter().chain(&data.qvel);
        state.all(|x| inside(*x, self.healthy_state_range))
            && inside(data.qpos[1], self.healthy_z_range)
            && inside(data.qpos[2], self.healthy_angle_range)
    }
}

impl Task for Hopper {
    fn bind(&mut self, model: &Model) -> Result<(), Error> {
        need_dofs(model, 3, 0)
    }

    fn observation_size(&self, model: &Model) -> usize {
        model.nq - self.skipped() + model.nv
    }

    fn observe(&self, _: &Model, data: &Data, observation: &mut [f64]) {
        planar::observe(data, self.skipped(), observation);
    }

    fn before(&self, _: &Model, data: &Data) -> [f64; 4] {
        [data.qpos[0], 0.0, 0.0, 0.0]
    }

    fn evaluate(&self, step: &Step<'_>, info: &mut Info<'_>) -> Outcome {
        planar::evaluate(step, self.is_healthy(step.data), &self.reward(), info)
    }

    fn reset(&self, _: &Model, data: &mut Data, rng: &mut Rng) {
        uniform_qpos(data, rng, self.reset_noise_scale);
        uniform_qvel(data, rng, self.reset_noise_scale);
    }

    fn info_fields(&self, _: &Model) -> InfoFields {
        planar::info_fields()
    }

    fn state_info(&self, model: &Model, data: &Data, info: &mut Info<'_>) {
        planar::state_info(model, data, info);
    }

    fn camera(&self) -> Camera {
        planar::camera(3.0)
    }

    fn needs_full_data(&self) -> bool {
        false
    }

    fn parameters(&mut self) -> Option<&mut dyn Parameters> {
        Some(self)
    }
}
