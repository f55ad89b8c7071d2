//! Multiple contacts from one query: clips the two contacting faces, or a face and an edge, against each
//! other.

use super::clip::{ClipWork, clip};
use super::feature::{self, Corner};
use super::minkowski::{MinkowskiDifference, Vertex};
use super::witness::Witnesses;
use crate::math::vec3::{Vec3, dot, norm, scale, sub};

/// Largest number of vertices of a mesh polygon, and of polygons around a vertex, that are used.
pub(super) const MAX_CORNERS: usize = 150;
/// Cosine of the largest angle between faces in contact (1.6 mrad).
pub(super) const FACE_COSINE: f64 = 0.999_998_72;
/// Sine of the largest angle between an edge and a face in contact.
const EDGE_SINE: f64 = 0.001_599_999_31;

/// Candidate faces and edges of one solid.
#[derive(Debug, Clone, Default)]
pub(super) struct Features {
    /// Face normals.
    pub normals: Vec<Vec3>,
    /// Face indices.
    pub faces: Vec<usize>,
    /// Edge directions.
    pub edges: Vec<Vec3>,
    /// Far end points of the edges.
    pub ends: Vec<Vec3>,
    /// Vertices of the selected face.
    pub polygon: Vec<Vec3>,
}

impl Features {
    fn reset(&mut self) {
        for list in [&mut self.normals, &mut self.edges, &mut self.ends, &mut self.polygon] {
            list.clear();
            list.reserve(MAX_CORNERS);
        }
        self.faces.clear();
        self.faces.reserve(MAX_CORNERS);
    }
}

/// Buffers.
#[derive(Debug, Clone, Default)]
pub(super) struct MultiWork {
    a: Features,
    b: Features,
    clip: ClipWork,
}

/// Replaces the pair of witness points by several, if the solids are in face contact.
///
/// `face` contains the vertices of EPA's closest face, `points` its witness points.
pub(super) fn add(
    difference: &MinkowskiDifference<'_, '_>,
    face: [Vertex; 3],
    points: [Vec3; 2],
    max_contacts: usize,
    work: &mut MultiWork,
    out: &mut Witnesses,
) {
    if !feature::has_faces(difference.a) || !feature::has_faces(difference.b) {
        return;
    }
    let MultiWork { a, b, clip: buffers } = work;
    a.reset();
    b.reset();
    buffers.reserve();
    let out_of_b = sub(points[1], points[0]);
    let depth = norm(out_of_b);
    let on_a = feature::distinct(face.map(|v| Corner { id: v.index_a, point: v.on_a.into() }));
    let on_b = feature::distinct(face.map(|v| Corner { id: v.index_b, point: v.on_b.into() }));
    feature::face_normals(difference.a, on_a.as_slice(), sub(points[0], points[1]), a);
    feature::face_normals(difference.b, on_b.as_slice(), out_of_b, b);

    if let Some((i, j)) = antiparallel(&a.normals, &b.normals) {
        feature::face_polygon(difference.a, a.faces[i], &mut a.polygon);
        feature::face_polygon(difference.b, b.faces[j], &mut b.polygon);
        let approach = scale(b.normals[j], depth);
        clip(&a.polygon, &b.polygon, a.normals[i], approach, max_contacts, buffers, out);
    } else if on_a.len() < 3 && on_a.len() <= on_b.len() {
        feature::edge_directions(difference.a, on_a.as_slice(), a);
        let Some((i, j)) = edge_in_face(&a.edges, &b.normals) else { return };
        feature::face_polygon(difference.b, b.faces[j], &mut b.polygon);
        let approach = scale(b.normals[j], depth);
        clip(
            &b.polygon,
            &[face[0].on_a.into(), a.ends[i]],
            b.normals[j],
            approach,
            max_contacts,
            buffers,
            out,
        );
    } else if on_b.len() < 3 {
        feature::edge_directions(difference.b, on_b.as_slice(), b);
        let Some((i, j)) = edge_in_face(&b.edges, &a.normals) else { return };
        feature::face_polygon(difference.a, a.faces[j], &mut a.polygon);
        let approach = scale(a.normals[j], -depth);
        clip(
            &a.polygon,
            &[face[0].on_b.into(), b.ends[i]],
            a.normals[j],
            approach,
            max_contacts,
            buffers,
            out,
        );
    }
}

/// The first pair of antiparallel normals.
fn antiparallel(a: &[Vec3], b: &[Vec3]) -> Option<(usize, usize)> {
    for (i, &n) in a.iter().enumerate() {
        for (j, &m) in b.iter().enumerate() {
            if dot(n, m) < -FACE_COSINE {
                return Some((i, j));
            }
        }
    }
    None
}

/// The first edge that is parallel to a face, and that face.
fn edge_in_face(edges: &[Vec3], normals: &[Vec3]) -> Option<(usize, usize)> {
    for (j, &n) in normals.iter().enumerate() {
        for (i, &edge) in edges.iter().enumerate() {
            if dot(edge, n).abs() < EDGE_SINE {
                return Some((i, j));
            }
        }
    }
    None
}
