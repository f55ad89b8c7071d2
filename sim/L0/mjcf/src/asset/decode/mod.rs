//! Mesh files to plain arrays.

mod msh;
mod obj;
mod stl;

pub use msh::decode_msh;
pub use obj::decode_obj;
pub use stl::decode_stl;

use super::content::MeshFormat;
use super::error::AssetError;
use super::mesh::MeshSource;

/// No mesh file may be larger than this.
pub const MAX_FILE_BYTES: usize = 1 << 30;

/// Decodes a mesh file.
///
/// # Errors
///
/// When the bytes are not what the format promises.
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

/// An index into a list of vertices that fits the model's 32-bit integers.
fn index(at: usize) -> Result<i32, AssetError> {
    i32::try_from(at)
        .map_err(|_| AssetError::TooLarge { what: "number of vertices", limit: i32::MAX as usize })
}
