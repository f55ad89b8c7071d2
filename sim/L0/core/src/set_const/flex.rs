//! Constants of flexes: sparsity of Jacobians, rest metric of cloth, bandwidth of interpolated flexes, inverse
//! weights and sleep policy.

use super::at_reference::{dofs_of, inverse_norm_over, trees_of};
use crate::flex::{Cells, chain, edge_row, edges, node_dofs, nodes, vertices};
use crate::math::{at, mat3, quat, rows, rows_mut, vec3};
use crate::{Data, Model};
use sim_types::{MINVAL, SleepPolicy};

/// Computes the constants that depend on the structure only.
pub(super) fn set(m: &mut Model) {
    if m.nflex == 0 {
        return;
    }
    m.flexedge_J_rowadr.fill(0);
    m.flexedge_J_rownnz.fill(0);
    m.flexvert_J_rowadr.fill(0);
    m.flexvert_J_rownnz.fill(0);
    m.flex_vertedgeadr.fill(0);
    m.flex_vertedgenum.fill(0);
    m.flex_vertedge.fill(0);
    m.flex_vertmetric.fill(0.0);
    let mut visited = vec![usize::MAX; m.nbody];
    let (mut stamp, mut edge_adr, mut vert_adr, mut adjacent) = (0, 0, 0, 0);
    let mut found = Vec::new();
    for f in 0..m.nflex {
        let passive = m.flex_edgedamping[f] != 0.0
            || m.flex_edgestiffness[f] != 0.0
            || m.flex_damping[f] != 0.0;
        if m.flex_rigid[f] || m.flex_interp[f] != 0 || m.flex_edgeequality[f] == 0 && !passive {
            continue;
        }
        let base = at(&m.flex_vertadr, f);
        for e in edges(m, f) {
            let ends = [m.flex_edge[2 * e], m.flex_edge[2 * e + 1]];
            let bodies = ends.map(|v| at(&m.flex_vertbodyid, base + v as usize));
            stamp += 1;
            columns(m, &bodies, (&mut visited, stamp), &mut found);
            m.flexedge_J_rowadr[e] = edge_adr as i32;
            m.flexedge_J_rownnz[e] = found.len() as i32;
            m.flexedge_J_colind[edge_adr..edge_adr + found.len()].copy_from_slice(&found);
            edge_adr += found.len();
        }
        if m.flex_dim[f] == 2 && m.flex_edgeequality[f] == 2 {
            adjacency(m, f, &mut adjacent);
            vertices(m, f).for_each(|v| metric(m, f, v));
            for v in vertices(m, f) {
                let bodies = bodies_around(m, f, v);
                stamp += 1;
                columns(m, &bodies, (&mut visited, stamp), &mut found);
                for k in 0..2 {
                    m.flexvert_J_rowadr[2 * v + k] = vert_adr as i32;
                    m.flexvert_J_rownnz[2 * v + k] = found.len() as i32;
                    let columns = &mut m.flexvert_J_colind[vert_adr..vert_adr + found.len()];
                    columns.copy_from_slice(&found);
                    vert_adr += found.len();
                    // as in MuJoCo, the row after the last one starts where it ends
                    if let Some(next) = m.flexvert_J_rowadr.get_mut(2 * v + k + 1) {
                        *next = vert_adr as i32;
                    }
                }
            }
        }
    }
    bandwidth(m);
    align(m);
}

/// The dofs that move any of the bodies, in increasing order.
fn columns(
    m: &Model,
    bodies: &[usize],
    (visited, stamp): (&mut [usize], usize),
    found: &mut Vec<i32>,
) {
    found.clear();
    for &body in bodies {
        let mut b = body;
        while b > 0 && visited[b] != stamp {
            visited[b] = stamp;
            let first = m.body_dofadr[b].max(0);
            found.extend(first..first + m.body_dofnum[b]);
            b = at(&m.body_parentid, b);
        }
    }
    found.sort_unstable();
}

