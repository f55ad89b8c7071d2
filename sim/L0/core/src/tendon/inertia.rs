//! Tendon armature: its contribution `a Jᵀ J` to the mass matrix (`mj_tendonArmature`) and `a Jᵀ J̇ q̇` to
//! the bias force (`mj_tendonBias`).

use crate::math::vec3::{self, Vec3};
use crate::math::{at, rows, spatial};
use crate::sleep::tendon_asleep;
use crate::{Data, Model};
use sim_types::{JointType, MINVAL, WrapType};

/// Armature of tendon `i`, that of its actuators included (kg).
fn armature(m: &Model, i: usize) -> f64 {
    m.tendon_armature[i] + m.plan.actuator_terms.tendon_armature[i]
}

/// `M += a Jᵀ J` for every tendon, restricted to the sparsity pattern of `M`. Reads `ten_J`; updates `M`.
#[doc(alias = "mj_tendonArmature")]
pub(crate) fn add_armature(m: &Model, d: &mut Data) {
    for t in 0..m.ntendon {
        let armature = armature(m, t);
        if armature == 0.0 || d.any_asleep(m) && tendon_asleep(m, d, t) {
            continue;
        }
        let start = at(&m.ten_J_rowadr, t);
        let end = start + at(&m.ten_J_rownnz, t);
        let columns = &m.ten_J_colind[start..end];
        for adr in start..end {
            let scale = armature * d.ten_J[adr];
            let i = at(&m.ten_J_colind, adr);
            // rows of sleeping trees are kept from the step before
            if d.tree_awake[at(&m.dof_treeid, i)] == 0 {
                continue;
            }
            let mut entry = at(&m.M_rowadr, i);
            let last = entry + at(&m.M_rownnz, i);
            // merge of two increasing index lists
            for (value, &column) in d.ten_J[start..end].iter().zip(columns) {
                while entry < last && m.M_colind[entry] < column {
                    entry += 1;
                }
                if entry == last {
                    break;
                }
                if m.M_colind[entry] == column {
                    d.M[entry] += scale * value;
                    entry += 1;
                }
            }
        }
    }
}

/// `qfrc_bias += Jᵀ a J̇ q̇` for every tendon. Reads `ten_J`, `site_xpos`, `subtree_com`, `cdof`,
/// `cdof_dot`, `cvel`, `qvel`; updates `qfrc_bias`.
#[doc(alias = "mj_tendonBias")]
pub(crate) fn add_bias(m: &Model, d: &mut Data) {
    for t in 0..m.ntendon {
        let armature = armature(m, t);
        if armature == 0.0 || d.any_asleep(m) && tendon_asleep(m, d, t) {
            continue;
        }
        let force = armature * velocity_product(m, d, t);
        let start = at(&m.ten_J_rowadr, t);
        for adr in start..start + at(&m.ten_J_rownnz, t) {
            d.qfrc_bias[at(&m.ten_J_colind, adr)] += force * d.ten_J[adr];
        }
    }
}

/// `J̇ q̇` of a tendon: the second time derivative of its length at `q̈ = 0`. The model compiler rejects
/// armature of tendons that wrap around geoms, so only site-to-site segments occur.
#[doc(alias = "mj_tendonDot")]
fn velocity_product(m: &Model, d: &Data, t: usize) -> f64 {
    let adr = at(&m.tendon_adr, t);
    let last = adr + at(&m.tendon_num, t) - 1;
    let (mut sum, mut divisor) = (0.0, 1.0);
    for w in adr..last {
        if m.wrap_type[w] == WrapType::Pulley {
            divisor = m.wrap_prm[w];
        }
        if m.wrap_type[w] == WrapType::Site && m.wrap_type[w + 1] == WrapType::Site {
            let (from, to) = (at(&m.wrap_objid, w), at(&m.wrap_objid, w + 1));
            sum += segment_acceleration(m, d, from, to) / divisor;
        }
    }
    sum
}

/// Second time derivative of the distance between two sites at `q̈ = 0`:
/// `u·(a₁ − a₀) + |v⊥|²/length`, with `v⊥` the relative velocity normal to the segment.
fn segment_acceleration(m: &Model, d: &Data, from: usize, to: usize) -> f64 {
    if m.site_bodyid[from] == m.site_bodyid[to] {
        return 0.0;
    }
    let position = |site: usize| rows::<3>(&d.site_xpos)[site];
    let (from_pos, to_pos) = (position(from), position(to));
    let (direction, length) = vec3::normalize(vec3::sub(to_pos, from_pos));
    let (v0, a0) = point_motion(m, d, at(&m.site_bodyid, from), from_pos);
    let (v1, a1) = point_motion(m, d, at(&m.site_bodyid, to), to_pos);
    let velocity = vec3::sub(v1, v0);
    let normal = vec3::add_scaled(velocity, direction, -vec3::dot(direction, velocity));
    let centripetal = if length > MINVAL { vec3::dot(normal, velocity) / length } else { 0.0 };
    vec3::dot(direction, vec3::sub(a1, a0)) + centripetal
}

/// Velocity of a point fixed to a body, and its acceleration at `q̈ = 0`.
fn point_motion(m: &Model, d: &Data, body: usize, point: Vec3) -> (Vec3, Vec3) {
    let (cdof, cvel) = (rows::<6>(&d.cdof), rows::<6>(&d.cvel));
    let com = rows::<3>(&d.subtree_com)[at(&m.body_rootid, body)];
    let velocity = spatial::translation(&spatial::shift_motion(&cvel[body], com, point));
    let arm = vec3::sub(point, com);
    let mut acceleration = [0.0; 3];
    let mut b = body;
    while b > 0 {
        let first = m.body_dofadr[b].max(0) as usize;
        for k in first..first + m.body_dofnum[b] as usize {
            let joint = at(&m.dof_jntid, k);
            let body_fixed = match m.jnt_type[joint] {
                JointType::Ball => true,
                JointType::Free => k >= at(&m.jnt_dofadr, joint) + 3,
                JointType::Slide | JointType::Hinge => false,
            };
            // rotation axes of ball and free joints are fixed in the moved body
            let rate = if body_fixed {
                spatial::cross_motion(&cvel[b], &cdof[k])
            } else {
                rows::<6>(&d.cdof_dot)[k]
            };
            let axis_rate =
                vec3::add(spatial::translation(&rate), vec3::cross(spatial::rotation(&rate), arm));
            let arm_rate = vec3::cross(spatial::rotation(&cdof[k]), velocity);
            acceleration =
                vec3::add_scaled(acceleration, vec3::add(axis_rate, arm_rate), d.qvel[k]);
        }
        b = at(&m.body_parentid, b);
    }
    (velocity, acceleration)
}
