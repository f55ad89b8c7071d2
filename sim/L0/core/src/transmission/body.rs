//! Body transmission (adhesion): the force acts along the normals of the body's contacts.

use super::compress;
use crate::jacobian::for_each_dof;
use crate::math::at;
use crate::math::vec3;
use crate::{Data, Model};

/// Fills the moment row of actuator `i` from `adr` on; returns its number of entries. The moment is the mean
/// over the body's contacts, those inside the gap included; the actuator length is 0.
pub(super) fn transmit(m: &Model, d: &mut Data, i: usize, adr: usize) -> usize {
    let body = at(&m.actuator_trnid, 2 * i);
    let mut row = std::mem::take(&mut d.scratch.dof_row);
    d.actuator_length[i] = 0.0;
    let mut count = 0;
    for contact in d.contact.iter().filter(|contact| contact.exclude <= 1) {
        let [Ok(g1), Ok(g2)] = contact.geom.map(usize::try_from) else { continue };
        let bodies = [at(&m.geom_bodyid, g1), at(&m.geom_bodyid, g2)];
        if !bodies.contains(&body) {
            continue;
        }
        count += 1;
        let normal = [contact.frame[0], contact.frame[1], contact.frame[2]];
        for (body, sign) in bodies.into_iter().zip([-1.0, 1.0]) {
            for_each_dof(m, d, body, contact.pos, |dof, linear, _| {
                row[dof] += sign * vec3::dot(normal, linear);
            });
        }
    }
    let nnz = compress(d, &mut row, -1.0 / f64::from(count.max(1)), adr);
    d.scratch.dof_row = row;
    nnz
}
