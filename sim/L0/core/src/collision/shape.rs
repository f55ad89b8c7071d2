//! A geom as the narrow phase sees it: numbers and slices, no model.

use crate::math::mat3::Mat3;
use crate::math::vec3::Vec3;
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
    /// Normals of the hull's polygons.
    pub poly_normals: &'a [f64],
    /// Address of each polygon's first vertex in `poly_vertices`, within this mesh.
    pub poly_adr: &'a [i32],
    /// Vertices of each polygon.
    pub poly_num: &'a [i32],
    /// Vertex indices of the polygons, one after another.
    pub poly_vertices: &'a [i32],
    /// Address of each vertex's first polygon in `polymap`, within this mesh.
    pub polymap_adr: &'a [i32],
    /// Polygons of each vertex.
    pub polymap_num: &'a [i32],
    /// Polygon indices of the vertices, one after another.
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
