//! Assets: read, decoded and compiled, each independent of the others.

mod image;
mod lower;
mod mesh;

pub(super) use lower::{lower, sizes};

use super::Context;
use super::order::Order;
use crate::asset::cache::CachedAsset;
use crate::asset::{self, AssetError, AssetKey, Mesh};
use crate::error::ErrorKind;
use crate::spec::{HField, Material, Origin, Spec, Texture, TextureType, asset_name};
use crate::vfs::join;
use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

/// A compiled mesh.
#[derive(Debug)]
pub(super) struct MeshOut<'a> {
    pub(super) spec: &'a crate::spec::Mesh,
    pub(super) mesh: Arc<Mesh>,
}

/// A compiled height field.
#[derive(Debug)]
pub(super) struct HFieldOut<'a> {
    pub(super) spec: &'a HField,
    pub(super) field: Arc<asset::HField>,
}

/// A compiled texture.
#[derive(Debug)]
pub(super) struct TextureOut<'a> {
    pub(super) spec: &'a Texture,
    pub(super) texture: asset::Texture,
}

/// A material and the textures of its roles.
#[derive(Debug)]
pub(super) struct MaterialOut<'a> {
    pub(super) spec: &'a Material,
    pub(super) textures: Vec<Option<usize>>,
}

/// Everything that other elements refer to as an asset.
#[derive(Debug, Default)]
pub(super) struct Assets<'a> {
    pub(super) meshes: Vec<MeshOut<'a>>,
    pub(super) hfields: Vec<HFieldOut<'a>>,
    pub(super) textures: Vec<TextureOut<'a>>,
    pub(super) materials: Vec<MaterialOut<'a>>,
}

impl Assets<'_> {
    /// A compiled mesh; `None` when compiling it failed.
    pub(super) fn mesh(&self, id: usize) -> Option<&Mesh> {
        self.meshes.get(id).map(|m| &*m.mesh)
    }

    /// The material that a mesh lends its geoms.
    pub(super) fn mesh_material(&self, id: usize) -> &str {
        self.meshes.get(id).map_or("", |m| &m.spec.material)
    }

    /// The id of a material; reports an unknown one. No name is no material.
    pub(super) fn material(
        &self,
        context: &mut Context<'_, '_>,
        order: &Order<'_>,
        name: &str,
        (origin, element): (Origin, &str),
    ) -> Option<usize> {
        if name.is_empty() || context.spec.compiler.discardvisual {
            return None;
        }
        order.find(context, &order.material, "material", name, (origin, element, "material"))
    }
}

/// Reads and compiles all assets.
pub(super) fn compile<'a>(context: &mut Context<'a, '_>, order: &Order<'a>) -> Assets<'a> {
    let spec = context.spec;
    check_names(context);
    let meshes = mesh::compile(context, order);
    let hfields = image::hfields(context);
    let textures = image::textures(context);
    let materials = if spec.compiler.discardvisual {
        Vec::new()
    } else {
        spec.materials.iter().map(|m| material(context, order, m)).collect()
    };
    Assets { meshes, hfields, textures, materials }
}

/// An asset without a name needs a file to take its name from.
fn check_names(context: &mut Context<'_, '_>) {
    let spec = context.spec;
    let meshes = spec.meshes.iter().map(|m| (&m.name, &m.file, m.origin, "mesh"));
    let hfields = spec.hfields.iter().map(|h| (&h.name, &h.file, h.origin, "hfield"));
    // A sky needs no name, because nothing refers to it.
    let textures = spec.textures.iter().filter(|t| t.ttype != TextureType::Skybox);
    let textures = textures.map(|t| (&t.name, &t.file, t.origin, "texture"));
    for (name, file, origin, element) in meshes.chain(hfields).chain(textures) {
        if name.is_empty() && asset_name(file).is_empty() {
            context.error(origin, element, Some("name"), ErrorKind::MissingAttribute);
        }
    }
}

fn material<'a>(
    context: &mut Context<'a, '_>,
    order: &Order<'a>,
    m: &'a Material,
) -> MaterialOut<'a> {
    let textures = m.textures.iter().map(|name| {
        if name.is_empty() {
            return None;
        }
        order.find(context, &order.texture, "texture", name, (m.origin, "material", "texture"))
    });
    MaterialOut { spec: m, textures: textures.collect() }
}

/// A file that was read.
struct Found {
    path: String,
    bytes: Arc<Vec<u8>>,
}

/// Reads a file in a folder that the compiler settings name.
fn read(spec: &Spec, origin: Origin, folder: &str, file: &str) -> Result<Found, ErrorKind> {
    let path = join(spec.directory_of(origin), &join(folder, file));
    let bytes = spec.loader.vfs().read(&path).map_err(|e| ErrorKind::Io(e.to_string()))?;
    Ok(Found { path, bytes })
}

/// The text of a mesh file.
pub(super) fn read_text(spec: &Spec, origin: Origin, file: &str) -> Result<String, ErrorKind> {
    let folder = &spec.compiler_of(origin).meshdir;
    let found = read(spec, origin, folder, file)?;
    let text = std::str::from_utf8(&found.bytes);
    Ok(text.map_err(|_| ErrorKind::Io(format!("{file}: is not text")))?.to_owned())
}

/// An asset made from a file, or found in the cache if the caller gave one.
fn cached<T: CachedAsset>(
    spec: &Spec,
    file: &Found,
    key: impl Fn(&str, u64) -> AssetKey,
    make: impl FnOnce() -> Result<T, AssetError>,
) -> Result<Arc<T>, AssetError> {
    let Some(cache) = spec.loader.cache() else {
        return make().map(Arc::new);
    };
    let mut hasher = DefaultHasher::new();
    hasher.write(&file.bytes);
    let key = key(&file.path, hasher.finish());
    if let Some(asset) = cache.get(&key) {
        return Ok(asset);
    }
    let asset = Arc::new(make()?);
    cache.insert(key, Arc::clone(&asset));
    Ok(asset)
}
