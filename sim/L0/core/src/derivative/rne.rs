//! Velocity derivative of the bias force (`mjd_rne_vel`), in closed form.
//!
//! With `S` the motion axis of a dof, `v` velocities, `I` inertias and `f_k = I a + v ×* I v` the
//! force on body `k`, a dof `j` above the body contributes
//!
//! ```text
//! ∂f_k/∂q̇_j = I_k (Ṡ_j + w_j × S_j) + B_k S_j
//! ```
//!
//! where `w_j` is the velocity behind the joint of `j`. `B` multiplies the rotational part `s` of
//! `S` alone: it gives the torque `tr(J) s × ω + 2 ω × J s + 2 c × (s × u)` and the force
//! `2 s × p`, for `v = (ω, u)`, rotational inertia `J` about the frame's origin, first moment of
//! mass `c` and momentum `p`. Sums of `I` and `B` over subtrees then give every entry at once.

use super::place;
use crate::math::vec3::{self, Vec3};
use crate::math::{at, mat3, rows, rows_mut, spatial};
use crate::{Data, Model};
use sim_simd::dispatch;
use sim_types::JointType;

/// `B` of a body or a subtree: torque by rotation, row-major, then the momentum.
type Gyration = [f64; 12];

/// Subtracts `∂qfrc_bias / ∂qvel` from `qDeriv`.
///
/// Reads `cdof`, `cdof_dot`, `cvel`, `cinert`, `crb`.
pub(super) fn subtract(m: &Model, d: &mut Data) {
    d.scratch.turned.resize(6 * m.nv, 0.0);
    d.scratch.gyration.resize(12 * m.nbody, 0.0);
    dispatch!(subtract_entries(m: &Model, d: &mut Data));
}

#[inline(always)]
fn subtract_entries(m: &Model, d: &mut Data) {
    let Data { cdof, cdof_dot, cvel, cinert, crb, qvel, qDeriv, scratch, .. } = d;
    let (cdof, crb) = (rows::<6>(cdof), rows::<10>(crb));
    let gyration = rows_mut::<12>(&mut scratch.gyration);
    let turned = rows_mut::<6>(&mut scratch.turned);
    turned_axes(m, qvel, cdof, rows(cdof_dot), rows(cvel), turned);
    composite_gyrations(m, rows(cinert), rows(cvel), gyration);

    for i in 0..m.nv {
        let body = at(&m.dof_bodyid, i);
        let (axis, g) = (&cdof[i], &gyration[body]);
        let (s, t) = (spatial::rotation(axis), spatial::translation(axis));
        let (torque, momentum) =
            ([g[0], g[1], g[2], g[3], g[4], g[5], g[6], g[7], g[8]], [g[9], g[10], g[11]]);
        // what the velocity of this dof does to the subtree's force
        let by_this = spatial::add(
            &spatial::mul_inertia(&crb[body], &turned[i]),
            &spatial::join(mat3::mul_vec(&torque, s), vec3::scale(vec3::cross(s, momentum), 2.0)),
        );
        // how this dof sees what the velocities above it do to the subtree's force
        let inertial = spatial::mul_inertia(&crb[body], axis);
        let gyroscopic = vec3::add(
            mat3::mul_transpose_vec(&torque, s),
            vec3::scale(vec3::cross(momentum, t), 2.0),
        );
        let start = at(&m.D_rowadr, i);
        let diagonal = start + at(&m.D_diag, i);
        for adr in start..diagonal {
            let j = at(&m.D_colind, adr);
            qDeriv[adr] -= spatial::dot(&inertial, &turned[j])
                + vec3::dot(gyroscopic, spatial::rotation(&cdof[j]));
            if let Some(upper) = place(m, j, i) {
                qDeriv[upper] -= spatial::dot(&cdof[j], &by_this);
            }
        }
        qDeriv[diagonal] -= spatial::dot(axis, &by_this);
    }
}

/// `Ṡ + w × S` for every dof.
#[inline(always)]
fn turned_axes(
    m: &Model,
    qvel: &[f64],
    cdof: &[[f64; 6]],
    cdof_dot: &[[f64; 6]],
    cvel: &[[f64; 6]],
    turned: &mut [[f64; 6]],
) {
    for body in 1..m.nbody {
        let mut vel = cvel[at(&m.body_parentid, body)];
        let first = m.body_jntadr[body].max(0) as usize;
        for j in first..first + at(&m.body_jntnum, body) {
            let dof = at(&m.jnt_dofadr, j);
            // dofs that turn together
            let groups: &[usize] = match m.jnt_type[j] {
                JointType::Free => &[3, 3],
                JointType::Ball => &[3],
                JointType::Slide | JointType::Hinge => &[1],
            };
            let mut start = dof;
            for &count in groups {
                for k in start..start + count {
                    spatial::add_scaled(&mut vel, &cdof[k], qvel[k]);
                }
                for k in start..start + count {
                    turned[k] = spatial::add(&cdof_dot[k], &spatial::cross_motion(&vel, &cdof[k]));
                }
                start += count;
            }
        }
    }
}

/// `B` of every subtree.
#[inline(always)]
fn composite_gyrations(
    m: &Model,
    cinert: &[[f64; 10]],
    cvel: &[[f64; 6]],
    gyration: &mut [Gyration],
) {
    for (g, (inertia, vel)) in gyration.iter_mut().zip(cinert.iter().zip(cvel)) {
        *g = body_gyration(inertia, vel);
    }
    for i in (1..m.nbody).rev() {
        let parent = at(&m.body_parentid, i);
        if parent > 0 {
            let child = gyration[i];
            for k in 0..12 {
                gyration[parent][k] += child[k];
            }
        }
    }
}

/// `B` of one body.
#[inline(always)]
fn body_gyration(i: &spatial::Inertia, vel: &spatial::Vec6) -> Gyration {
    let (w, u) = (spatial::rotation(vel), spatial::translation(vel));
    let c: Vec3 = [i[6], i[7], i[8]];
    let p = vec3::sub(vec3::scale(u, i[9]), vec3::cross(c, w));
    let trace = i[0] + i[1] + i[2];
    let columns = [[i[0], i[3], i[4]], [i[3], i[1], i[5]], [i[4], i[5], i[2]]];
    let mut g = [0.0; 12];
    for (k, column) in columns.iter().enumerate() {
        let mut s = [0.0; 3];
        s[k] = 1.0;
        let carried = vec3::cross(c, vec3::cross(s, u));
        let turning = vec3::cross(w, *column);
        let swept = vec3::cross(s, w);
        for row in 0..3 {
            g[3 * row + k] = trace * swept[row] + 2.0 * (turning[row] + carried[row]);
        }
    }
    g[9..].copy_from_slice(&p);
    g
}
