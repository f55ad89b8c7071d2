//! Joint transmission: a scalar gear for hinge and slide joints, a wrench for ball and free joints.

use crate::math::{at, quat, vec3};
use crate::{Data, Model};
use sim_types::JointType;

/// Fills the moment row of actuator `i` on joint `jnt` from `adr` on; returns its number of entries.
///
/// With `in_parent` the rotational gear is expressed in the parent's frame.
pub(super) fn transmit(
    m: &Model,
    d: &mut Data,
    i: usize,
    jnt: usize,
    gear: &[f64; 6],
    adr: usize,
    in_parent: bool,
) -> usize {
    let dof = m.jnt_dofadr[jnt];
    let padr = at(&m.jnt_qposadr, jnt);
    let nnz = match m.jnt_type[jnt] {
        JointType::Slide | JointType::Hinge => {
            d.actuator_length[i] = gear[0] * d.qpos[padr];
            d.actuator_moment[adr] = gear[0];
            1
        }
        JointType::Ball => {
            let q = orientation(&d.qpos[padr..]);
            let axis = child_gear([gear[0], gear[1], gear[2]], q, in_parent);
            d.actuator_length[i] = vec3::dot(quat::to_velocity(q, 1.0), axis);
            d.actuator_moment[adr..adr + 3].copy_from_slice(&axis);
            3
        }
        JointType::Free => {
            // the length of a free-joint actuator is 0
            let q = orientation(&d.qpos[padr + 3..]);
            let axis = child_gear([gear[3], gear[4], gear[5]], q, in_parent);
            d.actuator_length[i] = 0.0;
            d.actuator_moment[adr..adr + 3].copy_from_slice(&gear[..3]);
            d.actuator_moment[adr + 3..adr + 6].copy_from_slice(&axis);
            6
        }
    };
    for (k, col) in d.moment_colind[adr..adr + nnz].iter_mut().enumerate() {
        *col = dof + k as i32;
    }
    nnz
}

/// The quaternion at the start of `q`, normalised.
fn orientation(q: &[f64]) -> quat::Quat {
    quat::normalize([q[0], q[1], q[2], q[3]])
}

/// The rotational gear in the child's frame.
fn child_gear(gear: vec3::Vec3, q: quat::Quat, in_parent: bool) -> vec3::Vec3 {
    if in_parent { quat::rotate(quat::conjugate(q), gear) } else { gear }
}
