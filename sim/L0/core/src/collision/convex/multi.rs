//! Several points of contact from one query: the two faces, or the face and the edge, on which the
//! solids lie against each other, cut by one another.

use super::clip::{ClipWork, clip};
use super::feature::{self, Corner};
use super::pair::{Pair, Vertex};
use super::witness::Witnesses;
use crate::math::vec3::{Vec3, dot, norm, scale, sub};

/// Most corners of a mesh's polygon, and most polygons around a vertex, that are looked at.
pub(super) const MAX_CORNERS: usize = 150;
/// Cosine of the angle up to which two faces lie flat on each other (1.6 mrad).
pub(super) const FACE_COSINE: f64 = 0.999_998_72;
/// Sine of the angle up to which an edge lies flat on a face.
const EDGE_SINE: f64 = 0.001_599_999_31;

/// What one solid may touch with: candidates for the face, and for the edge.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidates {
    /// Normals of faces.
    pub normals: Vec<Vec3>,
    /// Their numbers.
    pub faces: Vec<usize>,
    /// Directions of edges.
    pub edges: Vec<Vec3>,
    /// Far ends of the edges.
    pub ends: Vec<Vec3>,
    /// Corners of the chosen face.
    pub polygon: Vec<Vec3>,
}

impl Candidates {
    fn reset(&mut self) {
        for list in [&mut self.normals, &mut self.edges, &mut self.ends, &mut self.polygon] {
            list.clear();
            list.reserve(MAX_CORNERS);
        }
        self.faces.clear();
        self.faces.reserve(MAX_CORNERS);
    }
}

/// Storage for the search.
#[derive(Debug, Clone, Default)]
pub(super) struct MultiWork {
    a: Candidates,
    b: Candidates,
    clip: ClipWork,
}

/// Replaces the one pair of witnesses by several, if the solids touch along a face.
///
/// `face` are the vertices of the polytope's closest face; `points` the witnesses it gave.
pub(super) fn spread(
    pair: &Pair<'_, '_>,
    face: [Vertex; 3],
    points: [Vec3; 2],
    most: usize,
    work: &mut MultiWork,
    out: &mut Witnesses,
) {
    if !feature::has_faces(pair.a) || !feature::has_faces(pair.b) {
        return;
    }
    let MultiWork { a, b, clip: buffers } = work;
    a.reset();
    b.reset();
    buffers.reserve();
    let out_of_b = sub(points[1], points[0]);
    let depth = norm(out_of_b);
    let on_a = feature::distinct(face.map(|v| Corner { id: v.index_a, point: v.on_a }));
    let on_b = feature::distinct(face.map(|v| Corner { id: v.index_b, point: v.on_b }));
    feature::face_normals(pair.a, on_a.as_slice(), sub(points[0], points[1]), a);
    feature::face_normals(pair.b, on_b.as_slice(), out_of_b, b);

    if let Some((i, j)) = facing(&a.normals, &b.normals) {
        feature::face_polygon(pair.a, a.faces[i], &mut a.polygon);
        feature::face_polygon(pair.b, b.faces[j], &mut b.polygon);
        let approach = scale(b.normals[j], depth);
        clip(&a.polygon, &b.polygon, a.normals[i], approach, most, buffers, out);
    } else if on_a.len() < 3 && on_a.len() <= on_b.len() {
        feature::edge_directions(pair.a, on_a.as_slice(), a);
        let Some((i, j)) = lying(&a.edges, &b.normals) else { return };
        feature::face_polygon(pair.b, b.faces[j], &mut b.polygon);
        let approach = scale(b.normals[j], depth);
        clip(&b.polygon, &[face[0].on_a, a.ends[i]], b.normals[j], approach, most, buffers, out);
    } else if on_b.len() < 3 {
        feature::edge_directions(pair.b, on_b.as_slice(), b);
        let Some((i, j)) = lying(&b.edges, &a.normals) else { return };
        feature::face_polygon(pair.a, a.faces[j], &mut a.polygon);
        let approach = scale(a.normals[j], -depth);
        clip(&a.polygon, &[face[0].on_b, b.ends[i]], a.normals[j], approach, most, buffers, out);
    }
}

/// The first two normals that face each other.
fn facing(a: &[Vec3], b: &[Vec3]) -> Option<(usize, usize)> {
    for (i, &n) in a.iter().enumerate() {
        for (j, &m) in b.iter().enumerate() {
            if dot(n, m) < -FACE_COSINE {
                return Some((i, j));
            }
        }
    }
    None
}

/// The first edge that lies in a face, and that face.
fn lying(edges: &[Vec3], normals: &[Vec3]) -> Option<(usize, usize)> {
    for (j, &n) in normals.iter().enumerate() {
        for (i, &edge) in edges.iter().enumerate() {
            if dot(edge, n).abs() < EDGE_SINE {
                return Some((i, j));
            }
        }
    }
    None
}
