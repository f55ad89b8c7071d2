//! What the pipeline precomputes from a compiled model, so that a step does not rediscover it.

use crate::Model;
use crate::actuation::ActuatorDofTerms;
use crate::collision::{PairTable, closed_meshes};
use crate::inertia::ldl::Pattern;
use crate::kinematics::{FirstJoint, Local, first_joints, local};
use crate::math::at;
use sim_types::{BiasType, GainType, JointType, TransmissionType};

/// Precomputed structure of a model.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    /// Pairs of geoms that may touch.
    pub pairs: PairTable,
    /// Which meshes that collide by their triangles bound a solid.
    pub closed_meshes: Vec<bool>,
    /// Whether a step solves by articulated bodies instead of factoring `M`: true for deep trees.
    pub articulated: bool,
    /// Damping and armature that actuators lend.
    pub actuator_terms: ActuatorDofTerms,
    /// Whether tendons have armature.
    pub tendon_armature: bool,
    /// For each entry of `M`, the address of the row of its column.
    pub coladr: Vec<u32>,
    /// For each entry of `M`, its column counted from the first dof of its tree, cut to a byte.
    pub collocal: Vec<u8>,
    /// Each joint as if it were the first of its body.
    pub first_joint: Vec<FirstJoint>,
    /// For each actuator, whether it drives a hinge or slide.
    pub scalar_drive: Vec<bool>,
    /// Whether every actuator is a fixed or affine function of control, length and velocity.
    pub plain_drives: bool,
    /// Bodies one after another: each carries its own inertial frame.
    pub body_ids: Vec<i32>,
    /// The inertial frame of each body in the body.
    pub body_local: Vec<Local>,
    /// The frame of each geom in its body.
    pub geom_local: Vec<Local>,
    /// The frame of each site in its body.
    pub site_local: Vec<Local>,
}

/// Cost of the articulated recursion for one dof, in multiply-adds of the sparse factorization,
/// measured on chains of 10 to 100 hinges.
const ARTICULATED_COST: usize = 200;

impl Plan {
    pub(crate) fn new(m: &Model) -> Self {
        let actuator_terms = ActuatorDofTerms::new(m);
        let tendon_armature =
            (0..m.ntendon).any(|i| m.tendon_armature[i] + actuator_terms.tendon_armature[i] != 0.0);
        Self {
            actuator_terms,
            tendon_armature,
            pairs: PairTable::new(m),
            closed_meshes: closed_meshes(m),
            // armature of tendons couples the dofs of a tree beyond its bodies
            articulated: deep(m) && !tendon_armature,
            coladr: m.M_colind.iter().map(|&j| m.M_rowadr[j as usize] as u32).collect(),
            collocal: m
                .M_colind
                .iter()
                .map(|&j| (j - m.tree_dofadr[at(&m.dof_treeid, j as usize)]) as u8)
                .collect(),
            body_local: (0..m.nbody).map(|b| local(m.inertial_frame(b))).collect(),
            geom_local: (0..m.ngeom).map(|g| local(m.geom_frame(g))).collect(),
            site_local: (0..m.nsite).map(|s| local(m.site_frame(s))).collect(),
            scalar_drive: (0..m.nu).map(|i| scalar_drive(m, i)).collect(),
            plain_drives: (0..m.nu).all(|i| plain_drive(m, i)),
            body_ids: (0..m.nbody as i32).collect(),
            first_joint: first_joints(m),
        }
    }
}

impl Model {
    /// Takes over arrays that were changed by hand: frames, axes, armatures, dampers, what
    /// may touch. Quantities at
    /// the reference configuration stay; [`mj_set_const`](crate::mj_set_const) computes them too.
    pub fn refresh(&mut self) {
        self.plan = Plan::new(self);
    }

    /// The pattern of `M` and its factor.
    #[inline(always)]
    pub(crate) fn m_pattern(&self) -> Pattern<'_> {
        Pattern {
            rownnz: &self.M_rownnz,
            rowadr: &self.M_rowadr,
            colind: &self.M_colind,
            coladr: &self.plan.coladr,
            collocal: &self.plan.collocal,
            treeadr: &self.tree_dofadr,
            treenum: &self.tree_dofnum,
        }
    }
}

/// Whether actuator `i` drives a hinge or slide.
fn scalar_drive(m: &Model, i: usize) -> bool {
    use TransmissionType::{Joint, JointInParent};
    matches!(m.actuator_trntype[i], Joint | JointInParent)
        && matches!(m.jnt_type[at(&m.actuator_trnid, 2 * i)], JointType::Slide | JointType::Hinge)
}

/// Whether actuator `i` has neither activation nor a force of a kind of its own.
fn plain_drive(m: &Model, i: usize) -> bool {
    matches!(m.actuator_gaintype[i], GainType::Fixed | GainType::Affine)
        && matches!(m.actuator_biastype[i], BiasType::None | BiasType::Affine)
        && m.actuator_actnum[i] == 0
        && m.actuator_plugin[i] < 0
}

/// Whether building and factoring `M` costs more than the articulated recursion.
fn deep(m: &Model) -> bool {
    // an entry of M is a dot product of six; eliminating a row touches the triangle above it
    let matrix: usize =
        m.M_rownnz.iter().map(|&n| n as usize).map(|n| 6 * n + n * (n + 1) / 2).sum();
    matrix > ARTICULATED_COST * m.nv
}
