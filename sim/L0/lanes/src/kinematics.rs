//! Poses of bodies, joints and geoms (`mj_kinematics`); centres of mass, inertias and motion axes in the com-based
//! frame (`mj_comPos`).

use crate::math::{
    Quat, Vec3, add, add_scaled, cross, inertia_about, join, mat_mul_const, mat_mul_vec, quat_mul,
    quat_normalize, quat_rotate, quat_to_mat, scale, splat, sub,
};
use crate::plan::{Joint, Plan};
use crate::trig::sin_cos;
use crate::work::{State, Work};
use sim_simd::lanes::Lanes;
use sim_types::{JointType, MINVAL};

/// Reads `qpos`. Writes poses, `com`, `cinert`, `cdof` and tendon lengths.
#[inline(always)]
pub(crate) fn position<V: Lanes>(plan: &Plan, s: &State<V>, w: &mut Work<V>) {
    body_poses(plan, s, w);
    geom_poses(plan, w);
    com_pos(plan, w);
    for (length, tendon) in w.ten_length.iter_mut().zip(&plan.tendons) {
        *length = V::zero();
        for &(qpos, coefficient) in &tendon.terms {
            *length += V::splat(coefficient) * s.qpos[qpos];
        }
    }
}

#[inline(always)]
fn body_poses<V: Lanes>(plan: &Plan, s: &State<V>, w: &mut Work<V>) {
    let (zero, one) = (V::zero(), V::splat(1.0));
    w.xpos[0] = [zero; 3];
    w.xquat[0] = [one, zero, zero, zero];
    w.xmat[0] = quat_to_mat(w.xquat[0]);
    w.xipos[0] = [zero; 3];
    for (i, body) in plan.bodies.iter().enumerate().skip(1) {
        let parent = body.parent;
        let joints = &plan.joints[body.joints.clone()];
        let (mut pos, mut rot) = (splat(&body.pos), splat(&body.quat));
        let is_free = joints.first().is_some_and(|joint| joint.kind == JointType::Free);
        if is_free {
            let q = &s.qpos[joints[0].qpos..][..7];
            pos = [q[0], q[1], q[2]];
            rot = quat_normalize([q[3], q[4], q[5], q[6]]);
            w.xanchor[body.joints.start] = pos;
            w.xaxis[body.joints.start] = splat(&joints[0].axis);
        } else {
            let (parent_pos, parent_mat) = (w.xpos[parent], w.xmat[parent]);
            for (k, joint) in joints.iter().enumerate() {
                let (anchor, axis) = apply_joint(joint, &s.qpos, &mut pos, &mut rot);
                let j = body.joints.start + k;
                (w.xanchor[j], w.xaxis[j]) = if parent == 0 {
                    (anchor, axis)
                } else {
                    (
                        add(parent_pos, mat_mul_vec(&parent_mat, anchor)),
                        mat_mul_vec(&parent_mat, axis),
                    )
                };
            }
            if !joints.is_empty() {
                rot = quat_normalize(rot);
            }
            if parent != 0 {
                pos = add(parent_pos, mat_mul_vec(&parent_mat, pos));
                rot = quat_mul(w.xquat[parent], rot);
            }
        }
        let mat = quat_to_mat(rot);
        (w.xpos[i], w.xquat[i], w.xmat[i]) = (pos, rot, mat);
        w.xipos[i] = add(pos, mat_mul_vec(&mat, splat(&body.ipos)));
    }
}