/// `flex_vertedge`: edges around each vertex, from address `next` on.
fn adjacency(m: &mut Model, f: usize, next: &mut usize) {
    let range = vertices(m, f);
    let base = range.start;
    for e in edges(m, f) {
        for k in 0..2 {
            m.flex_vertedgenum[base + at(&m.flex_edge, 2 * e + k)] += 1;
        }
    }
    for v in range.clone() {
        m.flex_vertedgeadr[v] = *next as i32;
        *next += at(&m.flex_vertedgenum, v);
    }
    let mut filled = vec![0; range.len()];
    for (local, e) in edges(m, f).enumerate() {
        for k in 0..2 {
            let v = at(&m.flex_edge, 2 * e + k);
            m.flex_vertedge[at(&m.flex_vertedgeadr, base + v) + filled[v]] = local as i32;
            filled[v] += 1;
        }
    }
}

/// Global edges around a vertex.
fn edges_around(m: &Model, f: usize, v: usize) -> impl Iterator<Item = usize> + '_ {
    let first = at(&m.flex_vertedgeadr, v);
    let around = &m.flex_vertedge[first..first + at(&m.flex_vertedgenum, v)];
    around.iter().map(move |&e| at(&m.flex_edgeadr, f) + e as usize)
}

/// Bodies of a vertex and its neighbours.
fn bodies_around(m: &Model, f: usize, v: usize) -> Vec<usize> {
    let base = at(&m.flex_vertadr, f);
    let ends = |e: usize| [m.flex_edge[2 * e], m.flex_edge[2 * e + 1]];
    edges_around(m, f, v)
        .flat_map(ends)
        .map(|v| at(&m.flex_vertbodyid, base + v as usize))
        .collect()
}

/// `flex_vertmetric`: inverse of the weighted sum of dx dxᵀ over the edges around a vertex.
fn metric(m: &mut Model, f: usize, v: usize) {
    let base = at(&m.flex_vertadr, f);
    let (rest, size) = (rows::<3>(&m.flex_vert0), rows::<3>(&m.flex_size)[f]);
    let mut b = [0.0; 4];
    for e in edges_around(m, f, v) {
        let [v1, v2] = [m.flex_edge[2 * e], m.flex_edge[2 * e + 1]].map(|v| base + v as usize);
        let dx: [f64; 2] = std::array::from_fn(|k| (rest[v2][k] - rest[v1][k]) * (2.0 * size[k]));
        let other = if v == v1 { v2 } else { v1 };
        let mass = usize::try_from(m.flex_vertbodyid[other]).map(|b| m.body_mass[b]);
        let weight = mass.map_or(1.0, |mass| mass.max(MINVAL));
        for row in 0..2 {
            for col in 0..2 {
                b[2 * row + col] += weight * dx[row] * dx[col];
            }
        }
    }
    let det = b[0] * b[3] - b[1] * b[2];
    if det.abs() >= MINVAL {
        let inverse = 1.0 / det;
        let metric = [b[3] * inverse, -b[1] * inverse, -b[2] * inverse, b[0] * inverse];
        rows_mut::<4>(&mut m.flex_vertmetric)[v] = metric;
    }
}

/// `flex_bandwidth`: largest distance of coupled dofs, numbered in the order of nodes over all interpolated flexes.
fn bandwidth(m: &mut Model) {
    let mut local = vec![None; m.nv];
    let mut dofs = Vec::new();
    for f in (0..m.nflex).filter(|&f| m.flex_interp[f] != 0) {
        for i in nodes(m, f) {
            for dof in node_dofs(m, at(&m.flex_nodebodyid, i)) {
                if local[dof].is_none() {
                    local[dof] = Some(dofs.len());
                    dofs.push(dof);
                }
            }
        }
    }
    let mut width = 0;
    let patterns =
        [(&m.D_rownnz, &m.D_rowadr, &m.D_colind), (&m.M_rownnz, &m.M_rowadr, &m.M_colind)];
    for (rownnz, rowadr, colind) in patterns {
        for (i, &dof) in dofs.iter().enumerate() {
            let start = at(rowadr, dof);
            for &column in &colind[start..start + at(rownnz, dof)] {
                if let Some(j) = local[column as usize] {
                    width = width.max(i.abs_diff(j));
                }
            }
        }
    }
    for f in (0..m.nflex).filter(|&f| m.flex_interp[f] != 0) {
        let (cells, first) = (Cells::of(m, f), nodes(m, f).start);
        for i in 0..cells.len() {
            let corner = first + cells.first_node(cells.cell(i));
            let (mut low, mut high) = (usize::MAX, 0);
            for node in cells.offsets() {
                for dof in chain(m, at(&m.flex_nodebodyid, corner + node)) {
                    if let Some(j) = local[dof] {
                        (low, high) = (low.min(j), high.max(j));
                    }
                }
            }
            width = width.max(high.saturating_sub(low.min(high)));
        }
    }
    m.flex_bandwidth.fill(width as i32);
}

