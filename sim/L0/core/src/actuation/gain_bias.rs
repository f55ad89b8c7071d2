//! Force of an actuator: gain times control, plus bias.

use crate::math::rows;
use crate::{Data, Model};
use sim_types::{BiasType, GainType};

/// Computes `actuator_force` before clamping, from the controls in scratch.
pub(super) fn forces(m: &Model, d: &mut Data) {
    let gainprm = rows::<10>(&m.actuator_gainprm);
    let biasprm = rows::<10>(&m.actuator_biasprm);
    for i in 0..m.nu {
        if disabled(m, i) {
            continue;
        }
        let (length, velocity) = (d.actuator_length[i], d.actuator_velocity[i]);
        let gain = match m.actuator_gaintype[i] {
            GainType::Affine => affine(&gainprm[i], length, velocity),
            // the compiler refuses the kinds that are not built yet
            _ => gainprm[i][0],
        };
        let bias = match m.actuator_biastype[i] {
            BiasType::Affine => affine(&biasprm[i], length, velocity),
            _ => 0.0,
        };
        d.actuator_force[i] = gain * d.scratch.ctrl[i] + bias;
    }
}

/// Whether the actuator's group is switched off.
pub(super) fn disabled(m: &Model, i: usize) -> bool {
    let group = m.actuator_group[i];
    (0..=30).contains(&group) && m.opt.disableactuator & (1 << group) != 0
}

/// `a + b length + c velocity`.
fn affine(prm: &[f64; 10], length: f64, velocity: f64) -> f64 {
    prm[0] + prm[1] * length + prm[2] * velocity
}
