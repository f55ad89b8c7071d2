//! Support functions: positions on their manifold, applied forces, contact forces, object velocities
//! (`engine_support.c`).

mod apply;
mod contact;
mod object;
mod position;

pub use apply::mj_apply_ft;
pub(crate) use apply::{accumulate_applied, project_wrenches};
pub(crate) use contact::contact_force;
pub use contact::mj_contact_force;
pub use object::{Frame, mj_object_acceleration, mj_object_velocity};
pub(crate) use position::{integrate_joints, integrate_pos};
pub use position::{mj_differentiate_pos, mj_integrate_pos, mj_normalize_quat};
