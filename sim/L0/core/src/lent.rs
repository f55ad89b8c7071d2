//! Damping and armature that actuators lend to their joints and tendons (`mj_actuatorDamping`,
//! `mj_actuatorArmature`).

use crate::Model;
use crate::math::{at, rows};
use sim_types::TransmissionType;

/// What actuators add, for each dof and each tendon.
#[derive(Debug, Clone, Default)]
pub struct Lent {
    /// Armature for each dof.
    pub dof_armature: Vec<f64>,
    /// Coefficients of damping for each dof.
    pub dof_damping: Vec<[f64; 3]>,
    /// Armature for each tendon.
    pub tendon_armature: Vec<f64>,
    /// Coefficients of damping for each tendon.
    pub tendon_damping: Vec<[f64; 3]>,
}

impl Lent {
    /// Sums over all actuators of a model.
    #[must_use]
    pub fn new(m: &Model) -> Self {
        let mut lent = Self {
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
                        lent.dof_armature[k] += armature;
                        add(&mut lent.dof_damping[k], damping);
                    }
                }
                TransmissionType::Tendon => {
                    lent.tendon_armature[target] += armature;
                    add(&mut lent.tendon_damping[target], damping);
                }
                _ => {}
            }
        }
        lent
    }
}

fn add(sum: &mut [f64; 3], damping: [f64; 3]) {
    for (s, d) in sum.iter_mut().zip(damping) {
        *s += d;
    }
}

/// Coefficients of damping of a dof: the linear one, and the polynomial ones.
#[inline(always)]
pub(crate) fn dof_damping(m: &Model, i: usize) -> (f64, [f64; 2]) {
    let [linear, a, b] = m.plan.lent.dof_damping[i];
    let poly = rows::<2>(&m.dof_dampingpoly)[i];
    (m.dof_damping[i] + linear, [poly[0] + a, poly[1] + b])
}

/// Coefficients of damping of a tendon: the linear one, and the polynomial ones.
pub(crate) fn tendon_damping(m: &Model, i: usize) -> (f64, [f64; 2]) {
    let [linear, a, b] = m.plan.lent.tendon_damping[i];
    let poly = rows::<2>(&m.tendon_dampingpoly)[i];
    (m.tendon_damping[i] + linear, [poly[0] + a, poly[1] + b])
}
