//! Springs and dampers of joints, with polynomial coefficients.

use crate::lent::dof_damping;
use crate::math::{at, poly, quat, rows, vec3};
use crate::sleep::body_sleeps;
use crate::{Data, Model};
use sim_types::JointType;

/// Adds joint spring forces to `qfrc_spring`.
pub(super) fn springs(m: &Model, d: &mut Data) {
    let coefficients = rows::<2>(&m.jnt_stiffnesspoly);
    let sleepers = d.sleepers(m);
    for j in 0..m.njnt {
        let (k, poly) = (m.jnt_stiffness[j], coefficients[j]);
        if k == 0.0 && poly == [0.0; 2] || sleepers && body_sleeps(d, at(&m.jnt_bodyid, j)) {
            continue;
        }
        let mut padr = at(&m.jnt_qposadr, j);
        let mut dof = at(&m.jnt_dofadr, j);
        match m.jnt_type[j] {
            JointType::Slide | JointType::Hinge => {
                let x = d.qpos[padr] - m.qpos_spring[padr];
                d.qfrc_spring[dof] = -x * poly::stiffness(k, poly, x);
            }
            kind @ (JointType::Ball | JointType::Free) => {
                if kind == JointType::Free {
                    let from = position(&m.qpos_spring[padr..]);
                    let stretch = vec3::sub(position(&d.qpos[padr..]), from);
                    pull(&mut d.qfrc_spring[dof..dof + 3], stretch, k, poly);
                    padr += 3;
                    dof += 3;
                }
                let now = quat::normalize(orientation(&d.qpos[padr..]));
                let stretch = quat::subtract(now, orientation(&m.qpos_spring[padr..]));
                pull(&mut d.qfrc_spring[dof..dof + 3], stretch, k, poly);
            }
        }
    }
}

/// Adds dof damper forces to `qfrc_damper`.
pub(super) fn dampers(m: &Model, d: &mut Data) {
    for i in 0..m.nv {
        let v = d.qvel[i];
        let (linear, poly) = dof_damping(m, i);
        d.qfrc_damper[i] = -v * poly::damping(linear, poly, v);
    }
}

/// Force of a three-dimensional spring towards its rest point.
fn pull(force: &mut [f64], stretch: vec3::Vec3, k: f64, poly: [f64; 2]) {
    let k = poly::stiffness(k, poly, vec3::norm(stretch));
    for (f, x) in force.iter_mut().zip(stretch) {
        *f -= k * x;
    }
}

fn position(q: &[f64]) -> vec3::Vec3 {
    [q[0], q[1], q[2]]
}

fn orientation(q: &[f64]) -> quat::Quat {
    [q[0], q[1], q[2], q[3]]
}