#[inline(always)]
fn apply_joint<V: Lanes>(
    joint: &Joint,
    qpos: &[V],
    pos: &mut Vec3<V>,
    rot: &mut Quat<V>,
) -> (Vec3<V>, Vec3<V>) {
    let (anchor, axis) = if joint.is_first {
        (splat(&joint.anchor_in_parent), splat(&joint.axis_in_parent))
    } else {
        (add(*pos, quat_rotate(*rot, splat(&joint.pos))), quat_rotate(*rot, splat(&joint.axis)))
    };
    match joint.kind {
        JointType::Slide => {
            *pos = add_scaled(*pos, axis, qpos[joint.qpos] - V::splat(joint.qpos0));
            return (anchor, axis);
        }
        JointType::Hinge => {
            let half = V::splat(0.5) * (qpos[joint.qpos] - V::splat(joint.qpos0));
            let (sin, cos) = sin_cos(half);
            let quat_axis = if joint.is_first {
                splat(&joint.quat_axis)
            } else {
                let [x, y, z] = splat(&joint.axis);
                quat_mul(*rot, [V::zero(), x, y, z])
            };
            for k in 0..4 {
                rot[k] = rot[k] * cos + quat_axis[k] * sin;
            }
        }
        JointType::Ball => {
            let q = &qpos[joint.qpos..][..4];
            *rot = quat_mul(*rot, quat_normalize([q[0], q[1], q[2], q[3]]));
        }
        JointType::Free => {}
    }
    *pos = if joint.pos == [0.0; 3] {
        anchor
    } else {
        sub(anchor, quat_rotate(*rot, splat(&joint.pos)))
    };
    (anchor, axis)
}

#[inline(always)]
fn geom_poses<V: Lanes>(plan: &Plan, w: &mut Work<V>) {
    for (g, geom) in plan.geoms.iter().enumerate() {
        let mat = &w.xmat[geom.body];
        w.geom_pos[g] = add(w.xpos[geom.body], mat_mul_vec(mat, splat(&geom.pos)));
        if geom.needs_mat {
            w.geom_mat[g] = mat_mul_const(mat, &geom.mat);
        } else {
            let axis = mat_mul_vec(mat, splat(&[geom.mat[2], geom.mat[5], geom.mat[8]]));
            (w.geom_mat[g][2], w.geom_mat[g][5], w.geom_mat[g][8]) = (axis[0], axis[1], axis[2]);
        }
        if let Some(bound) = &geom.bound {
            let centre = add(w.xpos[geom.body], mat_mul_vec(mat, splat(&bound.centre)));
            let box_centre = add(w.xpos[geom.body], mat_mul_vec(mat, splat(&bound.box_centre)));
            w.bound[g] = [centre, mat_mul_vec(mat, splat(&bound.axis)), box_centre];
        }
    }
}

#[inline(always)]
fn com_pos<V: Lanes>(plan: &Plan, w: &mut Work<V>) {
    for (i, body) in plan.bodies.iter().enumerate() {
        w.com[i] = scale(w.xipos[i], V::splat(body.mass));
    }
    for (i, body) in plan.bodies.iter().enumerate().skip(1).rev() {
        w.com[body.parent] = add(w.com[body.parent], w.com[i]);
    }
    for (i, body) in plan.bodies.iter().enumerate() {
        w.com[i] = if body.subtreemass < MINVAL {
            w.xipos[i]
        } else {
            scale(w.com[i], V::splat(1.0 / body.subtreemass))
        };
    }
    w.cinert[0] = [V::zero(); 10];
    for (i, body) in plan.bodies.iter().enumerate().skip(1) {
        let offset = sub(w.xipos[i], w.com[body.root]);
        let mat = if body.has_imat { mat_mul_const(&w.xmat[i], &body.imat) } else { w.xmat[i] };
        w.cinert[i] = inertia_about(&body.inertia, &mat, offset, body.mass);
    }
    for (j, joint) in plan.joints.iter().enumerate() {
        let offset = sub(w.com[plan.bodies[joint.body].root], w.xanchor[j]);
        let (zero, one) = (V::zero(), V::splat(1.0));
        let mut dof = joint.dof;
        match joint.kind {
            JointType::Hinge => w.cdof[dof] = join(w.xaxis[j], cross(w.xaxis[j], offset)),
            JointType::Slide => w.cdof[dof] = join([zero; 3], w.xaxis[j]),
            kind @ (JointType::Ball | JointType::Free) => {
                if kind == JointType::Free {
                    w.cdof[dof] = [zero, zero, zero, one, zero, zero];
                    w.cdof[dof + 1] = [zero, zero, zero, zero, one, zero];
                    w.cdof[dof + 2] = [zero, zero, zero, zero, zero, one];
                    dof += 3;
                }
                let mat = w.xmat[joint.body];
                for k in 0..3 {
                    let axis = [mat[k], mat[k + 3], mat[k + 6]];
                    w.cdof[dof + k] = join(axis, cross(axis, offset));
                }
            }
        }
    }
}
