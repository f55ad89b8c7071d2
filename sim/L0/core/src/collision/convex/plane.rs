//! A plane under an ellipsoid or a mesh (`mjc_PlaneConvex`).
//!
//! The deepest point, and for a mesh at most two more vertices at least 0.3 bounding radii from it.

use super::super::shape::{Mesh, Shape};
use super::super::touch::{Touch, Touches};
use super::support::{Hull, wide};
use crate::math::mat3;
use crate::math::vec3::{Vec3, add, add_scaled, distance, dot, normalize, scale, sub};
use sim_types::GeomType;

/// Most points of a mesh on a plane.
const MOST: usize = 3;
/// Least distance of two points, as a fraction of the bounding radius.
const SPREAD: f64 = 0.3;
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
        (point, Touch { dist, pos, normal, tangent: [0.0; 3] })
    };
    let (_, first) = touch(lowest);
    if first.dist > margin || !first.dist.is_finite() {
        return;
    }
    out.push(first);
    let Some(mesh) = &solid.mesh else { return };

    // more vertices below the margin, away from the first point
    let threshold = dot(normal, sub(solid.pos, plane.pos)) - margin;
    let mut count = 1;
    let mut consider = |vertex: usize| {
        if count < MOST
            && let Some(&vertex) = mesh.vertices.get(vertex)
            && dot(down, wide(vertex)) > threshold
        {
            let (point, touch) = touch(wide(vertex));
            if distance(point, first.pos) >= SPREAD * solid.rbound {
                out.push(touch);
                count += 1;
            }
        }
    };
    if mesh.graph.is_empty() {
        (0..mesh.vertices.len()).filter(|&vertex| vertex != start).for_each(&mut consider);
    } else {
        // In a mesh of less than ten vertices the reference engine takes the vertex for a vertex of
        // the hull, whose numbers may differ: it then looks at the neighbours of another vertex.
        let hull = Hull::new(mesh.graph);
        hull.neighbours(start).for_each(|k| consider(hull.vertex(k)));
    }
}

fn on_ellipsoid(size: Vec3, dir: Vec3) -> Vec3 {
    let (unit, _) = normalize([0, 1, 2].map(|k| dir[k] * size[k]));
    [0, 1, 2].map(|k| unit[k] * size[k])
}

/// The farthest vertex and its number: in the hull when that was climbed, else in the mesh.
fn lowest_vertex(mesh: &Mesh<'_>, dir: Vec3) -> Option<(Vec3, usize)> {
    let mut best = 0;
    if mesh.graph.is_empty() || mesh.vertices.len() < CLIMB_MIN {
        let mut farthest = -1e10;
        for (k, &vertex) in mesh.vertices.iter().enumerate() {
            let reach = dot(dir, wide(vertex));
            if reach > farthest {
                (best, farthest) = (k, reach);
            }
        }
        return mesh.vertices.get(best).map(|&vertex| (wide(vertex), best));
    }
    let hull = Hull::new(mesh.graph);
    let vertex = |k: usize| mesh.vertices.get(hull.vertex(k)).map(|&vertex| wide(vertex));
    let mut farthest = dot(dir, vertex(best)?);
    loop {
        let from = best;
        for neighbour in hull.neighbours(from) {
            let reach = dot(dir, vertex(neighbour)?);
            if reach > farthest {
                (best, farthest) = (neighbour, reach);
            }
        }
        if best == from {
            return Some((vertex(best)?, best));
        }
    }
}
