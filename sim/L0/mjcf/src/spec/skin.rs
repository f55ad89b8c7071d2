//! Skins: deformable surfaces that follow bodies, for visualization only (mjsSkin).

use super::{Origin, Spec, asset_name};
use crate::asset;
use crate::vfs::join;
use std::sync::Arc;

/// A bone of a skin: a body and the vertices that move with it.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct SkinBone {
    pub body: String,
    pub bindpos: [f32; 3],
    pub bindquat: [f32; 4],
    pub vertid: Arc<[i32]>,
    /// Weights of the vertices; the compiler divides them by their sum over all bones.
    pub vertweight: Arc<[f32]>,
}

impl Default for SkinBone {
    fn default() -> Self {
        Self {
            body: String::new(),
            bindpos: [0.0; 3],
            bindquat: [1.0, 0.0, 0.0, 0.0],
            vertid: Arc::default(),
            vertweight: Arc::default(),
        }
    }
}

/// A skin (mjsSkin). Vertices, faces and bones are given here or in a file.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Skin {
    pub name: String,
    pub file: String,
    pub material: String,
    pub rgba: [f32; 4],
    pub inflate: f32,
    pub group: i32,
    pub vertex: Arc<[f32]>,
    pub texcoord: Arc<[f32]>,
    pub face: Arc<[i32]>,
    pub bones: Vec<SkinBone>,
    pub origin: Origin,
}

impl Default for Skin {
    fn default() -> Self {
        Self {
            name: String::new(),
            file: String::new(),
            material: String::new(),
            rgba: [0.5, 0.5, 0.5, 1.0],
            inflate: 0.0,
            group: 0,
            vertex: Arc::default(),
            texcoord: Arc::default(),
            face: Arc::default(),
            bones: Vec::new(),
            origin: Origin::default(),
        }
    }
}

impl Skin {
    /// The skin with the data of its file instead of the file; `None` if the file cannot be read.
    ///
    /// The names of bodies in a file cannot be changed, but those of an attached model have prefixes.
    pub(super) fn inline(&self, spec: &Spec) -> Option<Self> {
        if self.file.is_empty() {
            return Some(self.clone());
        }
        let folder = &spec.compiler_of(self.origin).meshdir;
        let path = join(spec.directory_of(self.origin), &join(folder, &self.file));
        let data = asset::Skin::decode(&spec.loader.vfs().read(&path).ok()?).ok()?;
        let name = if self.name.is_empty() { asset_name(&self.file) } else { &self.name };
        let bone = |b: asset::SkinBone| SkinBone {
            body: b.body,
            bindpos: b.bindpos,
            bindquat: b.bindquat,
            vertid: b.vertid.into(),
            vertweight: b.vertweight.into(),
        };
        Some(Self {
            name: name.to_owned(),
            file: String::new(),
            vertex: data.vert.into(),
            texcoord: data.texcoord.into(),
            face: data.face.into(),
            bones: data.bones.into_iter().map(bone).collect(),
            ..self.clone()
        })
    }
}
