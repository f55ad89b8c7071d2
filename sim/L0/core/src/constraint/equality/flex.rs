//! Equality constraints of flexes: edge lengths, strain around vertices, and strain of cells.
//!
//! Every row is a constraint of its own, with its own impedance.

use super::super::impedance::SolParams;
use super::super::row::RowSet;
use super::{common, data};
use crate::flex::{
    Cells, Dofs, cell_nodes, cell_rotation, edge_row, edges, node_position, nodes, vertices,
};
use crate::jacobian::for_each_dof;
use crate::math::vec3::{self, Vec3};
use crate::math::{at, quat, rows};
use crate::{Data, Model};
use sim_types::EqType;

/// Adds the rows of constraint `i`.
pub(super) fn add(m: &Model, d: &mut Data, i: usize, out: &mut RowSet) {
    let (solref, solimp) = (rows::<2>(&m.eq_solref)[i], rows::<5>(&m.eq_solimp)[i]);
    let params = SolParams::new(&m.opt, solref, solimp);
    let f = at(&m.eq_obj1id, i);
    match m.eq_type[i] {
        EqType::Flex => edge_lengths(m, d, (i, f), &params, out),
        EqType::FlexVert => vertex_strains(m, d, (i, f), &params, out),
        _ => cell_strain(m, d, (i, f), &params, out),
    }
}

/// Completes the row that was added last: residual, diagonal and impedance.
fn finish(out: &mut RowSet, pos: f64, diag: f64, params: &SolParams) {
    let row = out.len() - 1;
    (out.pos[row], out.diag[row]) = (pos, diag);
    out.make_impedance(row, params, pos);
    out.finish_diag_approx(row);
}

/// One row per edge that is not rigid.
fn edge_lengths(m: &Model, d: &Data, (i, f): (usize, usize), params: &SolParams, out: &mut RowSet) {
    let jacobian = (&m.flexedge_J_colind[..], &d.flexedge_J[..]);
    let rows = edges(m, f).filter(|&e| !m.flexedge_rigid[e]).map(|e| {
        let pos = d.flexedge_length[e] - m.flexedge_length0[e];
        (edge_row(m, e), pos, m.flexedge_invweight0[e])
    });
    out.push_scalar_rows(jacobian, rows, &common(i), params);
}

/// Two rows per vertex.
fn vertex_strains(
    m: &Model,
    d: &Data,
    (i, f): (usize, usize),
    params: &SolParams,
    out: &mut RowSet,
) {
    let jacobian = (&m.flexvert_J_colind[..], &d.flexvert_J[..]);
    let rows = vertices(m, f).flat_map(|v| [2 * v, 2 * v + 1].map(|k| (v, k))).map(|(v, k)| {
        let first = at(&m.flexvert_J_rowadr, k);
        let row = first..first + at(&m.flexvert_J_rownnz, k);
        let body = at(&m.flex_vertbodyid, v);
        (row, d.flexvert_length[k], m.body_invweight0[2 * body])
    });
    out.push_scalar_rows(jacobian, rows, &common(i), params);
}

/// One row per mode of a cell: the mode times the displacement of the nodes in the frame of the cell. As in
/// MuJoCo, the Jacobian does not include the derivative of that frame.
fn cell_strain(
    m: &Model,
    d: &mut Data,
    (i, f): (usize, usize),
    params: &SolParams,
    out: &mut RowSet,
) {
    let range = nodes(m, f);
    if m.flex_interp[f] == 0 || range.is_empty() {
        return;
    }
    let cells = Cells::of(m, f);
    let cell: [usize; 3] = std::array::from_fn(|k| data(m, i)[k] as usize);
    if (0..3).any(|k| cell[k] >= cells.count[k]) {
        return;
    }
    let offsets = m.plan.flex.cell_offsets(f);
    let first = cells.first_node(cell);
    let mut scratch = std::mem::take(&mut d.scratch.flex);
    scratch.nodes.clear();
    scratch.nodes.extend(range.clone().map(|node| node_position(m, d, node)));
    let mut buffer = [[0.0; 3]; 27];
    let x = cell_nodes(&scratch.nodes, first, offsets, &mut buffer);
    let rotation = cell_rotation(cells.order, x);
    let back = quat::conjugate(rotation);
    let rest = &rows::<3>(&m.flex_node0)[range.clone()];
    let node = |k: usize| range.start + first + offsets[k] as usize;
    let mut displacement = [[0.0; 3]; 27];
    for k in 0..offsets.len() {
        let rest = rest[first + offsets[k] as usize];
        displacement[k] = vec3::sub(quat::rotate(rotation, x[k]), rest);
    }
    let weights =
        (0..offsets.len()).map(|k| m.body_invweight0[2 * at(&m.flex_nodebodyid, node(k))]);
    let diag = weights.sum::<f64>() / offsets.len() as f64;

    scratch.columns.clear();
    for k in 0..offsets.len() {
        for_each_dof(m, d, at(&m.flex_nodebodyid, node(k)), x[k], |dof, _, _| {
            scratch.columns.push(dof as i32);
        });
    }
    scratch.columns.sort_unstable();
    scratch.columns.dedup();

    let size = 3 * offsets.len();
    let index = (cell[0] * cells.count[1] + cell[1]) * cells.count[2] + cell[2];
    let modes =
        &m.flex_stiffness[at(&m.flex_stiffnessadr, f) + index * size * size..][..size * size];
    let count = modes[0] as usize;
    for mode in modes[1..].chunks_exact(size).take(count) {
        let mode = rows::<3>(mode);
        let start = out.j.len();
        out.colind.extend_from_slice(&scratch.columns);
        out.j.resize(start + scratch.columns.len(), 0.0);
        let entries = &mut out.j[start..];
        let mut pos = 0.0;
        for (k, &part) in mode.iter().enumerate() {
            pos += vec3::dot(part, displacement[k]);
            add_node(m, d, node(k), x[k], quat::rotate(back, part), &scratch.columns, entries);
        }
        if out.commit(start, 1, &common(i)) {
            finish(out, pos, diag, params);
        }
    }
    d.scratch.flex = scratch;
}

/// Adds `directionᵀ J` of a node to a row with increasing columns.
fn add_node(
    m: &Model,
    d: &Data,
    node: usize,
    point: Vec3,
    direction: Vec3,
    columns: &[i32],
    entries: &mut [f64],
) {
    match m.plan.flex.nodes[node] {
        Dofs::Fixed => {}
        Dofs::Aligned(dof) => {
            if let Ok(k) = columns.binary_search(&(dof as i32)) {
                for (entry, x) in entries[k..].iter_mut().zip(direction) {
                    *entry += x;
                }
            }
        }
        Dofs::General => {
            for_each_dof(m, d, at(&m.flex_nodebodyid, node), point, |dof, linear, _| {
                if let Ok(k) = columns.binary_search(&(dof as i32)) {
                    entries[k] += vec3::dot(direction, linear);
                }
            });
        }
    }
}
