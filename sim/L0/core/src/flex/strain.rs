//! Strain of cloth around each vertex, for constraints without locking (Chen, Kry and Vouga, "Locking-free
//! simulation of isometric thin plates").
//!
//! The deformation gradient F around a vertex is a least-squares fit over its edges; the constraints are
//! tr FᵀF = 2 and det FᵀF = 1, times the root of the mass of the vertex.

use super::edges::add_point;
use super::plan::Dofs;
use super::rest_edge::RestEdge;
use super::vertices;
use crate::math::vec3::{self, Vec3};
use crate::math::{at, rows};
use crate::{Data, Model};
use sim_types::MINVAL;

/// A 3 × 2 matrix by rows.
type Mat32 = [[f64; 2]; 3];

fn mul(a: &Mat32, b: [f64; 4]) -> Mat32 {
    a.map(|[x, y]| [x * b[0] + y * b[2], x * b[1] + y * b[3]])
}

/// An edge around vertex `v`.
fn rest_edge(m: &Model, f: usize, v: usize, edge: usize) -> RestEdge {
    let base = at(&m.flex_vertadr, f);
    let [a, b] = m.flex_edge.as_chunks::<2>().0[at(&m.flex_edgeadr, f) + edge];
    let ends = [base + a as usize, base + b as usize];
    let rest = rows::<3>(&m.flex_vert0);
    let size = rows::<3>(&m.flex_size)[f];
    let dx = std::array::from_fn(|k| (rest[ends[1]][k] - rest[ends[0]][k]) * (2.0 * size[k]));
    let other = if v == ends[0] { ends[1] } else { ends[0] };
    let mass = usize::try_from(m.flex_vertbodyid[other]).map(|b| m.body_mass[b]);
    RestEdge { ends, dx, weight: mass.map_or(1.0, |mass| mass.max(MINVAL)) }
}

/// Sets `flexvert_length` and `flexvert_J` of a flex.
pub(super) fn set(m: &Model, d: &mut Data, f: usize) {
    let mut jacobian = std::mem::take(&mut d.flexvert_J);
    let mut around = std::mem::take(&mut d.scratch.flex.rest_edges);
    for v in vertices(m, f) {
        let edges = at(&m.flex_vertedgeadr, v);
        let edges = &m.flex_vertedge[edges..edges + at(&m.flex_vertedgenum, v)];
        around.clear();
        around.extend(edges.iter().map(|&edge| rest_edge(m, f, v, edge as usize)));
        let metric = rows::<4>(&m.flex_vertmetric)[v];
        let gradient = deformation_gradient(rows(&d.flexvert_xpos), &around, metric);
        let c = cauchy(&gradient);
        let mass = usize::try_from(m.flex_vertbodyid[v]).map_or(0.0, |b| m.body_mass[b]);
        let scale = if mass > MINVAL { mass.sqrt() } else { 1.0 };
        d.flexvert_length[2 * v] = (c[0] + c[3] - 2.0) * scale;
        d.flexvert_length[2 * v + 1] = (c[0] * c[3] - c[1] * c[2] - 1.0) * scale;
        let of_trace = mul(&gradient, metric);
        let of_det = mul(&mul(&gradient, [c[3], -c[1], -c[2], c[0]]), metric);
        // both rows have the same columns and follow each other
        let nnz = at(&m.flexvert_J_rownnz, 2 * v);
        let start = at(&m.flexvert_J_rowadr, 2 * v);
        let columns = &m.flexvert_J_colind[start..start + nnz];
        let Some(both) = jacobian.get_mut(start..start + 2 * nnz) else { continue };
        let (trace, det) = both.split_at_mut(nnz);
        trace.fill(0.0);
        det.fill(0.0);
        for edge in &around {
            let [trace_direction, det_direction] = [&of_trace, &of_det].map(|derivative| {
                derivative
                    .map(|[p, q]| 2.0 * edge.weight * scale * (p * edge.dx[0] + q * edge.dx[1]))
            });
            for (end, sign) in edge.ends.into_iter().zip([-1.0, 1.0]) {
                let directions = [trace_direction, det_direction].map(|x| vec3::scale(x, sign));
                add(m, d, end, directions, columns, [&mut *trace, &mut *det]);
            }
        }
    }
    d.flexvert_J = jacobian;
    d.scratch.flex.rest_edges = around;
}

/// F around a vertex.
fn deformation_gradient(x: &[Vec3], around: &[RestEdge], metric: [f64; 4]) -> Mat32 {
    let mut a: Mat32 = [[0.0; 2]; 3];
    for edge in around {
        let dy = vec3::sub(x[edge.ends[1]], x[edge.ends[0]]);
        for row in 0..3 {
            for col in 0..2 {
                a[row][col] += edge.weight * dy[row] * edge.dx[col];
            }
        }
    }
    mul(&a, metric)
}

/// FᵀF.
fn cauchy(f: &Mat32) -> [f64; 4] {
    let dot = |i: usize, j: usize| f[0][i] * f[0][j] + f[1][i] * f[1][j] + f[2][i] * f[2][j];
    [dot(0, 0), dot(0, 1), dot(1, 0), dot(1, 1)]
}

/// Adds `directionᵀ J` of a vertex to two rows with the same columns.
fn add(
    m: &Model,
    d: &Data,
    v: usize,
    directions: [Vec3; 2],
    columns: &[i32],
    rows: [&mut [f64]; 2],
) {
    match m.plan.flex.vertices[v] {
        Dofs::Fixed => {}
        Dofs::Aligned(dof) => {
            if let Ok(k) = columns.binary_search(&(dof as i32)) {
                for (entries, direction) in rows.into_iter().zip(directions) {
                    for (entry, x) in entries[k..].iter_mut().zip(direction) {
                        *entry += x;
                    }
                }
            }
        }
        Dofs::General => {
            for (entries, direction) in rows.into_iter().zip(directions) {
                add_point(m, d, v, direction, columns, entries);
            }
        }
    }
}
