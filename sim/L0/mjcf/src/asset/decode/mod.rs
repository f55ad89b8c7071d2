//! Decoders of mesh file formats.

mod gmsh;
mod gmsh_mesh;
mod lines;
mod msh;
mod obj;
mod stl;
mod tetgen;

pub use gmsh::decode_gmsh;
pub use gmsh_mesh::{GmshMesh, decode_gmsh_mesh};
pub use msh::decode_msh;
pub use obj::{decode_obj, decode_obj_surface};
pub use stl::decode_stl;
pub use tetgen::decode_tetgen;

use super::content_type::MeshFormat;
use super::error::AssetError;
use super::mesh::MeshSource;

/// Maximum size of a mesh file, in bytes.
pub const MAX_FILE_BYTES: usize = 1 << 30;

/// Decodes a mesh file.
///
/// # Errors
///
/// The bytes are not a valid file of this format.
pub fn decode_mesh(format: MeshFormat, bytes: &[u8]) -> Result<MeshSource, AssetError> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(AssetError::TooLarge { what: "mesh file", limit: MAX_FILE_BYTES });
    }
    match format {
        MeshFormat::Stl => decode_stl(bytes),
        MeshFormat::Obj => decode_obj(bytes),
        MeshFormat::Msh => decode_msh(bytes),
    }
}

/// A vertex index as the 32-bit integer that the model stores.
fn index(at: usize) -> Result<i32, AssetError> {
    i32::try_from(at)
        .map_err(|_| AssetError::TooLarge { what: "number of vertices", limit: i32::MAX as usize })
}
