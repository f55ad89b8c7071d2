//! Humanoid-v5: a humanoid that walks along x.

use super::{concatenate, inside, need_dofs, uniform_qpos, uniform_qvel, when};
use crate::parameters::parameters;
use crate::task::square_sum;
use crate::{Camera, Error, Info, InfoField, InfoFields, Outcome, Parameters, Rng, Step, Task};
use sim_physics::{Data, Model};

/// Degrees of freedom of the free joint, whose actuator forces are not observed.
const ROOT_DOFS: usize = 6;

parameters! {
    /// Humanoid-v5: a humanoid that walks along x.
    pub struct Humanoid {
        /// Weight of the velocity of the centre of mass along x.
        forward_reward_weight: f64 = 1.25,
        /// Weight of the squared controls.
        ctrl_cost_weight: f64 = 0.1,
        /// Weight of the squared contact forces.
        contact_cost_weight: f64 = 5e-7,
        /// Range to which the contact cost is clipped.
        contact_cost_range: (f64, f64) = (f64::NEG_INFINITY, 10.0),
        /// Reward of each healthy step.
        healthy_reward: f64 = 5.0,
        /// Whether an unhealthy state ends the episode.
        terminate_when_unhealthy: bool = true,
        /// Heights of the torso that are healthy, m.
        healthy_z_range: (f64, f64) = (1.0, 2.0),
        /// Amplitude of the noise of initial states.
        reset_noise_scale: f64 = 1e-2,
        /// Whether observations omit the x and y position.
        exclude_current_positions_from_observation: bool = true,
        /// Whether observations contain the inertias of the bodies.
        include_cinert_in_observation: bool = true,
        /// Whether observations contain the velocities of the bodies.
        include_cvel_in_observation: bool = true,
        /// Whether observations contain the actuator forces.
        include_qfrc_actuator_in_observation: bool = true,
        /// Whether observations contain the contact forces.
        include_cfrc_ext_in_observation: bool = true,
    }
}

/// What an observation of a humanoid contains.
pub(super) struct Contents {
    /// Number of positions that are omitted.
    pub skipped: usize,
    /// Whether it contains `cinert`, `cvel`, `qfrc_actuator` and `cfrc_ext`.
    pub includes: [bool; 4],
}

impl Contents {
    pub(super) fn size(&self, model: &Model) -> usize {
        let bodies = model.nbody - 1;
        let sizes = [10 * bodies, 6 * bodies, model.nv - ROOT_DOFS, 6 * bodies];
        let included = sizes.iter().zip(self.includes).map(|(size, is)| if is { *size } else { 0 });
        model.nq - self.skipped + model.nv + included.sum::<usize>()
    }

    pub(super) fn observe(&self, data: &Data, observation: &mut [f64]) {
        let part = |index: usize, values| if self.includes[index] { values } else { &[][..] };
        concatenate(
            observation,
            &[
                &data.qpos[self.skipped..],
                &data.qvel,
                part(0, &data.cinert[10..]),
                part(1, &data.cvel[6..]),
                part(2, &data.qfrc_actuator[ROOT_DOFS..]),
                part(3, &data.cfrc_ext[6..]),
            ],
        );
    }
}

/// Horizontal position of the centre of mass, m.
fn mass_center(model: &Model, data: &Data) -> [f64; 2] {
    let (mut sum, mut total) = ([0.0; 2], 0.0);
    for (mass, position) in model.body_mass.iter().zip(data.xipos.as_chunks::<3>().0) {
        sum = [sum[0] + mass * position[0], sum[1] + mass * position[1]];
        total += mass;
    }
    sum.map(|x| x / total)
}

impl Humanoid {
    fn contents(&self) -> Contents {
        Contents {
            skipped: if self.exclude_current_positions_from_observation { 2 } else { 0 },
            includes: [
                self.include_cinert_in_observation,
                self.include_cvel_in_observation,
                self.include_qfrc_actuator_in_observation,
                self.include_cfrc_ext_in_observation,
            ],
        }
    }
}

impl Task for Humanoid {
    fn bind(&mut self, model: &Model) -> Result<(), Error> {
        need_dofs(model, 7, ROOT_DOFS)
    }

    fn observation_size(&self, model: &Model) -> usize {
        self.contents().size(model)
    }

    fn observe(&self, _: &Model, data: &Data, observation: &mut [f64]) {
        self.contents().observe(data, observation);
    }

    fn before(&self, model: &Model, data: &Data) -> [f64; 4] {
        let [x, y] = mass_center(model, data);
        [x, y, 0.0, 0.0]
    }

    fn evaluate(&self, step: &Step<'_>, info: &mut Info<'_>) -> Outcome {
        let after = mass_center(step.model, step.data);
        let velocity = [0, 1].map(|i| (after[i] - step.before[i]) / step.dt);
        let is_healthy = inside(step.data.qpos[2], self.healthy_z_range);
        let forward = self.forward_reward_weight * velocity[0];
        let survive = when(is_healthy, self.healthy_reward);
        let ctrl = self.ctrl_cost_weight * square_sum(&step.data.ctrl);
        let (low, high) = self.contact_cost_range;
        let contact = self.contact_cost_weight * square_sum(&step.data.cfrc_ext);
        let contact = contact.max(low).min(high);
        info.extend(&[velocity[0], velocity[1], survive, forward, -ctrl, -contact]);
        Outcome {
            reward: forward + survive - (ctrl + contact),
            terminated: !is_healthy && self.terminate_when_unhealthy,
        }
    }

    fn reset(&self, _: &Model, data: &mut Data, rng: &mut Rng) {
        uniform_qpos(data, rng, self.reset_noise_scale);
        uniform_qvel(data, rng, self.reset_noise_scale);
    }

    fn info_fields(&self, model: &Model) -> InfoFields {
        let mut fields = InfoFields::numbers(
            &["x_position", "y_position", "distance_from_origin"],
            &[
                "x_velocity",
                "y_velocity",
                "reward_survive",
                "reward_forward",
                "reward_ctrl",
                "reward_contact",
            ],
        );
        fields.state.push(InfoField::array("tendon_length", model.ntendon));
        fields.state.push(InfoField::array("tendon_velocity", model.ntendon));
        fields
    }

    fn state_info(&self, _: &Model, data: &Data, info: &mut Info<'_>) {
        let (x, y) = (data.qpos[0], data.qpos[1]);
        info.extend(&[x, y, x.hypot(y)]);
        info.extend(&data.ten_length);
        info.extend(&data.ten_velocity);
    }

    fn needs_cfrc_ext(&self) -> bool {
        true
    }

    fn camera(&self) -> Camera {
        Camera {
            track_body: Some(1),
            distance: Some(4.0),
            lookat: Some([0.0, 0.0, 2.0]),
            elevation: Some(-20.0),
        }
    }

    fn needs_full_data(&self) -> bool {
        false
    }

    fn parameters(&mut self) -> Option<&mut dyn Parameters> {
        Some(self)
    }
}
