//! What Hopper-v5 and Walker2d-v5 share: robots in the x–z plane that are rewarded for their velocity along x.

use super::{VELOCITY_LIMIT, concatenate, when};
use crate::{Camera, Info, InfoFields, Outcome, Step};
use sim_physics::{Data, Model};

/// Weights of the reward.
pub(super) struct Reward {
    pub forward: f64,
    pub ctrl: f64,
    pub healthy: f64,
    pub terminate_when_unhealthy: bool,
}

/// Positions, and velocities clipped to ±10.
pub(super) fn observe(data: &Data, skipped: usize, observation: &mut [f64]) {
    let (positions, velocities) = observation.split_at_mut(data.qpos.len() - skipped);
    concatenate(positions, &[&data.qpos[skipped..]]);
    for (out, v) in velocities.iter_mut().zip(&data.qvel) {
        *out = v.clamp(-VELOCITY_LIMIT, VELOCITY_LIMIT);
    }
}

/// Reward and end of a step; `step.before[0]` is the x position before it.
pub(super) fn evaluate(
    step: &Step<'_>,
    is_healthy: bool,
    weights: &Reward,
    info: &mut Info<'_>,
) -> Outcome {
    let velocity = (step.data.qpos[0] - step.before[0]) / step.dt;
    let forward = weights.forward * velocity;
    let survive = when(is_healthy, weights.healthy);
    let ctrl = step.control_cost(weights.ctrl);
    info.extend(&[velocity, forward, -ctrl, survive]);
    Outcome {
        reward: forward + survive - ctrl,
        terminated: !is_healthy && weights.terminate_when_unhealthy,
    }
}

/// Fields of [`state_info`] and [`evaluate`].
pub(super) fn info_fields() -> InfoFields {
    InfoFields::numbers(
        &["x_position", "z_distance_from_origin"],
        &["x_velocity", "reward_forward", "reward_ctrl", "reward_survive"],
    )
}

pub(super) fn state_info(model: &Model, data: &Data, info: &mut Info<'_>) {
    info.extend(&[data.qpos[0], data.qpos[1] - model.qpos0[1]]);
}

/// A camera that follows the robot from the side.
pub(super) fn camera(distance: f64) -> Camera {
    Camera {
        track_body: Some(2),
        distance: Some(distance),
        lookat: Some([0.0, 0.0, 1.15]),
        elevation: Some(-20.0),
    }
}
