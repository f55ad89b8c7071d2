//! Narrow-phase routines in closed form, one file per family of pairs.
//!
//! Every routine takes two shapes in the order of their types and the margin, and adds the contact points
//! whose distance is at most the margin to the manifold.

mod box_box;
mod capsule;
mod capsule_box;
mod plane;
mod sphere;

pub(crate) use box_box::box_box;
pub(crate) use capsule::capsule_capsule;
pub(crate) use capsule_box::capsule_box;
pub(crate) use plane::{plane_box, plane_capsule, plane_cylinder, plane_sphere};
pub(crate) use sphere::{sphere_box, sphere_capsule, sphere_cylinder, sphere_sphere};
