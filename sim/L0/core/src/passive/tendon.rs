//! Tendon springs and dampers with polynomial coefficients.

use crate::actuation::tendon_damping;
use crate::math::{at, poly, rows};
use crate::sleep::tendon_awake;
use crate::tendon::spring_deflection;
use crate::{Data, Model};

/// Adds tendon spring forces to `qfrc_spring`. Reads `ten_length`, `ten_J`.
pub(super) fn springs(m: &Model, d: &mut Data) {
    for i in 0..m.ntendon {
        if skipped(m, d, i) {
            continue;
        }
        let (k, poly) = (m.tendon_stiffness[i], rows::<2>(&m.tendon_stiffnesspoly)[i]);
        let x = spring_deflection(m, d, i);
        let force = -x * poly::stiffness(k, poly, x);
        add_tendon_force(m, &d.ten_J, i, force, &mut d.qfrc_spring);
    }
}

/// Adds tendon damper forces to `qfrc_damper`. Reads `ten_velocity`, `ten_J`.
pub(super) fn dampers(m: &Model, d: &mut Data) {
    for i in 0..m.ntendon {
        if skipped(m, d, i) {
            continue;
        }
        let (linear, poly) = tendon_damping(m, i);
        let v = d.ten_velocity[i];
        let force = -v * poly::damping(linear, poly, v);
        add_tendon_force(m, &d.ten_J, i, force, &mut d.qfrc_damper);
    }
}

/// Whether a tendon is skipped because all its trees are asleep or static.
fn skipped(m: &Model, d: &Data, i: usize) -> bool {
    d.any_asleep(m) && !tendon_awake(m, d, i)
}

/// `qfrc += Jᵀ force` for one tendon.
fn add_tendon_force(m: &Model, ten_j: &[f64], i: usize, force: f64, qfrc: &mut [f64]) {
    if force == 0.0 {
        return;
    }
    let start = at(&m.ten_J_rowadr, i);
    for adr in start..start + at(&m.ten_J_rownnz, i) {
        qfrc[at(&m.ten_J_colind, adr)] += ten_j[adr] * force;
    }
}
