//! Deformable bodies (XPBD) coupled to the rigid pipeline: cloth, tetrahedral soft bodies and ropes that
//! collide with geoms and are attached to rigid bodies.
//!
//! Everything of `sim-deformable` is re-exported here, so that this module is the whole public interface.
//!
//! One step:
//!
//! 1. `find_contacts` appends contacts of vertices, edges and triangles with geoms to `Data::contact`.
//! 2. `solve` solves one constraint problem in which each vertex in contact is a point mass with three
//!    dofs after those of the model. The internal constraints of the deformable bodies are not part of it;
//!    forces that contacts and attachments sustained over the last steps are applied as known forces.
//! 3. `step` runs the XPBD substeps (Macklin, Müller, Chentanez 2016; one iteration per substep as in
//!    Macklin et al. 2019). After the internal constraints, each contact and attachment is projected with
//!    the inverse inertia of its rigid body, which moves both sides. These impulses replace the predicted
//!    forces of stage 2.
//! 4. The rigid positions are integrated.
//!
//! A model without deformable bodies has `Data::deformables == None`: no memory, and one branch per stage.

mod add;
mod aerodynamics;
mod body_pair;
mod broadphase;
mod buffers;
mod closest_point;
mod constraint;
mod contact;
mod contact_rows;
mod coupling;
mod data;
mod model;
mod ray;
mod resting_contact;
mod serialize;
mod solve;
mod state;
mod substep;
mod surface_contact;
mod surface_patch;

pub use data::CouplingReport;
pub use model::{Attachment, Deformable, Deformables};
pub use ray::{DeformableHit, ray_deformables};
pub use sim_deformable::*;
pub use state::DeformableStateError;

pub(crate) use contact::find_contacts;
pub(crate) use contact_rows::add_vertex_velocity;
pub(crate) use data::{DeformableData, Instance, attached_bodies};
pub(crate) use solve::{remove_predicted_forces, restore_solution, solve};
pub(crate) use state::check;
pub(crate) use substep::step;
pub(crate) use surface_contact::{
    ATTACHMENT, ConstraintKey, ForceRecord, RecordLookup, SurfaceContact, SurfacePoint,
};
