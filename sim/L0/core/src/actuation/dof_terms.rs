//! Armature and damping that actuators add to the joints and tendons they act on
//! (`mj_actuatorArmature`, `mj_actuatorDamping`): reflected through the gear, `gear² a` and `gear² c`.

use super::buffers::ActuatorDofTerms;
use crate::Model;
use crate::math::{at, rows};
use sim_types::TransmissionType;

impl ActuatorDofTerms {
    /// Sums the terms of all actuators of a model.
    #[must_use]
    pub fn new(m: &Model) -> Self {
        let mut terms = Self {
            dof_armature: vec![0.0; m.nv],
            dof_damping: vec![[0.0; 3]; m.nv],
            tendon_armature: vec![0.0; m.ntendon],
            tendon_damping: vec![[0.0; 3]; m.ntendon],
        };
        for i in 0..m.nu {
            let gear2 = m.actuator_gear[6 * i] * m.actuator_gear[6 * i];
            let armature = m.actuator_armature[i] * gear2;
            let [a, b] = rows::<2>(&m.actuator_dampingpoly)[i];
            let damping = [m.actuator_damping[i], a, b].map(|c| c * gear2);
            if armature == 0.0 && damping == [0.0; 3] {
                continue;
            }
            let target = at(&m.actuator_trnid, 2 * i);
            match m.actuator_trntype[i] {
                TransmissionType::Joint | TransmissionType::JointInParent => {
                    let first = at(&m.jnt_dofadr, target);
                    let end = (first..m.nv).find(|&k| at(&m.dof_jntid, k) != target);
                    for k in first..end.unwrap_or(m.nv) {
                        terms.dof_armature[k] += armature;
                        add(&mut terms.dof_damping[k], damping);
                    }
                }
                TransmissionType::Tendon => {
                    terms.tendon_armature[target] += armature;
                    add(&mut terms.tendon_damping[target], damping);
                }
                _ => {}
            }
        }
        terms
    }
}

fn add(sum: &mut [f64; 3], damping: [f64; 3]) {
    for (s, d) in sum.iter_mut().zip(damping) {
        *s += d;
    }
}

/// Total damping of a dof, actuators included: the linear coefficient and the two polynomial ones.
#[inline(always)]
pub(crate) fn dof_damping(m: &Model, i: usize) -> (f64, [f64; 2]) {
    let [linear, a, b] = m.plan.actuator_terms.dof_damping[i];
    let poly = rows::<2>(&m.dof_dampingpoly)[i];
    (m.dof_damping[i] + linear, [poly[0] + a, poly[1] + b])
}

/// Total damping of a tendon, actuators included: the linear coefficient and the two polynomial ones.
pub(crate) fn tendon_damping(m: &Model, i: usize) -> (f64, [f64; 2]) {
    let [linear, a, b] = m.plan.actuator_terms.tendon_damping[i];
    let poly = rows::<2>(&m.tendon_dampingpoly)[i];
    (m.tendon_damping[i] + linear, [poly[0] + a, poly[1] + b])
}
