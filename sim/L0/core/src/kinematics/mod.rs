//! Forward kinematics: world poses of bodies, joints, geoms and sites (`mj_kinematics`), centres of
//! mass and com-based quantities (`mj_comPos`), poses of cameras and lights (`mj_camlight`).
//!
//! This is a stage of the pipeline for all bodies of a model; the crate `sim-kinematics` has Jacobians
//! and inverse kinematics of single chains.

mod bodies;
pub(crate) mod camlight;
mod com_pos;
mod first_joint;
mod frames;

pub(crate) use bodies::first_joints;
pub use bodies::mj_kinematics;
pub use camlight::mj_camlight;
pub use com_pos::mj_com_pos;
pub(crate) use first_joint::FirstJoint;
pub(crate) use frames::{attached_frames, local};
pub(crate) use sim_simd::LocalFrame as Local;
