//! Limits of joints and tendons.

use super::impedance::Softness;
use super::row::{Common, RowSet};
use crate::math::vec3::{normalize, scale};
use crate::math::{at, quat, rows};
use crate::sleep::{body_sleeps, tendon_sleeps};
use crate::{Data, Model};
use sim_types::{ConstraintType, DisableBit, JointType};

/// Adds a row for each limit that is nearer than its margin.
pub(super) fn add(m: &Model, d: &mut Data, out: &mut RowSet) {
    if m.opt.disabled(DisableBit::Limit) {
        return;
    }
    let sleepers = d.sleepers(m);
    for j in (0..m.njnt).filter(|&j| m.jnt_limited[j]) {
        if sleepers && body_sleeps(d, at(&m.jnt_bodyid, j)) {
            continue;
        }
        match m.jnt_type[j] {
            JointType::Slide | JointType::Hinge => scalar_joint(m, d, j, out),
            JointType::Ball => ball(m, d, j, out),
            JointType::Free => {}
        }
    }
    for i in (0..m.ntendon).filter(|&i| m.tendon_limited[i]) {
        if !(sleepers && tendon_sleeps(m, d, i)) {
            tendon(m, d, i, out);
        }
    }
}

/// Distances from the lower and the upper end of a range, each with the sign of its row.
fn sides([low, high]: [f64; 2], value: f64) -> [(f64, f64); 2] {
    [(-(low - value), 1.0), (high - value, -1.0)]
}

fn finish(out: &mut RowSet, softness: &Softness, diag: f64, dist: f64, margin: f64) {
    let row = out.len() - 1;
    out.pos[row] = dist;
    out.diag[row] = diag;
    out.soften(row, softness, dist - margin);
    out.settle(row);
}

fn joint_row(m: &Model, j: usize) -> (Common, Softness) {
    let common = Common {
        kind: ConstraintType::LimitJoint,
        id: j,
        margin: m.jnt_margin[j],
        frictionloss: 0.0,
    };
    let (solref, solimp) = (rows::<2>(&m.jnt_solref)[j], rows::<5>(&m.jnt_solimp)[j]);
    (common, Softness::new(m, solref, solimp))
}

fn scalar_joint(m: &Model, d: &Data, j: usize, out: &mut RowSet) {
    let (dof, margin) = (m.jnt_dofadr[j], m.jnt_margin[j]);
    let value = d.qpos[at(&m.jnt_qposadr, j)];
    for (dist, sign) in sides(rows::<2>(&m.jnt_range)[j], value) {
        if dist < margin {
            let (common, softness) = joint_row(m, j);
            out.push([dof], [sign], &common);
            finish(out, &softness, m.dof_invweight0[dof as usize], dist, margin);
        }
    }
}

fn ball(m: &Model, d: &Data, j: usize, out: &mut RowSet) {
    let (dof, margin) = (m.jnt_dofadr[j], m.jnt_margin[j]);
    let q = rows_at(&d.qpos, at(&m.jnt_qposadr, j));
    let (axis, angle) = normalize(quat::to_velocity(quat::normalize(q), 1.0));
    let [low, high] = rows::<2>(&m.jnt_range)[j];
    let dist = low.max(high) - angle;
    if dist < margin {
        let (common, softness) = joint_row(m, j);
        if out.push([dof, dof + 1, dof + 2], scale(axis, -1.0), &common) {
            finish(out, &softness, m.dof_invweight0[dof as usize], dist, margin);
        }
    }
}

/// Four numbers from `start` on.
fn rows_at(values: &[f64], start: usize) -> [f64; 4] {
    [values[start], values[start + 1], values[start + 2], values[start + 3]]
}

fn tendon(m: &Model, d: &mut Data, i: usize, out: &mut RowSet) {
    let margin = m.tendon_margin[i];
    for (dist, sign) in sides(rows::<2>(&m.tendon_range)[i], d.ten_length[i]) {
        if dist >= margin {
            continue;
        }
        let common = Common { kind: ConstraintType::LimitTendon, id: i, margin, frictionloss: 0.0 };
        let row = super::tendon_row(m, i);
        let entries = d.ten_J[row.clone()].iter().map(|x| sign * x);
        if out.push(m.ten_J_colind[row].iter().copied(), entries, &common) {
            super::mark_tendon(d, i, out.len() - 1);
            let solref = rows::<2>(&m.tendon_solref_lim)[i];
            let solimp = rows::<5>(&m.tendon_solimp_lim)[i];
            let softness = Softness::new(m, solref, solimp);
            finish(out, &softness, m.tendon_invweight0[i], dist, margin);
        }
    }
}
