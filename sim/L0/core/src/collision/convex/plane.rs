//! A plane and an ellipsoid or mesh (`mjc_PlaneConvex`).
//!
//! The deepest point, and for a mesh up to two more vertices among the neighbours of the deepest one in the
//! graph of the convex hull. The choice is that of MuJoCo 3.8.0; 3.13 replaced it.

use super::super::manifold::{ContactPoint, Manifold};
use super::super::shape::{Mesh, Shape};
use super::support::{HullGraph, to_f64};
use crate::math::mat3;
use crate::math::vec3::{Vec3, add, add_scaled, distance, dot, normalize, scale, sub};
use sim_types::GeomType;

/// Largest number of contacts of a mesh.
const MAX_CONTACTS: usize = 3;
/// Least distance of a further contact from the first, relative to the radius of the bounding sphere.
const MIN_SEPARATION: f64 = 0.3;
/// Fewest vertices for hill climbing; smaller meshes are searched exhaustively.
const MIN_HILL_CLIMB: usize = 10;

/// Contacts of a plane and an ellipsoid or mesh.
#[doc(alias = "mjc_PlaneConvex")]
pub(crate) fn plane_convex(plane: &Shape<'_>, solid: &Shape<'_>, margin: f64, out: &mut Manifold) {
    let normal = mat3::column(plane.mat, 2);
    let down = mat3::mul_transpose_vec(solid.mat, scale(normal, -1.0));
    let (lowest, index) = match (solid.kind, &solid.mesh) {
        (GeomType::Ellipsoid, _) => (on_ellipsoid(solid.size, down), 0),
        (GeomType::Mesh | GeomType::Sdf, Some(mesh)) => {
            let Some(found) = support_vertex(mesh, down) else { return };
            found
        }
        _ => return,
    };
    let world = |local: Vec3| add(mat3::mul_vec(solid.mat, local), solid.pos);
    let contact = |point: Vec3| {
        let dist = dot(normal, sub(point, plane.pos));
        let pos = add_scaled(point, normal, -0.5 * dist);
        ContactPoint { dist, pos, normal, tangent: [0.0; 3] }
    };
    let first = contact(world(lowest));
    if first.dist > margin || !first.dist.is_finite() {
        return;
    }
    out.push(first);
    let Some(mesh) = &solid.mesh else { return };

    let min_along = dot(normal, sub(solid.pos, plane.pos)) - margin;
    let min_distance = MIN_SEPARATION * solid.rbound;
    let mut count = 1;
    for_each_candidate(mesh, index, |vertex| {
        let local = to_f64(vertex);
        if dot(down, local) > min_along {
            let point = world(local);
            let too_close = distance(point, first.pos) < min_distance;
            if !too_close {
                out.push(contact(point));
                count += 1;
            }
        }
        count < MAX_CONTACTS
    });
}

/// Visits the vertices that may give further contacts while `visit` returns true: the hull neighbours of the
/// deepest vertex, or without a hull graph all other vertices.
///
/// `index` is a hull vertex if hill climbing found it and a mesh vertex otherwise. MuJoCo 3.8.0 looks up
/// either in the list of hull vertices, so that a small mesh gets the neighbours of another vertex unless
/// both numberings agree.
fn for_each_candidate(mesh: &Mesh<'_>, index: usize, mut visit: impl FnMut([f32; 3]) -> bool) {
    if mesh.graph.is_empty() {
        for (k, &vertex) in mesh.vertices.iter().enumerate() {
            if k != index && !visit(vertex) {
                return;
            }
        }
        return;
    }
    let graph = HullGraph::new(mesh.graph);
    for neighbour in graph.neighbours_of_entry(index) {
        let Some(&vertex) = mesh.vertices.get(graph.vertex(neighbour)) else { continue };
        if !visit(vertex) {
            return;
        }
    }
}

fn on_ellipsoid(size: Vec3, dir: Vec3) -> Vec3 {
    let (unit, _) = normalize([0, 1, 2].map(|k| dir[k] * size[k]));
    [0, 1, 2].map(|k| unit[k] * size[k])
}

/// The support vertex and its index: in the hull for meshes searched by hill climbing, otherwise in the mesh.
fn support_vertex(mesh: &Mesh<'_>, dir: Vec3) -> Option<(Vec3, usize)> {
    if mesh.graph.is_empty() || mesh.vertices.len() < MIN_HILL_CLIMB {
        return exhaustive_support(mesh, dir);
    }
    let graph = HullGraph::new(mesh.graph);
    let vertex = |k: usize| mesh.vertices.get(graph.vertex(k)).map(|&vertex| to_f64(vertex));
    let most = dot(dir, vertex(0)?);
    let best = match mesh.hull {
        Some(hull) => hull.hill_climb(0, most, &dir) as usize,
        None => graph.hill_climb(mesh.vertices, 0, most, dir),
    };
    Some((vertex(best)?, best))
}

/// The first vertex of largest projection and its index, by exhaustive search.
fn exhaustive_support(mesh: &Mesh<'_>, dir: Vec3) -> Option<(Vec3, usize)> {
    let mut best = None;
    let mut most = f64::MIN;
    for (k, &vertex) in mesh.vertices.iter().enumerate() {
        let vertex = to_f64(vertex);
        let projection = dot(dir, vertex);
        if projection > most {
            (best, most) = (Some((vertex, k)), projection);
        }
    }
    best
}
