//! Tendon transmission: length and Jacobian of the tendon, times the gear.

use crate::math::at;
use crate::{Data, Model};

/// Fills the moment row of actuator `i` from `adr` on; returns its number of entries.
pub(super) fn transmit(m: &Model, d: &mut Data, i: usize, gear: f64, adr: usize) -> usize {
    let tendon = at(&m.actuator_trnid, 2 * i);
    d.actuator_length[i] = d.ten_length[tendon] * gear;
    let nnz = at(&m.ten_J_rownnz, tendon);
    let from = at(&m.ten_J_rowadr, tendon)..at(&m.ten_J_rowadr, tendon) + nnz;
    d.moment_colind[adr..adr + nnz].copy_from_slice(&m.ten_J_colind[from.clone()]);
    for (to, j) in d.actuator_moment[adr..adr + nnz].iter_mut().zip(&d.ten_J[from]) {
        *to = j * gear;
    }
    nnz
}
