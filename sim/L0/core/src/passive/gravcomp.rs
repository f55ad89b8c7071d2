//! Gravity compensation: a share of each body's weight, taken off at its centre of mass.

use crate::math::{at, rows, vec3};
use crate::sleep::body_sleeps;
use crate::support::mj_apply_ft;
use crate::{Data, Model};
use sim_types::DisableBit;

/// Whether any body is lighter than its mass.
fn acts(m: &Model) -> bool {
    m.ngravcomp > 0 && !m.opt.disabled(DisableBit::Gravity) && m.opt.gravity != [0.0; 3]
}

/// Computes `qfrc_gravcomp`, and adds it to the passive forces of joints whose actuators do not
/// bear it.
pub(super) fn forces(m: &Model, d: &mut Data) {
    if !acts(m) {
        return;
    }
    let sleepers = d.sleepers(m);
    let mut qfrc = std::mem::take(&mut d.qfrc_gravcomp);
    for i in 1..m.nbody {
        if m.body_gravcomp[i] != 0.0 && !(sleepers && body_sleeps(d, i)) {
            let force = vec3::scale(m.opt.gravity, -(m.body_mass[i] * m.body_gravcomp[i]));
            mj_apply_ft(m, d, force, [0.0; 3], rows::<3>(&d.xipos)[i], i, &mut qfrc);
        }
    }
    d.qfrc_gravcomp = qfrc;
    add(m, &d.qfrc_gravcomp, false, &mut d.qfrc_passive);
}

/// Adds the compensation that actuators bear to their forces.
pub(crate) fn to_actuators(m: &Model, d: &mut Data) {
    if acts(m) {
        add(m, &d.qfrc_gravcomp, true, &mut d.qfrc_actuator);
    }
}

/// Adds the compensation of the joints whose `actuatorgravcomp` is `borne`.
fn add(m: &Model, qfrc: &[f64], borne: bool, total: &mut [f64]) {
    for j in (0..m.njnt).filter(|&j| m.jnt_actgravcomp[j] == borne) {
        let first = at(&m.jnt_dofadr, j);
        for k in first..first + m.jnt_type[j].nv() {
            total[k] += qfrc[k];
        }
    }
}
