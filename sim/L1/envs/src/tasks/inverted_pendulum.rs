//! InvertedPendulum-v5: a pole balanced on a cart.

use super::{concatenate, need_dofs, uniform_qpos, uniform_qvel};
use crate::parameters::parameters;
use crate::{Camera, Error, Info, InfoFields, Outcome, Parameters, Rng, Step, Task};
use sim_physics::{Data, Model};

/// Largest angle of the pole, rad.
const MAX_ANGLE: f64 = 0.2;

parameters! {
    /// InvertedPendulum-v5: a pole balanced on a cart.
    pub struct InvertedPendulum {
        /// Amplitude of the noise of initial states.
        reset_noise_scale: f64 = 0.01,
    }
}

impl Task for InvertedPendulum {
    fn bind(&mut self, model: &Model) -> Result<(), Error> {
        need_dofs(model, 2, 0)
    }

    fn observation_size(&self, model: &Model) -> usize {
        model.nq + model.nv
    }

    fn observe(&self, _: &Model, data: &Data, observation: &mut [f64]) {
        concatenate(observation, &[&data.qpos, &data.qvel]);
    }

    fn evaluate(&self, step: &Step<'_>, info: &mut Info<'_>) -> Outcome {
        let Data { qpos, qvel, .. } = step.data;
        let is_finite = qpos.iter().chain(qvel).all(|x| x.is_finite());
        let terminated = !is_finite || qpos[1].abs() > MAX_ANGLE;
        let reward = f64::from(!terminated);
        info.push(reward);
        Outcome { reward, terminated }
    }

    fn reset(&self, _: &Model, data: &mut Data, rng: &mut Rng) {
        uniform_qpos(data, rng, self.reset_noise_scale);
        uniform_qvel(data, rng, self.reset_noise_scale);
    }

    fn info_fields(&self, _: &Model) -> InfoFields {
        InfoFields::numbers(&[], &["reward_survive"])
    }

    fn camera(&self) -> Camera {
        Camera { track_body: Some(0), distance: Some(2.04), ..Camera::default() }
    }

    fn needs_full_data(&self) -> bool {
        false
    }

    fn parameters(&mut self) -> Option<&mut dyn Parameters> {
        Some(self)
    }
}
