//! The stage `mj_flex`, edge velocities, and the ranges of the elements of a flex.

use super::edges::edge_row;
use super::{bounds, strain};
use crate::math::at;
use crate::{Data, Model};
use std::ops::Range;

/// Computes vertices, bounding boxes, edge lengths and vertex strains of all flexes, with their Jacobians.
///
/// Reads `xpos`, `xmat`, `subtree_com`, `cdof`. Writes `flexvert_xpos`, `flexelem_aabb`, `bvh_aabb_dyn`,
/// `flexedge_length`, `flexedge_J`, `flexvert_length`, `flexvert_J`.
pub fn mj_flex(m: &Model, d: &mut Data) {
    for f in 0..m.nflex {
        super::vertices::set(m, d, f);
        bounds::set(m, d, f);
        if m.flex_rigid[f] || m.flex_interp[f] != 0 {
            continue;
        }
        super::edges::set(m, d, f);
        if m.flex_dim[f] == 2 && m.flex_edgeequality[f] == 2 {
            strain::set(m, d, f);
        }
    }
}

/// `flexedge_velocity`: rate of change of edge lengths, `flexedge_J qvel`.
pub(crate) fn velocity(m: &Model, d: &mut Data) {
    if m.nflexedge == 0 {
        return;
    }
    let Data { flexedge_velocity, flexedge_J, qvel, .. } = d;
    // edges without a Jacobian have the velocity zero
    for f in (0..m.nflex).filter(|&f| !m.flex_rigid[f] && m.flex_interp[f] == 0) {
        for e in edges(m, f) {
            let row = edge_row(m, e);
            let columns = m.flexedge_J_colind[row.clone()].iter();
            let entries = columns.zip(&flexedge_J[row]);
            flexedge_velocity[e] = entries.map(|(&c, j)| j * qvel[c as usize]).sum();
        }
    }
}

/// Edge lengths of every flex with its own vertices, also of rigid ones; for the rest lengths.
pub(crate) fn edge_lengths(m: &Model, d: &mut Data) {
    for f in (0..m.nflex).filter(|&f| m.flex_interp[f] == 0) {
        super::edges::set_lengths(m, d, f);
    }
}

/// Range of elements given by an address and a count.
pub(crate) fn span(adr: &[i32], num: &[i32], f: usize) -> Range<usize> {
    let first = at(adr, f);
    first..first + at(num, f)
}

/// Vertices of a flex.
pub(crate) fn vertices(m: &Model, f: usize) -> Range<usize> {
    span(&m.flex_vertadr, &m.flex_vertnum, f)
}

/// Nodes of a flex.
pub(crate) fn nodes(m: &Model, f: usize) -> Range<usize> {
    span(&m.flex_nodeadr, &m.flex_nodenum, f)
}

/// Edges of a flex.
pub(crate) fn edges(m: &Model, f: usize) -> Range<usize> {
    span(&m.flex_edgeadr, &m.flex_edgenum, f)
}

/// Vertices of the elements of a flex, `dim + 1` each.
pub(crate) fn elements(m: &Model, f: usize) -> &[i32] {
    let first = at(&m.flex_elemdataadr, f);
    &m.flex_elem[first..first + at(&m.flex_elemnum, f) * (at(&m.flex_dim, f) + 1)]
}
