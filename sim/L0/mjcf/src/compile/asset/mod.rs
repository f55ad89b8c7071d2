//! Compilation of assets: read, decode, compile.

mod image;
mod lower;
mod mesh;

pub(super) use lower::{lower, sizes};

use super::Context;
use super::plugin::Plugins;
use super::symbols::SymbolTable;
use crate::asset::cache::CachedAsset;
use crate::asset::{self, AssetError, AssetKey, Mesh};
use crate::error::ErrorKind;
use crate::spec::{HField, Material, Origin, Spec, Texture, TextureType, asset_name};
use crate::vfs::join;
use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

/// A compiled mesh.
#[derive(Debug)]
pub(super) struct CompiledMesh<'a> {
    pub(super) spec: &'a crate::spec::Mesh,
    pub(super) mesh: Arc<Mesh>,
}

/// A compiled height field.
#[derive(Debug)]
pub(super) struct CompiledHField<'a> {
    pub(super) spec: &'a HField,
    pub(super) field: Arc<asset::HField>,
}

/// A compiled texture.
#[derive(Debug)]
pub(super) struct CompiledTexture<'a> {
    pub(super) spec: &'a Texture,
    pub(super) texture: asset::Texture,
}

/// A material and its textures by role.
#[derive(Debug)]
pub(super) struct CompiledMaterial<'a> {
    pub(super) spec: &'a Material,
    pub(super) textures: Vec<Option<usize>>,
}

/// All compiled assets.
#[derive(Debug, Default)]
pub(super) struct Assets<'a> {
    pub(super) meshes: Vec<CompiledMesh<'a>>,
    pub(super) hfields: Vec<CompiledHField<'a>>,
    pub(super) textures: Vec<CompiledTexture<'a>>,
    pub(super) materials: Vec<CompiledMaterial<'a>>,
}

impl Assets<'_> {
    /// A compiled mesh; `None` when compiling it failed.
    pub(super) fn mesh(&self, id: usize) -> Option<&Mesh> {
        self.meshes.get(id).map(|m| &*m.mesh)
    }

    /// The default material of geoms that use a mesh.
    pub(super) fn mesh_material(&self, id: usize) -> &str {
        self.meshes.get(id).map_or("", |m| &m.spec.material)
    }

    /// Id of a material, `None` for an empty name; reports an unknown name.
    pub(super) fn material(
        &self,
        context: &mut Context<'_, '_>,
        symbols: &SymbolTable<'_>,
        name: &str,
        (origin, element): (Origin, &str),
    ) -> Option<usize> {
        if name.is_empty() || context.spec.compiler.discardvisual {
            return None;
        }
        symbols.find(context, &symbols.material, "material", name, (origin, element, "material"))
    }
}

/// Reads and compiles all assets.
pub(super) fn compile<'a>(
    context: &mut Context<'a, '_>,
    symbols: &SymbolTable<'a>,
    plugins: &Plugins<'a>,
) -> Assets<'a> {
    let spec = context.spec;
    check_names(context);
    let meshes = mesh::compile(context, symbols, plugins);
    let hfields = image::hfields(context);
    let textures = image::textures(context);
    let materials = if spec.compiler.discardvisual {
        Vec::new()
    } else {
        spec.materials.iter().map(|m| material(context, symbols, m)).collect()
    };
    Assets { meshes, hfields, textures, materials }
}

/// Checks that every asset has a name or a file from which the name is derived.
fn check_names(context: &mut Context<'_, '_>) {
    let spec = context.spec;
    let meshes = spec.meshes.iter().map(|m| (&m.name, &m.file, m.origin, "mesh"));
    let hfields = spec.hfields.iter().map(|h| (&h.name, &h.file, h.origin, "hfield"));
    // A skybox requires no name, because nothing refers to it.
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
    symbols: &SymbolTable<'a>,
    m: &'a Material,
) -> CompiledMaterial<'a> {
    let textures = m.textures.iter().map(|name| {
        if name.is_empty() {
            return None;
        }
        symbols.find(context, &symbols.texture, "texture", name, (m.origin, "material", "texture"))
    });
    CompiledMaterial { spec: m, textures: textures.collect() }
}

/// A file and its content.
struct FileContent {
    path: String,
    bytes: Arc<Vec<u8>>,
}

/// Reads a file relative to `folder`, which is `meshdir` or `texturedir`.
fn read(spec: &Spec, origin: Origin, folder: &str, file: &str) -> Result<FileContent, ErrorKind> {
    let path = join(spec.directory_of(origin), &join(folder, file));
    let bytes = spec.loader.vfs().read(&path).map_err(|e| ErrorKind::Io(e.to_string()))?;
    Ok(FileContent { path, bytes })
}

/// Reads a binary file relative to `meshdir`.
pub(super) fn read_bytes(
    spec: &Spec,
    origin: Origin,
    file: &str,
) -> Result<Arc<Vec<u8>>, ErrorKind> {
    Ok(read(spec, origin, &spec.compiler_of(origin).meshdir, file)?.bytes)
}

/// Reads a text file relative to `meshdir`.
pub(super) fn read_text(spec: &Spec, origin: Origin, file: &str) -> Result<String, ErrorKind> {
    let folder = &spec.compiler_of(origin).meshdir;
    let content = read(spec, origin, folder, file)?;
    let text = std::str::from_utf8(&content.bytes);
    Ok(text.map_err(|_| ErrorKind::Io(format!("{file}: not valid UTF-8 text")))?.to_owned())
}

/// An asset from the cache, if there is one, else compiled by `make` and cached.
fn cached<T: CachedAsset>(
    spec: &Spec,
    file: &FileContent,
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
