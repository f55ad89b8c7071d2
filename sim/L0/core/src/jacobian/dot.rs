//! Time derivatives of Jacobians (`mj_jacDot`).
//!
//! The axes of ball and free joints are treated as fixed in the moved body. This is exact unless another
//! joint of the same body follows the ball joint; MuJoCo does the same.

use super::JacobianRows;
use crate::math::{at, rows, spatial, vec3};
use crate::{Data, Model};
use nalgebra::{DMatrix, Vector3};
use sim_types::JointType;
use std::ops::Range;

/// Calls `f(dof, linear, angular)` for every dof that moves `body`, with the time derivatives of the columns
/// of its Jacobians at `point`, which is fixed to the body.
fn for_each_dof(
    m: &Model,
    d: &Data,
    body: usize,
    point: vec3::Vec3,
    mut f: impl FnMut(usize, vec3::Vec3, vec3::Vec3),
) {
    let cdof = rows::<6>(&d.cdof);
    let com = rows::<3>(&d.subtree_com)[at(&m.body_rootid, body)];
    let arm = vec3::sub(point, com);
    let cvel = &rows::<6>(&d.cvel)[body];
    let velocity = spatial::translation(&spatial::shift_motion(cvel, com, point));
    let mut b = body;
    while b > 0 {
        for k in dofs_of(m, b) {
            let rate = axis_rate(m, d, b, k);
            let angular = spatial::rotation(&rate);
            let linear = vec3::add(
                vec3::add(spatial::translation(&rate), vec3::cross(angular, arm)),
                vec3::cross(spatial::rotation(&cdof[k]), velocity),
            );
            f(k, linear, angular);
        }
        b = at(&m.body_parentid, b);
    }
}

fn dofs_of(m: &Model, body: usize) -> Range<usize> {
    let first = m.body_dofadr[body].max(0) as usize;
    first..first + m.body_dofnum[body] as usize
}

/// Time derivative of the motion axis of dof `k` of body `b`.
fn axis_rate(m: &Model, d: &Data, b: usize, k: usize) -> [f64; 6] {
    let joint = at(&m.dof_jntid, k);
    let body_fixed = match m.jnt_type[joint] {
        JointType::Ball => true,
        JointType::Free => k >= at(&m.jnt_dofadr, joint) + 3,
        JointType::Slide | JointType::Hinge => false,
    };
    // rotation axes of ball and free joints are fixed in the moved body, others in its predecessor
    match body_fixed {
        true => spatial::cross_motion(&rows::<6>(&d.cvel)[b], &rows::<6>(&d.cdof)[k]),
        false => rows::<6>(&d.cdof_dot)[k],
    }
}

/// Whether the axes of all joints of a body are fixed in its predecessor.
fn moves_with_axes_of_predecessor(m: &Model, body: usize) -> bool {
    let first = m.body_jntadr[body].max(0) as usize;
    let joints = &m.jnt_type[first..first + m.body_jntnum[body] as usize];
    joints.iter().all(|kind| matches!(kind, JointType::Slide | JointType::Hinge))
}

/// `(J̇p q̇, J̇r q̇)` of a point fixed to `body`: its linear and angular acceleration at `q̈ = 0`.
pub(crate) fn jac_dot_mul_qvel(
    m: &Model,
    d: &Data,
    body: usize,
    point: vec3::Vec3,
) -> (vec3::Vec3, vec3::Vec3) {
    let com = rows::<3>(&d.subtree_com)[at(&m.body_rootid, body)];
    let cvel = &rows::<6>(&d.cvel)[body];
    // the spatial acceleration about the center of mass of the tree
    let mut acceleration = [0.0; 6];
    let mut add = |rate: &[f64; 6], qvel: f64| {
        for (sum, x) in acceleration.iter_mut().zip(rate) {
            *sum += x * qvel;
        }
    };
    let mut b = body;
    while b > 0 {
        let dofs = dofs_of(m, b);
        if dofs.is_empty() || moves_with_axes_of_predecessor(m, b) {
            let rates = &rows::<6>(&d.cdof_dot)[dofs.clone()];
            rates.iter().zip(&d.qvel[dofs]).for_each(|(rate, &qvel)| add(rate, qvel));
        } else {
            dofs.for_each(|k| add(&axis_rate(m, d, b, k), d.qvel[k]));
        }
        b = at(&m.body_parentid, b);
    }
    let angular = spatial::rotation(&acceleration);
    let velocity = spatial::translation(&spatial::shift_motion(cvel, com, point));
    let linear = vec3::add(
        vec3::add(spatial::translation(&acceleration), vec3::cross(angular, vec3::sub(point, com))),
        vec3::cross(spatial::rotation(cvel), velocity),
    );
    (linear, angular)
}

/// Writes the time derivatives of the Jacobians of a world-frame point fixed to `body` to row-major `3 × nv`
/// slices; `None` skips one. Requires the velocity stage.
///
/// # Panics
/// If a slice is shorter than `3 nv`, or `body` is out of range.
#[doc(alias = "mj_jacDot")]
pub fn mj_jac_dot_into(
    m: &Model,
    d: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    point: [f64; 3],
    body: usize,
) {
    let mut rows = JacobianRows::new(m.nv, jacp, jacr);
    for_each_dof(m, d, body, point, |k, linear, angular| rows.set(k, linear, angular));
}

/// Time derivatives of the Jacobians of a world-frame point fixed to `body_id`: `(jacp_dot, jacr_dot)`, each
/// `3 × nv`, with `a_point = jacp q̈ + jacp_dot q̇`.
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
