//! Vector environments for reinforcement learning: many environments of one task, stepped together on
//! the CPU, with the eleven MuJoCo tasks of gymnasium.
//!
//! ```
//! use sim_envs::{Seeds, StepBuffers};
//!
//! let mut env = sim_envs::make("HalfCheetah-v5")?.num_envs(8).build()?;
//! let mut observations = vec![0.0; 8 * env.observation_size()];
//! let (mut rewards, mut terminated, mut truncated) = ([0.0; 8], [false; 8], [false; 8]);
//! env.reset(Seeds::From(0), None, &mut observations)?;
//! let actions = vec![0.0; 8 * env.action_size()];
//! env.step(&actions, StepBuffers {
//!     observations: &mut observations,
//!     rewards: &mut rewards,
//!     terminated: &mut terminated,
//!     truncated: &mut truncated,
//! })?;
//! # Ok::<(), sim_envs::Error>(())
//! ```
//!
//! # A custom task
//!
//! A [`Task`] observes the state and computes the reward; everything else has a default.
//!
//! ```
//! use sim_envs::{Builder, Info, Outcome, Rng, Seeds, Step, Task};
//! use sim_physics::{Data, Model, load_str};
//!
//! /// Swings up a pole.
//! struct SwingUp;
//!
//! impl Task for SwingUp {
//!     fn observation_size(&self, _: &Model) -> usize {
//!         3
//!     }
//!     fn observe(&self, _: &Model, data: &Data, out: &mut [f64]) {
//!         out.copy_from_slice(&[data.qpos[0].cos(), data.qpos[0].sin(), data.qvel[0]]);
//!     }
//!     fn evaluate(&self, step: &Step<'_>, _: &mut Info<'_>) -> Outcome {
//!         let height = -step.data.qpos[0].cos();
//!         Outcome { reward: height - step.control_cost(0.01), terminated: false }
//!     }
//!     fn reset(&self, _: &Model, data: &mut Data, rng: &mut Rng) {
//!         data.qpos[0] = rng.uniform(-0.1, 0.1);
//!     }
//! }
//!
//! let model = load_str(r#"<mujoco><option timestep="0.01"/><worldbody><body>
//!     <joint name="hinge" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 0 0 -1"/>
//!     </body></worldbody><actuator><motor joint="hinge" ctrlrange="-5 5"/></actuator></mujoco>"#)?;
//! let builder = Builder::new(SwingUp, model.into()).frame_skip(2).max_episode_steps(500);
//! let mut env = builder.num_envs(16).build()?;
//! let mut observations = vec![0.0_f32; 16 * 3];
//! env.reset(Seeds::From(1), None, &mut observations)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod described;
mod error;
mod models;
mod parameters;
mod registry;
mod rng;
mod task;
pub mod tasks;
mod vec_env;

pub use described::{Array, DescribedTask, Function, Quantity, RewardTerm};
pub use error::Error;
pub use parameters::{BodyRef, Parameters, Value};
pub use registry::{Builder, IDS, make};
pub use rng::Rng;
pub use task::{Camera, Info, InfoField, InfoFields, Outcome, Step, Task};
pub use vec_env::{Autoreset, InfoRow, Randomization, Real, Seeds, StepBuffers, VecEnv};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

#[cfg(doctest)]
#[doc = include_str!("../../../../docs/guide/environments.md")]
struct GuideDoctests;
