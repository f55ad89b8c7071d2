//! Resolution of file URIs to paths.

use sim_mjcf::Vfs;
use sim_mjcf::frontend::join;
use std::collections::BTreeMap;
use std::fmt;

/// Number of parent directories searched for packages.
const MAX_UP: usize = 8;

/// A request to resolve a file.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Request<'a> {
    /// URI in the URDF file, such as `package://arm/meshes/hand.stl` or `../meshes/hand.stl`.
    pub uri: &'a str,
    /// Directory of the URDF file.
    pub directory: &'a str,
    /// Asset directory of the compiler settings (`meshdir` or `texturedir`), to which a returned
    /// path is relative.
    pub asset_directory: &'a str,
    /// The file system.
    pub vfs: &'a Vfs,
}

impl Request<'_> {
    /// Whether a file exists at a path as returned by a resolver.
    #[must_use]
    pub fn exists(&self, path: &str) -> bool {
        self.vfs.contains(&join(self.directory, &join(self.asset_directory, path)))
    }
}

/// Resolver of file URIs. Closures from a [`Request`] to a path implement it.
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
    /// Path of a file, absolute or relative to [`Request::asset_directory`]; `None` to use the URI
    /// as the path.
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

/// Default resolver: plain paths, and packages by registered directory or by search.
///
/// `package://arm/meshes/hand.stl` is `meshes/hand.stl` in the directory registered for the package
/// `arm`. For other packages the directory of the robot and its parents are searched, first for a
/// directory with the package's name, then for the rest of the path.
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
    /// Registers the directory of a package.
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
        let package_path = ["package://", "model://"]
            .into_iter()
            .find_map(|scheme| request.uri.strip_prefix(scheme))?;
        let (package, rest) = package_path.split_once('/').unwrap_or(("", package_path));
        if let Some(folder) = self.packages.get(package) {
            return Some(join(folder, rest));
        }
        let candidates = [package_path, rest]
            .into_iter()
            .flat_map(|path| (0..=MAX_UP).map(move |up| format!("{}{path}", "../".repeat(up))));
        let found = candidates.into_iter().find(|path| request.exists(path));
        Some(found.unwrap_or_else(|| package_path.to_owned()))
    }
}
