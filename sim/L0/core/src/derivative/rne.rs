//! Velocity derivative of the bias force (`mjd_rne_vel`), analytically.
//!
//! With `S` the motion axis of a dof, `v` velocities, `I` inertias and `f_k = I a + v ×* I v` the
//! force on body `k`, an ancestor dof `j` of the body contributes
//!
//! ```text
//! ∂f_k/∂q̇_j = I_k (Ṡ_j + w_j × S_j) + B_k S_j
//! ```
//!
//! where `w_j` is the velocity after the joint of `j`. `B` acts only on the rotational part `s` of `S`: it
//! gives the torque `tr(J) s × ω + 2 ω × J s + 2 c × (s × u)` and the force `2 s × p`, for `v = (ω, u)`,
//! rotational inertia `J` about the frame's origin, first moment of mass `c` and linear momentum `p`. Because
//! `I` and `B` can be summed over subtrees, every entry follows from composite quantities.

use super::entry_address;
use crate::math::vec3::{self, Vec3};
use crate::math::{at, mat3, rows, rows_mut, spatial};
use crate::{Data, Model};
use sim_simd::dispatch;
use sim_types::JointType;

/// `B` of a body or a subtree: the row-major 3 × 3 block from `s` to torque, then the momentum `p`.
type Gyroscopic = [f64; 12];

/// Subtracts `∂qfrc_bias / ∂qvel` from `qDeriv`.
///
/// Reads `qvel`, `cdof`, `cdof_dot`, `cvel`, `cinert`, `crb`.
pub(super) fn subtract(m: &Model, d: &mut Data) {
    d.scratch.axis_rates.resize(6 * m.nv, 0.0);
    d.scratch.gyroscopic.resize(12 * m.nbody, 0.0);
    dispatch!(subtract_entries(m: &Model, d: &mut Data));
}

#[inline(always)]
fn subtract_entries(m: &Model, d: &mut Data) {
    let Data { cdof, cdof_dot, cvel, cinert, crb, qvel, qDeriv, scratch, .. } = d;
    let (cdof, crb) = (rows::<6>(cdof), rows::<10>(crb));
    let gyroscopic = rows_mut::<12>(&mut scratch.gyroscopic);
    let axis_rates = rows_mut::<6>(&mut scratch.axis_rates);
    set_axis_rates(m, qvel, cdof, rows(cdof_dot), rows(cvel), axis_rates);
    set_composite_gyroscopic(m, rows(cinert), rows(cvel), gyroscopic);

    for i in 0..m.nv {
        let body = at(&m.dof_bodyid, i);
        let (axis, g) = (&cdof[i], &gyroscopic[body]);
        let (s, t) = (spatial::rotation(axis), spatial::translation(axis));
        let (torque, momentum) =
            ([g[0], g[1], g[2], g[3], g[4], g[5], g[6], g[7], g[8]], [g[9], g[10], g[11]]);
        // derivative of the subtree's force with respect to the velocity of this dof
        let force_derivative = spatial::add(
            &spatial::mul_inertia(&crb[body], &axis_rates[i]),
            &spatial::join(mat3::mul_vec(&torque, s), vec3::scale(vec3::cross(s, momentum), 2.0)),
        );
        // rows Sᵢᵀ I and Sᵢᵀ B, which multiply the axis rates and rotations of ancestor dofs
        let inertial_row = spatial::mul_inertia(&crb[body], axis);
        let gyroscopic_row = vec3::add(
            mat3::mul_transpose_vec(&torque, s),
            vec3::scale(vec3::cross(momentum, t), 2.0),
        );
        let start = at(&m.D_rowadr, i);
        let diagonal = start + at(&m.D_diag, i);
        for adr in start..diagonal {
            let j = at(&m.D_colind, adr);
            qDeriv[adr] -= spatial::dot(&inertial_row, &axis_rates[j])
                + vec3::dot(gyroscopic_row, spatial::rotation(&cdof[j]));
            if let Some(upper) = entry_address(m, j, i) {
                qDeriv[upper] -= spatial::dot(&cdof[j], &force_derivative);
            }
        }
        qDeriv[diagonal] -= spatial::dot(axis, &force_derivative);
    }
}

/// `Ṡ + w × S` for every dof.
#[inline(always)]
fn set_axis_rates(
    m: &Model,
    qvel: &[f64],
    cdof: &[[f64; 6]],
    cdof_dot: &[[f64; 6]],
    cvel: &[[f64; 6]],
    axis_rates: &mut [[f64; 6]],
) {
    for body in 1..m.nbody {
        let mut vel = cvel[at(&m.body_parentid, body)];
        let first = m.body_jntadr[body].max(0) as usize;
        for j in first..first + at(&m.body_jntnum, body) {
            let dof = at(&m.jnt_dofadr, j);
            // sizes of the groups of dofs whose axes change with a common velocity
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
                    axis_rates[k] =
                        spatial::add(&cdof_dot[k], &spatial::cross_motion(&vel, &cdof[k]));
                }
                start += count;
            }
        }
    }
}

/// `B` of every subtree.
#[inline(always)]
fn set_composite_gyroscopic(
    m: &Model,
    cinert: &[[f64; 10]],
    cvel: &[[f64; 6]],
    gyroscopic: &mut [Gyroscopic],
) {
    for (g, (inertia, vel)) in gyroscopic.iter_mut().zip(cinert.iter().zip(cvel)) {
        *g = body_gyroscopic(inertia, vel);
    }
    for i in (1..m.nbody).rev() {
        let parent = at(&m.body_parentid, i);
        if parent > 0 {
            let child = gyroscopic[i];
            for k in 0..12 {
                gyroscopic[parent][k] += child[k];
            }
        }
    }
}

/// `B` of one body.
#[inline(always)]
fn body_gyroscopic(i: &spatial::Inertia, vel: &spatial::Vec6) -> Gyroscopic {
    let (w, u) = (spatial::rotation(vel), spatial::translation(vel));
    let c: Vec3 = [i[6], i[7], i[8]];
    let p = vec3::sub(vec3::scale(u, i[9]), vec3::cross(c, w));
    let trace = i[0] + i[1] + i[2];
    let columns = [[i[0], i[3], i[4]], [i[3], i[1], i[5]], [i[4], i[5], i[2]]];
    let mut g = [0.0; 12];
    for (k, column) in columns.iter().enumerate() {
        let mut s = [0.0; 3];
        s[k] = 1.0;
        let c_s_u = vec3::cross(c, vec3::cross(s, u));
        let w_js = vec3::cross(w, *column);
        let s_w = vec3::cross(s, w);
        for row in 0..3 {
            g[3 * row + k] = trace * s_w[row] + 2.0 * (w_js[row] + c_s_u[row]);
        }
    }
    g[9..].copy_from_slice(&p);
    g
}
