//! Addition and subtraction on the configuration manifold, where ball and free joints have quaternions
//! (`mj_integratePos`, `mj_differentiatePos`, `mj_normalizeQuat`).

use crate::Model;
use crate::math::{at, quat};
use sim_types::JointType;

/// Integrates `qpos` with the velocity `qvel` for the time `dt` (s), in place.
#[doc(alias = "mj_integratePos")]
pub fn mj_integrate_pos(m: &Model, qpos: &mut [f64], qvel: &[f64], dt: f64) {
    integrate_pos(m, qpos, qvel, dt);
}

/// As [`mj_integrate_pos`], inlined into the integrators.
#[inline]
pub(crate) fn integrate_pos(m: &Model, qpos: &mut [f64], qvel: &[f64], dt: f64) {
    integrate_joints(m, qpos, qvel, dt, 0..m.njnt);
}

/// As [`mj_integrate_pos`], for the given joints.
#[inline(always)]
pub(crate) fn integrate_joints(
    m: &Model,
    qpos: &mut [f64],
    qvel: &[f64],
    dt: f64,
    joints: impl Iterator<Item = usize>,
) {
    for j in joints {
        let mut padr = at(&m.jnt_qposadr, j);
        let mut vadr = at(&m.jnt_dofadr, j);
        match m.jnt_type[j] {
            JointType::Hinge | JointType::Slide => qpos[padr] += dt * qvel[vadr],
            kind @ (JointType::Ball | JointType::Free) => {
                if kind == JointType::Free {
                    for k in 0..3 {
                        qpos[padr + k] += dt * qvel[vadr + k];
                    }
                    padr += 3;
                    vadr += 3;
                }
                let quat = quat::integrate(
                    orientation(&qpos[padr..]),
                    [qvel[vadr], qvel[vadr + 1], qvel[vadr + 2]],
                    dt,
                );
                qpos[padr..padr + 4].copy_from_slice(&quat);
            }
        }
    }
}

/// Writes to `qvel` the constant velocity that moves `qpos1` to `qpos2` in the time `dt` (s).
#[doc(alias = "mj_differentiatePos")]
pub fn mj_differentiate_pos(m: &Model, qvel: &mut [f64], dt: f64, qpos1: &[f64], qpos2: &[f64]) {
    for j in 0..m.njnt {
        let mut padr = at(&m.jnt_qposadr, j);
        let mut vadr = at(&m.jnt_dofadr, j);
        match m.jnt_type[j] {
            JointType::Hinge | JointType::Slide => {
                qvel[vadr] = (qpos2[padr] - qpos1[padr]) / dt;
            }
            kind @ (JointType::Ball | JointType::Free) => {
                if kind == JointType::Free {
                    for k in 0..3 {
                        qvel[vadr + k] = (qpos2[padr + k] - qpos1[padr + k]) / dt;
                    }
                    padr += 3;
                    vadr += 3;
                }
                let rotation =
                    quat::subtract(orientation(&qpos2[padr..]), orientation(&qpos1[padr..]));
                for k in 0..3 {
                    qvel[vadr + k] = rotation[k] / dt;
                }
            }
        }
    }
}

/// Normalises every quaternion in `qpos`, in place.
#[doc(alias = "mj_normalizeQuat")]
pub fn mj_normalize_quat(m: &Model, qpos: &mut [f64]) {
    for j in 0..m.njnt {
        let padr = at(&m.jnt_qposadr, j)
            + match m.jnt_type[j] {
                JointType::Ball => 0,
                JointType::Free => 3,
                JointType::Hinge | JointType::Slide => continue,
            };
        let unit = quat::normalize(orientation(&qpos[padr..]));
        qpos[padr..padr + 4].copy_from_slice(&unit);
    }
}

/// The quaternion at the start of `q`.
fn orientation(q: &[f64]) -> quat::Quat {
    [q[0], q[1], q[2], q[3]]
}
