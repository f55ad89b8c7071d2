//! Ray intersection with a skin (`mju_raySkin`).

use super::mesh::triangle;
use super::shape::ray_geom;
use crate::math::mat3;
use crate::math::vec3::{self, Vec3};
use sim_types::GeomType;

/// Returns the distance of the first intersection of a ray with the triangles `faces` of a skin, and the
/// triangle's vertex nearest to the hit point; `None` if there is none. Vertices are in world coordinates.
///
/// # Panics
///
/// If a triangle has a vertex that does not exist.
#[doc(alias = "mju_raySkin")]
#[must_use]
pub fn ray_skin(
    faces: &[[i32; 3]],
    vertices: &[[f32; 3]],
    point: Vec3,
    vec: Vec3,
) -> Option<(f64, usize)> {
    // bounding box of the vertices
    let first = vertices.first()?.map(f64::from);
    let (mut low, mut high) = (first, first);
    for vertex in vertices {
        for k in 0..3 {
            low[k] = low[k].min(f64::from(vertex[k]));
            high[k] = high[k].max(f64::from(vertex[k]));
        }
    }
    let middle = vec3::scale(vec3::add(low, high), 0.5);
    let size = vec3::scale(vec3::sub(high, low), 0.5);
    ray_geom(GeomType::Box, middle, &mat3::IDENTITY, size, point, vec)?;
    let mut best: Option<(f64, usize)> = None;
    for face in faces {
        let corners = face.map(|vertex| vertices[vertex as usize].map(f64::from));
        let Some((x, _)) = triangle(&corners, point, vec) else { continue };
        if x >= 0.0 && best.is_none_or(|(dist, _)| x < dist) {
            let hit = vec3::add_scaled(point, vec, x);
            let mut nearest = 0;
            for k in 1..3 {
                if vec3::distance(hit, corners[k]) < vec3::distance(hit, corners[nearest]) {
                    nearest = k;
                }
            }
            best = Some((x, face[nearest] as usize));
        }
    }
    best
}
