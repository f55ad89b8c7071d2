//! Poses of bodies and joints from `qpos`, root to leaves.

use super::frames::place_attached;
use crate::math::vec3::Vec3;
use crate::math::{at, mat3, quat, rows, rows_mut, vec3};
use crate::{Data, Model};
use sim_simd::dispatch;
use sim_types::JointType;

/// Computes the world pose of every body, joint, geom and site.
///
/// Reads `qpos`, `mocap_pos`, `mocap_quat`. Writes `xpos`, `xquat`, `xmat`, `xipos`, `ximat`,
/// `xanchor`, `xaxis`, `geom_xpos`, `geom_xmat`, `site_xpos`, `site_xmat`.
pub fn mj_kinematics(m: &Model, d: &mut Data) {
    dispatch!(place_bodies(m: &Model, d: &mut Data));
    dispatch!(place_attached(m: &Model, d: &mut Data));
}

/// Root-to-leaf pass: `x_i = x_parent · body frame · joints`.
#[inline(always)]
fn place_bodies(m: &Model, d: &mut Data) {
    let Data { qpos, mocap_pos, mocap_quat, xpos, xquat, xmat, xanchor, xaxis, .. } = d;
    let (xpos, xquat, xmat) = (rows_mut::<3>(xpos), rows_mut::<4>(xquat), rows_mut::<9>(xmat));
    let (xanchor, xaxis) = (rows_mut::<3>(xanchor), rows_mut::<3>(xaxis));
    let (body_pos, body_quat) = (rows::<3>(&m.body_pos), rows::<4>(&m.body_quat));
    let (jnt_pos, jnt_axis) = (rows::<3>(&m.jnt_pos), rows::<3>(&m.jnt_axis));

    xpos[0] = [0.0; 3];
    xquat[0] = quat::IDENTITY;
    xmat[0] = mat3::IDENTITY;

    for i in 1..m.nbody {
        let first = m.body_jntadr[i];
        let count = m.body_jntnum[i] as usize;

        // a free joint is the pose itself
        if count == 1 && m.jnt_type[first as usize] == JointType::Free {
            let j = first as usize;
            let q = &qpos[at(&m.jnt_qposadr, j)..][..7];
            let pos = [q[0], q[1], q[2]];
            let rot = quat::normalize([q[3], q[4], q[5], q[6]]);
            xanchor[j] = pos;
            xaxis[j] = jnt_axis[j];
            xpos[i] = pos;
            xquat[i] = rot;
            xmat[i] = quat::to_mat(rot);
            continue;
        }

        // frame of the body before its joints move it
        let (frame_pos, frame_quat) = match usize::try_from(m.body_mocapid[i]) {
            Ok(mocap) => {
                (rows::<3>(mocap_pos)[mocap], quat::normalize(rows::<4>(mocap_quat)[mocap]))
            }
            Err(_) => (body_pos[i], body_quat[i]),
        };
        let parent = at(&m.body_parentid, i);
        let (mut pos, mut rot) = if parent == 0 {
            (frame_pos, frame_quat)
        } else {
            (
                vec3::add(xpos[parent], mat3::mul_vec(&xmat[parent], frame_pos)),
                if frame_quat == quat::IDENTITY {
                    xquat[parent]
                } else {
                    quat::mul(xquat[parent], frame_quat)
                },
            )
        };

        for j in first.max(0) as usize..first.max(0) as usize + count {
            let q = &qpos[at(&m.jnt_qposadr, j)..];
            let axis = quat::rotate(rot, jnt_axis[j]);
            let centred = jnt_pos[j] == [0.0; 3];
            let anchor = if centred { pos } else { vec3::add(pos, quat::rotate(rot, jnt_pos[j])) };
            match m.jnt_type[j] {
                JointType::Slide => {
                    pos = vec3::add_scaled(pos, axis, q[0] - m.qpos0[at(&m.jnt_qposadr, j)]);
                }
                JointType::Hinge => {
                    let angle = q[0] - m.qpos0[at(&m.jnt_qposadr, j)];
                    rot = quat::mul(rot, quat::from_axis_angle(jnt_axis[j], angle));
                    pos = swing(anchor, rot, jnt_pos[j], centred);
                }
                JointType::Ball => {
                    rot = quat::mul(rot, quat::normalize([q[0], q[1], q[2], q[3]]));
                    pos = swing(anchor, rot, jnt_pos[j], centred);
                }
                // the compiler allows a free joint only alone in its body, handled above
                JointType::Free => {}
            }
            xanchor[j] = anchor;
            xaxis[j] = axis;
        }

        let rot = quat::normalize(rot);
        xpos[i] = pos;
        xquat[i] = rot;
        xmat[i] = quat::to_mat(rot);
    }
}

/// Body origin after a rotation about an anchor that sits at `offset` in the body.
#[inline(always)]
fn swing(anchor: Vec3, rot: quat::Quat, offset: Vec3, centred: bool) -> Vec3 {
    if centred { anchor } else { vec3::sub(anchor, quat::rotate(rot, offset)) }
}
