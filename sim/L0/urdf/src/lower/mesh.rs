//! Mesh assets: one per file and scale, named after the file.

use super::Converter;
use crate::resolve::Request;
use sim_mjcf::frontend::file_name;
use sim_mjcf::spec::{Mesh, Origin};
use std::collections::{HashMap, HashSet};

/// Meshes created so far.
#[derive(Default)]
pub(super) struct Meshes<'a> {
    /// Index in the spec and URI of each mesh, by file name without directories and extension.
    named: HashMap<&'a str, Vec<(usize, &'a str)>>,
    /// Names in use.
    names: HashSet<String>,
}

impl<'a> Converter<'a, '_> {
    /// Name of the mesh of a file and scale, which is created if it does not exist.
    pub(super) fn mesh(&mut self, uri: &'a str, scale: [f64; 3], origin: Origin) -> String {
        let stem = file_name(uri);
        let stem = stem.rfind('.').map_or(stem, |dot| &stem[..dot]);
        let candidates = self.meshes.named.get(stem).map_or(&[][..], Vec::as_slice);
        let number = candidates.len();
        let same_scale = |&&(mesh, _): &&(usize, &str)| self.spec.meshes[mesh].scale == scale;
        let same_file = candidates.iter().filter(same_scale).find(|(_, other)| *other == uri);
        let one_file = self.follows_mujoco() || self.spec.compiler.strippath;
        let by_name = candidates.iter().find(same_scale).filter(|_| one_file);
        if let Some(&(mesh, other)) = same_file.or(by_name) {
            let (first, _) = candidates[0];
            if other != uri && !self.spec.compiler.strippath {
                let message =
                    format!("is not loaded: it has the same name as `{other}`, as in MuJoCo");
                self.warning(origin, "mesh", message);
            }
            // MuJoCo finds the mesh of this scale, but refers to the first one.
            if self.follows_mujoco() && mesh != first {
                let [x, y, z] = self.spec.meshes[first].scale;
                let message =
                    format!("has the scale \"{x} {y} {z}\" of an earlier mesh, as in MuJoCo");
                self.warning(origin, "mesh", message);
                return self.spec.meshes[first].name.clone();
            }
            return self.spec.meshes[mesh].name.clone();
        }
        let mut name = if number == 0 { stem.to_owned() } else { format!("{stem}{number}") };
        let mut next = number;
        while self.meshes.names.contains(&name) {
            next += 1;
            name = format!("{stem}{next}");
        }
        let meshdir = self.spec.compiler.meshdir.clone();
        let file = self.path(uri, &meshdir);
        self.meshes.named.entry(stem).or_default().push((self.spec.meshes.len(), uri));
        self.meshes.names.insert(name.clone());
        let mesh = Mesh { name: name.clone(), file, scale, origin, ..Mesh::default() };
        self.spec.meshes.push(mesh);
        name
    }

    /// Path of a file relative to the asset directory of the compiler settings.
    pub(super) fn path(&self, uri: &str, asset_directory: &str) -> String {
        if self.spec.compiler.strippath {
            return file_name(uri).to_owned();
        }
        let (directory, vfs) = (self.spec.directory.as_str(), self.spec.loader.vfs());
        let request = Request { uri, directory, asset_directory, vfs };
        self.options.resolver.resolve(&request).unwrap_or_else(|| uri.to_owned())
    }
}
