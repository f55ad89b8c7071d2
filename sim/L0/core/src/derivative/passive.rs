//! Velocity derivative of joint and tendon dampers (`mjd_passive_vel`).

use super::add_rank_one;
use crate::actuation::{dof_damping, tendon_damping};
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
