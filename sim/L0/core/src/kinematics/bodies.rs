//! World poses of bodies and joints from `qpos` (`mj_kinematics`).
//!
//! A pass from the root to the leaves: `X_i = X_parent · X_body · X_joint₁ · X_joint₂ …`, with each pose
//! a position and a unit quaternion.

use super::first_joint::FirstJoint;
use super::frames::{attached_frames, attached_frames_awake};
use crate::math::quat::Quat;
use crate::math::vec3::Vec3;
use crate::math::{at, mat3, quat, rows, rows_mut, trig, vec3};
use crate::sleep::{ASLEEP, STATIC, mj_wake};
use crate::{Data, Model};
use sim_simd::dispatch;
use sim_types::{EnableBit, JointType};

/// Computes the world pose of every body, joint, geom and site. Sleeping trees whose pose changed or
/// that have an applied force are woken.
///
/// Reads `qpos`, `mocap_pos`, `mocap_quat`. Writes `xpos`, `xquat`, `xmat`, `xipos`, `ximat`,
/// `xanchor`, `xaxis`, `geom_xpos`, `geom_xmat`, `site_xpos`, `site_xmat`.
pub fn mj_kinematics(m: &Model, d: &mut Data) {
    if m.opt.enabled(EnableBit::Sleep) {
        dispatch!(nonstatic_body_poses(m: &Model, d: &mut Data));
    } else {
        dispatch!(all_body_poses(m: &Model, d: &mut Data));
    }
    mj_wake(m, d);
    if d.any_asleep(m) {
        attached_frames_awake(m, d);
    } else {
        attached_frames(m, d);
    }
    d.scratch.static_poses_valid = true;
}

#[inline(always)]
fn all_body_poses(m: &Model, d: &mut Data) {
    body_poses::<false>(m, d);
}

#[inline(always)]
fn nonstatic_body_poses(m: &Model, d: &mut Data) {
    body_poses::<true>(m, d);
}

/// Precomputes [`FirstJoint`] for every joint, as if each were the first of its body.
pub(crate) fn first_joints(m: &Model) -> Vec<FirstJoint> {
    let joint = |j: usize| {
        let body = at(&m.jnt_bodyid, j);
        let (pos, rot) = (rows::<3>(&m.body_pos)[body], rows::<4>(&m.body_quat)[body]);
        let (offset, axis) = (rows::<3>(&m.jnt_pos)[j], rows::<3>(&m.jnt_axis)[j]);
        FirstJoint {
            axis: quat::rotate(rot, axis),
            anchor: vec3::add(pos, quat::rotate(rot, offset)),
            quat_axis: quat::mul(rot, [0.0, axis[0], axis[1], axis[2]]),
        }
    };
    (0..m.njnt).map(joint).collect()
}

/// Poses of bodies, root to leaves. Joint transforms are composed in the frame of the parent, which
/// keeps the chain of operations that depend on the parent's pose short.
///
/// With `SLEEP`, bodies fixed to the world are computed once, and a sleeping tree whose pose changed gets
/// `tree_awake = 1`, which [`mj_wake`] detects.
#[inline(always)]
fn body_poses<const SLEEP: bool>(m: &Model, d: &mut Data) {
    let Data { qpos, mocap_pos, mocap_quat, xpos, xquat, xmat, xanchor, xaxis, scratch, .. } = d;
    let (tree_awake, awake) = (&mut d.tree_awake, &d.body_awake);
    half_angles(m, qpos, &mut scratch.sin, &mut scratch.cos);
    let half = (&scratch.sin[..], &scratch.cos[..]);
    let (xpos, xquat, xmat) = (rows_mut::<3>(xpos), rows_mut::<4>(xquat), rows_mut::<9>(xmat));
    let (xanchor, xaxis) = (rows_mut::<3>(xanchor), rows_mut::<3>(xaxis));
    let (body_pos, body_quat) = (rows::<3>(&m.body_pos), rows::<4>(&m.body_quat));
    // equal slice lengths let the compiler remove bounds checks from the loop
    let n = m.nbody;
    let (xpos, xquat, xmat) = (&mut xpos[..n], &mut xquat[..n], &mut xmat[..n]);
    let (body_pos, body_quat, mocapid) = (&body_pos[..n], &body_quat[..n], &m.body_mocapid[..n]);
    let (parentid, jntadr, jntnum) =
        (&m.body_parentid[..n], &m.body_jntadr[..n], &m.body_jntnum[..n]);

    xpos[0] = [0.0; 3];
    xquat[0] = quat::IDENTITY;
    xmat[0] = mat3::IDENTITY;
    for i in 1..n {
        if SLEEP && scratch.static_poses_valid && awake[i] == STATIC {
            continue;
        }
        let first = jntadr[i].max(0) as usize;
        let joints = first..first + jntnum[i] as usize;
        let before = if SLEEP { (xpos[i], xquat[i]) } else { Default::default() };

        // the coordinates of a free joint are the world pose
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

        // body frame in the parent's frame
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
            let (anchor, axis) = apply_joint(m, qpos, half, j, j == first, &mut pos, &mut rot);
            (xanchor[j], xaxis[j]) = if parent == 0 {
                (anchor, axis)
            } else {
                (
                    vec3::add(parent_pos, mat3::mul_vec(&parent_mat, anchor)),
                    mat3::mul_vec(&parent_mat, axis),
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

/// Sine and cosine of `(q − q₀)/2` of every joint's first coordinate; only those of hinges are used.
#[inline(always)]
fn half_angles(m: &Model, qpos: &[f64], sin: &mut [f64], cos: &mut [f64]) {
    for (half, &adr) in sin.iter_mut().zip(&m.jnt_qposadr) {
        *half = 0.5 * (qpos[adr as usize] - m.qpos0[adr as usize]);
    }
    trig::sin_cos_all(sin, cos);
}

/// Applies joint `j` to a body's frame `(pos, rot)` in its parent; returns the joint's anchor and axis in
/// the parent's frame.
#[inline(always)]
fn apply_joint(
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
    let constants = &m.plan.first_joint[j];
    let (anchor, axis) = if first {
        (constants.anchor, constants.axis)
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
            let quat_axis = if first {
                constants.quat_axis
            } else {
                quat::mul(*rot, [0.0, local_axis[0], local_axis[1], local_axis[2]])
            };
            *rot = std::array::from_fn(|k| rot[k] * cos + quat_axis[k] * sin);
        }
        JointType::Ball => {
            let q = &qpos[padr..padr + 4];
            *rot = quat::mul(*rot, quat::normalize([q[0], q[1], q[2], q[3]]));
        }
        // the model compiler rejects a free joint next to another joint
        JointType::Free => {}
    }
    *pos = if offset == [0.0; 3] { anchor } else { vec3::sub(anchor, quat::rotate(*rot, offset)) };
    (anchor, axis)
}
