//! Velocity derivative of the generalized actuator force (`mjd_actuator_vel`): `momentᵀ ∂force/∂v moment`.

use super::add_rank_one;
use crate::actuation::force_vel_derivative;
use crate::{Data, Model};
use sim_types::DisableBit;

/// Adds `∂qfrc_actuator / ∂qvel` to `qDeriv`.
pub(super) fn add(m: &Model, d: &mut Data) {
    if m.opt.disabled(DisableBit::Actuation) {
        return;
    }
    for i in 0..m.nu {
        let derivative = force_vel_derivative(m, d, i);
        if derivative != 0.0 {
            let start = d.moment_rowadr[i] as usize;
            let row = start..start + d.moment_rownnz[i] as usize;
            let Data { moment_colind, actuator_moment, qDeriv, .. } = d;
            add_rank_one(m, qDeriv, &moment_colind[row.clone()], &actuator_moment[row], derivative);
        }
    }
}
