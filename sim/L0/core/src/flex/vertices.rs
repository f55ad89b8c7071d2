//! Positions of vertices and nodes.

use super::plan::Dofs;
use super::{nodes, vertices};
use crate::jacobian::for_each_dof;
use crate::math::vec3::{self, Vec3};
use crate::math::{at, mat3, rows, rows_mut};
use crate::{Data, Model};

/// World position of a point given in the frame of a body.
#[inline(always)]
fn position(xpos: &[Vec3], xmat: &[[f64; 9]], body: usize, local: Vec3) -> Vec3 {
    if local == [0.0; 3] {
        xpos[body]
    } else {
        vec3::add(mat3::mul_vec(&xmat[body], local), xpos[body])
    }
}

/// World position of node `i`.
#[inline]
pub(crate) fn node_position(m: &Model, d: &Data, i: usize) -> Vec3 {
    let local = rows::<3>(&m.flex_node)[i];
    position(rows(&d.xpos), rows(&d.xmat), at(&m.flex_nodebodyid, i), local)
}

/// World velocity of node `i` at its position.
#[inline]
pub(crate) fn node_velocity(m: &Model, d: &Data, i: usize, at_point: Vec3) -> Vec3 {
    match m.plan.flex.nodes[i] {
        Dofs::Fixed => [0.0; 3],
        Dofs::Aligned(dof) => std::array::from_fn(|k| d.qvel[dof as usize + k]),
        Dofs::General => {
            let mut velocity = [0.0; 3];
            for_each_dof(m, d, at(&m.flex_nodebodyid, i), at_point, |dof, linear, _| {
                velocity = vec3::add_scaled(velocity, linear, d.qvel[dof]);
            });
            velocity
        }
    }
}

/// The body that moves vertex `vertex` of flex `f`, and its world position; for an interpolated flex those of the
/// node with the largest weight. `None` if there is no such vertex.
#[must_use]
pub fn flex_point(m: &Model, d: &Data, f: usize, vertex: usize) -> Option<(usize, Vec3)> {
    let v = vertices(m, f).nth(vertex)?;
    if m.flex_interp[f] == 0 {
        return Some((at(&m.flex_vertbodyid, v), rows::<3>(&d.flexvert_xpos)[v]));
    }
    let plan = &m.plan.flex;
    let offsets = plan.cell_offsets(f);
    let weights = &plan.weights[plan.weight_adr[f] + vertex * offsets.len()..][..offsets.len()];
    let mut best = 0;
    for (k, weight) in weights.iter().enumerate() {
        if *weight > weights[best] {
            best = k;
        }
    }
    let node = nodes(m, f).start + plan.first_node[v] as usize + offsets[best] as usize;
    Some((at(&m.flex_nodebodyid, node), node_position(m, d, node)))
}

/// Sets `flexvert_xpos` of a flex.
pub(super) fn set(m: &Model, d: &mut Data, f: usize) {
    if m.flex_interp[f] != 0 {
        interpolate(m, d, f);
        return;
    }
    let Data { flexvert_xpos, xpos, xmat, .. } = d;
    let (xpos, xmat) = (rows::<3>(xpos), rows::<9>(xmat));
    let range = vertices(m, f);
    let out = &mut rows_mut::<3>(flexvert_xpos)[range.clone()];
    let bodies = &m.flex_vertbodyid[range.clone()];
    if m.flex_centered[f] {
        for (x, &body) in out.iter_mut().zip(bodies) {
            *x = xpos[body as usize];
        }
        return;
    }
    let local = &rows::<3>(&m.flex_vert)[range];
    for ((x, &body), &local) in out.iter_mut().zip(bodies).zip(local) {
        *x = position(xpos, xmat, body as usize, local);
    }
}

/// Vertices of an interpolated flex: weighted sums of the nodes of their cells.
fn interpolate(m: &Model, d: &mut Data, f: usize) {
    let mut x = std::mem::take(&mut d.scratch.flex.nodes);
    x.clear();
    x.extend(nodes(m, f).map(|i| node_position(m, d, i)));
    let plan = &m.plan.flex;
    let offsets = plan.cell_offsets(f);
    let range = vertices(m, f);
    let weights = plan.weights[plan.weight_adr[f]..].chunks_exact(offsets.len());
    let first = &plan.first_node[range.clone()];
    let out = &mut rows_mut::<3>(&mut d.flexvert_xpos)[range];
    if let [a, b, c, e, g, h, i, j] = *offsets {
        let offsets = [a, b, c, e, g, h, i, j].map(|o| o as usize);
        for ((out, weights), &first) in out.iter_mut().zip(weights).zip(first) {
            let nodes = &x[first as usize..];
            let mut sum = [0.0; 3];
            for (k, &w) in offsets.iter().zip(weights) {
                sum = vec3::add_scaled(sum, nodes[*k], w);
            }
            *out = sum;
        }
    } else {
        for ((out, weights), &first) in out.iter_mut().zip(weights).zip(first) {
            let nodes = &x[first as usize..];
            let mut sum = [0.0; 3];
            for (&k, &w) in offsets.iter().zip(weights) {
                sum = vec3::add_scaled(sum, nodes[k as usize], w);
            }
            *out = sum;
        }
    }
    d.scratch.flex.nodes = x;
}
