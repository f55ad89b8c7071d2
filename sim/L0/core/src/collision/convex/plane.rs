//! A plane and an ellipsoid or mesh (`mjc_PlaneConvex`).
//!
//! The deepest point, and for a mesh up to three more vertices of the face it belongs to. Adjacent hull
//! vertices alone would leave a prism resting on vertices at one side of its base.

use super::super::manifold::{ContactPoint, Manifold};
use super::super::shape::{Mesh, Shape};
use super::support::{HullGraph, to_f64};
use crate::math::mat3;
use crate::math::vec3::{Vec3, add, add_scaled, cross, dot, norm, normalize, scale, sub};
use sim_types::GeomType;

/// Largest number of contacts of a mesh.
const MAX_CONTACTS: usize = 4;
/// Fewest vertices for hill climbing; smaller meshes are searched exhaustively.
const MIN_HILL_CLIMB: usize = 10;

/// Contacts of a plane and an ellipsoid or mesh.
#[doc(alias = "mjc_PlaneConvex")]
pub(crate) fn plane_convex(plane: &Shape<'_>, solid: &Shape<'_>, margin: f64, out: &mut Manifold) {
    let normal = mat3::column(plane.mat, 2);
    let down = mat3::mul_transpose_vec(solid.mat, scale(normal, -1.0));
    let (lowest, start) = match (solid.kind, &solid.mesh) {
        (GeomType::Ellipsoid, _) => (on_ellipsoid(solid.size, down), 0),
        (GeomType::Mesh | GeomType::Sdf, Some(mesh)) => {
            let Some(found) = support_vertex(mesh, down) else { return };
            found
        }
        _ => return,
    };
    let contact = |local: Vec3| {
        let point = add(mat3::mul_vec(solid.mat, local), solid.pos);
        let dist = dot(normal, sub(point, plane.pos));
        let pos = add_scaled(point, normal, -0.5 * dist);
        ContactPoint { dist, pos, normal, tangent: [0.0; 3] }
    };
    let first = contact(lowest);
    if first.dist > margin || !first.dist.is_finite() {
        return;
    }
    out.push(first);
    let Some(mesh) = &solid.mesh else { return };

    // more vertices of the most level face: those within the margin and below the solid's centre, so
    // that an upright face gets no contact at its upper end
    let min_along = dot(normal, sub(solid.pos, plane.pos)) - margin;
    for corner in max_area_with(mesh, most_aligned_face(mesh, start, down), start) {
        let local = to_f64(corner);
        let along = dot(down, local);
        if along > min_along && along > 0.0 {
            out.push(contact(local));
        }
    }
}

/// The polygon around a vertex whose normal is closest to `dir`.
fn most_aligned_face<'a>(mesh: &Mesh<'a>, vertex: i32, dir: Vec3) -> &'a [i32] {
    let cosine = |&p: &i32| mesh.poly_normals.get(p as usize).map_or(f64::MIN, |&n| dot(n, dir));
    let mut best: (&[i32], f64) = (&[], f64::MIN);
    for polygon in mesh.polygons_around(vertex) {
        let along = cosine(polygon);
        if along > best.1 {
            best = (mesh.polygon(*polygon as usize), along);
        }
    }
    best.0
}

/// Up to three more vertices of a polygon that span a large area with `vertex`: starting with the next
/// three, they advance around the polygon while the area grows.
fn max_area_with<'a>(
    mesh: &Mesh<'a>,
    polygon: &'a [i32],
    vertex: i32,
) -> impl Iterator<Item = [f32; 3]> + use<'a> {
    let n = polygon.len();
    let first = polygon.iter().position(|&v| v == vertex);
    let index = move |k: usize| polygon[(first.unwrap_or(0) + k) % n] as usize;
    let vertices = mesh.vertices;
    let corner = move |k: usize| vertices.get(index(k)).copied().unwrap_or_default();
    let mut chosen = [1, 2, 3];
    if n > MAX_CONTACTS && first.is_some() {
        let start = to_f64(corner(0));
        let area = |[b, c, d]: [usize; 3]| {
            let across = sub(to_f64(corner(c)), start);
            let other = sub(to_f64(corner(d)), to_f64(corner(b)));
            norm(cross(across, other))
        };
        let mut largest = area(chosen);
        let mut advance = |chosen: &mut [usize; 3], which: usize| {
            let mut moved = *chosen;
            moved[which] += 1;
            let end = moved.get(which + 1).copied().unwrap_or(n);
            let grown = if moved[which] < end { area(moved) } else { 0.0 };
            let grows = grown > largest;
            if grows {
                (largest, *chosen) = (grown, moved);
            }
            grows
        };
        while advance(&mut chosen, 2) {
            while advance(&mut chosen, 1) {}
            while advance(&mut chosen, 0) {}
        }
    }
    let count = if first.is_some() { n.min(MAX_CONTACTS) } else { 0 };
    chosen.into_iter().take(count.saturating_sub(1)).map(corner)
}

fn on_ellipsoid(size: Vec3, dir: Vec3) -> Vec3 {
    let (unit, _) = normalize([0, 1, 2].map(|k| dir[k] * size[k]));
    [0, 1, 2].map(|k| unit[k] * size[k])
}

/// The support vertex and its index in the mesh.
fn support_vertex(mesh: &Mesh<'_>, dir: Vec3) -> Option<(Vec3, i32)> {
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
    Some((vertex(best)?, graph.vertex(best) as i32))
}

/// The first hull vertex of largest projection and its index, by exhaustive search.
fn exhaustive_support(mesh: &Mesh<'_>, dir: Vec3) -> Option<(Vec3, i32)> {
    let mut best = None;
    let mut most = f64::MIN;
    for (k, &vertex) in mesh.vertices.iter().enumerate() {
        let vertex = to_f64(vertex);
        let projection = dot(dir, vertex);
        let on_hull = mesh.poly_num.is_empty() || !mesh.polygons_around(k as i32).is_empty();
        if projection > most && on_hull {
            (best, most) = (Some((vertex, k as i32)), projection);
        }
    }
    best
}
