//! Assets: meshes, height fields, textures and materials (mjsMesh, mjsHField, mjsTexture,
//! mjsMaterial).

use super::{DefaultId, Origin, PluginRef};
pub use crate::asset::MeshInertia;
pub use crate::asset::texture::{Mark, Pattern};
pub use sim_core::types::{ColorSpace, TextureType};
use std::sync::Arc;

/// Collision geometry of a mesh. MuJoCo supports only the convex hull.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MeshCollider {
    /// The convex hull.
    #[default]
    Hull,
    /// The triangles, one-sided: the mesh may be concave and open.
    Triangles,
}

/// A triangle mesh.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Mesh {
    pub name: String,
    pub class: DefaultId,
    pub content_type: String,
    pub file: String,
    pub vertex: Arc<[f32]>,
    pub normal: Arc<[f32]>,
    pub texcoord: Arc<[f32]>,
    pub face: Arc<[i32]>,
    pub refpos: [f64; 3],
    pub refquat: [f64; 4],
    pub scale: [f64; 3],
    pub smoothnormal: bool,
    pub maxhullvert: i32,
    pub inertia: MeshInertia,
    /// Collision geometry; an extension of MJCF.
    pub collider: MeshCollider,
    /// Type of a builtin mesh; empty for none.
    pub builtin: String,
    /// Parameters of the builtin mesh.
    pub params: Arc<[f64]>,
    pub material: String,
    /// Plugin whose signed distance field the mesh is made of.
    pub plugin: Option<Box<PluginRef>>,
    pub origin: Origin,
}

impl Default for Mesh {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: DefaultId(0),
            content_type: String::new(),
            file: String::new(),
            vertex: Arc::default(),
            normal: Arc::default(),
            texcoord: Arc::default(),
            face: Arc::default(),
            refpos: [0.0; 3],
            refquat: [1.0, 0.0, 0.0, 0.0],
            scale: [1.0; 3],
            smoothnormal: false,
            maxhullvert: -1,
            inertia: MeshInertia::Legacy,
            collider: MeshCollider::Hull,
            builtin: String::new(),
            params: Arc::default(),
            material: String::new(),
            plugin: None,
            origin: Origin::default(),
        }
    }
}

/// A height field.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct HField {
    pub name: String,
    pub content_type: String,
    pub file: String,
    pub nrow: i32,
    pub ncol: i32,
    /// Half-sizes in x and y, maximum elevation, base depth.
    pub size: [f64; 4],
    /// Elevations, row-major, maximum y first; all zero if empty.
    pub elevation: Arc<[f32]>,
    pub origin: Origin,
}

/// A texture.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Texture {
    pub name: String,
    pub ttype: TextureType,
    pub colorspace: ColorSpace,
    pub content_type: String,
    pub file: String,
    pub gridsize: [i32; 2],
    /// One letter of `.RLUDFB` per grid cell.
    pub gridlayout: String,
    /// Files of the right, left, up, down, front and back faces.
    pub cubefiles: [String; 6],
    /// Builtin pattern.
    pub builtin: Option<Pattern>,
    pub rgb1: [f64; 3],
    pub rgb2: [f64; 3],
    pub mark: Mark,
    pub markrgb: [f64; 3],
    /// Probability of a random dot per pixel.
    pub random: f64,
    pub width: i32,
    pub height: i32,
    pub hflip: bool,
    pub vflip: bool,
    pub nchannel: i32,
    /// Pixels, row-major, `nchannel` bytes each; empty if the texture has another source.
    pub data: Arc<[u8]>,
    pub origin: Origin,
}

impl Default for Texture {
    fn default() -> Self {
        Self {
            name: String::new(),
            ttype: TextureType::Cube,
            colorspace: ColorSpace::Auto,
            content_type: String::new(),
            file: String::new(),
            gridsize: [1, 1],
            gridlayout: "............".to_owned(),
            cubefiles: Default::default(),
            builtin: None,
            rgb1: [0.8; 3],
            rgb2: [0.5; 3],
            mark: Mark::None,
            markrgb: [0.0; 3],
            random: 0.01,
            width: 0,
            height: 0,
            hflip: false,
            vflip: false,
            nchannel: 3,
            data: Arc::default(),
            origin: Origin::default(),
        }
    }
}

/// Texture roles (mjtTextureRole), in the order of [`Material::textures`].
pub const TEXTURE_ROLES: [&str; 10] = [
    "user",
    "rgb",
    "occlusion",
    "roughness",
    "metallic",
    "normal",
    "opacity",
    "emissive",
    "rgba",
    "orm",
];

/// A material.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Material {
    pub name: String,
    pub class: DefaultId,
    /// Names of textures by role.
    pub textures: [String; TEXTURE_ROLES.len()],
    pub texuniform: bool,
    pub texrepeat: [f32; 2],
    pub emission: f32,
    pub specular: f32,
    pub shininess: f32,
    pub reflectance: f32,
    pub metallic: f32,
    pub roughness: f32,
    pub rgba: [f32; 4],
    pub origin: Origin,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: DefaultId(0),
            textures: Default::default(),
            texuniform: false,
            texrepeat: [1.0; 2],
            emission: 0.0,
            specular: 0.5,
            shininess: 0.5,
            reflectance: 0.0,
            metallic: -1.0,
            roughness: -1.0,
            rgba: [1.0; 4],
            origin: Origin::default(),
        }
    }
}
