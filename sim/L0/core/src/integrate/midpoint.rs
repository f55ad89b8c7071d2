//! Implicit midpoint rule for single free bodies under the implicit integrators (`mj_midpoint`).
//!
//! A single free body obeys Euler's equations in its principal axes. The midpoint rule conserves
//! its energy and momentum much better than a linearised implicit step.

use crate::math::quat::{self, Quat};
use crate::math::vec3::{self, Vec3};
use crate::math::{at, rows};
use crate::{Data, Model};
use sim_types::{DisableBit, JointType};

/// Maximum number of Newton iterations.
const ITERATIONS: usize = 100;
/// Maximum number of backtracking halvings of a Newton step.
const HALVINGS: usize = 20;
/// Tolerance of the residual relative to the rate of momentum.
const TOLERANCE: f64 = 1e-13;

/// Free joints whose tree is a single body.
pub(crate) fn eligible_joints(m: &Model) -> Vec<usize> {
    let is_single_body = |&j: &usize| {
        let body = at(&m.jnt_bodyid, j);
        m.jnt_type[j] == JointType::Free
            && m.tree_dofnum[at(&m.dof_treeid, at(&m.jnt_dofadr, j))] == 6
            && m.body_subtreemass[body] == m.body_mass[body]
    };
    (0..m.njnt).filter(is_single_body).collect()
}

/// Velocity at the end of the step of the body of free joint `j`, for the force `qfrc` without bias.
/// Only the rotational part is computed if the body's centre of mass is its origin.
pub(super) fn end_velocity(m: &Model, d: &Data, j: usize, qfrc: &[f64; 6]) -> [f64; 6] {
    let (body, dof) = (at(&m.jnt_bodyid, j), at(&m.jnt_dofadr, j));
    let mut end = [0.0; 6];
    end.copy_from_slice(&d.qvel[dof..dof + 6]);
    let halves = |v: &[f64; 6]| ([v[0], v[1], v[2]], [v[3], v[4], v[5]]);
    let (linear, angular) = halves(&end);
    let (force, torque) = halves(qfrc);
    let h = m.opt.timestep;

    let iquat = rows::<4>(&m.body_iquat)[body];
    let to_principal = quat::conjugate(iquat);
    let w = quat::rotate(to_principal, angular);
    let torque = quat::rotate(to_principal, torque);
    let inertia = rows::<3>(&m.body_inertia)[body];
    if aligned(m, j) {
        let mid = midpoint_rotation(inertia, w, torque, h);
        let new = quat::rotate(iquat, vec3::sub(vec3::scale(mid, 2.0), w));
        end[3..].copy_from_slice(&new);
        return end;
    }

    // everything in principal axes, with the torque about the centre of mass
    let xquat = rows::<4>(&d.xquat)[body];
    let from_world = quat::mul(to_principal, quat::conjugate(xquat));
    let force = quat::rotate(from_world, force);
    let com = quat::rotate(to_principal, rows::<3>(&m.body_ipos)[body]);
    let mid = midpoint_rotation(inertia, w, vec3::sub(torque, vec3::cross(com, force)), h);
    end[3..].copy_from_slice(&quat::rotate(iquat, vec3::sub(vec3::scale(mid, 2.0), w)));

    let v = quat::rotate(from_world, linear);
    let v_com = vec3::add(v, vec3::cross(w, com));
    let mut acc = vec3::scale(force, 1.0 / m.body_mass[body]);
    if !m.opt.disabled(DisableBit::Gravity) {
        acc = vec3::add(acc, quat::rotate(from_world, m.opt.gravity));
    }
    let v_mid = vec3::sub(midpoint_translation(v_com, mid, acc, h), vec3::cross(mid, com));
    let v_new = vec3::sub(vec3::scale(v_mid, 2.0), v);
    // in the body frame at the end of the step
    let rotated = integrate_rotation(xquat, quat::rotate(iquat, mid), h);
    end[..3].copy_from_slice(&quat::rotate(rotated, quat::rotate(iquat, v_new)));
    end
}

/// Whether the body's centre of mass is at its origin.
pub(super) fn aligned(m: &Model, j: usize) -> bool {
    rows::<3>(&m.body_ipos)[at(&m.jnt_bodyid, j)] == [0.0; 3]
}

/// Orientation after a rotation with a constant body-frame angular velocity for time `h`.
fn integrate_rotation(orientation: Quat, velocity: Vec3, h: f64) -> Quat {
    let (axis, speed) = vec3::normalize(velocity);
    quat::mul(orientation, quat::from_axis_angle(axis, h * speed))
}

/// Solves `(2/h) (v − v₀) + w × v = a` for the midpoint velocity `v`.
fn midpoint_translation(v0: Vec3, w: Vec3, acc: Vec3, h: f64) -> Vec3 {
    let rate = 2.0 / h;
    let b = vec3::add(acc, vec3::scale(v0, rate));
    let along = vec3::scale(w, vec3::dot(w, b) / rate);
    let sum = vec3::sub(vec3::add(vec3::scale(b, rate), along), vec3::cross(w, b));
    vec3::scale(sum, 1.0 / (rate * rate + vec3::dot(w, w)))
}

/// Solves `(2/h) I (w − w₀) + w × I w = torque` for the midpoint angular velocity `w` in principal
/// axes, by Newton's method with backtracking.
fn midpoint_rotation(inertia: Vec3, w0: Vec3, torque: Vec3, h: f64) -> Vec3 {
    let rate = 2.0 / h;
    let momentum = |w: Vec3| [inertia[0] * w[0], inertia[1] * w[1], inertia[2] * w[2]];
    let residual = |w: Vec3| {
        let change = vec3::scale(momentum(vec3::sub(w, w0)), rate);
        vec3::sub(vec3::add(change, vec3::cross(w, momentum(w))), torque)
    };
    let inertia_differences =
        [inertia[2] - inertia[1], inertia[0] - inertia[2], inertia[1] - inertia[0]];

    let mut w = w0;
    for _ in 0..ITERATIONS {
        let r = residual(w);
        let residual_norm = vec3::norm(r);
        if residual_norm < TOLERANCE * (1.0 + rate * vec3::norm(momentum(w))) {
            break;
        }
        // rows of the Jacobian of the residual
        let jacobian = [
            [rate * inertia[0], w[2] * inertia_differences[0], w[1] * inertia_differences[0]],
            [w[2] * inertia_differences[1], rate * inertia[1], w[0] * inertia_differences[1]],
            [w[1] * inertia_differences[2], w[0] * inertia_differences[2], rate * inertia[2]],
        ];
        let Some(step) = solve3(&jacobian, r) else { break };
        let mut step_length = 1.0;
        for _ in 0..HALVINGS {
            let trial = vec3::add_scaled(w, step, -step_length);
            if vec3::norm(residual(trial)) < residual_norm {
                w = trial;
                break;
            }
            step_length *= 0.5;
        }
    }
    w
}

/// Solution of a 3 × 3 linear system by Cramer's rule; `None` if it is singular.
fn solve3(rows: &[Vec3; 3], b: Vec3) -> Option<Vec3> {
    let [r0, r1, r2] = *rows;
    let (c0, c1, c2) = (vec3::cross(r1, r2), vec3::cross(r2, r0), vec3::cross(r0, r1));
    let determinant = vec3::dot(r0, c0);
    let solution = vec3::add_scaled(vec3::add_scaled(vec3::scale(c0, b[0]), c1, b[1]), c2, b[2]);
    (determinant != 0.0).then(|| vec3::scale(solution, 1.0 / determinant))
}
