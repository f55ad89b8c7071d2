//! Tables that the pipeline precomputes from a compiled model.

mod build;

use crate::actuation::ActuatorDofTerms;
use crate::collision::PairTable;
use crate::flex::FlexPlan;
use crate::kinematics::{FirstJoint, Local};

/// Precomputed tables of a model.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    /// Geom pairs that can collide, and broad-phase proxies.
    pub pairs: PairTable,
    /// For each mesh, whether it collides with its triangles and is closed.
    pub closed_meshes: Vec<bool>,
    /// Whether a step uses the articulated-body algorithm instead of factoring `M`: true for deep trees.
    pub articulated: bool,
    /// Armature and damping that actuators add to dofs and tendons.
    pub actuator_terms: ActuatorDofTerms,
    /// Whether any tendon has armature.
    pub tendon_armature: bool,
    /// For each entry of `M`, `M_rowadr` of its column.
    pub coladr: Vec<u32>,
    /// For each entry of `M`, its column relative to the first dof of its tree, truncated to a byte.
    pub collocal: Vec<u8>,
    /// Kinematics of each joint as the first joint of its body.
    pub first_joint: Vec<FirstJoint>,
    /// For each actuator, whether its transmission is a hinge or slide joint.
    pub scalar_transmission: Vec<bool>,
    /// Whether every actuator force is an affine function of control, length and velocity.
    pub affine_actuators: bool,
    /// Body indices in order: the bodies of the inertial frames.
    pub body_ids: Vec<i32>,
    /// Pose of each body's inertial frame in the body frame.
    pub body_local: Vec<Local>,
    /// Pose of each geom in its body frame.
    pub geom_local: Vec<Local>,
    /// Pose of each site in its body frame.
    pub site_local: Vec<Local>,
    /// Tables of flexes.
    pub flex: FlexPlan,
}
