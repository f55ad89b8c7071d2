//! From what a URDF file calls a file to a path.

use sim_mjcf::Vfs;
use sim_mjcf::frontend::join;
use std::collections::BTreeMap;
use std::fmt;

/// Folders above the robot's in which packages are looked for.
const MAX_UP: usize = 8;

/// A file that a robot asks for.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Request<'a> {
    /// The name as the file gives it: `package://arm/meshes/hand.stl`, `../meshes/hand.stl`.
    pub uri: &'a str,
    /// The folder of the robot's file.
    pub directory: &'a str,
    /// The folder that the compiler settings name: `meshdir` or `texturedir`. A relative path that is
    /// returned starts there.
    pub asset_directory: &'a str,
    /// The files that can be read.
    pub vfs: &'a Vfs,
}

impl Request<'_> {
    /// Whether there is a file at a path that a resolver could return.
    #[must_use]
    pub fn exists(&self, path: &str) -> bool {
        self.vfs.contains(&join(self.directory, &join(self.asset_directory, path)))
    }
}

/// Finds files. A closure from a [`Request`] to a path is one.
///
/// ```
/// use sim_urdf::{Request, Urdf};
/// let urdf = Urdf::default().resolver(|request: &Request| {
///     request.uri.strip_prefix("package://").map(|path| format!("/opt/robots/{path}"))
/// });
/// let loader = urdf.loader();
/// # drop(loader);
/// ```
pub trait Resolve: Send + Sync {
    /// The path of a file, absolute or from [`Request::asset_directory`]; `None`: take the name as a
    /// path.
    fn resolve(&self, request: &Request<'_>) -> Option<String>;
}

impl<F> Resolve for F
where
    F: Fn(&Request<'_>) -> Option<String> + Send + Sync,
{
    fn resolve(&self, request: &Request<'_>) -> Option<String> {
        self(request)
    }
}

impl fmt::Debug for dyn Resolve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("dyn Resolve")
    }
}

/// The usual way: paths are paths, and packages are found by their folder or near the robot.
///
/// `package://arm/meshes/hand.stl` is `meshes/hand.stl` in the folder given for the package `arm`.
/// For other packages the folder of the robot and those above it are searched, first for a folder of
/// the package's name, then for the rest of the path.
///
/// ```
/// use sim_urdf::{FilePaths, Urdf};
/// let urdf = Urdf::default().resolver(FilePaths::default().package("arm", "/opt/robots/arm"));
/// # drop(urdf);
/// ```
#[derive(Debug, Clone, Default)]
pub struct FilePaths {
    packages: BTreeMap<String, String>,
}

impl FilePaths {
    /// The same with a package in a folder of its own.
    #[must_use]
    pub fn package(mut self, name: impl Into<String>, folder: impl Into<String>) -> Self {
        self.packages.insert(name.into(), folder.into());
        self
    }
}

impl Resolve for FilePaths {
    fn resolve(&self, request: &Request<'_>) -> Option<String> {
        if let Some(path) = request.uri.strip_prefix("file://") {
            return Some(path.to_owned());
        }
        let inside = ["package://", "model://"]
            .into_iter()
            .find_map(|scheme| request.uri.strip_prefix(scheme))?;
        let (package, rest) = inside.split_once('/').unwrap_or(("", inside));
        if let Some(folder) = self.packages.get(package) {
            return Some(join(folder, rest));
        }
        let near = [inside, rest]
            .into_iter()
            .flat_map(|path| (0..=MAX_UP).map(move |up| format!("{}{path}", "../".repeat(up))));
        let found = near.into_iter().find(|path| request.exists(path));
        Some(found.unwrap_or_else(|| inside.to_owned()))
    }
}
