//! Narrow-phase views of a model's geoms and their assets: the only place where the shape types are
//! built from `Model` and `Data`.

use super::dispatch::Routine;
use super::sdf::{Field, Octree};
use super::shape::{HeightField, Mesh, Shape};
use super::trimesh::TriMesh;
use crate::math::rows;
use crate::{Data, Model};
use sim_types::GeomType;

impl<'a> Shape<'a> {
    /// A geom at its current pose; `None` if there is no such geom.
    pub(crate) fn of(m: &'a Model, d: &'a Data, geom: usize) -> Option<Self> {
        let kind = *m.geom_type.get(geom)?;
        let asset = usize::try_from(m.geom_dataid[geom]).ok();
        let is_mesh = matches!(kind, GeomType::Mesh | GeomType::Sdf);
        Some(Self {
            kind,
            pos: *rows(&d.geom_xpos).get(geom)?,
            mat: rows(&d.geom_xmat).get(geom)?,
            size: *rows(&m.geom_size).get(geom)?,
            rbound: m.geom_rbound[geom],
            mesh: asset.filter(|_| is_mesh).and_then(|mesh| Mesh::of(m, mesh)),
            hfield: asset
                .filter(|_| kind == GeomType::HField)
                .and_then(|field| HeightField::of(m, field)),
        })
    }

    /// A geom of a primitive type (no mesh, no height field) at its current pose.
    #[inline(always)]
    pub(crate) fn primitive(m: &'a Model, d: &'a Data, geom: usize) -> Self {
        Self {
            kind: m.geom_type[geom],
            pos: rows(&d.geom_xpos)[geom],
            mat: &rows(&d.geom_xmat)[geom],
            size: rows(&m.geom_size)[geom],
            rbound: m.geom_rbound[geom],
            mesh: None,
            hfield: None,
        }
    }
}

impl<'a> Mesh<'a> {
    /// A mesh of the model; `None` if there is no such mesh.
    pub(crate) fn of(m: &'a Model, mesh: usize) -> Option<Self> {
        let number = |ids: &[i32]| usize::try_from(*ids.get(mesh)?).ok();
        let (vert, verts) = (number(&m.mesh_vertadr)?, number(&m.mesh_vertnum)?);
        let (poly, polys) = (number(&m.mesh_polyadr)?, number(&m.mesh_polynum)?);
        let graph = number(&m.mesh_graphadr).and_then(|adr| m.mesh_graph.get(adr..));
        Some(Self {
            vertices: m.mesh_vert.as_chunks().0.get(vert..)?.get(..verts)?,
            graph: graph.map_or(&[], first_graph),
            hull: m.plan.pairs.hulls.get(mesh).filter(|hull| !hull.is_empty()),
            poly_normals: rows(&m.mesh_polynormal).get(poly..)?.get(..polys)?,
            poly_adr: m.mesh_polyvertadr.get(poly..)?.get(..polys)?,
            poly_num: m.mesh_polyvertnum.get(poly..)?.get(..polys)?,
            poly_vertices: &m.mesh_polyvert,
            polymap_adr: m.mesh_polymapadr.get(vert..)?.get(..verts)?,
            polymap_num: m.mesh_polymapnum.get(vert..)?.get(..verts)?,
            polymap: &m.mesh_polymap,
        })
    }
}

/// The first hull graph of concatenated graphs: counts, two arrays of `numvert`, `3 numface` edge lists
/// and `3 numface` faces.
fn first_graph(graphs: &[i32]) -> &[i32] {
    let count = |k: usize| graphs.get(k).map_or(0, |&n| n.max(0) as usize);
    let len = 2 + 3 * count(0) + 6 * count(1);
    &graphs[..len.min(graphs.len())]
}

