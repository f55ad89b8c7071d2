//! Velocity derivative of joint, tendon and flex edge dampers (`mjd_passive_vel`).

use super::add_rank_one;
use crate::actuation::{dof_damping, tendon_damping};
use crate::flex::{edge_row, edges};
use crate::math::{at, poly};
use crate::{Data, Model};
use sim_types::DisableBit;

/// Adds the derivative of joint damping to `qDeriv`. Reads `qvel`.
pub(super) fn add_joints(m: &Model, d: &mut Data) {
    if m.opt.disabled(DisableBit::Damper) {
        return;
    }
    for i in 0..m.nv {
        let (linear, poly) = dof_damping(m, i);
        let diagonal = at(&m.D_rowadr, i) + at(&m.D_diag, i);
        d.qDeriv[diagonal] -= poly::damping_derivative(linear, poly, d.qvel[i]);
    }
}

/// Adds the derivative of tendon damping to `qDeriv`. Reads `ten_velocity`, `ten_J`.
pub(super) fn add_tendons(m: &Model, d: &mut Data) {
    if m.opt.disabled(DisableBit::Damper) {
        return;
    }
    for i in 0..m.ntendon {
        let (linear, poly) = tendon_damping(m, i);
        let derivative = -poly::damping_derivative(linear, poly, d.ten_velocity[i]);
        if derivative != 0.0 {
            let start = at(&m.ten_J_rowadr, i);
            let row = start..start + at(&m.ten_J_rownnz, i);
            let Data { ten_J, qDeriv, .. } = d;
            add_rank_one(m, qDeriv, &m.ten_J_colind[row.clone()], &ten_J[row], derivative);
        }
    }
}

/// Adds the derivative of the damping of flex edges to `qDeriv`. Reads `flexedge_J`.
pub(super) fn add_flex_edges(m: &Model, d: &mut Data) {
    if m.opt.disabled(DisableBit::Damper) {
        return;
    }
    let Data { flexedge_J, qDeriv, .. } = d;
    for f in (0..m.nflex).filter(|&f| !m.flex_rigid[f] && m.flex_edgedamping[f] != 0.0) {
        for e in edges(m, f).filter(|&e| !m.flexedge_rigid[e]) {
            let row = edge_row(m, e);
            let columns = &m.flexedge_J_colind[row.clone()];
            add_rank_one(m, qDeriv, columns, &flexedge_J[row], -m.flex_edgedamping[f]);
        }
    }
}
