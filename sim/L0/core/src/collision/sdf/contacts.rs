//! Contacts of geoms with signed distance fields: reads the fields out of the model.

use super::SdfOptions;
use super::field::Field;
use super::mesh::mesh_sdf;
use super::pair::{SdfShape, sdf_sdf};
use crate::Model;
use crate::collision::manifold::Manifold;
use crate::collision::shape::Shape;
use crate::collision::trimesh::TriMesh;
use crate::math::rows;

/// Adds the contacts of two geoms as signed distance fields; the second is a mesh with an octree.
pub(crate) fn sdf_contacts(
    m: &Model,
    [a, b]: [&Shape<'_>; 2],
    [g1, g2]: [usize; 2],
    out: &mut Manifold,
) {
    let fields = (Field::of_geom(m, g1), Field::of_geom(m, g2));
    let (Some(field_a), Some(field_b)) = fields else { return };
    let aabb = rows::<6>(&m.geom_aabb);
    let one = SdfShape { shape: a, field: field_a, aabb: aabb[g1] };
    let two = SdfShape { shape: b, field: field_b, aabb: aabb[g2] };
    sdf_sdf(&one, &two, SdfOptions::of(&m.opt), out);
}

/// Adds the contacts of the triangles of a mesh with a signed distance field.
pub(crate) fn mesh_sdf_contacts(
    m: &Model,
    [a, b]: [&Shape<'_>; 2],
    [g1, g2]: [usize; 2],
    out: &mut Manifold,
) {
    let mesh = usize::try_from(m.geom_dataid[g1]).ok().and_then(|mesh| TriMesh::of(m, mesh));
    let (Some(mesh), Some(field)) = (mesh, Field::of_geom(m, g2)) else { return };
    mesh_sdf(a, &mesh, b, &field, SdfOptions::of(&m.opt), out);
}