impl<'a> HeightField<'a> {
    /// A height field of the model; `None` if there is no such field.
    pub(crate) fn of(m: &'a Model, field: usize) -> Option<Self> {
        let number = |ids: &[i32]| usize::try_from(*ids.get(field)?).ok();
        let (nrow, ncol) = (number(&m.hfield_nrow)?, number(&m.hfield_ncol)?);
        let samples = m.hfield_data.get(number(&m.hfield_adr)?..)?;
        Some(Self {
            nrow,
            ncol,
            size: *rows(&m.hfield_size).get(field)?,
            data: samples.get(..nrow.checked_mul(ncol)?)?,
        })
    }
}

impl<'a> TriMesh<'a> {
    /// The triangles and BVH of a mesh; `None` if the mesh has no BVH.
    pub(crate) fn of(m: &'a Model, mesh: usize) -> Option<Self> {
        let number = |ids: &[i32]| usize::try_from(*ids.get(mesh)?).ok();
        let (vert, verts) = (number(&m.mesh_vertadr)?, number(&m.mesh_vertnum)?);
        let (face, faces) = (number(&m.mesh_faceadr)?, number(&m.mesh_facenum)?);
        let (node, nodes) = (number(&m.mesh_bvhadr)?, number(&m.mesh_bvhnum)?);
        Some(Self {
            vertices: m.mesh_vert.as_chunks().0.get(vert..)?.get(..verts)?,
            faces: m.mesh_face.as_chunks().0.get(face..)?.get(..faces)?,
            aabb: rows(&m.bvh_aabb).get(node..)?.get(..nodes)?,
            child: m.bvh_child.as_chunks().0.get(node..)?.get(..nodes)?,
            leaf: m.bvh_nodeid.get(node..)?.get(..nodes)?,
        })
    }
}

impl<'a> Octree<'a> {
    /// The octree of a mesh; `None` if it has none.
    pub(crate) fn of(m: &'a Model, mesh: usize) -> Option<Self> {
        let number = |ids: &[i32]| usize::try_from(*ids.get(mesh)?).ok();
        let (first, count) = (number(&m.mesh_octadr)?, number(&m.mesh_octnum)?);
        let tree = Self {
            child: m.oct_child.as_chunks().0.get(first..)?.get(..count)?,
            aabb: rows(&m.oct_aabb).get(first..)?.get(..count)?,
            coeff: rows(&m.oct_coeff).get(first..)?.get(..count)?,
        };
        (count > 0).then_some(tree)
    }
}

impl<'a> Field<'a> {
    /// The signed distance field of a geom; `None` for height fields and for meshes without an octree.
    pub(crate) fn of_geom(m: &'a Model, geom: usize) -> Option<Self> {
        let mesh = usize::try_from(*m.geom_dataid.get(geom)?).ok();
        if m.geom_type[geom] == GeomType::Sdf && m.geom_plugin[geom] >= 0 {
            return m.geom_signed_distance(geom).map(Self::Plugin);
        }
        let octree = mesh.and_then(|mesh| Octree::of(m, mesh));
        Self::of(m.geom_type[geom], rows::<3>(&m.geom_size)[geom], octree)
    }
}

impl Routine {
    /// The routine of two geoms, the one of the lower type first.
    #[inline]
    pub(crate) fn between(m: &Model, g1: usize, g2: usize) -> Self {
        match Self::of(m.geom_type[g1], m.geom_type[g2]) {
            Self::PlaneConvex | Self::HField | Self::Convex
                if uses_triangles(m, g1) || uses_triangles(m, g2) =>
            {
                Self::Triangles
            }
            routine => routine,
        }
    }
}

/// Whether a geom collides with the triangles of its mesh instead of the convex hull.
pub(crate) fn uses_triangles(m: &Model, geom: usize) -> bool {
    let mesh = usize::try_from(m.geom_dataid[geom]).ok();
    m.geom_type[geom] == GeomType::Mesh
        && mesh.is_some_and(|mesh| m.mesh_triangles.get(mesh) == Some(&true))
}
