//! Column of the Jacobian of a contact with a flex.

use crate::math::vec3::Vec3;

/// A column of the Jacobian of a contact: the dof, and the relative linear and angular velocity per unit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactColumn {
    pub dof: i32,
    pub linear: Vec3,
    pub angular: Vec3,
}
