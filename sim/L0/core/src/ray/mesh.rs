//! Rays and meshes: a walk through the tree of boxes around the triangles.

use super::{Met, to_local};
use crate::math::vec3::{self, Vec3};
use crate::math::{at, mat3, rows};
use crate::{Data, Model};
use sim_types::MINVAL;

/// Nodes that wait to be visited. Trees are balanced, so that their depth is a logarithm.
const STACK: usize = 128;

/// Where a ray first meets the triangles of a mesh geom, if before `limit`.
pub(super) fn meet(
    m: &Model,
    d: &Data,
    geom: usize,
    point: Vec3,
    vec: Vec3,
    limit: f64,
) -> Option<Met> {
    let mesh = usize::try_from(m.geom_dataid[geom]).ok()?;
    let root = usize::try_from(m.mesh_bvhadr[mesh]).ok()?;
    let mat = &rows::<9>(&d.geom_xmat)[geom];
    let (p, v) = to_local(rows::<3>(&d.geom_xpos)[geom], mat, point, vec);
    let inverse = v.map(|x| 1.0 / x);

    let (mut limit, mut best) = (limit, None);
    let mut stack = [0_usize; STACK];
    let mut waiting = 1;
    while waiting > 0 {
        waiting -= 1;
        let node = root + stack[waiting];
        if !passes(&rows::<6>(&m.bvh_aabb)[node], p, inverse, limit) {
            continue;
        }
        if let Ok(face) = usize::try_from(m.bvh_nodeid[node]) {
            if let Some((x, normal)) = triangle(&corners(m, mesh, face), p, v)
                && x >= 0.0
                && x < limit
            {
                limit = x;
                best = Some((x, normal));
            }
            continue;
        }
        for child in &m.bvh_child[2 * node..2 * node + 2] {
            if let Ok(child) = usize::try_from(*child)
                && waiting < STACK
            {
                stack[waiting] = child;
                waiting += 1;
            }
        }
    }
    best.map(|(x, normal)| (x, mat3::mul_vec(mat, vec3::normalize(normal).0)))
}

/// The corners of a triangle.
fn corners(m: &Model, mesh: usize, face: usize) -> [Vec3; 3] {
    let face = 3 * (at(&m.mesh_faceadr, mesh) + face);
    std::array::from_fn(|k| {
        let vertex = 3 * (at(&m.mesh_vertadr, mesh) + at(&m.mesh_face, face + k));
        std::array::from_fn(|c| f64::from(m.mesh_vert[vertex + c]))
    })
}

/// Whether a ray passes through a box before `limit`, by the intervals between its sides.
fn passes(aabb: &[f64; 6], p: Vec3, inverse: Vec3, limit: f64) -> bool {
    let (mut enter, mut leave) = (0.0_f64, limit);
    for k in 0..3 {
        let a = (aabb[k] - aabb[k + 3] - p[k]) * inverse[k];
        let b = (aabb[k] + aabb[k + 3] - p[k]) * inverse[k];
        // the order makes a side that the ray runs in count as passed
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    // flat meshes have flat boxes
    enter <= leave
}

/// Where a line passes through a triangle, and the normal there, not of unit length. Seen from
/// both sides.
pub(super) fn triangle(corners: &[Vec3; 3], p: Vec3, v: Vec3) -> Option<Met> {
    let (e1, e2) = (vec3::sub(corners[1], corners[0]), vec3::sub(corners[2], corners[0]));
    let across = vec3::cross(v, e2);
    let volume = vec3::dot(e1, across);
    let normal = vec3::cross(e1, e2);
    if vec3::dot(v, normal).abs() < MINVAL || volume == 0.0 {
        return None;
    }
    let from = vec3::sub(p, corners[0]);
    let s = vec3::dot(from, across) / volume;
    let turned = vec3::cross(from, e1);
    let t = vec3::dot(v, turned) / volume;
    // along the normal the distance is known best, even where the triangle is thin
    let x = -vec3::dot(vec3::sub(p, corners[2]), normal) / vec3::dot(v, normal);
    (s >= 0.0 && t >= 0.0 && s + t <= 1.0).then_some((x, normal))
}
