//! Actuator velocities (part of `mj_fwdVelocity`).

use crate::{Data, Model};
use sim_types::DisableBit;

/// `actuator_velocity = actuator_moment · qvel`; zero if actuation is disabled.
pub(crate) fn actuator_velocity(m: &Model, d: &mut Data) {
    let off = m.opt.disabled(DisableBit::Actuation);
    for i in 0..m.nu {
        let start = d.moment_rowadr[i] as usize;
        let end = start + d.moment_rownnz[i] as usize;
        let row = d.actuator_moment[start..end].iter().zip(&d.moment_colind[start..end]);
        d.actuator_velocity[i] =
            if off { 0.0 } else { row.map(|(r, &dof)| r * d.qvel[dof as usize]).sum() };
    }
}
