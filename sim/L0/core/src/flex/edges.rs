//! Lengths of edges and their Jacobians.

use super::plan::Dofs;
use super::{edges, vertices};
use crate::jacobian::for_each_dof;
use crate::math::vec3::{self, Vec3};
use crate::math::{at, rows};
use crate::{Data, Model};
use std::ops::Range;

/// Entries of edge `e` in `flexedge_J`.
#[inline(always)]
pub(crate) fn edge_row(m: &Model, e: usize) -> Range<usize> {
    let start = at(&m.flexedge_J_rowadr, e);
    start..start + at(&m.flexedge_J_rownnz, e)
}

/// Whether the Jacobian of edge lengths of a flex is needed: for constraints of edge lengths or passive forces.
fn has_edge_jacobian(m: &Model, f: usize) -> bool {
    m.flex_edgeequality[f] == 1
        || m.flex_edgedamping[f] != 0.0
        || m.flex_edgestiffness[f] != 0.0
        || m.flex_damping[f] != 0.0
}

/// Sets `flexedge_length` of a flex.
pub(super) fn set_lengths(m: &Model, d: &mut Data, f: usize) {
    let x = &rows::<3>(&d.flexvert_xpos)[vertices(m, f)];
    let range = edges(m, f);
    let ends = &m.flex_edge.as_chunks::<2>().0[range.clone()];
    for (length, edge) in d.flexedge_length[range].iter_mut().zip(ends) {
        let [a, b] = edge.map(|v| x[v as usize]);
        *length = vec3::distance(b, a);
    }
}

/// Sets `flexedge_length`, and `flexedge_J` if it is needed.
pub(super) fn set(m: &Model, d: &mut Data, f: usize) {
    if !has_edge_jacobian(m, f) {
        set_lengths(m, d, f);
        return;
    }
    let base = at(&m.flex_vertadr, f);
    let ends = m.flex_edge.as_chunks::<2>().0;
    let mut jacobian = std::mem::take(&mut d.flexedge_J);
    let mut lengths = std::mem::take(&mut d.flexedge_length);
    let x = rows::<3>(&d.flexvert_xpos);
    for e in edges(m, f) {
        let [a, b] = ends[e].map(|v| base + v as usize);
        let (unit, length) = vec3::normalize(vec3::sub(x[b], x[a]));
        lengths[e] = length;
        let row = edge_row(m, e);
        let entries = &mut jacobian[row.clone()];
        match (m.plan.flex.vertices[a], m.plan.flex.vertices[b]) {
            (Dofs::Aligned(first), Dofs::Aligned(second)) => {
                if let [x0, y0, z0, x1, y1, z1] = entries {
                    let sign = if first < second { 1.0 } else { -1.0 };
                    let v = vec3::scale(unit, sign);
                    (*x0, *y0, *z0) = (-v[0], -v[1], -v[2]);
                    (*x1, *y1, *z1) = (v[0], v[1], v[2]);
                }
            }
            (Dofs::Fixed, Dofs::Fixed) => {}
            (Dofs::Aligned(_), Dofs::Fixed) => {
                entries.copy_from_slice(&vec3::scale(unit, -1.0));
            }
            (Dofs::Fixed, Dofs::Aligned(_)) => entries.copy_from_slice(&unit),
            _ => {
                let columns = &m.flexedge_J_colind[row];
                entries.fill(0.0);
                add_point(m, d, a, vec3::scale(unit, -1.0), columns, entries);
                add_point(m, d, b, unit, columns, entries);
            }
        }
    }
    d.flexedge_J = jacobian;
    d.flexedge_length = lengths;
}

/// Adds `directionᵀ J` of the position of vertex `v` to a sparse row with increasing columns.
pub(super) fn add_point(
    m: &Model,
    d: &Data,
    v: usize,
    direction: Vec3,
    columns: &[i32],
    entries: &mut [f64],
) {
    let point = rows::<3>(&d.flexvert_xpos)[v];
    for_each_dof(m, d, at(&m.flex_vertbodyid, v), point, |dof, linear, _| {
        if let Ok(k) = columns.binary_search(&(dof as i32)) {
            entries[k] += vec3::dot(direction, linear);
        }
    });
}
