//! Virtual file system (mjVFS): files in memory, in allowed directories, or anywhere on disk.
//!
//! A path is resolved in memory first (by the full path, then by the file name alone, ignoring
//! case), then on disk if allowed.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Maximum file size, in bytes.
const MAX_FILE: u64 = 1 << 30;

/// Virtual file system of a loader.
///
/// ```
/// use sim_mjcf::{Loader, Vfs};
/// let mut vfs = Vfs::memory();
/// vfs.add("scene.xml", r#"<mujoco><include file="parts/sphere.xml"/></mujoco>"#);
/// vfs.add("parts/sphere.xml", r#"<mujoco><worldbody><geom size="1"/></worldbody></mujoco>"#);
/// let model = Loader::new(vfs).load("scene.xml")?;
/// assert_eq!(model.ngeom, 1);
/// # Ok::<(), sim_mjcf::Errors>(())
/// ```
#[derive(Debug, Clone)]
pub struct Vfs {
    files: BTreeMap<String, Arc<Vec<u8>>>,
    disk: Disk,
}

/// Allowed access to the disk.
#[derive(Debug, Clone)]
enum Disk {
    /// Any file; relative paths are relative to the working directory.
    Anywhere,
    /// Files within these directories (canonical paths); none if empty.
    Inside(Vec<PathBuf>),
}

/// Error of reading a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VfsError {
    /// Neither in memory nor on disk.
    #[error("{0}: no such file")]
    Missing(String),
    /// On disk, but outside the allowed directories.
    #[error("{0}: the path is outside the allowed directories")]
    Outside(String),
    /// I/O error: path and description.
    #[error("{0}: {1}")]
    Io(String, String),
}

impl Default for Vfs {
    fn default() -> Self {
        Self::disk()
    }
}

impl Vfs {
    /// Allows any file on disk.
    #[must_use]
    pub const fn disk() -> Self {
        Self { files: BTreeMap::new(), disk: Disk::Anywhere }
    }

    /// Allows only files [added](Self::add) to memory.
    #[must_use]
    pub const fn memory() -> Self {
        Self { files: BTreeMap::new(), disk: Disk::Inside(Vec::new()) }
    }

    /// Allows files within `folder`, to which paths are relative.
    ///
    /// Symbolic links and `..` are resolved before the check, so they cannot escape the directory.
    ///
    /// # Errors
    ///
    /// The directory does not exist.
    pub fn rooted(folder: impl AsRef<Path>) -> Result<Self, VfsError> {
        let mut vfs = Self::memory();
        vfs.add_root(folder)?;
        Ok(vfs)
    }

    /// Allows another directory. Has no effect if any file is allowed.
    ///
    /// # Errors
    ///
    /// The directory does not exist.
    pub fn add_root(&mut self, folder: impl AsRef<Path>) -> Result<(), VfsError> {
        let root = canonical(folder.as_ref())?;
        if let Disk::Inside(roots) = &mut self.disk {
            roots.push(root);
        }
        Ok(())
    }

    /// Adds a file to memory and returns the previous content of this path.
    pub fn add(
        &mut self,
        path: impl AsRef<str>,
        content: impl Into<Vec<u8>>,
    ) -> Option<Arc<Vec<u8>>> {
        self.files.insert(normalize(path.as_ref()), Arc::new(content.into()))
    }

    /// Removes a file from memory.
    pub fn remove(&mut self, path: impl AsRef<str>) -> Option<Arc<Vec<u8>>> {
        self.files.remove(&normalize(path.as_ref()))
    }

    /// Paths of the files in memory.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// The file does not exist, is not allowed, or cannot be read.
    pub fn read(&self, path: &str) -> Result<Arc<Vec<u8>>, VfsError> {
        match self.find(path)? {
            Resolved::Memory(bytes) => Ok(Arc::clone(bytes)),
            Resolved::Disk(path) => load(&path).map(Arc::new),
        }
    }

    /// Whether a file exists and may be read.
    #[must_use]
    pub fn contains(&self, path: &str) -> bool {
        self.find(path).is_ok()
    }

    /// Canonical identity of a file, equal for all paths that denote it.
    pub(crate) fn identity(&self, path: &str) -> String {
        match self.find(path) {
            Ok(Resolved::Disk(path)) => canonical(&path).unwrap_or(path).display().to_string(),
            _ => normalize(path),
        }
    }

    fn find(&self, path: &str) -> Result<Resolved<'_>, VfsError> {
        if let Some(bytes) = self.in_memory(path) {
            return Ok(Resolved::Memory(bytes));
        }
        let Disk::Inside(roots) = &self.disk else {
            let on_disk = PathBuf::from(path);
            return if on_disk.exists() {
                Ok(Resolved::Disk(on_disk))
            } else {
                Err(VfsError::Missing(path.to_owned()))
            };
        };
        let mut outside = false;
        for root in roots {
            // An absolute path replaces the root here and is checked like any other.
            let Ok(real) = canonical(&root.join(path)) else { continue };
            if roots.iter().any(|root| real.starts_with(root)) {
                return Ok(Resolved::Disk(real));
            }
            outside = true;
        }
        let error = if outside { VfsError::Outside } else { VfsError::Missing };
        Err(error(path.to_owned()))
    }

    fn in_memory(&self, path: &str) -> Option<&Arc<Vec<u8>>> {
        if self.files.is_empty() {
            return None;
        }
        let path = normalize(path);
        let name = file_name(&path);
        self.files.get(&path).or_else(|| {
            let mut matches =
                self.files.iter().filter(|(p, _)| file_name(p).eq_ignore_ascii_case(name));
            matches.next().map(|(_, bytes)| bytes)
        })
    }
}

/// A resolved file.
enum Resolved<'a> {
    Memory(&'a Arc<Vec<u8>>),
    Disk(PathBuf),
}

/// Joins a directory and a file path as MJCF does; an absolute path is returned unchanged.
pub fn join(folder: &str, file: &str) -> String {
    let absolute = file.starts_with(['/', '\\']) || file.get(1..2) == Some(":");
    if folder.is_empty() || absolute {
        return file.to_owned();
    }
    let slash = if folder.ends_with(['/', '\\']) { "" } else { "/" };
    format!("{folder}{slash}{file}")
}

/// Directory part of a path; empty if it has none.
pub fn folder(path: &str) -> &str {
    path.rfind(['/', '\\']).map_or("", |end| &path[..=end])
}

/// File name part of a path.
pub fn file_name(path: &str) -> &str {
    path.rfind(['/', '\\']).map_or(path, |end| &path[end + 1..])
}

/// Normalizes a path: no `.` and `..`, forward slashes.
fn normalize(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn canonical(path: &Path) -> Result<PathBuf, VfsError> {
    path.canonicalize().map_err(|e| io(path, &e))
}

fn io(path: &Path, error: &dyn fmt::Display) -> VfsError {
    VfsError::Io(path.display().to_string(), error.to_string())
}

/// Reads a regular file of bounded size.
fn load(path: &Path) -> Result<Vec<u8>, VfsError> {
    let too_large = || io(path, &format!("the file is larger than {MAX_FILE} bytes"));
    // Checked before opening, since opening a pipe would block.
    let metadata = std::fs::metadata(path).map_err(|e| io(path, &e))?;
    if !metadata.is_file() {
        return Err(io(path, &"not a regular file"));
    }
    if metadata.len() > MAX_FILE {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0) + 1);
    let file = File::open(path).map_err(|e| io(path, &e))?;
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(|e| io(path, &e))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(too_large());
    }
    Ok(bytes)
}
