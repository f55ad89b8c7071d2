//! Reacher-v5: an arm of two joints whose fingertip reaches for a target.

use super::{body_named, distance, need_dofs, uniform_qpos, xpos};
use crate::parameters::parameters;
use crate::{Camera, Error, Info, InfoFields, Outcome, Parameters, Rng, Step, Task};
use sim_physics::{Data, Model};

/// Radius of the disc in which targets lie, m.
const TARGET_RADIUS: f64 = 0.2;

parameters! {
    /// Reacher-v5: an arm of two joints whose fingertip reaches for a target.
    pub struct Reacher {
        /// Weight of the distance between fingertip and target.
        reward_dist_weight: f64 = 1.0,
        /// Weight of the squared controls.
        reward_control_weight: f64 = 1.0,
    }
    found { fingertip: usize, target: usize, }
}

impl Task for Reacher {
    fn bind(&mut self, model: &Model) -> Result<(), Error> {
        need_dofs(model, 4, 4)?;
        let find = |name: &str| {
            body_named(model, name)
                .ok_or_else(|| Error::Model(format!("it has no body named `{name}`")))
        };
        (self.fingertip, self.target) = (find("fingertip")?, find("target")?);
        Ok(())
    }

    fn observation_size(&self, model: &Model) -> usize {
        4 + (model.nq - 2) + 4
    }

    fn observe(&self, _: &Model, data: &Data, observation: &mut [f64]) {
        let (fingertip, target) = (xpos(data, self.fingertip), xpos(data, self.target));
        let angles = &data.qpos[..2];
        let values = angles
            .iter()
            .map(|q| q.cos())
            .chain(angles.iter().map(|q| q.sin()))
            .chain(data.qpos[2..].iter().copied())
            .chain(data.qvel[..2].iter().copied())
            .chain((0..2).map(|i| fingertip[i] - target[i]));
        for (out, value) in observation.iter_mut().zip(values) {
            *out = value;
        }
    }

    fn evaluate(&self, step: &Step<'_>, info: &mut Info<'_>) -> Outcome {
        let dist = -distance(step.data, self.fingertip, self.target) * self.reward_dist_weight;
        let ctrl = -step.control_cost(self.reward_control_weight);
        info.extend(&[dist, ctrl]);
        Outcome { reward: dist + ctrl, terminated: false }
    }

    fn reset(&self, model: &Model, data: &mut Data, rng: &mut Rng) {
        uniform_qpos(data, rng, 0.1);
        let target = loop {
            let target = [0.0; 2].map(|_| rng.uniform(-TARGET_RADIUS, TARGET_RADIUS));
            if target[0].hypot(target[1]) < TARGET_RADIUS {
                break target;
            }
        };
        data.qpos[model.nq - 2..].copy_from_slice(&target);
        for (i, v) in data.qvel.iter_mut().enumerate() {
            *v = if i + 2 < model.nv { *v + rng.uniform(-0.005, 0.005) } else { 0.0 };
        }
    }

    fn info_fields(&self, _: &Model) -> InfoFields {
        InfoFields::numbers(&[], &["reward_dist", "reward_ctrl"])
    }

    fn camera(&self) -> Camera {
        Camera { track_body: Some(0), ..Camera::default() }
    }

    fn needs_full_data(&self) -> bool {
        false
    }

    fn parameters(&mut self) -> Option<&mut dyn Parameters> {
        Some(self)
    }
}
