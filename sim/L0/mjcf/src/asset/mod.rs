//! Meshes, height fields and textures: bytes in, arrays of the model out.
//!
//! Pure functions on bytes and plain structs. Nothing here reads files or knows XML; the caller
//! resolves names and adds the place to an [`AssetError`].

mod bytes;
pub mod content;
pub mod decode;
mod error;
pub mod hull;
pub mod mesh;

pub use content::{ImageFormat, MeshFormat};
pub use decode::decode_mesh;
pub use error::AssetError;
pub use mesh::{Mesh, MeshInertia, MeshOptions, MeshSource, compile_mesh};
