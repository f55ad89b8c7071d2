//! The eleven MuJoCo tasks of gymnasium, version 5. The options have the names and default values of
//! gymnasium's constructors.

mod ant;
mod half_cheetah;
mod hopper;
mod humanoid;
mod humanoid_standup;
mod inverted_double_pendulum;
mod inverted_pendulum;
mod planar;
mod pusher;
mod reacher;
mod swimmer;
mod walker2d;

pub use ant::Ant;
pub use half_cheetah::HalfCheetah;
pub use hopper::Hopper;
pub use humanoid::Humanoid;
pub use humanoid_standup::HumanoidStandup;
pub use inverted_double_pendulum::InvertedDoublePendulum;
pub use inverted_pendulum::InvertedPendulum;
pub use pusher::Pusher;
pub use reacher::Reacher;
pub use swimmer::Swimmer;
pub use walker2d::Walker2d;

use crate::parameters::BodyRef;
use crate::{Error, Rng};
use sim_physics::{BodyHandle, Data, Find, Handle, Model};

/// Largest velocity in observations that are clipped, m/s or rad/s.
const VELOCITY_LIMIT: f64 = 10.0;

/// Adds uniform noise of [-scale, scale) to the positions.
fn uniform_qpos(data: &mut Data, rng: &mut Rng, scale: f64) {
    data.qpos.iter_mut().for_each(|q| *q += rng.uniform(-scale, scale));
}

/// Adds uniform noise of [-scale, scale) to the velocities.
fn uniform_qvel(data: &mut Data, rng: &mut Rng, scale: f64) {
    data.qvel.iter_mut().for_each(|v| *v += rng.uniform(-scale, scale));
}

/// Adds normal noise of standard deviation `scale` to the velocities.
fn normal_qvel(data: &mut Data, rng: &mut Rng, scale: f64) {
    data.qvel.iter_mut().for_each(|v| *v += scale * rng.normal());
}

/// Writes slices one after the other.
fn concatenate(out: &mut [f64], parts: &[&[f64]]) {
    let mut rest = out;
    for part in parts {
        let (row, after) = rest.split_at_mut(part.len());
        row.copy_from_slice(part);
        rest = after;
    }
}

/// Position of a body's frame.
fn xpos(data: &Data, body: usize) -> [f64; 3] {
    [data.xpos[3 * body], data.xpos[3 * body + 1], data.xpos[3 * body + 2]]
}

/// Distance between the frames of two bodies, m.
fn distance(data: &Data, a: usize, b: usize) -> f64 {
    let (a, b) = (xpos(data, a), xpos(data, b));
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

/// Whether a value lies strictly inside of a range.
fn inside(value: f64, (low, high): (f64, f64)) -> bool {
    low < value && value < high
}

/// A weight if a condition holds, else zero.
fn when(condition: bool, weight: f64) -> f64 {
    if condition { weight } else { 0.0 }
}

/// Index of a body.
fn find_body(model: &Model, body: &BodyRef) -> Result<usize, Error> {
    let (found, name) = match body {
        BodyRef::Id(id) => (Some(*id).filter(|id| *id < model.nbody), format!("{id}")),
        BodyRef::Name(name) => (body_named(model, name), format!("`{name}`")),
    };
    found.ok_or_else(|| Error::Model(format!("it has no body {name}")))
}

fn body_named(model: &Model, name: &str) -> Option<usize> {
    Find::<BodyHandle>::find(name, model).ok().map(Handle::id)
}

/// Checks that the model has at least this many positions, velocities and degrees of freedom.
fn need_dofs(model: &Model, nq: usize, nv: usize) -> Result<(), Error> {
    if model.nq >= nq && model.nv >= nv {
        return Ok(());
    }
    Err(Error::Model(format!(
        "it has {} positions and {} velocities, but at least {nq} and {nv} are needed",
        model.nq, model.nv
    )))
}
