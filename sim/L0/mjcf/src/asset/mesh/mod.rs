//! Compiled meshes (mjCMesh).
//!
//! A mesh is transformed by its reference frame and scale, then centered at its center of mass and
//! aligned to its principal axes of inertia. The convex hull, normals, hull polygons and bounding
//! volume hierarchy are computed with it.

mod bvh;
mod compile;
mod distance;
mod fit;
mod graph;
mod hash_order;
mod inertia;
mod normals;
mod octree;
mod polygons;

pub use bvh::Bvh;
pub(crate) use bvh::Leaf;
pub use compile::compile_mesh;
pub use fit::{FitShape, Fitted};
pub use octree::Octree;
pub use polygons::Polygons;

use super::content_type::MeshFormat;
use super::error::AssetError;

/// Uncompiled mesh data, from a file or inline in the model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshSource {
    /// Vertices, three numbers each.
    pub vert: Vec<f32>,
    /// Normals, three numbers each; per vertex unless `facenormal` is given.
    pub normal: Vec<f32>,
    /// Texture coordinates, two numbers each; per vertex unless `facetexcoord` is given.
    pub texcoord: Vec<f32>,
    /// Vertex indices of the triangles.
    pub face: Vec<i32>,
    /// Normal index of each triangle vertex.
    pub facenormal: Vec<i32>,
    /// Texture coordinate index of each triangle vertex.
    pub facetexcoord: Vec<i32>,
    /// Format of the source file.
    pub format: Option<MeshFormat>,
}

impl MeshSource {
    /// Merges data from a file with inline data.
    ///
    /// # Errors
    ///
    /// Both provide the same array.
    pub fn with_inline(self, inline: &Self) -> Result<Self, AssetError> {
        Ok(Self {
            normal: either("normal", self.normal, &inline.normal)?,
            texcoord: either("texcoord", self.texcoord, &inline.texcoord)?,
            face: either("face", self.face, &inline.face)?,
            vert: either("vertex", self.vert, &inline.vert)?,
            facenormal: either("facenormal", self.facenormal, &inline.facenormal)?,
            facetexcoord: either("facetexcoord", self.facetexcoord, &inline.facetexcoord)?,
            format: self.format,
        })
    }

    /// Memory used by the arrays, in bytes.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        4 * (self.vert.len()
            + self.normal.len()
            + self.texcoord.len()
            + self.face.len()
            + self.facenormal.len()
            + self.facetexcoord.len())
    }
}

fn either<T: Clone>(what: &str, file: Vec<T>, inline: &[T]) -> Result<Vec<T>, AssetError> {
    match (file.is_empty(), inline.is_empty()) {
        (false, false) => Err(AssetError::invalid(format!(
            "the mesh file already has {what} data; remove it from the model"
        ))),
        (true, _) => Ok(inline.to_vec()),
        (false, true) => Ok(file),
    }
}

/// Computation of mesh inertia (mjtMeshInertia).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum MeshInertia {
    /// Volume of the convex hull.
    Convex,
    /// Signed volume of the faces, which must be oriented consistently.
    Exact,
    /// Sum of unsigned volumes of the faces.
    #[default]
    Legacy,
    /// Surface mass distribution.
    Shell,
}

/// Options of compiling a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshOptions {
    /// Scale along each axis; negative values mirror the mesh.
    pub scale: [f64; 3],
    /// Position of the reference frame.
    pub refpos: [f64; 3],
    /// Orientation of the reference frame.
    pub refquat: [f64; 4],
    /// Smooth normals across sharp edges as well.
    pub smoothnormal: bool,
    /// Maximum number of vertices of the convex hull.
    pub maxhullvert: Option<usize>,
    /// Computation of the inertia.
    pub inertia: MeshInertia,
    /// Compute the convex hull; required if a colliding geom uses the mesh.
    pub need_hull: bool,
    /// Compute the signed distance field.
    pub need_sdf: bool,
    /// Keep the frame of the vertices instead of centring and aligning the mesh.
    pub keep_frame: bool,
}

impl Default for MeshOptions {
    fn default() -> Self {
        Self {
            scale: [1.0; 3],
            refpos: [0.0; 3],
            refquat: [1.0, 0.0, 0.0, 0.0],
            smoothnormal: false,
            maxhullvert: None,
            inertia: MeshInertia::default(),
            need_hull: false,
            need_sdf: false,
            keep_frame: false,
        }
    }
}

/// A compiled mesh. Indices and addresses are local to the mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Vertices in the mesh's inertial frame.
    pub vert: Vec<f32>,
    /// Normals in the mesh's inertial frame.
    pub normal: Vec<f32>,
    /// Texture coordinates.
    pub texcoord: Vec<f32>,
    /// Vertex indices of the triangles.
    pub face: Vec<i32>,
    /// Normal index of each triangle vertex.
    pub facenormal: Vec<i32>,
    /// Texture coordinate index of each triangle vertex; empty without texture coordinates.
    pub facetexcoord: Vec<i32>,
    /// Convex hull in the layout of `mesh_graph`: numbers of vertices and faces, adjacency list
    /// address of each vertex, its mesh vertex, adjacency lists terminated by −1, faces. Empty
    /// without a hull.
    pub graph: Vec<i32>,
    /// Polygons of the convex hull.
    pub polygons: Polygons,
    /// Bounding volume hierarchy of the faces.
    pub bvh: Bvh,
    /// Signed distance field.
    pub octree: Octree,
    /// Scale that was applied.
    pub scale: [f64; 3],
    /// Translation that was applied to center the mesh.
    pub pos: [f64; 3],
    /// Rotation that was applied to align the mesh.
    pub quat: [f64; 4],
    /// Axis-aligned bounding box: minimum, then maximum.
    pub aamm: [f64; 6],
    /// Half-sizes of the equivalent inertia box.
    pub inertia_box: [f64; 3],
    /// Volume, or surface area of a shell.
    pub volume: f64,
}

impl Mesh {
    /// Number of vertices.
    #[must_use]
    pub fn nvert(&self) -> usize {
        self.vert.len() / 3
    }

    /// Number of faces.
    #[must_use]
    pub fn nface(&self) -> usize {
        self.face.len() / 3
    }

    /// Memory used by the arrays, in bytes.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        4 * (self.vert.len()
            + self.normal.len()
            + self.texcoord.len()
            + self.face.len()
            + self.facenormal.len()
            + self.facetexcoord.len()
            + self.graph.len())
            + self.polygons.size_bytes()
            + self.bvh.size_bytes()
            + self.octree.size_bytes()
            + size_of::<Self>()
    }
}
