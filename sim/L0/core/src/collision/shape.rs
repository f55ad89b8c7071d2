//! Input of the narrow phase: a posed shape as numbers and slices, without `Model` or `Data`.

use crate::math::mat3::Mat3;
use crate::math::vec3::Vec3;
use sim_simd::HullSupport;
use sim_types::GeomType;

/// A shape with its world pose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape<'a> {
    /// Shape type.
    pub kind: GeomType,
    /// World position of the geom frame.
    pub pos: Vec3,
    /// World orientation of the geom frame.
    pub mat: &'a Mat3,
    /// `geom_size`.
    pub size: Vec3,
    /// `geom_rbound`: radius of a bounding sphere about `pos`; zero for a plane.
    pub rbound: f64,
    /// Vertices, hull and polygons of a mesh.
    pub mesh: Option<Mesh<'a>>,
    /// Samples of a height field.
    pub hfield: Option<HeightField<'a>>,
}

/// The collision data of a mesh.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mesh<'a> {
    /// Vertices, in the mesh frame.
    pub vertices: &'a [[f32; 3]],
    /// Convex hull graph in the layout of `mesh_graph`; empty without a hull.
    pub graph: &'a [i32],
    /// Precomputed support mapping of the hull; only for meshes of geoms that can collide.
    pub hull: Option<&'a HullSupport>,
    /// Normals of the hull's polygons.
    pub poly_normals: &'a [Vec3],
    /// Address of each polygon's first vertex in `poly_vertices`.
    pub poly_adr: &'a [i32],
    /// Number of vertices of each polygon.
    pub poly_num: &'a [i32],
    /// Vertex indices of the polygons of all meshes, concatenated.
    pub poly_vertices: &'a [i32],
    /// Address of each vertex's first polygon in `polymap`.
    pub polymap_adr: &'a [i32],
    /// Number of polygons of each vertex.
    pub polymap_num: &'a [i32],
    /// Polygon indices of the vertices of all meshes, concatenated.
    pub polymap: &'a [i32],
}

/// The samples of a height field.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeightField<'a> {
    /// Number of rows (samples along y).
    pub nrow: usize,
    /// Number of columns (samples along x).
    pub ncol: usize,
    /// Half-extents in x and y, height of elevation 1, thickness below zero; m.
    pub size: [f64; 4],
    /// Elevations between 0 and 1, row-major.
    pub data: &'a [f32],
}

impl<'a> Mesh<'a> {
    /// Vertex indices of a polygon of the hull.
    pub(crate) fn polygon(&self, polygon: usize) -> &'a [i32] {
        sublist(self.poly_adr, self.poly_num, self.poly_vertices, polygon)
    }

    /// Polygons incident to a vertex.
    pub(crate) fn polygons_around(&self, vertex: i32) -> &'a [i32] {
        sublist(self.polymap_adr, self.polymap_num, self.polymap, vertex as usize)
    }
}

/// Sublist `k` of concatenated lists with addresses `adr` and lengths `num`; empty if out of range.
fn sublist<'a>(adr: &[i32], num: &[i32], all: &'a [i32], k: usize) -> &'a [i32] {
    let (Some(&adr), Some(&num)) = (adr.get(k), num.get(k)) else { return &[] };
    all.get(adr as usize..).and_then(|rest| rest.get(..num as usize)).unwrap_or(&[])
}
