//! Constants computed from the dynamics at `qpos0` (`set0`).

use super::{equality, flex};
use crate::flex::{edge_lengths, mj_flex};
use crate::inertia::{composite_inertias, mj_factor_m, mj_make_m, solve_m_tree};
use crate::jacobian::for_each_dof;
use crate::kinematics::camlight::{set_camera_pose, set_light_pose};
use crate::kinematics::{mj_com_pos, mj_kinematics};
use crate::math::{at, dot, rows, rows_mut, spatial, vec3};
use crate::tendon::mj_tendon;
use crate::transmission::mj_transmission;
use crate::{Data, Model};
use sim_types::{CamLightMode, JointType, MINVAL};

/// Runs the position stages at `qpos0` and stores the model constants.
pub(super) fn set(m: &mut Model, d: &mut Data) {
    d.reset(m);
    mj_kinematics(m, d);
    mj_com_pos(m, d);
    diagonal_inertia(m, d);
    mj_tendon(m, d);
    mj_make_m(m, d);
    mj_factor_m(m, d);
    mj_flex(m, d);
    edge_lengths(m, d);
    mj_transmission(m, d);
    m.tendon_length0.copy_from_slice(&d.ten_length);
    m.actuator_length0.copy_from_slice(&d.actuator_length);
    body_inverse_weights(m, d);
    dof_inverse_weights(m, d);
    flex::set_at_reference(m, d);
    tendon_inverse_weights(m, d);
    actuator_accelerations(m, d);
    equality::set(m, d);
    cameras_and_lights(m, d);
    resolve_damping_ratios(m, d);
}

/// `dof_M0`: the diagonal of `M`, which `mj_crb` uses for simple dofs.
fn diagonal_inertia(m: &mut Model, d: &mut Data) {
    let crb = rows_mut::<10>(&mut d.crb);
    composite_inertias(m, rows(&d.cinert), crb);
    let cdof = rows::<6>(&d.cdof);
    for i in 0..m.nv {
        let force = spatial::mul_inertia(&crb[at(&m.dof_bodyid, i)], &cdof[i]);
        let armature = m.dof_armature[i] + m.plan.actuator_terms.dof_armature[i];
        m.dof_M0[i] = armature + spatial::dot(&cdof[i], &force);
    }
}

/// `body_invweight0`: translational and rotational mean of the diagonal of `J M⁻¹ Jᵀ` at the centre
/// of mass.
fn body_inverse_weights(m: &mut Model, d: &Data) {
    let mut x = vec![0.0; m.nv];
    for i in 0..m.nbody {
        let weld = at(&m.body_weldid, i);
        let weights = if weld == 0 {
            [0.0; 2]
        } else if m.body_simple[i] == 2 {
            [1.0 / m.body_mass[i].max(MINVAL), 0.0]
        } else {
            let last = at(&m.body_dofadr, weld) + at(&m.body_dofnum, weld) - 1;
            let point = rows::<3>(&d.xipos)[i];
            let mut sums = [0.0; 6];
            for (row, sum) in sums.iter_mut().enumerate() {
                for_each_dof(m, d, i, point, |k, linear, angular| {
                    x[k] = if row < 3 { linear[row] } else { angular[row - 3] };
                });
                *sum = inverse_norm(m, d, last, &mut x);
            }
            [(sums[0] + sums[1] + sums[2]) / 3.0, (sums[3] + sums[4] + sums[5]) / 3.0]
        };
        m.body_invweight0[2 * i..2 * i + 2].copy_from_slice(&weights);
    }
}

/// `dof_invweight0`: mean of the diagonal of `M⁻¹` over the translational or rotational dofs of each
/// joint.
fn dof_inverse_weights(m: &mut Model, d: &Data) {
    let mut x = vec![0.0; m.nv];
    for j in 0..m.njnt {
        let body = at(&m.jnt_bodyid, j);
        let groups: &[usize] = match m.jnt_type[j] {
            JointType::Free => &[3, 3],
            JointType::Ball => &[3],
            JointType::Slide | JointType::Hinge => &[1],
        };
        let mut first = at(&m.jnt_dofadr, j);
        for &count in groups {
            let mean = if m.body_simple[body] == 2 {
                1.0 / m.body_mass[body].max(MINVAL)
            } else {
                let mut sum = 0.0;
                for k in first..first + count {
                    x[k] = 1.0;
                    sum += inverse_norm(m, d, k, &mut x);
                }
                sum / count as f64
            };
            m.dof_invweight0[first..first + count].fill(mean);
            first += count;
        }
    }
}

/// `xᵀ M⁻¹ x` for an `x` supported on `last` and its ancestors; sets `x` to zero.
fn inverse_norm(m: &Model, d: &Data, last: usize, x: &mut [f64]) -> f64 {
    let parent = |i: &usize| usize::try_from(m.dof_parentid[*i]).ok();
    inverse_norm_over(m, d, std::iter::successors(Some(last), parent), x)
}

/// `xᵀ M⁻¹ x` for an `x` supported on `dofs`, which are closed under ancestors and in decreasing
/// order; sets `x` to zero.
///
/// `M⁻¹ = L⁻¹ D⁻¹ L⁻ᵀ`, and `L⁻ᵀ` propagates entries to ancestors only, so that other dofs do not
/// contribute.
pub(super) fn inverse_norm_over(
    m: &Model,
    d: &Data,
    dofs: impl Iterator<Item = usize>,
    x: &mut [f64],
) -> f64 {
    let mut sum = 0.0;
    for i in dofs {
        let value = std::mem::take(&mut x[i]);
        sum += value * value * d.qLDiagInv[i];
        let start = at(&m.M_rowadr, i);
        for adr in start..start + at(&m.M_rownnz, i) - 1 {
            x[at(&m.M_colind, adr)] -= d.qLD[adr] * value;
        }
    }
    sum
}

