//! Springs and dampers of flex edges.

use crate::flex::{edge_row, edges};
use crate::{Data, Model};

/// Adds the forces of edge springs to `qfrc_spring` and of edge dampers to `qfrc_damper`.
pub(super) fn forces(m: &Model, d: &mut Data, spring: bool, damper: bool) {
    let Data { flexedge_J, flexedge_length, flexedge_velocity, qfrc_spring, qfrc_damper, .. } = d;
    for f in 0..m.nflex {
        let stiffness = if spring { m.flex_edgestiffness[f] } else { 0.0 };
        let damping = if damper { m.flex_edgedamping[f] } else { 0.0 };
        if m.flex_rigid[f] || (stiffness == 0.0 && damping == 0.0) {
            continue;
        }
        for e in edges(m, f).filter(|&e| !m.flexedge_rigid[e]) {
            let row = edge_row(m, e);
            let entries = m.flexedge_J_colind[row.clone()].iter().zip(&flexedge_J[row]);
            let pull = stiffness * (m.flexedge_length0[e] - flexedge_length[e]);
            let drag = -damping * flexedge_velocity[e];
            if stiffness != 0.0 {
                entries.clone().for_each(|(&c, j)| qfrc_spring[c as usize] += j * pull);
            }
            if damping != 0.0 {
                entries.for_each(|(&c, j)| qfrc_damper[c as usize] += j * drag);
            }
        }
    }
}
