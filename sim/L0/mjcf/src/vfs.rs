//! Where models and their assets come from: memory, chosen folders, or the whole disk.
//!
//! Answers to MuJoCo's `mjVFS`. A name is looked for in memory first (the whole path, then the file
//! name alone, without regard to case), then on disk as far as the caller allows.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A larger file is refused (1 GiB).
const MAX_FILE: u64 = 1 << 30;

/// Files that a model may read.
///
/// ```
/// use sim_mjcf::{Loader, Vfs};
/// let mut vfs = Vfs::memory();
/// vfs.add("scene.xml", r#"<mujoco><include file="parts/ball.xml"/></mujoco>"#);
/// vfs.add("parts/ball.xml", r#"<mujoco><worldbody><geom size="1"/></worldbody></mujoco>"#);
/// let model = Loader::new(vfs).load("scene.xml")?;
/// assert_eq!(model.ngeom, 1);
/// # Ok::<(), sim_mjcf::Errors>(())
/// ```
#[derive(Debug, Clone)]
pub struct Vfs {
    files: BTreeMap<String, Arc<Vec<u8>>>,
    disk: Disk,
}

/// What may be read from disk.
#[derive(Debug, Clone)]
enum Disk {
    /// Any file; relative paths start at the working directory.
    Anywhere,
    /// Files inside these folders (canonical paths), and nothing when there are none.
    Inside(Vec<PathBuf>),
}

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VfsError {
    /// Neither in memory nor on disk.
    #[error("{0}: no such file")]
    Missing(String),
    /// On disk, but outside the folders the caller allows.
    #[error("{0}: this path is outside the folders that may be read")]
    Outside(String),
    /// The disk refused it.
    #[error("{0}: {1}")]
    Io(String, String),
}

impl Default for Vfs {
    fn default() -> Self {
        Self::disk()
    }
}

impl Vfs {
    /// Reads any file on disk.
    #[must_use]
    pub const fn disk() -> Self {
        Self { files: BTreeMap::new(), disk: Disk::Anywhere }
    }

    /// Reads nothing but what is [added](Self::add).
    #[must_use]
    pub const fn memory() -> Self {
        Self { files: BTreeMap::new(), disk: Disk::Inside(Vec::new()) }
    }

    /// Reads files inside `folder` and nothing else on disk; relative paths start there.
    ///
    /// Links and `..` are followed before the path is judged, so neither leads out.
    ///
    /// # Errors
    ///
    /// The folder does not exist.
    pub fn rooted(folder: impl AsRef<Path>) -> Result<Self, VfsError> {
        let mut vfs = Self::memory();
        vfs.add_root(folder)?;
        Ok(vfs)
    }

    /// Allows one more folder. Does nothing when the whole disk is allowed already.
    ///
    /// # Errors
    ///
    /// The folder does not exist.
    pub fn add_root(&mut self, folder: impl AsRef<Path>) -> Result<(), VfsError> {
        let root = canonical(folder.as_ref())?;
        if let Disk::Inside(roots) = &mut self.disk {
            roots.push(root);
        }
        Ok(())
    }

    /// Puts a file in memory and returns what was there under this path.
    pub fn add(
        &mut self,
        path: impl AsRef<str>,
        content: impl Into<Vec<u8>>,
    ) -> Option<Arc<Vec<u8>>> {
        self.files.insert(clean(path.as_ref()), Arc::new(content.into()))
    }

    /// Removes a file from memory.
    pub fn remove(&mut self, path: impl AsRef<str>) -> Option<Arc<Vec<u8>>> {
        self.files.remove(&clean(path.as_ref()))
    }

    /// Paths of the files in memory.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The bytes of a file.
    ///
    /// # Errors
    ///
    /// There is no such file, it may not be read, or it cannot be.
    pub fn read(&self, path: &str) -> Result<Arc<Vec<u8>>, VfsError> {
        match self.find(path)? {
            Found::Memory(bytes) => Ok(Arc::clone(bytes)),
            Found::Disk(path) => load(&path).map(Arc::new),
        }
    }

    /// Whether a file can be found and may be read.
    #[must_use]
    pub fn contains(&self, path: &str) -> bool {
        self.find(path).is_ok()
    }

    /// One spelling for all paths that mean the same file.
    pub(crate) fn identity(&self, path: &str) -> String {
        match self.find(path) {
            Ok(Found::Disk(path)) => canonical(&path).unwrap_or(path).display().to_string(),
            _ => clean(path),
        }
    }

    fn find(&self, path: &str) -> Result<Found<'_>, VfsError> {
        if let Some(bytes) = self.in_memory(path) {
            return Ok(Found::Memory(bytes));
        }
        let Disk::Inside(roots) = &self.disk else {
            let on_disk = PathBuf::from(path);
            return if on_disk.exists() {
                Ok(Found::Disk(on_disk))
            } else {
                Err(VfsError::Missing(path.to_owned()))
            };
        };
        let mut outside = false;
        for root in roots {
            // An absolute path replaces the root here and is judged like any other.
            let Ok(real) = canonical(&root.join(path)) else { continue };
            if roots.iter().any(|root| real.starts_with(root)) {
                return Ok(Found::Disk(real));
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
        let path = clean(path);
        let name = file_name(&path);
        self.files.get(&path).or_else(|| {
            let mut alike =
                self.files.iter().filter(|(p, _)| file_name(p).eq_ignore_ascii_case(name));
            alike.next().map(|(_, bytes)| bytes)
        })
    }
}

/// Where a file is.
enum Found<'a> {
    Memory(&'a Arc<Vec<u8>>),
    Disk(PathBuf),
}

/// A file or folder below another, as MJCF joins them: an absolute path stands for itself.
pub fn join(folder: &str, file: &str) -> String {
    let absolute = file.starts_with(['/', '\\']) || file.get(1..2) == Some(":");
    if folder.is_empty() || absolute {
        return file.to_owned();
    }
    let slash = if folder.ends_with(['/', '\\']) { "" } else { "/" };
    format!("{folder}{slash}{file}")
}

/// The folder of a file; empty when the path has none.
pub fn folder(path: &str) -> &str {
    path.rfind(['/', '\\']).map_or("", |end| &path[..=end])
}

/// The last part of a path.
pub fn file_name(path: &str) -> &str {
    path.rfind(['/', '\\']).map_or(path, |end| &path[end + 1..])
}

/// A path without `.` and `..` and with forward slashes, so that two spellings compare equal.
fn clean(path: &str) -> String {
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
    // Asked before the file is opened, which waits where the path is a pipe.
    let metadata = std::fs::metadata(path).map_err(|e| io(path, &e))?;
    if !metadata.is_file() {
        return Err(io(path, &"this is not a regular file"));
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
