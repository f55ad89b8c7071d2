//! Forward kinematics: where every body, joint, geom and site is (`mj_kinematics`), the centres of
//! mass (`mj_comPos`), and cameras and lights (`mj_camlight`).

mod bodies;
pub(crate) mod camlight;
mod com_pos;
mod frames;

pub use bodies::mj_kinematics;
pub(crate) use bodies::{FirstJoint, first_joints};
pub use camlight::mj_camlight;
pub use com_pos::mj_com_pos;
pub(crate) use frames::{Local, local, local_to_global};
