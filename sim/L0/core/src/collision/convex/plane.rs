//! A plane under an ellipsoid or a mesh (`mjc_PlaneConvex`).
//!
//! The deepest point, and for a mesh at most three more corners of the face it lies on: with the hull's
//! neighbours alone, a prism on its base would rest on vertices that are next to each other.

use super::super::shape::{Mesh, Shape};
use super::super::touch::{Touch, Touches};
use super::support::{Hull, wide};
use crate::math::mat3;
use crate::math::vec3::{Vec3, add, add_scaled, cross, dot, norm, normalize, scale, sub};
use sim_types::GeomType;

/// Most points of a mesh on a plane.
const MOST: usize = 4;
/// With fewer vertices all are searched.
const CLIMB_MIN: usize = 10;

/// Where a plane touches an ellipsoid or a mesh.
#[doc(alias = "mjc_PlaneConvex")]
pub(crate) fn plane_convex(plane: &Shape<'_>, solid: &Shape<'_>, margin: f64, out: &mut Touches) {
    let normal = mat3::column(plane.mat, 2);
    let down = mat3::mul_transpose_vec(solid.mat, scale(normal, -1.0));
    let (lowest, start) = match (solid.kind, &solid.mesh) {
        (GeomType::Ellipsoid, _) => (on_ellipsoid(solid.size, down), 0),
        (GeomType::Mesh | GeomType::Sdf, Some(mesh)) => {
            let Some(found) = lowest_vertex(mesh, down) else { return };
            found
        }
        _ => return,
    };
    let touch = |local: Vec3| {
        let point = add(mat3::mul_vec(solid.mat, local), solid.pos);
        let dist = dot(normal, sub(point, plane.pos));
        let pos = add_scaled(point, normal, -0.5 * dist);
        Touch { dist, pos, normal, tangent: [0.0; 3] }
    };
    let first = touch(lowest);
    if first.dist > margin || !first.dist.is_finite() {
        return;
    }
    out.push(first);
    let Some(mesh) = &solid.mesh else { return };

    // the rest of the flattest face at that vertex: what is below the margin, and below the solid's
    // centre, so that a face that stands upright does not hold up its far end
    let reach = dot(normal, sub(solid.pos, plane.pos)) - margin;
    for corner in widest_with(mesh, flattest(mesh, start, down), start) {
        let local = wide(corner);
        let along = dot(down, local);
        if along > reach && along > 0.0 {
            out.push(touch(local));
        }
    }
}

/// The polygon around a vertex that looks along `dir` the most.
fn flattest<'a>(mesh: &Mesh<'a>, vertex: i32, dir: Vec3) -> &'a [i32] {
    let looks = |&p: &i32| mesh.poly_normals.get(p as usize).map_or(f64::MIN, |&n| dot(n, dir));
    let mut best: (&[i32], f64) = (&[], f64::MIN);
    for polygon in mesh.polygons_around(vertex) {
        let along = looks(polygon);
        if along > best.1 {
            best = (mesh.polygon(*polygon as usize), along);
        }
    }
    best.0
}

/// At most three more corners of a polygon that span a wide area with the one at `vertex`: beginning
/// with its next three, they move on round the polygon as long as that adds area.
fn widest_with<'a>(
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
    if n > MOST && first.is_some() {
        let start = wide(corner(0));
        let area = |[b, c, d]: [usize; 3]| {
            let across = sub(wide(corner(c)), start);
            let other = sub(wide(corner(d)), wide(corner(b)));
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
    let count = if first.is_some() { n.min(MOST) } else { 0 };
    chosen.into_iter().take(count.saturating_sub(1)).map(corner)
}

fn on_ellipsoid(size: Vec3, dir: Vec3) -> Vec3 {
    let (unit, _) = normalize([0, 1, 2].map(|k| dir[k] * size[k]));
    [0, 1, 2].map(|k| unit[k] * size[k])
}

/// The farthest vertex and its number in the mesh.
fn lowest_vertex(mesh: &Mesh<'_>, dir: Vec3) -> Option<(Vec3, i32)> {
    if mesh.graph.is_empty() || mesh.vertices.len() < CLIMB_MIN {
        return farthest(mesh, dir);
    }
    let hull = Hull::new(mesh.graph);
    let vertex = |k: usize| mesh.vertices.get(hull.vertex(k)).map(|&vertex| wide(vertex));
    let most = dot(dir, vertex(0)?);
    let best = match mesh.map {
        Some(map) => map.climb(0, most, &dir) as usize,
        None => hull.climb(mesh.vertices, 0, most, dir),
    };
    Some((vertex(best)?, hull.vertex(best) as i32))
}

/// The first vertex of the hull that reaches the farthest, and its number; all vertices are looked at.
fn farthest(mesh: &Mesh<'_>, dir: Vec3) -> Option<(Vec3, i32)> {
    let mut best = None;
    let mut most = f64::MIN;
    for (k, &vertex) in mesh.vertices.iter().enumerate() {
        let vertex = wide(vertex);
        let reach = dot(dir, vertex);
        let corner = mesh.poly_num.is_empty() || !mesh.polygons_around(k as i32).is_empty();
        if reach > most && corner {
            (best, most) = (Some((vertex, k as i32)), reach);
        }
    }
    best
}
