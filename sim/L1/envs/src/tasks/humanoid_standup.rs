//! HumanoidStandup-v5: a humanoid that lies on the floor and stands up.

use super::humanoid::Contents;
use super::{need_dofs, uniform_qpos, uniform_qvel};
use crate::parameters::parameters;
use crate::task::square_sum;
use crate::{Camera, Error, Info, InfoField, InfoFields, Outcome, Parameters, Rng, Step, Task};
use sim_physics::{Data, Model};

parameters! {
    /// HumanoidStandup-v5: a humanoid that lies on the floor and stands up.
    pub struct HumanoidStandup {
        /// Accepted for compatibility; like gymnasium, the reward does not use it.
        uph_cost_weight: f64 = 1.0,
        /// Weight of the squared controls.
        ctrl_cost_weight: f64 = 0.1,
        /// Weight of the squared contact forces.
        impact_cost_weight: f64 = 0.5e-6,
        /// Range to which the cost of contact forces is clipped.
        impact_cost_range: (f64, f64) = (f64::NEG_INFINITY, 10.0),
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

impl HumanoidStandup {
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

impl Task for HumanoidStandup {
    fn bind(&mut self, model: &Model) -> Result<(), Error> {
        need_dofs(model, 7, 6)
    }

    fn observation_size(&self, model: &Model) -> usize {
        self.contents().size(model)
    }

    fn observe(&self, _: &Model, data: &Data, observation: &mut [f64]) {
        self.contents().observe(data, observation);
    }

    fn evaluate(&self, step: &Step<'_>, info: &mut Info<'_>) -> Outcome {
        let up = step.data.qpos[2] / step.model.opt.timestep;
        let ctrl = self.ctrl_cost_weight * square_sum(&step.data.ctrl);
        let (low, high) = self.impact_cost_range;
        let impact = self.impact_cost_weight * square_sum(&step.data.cfrc_ext);
        let impact = impact.max(low).min(high);
        info.extend(&[up, -ctrl, -impact]);
        Outcome { reward: up - ctrl - impact + 1.0, terminated: false }
    }

    fn reset(&self, _: &Model, data: &mut Data, rng: &mut Rng) {
        uniform_qpos(data, rng, self.reset_noise_scale);
        uniform_qvel(data, rng, self.reset_noise_scale);
    }

    fn info_fields(&self, model: &Model) -> InfoFields {
        let mut fields = InfoFields::numbers(
            &["x_position", "y_position", "z_distance_from_origin"],
            &["reward_linup", "reward_quadctrl", "reward_impact"],
        );
        fields.state.push(InfoField::array("tendon_length", model.ntendon));
        fields.state.push(InfoField::array("tendon_velocity", model.ntendon));
        fields
    }

    fn state_info(&self, model: &Model, data: &Data, info: &mut Info<'_>) {
        info.extend(&[data.qpos[0], data.qpos[1], data.qpos[2] - model.qpos0[2]]);
        info.extend(&data.ten_length);
        info.extend(&data.ten_velocity);
    }

    fn needs_cfrc_ext(&self) -> bool {
        true
    }

    fn needs_full_data(&self) -> bool {
        false
    }

    fn camera(&self) -> Camera {
        Camera {
            track_body: Some(1),
            distance: Some(4.0),
            lookat: Some([0.0, 0.0, 0.8925]),
            elevation: Some(-20.0),
        }
    }

    fn parameters(&mut self) -> Option<&mut dyn Parameters> {
        Some(self)
    }
}
