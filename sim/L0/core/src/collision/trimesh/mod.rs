//! Non-convex triangle meshes: collision with the triangles instead of the convex hull.
//!
//! An extension of MuJoCo, which collides convex hulls. Triangles are one-sided: contact normals are on the
//! side of the face normals. A closed mesh bounds a solid, and shapes inside it are pushed to the closest
//! part of its surface; a mesh with a boundary is a sheet. At shared edges and vertices a contact is valid
//! only if its direction is in the normal cone of the surface, so that interior edges of flat or concave
//! regions create no contacts.

mod closest;
mod convex;
mod hfield;
mod mesh;
mod mesh_pair;
mod plane;
mod reduce;
mod sphere;
mod surface;
mod triangle_shape;
mod work;

pub(crate) use mesh::TriMesh;
pub(crate) use work::TrimeshWork;

use super::convex::{CcdOptions, CcdWork};
use super::geom::uses_triangles;
use super::manifold::Manifold;
use super::shape::Shape;
use crate::Model;
use crate::math::rows;
use crate::math::vec3::scale;
use sim_types::GeomType;
use std::collections::HashMap;
use surface::Surface;

/// Largest number of contacts of a plane and a mesh.
const MAX_PLANE_CONTACTS: usize = 8;

/// A shape to test against a triangle mesh.
struct Query<'q, 'a> {
    margin: f64,
    opt: CcdOptions,
    /// Bounding box of the other shape in its frame: centre and half-extents.
    aabb: [f64; 6],
    other: &'q Shape<'a>,
    /// Length scale of tolerances: the smaller bounding radius, m.
    size: f64,
}

/// Contacts of two geoms of which one or both collide with their triangles.
pub(crate) fn trimesh_contacts(
    m: &Model,
    [a, b]: [&Shape<'_>; 2],
    [g1, g2]: [usize; 2],
    margin: f64,
    work: &mut TrimeshWork,
    ccd: &mut CcdWork,
    out: &mut Manifold,
) {
    work.clear();
    let size = [a.rbound, b.rbound].into_iter().filter(|r| *r > 0.0).fold(f64::INFINITY, f64::min);
    let aabb = rows::<6>(&m.geom_aabb);
    let query = |other, g: usize| Query {
        margin,
        opt: CcdOptions { mujoco_defects: false, ..CcdOptions::of(&m.opt) },
        aabb: aabb[g],
        other,
        size,
    };
    // normals point from the other shape to the mesh
    let (flip, max) = match (surface_of(m, a, g1), surface_of(m, b, g2)) {
        (Some(first), Some(second)) => {
            mesh_pair::collide(&first, &second, &query(a, g1), &query(b, g2), work, ccd);
            (false, reduce::MAX_CONTACTS)
        }
        (Some(first), None) => {
            convex::collide(&first, &query(b, g2), work, ccd);
            (true, reduce::MAX_CONTACTS)
        }
        (None, Some(second)) => match a.kind {
            GeomType::Plane => {
                plane::collide(&second, &query(a, g1), work);
                (false, MAX_PLANE_CONTACTS)
            }
            GeomType::HField => {
                hfield::collide(&second, &query(a, g1), work, ccd);
                (false, reduce::MAX_CONTACTS)
            }
            GeomType::Sphere => {
                sphere::collide(&second, &query(a, g1), work);
                (false, reduce::MAX_CONTACTS)
            }
            _ => {
                convex::collide(&second, &query(a, g1), work, ccd);
                (false, reduce::MAX_CONTACTS)
            }
        },
        (None, None) => return,
    };
    if flip {
        work.found.iter_mut().for_each(|p| p.normal = scale(p.normal, -1.0));
    }
    work.found.retain(|p| p.dist <= margin);
    reduce::reduce(&mut work.found, size, max, out);
}

/// Contacts of a sphere and a geom that collides with its triangles, without reduction.
pub(crate) fn sphere_on_triangles(
    m: &Model,
    (geom, shape): (usize, &Shape<'_>),
    sphere_shape: &Shape<'_>,
    margin: f64,
    work: &mut TrimeshWork,
    out: &mut Manifold,
) {
    work.clear();
    let Some(surface) = surface_of(m, shape, geom) else { return };
    let radius = sphere_shape.size[0];
    let query = Query {
        margin,
        opt: CcdOptions { mujoco_defects: false, ..CcdOptions::of(&m.opt) },
        aabb: [0.0, 0.0, 0.0, radius, radius, radius],
        other: sphere_shape,
        size: sphere_shape.rbound,
    };
    sphere::collide(&surface, &query, work);
    work.found.retain(|p| p.dist <= margin);
    work.found.iter().for_each(|&point| out.push(point));
}

/// The triangle surface of a geom; `None` if it collides with another shape.
fn surface_of<'a>(m: &'a Model, shape: &Shape<'a>, geom: usize) -> Option<Surface<'a>> {
    let mesh = usize::try_from(m.geom_dataid[geom]).ok().filter(|_| uses_triangles(m, geom))?;
    let closed = m.plan.closed_meshes.get(mesh).copied().unwrap_or(false);
    Some(Surface { mesh: TriMesh::of(m, mesh)?, pos: shape.pos, mat: shape.mat, closed })
}

/// For each mesh, whether it collides with its triangles and is closed: every edge belongs to two triangles
/// that traverse it in opposite directions.
pub(crate) fn closed_meshes(m: &Model) -> Vec<bool> {
    let closed = |mesh: usize| {
        m.mesh_triangles[mesh] && TriMesh::of(m, mesh).is_some_and(|mesh| is_closed(&mesh))
    };
    (0..m.nmesh).map(closed).collect()
}

fn is_closed(mesh: &TriMesh<'_>) -> bool {
    // vertices with equal coordinates are merged
    let mut distinct = HashMap::new();
    let merged: Vec<usize> = mesh
        .vertices
        .iter()
        .map(|v| {
            let next = distinct.len();
            *distinct.entry(v.map(|x| (x + 0.0).to_bits())).or_insert(next)
        })
        .collect();
    let mut edges: HashMap<(usize, usize), i32> = HashMap::new();
    for face in mesh.faces {
        let [a, b, c] = face.map(|v| merged.get(v as usize).copied().unwrap_or(usize::MAX));
        if a == b || b == c || c == a {
            continue;
        }
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let sign = if from < to { 1 } else { -1 };
            *edges.entry((from.min(to), from.max(to))).or_default() += sign;
        }
    }
    !edges.is_empty() && edges.values().all(|&sum| sum == 0)
}
