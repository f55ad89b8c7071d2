//! `asset` section: meshes, height fields, textures, materials and models.

use super::Reader;
use crate::error::ErrorKind;
use crate::spec::{
    ColorSpace, HField, Mark, Material, Mesh, MeshCollider, MeshInertia, Pattern, TEXTURE_ROLES,
    Texture, TextureType,
};
use crate::vfs::{file_name, join};
use crate::xml::NodeId;
use std::sync::Arc;

/// Maximum number of cells in the grid of a cube texture.
const MAX_GRID: usize = 12;
/// Minimum of `maxhullvert`.
const MIN_HULL: i32 = 4;

impl Reader<'_> {
    pub(super) fn assets(&mut self, id: NodeId) {
        for child in self.children(id) {
            let class = self.class(child, "class").unwrap_or_default();
            let origin = self.origin(child);
            match self.name(child) {
                "mesh" => {
                    let mut mesh = Mesh { origin, ..self.spec.defaults[class.0].mesh.clone() };
                    self.mesh(child, &mut mesh);
                    self.spec.meshes.push(mesh);
                }
                "material" => {
                    let default = self.spec.defaults[class.0].material.clone();
                    let mut material = Material { origin, ..default };
                    self.material(child, &mut material);
                    self.spec.materials.push(material);
                }
                "texture" => {
                    let mut texture = Texture { origin, ..Texture::default() };
                    self.texture(child, &mut texture);
                    self.spec.textures.push(texture);
                }
                "hfield" => {
                    let mut hfield = HField { origin, ..HField::default() };
                    self.hfield(child, &mut hfield);
                    self.spec.hfields.push(hfield);
                }
                "skin" => self.skin(child),
                "model" => self.model(child),
                _ => {}
            }
        }
    }

    /// A file name; directories are removed if `strippath` is set.
    pub(super) fn file(&self, id: NodeId, attribute: &str, target: &mut String) -> bool {
        let given = self.text(id, attribute, target);
        if given && self.spec.compiler.strippath {
            *target = file_name(target).to_owned();
        }
        given
    }

    /// A list of numbers in single precision.
    #[allow(clippy::cast_possible_truncation, reason = "meshes are stored in single precision")]
    pub(super) fn singles(&self, id: NodeId, attribute: &str) -> Option<Arc<[f32]>> {
        self.numbers(id, attribute).map(|list| list.into_iter().map(|x| x as f32).collect())
    }

    pub(super) fn mesh(&mut self, id: NodeId, m: &mut Mesh) {
        self.text(id, "name", &mut m.name);
        self.text(id, "content_type", &mut m.content_type);
        let file = self.file(id, "file", &mut m.file);
        self.vector(id, "refpos", &mut m.refpos);
        self.vector(id, "refquat", &mut m.refquat);
        self.vector(id, "scale", &mut m.scale);
        self.keyword(
            id,
            "inertia",
            &[
                ("convex", MeshInertia::Convex),
                ("exact", MeshInertia::Exact),
                ("legacy", MeshInertia::Legacy),
                ("shell", MeshInertia::Shell),
            ],
            &mut m.inertia,
        );
        self.keyword(
            id,
            "collider",
            &[("hull", MeshCollider::Hull), ("triangles", MeshCollider::Triangles)],
            &mut m.collider,
        );
        self.boolean(id, "smoothnormal", &mut m.smoothnormal);
        if self.int(id, "maxhullvert", &mut m.maxhullvert)
            && m.maxhullvert != -1
            && m.maxhullvert < MIN_HULL
        {
            let message = format!("must be -1 (no limit) or at least {MIN_HULL}");
            self.invalid(id, Some("maxhullvert"), message);
        }
        m.vertex = self.singles(id, "vertex").unwrap_or_else(|| m.vertex.clone());
        m.normal = self.singles(id, "normal").unwrap_or_else(|| m.normal.clone());
        m.texcoord = self.singles(id, "texcoord").unwrap_or_else(|| m.texcoord.clone());
        let face = self.ints(id, "face");
        if !face.is_empty() {
            m.face = face.into();
        }
        if self.text(id, "builtin", &mut m.builtin) && m.builtin != "none" {
            match self.numbers(id, "params") {
                Some(params) => m.params = params.into(),
                None => self.error(id, Some("params"), ErrorKind::MissingAttribute),
            }
            if file {
                self.invalid(id, Some("builtin"), "cannot be combined with `file`");
            }
            if !m.vertex.is_empty() {
                self.invalid(id, Some("builtin"), "cannot be combined with `vertex`");
            }
        }
        if m.builtin == "none" {
            m.builtin.clear();
        }
        self.text(id, "material", &mut m.material);
        m.plugin = self.plugin_child(id);
    }

    pub(super) fn material(&mut self, id: NodeId, m: &mut Material) {
        self.text(id, "name", &mut m.name);
        let single = self.text(id, "texture", &mut m.textures[1]);
        for layer in self.children(id) {
            if single {
                let message = "a material with `texture` cannot have layers: specify the texture as a \
                               layer with role=\"rgb\"";
                self.invalid(layer, None, message);
                return;
            }
            let role = self.dom.attr(layer, "role").unwrap_or_default();
            if let Some(role) = TEXTURE_ROLES.iter().position(|r| *r == role) {
                self.text(layer, "texture", &mut m.textures[role]);
            }
        }
        self.boolean(id, "texuniform", &mut m.texuniform);
        self.vector32(id, "texrepeat", &mut m.texrepeat);
        for (name, target) in [
            ("emission", &mut m.emission),
            ("specular", &mut m.specular),
            ("shininess", &mut m.shininess),
            ("reflectance", &mut m.reflectance),
            ("metallic", &mut m.metallic),
            ("roughness", &mut m.roughness),
        ] {
            self.real32(id, name, target);
        }
        self.vector32(id, "rgba", &mut m.rgba);
    }

    fn texture(&mut self, id: NodeId, t: &mut Texture) {
        self.text(id, "name", &mut t.name);
        self.keyword(
            id,
            "type",
            &[
                ("2d", TextureType::TwoD),
                ("cube", TextureType::Cube),
                ("skybox", TextureType::Skybox),
            ],
            &mut t.ttype,
        );
        self.keyword(
            id,
            "colorspace",
            &[
                ("auto", ColorSpace::Auto),
                ("linear", ColorSpace::Linear),
                ("sRGB", ColorSpace::Srgb),
            ],
            &mut t.colorspace,
        );
        self.text(id, "content_type", &mut t.content_type);
        self.file(id, "file", &mut t.file);
        let faces = ["fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"];
        for (attribute, target) in faces.iter().zip(&mut t.cubefiles) {
            self.file(id, attribute, target);
        }
        self.int(id, "width", &mut t.width);
        self.int(id, "height", &mut t.height);
        self.int(id, "nchannel", &mut t.nchannel);
        self.vector(id, "rgb1", &mut t.rgb1);
        self.vector(id, "rgb2", &mut t.rgb2);
        self.vector(id, "markrgb", &mut t.markrgb);
        self.real(id, "random", &mut t.random);
        self.keyword(
            id,
            "builtin",
            &[
                ("none", None),
                ("gradient", Some(Pattern::Gradient)),
                ("checker", Some(Pattern::Checker)),
                ("flat", Some(Pattern::Flat)),
            ],
            &mut t.builtin,
        );
        self.keyword(
            id,
            "mark",
            &[
                ("none", Mark::None),
                ("edge", Mark::Edge),
                ("cross", Mark::Cross),
                ("random", Mark::Random),
            ],
            &mut t.mark,
        );
        self.boolean(id, "hflip", &mut t.hflip);
        self.boolean(id, "vflip", &mut t.vflip);
        for (to, from) in t.gridsize.iter_mut().zip(self.ints(id, "gridsize")) {
            *to = from;
        }
        if self.text(id, "gridlayout", &mut t.gridlayout) {
            let cells = i64::from(t.gridsize[0]) * i64::from(t.gridsize[1]);
            if t.gridlayout.len() > MAX_GRID {
                let message = format!("must have at most {MAX_GRID} letters");
                self.invalid(id, Some("gridlayout"), message);
            } else if i64::try_from(t.gridlayout.len()).ok() != Some(cells) {
                let message =
                    format!("must have one letter for each of the {cells} cells of `gridsize`");
                self.invalid(id, Some("gridlayout"), message);
            }
        }
    }

    fn hfield(&mut self, id: NodeId, h: &mut HField) {
        self.text(id, "name", &mut h.name);
        self.text(id, "content_type", &mut h.content_type);
        let file = self.file(id, "file", &mut h.file);
        self.int(id, "nrow", &mut h.nrow);
        self.int(id, "ncol", &mut h.ncol);
        self.vector(id, "size", &mut h.size);
        let (Ok(nrow), Ok(ncol)) = (usize::try_from(h.nrow), usize::try_from(h.ncol)) else {
            return;
        };
        if file || nrow == 0 || ncol == 0 {
            return;
        }
        if let Some(heights) = self.singles(id, "elevation") {
            let cells = nrow.saturating_mul(ncol);
            if heights.len() != cells {
                let expected = format!("{cells} numbers (nrow times ncol)");
                let found = heights.len();
                self.error(id, Some("elevation"), ErrorKind::WrongCount { expected, found });
                return;
            }
            h.elevation = heights;
        }
    }

    /// Parses a model that can be attached.
    fn model(&mut self, id: NodeId) {
        let mut file = String::new();
        self.file(id, "file", &mut file);
        let path = join(&self.spec.directory, &file);
        let mut child = match self.loader.parse_nested(&path) {
            Ok(Ok(child)) => child,
            Ok(Err(errors)) => {
                for error in &errors {
                    self.report.push(error.clone());
                }
                return;
            }
            Err(kind) => {
                self.error(id, Some("file"), kind);
                return;
            }
        };
        self.text(id, "name", &mut child.modelname);
        self.spec.warnings.append(&mut child.warnings);
        let name = child.modelname.clone();
        if self.models.insert(name.clone(), child).is_some() {
            let message = format!("another model has the name `{name}`: set a different `name`");
            self.invalid(id, Some("name"), message);
        }
    }
}
