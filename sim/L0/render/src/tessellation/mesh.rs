//! Meshes and their convex hulls.

use super::{Vertex, dot, triangle_normal};
use sim_core::Model;

/// Cosine of the angle between a vertex normal and its face above which the face has its own, flat normal.
const SMOOTH_COSINE: f32 = 0.8;

/// Triangles of mesh `id`. Without texture coordinates, vertex normals that deviate from the normal of
/// their face are replaced by it.
pub(crate) fn mesh(m: &Model, id: usize) -> Vec<Vertex> {
    let address = |a: &[i32]| a[id] as usize;
    let vert = address(&m.mesh_vertadr);
    let normal = address(&m.mesh_normaladr);
    let texcoord = usize::try_from(m.mesh_texcoordadr[id]).ok();
    let (first, count) = (address(&m.mesh_faceadr), address(&m.mesh_facenum));
    let mut out = Vec::with_capacity(3 * count);
    for face in first..first + count {
        let corner = |array: &[i32], k: usize| array[3 * face + k] as usize;
        let position = [0, 1, 2].map(|k| point(&m.mesh_vert, vert + corner(&m.mesh_face, k)));
        let flat = triangle_normal(position[0], position[1], position[2]);
        for k in 0..3 {
            let smooth = point(&m.mesh_normal, normal + corner(&m.mesh_facenormal, k));
            out.push(match texcoord {
                Some(adr) => {
                    let t = 2 * (adr + corner(&m.mesh_facetexcoord, k));
                    let uv = [m.mesh_texcoord[t], m.mesh_texcoord[t + 1]];
                    Vertex { position: position[k], normal: smooth, uv }
                }
                None if dot(smooth, flat) < SMOOTH_COSINE => Vertex::new(position[k], flat),
                None => Vertex::new(position[k], smooth),
            });
        }
    }
    out
}

/// Triangles of the convex hull of mesh `id`, with flat normals; none for a mesh without a hull.
pub(crate) fn convex_hull(m: &Model, id: usize) -> Vec<Vertex> {
    let Ok(graph) = usize::try_from(m.mesh_graphadr[id]) else { return Vec::new() };
    let vert = m.mesh_vertadr[id] as usize;
    let texcoord = usize::try_from(m.mesh_texcoordadr[id]).ok();
    let count = |k: usize| m.mesh_graph[graph + k] as usize;
    let (vertices, faces) = (count(0), count(1));
    // vertex addresses, vertex ids, edges, faces
    let start = graph + 2 + 3 * vertices + 3 * faces;
    let mut out = Vec::with_capacity(3 * faces);
    for face in m.mesh_graph[start..start + 3 * faces].chunks_exact(3) {
        let position = [0, 1, 2].map(|k| point(&m.mesh_vert, vert + face[k] as usize));
        let normal = triangle_normal(position[0], position[1], position[2]);
        for k in 0..3 {
            // the coordinates of the vertex with the same index, which need not exist
            let t = texcoord.map_or(usize::MAX, |adr| 2 * (adr + face[k] as usize));
            let coordinate = |k| m.mesh_texcoord.get(t.wrapping_add(k)).copied().unwrap_or(0.0);
            let uv = if texcoord.is_some() { [coordinate(0), coordinate(1)] } else { [0.0; 2] };
            out.push(Vertex { position: position[k], normal, uv });
        }
    }
    out
}

fn point(array: &[f32], index: usize) -> [f32; 3] {
    [array[3 * index], array[3 * index + 1], array[3 * index + 2]]
}
