//! Gravity compensation (`mj_gravcomp`): the force `−gravcomp · mass · gravity` at each body's centre of
//! mass.

use crate::math::{at, rows, vec3};
use crate::sleep::body_asleep;
use crate::support::mj_apply_ft;
use crate::{Data, Model};
use sim_types::DisableBit;

/// Whether the model has gravity and bodies with gravity compensation.
fn enabled(m: &Model) -> bool {
    m.ngravcomp > 0 && !m.opt.disabled(DisableBit::Gravity) && m.opt.gravity != [0.0; 3]
}

/// Computes `qfrc_gravcomp`, and adds it to `qfrc_passive` for joints without `jnt_actgravcomp`.
///
/// Reads `xipos`, `subtree_com`, `cdof`.
pub(super) fn forces(m: &Model, d: &mut Data) {
    if !enabled(m) {
        return;
    }
    let any_asleep = d.any_asleep(m);
    let mut qfrc = std::mem::take(&mut d.qfrc_gravcomp);
    for i in 1..m.nbody {
        if m.body_gravcomp[i] != 0.0 && !(any_asleep && body_asleep(d, i)) {
            let force = vec3::scale(m.opt.gravity, -(m.body_mass[i] * m.body_gravcomp[i]));
            mj_apply_ft(m, d, force, [0.0; 3], rows::<3>(&d.xipos)[i], i, &mut qfrc);
        }
    }
    d.qfrc_gravcomp = qfrc;
    add(m, &d.qfrc_gravcomp, false, &mut d.qfrc_passive);
}

/// Adds `qfrc_gravcomp` to `qfrc_actuator` for joints with `jnt_actgravcomp`.
pub(crate) fn add_to_actuators(m: &Model, d: &mut Data) {
    if enabled(m) {
        add(m, &d.qfrc_gravcomp, true, &mut d.qfrc_actuator);
    }
}

/// Adds the compensation of the joints with `jnt_actgravcomp == by_actuator` to `total`.
fn add(m: &Model, qfrc: &[f64], by_actuator: bool, total: &mut [f64]) {
    for j in (0..m.njnt).filter(|&j| m.jnt_actgravcomp[j] == by_actuator) {
        let first = at(&m.jnt_dofadr, j);
        for k in first..first + m.jnt_type[j].nv() {
            total[k] += qfrc[k];
        }
    }
}
