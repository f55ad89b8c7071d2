//! Loading of model files on a thread, and detection of changed files by their modification times.

use crate::options::LoadFn;
use crate::world::World;
use sim_physics::Model;
use sim_physics::types::ObjType;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant, SystemTime};

/// Time between two looks at the files.
const PERIOD: Duration = Duration::from_millis(300);
/// Most files that are watched, and the deepest nesting of included files.
const MAX_FILES: usize = 200;

/// Loads MJCF, URDF or a compiled model.
pub(crate) fn load_model(path: &Path) -> Result<Model, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if bytes.starts_with(Model::MAGIC) {
        return Model::from_bytes(&bytes).map_err(|e| format!("{}: {e}", path.display()));
    }
    sim_physics::load_file(path).map_err(|errors| errors.to_string())
}

/// A model file that is loaded and watched.
pub(crate) struct Watch {
    path: Option<PathBuf>,
    keyframe: Option<String>,
    load: LoadFn,
    count: usize,
    /// Files that the model consists of, with their modification times.
    files: Vec<(PathBuf, Option<SystemTime>)>,
    checked: Instant,
    loading: Option<(PathBuf, Receiver<Result<Model, String>>)>,
    /// Whether files that change are loaded again.
    pub(crate) enabled: bool,
}

impl Watch {
    /// Watches a file that was loaded as `count` worlds.
    pub(crate) fn new(
        path: Option<PathBuf>,
        keyframe: Option<String>,
        load: LoadFn,
        count: usize,
    ) -> Self {
        let files = path.as_deref().map(files).unwrap_or_default();
        Self {
            path,
            keyframe,
            load,
            count,
            files,
            checked: Instant::now(),
            loading: None,
            enabled: true,
        }
    }

    /// The file.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Whether a file is being loaded.
    pub(crate) fn is_loading(&self) -> bool {
        self.loading.is_some()
    }

    /// Loads the file again.
    pub(crate) fn reload(&mut self) {
        if let Some(path) = self.path.clone() {
            self.open(path);
        }
    }

    /// Loads a file on a thread.
    pub(crate) fn open(&mut self, path: PathBuf) {
        let (sender, receiver) = channel();
        let (load, file) = (self.load.clone(), path.clone());
        let work = move || {
            let _ = sender.send(load(&file));
        };
        self.files = files(&path);
        if std::thread::Builder::new().name("loader".to_owned()).spawn(work).is_ok() {
            self.loading = Some((path, receiver));
        }
    }

    /// Starts to load a changed file, and returns the result when it is complete.
    pub(crate) fn poll(&mut self) -> Option<Result<Vec<World>, String>> {
        if let Some((path, receiver)) = &self.loading {
            let result = match receiver.try_recv() {
                Ok(result) => result,
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => {
                    Err(format!("{}: the loader stopped unexpectedly", path.display()))
                }
            };
            if result.is_ok() && self.path.as_ref() != Some(path) {
                self.path = Some(path.clone());
                self.keyframe = None;
            }
            self.loading = None;
            return Some(result.map(|model| self.worlds(model)));
        }
        if self.enabled && self.checked.elapsed() >= PERIOD {
            self.checked = Instant::now();
            if self.files.iter().any(|(path, time)| modified(path) != *time) {
                self.reload();
            }
        }
        None
    }

    /// Worlds of a loaded model at its initial state.
    fn worlds(&self, model: Model) -> Vec<World> {
        let mut world = World::of_model(Arc::new(model));
        let key = self.keyframe.as_ref().and_then(|k| world.model.name2id(ObjType::Key, k));
        if let Some(key) = key {
            world.data.reset_to_keyframe(&world.model, key);
        }
        vec![world; self.count.max(1)]
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|data| data.modified()).ok()
}

/// The file and the files that it names in attributes `file`, with their modification times.
fn files(path: &Path) -> Vec<(PathBuf, Option<SystemTime>)> {
    let mut found: Vec<PathBuf> = vec![path.to_owned()];
    let mut next = 0;
    while next < found.len() && found.len() < MAX_FILES {
        let file = found[next].clone();
        next += 1;
        let is_text = file.extension().is_some_and(|e| e == "xml" || e == "urdf" || e == "mjcf");
        let Some(text) = is_text.then(|| std::fs::read_to_string(&file).ok()).flatten() else {
            continue;
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut folders = vec![folder.to_owned()];
        for name in ["meshdir", "texturedir", "assetdir"] {
            folders.extend(attributes(&text, name).map(|value| folder.join(value)));
        }
        for value in attributes(&text, "file") {
            let mut candidates = folders.iter().map(|folder| folder.join(value));
            if let Some(path) = candidates.find(|path| path.is_file())
                && !found.contains(&path)
            {
                found.push(path);
            }
        }
    }
    found.truncate(MAX_FILES);
    found.into_iter().map(|path| (modified(&path), path)).map(|(time, path)| (path, time)).collect()
}

/// Values of an attribute in the text of an XML file.
fn attributes<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(name).filter_map(move |(at, _)| {
        let rest = text[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        rest[1..].split(quote).next()
    })
}

#[cfg(test)]
mod tests {
    use super::{attributes, files};

    #[test]
    fn attributes_are_found() {
        let text = r#"<include file="a.xml"/><mesh file = 'b.stl'/> file= name="#;
        assert_eq!(attributes(text, "file").collect::<Vec<_>>(), ["a.xml", "b.stl"]);
    }

    #[test]
    fn included_files_are_watched() {
        let folder = std::env::temp_dir().join(format!("sim-viewer-watch-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("a.xml"), "<mujoco><include file='b.xml'/></mujoco>").expect("");
        std::fs::write(folder.join("b.xml"), "<mujoco/>").expect("");
        let names: Vec<_> =
            files(&folder.join("a.xml")).into_iter().map(|(path, _)| path).collect();
        assert_eq!(names, [folder.join("a.xml"), folder.join("b.xml")]);
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
