//! Ant-v5: a quadruped that runs along x.

use super::{concatenate, find_body, need_dofs, normal_qvel, uniform_qpos, when, xpos};
use crate::parameters::{BodyRef, parameters};
use crate::{Camera, Error, Info, InfoFields, Outcome, Parameters, Rng, Step, Task};
use sim_physics::{Data, Model};

parameters! {
    /// Ant-v5: a quadruped that runs along x.
    pub struct Ant {
        /// Weight of the velocity along x.
        forward_reward_weight: f64 = 1.0,
        /// Weight of the squared controls.
        ctrl_cost_weight: f64 = 0.5,
        /// Weight of the squared contact forces.
        contact_cost_weight: f64 = 5e-4,
        /// Reward of each healthy step.
        healthy_reward: f64 = 1.0,
        /// Body whose velocity is rewarded.
        main_body: BodyRef = BodyRef::Id(1),
        /// Whether an unhealthy state ends the episode.
        terminate_when_unhealthy: bool = true,
        /// Heights of the torso that are healthy, m.
        healthy_z_range: (f64, f64) = (0.2, 1.0),
        /// Range to which contact forces are clipped.
        contact_force_range: (f64, f64) = (-1.0, 1.0),
        /// Amplitude of the noise of initial states.
        reset_noise_scale: f64 = 0.1,
        /// Whether observations omit the x and y position.
        exclude_current_positions_from_observation: bool = true,
        /// Whether observations contain the contact forces.
        include_cfrc_ext_in_observation: bool = true,
    }
    found { body: usize, }
}

impl Ant {
    fn skipped(&self) -> usize {
        if self.exclude_current_positions_from_observation { 2 } else { 0 }
    }

    fn clip(&self, force: f64) -> f64 {
        force.max(self.contact_force_range.0).min(self.contact_force_range.1)
    }

    fn is_healthy(&self, data: &Data) -> bool {
        let (low, high) = self.healthy_z_range;
        let finite = data.qpos.iter().chain(&data.qvel).all(|x| x.is_finite());
        finite && low <= data.qpos[2] && data.qpos[2] <= high
    }
}

impl Task for Ant {
    fn bind(&mut self, model: &Model) -> Result<(), Error> {
        need_dofs(model, 3, 0)?;
        self.body = find_body(model, &self.main_body)?;
        Ok(())
    }

    fn observation_size(&self, model: &Model) -> usize {
        let forces = if self.include_cfrc_ext_in_observation { 6 * (model.nbody - 1) } else { 0 };
        model.nq - self.skipped() + model.nv + forces
    }

    fn observe(&self, _: &Model, data: &Data, observation: &mut [f64]) {
        let state = data.qpos.len() - self.skipped() + data.qvel.len();
        let (state, forces) = observation.split_at_mut(state);
        concatenate(state, &[&data.qpos[self.skipped()..], &data.qvel]);
        for (out, force) in forces.iter_mut().zip(&data.cfrc_ext[6..]) {
            *out = self.clip(*force);
        }
    }

    fn before(&self, _: &Model, data: &Data) -> [f64; 4] {
        let [x, y, _] = xpos(data, self.body);
        [x, y, 0.0, 0.0]
    }

    fn evaluate(&self, step: &Step<'_>, info: &mut Info<'_>) -> Outcome {
        let [x, y, _] = xpos(step.data, self.body);
        let velocity = [(x - step.before[0]) / step.dt, (y - step.before[1]) / step.dt];
        let is_healthy = self.is_healthy(step.data);
        let forward = velocity[0] * self.forward_reward_weight;
        let survive = when(is_healthy, self.healthy_reward);
        let ctrl = step.control_cost(self.ctrl_cost_weight);
        let forces = step.data.cfrc_ext.iter().map(|force| self.clip(*force).powi(2));
        let contact = self.contact_cost_weight * forces.sum::<f64>();
        info.extend(&[velocity[0], velocity[1], forward, -ctrl, -contact, survive]);
        Outcome {
            reward: forward + survive - (ctrl + contact),
            terminated: !is_healthy && self.terminate_when_unhealthy,
        }
    }

    fn reset(&self, _: &Model, data: &mut Data, rng: &mut Rng) {
        uniform_qpos(data, rng, self.reset_noise_scale);
        normal_qvel(data, rng, self.reset_noise_scale);
    }

    fn info_fields(&self, _: &Model) -> InfoFields {
        InfoFields::numbers(
            &["x_position", "y_position", "distance_from_origin"],
            &[
                "x_velocity",
                "y_velocity",
                "reward_forward",
                "reward_ctrl",
                "reward_contact",
                "reward_survive",
            ],
        )
    }

    fn state_info(&self, _: &Model, data: &Data, info: &mut Info<'_>) {
        let (x, y) = (data.qpos[0], data.qpos[1]);
        info.extend(&[x, y, x.hypot(y)]);
    }

    fn needs_cfrc_ext(&self) -> bool {
        true
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
