//! Rigid-body physics for robotics: load an MJCF or URDF model, step it, access its state by name.
//!
//! ```
//! use sim_physics::prelude::*;
//!
//! let mut sim = Simulation::from_xml(r#"
//!     <mujoco>
//!       <worldbody>
//!         <body name="pole" pos="0 0 1">
//!           <joint name="swing" axis="0 1 0" damping="0.1"/>
//!           <geom type="capsule" fromto="0 0 0 0 0 -1" size="0.05" contype="0" conaffinity="0"/>
//!         </body>
//!       </worldbody>
//!       <actuator><motor name="push" joint="swing"/></actuator>
//!     </mujoco>"#)?;
//! sim.set_ctrl("push", 2.0)?;
//! for _ in 0..500 {
//!     sim.step()?;
//! }
//! println!("after {:.1} s the pole is at {:.3} rad", sim.time(), sim.joint_pos("swing")?[0]);
//! # Ok::<(), sim_physics::Error>(())
//! ```
//!
//! This crate is a facade. The underlying crates can also be used on their own: [`core`] has the
//! pipeline and its stages, [`mjcf`] and [`urdf`] read models, [`kinematics`] has kinematic chains
//! and inverse kinematics, [`lanes`] steps environments in SIMD lanes, [`deformable`] has cloth, soft bodies and ropes, [`scene`] lists what there
//! is to draw.

#[cfg(feature = "batch")]
mod batch;
mod builder;
#[cfg(feature = "render")]
mod camera_sensor;
#[cfg(feature = "deformable")]
pub mod deformable;
mod error;
mod handle;
pub mod mujoco;
mod simulation;

#[cfg(feature = "batch")]
pub use batch::{
    BatchEnv, BatchResult, BatchSim, Chunks, ChunksMut, Episode, LaneTrajectories, RewardFn,
    Rollout, RolloutError, Rows, TrajectoryRows, rollout, rollout_in_lanes,
};
pub use builder::Builder;
#[cfg(feature = "render")]
pub use camera_sensor::CameraSensor;
pub use error::Error;
pub use handle::{
    ActuatorHandle, BodyHandle, Find, GeomHandle, Handle, JointHandle, KeyframeHandle,
    SensorHandle, SiteHandle, TendonHandle,
};
pub use sim_core as core;
pub use sim_core::constraint_solvers as constraint;
pub use sim_core::types;
pub use sim_core::{Data, Model, mj_forward, mj_step};
#[cfg(feature = "gpu")]
pub use sim_gpu as gpu;
#[cfg(feature = "kinematics")]
pub use sim_kinematics as kinematics;
#[cfg(feature = "batch")]
pub use sim_lanes as lanes;
#[cfg(feature = "mjcf")]
pub use sim_mjcf as mjcf;
#[cfg(feature = "mjcf")]
pub use sim_mjcf::{Loader, Spec, Vfs, load_model, save_model};
#[cfg(feature = "render")]
pub use sim_render as render;
pub use sim_scene as scene;
#[cfg(feature = "urdf")]
pub use sim_urdf as urdf;
pub use simulation::{Simulation, State};

/// The loader functions, which select the format by the root element: MJCF, and URDF with the
/// feature `urdf`.
#[cfg(all(feature = "mjcf", not(feature = "urdf")))]
use sim_mjcf as reader;
#[cfg(feature = "urdf")]
use sim_urdf as reader;

#[cfg(feature = "mjcf")]
pub use reader::{load_file, load_str};

/// The types and functions that most programs use.
pub mod prelude {
    pub use crate::{
        ActuatorHandle, BodyHandle, Data, Error, GeomHandle, Handle, JointHandle, KeyframeHandle,
        Model, SensorHandle, Simulation, SiteHandle, TendonHandle, mj_forward, mj_step,
    };
    #[cfg(feature = "batch")]
    pub use crate::{BatchEnv, BatchResult, BatchSim, RewardFn};
    #[cfg(feature = "mjcf")]
    pub use crate::{Loader, Spec, Vfs, load_file, load_str};
    pub use nalgebra::{UnitQuaternion, Vector3};
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
