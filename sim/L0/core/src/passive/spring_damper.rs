//! Joint springs and dampers with polynomial coefficients: `−(k₀ + k₁ x + k₂ x²) x` and
//! `−(c₀ + c₁ |v| + c₂ v²) v`.

use crate::actuation::dof_damping;
use crate::math::{at, poly, quat, rows, vec3};
use crate::sleep::{AwakeSet, body_asleep};
use crate::{Data, Model};
use sim_types::JointType;

/// Writes joint spring forces to `qfrc_spring`. Reads `qpos`.
pub(super) fn springs(m: &Model, d: &mut Data) {
    let coefficients = rows::<2>(&m.jnt_stiffnesspoly);
    let any_asleep = d.any_asleep(m);
    for j in 0..m.njnt {
        let (k, poly) = (m.jnt_stiffness[j], coefficients[j]);
        if k == 0.0 && poly == [0.0; 2] || any_asleep && body_asleep(d, at(&m.jnt_bodyid, j)) {
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
                    let rest = position(&m.qpos_spring[padr..]);
                    let deflection = vec3::sub(position(&d.qpos[padr..]), rest);
                    add_spring_force(&mut d.qfrc_spring[dof..dof + 3], deflection, k, poly);
                    padr += 3;
                    dof += 3;
                }
                let quat = quat::normalize(orientation(&d.qpos[padr..]));
                let deflection = quat::subtract(quat, orientation(&m.qpos_spring[padr..]));
                add_spring_force(&mut d.qfrc_spring[dof..dof + 3], deflection, k, poly);
            }
        }
    }
}

/// Writes dof damper forces to `qfrc_damper`. Reads `qvel`.
pub(super) fn dampers(m: &Model, d: &mut Data) {
    if d.any_asleep(m) {
        d.with_awake(|d, awake| dampers_of(m, d, awake.dofs(m)));
    } else {
        dampers_of(m, d, 0..m.nv);
    }
}

fn dampers_of(m: &Model, d: &mut Data, dofs: impl Iterator<Item = usize>) {
    let Data { qvel, qfrc_damper, .. } = d;
    for i in dofs {
        let v = qvel[i];
        let (linear, poly) = dof_damping(m, i);
        qfrc_damper[i] = -v * poly::damping(linear, poly, v);
    }
}

/// Adds the force of a three-dimensional spring with the given deflection.
fn add_spring_force(force: &mut [f64], deflection: vec3::Vec3, k: f64, poly: [f64; 2]) {
    let k = poly::stiffness(k, poly, vec3::norm(deflection));
    for (f, x) in force.iter_mut().zip(deflection) {
        *f -= k * x;
    }
}

fn position(q: &[f64]) -> vec3::Vec3 {
    [q[0], q[1], q[2]]
}

fn orientation(q: &[f64]) -> quat::Quat {
    [q[0], q[1], q[2], q[3]]
}
