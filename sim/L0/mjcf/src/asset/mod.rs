//! Decoding and compilation of meshes, height fields, skins and textures.
//!
//! Pure functions on bytes and plain structs: no file access and no XML. The caller resolves names
//! and adds the source location to an [`AssetError`].

pub mod builtin;
mod bytes;
pub mod cache;
pub mod content_type;
pub mod decode;
mod error;
pub mod hfield;
pub mod hull;
pub mod image;
mod marching_cubes;
pub mod mesh;
pub(crate) mod normalize;
pub mod skin;
pub mod texture;

pub use builtin::BuiltinMesh;
pub use cache::{AssetCache, AssetKey};
pub use content_type::{ImageFormat, MeshFormat};
pub use decode::decode_mesh;
pub use error::AssetError;
pub use hfield::{HField, check_hfield_size};
pub use image::{Image, ImageOptions, decode_image};
pub use marching_cubes::isosurface;
pub use mesh::{Mesh, MeshInertia, MeshOptions, MeshSource, compile_mesh};
pub use skin::{Skin, SkinBone};
pub use texture::{Texture, TextureOptions, TextureSource, TextureType, compile_texture};
