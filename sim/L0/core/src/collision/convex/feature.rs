//! Faces and edges of boxes and meshes incident to the vertices of an EPA face.

use super::super::shape::Mesh;
use super::multicontact::{FACE_COSINE, Features, MAX_CORNERS};
use super::support::{Solid, to_f64};
use crate::math::mat3;
use crate::math::vec3::{Vec3, add, dot, normalize, scale, sub};
use sim_types::GeomType;

/// A vertex of a solid.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Corner {
    /// Vertex index.
    pub id: i32,
    /// World position.
    pub point: Vec3,
}

/// One, two or three distinct vertices.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corners {
    corners: [Corner; 3],
    count: usize,
}

impl Corners {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn as_slice(&self) -> &[Corner] {
        &self.corners[..self.count]
    }
}

/// The distinct vertices among three.
pub(super) fn distinct([a, b, c]: [Corner; 3]) -> Corners {
    if a.id != b.id {
        let count = if c.id == a.id || c.id == b.id { 2 } else { 3 };
        Corners { corners: [a, b, c], count }
    } else if a.id != c.id {
        Corners { corners: [a, c, c], count: 2 }
    } else {
        Corners { corners: [a, b, c], count: 1 }
    }
}

/// Whether a solid has polygonal faces.
pub(super) fn has_faces(solid: &Solid<'_>) -> bool {
    match solid.geom_type {
        GeomType::Box => true,
        GeomType::Mesh => solid.mesh.is_some_and(|mesh| !mesh.poly_num.is_empty()),
        _ => false,
    }
}

/// Collects the faces that contain all given vertices; `dir` is the outward contact direction.
pub(super) fn face_normals(solid: &Solid<'_>, corners: &[Corner], dir: Vec3, out: &mut Features) {
    match (solid.geom_type, &solid.mesh) {
        (GeomType::Box, _) => box_normals(solid, corners, dir, out),
        (GeomType::Mesh, Some(mesh)) => mesh_normals(solid, mesh, corners, out),
        _ => {}
    }
}

/// Collects the edges that contain all given vertices.
pub(super) fn edge_directions(solid: &Solid<'_>, corners: &[Corner], out: &mut Features) {
    match (corners, solid.geom_type, &solid.mesh) {
        ([from, to], ..) => add_edge(from.point, to.point, out),
        ([corner], GeomType::Box, _) => box_edges(solid, *corner, out),
        ([corner], GeomType::Mesh, Some(mesh)) => mesh_edges(solid, mesh, *corner, out),
        _ => {}
    }
}

/// Collects the vertices of a face, in the order for which clipping planes point inward.
pub(super) fn face_polygon(solid: &Solid<'_>, face: usize, out: &mut Vec<Vec3>) {
    match (solid.geom_type, &solid.mesh) {
        (GeomType::Box, _) => {
            let signs = BOX_FACES.get(face).copied().unwrap_or_default();
            out.extend(signs.map(|s| to_world(solid, [0, 1, 2].map(|k| s[k] * solid.size[k]))));
        }
        (GeomType::Mesh, Some(mesh)) => {
            let corners = mesh.polygon(face);
            let corners = &corners[..corners.len().min(MAX_CORNERS)];
            out.extend(corners.iter().rev().map(|&v| to_world(solid, vertex(mesh, v))));
        }
        _ => {}
    }
}

