//! Velocity derivative of joint, tendon and flex edge dampers (`mjd_passive_vel`).

use super::{add_rank_one, entry_address};
use crate::actuation::{dof_damping, tendon_damping};
use crate::flex::{Dofs, edge_row, edges};
use crate::math::{at, poly};
use crate::{Data, Model};
use sim_types::DisableBit;

/// Adds the derivative of joint damping to `qDeriv`. Reads `qvel`.
pub(super) fn add_joints(m: &Model, d: &mut Data) {
    if m.opt.disabled(DisableBit::Damper) {
        return;
    }
    for i in 0..m.nv {
        let (linear, poly) = dof_damping(m, i);
        let diagonal = at(&m.D_rowadr, i) + at(&m.D_diag, i);
        d.qDeriv[diagonal] -= poly::damping_derivative(linear, poly, d.qvel[i]);
    }
}

/// Adds the derivative of tendon damping to `qDeriv`. Reads `ten_velocity`, `ten_J`.
pub(super) fn add_tendons(m: &Model, d: &mut Data) {
    if m.opt.disabled(DisableBit::Damper) {
        return;
    }
    for i in 0..m.ntendon {
        let (linear, poly) = tendon_damping(m, i);
        let derivative = -poly::damping_derivative(linear, poly, d.ten_velocity[i]);
        if derivative != 0.0 {
            let start = at(&m.ten_J_rowadr, i);
            let row = start..start + at(&m.ten_J_rownnz, i);
            let Data { ten_J, qDeriv, .. } = d;
            add_rank_one(m, qDeriv, &m.ten_J_colind[row.clone()], &ten_J[row], derivative);
        }
    }
}

/// Adds the derivative of the damping of flex edges to `qDeriv`. Reads `flexedge_J`.
pub(super) fn add_flex_edges(m: &Model, d: &mut Data) {
    if m.opt.disabled(DisableBit::Damper) {
        return;
    }
    let Data { flexedge_J, qDeriv, .. } = d;
    for f in (0..m.nflex).filter(|&f| !m.flex_rigid[f] && m.flex_edgedamping[f] != 0.0) {
        let base = at(&m.flex_vertadr, f);
        for e in edges(m, f).filter(|&e| !m.flexedge_rigid[e]) {
            let row = edge_row(m, e);
            let (columns, entries) = (&m.flexedge_J_colind[row.clone()], &flexedge_J[row]);
            let scale = -m.flex_edgedamping[f];
            let ends = m.flex_edge.as_chunks::<2>().0[e];
            if let [x0, y0, z0, x1, y1, z1] = *entries
                && let [Some(a), Some(b)] = ends.map(|v| diagonal_block(m, base + v as usize))
            {
                let (first, second) = if a < b { (a, b) } else { (b, a) };
                add_outer_product(&mut qDeriv[first..first + 9], [x0, y0, z0], scale);
                add_outer_product(&mut qDeriv[second..second + 9], [x1, y1, z1], scale);
                continue;
            }
            // the two ends of an edge are usually in different trees, with three dofs each
            for (columns, entries) in columns.chunks(3).zip(entries.chunks(3)) {
                add_block(m, qDeriv, columns, entries, scale);
            }
            if columns.len() != 6 || !separate_points(m, columns) {
                add_between(m, qDeriv, columns, entries, scale);
            }
        }
    }
}

/// Address of the block of a vertex in `qDeriv`, if its three dofs are coupled with no others.
fn diagonal_block(m: &Model, v: usize) -> Option<usize> {
    let Dofs::Aligned(dof) = m.plan.flex.vertices[v] else { return None };
    let dof = dof as usize;
    let start = m.D_rowadr[dof];
    let is_block = m.D_rownnz[dof] == 3 && m.D_rowadr[dof + 2] == start + 6;
    is_block.then_some(start as usize)
}

/// Adds `scale v vᵀ` to a block.
fn add_outer_product(block: &mut [f64], v: [f64; 3], scale: f64) {
    for (row, vp) in block.as_chunks_mut::<3>().0.iter_mut().zip(v) {
        for (entry, vq) in row.iter_mut().zip(v) {
            *entry += vp * scale * vq;
        }
    }
}

/// Whether six columns are those of two points in different trees.
fn separate_points(m: &Model, columns: &[i32]) -> bool {
    m.dof_treeid[columns[0] as usize] != m.dof_treeid[columns[5] as usize]
        && m.dof_treeid[columns[0] as usize] == m.dof_treeid[columns[2] as usize]
        && m.dof_treeid[columns[3] as usize] == m.dof_treeid[columns[5] as usize]
}

/// Adds the products of up to three consecutive entries of a row with each other.
fn add_block(m: &Model, matrix: &mut [f64], columns: &[i32], row: &[f64], scale: f64) {
    let first = columns[0] as usize;
    let chained = |k: usize| m.dof_parentid[first + k] == columns[k - 1];
    if (1..columns.len()).all(|k| columns[k] == columns[0] + k as i32 && chained(k)) {
        for (k, vp) in row.iter().enumerate() {
            // dofs of one chain are next to each other in its rows
            let diagonal = at(&m.D_rowadr, first + k) + at(&m.D_diag, first + k);
            for (entry, vq) in matrix[diagonal - k..][..row.len()].iter_mut().zip(row) {
                *entry += vp * scale * vq;
            }
        }
    } else {
        add_rank_one(m, matrix, columns, row, scale);
    }
}

/// Adds the products of entries in different groups of three.
fn add_between(m: &Model, matrix: &mut [f64], columns: &[i32], row: &[f64], scale: f64) {
    for (i, (&p, vp)) in columns.iter().zip(row).enumerate() {
        for (j, (&q, vq)) in columns.iter().zip(row).enumerate() {
            if i / 3 != j / 3
                && let Some(adr) = entry_address(m, p as usize, q as usize)
            {
                matrix[adr] += vp * scale * vq;
            }
        }
    }
}
