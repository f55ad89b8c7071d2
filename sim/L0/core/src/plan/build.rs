//! Construction of the precomputed tables.

use super::Plan;
use crate::Model;
use crate::actuation::ActuatorDofTerms;
use crate::collision::{PairTable, closed_meshes};
use crate::flex::FlexPlan;
use crate::inertia::ldl::Pattern;
use crate::kinematics::{first_joints, local};
use crate::math::at;
use sim_types::{BiasType, GainType, JointType, TransmissionType};

/// Cost of the articulated-body algorithm per dof, in multiply-adds of the sparse factorization; measured on
/// chains of 10 to 100 hinges.
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
            // tendon armature couples dofs beyond the kinematic tree
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
            scalar_transmission: (0..m.nu).map(|i| scalar_transmission(m, i)).collect(),
            affine_actuators: (0..m.nu).all(|i| affine_actuator(m, i)),
            body_ids: (0..m.nbody as i32).collect(),
            first_joint: first_joints(m),
            flex: FlexPlan::new(m),
        }
    }
}

impl Model {
    /// Recomputes the tables derived from arrays that were edited: frames, axes, armature, damping and
    /// collision filters. [`mj_set_const`](crate::mj_set_const) also recomputes the quantities at the reference
    /// configuration.
    pub fn refresh(&mut self) {
        self.plan = Plan::new(self);
    }

    /// Sparsity pattern of `M` and its factor.
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

/// Whether the transmission of actuator `i` is a hinge or slide joint.
fn scalar_transmission(m: &Model, i: usize) -> bool {
    use TransmissionType::{Joint, JointInParent};
    matches!(m.actuator_trntype[i], Joint | JointInParent)
        && matches!(m.jnt_type[at(&m.actuator_trnid, 2 * i)], JointType::Slide | JointType::Hinge)
}

/// Whether the force of actuator `i` is affine in control, length and velocity, without activation.
fn affine_actuator(m: &Model, i: usize) -> bool {
    matches!(m.actuator_gaintype[i], GainType::Fixed | GainType::Affine)
        && matches!(m.actuator_biastype[i], BiasType::None | BiasType::Affine)
        && m.actuator_actnum[i] == 0
        && m.actuator_plugin[i] < 0
}

/// Whether building and factoring `M` costs more than the articulated-body algorithm.
fn deep(m: &Model) -> bool {
    // an entry of M is a dot product of length 6; eliminating a row of n entries updates n (n + 1) / 2
    let matrix: usize =
        m.M_rownnz.iter().map(|&n| n as usize).map(|n| 6 * n + n * (n + 1) / 2).sum();
    matrix > ARTICULATED_COST * m.nv
}