/// Rotates the rest positions of cloth with vertex constraints so that its first triangle is horizontal.
fn align(m: &mut Model) {
    for f in 0..m.nflex {
        if m.flex_dim[f] != 2 || m.flex_edgeequality[f] != 2 {
            continue;
        }
        let (range, first) = (vertices(m, f), at(&m.flex_elemdataadr, f));
        let corner = |k: usize| rows::<3>(&m.flex_vert0)[range.start + at(&m.flex_elem, first + k)];
        let (u, v) = (vec3::sub(corner(1), corner(0)), vec3::sub(corner(2), corner(0)));
        let (normal, _) = vec3::normalize(vec3::cross(u, v));
        let rotation = quat::to_mat(quat::from_z_axis(normal));
        for p in &mut rows_mut::<3>(&mut m.flex_vert0)[range] {
            *p = mat3::mul_transpose_vec(&rotation, *p);
        }
    }
}

/// `flexedge_length0` and `flexedge_invweight0`, from the dynamics at `qpos0`.
pub(super) fn set_at_reference(m: &mut Model, d: &Data) {
    m.flexedge_length0.copy_from_slice(&d.flexedge_length);
    let (mut row, mut trees) = (vec![0.0; m.nv], Vec::new());
    for f in (0..m.nflex).filter(|&f| m.flex_interp[f] == 0) {
        let base = at(&m.flex_vertadr, f);
        for e in edges(m, f) {
            let ends = [m.flex_edge[2 * e], m.flex_edge[2 * e + 1]];
            let bodies = ends.map(|v| at(&m.flex_vertbodyid, base + v as usize));
            m.flexedge_invweight0[e] = if m.flexedge_rigid[e] {
                0.0
            } else if bodies.iter().all(|&b| m.body_simple[b] == 2) {
                bodies.iter().map(|&b| 1.0 / m.body_mass[b]).sum::<f64>() / 2.0
            } else {
                let entries = edge_row(m, e);
                for adr in entries.clone() {
                    row[at(&m.flexedge_J_colind, adr)] = d.flexedge_J[adr];
                }
                trees_of(m, &m.flexedge_J_colind[entries], &mut trees);
                let dofs = trees.iter().rev().flat_map(|&tree| dofs_of(m, tree).rev());
                inverse_norm_over(m, d, dofs, &mut row)
            };
        }
    }
}

/// Trees that contain a body of a flex never sleep, unless their policy is set.
pub(super) fn set_sleep_policy(m: &mut Model) {
    for &body in m.flex_nodebodyid.iter().chain(&m.flex_vertbodyid) {
        let tree = usize::try_from(body).ok().map(|b| m.body_treeid[b]);
        if let Some(Ok(tree)) = tree.map(usize::try_from)
            && m.tree_sleep_policy[tree] == SleepPolicy::Auto
        {
            m.tree_sleep_policy[tree] = SleepPolicy::AutoNever;
        }
    }
}

/// Enlarges the sizes of bodies to the lengths of the edges at them, or to the distances of the nodes.
pub(super) fn enlarge_bodies(m: &Model, d: &Data, sizes: &mut [f64]) {
    let xpos = rows::<3>(&d.xpos);
    for f in 0..m.nflex {
        if m.flex_interp[f] != 0 {
            let bodies = &m.flex_nodebodyid[nodes(m, f)];
            for &a in bodies {
                let distance = |&b: &i32| vec3::distance(xpos[a as usize], xpos[b as usize]);
                let largest = bodies.iter().map(distance).fold(0.0, f64::max);
                sizes[a as usize] = sizes[a as usize].max(largest);
            }
            continue;
        }
        let base = at(&m.flex_vertadr, f);
        for e in edges(m, f) {
            for k in 0..2 {
                let body = at(&m.flex_vertbodyid, base + at(&m.flex_edge, 2 * e + k));
                sizes[body] = sizes[body].max(m.flexedge_length0[e]);
            }
        }
    }
}
