//! Limit rows of joints and tendons (`mj_instantiateLimit`).

use super::impedance::SolParams;
use super::row::{RowInfo, RowSet};
use crate::math::vec3::{normalize, scale};
use crate::math::{at, quat, rows};
use crate::sleep::{body_asleep, tendon_asleep};
use crate::{Data, Model};
use sim_types::{ConstraintType, DisableBit, JointType};

/// Adds a row for each limit whose distance is below its margin.
pub(super) fn add(m: &Model, d: &mut Data, out: &mut RowSet) {
    if m.opt.disabled(DisableBit::Limit) {
        return;
    }
    let any_asleep = d.any_asleep(m);
    for j in (0..m.njnt).filter(|&j| m.jnt_limited[j]) {
        if any_asleep && body_asleep(d, at(&m.jnt_bodyid, j)) {
            continue;
        }
        match m.jnt_type[j] {
            JointType::Slide | JointType::Hinge => scalar_joint(m, d, j, out),
            JointType::Ball => ball(m, d, j, out),
            JointType::Free => {}
        }
    }
    for i in (0..m.ntendon).filter(|&i| m.tendon_limited[i]) {
        if !(any_asleep && tendon_asleep(m, d, i)) {
            tendon(m, d, i, out);
        }
    }
}

/// Whether a limit may have a row: that of a ball joint, or one whose distance is below its margin.
pub(super) fn is_active(m: &Model, d: &Data) -> bool {
    let below = |range: [f64; 2], value: f64, margin: f64| {
        sides(range, value).iter().any(|&(dist, _)| dist < margin)
    };
    let joint = |j: usize| match m.jnt_type[j] {
        JointType::Slide | JointType::Hinge => {
            let value = d.qpos[at(&m.jnt_qposadr, j)];
            below(rows::<2>(&m.jnt_range)[j], value, m.jnt_margin[j])
        }
        JointType::Ball => true,
        JointType::Free => false,
    };
    let tendon =
        |i: usize| below(rows::<2>(&m.tendon_range)[i], d.ten_length[i], m.tendon_margin[i]);
    (0..m.njnt).any(|j| m.jnt_limited[j] && joint(j))
        || (0..m.ntendon).any(|i| m.tendon_limited[i] && tendon(i))
}

/// Distances to the lower and upper limit, each with the sign of its Jacobian.
fn sides([low, high]: [f64; 2], value: f64) -> [(f64, f64); 2] {
    [(-(low - value), 1.0), (high - value, -1.0)]
}

fn finish(out: &mut RowSet, params: &SolParams, diag: f64, dist: f64, margin: f64) {
    let row = out.len() - 1;
    out.pos[row] = dist;
    out.diag[row] = diag;
    out.make_impedance(row, params, dist - margin);
    out.finish_diag_approx(row);
}

fn joint_row(m: &Model, j: usize) -> (RowInfo, SolParams) {
    let common = RowInfo {
        kind: ConstraintType::LimitJoint,
        id: j,
        margin: m.jnt_margin[j],
        frictionloss: 0.0,
    };
    let (solref, solimp) = (rows::<2>(&m.jnt_solref)[j], rows::<5>(&m.jnt_solimp)[j]);
    (common, SolParams::new(&m.opt, solref, solimp))
}

fn scalar_joint(m: &Model, d: &Data, j: usize, out: &mut RowSet) {
    let (dof, margin) = (m.jnt_dofadr[j], m.jnt_margin[j]);
    let value = d.qpos[at(&m.jnt_qposadr, j)];
    for (dist, sign) in sides(rows::<2>(&m.jnt_range)[j], value) {
        if dist < margin {
            let (common, params) = joint_row(m, j);
            out.push([dof], [sign], &common);
            finish(out, &params, m.dof_invweight0[dof as usize], dist, margin);
        }
    }
}

fn ball(m: &Model, d: &Data, j: usize, out: &mut RowSet) {
    let (dof, margin) = (m.jnt_dofadr[j], m.jnt_margin[j]);
    let q = quat_at(&d.qpos, at(&m.jnt_qposadr, j));
    let (axis, angle) = normalize(quat::to_velocity(quat::normalize(q), 1.0));
    let [low, high] = rows::<2>(&m.jnt_range)[j];
    let dist = low.max(high) - angle;
    if dist < margin {
        let (common, params) = joint_row(m, j);
        if out.push([dof, dof + 1, dof + 2], scale(axis, -1.0), &common) {
            finish(out, &params, m.dof_invweight0[dof as usize], dist, margin);
        }
    }
}

/// Quaternion at address `start`.
fn quat_at(values: &[f64], start: usize) -> [f64; 4] {
    [values[start], values[start + 1], values[start + 2], values[start + 3]]
}

fn tendon(m: &Model, d: &mut Data, i: usize, out: &mut RowSet) {
    let margin = m.tendon_margin[i];
    for (dist, sign) in sides(rows::<2>(&m.tendon_range)[i], d.ten_length[i]) {
        if dist >= margin {
            continue;
        }
        let common =
            RowInfo { kind: ConstraintType::LimitTendon, id: i, margin, frictionloss: 0.0 };
        let row = super::tendon_row(m, i);
        let entries = d.ten_J[row.clone()].iter().map(|x| sign * x);
        if out.push(m.ten_J_colind[row].iter().copied(), entries, &common) {
            super::set_tendon_efcadr(d, i, out.len() - 1);
            let solref = rows::<2>(&m.tendon_solref_lim)[i];
            let solimp = rows::<5>(&m.tendon_solimp_lim)[i];
            let params = SolParams::new(&m.opt, solref, solimp);
            finish(out, &params, m.tendon_invweight0[i], dist, margin);
        }
    }
}
