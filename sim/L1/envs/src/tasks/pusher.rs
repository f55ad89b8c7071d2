//! Pusher-v5: an arm that pushes a cylinder to a goal.

use super::{body_named, concatenate, distance, need_dofs, xpos};
use crate::parameters::parameters;
use crate::{Camera, Error, Info, InfoFields, Outcome, Parameters, Rng, Step, Task};
use sim_physics::{Data, Model};

/// Joints of the arm.
const ARM: usize = 7;
/// Distance of the cylinder from the goal at the start, m.
const MIN_DISTANCE: f64 = 0.17;

parameters! {
    /// Pusher-v5: an arm that pushes a cylinder to a goal.
    pub struct Pusher {
        /// Weight of the distance between fingertips and cylinder.
        reward_near_weight: f64 = 0.5,
        /// Weight of the distance between cylinder and goal.
        reward_dist_weight: f64 = 1.0,
        /// Weight of the squared controls.
        reward_control_weight: f64 = 0.1,
    }
    found { tips: usize, object: usize, goal: usize, }
}

impl Task for Pusher {
    fn bind(&mut self, model: &Model) -> Result<(), Error> {
        need_dofs(model, ARM + 4, ARM + 4)?;
        let find = |name: &str| {
            body_named(model, name)
                .ok_or_else(|| Error::Model(format!("it has no body named `{name}`")))
        };
        (self.tips, self.object, self.goal) = (find("tips_arm")?, find("object")?, find("goal")?);
        Ok(())
    }

    fn observation_size(&self, _: &Model) -> usize {
        2 * ARM + 9
    }

    fn observe(&self, _: &Model, data: &Data, observation: &mut [f64]) {
        let [tips, object, goal] = [self.tips, self.object, self.goal].map(|id| xpos(data, id));
        concatenate(observation, &[&data.qpos[..ARM], &data.qvel[..ARM], &tips, &object, &goal]);
    }

    fn evaluate(&self, step: &Step<'_>, info: &mut Info<'_>) -> Outcome {
        let near = -distance(step.data, self.object, self.tips) * self.reward_near_weight;
        let dist = -distance(step.data, self.object, self.goal) * self.reward_dist_weight;
        let ctrl = -step.control_cost(self.reward_control_weight);
        info.extend(&[dist, ctrl, near]);
        Outcome { reward: dist + ctrl + near, terminated: false }
    }

    fn reset(&self, model: &Model, data: &mut Data, rng: &mut Rng) {
        let cylinder = loop {
            let (y, x) = (rng.uniform(-0.3, 0.0), rng.uniform(-0.2, 0.2));
            if y.hypot(x) > MIN_DISTANCE {
                break [y, x];
            }
        };
        data.qpos[model.nq - 4..model.nq - 2].copy_from_slice(&cylinder);
        data.qpos[model.nq - 2..].fill(0.0);
        for (i, v) in data.qvel.iter_mut().enumerate() {
            *v = if i + 4 < model.nv { *v + rng.uniform(-0.005, 0.005) } else { 0.0 };
        }
    }

    fn info_fields(&self, _: &Model) -> InfoFields {
        InfoFields::numbers(&[], &["reward_dist", "reward_ctrl", "reward_near"])
    }

    fn camera(&self) -> Camera {
        Camera { distance: Some(4.0), ..Camera::default() }
    }

    fn needs_full_data(&self) -> bool {
        false
    }

    fn parameters(&mut self) -> Option<&mut dyn Parameters> {
        Some(self)
    }
}
