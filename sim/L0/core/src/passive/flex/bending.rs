//! Bending of cloth: forces on the four vertices around each interior edge.

use super::apply;
use crate::flex::{Dofs, edges, vertices};
use crate::math::vec3::{self, Vec3};
use crate::math::{at, rows};
use crate::{Data, Model};

/// Coefficients per edge: a 4 × 4 matrix and the term of a curved rest shape.
const PER_EDGE: usize = 17;

/// Adds bending forces to `qfrc_spring` and their damping to `qfrc_damper`.
pub(super) fn forces(m: &Model, d: &mut Data, f: usize, spring: bool, damper: bool) {
    let range = edges(m, f);
    let flaps = &m.flex_edgeflap.as_chunks::<2>().0[range.clone()];
    // flaps are stored only for flexes that bend
    if flaps.iter().all(|flap| flap[1] < 0) {
        return;
    }
    let verts = vertices(m, f);
    let damper = damper && m.flex_damping[f] != 0.0;
    let mut scratch = std::mem::take(&mut d.scratch.flex);
    reset(&mut scratch.spring, verts.len());
    reset(&mut scratch.damper, verts.len());
    if damper {
        scratch.velocities.clear();
        scratch.velocities.extend(verts.clone().map(|v| vertex_velocity(m, d, v)));
    }
    let x = &rows::<3>(&d.flexvert_xpos)[verts.clone()];
    let ends = &m.flex_edge.as_chunks::<2>().0[range.clone()];
    let coefficients = &m.flex_bending.as_chunks::<PER_EDGE>().0[range];
    for ((ends, flap), b) in ends.iter().zip(flaps).zip(coefficients) {
        if flap[1] < 0 {
            continue;
        }
        let v = [ends[0], ends[1], flap[0], flap[1]].map(|v| v as usize);
        if spring {
            let p = v.map(|v| x[v]);
            let curved = if b[16] == 0.0 { [[0.0; 3]; 4] } else { curved_rest(&p) };
            for (i, v) in v.into_iter().enumerate() {
                let mut force = product(b, i, &p);
                force = vec3::add_scaled(force, curved[i], b[16]);
                scratch.spring[v] = vec3::sub(scratch.spring[v], force);
            }
        }
        if damper {
            let velocity = v.map(|v| scratch.velocities[v]);
            for (i, v) in v.into_iter().enumerate() {
                let force = product(b, i, &velocity);
                scratch.damper[v] = vec3::add_scaled(scratch.damper[v], force, -m.flex_damping[f]);
            }
        }
    }
    let mut spring_force = std::mem::take(&mut d.qfrc_spring);
    let mut damper_force = std::mem::take(&mut d.qfrc_damper);
    for (i, v) in verts.enumerate() {
        let target = (m.plan.flex.vertices[v], m.flex_vertbodyid[v]);
        let point = rows::<3>(&d.flexvert_xpos)[v];
        if spring {
            apply(m, d, target, scratch.spring[i], point, &mut spring_force);
        }
        if damper {
            apply(m, d, target, scratch.damper[i], point, &mut damper_force);
        }
    }
    d.qfrc_spring = spring_force;
    d.qfrc_damper = damper_force;
    d.scratch.flex = scratch;
}

/// Sets a list to `count` zero vectors.
fn reset(list: &mut Vec<Vec3>, count: usize) {
    list.clear();
    list.resize(count, [0.0; 3]);
}

/// Row `i` of the bending matrix times four vectors.
#[inline(always)]
fn product(b: &[f64; PER_EDGE], i: usize, p: &[Vec3; 4]) -> Vec3 {
    let mut sum = [0.0; 3];
    for (j, p) in p.iter().enumerate() {
        sum = vec3::add_scaled(sum, *p, b[4 * i + j]);
    }
    sum
}

/// Gradient of the triple product of the three edges from the first vertex.
#[inline(always)]
fn curved_rest(p: &[Vec3; 4]) -> [Vec3; 4] {
    let e = [vec3::sub(p[1], p[0]), vec3::sub(p[2], p[0]), vec3::sub(p[3], p[0])];
    let g1 = vec3::cross(e[1], e[2]);
    let g2 = vec3::cross(e[2], e[0]);
    let g3 = vec3::cross(e[0], e[1]);
    let g0 = vec3::scale(vec3::add(vec3::add(g1, g2), g3), -1.0);
    [g0, g1, g2, g3]
}

/// World velocity of a vertex.
fn vertex_velocity(m: &Model, d: &Data, v: usize) -> Vec3 {
    match m.plan.flex.vertices[v] {
        Dofs::Fixed => [0.0; 3],
        Dofs::Aligned(dof) => std::array::from_fn(|k| d.qvel[dof as usize + k]),
        Dofs::General => {
            let mut velocity = [0.0; 3];
            let (body, point) = (at(&m.flex_vertbodyid, v), rows::<3>(&d.flexvert_xpos)[v]);
            crate::jacobian::for_each_dof(m, d, body, point, |dof, linear, _| {
                velocity = vec3::add_scaled(velocity, linear, d.qvel[dof]);
            });
            velocity
        }
    }
}
