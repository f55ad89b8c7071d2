//! Velocity derivative of passive forces (`mjd_passive_vel`).

use super::add_rank_one;
use crate::lent::{dof_damping, tendon_damping};
use crate::math::{at, poly};
use crate::{Data, Model};
use sim_types::DisableBit;

/// Adds the part of `∂qfrc_passive / ∂qvel` that joints cause to `qDeriv`.
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

/// Adds the part of `∂qfrc_passive / ∂qvel` that tendons cause to `qDeriv`.
pub(super) fn add_tendons(m: &Model, d: &mut Data) {
    if m.opt.disabled(DisableBit::Damper) {
        return;
    }
    for i in 0..m.ntendon {
        let (linear, poly) = tendon_damping(m, i);
        let slope = -poly::damping_derivative(linear, poly, d.ten_velocity[i]);
        if slope != 0.0 {
            let start = at(&m.ten_J_rowadr, i);
            let row = start..start + at(&m.ten_J_rownnz, i);
            let Data { ten_J, qDeriv, .. } = d;
            add_rank_one(m, qDeriv, &m.ten_J_colind[row.clone()], &ten_J[row], slope);
        }
    }
}
