//! A geom as the narrow phase sees it: numbers and slices, no model.

use crate::math::mat3::Mat3;
use crate::math::rows;
use crate::math::vec3::Vec3;
use crate::{Data, Model};
use sim_simd::HullMap;
use sim_types::GeomType;

/// A placed shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape<'a> {
    /// Which shape.
    pub kind: GeomType,
    /// World position of its centre.
    pub pos: Vec3,
    /// World orientation.
    pub mat: &'a Mat3,
    /// `geom_size`.
    pub size: Vec3,
    /// `geom_rbound`: radius of a sphere about `pos` that holds the shape; zero for a plane.
    pub rbound: f64,
    /// The vertices, hull and sides of a mesh.
    pub mesh: Option<Mesh<'a>>,
    /// The samples of a height field.
    pub hfield: Option<HeightField<'a>>,
}

/// The parts of a mesh that collide.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mesh<'a> {
    /// Vertices, in the mesh's frame.
    pub vertices: &'a [[f32; 3]],
    /// The hull's graph as `mesh_graph` stores it; empty without one.
    pub graph: &'a [i32],
    /// The same for walking; only of meshes that collide.
    pub map: Option<&'a HullMap>,
    /// Normals of the hull's polygons.
    pub poly_normals: &'a [Vec3],
    /// Address of each polygon's first vertex in `poly_vertices`.
    pub poly_adr: &'a [i32],
    /// Vertices of each polygon.
    pub poly_num: &'a [i32],
    /// Vertex indices of the polygons of all meshes, one after another.
    pub poly_vertices: &'a [i32],
    /// Address of each vertex's first polygon in `polymap`.
    pub polymap_adr: &'a [i32],
    /// Polygons of each vertex.
    pub polymap_num: &'a [i32],
    /// Polygon indices of the vertices of all meshes, one after another.
    pub polymap: &'a [i32],
}

/// The samples of a height field.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeightField<'a> {
    /// Rows and columns of samples.
    pub nrow: usize,
    /// Samples of a row.
    pub ncol: usize,
    /// Half width, half depth, height of the highest sample, thickness below zero.
    pub size: [f64; 4],
    /// Elevations between 0 and 1, row by row.
    pub data: &'a [f32],
}

impl<'a> Shape<'a> {
    /// A geom where the data places it; nothing if there is no such geom.
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
}

impl<'a> Mesh<'a> {
    /// A mesh of the model; nothing if there is no such mesh.
    pub(crate) fn of(m: &'a Model, mesh: usize) -> Option<Self> {
        let number = |ids: &[i32]| usize::try_from(*ids.get(mesh)?).ok();
        let (vert, verts) = (number(&m.mesh_vertadr)?, number(&m.mesh_vertnum)?);
        let (poly, polys) = (number(&m.mesh_polyadr)?, number(&m.mesh_polynum)?);
        let graph = number(&m.mesh_graphadr).and_then(|adr| m.mesh_graph.get(adr..));
        Some(Self {
            vertices: m.mesh_vert.as_chunks().0.get(vert..)?.get(..verts)?,
            graph: graph.map_or(&[], own_graph),
            map: m.plan.pairs.hulls.get(mesh).filter(|map| !map.is_empty()),
            poly_normals: rows(&m.mesh_polynormal).get(poly..)?.get(..polys)?,
            poly_adr: m.mesh_polyvertadr.get(poly..)?.get(..polys)?,
            poly_num: m.mesh_polyvertnum.get(poly..)?.get(..polys)?,
            poly_vertices: &m.mesh_polyvert,
            polymap_adr: m.mesh_polymapadr.get(vert..)?.get(..verts)?,
            polymap_num: m.mesh_polymapnum.get(vert..)?.get(..verts)?,
            polymap: &m.mesh_polymap,
        })
    }

    /// The corners of a polygon of the hull.
    pub(crate) fn polygon(&self, polygon: usize) -> &'a [i32] {
        list(self.poly_adr, self.poly_num, self.poly_vertices, polygon)
    }

    /// The polygons that meet at a vertex.
    pub(crate) fn polygons_around(&self, vertex: i32) -> &'a [i32] {
        list(self.polymap_adr, self.polymap_num, self.polymap, vertex as usize)
    }
}

impl<'a> HeightField<'a> {
    /// A height field of the model; nothing if there is no such field.
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

impl Shape<'_> {
    /// A geom that is neither a mesh nor a height field.
    #[inline(always)]
    pub(crate) fn plain<'a>(m: &'a Model, d: &'a Data, geom: usize) -> Shape<'a> {
        Shape {
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

/// The part of the stored graphs, from a mesh's own on, that is its own.
fn own_graph(from: &[i32]) -> &[i32] {
    let count = |k: usize| from.get(k).map_or(0, |&n| n.max(0) as usize);
    let len = 2 + 3 * count(0) + 6 * count(1);
    &from[..len.min(from.len())]
}

/// Entry `k` of lists that are stored one after another; empty if there is none.
fn list<'a>(adr: &[i32], num: &[i32], all: &'a [i32], k: usize) -> &'a [i32] {
    let (Some(&adr), Some(&num)) = (adr.get(k), num.get(k)) else { return &[] };
    all.get(adr as usize..).and_then(|rest| rest.get(..num as usize)).unwrap_or(&[])
}