/// Signs of the vertices of each box face: +x, -x, +y, -y, +z, -z.
const BOX_FACES: [[Vec3; 4]; 6] = [
    [[1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, -1.0], [1.0, -1.0, 1.0]],
    [[-1.0, 1.0, -1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [-1.0, -1.0, -1.0]],
    [[-1.0, 1.0, -1.0], [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]],
    [[-1.0, -1.0, 1.0], [1.0, -1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, -1.0]],
    [[-1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [-1.0, -1.0, 1.0]],
    [[1.0, 1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, -1.0], [1.0, -1.0, -1.0]],
];

/// World position of a point in the solid's frame.
fn to_world(solid: &Solid<'_>, local: Vec3) -> Vec3 {
    add(mat3::mul_vec(&solid.mat, local), solid.pos)
}

/// A vertex of a mesh.
fn vertex(mesh: &Mesh<'_>, index: i32) -> Vec3 {
    mesh.vertices.get(index as usize).map_or([0.0; 3], |&v| to_f64(v))
}

fn add_edge(from: Vec3, to: Vec3, out: &mut Features) {
    out.ends.push(to);
    out.edges.push(normalize(sub(to, from)).0);
}

/// Adds box face `2 axis` (positive) or `2 axis + 1`.
fn add_box_face(solid: &Solid<'_>, axis: usize, sign: f64, out: &mut Features) {
    let mut normal = [0.0; 3];
    normal[axis] = sign;
    out.normals.push(mat3::mul_vec(&solid.mat, normal));
    out.faces.push(2 * axis + usize::from(sign < 0.0));
}

fn box_normals(solid: &Solid<'_>, corners: &[Corner], dir: Vec3, out: &mut Features) {
    // faces that contain all vertices
    for axis in 0..3 {
        let positive = |corner: &Corner| corner.id >> axis & 1 == 1;
        if corners.iter().all(positive) {
            add_box_face(solid, axis, 1.0, out);
        } else if !corners.iter().any(positive) {
            add_box_face(solid, axis, -1.0, out);
        }
    }
    // one vertex is on three faces, two span an edge, three a face; otherwise use the contact direction
    if out.faces.len() != 4 - corners.len() {
        out.normals.clear();
        out.faces.clear();
        let local = mat3::mul_transpose_vec(&solid.mat, dir);
        let local = scale(local, 1.0 / dot(local, local).sqrt());
        for axis in 0..3 {
            for sign in [1.0, -1.0] {
                if sign * local[axis] > FACE_COSINE {
                    return add_box_face(solid, axis, sign, out);
                }
            }
        }
    }
}

fn box_edges(solid: &Solid<'_>, corner: Corner, out: &mut Features) {
    let local = [0, 1, 2]
        .map(|axis| if corner.id >> axis & 1 == 1 { solid.size[axis] } else { -solid.size[axis] });
    for axis in 0..3 {
        let mut other = local;
        other[axis] = -other[axis];
        add_edge(corner.point, to_world(solid, other), out);
    }
}

fn mesh_normals(solid: &Solid<'_>, mesh: &Mesh<'_>, corners: &[Corner], out: &mut Features) {
    let mut add = |polygon: i32| {
        let normal = mesh.poly_normals.get(polygon as usize).copied().unwrap_or_default();
        out.normals.push(mat3::mul_vec(&solid.mat, normal));
        out.faces.push(polygon as usize);
    };
    match *corners {
        [a] => mesh.polygons_around(a.id).iter().take(MAX_CORNERS).for_each(|&p| add(p)),
        [a, b] => shared(mesh, a, b).for_each(add),
        [a, b, c] => {
            let third = mesh.polygons_around(c.id);
            if let Some(polygon) = shared(mesh, a, b).find(|p| third.contains(p)) {
                add(polygon);
            }
        }
        _ => {}
    }
}

/// The polygons, at most two, that contain both vertices.
fn shared<'a>(mesh: &Mesh<'a>, a: Corner, b: Corner) -> impl Iterator<Item = i32> + use<'a> {
    let second = mesh.polygons_around(b.id);
    mesh.polygons_around(a.id).iter().copied().filter(|p| second.contains(p)).take(2)
}

fn mesh_edges(solid: &Solid<'_>, mesh: &Mesh<'_>, corner: Corner, out: &mut Features) {
    for &polygon in mesh.polygons_around(corner.id).iter().take(MAX_CORNERS) {
        let ring = mesh.polygon(polygon as usize);
        // the preceding vertex
        let Some(at) = ring.iter().position(|&v| v == corner.id) else { continue };
        let before = ring[if at == 0 { ring.len() - 1 } else { at - 1 }];
        add_edge(corner.point, to_world(solid, vertex(mesh, before)), out);
    }
}
