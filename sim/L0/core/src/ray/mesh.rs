//! Ray intersection with meshes (`mj_rayMesh`): traversal of the bounding volume hierarchy.

use super::{SurfaceHit, to_local};
use crate::math::vec3::{self, Vec3};
use crate::math::{at, mat3, rows};
use crate::{Data, Model};
use sim_types::MINVAL;

/// Capacity of the traversal stack. Hierarchies are balanced, so their depth is logarithmic.
const STACK: usize = 128;

/// First intersection of a ray with the triangles of a mesh geom closer than `limit`.
pub(super) fn intersect(
    m: &Model,
    d: &Data,
    geom: usize,
    point: Vec3,
    vec: Vec3,
    limit: f64,
) -> Option<SurfaceHit> {
    let mesh = usize::try_from(m.geom_dataid[geom]).ok()?;
    let root = usize::try_from(m.mesh_bvhadr[mesh]).ok()?;
    let mat = &rows::<9>(&d.geom_xmat)[geom];
    let (p, v) = to_local(rows::<3>(&d.geom_xpos)[geom], mat, point, vec);
    let inverse = v.map(|x| 1.0 / x);

    let (mut limit, mut best) = (limit, None);
    let mut stack = [0_usize; STACK];
    let mut len = 1;
    while len > 0 {
        len -= 1;
        let node = root + stack[len];
        if !intersects_aabb(&rows::<6>(&m.bvh_aabb)[node], p, inverse, limit) {
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
                && len < STACK
            {
                stack[len] = child;
                len += 1;
            }
        }
    }
    best.map(|(x, normal)| (x, mat3::mul_vec(mat, vec3::normalize(normal).0)))
}

/// Vertices of a triangle.
fn corners(m: &Model, mesh: usize, face: usize) -> [Vec3; 3] {
    let face = 3 * (at(&m.mesh_faceadr, mesh) + face);
    std::array::from_fn(|k| {
        let vertex = 3 * (at(&m.mesh_vertadr, mesh) + at(&m.mesh_face, face + k));
        std::array::from_fn(|c| f64::from(m.mesh_vert[vertex + c]))
    })
}

/// Slab test: whether a ray intersects a box closer than `limit`.
fn intersects_aabb(aabb: &[f64; 6], p: Vec3, inverse: Vec3, limit: f64) -> bool {
    let (mut enter, mut leave) = (0.0_f64, limit);
    for k in 0..3 {
        let a = (aabb[k] - aabb[k + 3] - p[k]) * inverse[k];
        let b = (aabb[k] + aabb[k + 3] - p[k]) * inverse[k];
        // NaN (a ray within a side plane) is ignored by this order of operands
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    // equality, because flat meshes have flat boxes
    enter <= leave
}

/// Intersection of a line with a two-sided triangle: parameter and unnormalized normal
/// (Möller–Trumbore).
pub(super) fn triangle(corners: &[Vec3; 3], p: Vec3, v: Vec3) -> Option<SurfaceHit> {
    let (e1, e2) = (vec3::sub(corners[1], corners[0]), vec3::sub(corners[2], corners[0]));
    let cross = vec3::cross(v, e2);
    let det = vec3::dot(e1, cross);
    let normal = vec3::cross(e1, e2);
    if vec3::dot(v, normal).abs() < MINVAL || det == 0.0 {
        return None;
    }
    let from = vec3::sub(p, corners[0]);
    let s = vec3::dot(from, cross) / det;
    let t = vec3::dot(v, vec3::cross(from, e1)) / det;
    // the distance along the normal is most accurate, even for thin triangles
    let x = -vec3::dot(vec3::sub(p, corners[2]), normal) / vec3::dot(v, normal);
    (s >= 0.0 && t >= 0.0 && s + t <= 1.0).then_some((x, normal))
}
