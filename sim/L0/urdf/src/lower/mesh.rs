//! Meshes: one for each file and scale, named after the file.

use super::Lowering;
use crate::resolve::Request;
use sim_mjcf::frontend::file_name;
use sim_mjcf::spec::{Mesh, Origin};
use std::collections::{HashMap, HashSet};

/// The meshes made so far.
#[derive(Default)]
pub(super) struct Meshes<'a> {
    /// By the name of the file without folders and extension: where it is in the spec, and its uri.
    named: HashMap<&'a str, Vec<(usize, &'a str)>>,
    /// Every name in use.
    names: HashSet<String>,
}

impl<'a> Lowering<'a, '_> {
    /// The name of the mesh of a file, which is made if there is none of this scale yet.
    pub(super) fn mesh(&mut self, uri: &'a str, scale: [f64; 3], origin: Origin) -> String {
        let stem = file_name(uri);
        let stem = stem.rfind('.').map_or(stem, |dot| &stem[..dot]);
        let alike = self.meshes.named.get(stem).map_or(&[][..], Vec::as_slice);
        let number = alike.len();
        let same_scale = |&&(mesh, _): &&(usize, &str)| self.spec.meshes[mesh].scale == scale;
        let same_file = alike.iter().filter(same_scale).find(|(_, other)| *other == uri);
        let one_file = self.as_mujoco() || self.spec.compiler.strippath;
        let by_name = alike.iter().find(same_scale).filter(|_| one_file);
        if let Some(&(mesh, other)) = same_file.or(by_name) {
            let (first, _) = alike[0];
            if other != uri && !self.spec.compiler.strippath {
                let message = format!("is not read: its name is that of `{other}`, as in MuJoCo");
                self.warning(origin, "mesh", message);
            }
            // MuJoCo finds a mesh of another scale again, and then names the first one.
            if self.as_mujoco() && mesh != first {
                let [x, y, z] = self.spec.meshes[first].scale;
                let message =
                    format!("gets the scale \"{x} {y} {z}\" of an earlier one, as in MuJoCo");
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

    /// Where a file is, from the folder that the compiler settings name.
    pub(super) fn path(&self, uri: &str, asset_directory: &str) -> String {
        if self.spec.compiler.strippath {
            return file_name(uri).to_owned();
        }
        let (directory, vfs) = (self.spec.directory.as_str(), self.spec.loader.vfs());
        let request = Request { uri, directory, asset_directory, vfs };
        self.how.resolver.resolve(&request).unwrap_or_else(|| uri.to_owned())
    }
}
