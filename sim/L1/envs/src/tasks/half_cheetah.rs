//! HalfCheetah-v5: a planar runner.

use super::{concatenate, need_dofs, normal_qvel, uniform_qpos};
use crate::parameters::parameters;
use crate::{Camera, Error, Info, InfoFields, Outcome, Parameters, Rng, Step, Task};
use sim_physics::{Data, Model};

parameters! {
    /// HalfCheetah-v5: a planar runner.
    pub struct HalfCheetah {
        /// Weight of the velocity along x.
        forward_reward_weight: f64 = 1.0,
        /// Weight of the squared controls.
        ctrl_cost_weight: f64 = 0.1,
        /// Amplitude of the noise of initial states.
        reset_noise_scale: f64 = 0.1,
        /// Whether observations omit the x position.
        exclude_current_positions_from_observation: bool = true,
    }
}

impl HalfCheetah {
    fn skipped(&self) -> usize {
        usize::from(self.exclude_current_positions_from_observation)
    }
}

impl Task for HalfCheetah {
    fn bind(&mut self, model: &Model) -> Result<(), Error> {
        need_dofs(model, 1, 0)
    }

    fn observation_size(&self, model: &Model) -> usize {
        model.nq - self.skipped() + model.nv
    }

    fn observe(&self, _: &Model, data: &Data, observation: &mut [f64]) {
        concatenate(observation, &[&data.qpos[self.skipped()..], &data.qvel]);
    }

    fn before(&self, _: &Model, data: &Data) -> [f64; 4] {
        [data.qpos[0], 0.0, 0.0, 0.0]
    }

    fn evaluate(&self, step: &Step<'_>, info: &mut Info<'_>) -> Outcome {
        let velocity = (step.data.qpos[0] - step.before[0]) / step.dt;
        let forward = self.forward_reward_weight * velocity;
        let ctrl = step.control_cost(self.ctrl_cost_weight);
        info.extend(&[velocity, forward, -ctrl]);
        Outcome { reward: forward - ctrl, terminated: false }
    }

    fn reset(&self, _: &Model, data: &mut Data, rng: &mut Rng) {
        uniform_qpos(data, rng, self.reset_noise_scale);
        normal_qvel(data, rng, self.reset_noise_scale);
    }

    fn info_fields(&self, _: &Model) -> InfoFields {
        InfoFields::numbers(&["x_position"], &["x_velocity", "reward_forward", "reward_ctrl"])
    }

    fn state_info(&self, _: &Model, data: &Data, info: &mut Info<'_>) {
        info.push(data.qpos[0]);
    }

    fn needs_full_data(&self) -> bool {
        false
    }

    fn camera(&self) -> Camera {
        Camera { distance: Some(4.0), ..Camera::default() }
    }

    fn parameters(&mut self) -> Option<&mut dyn Parameters> {
        Some(self)
    }
}