/// Trees of some dofs, sorted.
pub(super) fn trees_of(m: &Model, dofs: &[i32], trees: &mut Vec<usize>) {
    trees.clear();
    trees.extend(dofs.iter().map(|&i| at(&m.dof_treeid, i as usize)));
    trees.sort_unstable();
    trees.dedup();
}

/// Dof range of a tree.
pub(super) fn dofs_of(m: &Model, tree: usize) -> std::ops::Range<usize> {
    let first = at(&m.tree_dofadr, tree);
    first..first + at(&m.tree_dofnum, tree)
}

/// `tendon_invweight0 = J M⁻¹ Jᵀ`.
fn tendon_inverse_weights(m: &mut Model, d: &Data) {
    let (mut row, mut trees) = (vec![0.0; m.nv], Vec::new());
    for i in 0..m.ntendon {
        let start = at(&m.ten_J_rowadr, i);
        let entries = start..start + at(&m.ten_J_rownnz, i);
        for adr in entries.clone() {
            row[at(&m.ten_J_colind, adr)] = d.ten_J[adr];
        }
        trees_of(m, &m.ten_J_colind[entries], &mut trees);
        let dofs = trees.iter().rev().flat_map(|&tree| dofs_of(m, tree).rev());
        m.tendon_invweight0[i] = inverse_norm_over(m, d, dofs, &mut row);
    }
}

/// `tendon_lengthspring` of tendons that do not specify it: the length at `qpos_spring`.
pub(super) fn set_spring_lengths(m: &mut Model, d: &mut Data) {
    if rows::<2>(&m.tendon_lengthspring).iter().all(|&lengths| lengths != [-1.0; 2]) {
        return;
    }
    d.qpos.copy_from_slice(&m.qpos_spring);
    mj_kinematics(m, d);
    mj_com_pos(m, d);
    mj_tendon(m, d);
    for (lengths, &now) in rows_mut::<2>(&mut m.tendon_lengthspring).iter_mut().zip(&d.ten_length) {
        if *lengths == [-1.0; 2] {
            *lengths = [now; 2];
        }
    }
}

/// `actuator_acc0`: norm of the joint acceleration caused by unit actuator force.
fn actuator_accelerations(m: &mut Model, d: &Data) {
    let (mut moment, mut trees) = (vec![0.0; m.nv], Vec::new());
    for i in 0..m.nu {
        let start = d.moment_rowadr[i] as usize;
        let entries = start..start + d.moment_rownnz[i] as usize;
        for adr in entries.clone() {
            moment[d.moment_colind[adr] as usize] = d.actuator_moment[adr];
        }
        trees_of(m, &d.moment_colind[entries], &mut trees);
        let mut sum = 0.0;
        for &tree in &trees {
            solve_m_tree(m, d, tree, &mut moment);
            let part = &mut moment[dofs_of(m, tree)];
            sum += dot(part, part);
            part.fill(0.0);
        }
        m.actuator_acc0[i] = sum.sqrt();
    }
}

/// Offsets of cameras and lights from the bodies and subtrees that they track, in fixed mode.
fn cameras_and_lights(m: &mut Model, d: &mut Data) {
    let tracked = |target: i32, body: usize| usize::try_from(target).unwrap_or(body);
    for i in 0..m.ncam {
        set_camera_pose(m, d, i, CamLightMode::Fixed);
        let body = at(&m.cam_bodyid, i);
        let com = rows::<3>(&d.subtree_com)[tracked(m.cam_targetbodyid[i], body)];
        let pos = rows::<3>(&d.cam_xpos)[i];
        rows_mut::<3>(&mut m.cam_pos0)[i] = vec3::sub(pos, rows::<3>(&d.xpos)[body]);
        rows_mut::<3>(&mut m.cam_poscom0)[i] = vec3::sub(pos, com);
        rows_mut::<9>(&mut m.cam_mat0)[i] = rows::<9>(&d.cam_xmat)[i];
    }
    for i in 0..m.nlight {
        set_light_pose(m, d, i, CamLightMode::Fixed);
        let body = at(&m.light_bodyid, i);
        let com = rows::<3>(&d.subtree_com)[tracked(m.light_targetbodyid[i], body)];
        let pos = rows::<3>(&d.light_xpos)[i];
        rows_mut::<3>(&mut m.light_pos0)[i] = vec3::sub(pos, rows::<3>(&d.xpos)[body]);
        rows_mut::<3>(&mut m.light_poscom0)[i] = vec3::sub(pos, com);
        rows_mut::<3>(&mut m.light_dir0)[i] = rows::<3>(&d.light_xdir)[i];
    }
}

/// Converts the damping ratio of position servos (positive `biasprm[2]`) to a damping coefficient
/// for the reflected inertia.
fn resolve_damping_ratios(m: &mut Model, d: &Data) {
    for i in 0..m.nu {
        let gain = m.actuator_gainprm[10 * i];
        let ratio = m.actuator_biasprm[10 * i + 2];
        if gain != -m.actuator_biasprm[10 * i + 1] || ratio <= 0.0 {
            continue;
        }
        let start = d.moment_rowadr[i] as usize;
        let mut mass = 0.0;
        for adr in start..start + d.moment_rownnz[i] as usize {
            let square = d.actuator_moment[adr] * d.actuator_moment[adr];
            if square > MINVAL {
                mass += m.dof_M0[d.moment_colind[adr] as usize] / square;
            }
        }
        m.actuator_biasprm[10 * i + 2] = -2.0 * ratio * (gain * mass).sqrt();
    }
}
