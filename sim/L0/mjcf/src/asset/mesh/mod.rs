//! Meshes as the model stores them (mjCMesh::Process).
//!
//! A mesh is scaled and moved by its reference frame, then centred at its centre of mass and turned
//! to its principal axes; its convex hull, normals, polygons and bounding volumes come along.

mod bvh;
mod compile;
mod distance;
mod fit;
mod graph;
mod inertia;
mod normals;
mod octree;
mod polygons;

pub use bvh::Bvh;
pub use compile::compile_mesh;
pub use fit::{FitShape, Fitted};
pub use octree::Octree;
pub use polygons::Polygons;

use super::content::MeshFormat;
use super::error::AssetError;

/// A mesh as it was read from a file or given in the model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshSource {
    /// Vertices, three numbers each.
    pub vert: Vec<f32>,
    /// Normals, three numbers each; one for a vertex unless `facenormal` says otherwise.
    pub normal: Vec<f32>,
    /// Texture coordinates, two numbers each; one for a vertex unless `facetexcoord` says otherwise.
    pub texcoord: Vec<f32>,
    /// Triangles of vertices.
    pub face: Vec<i32>,
    /// For each corner of a triangle its normal.
    pub facenormal: Vec<i32>,
    /// For each corner of a triangle its texture coordinate.
    pub facetexcoord: Vec<i32>,
    /// The format of the file it came from.
    pub format: Option<MeshFormat>,
}

impl MeshSource {
    /// Adds data given in the model to what came from a file.
    ///
    /// # Errors
    ///
    /// When both give the same kind of data.
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

    /// Bytes of the arrays.
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
            "the mesh file already has {what} data; leave it out of the model"
        ))),
        (true, _) => Ok(inline.to_vec()),
        (false, true) => Ok(file),
    }
}

/// How the inertia of a mesh is computed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum MeshInertia {
    /// Volume of the convex hull.
    Convex,
    /// Signed volume of the faces, which must be oriented alike.
    Exact,
    /// Sum of unsigned volumes of the faces.
    #[default]
    Legacy,
    /// The surface alone.
    Shell,
}

/// What decides the outcome of compiling a mesh, besides its data.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshOptions {
    /// Scale along each axis; negative numbers mirror.
    pub scale: [f64; 3],
    /// Origin of the mesh's own frame.
    pub refpos: [f64; 3],
    /// Orientation of the mesh's own frame.
    pub refquat: [f64; 4],
    /// Smooth normals over sharp edges too.
    pub smoothnormal: bool,
    /// Most vertices of the convex hull.
    pub maxhullvert: Option<usize>,
    /// How the inertia is computed.
    pub inertia: MeshInertia,
    /// A geom that collides uses the mesh, so it needs a convex hull.
    pub need_hull: bool,
    /// A signed distance field is needed.
    pub need_sdf: bool,
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
        }
    }
}

/// A compiled mesh. Indices count within the mesh, addresses within its own arrays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Vertices in the mesh's principal frame.
    pub vert: Vec<f32>,
    /// Normals in the mesh's principal frame.
    pub normal: Vec<f32>,
    /// Texture coordinates.
    pub texcoord: Vec<f32>,
    /// Triangles of vertices.
    pub face: Vec<i32>,
    /// For each corner of a triangle its normal.
    pub facenormal: Vec<i32>,
    /// For each corner of a triangle its texture coordinate; empty if there are none.
    pub facetexcoord: Vec<i32>,
    /// Convex hull: numbers of vertices and faces, address of each vertex's neighbours, the mesh's
    /// vertex of each, lists of neighbours that end with −1, faces. Empty without a hull.
    pub graph: Vec<i32>,
    /// Flat sides of the hull.
    pub polygons: Polygons,
    /// Bounding volumes of the faces.
    pub bvh: Bvh,
    /// Signed distance field.
    pub octree: Octree,
    /// Scale that was applied.
    pub scale: [f64; 3],
    /// Translation that was applied to centre the mesh.
    pub pos: [f64; 3],
    /// Rotation that was applied to align the mesh.
    pub quat: [f64; 4],
    /// Corners of the bounding box, least then largest.
    pub aamm: [f64; 6],
    /// Half sizes of the box with the same inertia.
    pub inertia_box: [f64; 3],
    /// Volume, or area if the inertia is that of a shell.
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

    /// Bytes of the arrays.
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
