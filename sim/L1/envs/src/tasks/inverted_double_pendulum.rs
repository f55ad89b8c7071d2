//! InvertedDoublePendulum-v5: two poles in series balanced on a cart.

use super::{VELOCITY_LIMIT, need_dofs, normal_qvel, uniform_qpos, when};
use crate::parameters::parameters;
use crate::{Error, Info, InfoFields, Outcome, Parameters, Rng, Step, Task};
use sim_physics::{Data, Model};

/// Height of the tip below which an episode ends, m.
const MIN_HEIGHT: f64 = 1.0;

parameters! {
    /// InvertedDoublePendulum-v5: two poles in series balanced on a cart.
    pub struct InvertedDoublePendulum {
        /// Reward of each step.
        healthy_reward: f64 = 10.0,
        /// Amplitude of the noise of initial states.
        reset_noise_scale: f64 = 0.1,
    }
}

impl Task for InvertedDoublePendulum {
    fn bind(&mut self, model: &Model) -> Result<(), Error> {
        need_dofs(model, 3, 3)?;
        if model.nsite == 0 {
            return Err(Error::Model("it has no site, but the first site is the tip".to_owned()));
        }
        Ok(())
    }

    fn observation_size(&self, model: &Model) -> usize {
        1 + 2 * (model.nq - 1) + model.nv + 1
    }

    fn observe(&self, model: &Model, data: &Data, observation: &mut [f64]) {
        let angles = &data.qpos[1..];
        let clip = |x: &f64| x.clamp(-VELOCITY_LIMIT, VELOCITY_LIMIT);
        let values = std::iter::once(data.qpos[0])
            .chain(angles.iter().map(|q| q.sin()))
            .chain(angles.iter().map(|q| q.cos()))
            .chain(data.qvel[..model.nv].iter().map(clip))
            .chain(data.qfrc_constraint[..1].iter().map(clip));
        for (out, value) in observation.iter_mut().zip(values) {
            *out = value;
        }
    }

    fn evaluate(&self, step: &Step<'_>, info: &mut Info<'_>) -> Outcome {
        let (x, z) = (step.data.site_xpos[0], step.data.site_xpos[2]);
        let (v1, v2) = (step.data.qvel[1], step.data.qvel[2]);
        let terminated = z <= MIN_HEIGHT;
        let survive = when(!terminated, self.healthy_reward);
        let distance = 0.01 * x * x + (z - 2.0).powi(2);
        let velocity = 1e-3 * v1 * v1 + 5e-3 * v2 * v2;
        info.extend(&[survive, -distance, -velocity]);
        Outcome { reward: survive - distance - velocity, terminated }
    }

    fn reset(&self, _: &Model, data: &mut Data, rng: &mut Rng) {
        uniform_qpos(data, rng, self.reset_noise_scale);
        normal_qvel(data, rng, self.reset_noise_scale);
    }

    fn info_fields(&self, _: &Model) -> InfoFields {
        InfoFields::numbers(&[], &["reward_survive", "distance_penalty", "velocity_penalty"])
    }

    fn needs_full_data(&self) -> bool {
        false
    }

    fn parameters(&mut self) -> Option<&mut dyn Parameters> {
        Some(self)
    }
}
