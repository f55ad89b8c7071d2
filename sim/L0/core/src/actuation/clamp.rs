//! Clamping of controls, activations and forces to their ranges.

use crate::math::{at, rows};
use crate::{Data, Model};
use sim_types::TransmissionType;

/// `value` clamped to a range; NaN is returned unchanged.
#[inline(always)]
pub(super) fn to(value: f64, [low, high]: [f64; 2]) -> f64 {
    if value < low {
        low
    } else if value > high {
        high
    } else {
        value
    }
}

/// Clamps every limited entry to its range; NaN entries are unchanged.
pub(super) fn range(values: &mut [f64], ranges: &[f64], limited: &[bool]) {
    for ((value, [low, high]), &limited) in values.iter_mut().zip(rows::<2>(ranges)).zip(limited) {
        if limited {
            *value = to(*value, [*low, *high]);
        }
    }
}

/// Scales the forces of the actuators of a tendon so that their sum is within `tendon_actfrcrange`.
pub(super) fn tendons(m: &Model, d: &mut Data) {
    if !m.tendon_actfrclimited.contains(&true) {
        return;
    }
    let total = &mut d.scratch.tendon_force;
    total.fill(0.0);
    let tendon = |i: usize| {
        let on = m.actuator_trntype[i] == TransmissionType::Tendon;
        on.then(|| at(&m.actuator_trnid, 2 * i)).filter(|&t| m.tendon_actfrclimited[t])
    };
    for (i, force) in d.actuator_force.iter().enumerate() {
        if let Some(t) = tendon(i) {
            total[t] += force;
        }
    }
    for (i, force) in d.actuator_force.iter_mut().enumerate() {
        let Some(t) = tendon(i).filter(|&t| total[t] != 0.0) else { continue };
        let [low, high] = rows::<2>(&m.tendon_actfrcrange)[t];
        if total[t] < low {
            *force *= low / total[t];
        } else if total[t] > high {
            *force *= high / total[t];
        }
    }
}

/// Clamps the total actuator force on each scalar joint to `jnt_actfrcrange`.
pub(super) fn joints(m: &Model, qfrc: &mut [f64]) {
    let ranges = rows::<2>(&m.jnt_actfrcrange);
    for j in 0..m.njnt {
        if m.jnt_actfrclimited[j] {
            let dof = at(&m.jnt_dofadr, j);
            qfrc[dof] = qfrc[dof].max(ranges[j][0]).min(ranges[j][1]);
        }
    }
}
