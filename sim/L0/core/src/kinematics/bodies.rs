//! Poses of bodies and joints from `qpos`, root to leaves.

use super::frames::{place_attached, place_attached_awake};
use crate::math::quat::Quat;
use crate::math::vec3::Vec3;
use crate::math::{at, mat3, quat, rows, rows_mut, trig, vec3};
use crate::sleep::{ASLEEP, STATIC, wake_changed};
use crate::{Data, Model};
use sim_simd::dispatch;
use sim_types::{EnableBit, JointType};

/// Computes the world pose of every body, joint, geom and site. Sleeping trees whose pose changed, or
/// that are pushed, wake up.
///
/// Reads `qpos`, `mocap_pos`, `mocap_quat`. Writes `xpos`, `xquat`, `xmat`, `xipos`, `ximat`,
/// `xanchor`, `xaxis`, `geom_xpos`, `geom_xmat`, `site_xpos`, `site_xmat`.
pub fn mj_kinematics(m: &Model, d: &mut Data) {
    if m.opt.enabled(EnableBit::Sleep) {
        dispatch!(place_moved_bodies(m: &Model, d: &mut Data));
    } else {
        dispatch!(place_all_bodies(m: &Model, d: &mut Data));
    }
    wake_changed(m, d);
    if d.sleepers(m) {
        place_attached_awake(m, d);
    } else {
        place_attached(m, d);
    }
    d.scratch.placed = true;
}

#[inline(always)]
fn place_all_bodies(m: &Model, d: &mut Data) {
    place_bodies::<false>(m, d);
}

#[inline(always)]
fn place_moved_bodies(m: &Model, d: &mut Data) {
    place_bodies::<true>(m, d);
}

/// The first joint of a body, in the frame of the body's parent: all that does not depend on the
/// state.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FirstJoint {
    axis: Vec3,
    anchor: Vec3,
    /// The body's orientation times the joint's axis, as quaternions: `body · cos + turn · sin` of
    /// half the angle is the orientation of a body on a hinge.
    turn: Quat,
}

/// Precomputes the joints of all bodies as if each were the first of its body.
pub(crate) fn first_joints(m: &Model) -> Vec<FirstJoint> {
    let joint = |j: usize| {
        let body = at(&m.jnt_bodyid, j);
        let (pos, rot) = (rows::<3>(&m.body_pos)[body], rows::<4>(&m.body_quat)[body]);
        let (offset, axis) = (rows::<3>(&m.jnt_pos)[j], rows::<3>(&m.jnt_axis)[j]);
        FirstJoint {
            axis: quat::rotate(rot, axis),
            anchor: vec3::add(pos, quat::rotate(rot, offset)),
            turn: quat::mul(rot, [0.0, axis[0], axis[1], axis[2]]),
        }
    };
    (0..m.njnt).map(joint).collect()
}

