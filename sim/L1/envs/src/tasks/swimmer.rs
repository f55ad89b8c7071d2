//! Swimmer-v5: three links that swim along x.

use super::{concatenate, need_dofs, uniform_qpos, uniform_qvel};
use crate::parameters::parameters;
use crate::{Error, Info, InfoFields, Outcome, Parameters, Rng, Step, Task};
use sim_physics::{Data, Model};

parameters! {
    /// Swimmer-v5: three links that swim along x.
    pub struct Swimmer {
        /// Weight of the velocity along x.
        forward_reward_weight: f64 = 1.0,
        /// Weight of the squared controls.
        ctrl_cost_weight: f64 = 1e-4,
        /// Amplitude of the noise of initial states.
        reset_noise_scale: f64 = 0.1,
        /// Whether observations omit the x and y position.
        exclude_current_positions_from_observation: bool = true,
    }
}

impl Swimmer {
    fn skipped(&self) -> usize {
        if self.exclude_current_positions_from_observation { 2 } else { 0 }
    }
}

impl Task for Swimmer {
    fn bind(&mut self, model: &Model) -> Result<(), Error> {
        need_dofs(model, 2, 0)
    }

    fn observation_size(&self, model: &Model) -> usize {
        model.nq - self.skipped() + model.nv
    }

    fn observe(&self, _: &Model, data: &Data, observation: &mut [f64]) {
        concatenate(observation, &[&data.qpos[self.skipped()..], &data.qvel]);
    }

    fn before(&self, _: &Model, data: &Data) -> [f64; 4] {
        [data.qpos[0], data.qpos[1], 0.0, 0.0]
    }

    fn evaluate(&self, step: &Step<'_>, info: &mut Info<'_>) -> Outcome {
        let velocity = [0, 1].map(|i| (step.data.qpos[i] - step.before[i]) / step.dt);
        let forward = self.forward_reward_weight * velocity[0];
        let ctrl = step.control_cost(self.ctrl_cost_weight);
        info.extend(&[velocity[0], velocity[1], forward, -ctrl]);
        Outcome { reward: forward - ctrl, terminated: false }
    }

    fn reset(&self, _: &Model, data: &mut Data, rng: &mut Rng) {
        uniform_qpos(data, rng, self.reset_noise_scale);
        uniform_qvel(data, rng, self.reset_noise_scale);
    }

    fn info_fields(&self, _: &Model) -> InfoFields {
        InfoFields::numbers(
            &["x_position", "y_position", "distance_from_origin"],
            &["x_velocity", "y_velocity", "reward_forward", "reward_ctrl"],
        )
    }

    fn state_info(&self, _: &Model, data: &Data, info: &mut Info<'_>) {
        let (x, y) = (data.qpos[0], data.qpos[1]);
        info.extend(&[x, y, x.hypot(y)]);
    }

    fn needs_full_data(&self) -> bool {
        false
    }

    fn parameters(&mut self) -> Option<&mut dyn Parameters> {
        Some(self)
    }
}
