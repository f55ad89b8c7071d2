//! How Jacobians change as the model moves (`mj_jacDot`).
//!
//! The axes of a ball or free joint are taken to move with the whole body. This is exact unless
//! another joint of the same body follows the ball; the reference engine does the same.

use super::Rows;
use crate::math::{at, rows, spatial, vec3};
use crate::{Data, Model};
use nalgebra::{DMatrix, Vector3};
use sim_types::JointType;

/// Calls `f(dof, linear, angular)` for every dof that moves `body`: the rates of change of the
/// columns of its Jacobians at `point`, which moves with the body.
fn for_each_dof(
    m: &Model,
    d: &Data,
    body: usize,
    point: vec3::Vec3,
    mut f: impl FnMut(usize, vec3::Vec3, vec3::Vec3),
) {
    let (cdof, cdof_dot) = (rows::<6>(&d.cdof), rows::<6>(&d.cdof_dot));
    let cvel = rows::<6>(&d.cvel);
    let com = rows::<3>(&d.subtree_com)[at(&m.body_rootid, body)];
    let arm = vec3::sub(point, com);
    let velocity = spatial::translation(&spatial::shift_motion(&cvel[body], com, point));
    let mut b = body;
    while b > 0 {
        let first = m.body_dofadr[b].max(0) as usize;
        for k in first..first + m.body_dofnum[b] as usize {
            let joint = at(&m.dof_jntid, k);
            let turns_with_body = match m.jnt_type[joint] {
                JointType::Ball => true,
                JointType::Free => k >= at(&m.jnt_dofadr, joint) + 3,
                JointType::Slide | JointType::Hinge => false,
            };
            // axes of a quaternion are fixed in the body itself, others in what carries the joint
            let rate = if turns_with_body {
                spatial::cross_motion(&cvel[b], &cdof[k])
            } else {
                cdof_dot[k]
            };
            let turning = spatial::rotation(&rate);
            let linear = vec3::add(
                vec3::add(spatial::translation(&rate), vec3::cross(turning, arm)),
                vec3::cross(spatial::rotation(&cdof[k]), velocity),
            );
            f(k, linear, turning);
        }
        b = at(&m.body_parentid, b);
    }
}

/// The acceleration of a point of `body`, and of the body's rotation, that comes from velocities alone:
/// the rate of change of the Jacobians times the velocities.
pub(crate) fn acceleration_of(
    m: &Model,
    d: &Data,
    body: usize,
    point: vec3::Vec3,
) -> (vec3::Vec3, vec3::Vec3) {
    let (mut linear, mut angular) = ([0.0; 3], [0.0; 3]);
    for_each_dof(m, d, body, point, |k, l, a| {
        linear = vec3::add_scaled(linear, l, d.qvel[k]);
        angular = vec3::add_scaled(angular, a, d.qvel[k]);
    });
    (linear, angular)
}

/// Rates of change of the Jacobians of a world-frame point that moves with `body`, into row-major
/// `3 × nv` slices; `None` skips one. Needs the velocity stage.
///
/// # Panics
/// If a slice is shorter than `3 nv`, or `body` is not a body of the model.
#[doc(alias = "mj_jacDot")]
pub fn mj_jac_dot_into(
    m: &Model,
    d: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    point: [f64; 3],
    body: usize,
) {
    let mut rows = Rows::new(m.nv, jacp, jacr);
    for_each_dof(m, d, body, point, |k, linear, angular| rows.set(k, linear, angular));
}

/// Rates of change of the Jacobians of a world-frame point that moves with `body_id`:
/// `(jacp, jacr)`, each `3 × nv`, so that `a_point = jacp q̈ + jacp_dot q̇`.
#[doc(alias = "mj_jacDot")]
#[must_use]
pub fn mj_jac_dot(
    m: &Model,
    d: &Data,
    body_id: usize,
    point: &Vector3<f64>,
) -> (DMatrix<f64>, DMatrix<f64>) {
    let mut jacp = DMatrix::zeros(3, m.nv);
    let mut jacr = DMatrix::zeros(3, m.nv);
    for_each_dof(m, d, body_id, (*point).into(), |k, linear, angular| {
        jacp.set_column(k, &linear.into());
        jacr.set_column(k, &angular.into());
    });
    (jacp, jacr)
}
