//! Springs and dampers of tendons, with polynomial coefficients.

use crate::lent::tendon_damping;
use crate::math::{at, poly, rows};
use crate::sleep::tendon_awake;
use crate::tendon::stretch;
use crate::{Data, Model};

/// Adds tendon spring forces to `qfrc_spring`.
pub(super) fn springs(m: &Model, d: &mut Data) {
    for i in 0..m.ntendon {
        if rests(m, d, i) {
            continue;
        }
        let (k, poly) = (m.tendon_stiffness[i], rows::<2>(&m.tendon_stiffnesspoly)[i]);
        let x = stretch(m, d, i);
        let force = -x * poly::stiffness(k, poly, x);
        pull(m, &d.ten_J, i, force, &mut d.qfrc_spring);
    }
}

/// Adds tendon damper forces to `qfrc_damper`.
pub(super) fn dampers(m: &Model, d: &mut Data) {
    for i in 0..m.ntendon {
        if rests(m, d, i) {
            continue;
        }
        let (linear, poly) = tendon_damping(m, i);
        let v = d.ten_velocity[i];
        let force = -v * poly::damping(linear, poly, v);
        pull(m, &d.ten_J, i, force, &mut d.qfrc_damper);
    }
}

/// Whether a tendon is passed over because nothing on it is awake.
fn rests(m: &Model, d: &Data, i: usize) -> bool {
    d.sleepers(m) && !tendon_awake(m, d, i)
}

/// `qfrc += Jᵀ force` for one tendon.
fn pull(m: &Model, ten_j: &[f64], i: usize, force: f64, qfrc: &mut [f64]) {
    if force == 0.0 {
        return;
    }
    let start = at(&m.ten_J_rowadr, i);
    for adr in start..start + at(&m.ten_J_rownnz, i) {
        qfrc[at(&m.ten_J_colind, adr)] += ten_j[adr] * force;
    }
}
