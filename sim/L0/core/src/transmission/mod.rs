//! Transmissions: how actuators act on joints (`mj_transmission`).

mod joint;

use crate::math::{at, rows};
use crate::{Data, Model};
use sim_types::TransmissionType;

/// Computes actuator lengths and moment arms.
///
/// Reads `qpos`. Writes `actuator_length`, `moment_rownnz`, `moment_rowadr`, `moment_colind`,
/// `actuator_moment`.
pub fn mj_transmission(m: &Model, d: &mut Data) {
    let gear = rows::<6>(&m.actuator_gear);
    let mut adr = 0;
    for i in 0..m.nu {
        d.moment_rowadr[i] = adr as i32;
        let nnz = match m.actuator_trntype[i] {
            TransmissionType::Joint => {
                joint::transmit(m, d, i, at(&m.actuator_trnid, 2 * i), &gear[i], adr, false)
            }
            TransmissionType::JointInParent => {
                joint::transmit(m, d, i, at(&m.actuator_trnid, 2 * i), &gear[i], adr, true)
            }
            // the compiler refuses the kinds that are not built yet
            _ => 0,
        };
        d.moment_rownnz[i] = nnz as i32;
        adr += nnz;
    }
}
