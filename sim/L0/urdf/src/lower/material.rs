//! Colors and textures.

use super::Converter;
use crate::robot::{Material, Shape};
use sim_mjcf::frontend::{file_name, join, nearest};
use sim_mjcf::spec::{self, TEXTURE_ROLES, Texture, TextureType};

impl<'a> Converter<'a, '_> {
    /// Color of a shape: its own, or that of the referenced material.
    pub(super) fn color(&mut self, shape: &'a Shape) -> Option<[f32; 4]> {
        let own = shape.material.as_ref()?;
        if own.rgba.is_some() {
            return own.rgba;
        }
        let Some(named) = self.named(&own.name) else {
            if own.texture.is_none() {
                let materials = self.robot.materials.iter();
                let suggestion = nearest(&own.name, materials.map(|m| m.name.as_str()))
                    .map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
                let message = format!("no material is named `{}`{suggestion}", own.name);
                self.warning(own.origin, "material", message);
            }
            return None;
        };
        named.rgba
    }

    fn named(&self, name: &str) -> Option<&'a Material> {
        self.materials.get(name).copied()
    }

    /// Name of a material with the texture of a shape; empty if it has none.
    ///
    /// Plain colors are set on the geoms and need no material.
    pub(super) fn texture_material(&mut self, shape: &'a Shape) -> String {
        let Some(own) = &shape.material else { return String::new() };
        let named = if own.texture.is_some() { None } else { self.named(&own.name) };
        let material = named.unwrap_or(own);
        let Some(file) = &material.texture else { return String::new() };
        let name = if material.name.is_empty() { file } else { &material.name };
        if self.spec.material(name).is_some() {
            return name.clone();
        }
        let texturedir = self.spec.compiler.texturedir.clone();
        let path = self.path(file, &texturedir);
        let full = join(&self.spec.directory, &join(&texturedir, &path));
        let reason = if self.follows_mujoco() {
            "is ignored as in MuJoCo: textures are not supported"
        } else if !file_name(&path).to_ascii_lowercase().ends_with(".png") {
            "has no effect: only PNG images are supported"
        } else if !self.spec.loader.vfs().contains(&full) {
            "has no effect: the file does not exist"
        } else {
            let texture = Texture {
                name: name.clone(),
                ttype: TextureType::TwoD,
                file: path,
                origin: material.origin,
                ..Texture::default()
            };
            let mut textures: [String; TEXTURE_ROLES.len()] = Default::default();
            textures[1].clone_from(name);
            let rgba = material.rgba.unwrap_or([1.0; 4]);
            let material = spec::Material {
                name: name.clone(),
                textures,
                rgba,
                origin: material.origin,
                ..Default::default()
            };
            self.spec.textures.push(texture);
            self.spec.materials.push(material);
            return name.clone();
        };
        self.warning(material.origin, "texture", format!("`{file}` {reason}"));
        String::new()
    }
}