/// Root-to-leaf pass: `x_i = x_parent · body frame · joints`. What joints do to a body is worked out
/// in the frame of its parent, so that little has to wait for the parent's pose.
///
/// With `SLEEP`, bodies that are fixed to the world are placed only once, and sleeping trees that are
/// not where they fell asleep get a `tree_awake` of 1, for [`wake_changed`] to find.
#[inline(always)]
fn place_bodies<const SLEEP: bool>(m: &Model, d: &mut Data) {
    let Data { qpos, mocap_pos, mocap_quat, xpos, xquat, xmat, xanchor, xaxis, scratch, .. } = d;
    let (tree_awake, awake) = (&mut d.tree_awake, &d.body_awake);
    half_angles(m, qpos, &mut scratch.sin, &mut scratch.cos);
    let half = (&scratch.sin[..], &scratch.cos[..]);
    let (xpos, xquat, xmat) = (rows_mut::<3>(xpos), rows_mut::<4>(xquat), rows_mut::<9>(xmat));
    let (xanchor, xaxis) = (rows_mut::<3>(xanchor), rows_mut::<3>(xaxis));
    let (body_pos, body_quat) = (rows::<3>(&m.body_pos), rows::<4>(&m.body_quat));
    // slices of one known length need no checks in the loop below
    let n = m.nbody;
    let (xpos, xquat, xmat) = (&mut xpos[..n], &mut xquat[..n], &mut xmat[..n]);
    let (body_pos, body_quat, mocapid) = (&body_pos[..n], &body_quat[..n], &m.body_mocapid[..n]);
    let (parentid, jntadr, jntnum) =
        (&m.body_parentid[..n], &m.body_jntadr[..n], &m.body_jntnum[..n]);

    xpos[0] = [0.0; 3];
    xquat[0] = quat::IDENTITY;
    xmat[0] = mat3::IDENTITY;
    for i in 1..n {
        if SLEEP && scratch.placed && awake[i] == STATIC {
            continue;
        }
        let first = jntadr[i].max(0) as usize;
        let joints = first..first + jntnum[i] as usize;
        let before = if SLEEP { (xpos[i], xquat[i]) } else { Default::default() };

        // a free joint is the pose itself
        if joints.len() == 1 && m.jnt_type[first] == JointType::Free {
            let q = &qpos[at(&m.jnt_qposadr, first)..][..7];
            let pos = [q[0], q[1], q[2]];
            let rot = quat::normalize([q[3], q[4], q[5], q[6]]);
            xanchor[first] = pos;
            xaxis[first] = rows::<3>(&m.jnt_axis)[first];
            (xpos[i], xquat[i], xmat[i]) = (pos, rot, quat::to_mat(rot));
            if SLEEP && (pos, rot) != before && awake[i] == ASLEEP {
                tree_awake[at(&m.body_treeid, i)] = 1;
            }
            continue;
        }

        // frame of the body in its parent
        let (mut pos, mut rot) = match usize::try_from(mocapid[i]) {
            Ok(mocap) => {
                (rows::<3>(mocap_pos)[mocap], quat::normalize(rows::<4>(mocap_quat)[mocap]))
            }
            Err(_) => (body_pos[i], body_quat[i]),
        };
        let parent = parentid[i] as usize;
        let (parent_pos, parent_mat) = (xpos[parent], xmat[parent]);
        let fixed = jntnum[i] == 0;
        for j in joints {
            let moved = move_by_joint(m, qpos, half, j, j == first, &mut pos, &mut rot);
            (xanchor[j], xaxis[j]) = if parent == 0 {
                moved
            } else {
                (
                    vec3::add(parent_pos, mat3::mul_vec(&parent_mat, moved.0)),
                    mat3::mul_vec(&parent_mat, moved.1),
                )
            };
        }
        if !fixed {
            rot = quat::normalize(rot);
        }
        if parent != 0 {
            pos = vec3::add(parent_pos, mat3::mul_vec(&parent_mat, pos));
            rot = quat::mul(xquat[parent], rot);
        }
        (xpos[i], xquat[i], xmat[i]) = (pos, rot, quat::to_mat(rot));
        if SLEEP && (pos, rot) != before {
            if let Ok(mocap) = usize::try_from(mocapid[i]) {
                scratch.moved_mocap[mocap] = true;
            } else if awake[i] == ASLEEP && !fixed {
                tree_awake[at(&m.body_treeid, i)] = 1;
            }
        }
    }
}

/// Sines and cosines of half the angles of all hinges; other joints get some too.
#[inline(always)]
fn half_angles(m: &Model, qpos: &[f64], sin: &mut [f64], cos: &mut [f64]) {
    for (half, &adr) in sin.iter_mut().zip(&m.jnt_qposadr) {
        *half = 0.5 * (qpos[adr as usize] - m.qpos0[adr as usize]);
    }
    trig::sin_cos_all(sin, cos);
}

/// Moves a body's frame in its parent by joint `j`; returns the joint's anchor and axis there.
#[inline(always)]
fn move_by_joint(
    m: &Model,
    qpos: &[f64],
    half: (&[f64], &[f64]),
    j: usize,
    first: bool,
    pos: &mut Vec3,
    rot: &mut Quat,
) -> (Vec3, Vec3) {
    let (offset, local_axis) = (rows::<3>(&m.jnt_pos)[j], rows::<3>(&m.jnt_axis)[j]);
    let padr = at(&m.jnt_qposadr, j);
    let known = &m.plan.first_joint[j];
    let (anchor, axis) = if first {
        (known.anchor, known.axis)
    } else {
        (vec3::add(*pos, quat::rotate(*rot, offset)), quat::rotate(*rot, local_axis))
    };
    match m.jnt_type[j] {
        JointType::Slide => {
            *pos = vec3::add_scaled(*pos, axis, qpos[padr] - m.qpos0[padr]);
            return (anchor, axis);
        }
        JointType::Hinge => {
            let (sin, cos) = (half.0[j], half.1[j]);
            let turn = if first {
                known.turn
            } else {
                quat::mul(*rot, [0.0, local_axis[0], local_axis[1], local_axis[2]])
            };
            *rot = std::array::from_fn(|k| rot[k] * cos + turn[k] * sin);
        }
        JointType::Ball => {
            let q = &qpos[padr..padr + 4];
            *rot = quat::mul(*rot, quat::normalize([q[0], q[1], q[2], q[3]]));
        }
        // the compiler allows a free joint only alone in its body
        JointType::Free => {}
    }
    *pos = if offset == [0.0; 3] { anchor } else { vec3::sub(anchor, quat::rotate(*rot, offset)) };
    (anchor, axis)
}
