//! `asset` section.

use super::element::{Attributes, Document};
use super::{Writer, plugin};
use crate::spec::{
    ColorSpace, HField, Mark, Material, Mesh, MeshCollider, MeshInertia, Pattern, TEXTURE_ROLES,
    Texture, TextureType,
};

/// Attributes of a mesh that a default class can set.
pub(super) fn mesh_class(m: &Mesh) -> Attributes {
    let mut a = Attributes::default();
    a.numbers("scale", &m.scale);
    a.number("maxhullvert", m.maxhullvert);
    a.text(
        "inertia",
        match m.inertia {
            MeshInertia::Convex => "convex",
            MeshInertia::Exact => "exact",
            MeshInertia::Legacy => "legacy",
            MeshInertia::Shell => "shell",
        },
    );
    a.text(
        "collider",
        match m.collider {
            MeshCollider::Hull => "hull",
            MeshCollider::Triangles => "triangles",
        },
    );
    a
}

/// Pseudo-attribute of each texture role, which is written as a layer element.
const LAYERS: [&str; TEXTURE_ROLES.len()] = [
    "layer user",
    "layer rgb",
    "layer occlusion",
    "layer roughness",
    "layer metallic",
    "layer normal",
    "layer opacity",
    "layer emissive",
    "layer rgba",
    "layer orm",
];

/// All attributes of a material except its name, with a pseudo-attribute per texture.
pub(super) fn material(m: &Material) -> Attributes {
    let mut a = Attributes::default();
    for (layer, texture) in LAYERS.into_iter().zip(&m.textures) {
        a.word(layer, texture);
    }
    a.boolean("texuniform", m.texuniform);
    a.numbers("texrepeat", &m.texrepeat);
    a.number("emission", m.emission);
    a.number("specular", m.specular);
    a.number("shininess", m.shininess);
    a.number("reflectance", m.reflectance);
    a.number("metallic", m.metallic);
    a.number("roughness", m.roughness);
    a.numbers("rgba", &m.rgba);
    a
}

/// Opens a material element and writes its textures as layers.
pub(super) fn open_material(doc: &mut Document, attributes: &mut Attributes) {
    let role = |name: &str| LAYERS.iter().position(|layer| *layer == name);
    let (layers, own): (Vec<_>, Vec<_>) =
        attributes.0.drain(..).partition(|a| role(a.name).is_some());
    let single = layers.len() == 1 && role(layers[0].name) == Some(1);
    attributes.0 = own;
    if single {
        attributes.text("texture", layers[0].value.as_str());
    }
    doc.open("material", attributes);
    for layer in layers.iter().filter(|_| !single) {
        let mut a = Attributes::default();
        a.text("texture", layer.value.as_str());
        a.text("role", role(layer.name).map_or("", |i| TEXTURE_ROLES[i]));
        doc.element("layer", &a);
    }
}

impl Writer<'_> {
    pub(super) fn assets(&mut self, doc: &mut Document) {
        let spec = self.spec;
        doc.section("asset", |doc| {
            for t in &spec.textures {
                if !t.data.is_empty() {
                    self.inexpressible(
                        t.origin,
                        "texture",
                        "MJCF has no pixels: write them to a PNG file",
                    );
                }
                let attributes = self.texture(t);
                doc.element("texture", &attributes);
            }
            for m in &spec.materials {
                let attributes = material(m);
                if let Some(mut a) =
                    self.class_attributes("material", (&m.name, m.class, m.origin), &attributes)
                {
                    open_material(doc, &mut a);
                    doc.close();
                }
            }
            for m in &spec.meshes {
                self.mesh(doc, m);
            }
            for h in &spec.hfields {
                let attributes = self.hfield(h);
                doc.element("hfield", &attributes);
            }
        });
    }

    fn mesh(&mut self, doc: &mut Document, m: &Mesh) {
        let mut a = mesh_class(m);
        a.word("content_type", &m.content_type);
        a.word("file", &self.file(m.origin, |c| &c.meshdir, &m.file));
        a.list("vertex", &m.vertex);
        a.list("normal", &m.normal);
        a.list("texcoord", &m.texcoord);
        a.list("face", &m.face);
        if m.refpos != [0.0; 3] {
            a.numbers("refpos", &m.refpos);
        }
        if m.refquat != [1.0, 0.0, 0.0, 0.0] {
            a.numbers("refquat", &m.refquat);
        }
        if m.smoothnormal {
            a.boolean("smoothnormal", true);
        }
        a.word("builtin", &m.builtin);
        if !m.builtin.is_empty() {
            a.list("params", &m.params);
        }
        a.word("material", &m.material);
        if let Some(a) = self.class_attributes("mesh", (&m.name, m.class, m.origin), &a) {
            doc.open("mesh", &a);
            plugin::child(doc, m.plugin.as_deref());
            doc.close();
        }
    }

    fn hfield(&self, h: &HField) -> Attributes {
        let mut a = Attributes::default();
        a.word("name", &h.name);
        a.word("content_type", &h.content_type);
        a.word("file", &self.file(h.origin, |c| &c.meshdir, &h.file));
        if h.nrow != 0 || h.ncol != 0 {
            a.number("nrow", h.nrow);
            a.number("ncol", h.ncol);
        }
        a.numbers("size", &h.size);
        a.list("elevation", &h.elevation);
        a
    }

    fn texture(&self, t: &Texture) -> Attributes {
        let plain = texture(&Texture::default());
        let mut a = Attributes::default();
        a.word("name", &t.name);
        a.0.append(&mut texture(t).difference(&plain).0);
        a.word("file", &self.file(t.origin, |c| &c.texturedir, &t.file));
        let faces = ["fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"];
        for (attribute, file) in faces.into_iter().zip(&t.cubefiles) {
            a.word(attribute, &self.file(t.origin, |c| &c.texturedir, file));
        }
        a
    }
}

/// All attributes of a texture except its name and files.
fn texture(t: &Texture) -> Attributes {
    let mut a = Attributes::default();
    a.text(
        "type",
        match t.ttype {
            TextureType::TwoD => "2d",
            TextureType::Cube => "cube",
            TextureType::Skybox => "skybox",
        },
    );
    a.text(
        "colorspace",
        match t.colorspace {
            ColorSpace::Auto => "auto",
            ColorSpace::Linear => "linear",
            ColorSpace::Srgb => "sRGB",
        },
    );
    a.word("content_type", &t.content_type);
    a.numbers("gridsize", &t.gridsize);
    a.text("gridlayout", t.gridlayout.as_str());
    a.text(
        "builtin",
        match t.builtin {
            None => "none",
            Some(Pattern::Gradient) => "gradient",
            Some(Pattern::Checker) => "checker",
            Some(Pattern::Flat) => "flat",
        },
    );
    a.numbers("rgb1", &t.rgb1);
    a.numbers("rgb2", &t.rgb2);
    a.text(
        "mark",
        match t.mark {
            Mark::None => "none",
            Mark::Edge => "edge",
            Mark::Cross => "cross",
            Mark::Random => "random",
        },
    );
    a.numbers("markrgb", &t.markrgb);
    a.number("random", t.random);
    a.number("width", t.width);
    a.number("height", t.height);
    a.boolean("hflip", t.hflip);
    a.boolean("vflip", t.vflip);
    a.number("nchannel", t.nchannel);
    a
}
