//! The faces and edges of boxes and meshes that meet at the corners a query ended on.

use super::super::shape::Mesh;
use super::multi::{Candidates, FACE_COSINE, MAX_CORNERS};
use super::support::{Solid, wide};
use crate::math::mat3;
use crate::math::vec3::{Vec3, add, dot, normalize, scale, sub};
use sim_types::GeomType;

/// A corner of a solid.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Corner {
    /// Which one.
    pub id: i32,
    /// Where it is in the world.
    pub point: Vec3,
}

/// One, two or three different corners.
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

/// The different ones among three corners, the different ones first.
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

/// Whether the faces of a solid are known.
pub(super) fn has_faces(solid: &Solid<'_>) -> bool {
    match solid.kind {
        GeomType::Box => true,
        GeomType::Mesh => solid.mesh.is_some_and(|mesh| !mesh.poly_num.is_empty()),
        _ => false,
    }
}

/// Collects the faces that hold all of some corners; `dir` is the contact's direction out of them.
pub(super) fn face_normals(solid: &Solid<'_>, corners: &[Corner], dir: Vec3, out: &mut Candidates) {
    match (solid.kind, &solid.mesh) {
        (GeomType::Box, _) => box_normals(solid, corners, dir, out),
        (GeomType::Mesh, Some(mesh)) => mesh_normals(solid, mesh, corners, out),
        _ => {}
    }
}

/// Collects the edges that hold all of some corners.
pub(super) fn edge_directions(solid: &Solid<'_>, corners: &[Corner], out: &mut Candidates) {
    match (corners, solid.kind, &solid.mesh) {
        ([from, to], ..) => add_edge(from.point, to.point, out),
        ([corner], GeomType::Box, _) => box_edges(solid, *corner, out),
        ([corner], GeomType::Mesh, Some(mesh)) => mesh_edges(solid, mesh, *corner, out),
        _ => {}
    }
}

/// Collects the corners of a face, in the order that makes its cutting planes point inward.
pub(super) fn face_polygon(solid: &Solid<'_>, face: usize, out: &mut Vec<Vec3>) {
    match (solid.kind, &solid.mesh) {
        (GeomType::Box, _) => {
            let signs = BOX_FACES.get(face).copied().unwrap_or_default();
            out.extend(signs.map(|s| place(solid, [0, 1, 2].map(|k| s[k] * solid.size[k]))));
        }
        (GeomType::Mesh, Some(mesh)) => {
            let corners = mesh.polygon(face);
            let corners = &corners[..corners.len().min(MAX_CORNERS)];
            out.extend(corners.iter().rev().map(|&v| place(solid, vertex(mesh, v))));
        }
        _ => {}
    }
}

/// Signs of the corners of each side of a box: +x, -x, +y, -y, +z, -z.
const BOX_FACES: [[Vec3; 4]; 6] = [
    [[1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, -1.0], [1.0, -1.0, 1.0]],
    [[-1.0, 1.0, -1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [-1.0, -1.0, -1.0]],
    [[-1.0, 1.0, -1.0], [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]],
    [[-1.0, -1.0, 1.0], [1.0, -1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, -1.0]],
    [[-1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [-1.0, -1.0, 1.0]],
    [[1.0, 1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, -1.0], [1.0, -1.0, -1.0]],
];

/// A point of the solid's frame in the world.
fn place(solid: &Solid<'_>, local: Vec3) -> Vec3 {
    add(mat3::mul_vec(&solid.mat, local), solid.pos)
}

/// A vertex of a mesh.
fn vertex(mesh: &Mesh<'_>, index: i32) -> Vec3 {
    mesh.vertices.get(index as usize).map_or([0.0; 3], |&v| wide(v))
}

fn add_edge(from: Vec3, to: Vec3, out: &mut Candidates) {
    out.ends.push(to);
    out.edges.push(normalize(sub(to, from)).0);
}

/// Adds side `2 axis` or `2 axis + 1` of a box.
fn add_side(solid: &Solid<'_>, axis: usize, sign: f64, out: &mut Candidates) {
    let mut normal = [0.0; 3];
    normal[axis] = sign;
    out.normals.push(mat3::mul_vec(&solid.mat, normal));
    out.faces.push(2 * axis + usize::from(sign < 0.0));
}

fn box_normals(solid: &Solid<'_>, corners: &[Corner], dir: Vec3, out: &mut Candidates) {
    // sides that all corners share
    for axis in 0..3 {
        let positive = |corner: &Corner| corner.id >> axis & 1 == 1;
        if corners.iter().all(positive) {
            add_side(solid, axis, 1.0, out);
        } else if !corners.iter().any(positive) {
            add_side(solid, axis, -1.0, out);
        }
    }
    // one corner is on three sides, two are on an edge, three on a side; else ask the direction
    if out.faces.len() != 4 - corners.len() {
        out.normals.clear();
        out.faces.clear();
        let local = mat3::mul_transpose_vec(&solid.mat, dir);
        let local = scale(local, 1.0 / dot(local, local).sqrt());
        for axis in 0..3 {
            for sign in [1.0, -1.0] {
                if sign * local[axis] > FACE_COSINE {
                    return add_side(solid, axis, sign, out);
                }
            }
        }
    }
}

fn box_edges(solid: &Solid<'_>, corner: Corner, out: &mut Candidates) {
    let local = [0, 1, 2]
        .map(|axis| if corner.id >> axis & 1 == 1 { solid.size[axis] } else { -solid.size[axis] });
    for axis in 0..3 {
        let mut other = local;
        other[axis] = -other[axis];
        add_edge(corner.point, place(solid, other), out);
    }
}

fn mesh_normals(solid: &Solid<'_>, mesh: &Mesh<'_>, corners: &[Corner], out: &mut Candidates) {
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

/// The polygons, two at most, that hold both corners.
fn shared<'a>(mesh: &Mesh<'a>, a: Corner, b: Corner) -> impl Iterator<Item = i32> + use<'a> {
    let second = mesh.polygons_around(b.id);
    mesh.polygons_around(a.id).iter().copied().filter(|p| second.contains(p)).take(2)
}

fn mesh_edges(solid: &Solid<'_>, mesh: &Mesh<'_>, corner: Corner, out: &mut Candidates) {
    for &polygon in mesh.polygons_around(corner.id).iter().take(MAX_CORNERS) {
        let ring = mesh.polygon(polygon as usize);
        // the corner before this one
        let Some(at) = ring.iter().position(|&v| v == corner.id) else { continue };
        let before = ring[if at == 0 { ring.len() - 1 } else { at - 1 }];
        add_edge(corner.point, place(solid, vertex(mesh, before)), out);
    }
}
