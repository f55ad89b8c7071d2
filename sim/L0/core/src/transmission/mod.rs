//! Transmissions: actuator lengths and moment arms (`mj_transmission`), one file for each
//! [`TransmissionType`].
//!
//! The moment of an actuator is the row `∂length/∂q`, so that its generalized force is `momentᵀ force`. Rows
//! are stored in compressed form, one after another, in the order of the actuators.

mod body;
mod joint;
mod site;
mod slider_crank;
mod tendon;
mod velocity;

pub(crate) use velocity::actuator_velocity;

use crate::jacobian::for_each_dof;
use crate::math::vec3::Vec3;
use crate::math::{at, rows};
use crate::sleep::actuator_asleep;
use crate::{Data, Model};
use sim_types::TransmissionType;

/// Computes actuator lengths and moment arms. Actuators of sleeping trees get an empty row.
///
/// Reads `qpos`, `site_xpos`, `site_xmat`, `xquat`, `subtree_com`, `cdof`, `ten_length`, `ten_J`, `contact`.
/// Writes `actuator_length`, `moment_rownnz`, `moment_rowadr`, `moment_colind`,
/// `actuator_moment`.
pub fn mj_transmission(m: &Model, d: &mut Data) {
    let gear = rows::<6>(&m.actuator_gear);
    let any_asleep = d.any_asleep(m);
    let mut adr = 0;
    for i in 0..m.nu {
        d.moment_rowadr[i] = adr as i32;
        if any_asleep && actuator_asleep(m, d, i) {
            d.moment_rownnz[i] = 0;
            continue;
        }
        let target = at(&m.actuator_trnid, 2 * i);
        if m.plan.scalar_transmission[i] {
            d.actuator_length[i] = gear[i][0] * d.qpos[at(&m.jnt_qposadr, target)];
            d.actuator_moment[adr] = gear[i][0];
            d.moment_colind[adr] = m.jnt_dofadr[target];
            d.moment_rownnz[i] = 1;
            adr += 1;
            continue;
        }
        let nnz = match m.actuator_trntype[i] {
            TransmissionType::Joint => joint::transmit(m, d, i, target, &gear[i], adr, false),
            TransmissionType::JointInParent => {
                joint::transmit(m, d, i, target, &gear[i], adr, true)
            }
            TransmissionType::Tendon => tendon::transmit(m, d, i, gear[i][0], adr),
            TransmissionType::Site => site::transmit(m, d, i, &gear[i], adr),
            TransmissionType::SliderCrank => slider_crank::transmit(m, d, i, gear[i][0], adr),
            TransmissionType::Body => body::transmit(m, d, i, adr),
            TransmissionType::Undefined => {
                d.actuator_length[i] = 0.0;
                0
            }
        };
        d.moment_rownnz[i] = nnz as i32;
        adr += nnz;
    }
}

/// Calls `f(dof, linear, angular)` with the Jacobian columns of a site, for every dof that moves it.
fn site_jacobian(m: &Model, d: &Data, site: usize, f: impl FnMut(usize, Vec3, Vec3)) {
    for_each_dof(m, d, at(&m.site_bodyid, site), rows::<3>(&d.site_xpos)[site], f);
}

/// Stores the nonzero entries of a dense row, times `scale`, from `adr` on and clears the row; returns their
/// number.
fn compress(d: &mut Data, row: &mut [f64], scale: f64, adr: usize) -> usize {
    let mut nnz = 0;
    for (k, value) in row.iter_mut().enumerate() {
        if *value != 0.0 {
            d.actuator_moment[adr + nnz] = scale * *value;
            d.moment_colind[adr + nnz] = k as i32;
            nnz += 1;
            *value = 0.0;
        }
    }
    nnz
}
