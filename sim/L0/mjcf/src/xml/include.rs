//! Reading a model and everything it includes.
//!
//! `<include file="…"/>` is replaced by the children of the included file's root. Each file may be
//! included once, which also rules out loops.

use super::dom::{Dom, NodeId};
use super::parse::parse;
use crate::error::{ErrorKind, Location, Report};
use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Where included files are looked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Files {
    /// Directory of the main file; `None` when the model is a string.
    pub(crate) directory: Option<PathBuf>,
}

impl Files {
    /// Finds `file` beside the main file, then beside the file that includes it.
    fn find(&self, file: &str, including: &Path) -> PathBuf {
        let main = self.directory.as_ref().map_or_else(|| PathBuf::from(file), |d| d.join(file));
        if main.is_file() { main } else { including.join(file) }
    }
}

/// A larger file is refused (1 GiB).
const MAX_FILE: u64 = 1 << 30;
/// A longer path of an included file is refused.
const MAX_PATH: usize = 1 << 16;

/// Reads a regular file of bounded size as UTF-8.
pub(crate) fn load(path: &Path) -> Result<String, ErrorKind> {
    let fail = |what: &dyn Display| ErrorKind::Io(format!("{}: {what}", path.display()));
    let too_large = || fail(&format!("the file is larger than {MAX_FILE} bytes"));
    // Asked before the file is opened, which waits where the path is a pipe.
    let metadata = std::fs::metadata(path).map_err(|e| fail(&e))?;
    if !metadata.is_file() {
        return Err(fail(&"this is not a regular file"));
    }
    if metadata.len() > MAX_FILE {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|e| fail(&e))?;
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(|e| fail(&e))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(too_large());
    }
    String::from_utf8(bytes).map_err(|e| {
        ErrorKind::Io(format!(
            "{}: byte {} is not UTF-8",
            path.display(),
            e.utf8_error().valid_up_to()
        ))
    })
}

/// Parses the main text and splices every include into it.
pub(crate) fn read(
    name: String,
    text: String,
    files: &Files,
    report: &mut Report,
) -> Option<(Dom, NodeId)> {
    let mut dom = Dom::default();
    let main = PathBuf::from(&name);
    let root = parse(&mut dom, name, text, report)?;
    if dom.node(root).name == "include" {
        let location = dom.location(root);
        report.error(
            location,
            "include",
            None,
            ErrorKind::Invalid("cannot be the root element".into()),
        );
        return None;
    }

    let mut included = vec![normal(&main)];
    // Directory of each source, by file index.
    let mut directories = vec![files.directory.clone().unwrap_or_default()];
    let mut stack = vec![root];
    while let Some(parent) = stack.pop() {
        let mut children = std::mem::take(&mut dom.nodes[parent.0].children);
        let mut i = 0;
        while i < children.len() {
            if dom.node(children[i]).name == "include" {
                let new =
                    splice(&mut dom, children[i], files, &mut included, &mut directories, report)?;
                children.splice(i..=i, new);
            } else {
                stack.push(children[i]);
                i += 1;
            }
        }
        dom.nodes[parent.0].children = children;
    }
    report.is_ok().then_some((dom, root))
}

/// The elements that replace one `include`; `None` when the file itself is broken.
fn splice(
    dom: &mut Dom,
    include: NodeId,
    files: &Files,
    included: &mut Vec<PathBuf>,
    directories: &mut Vec<PathBuf>,
    report: &mut Report,
) -> Option<Vec<NodeId>> {
    let mut fail = |location: Location, attribute: Option<&str>, kind: ErrorKind| {
        report.error(location, "include", attribute, kind);
    };
    let location = dom.location(include);
    if let Some(attr) = dom.node(include).attrs.iter().find(|a| a.name != "file") {
        let (name, place) = (attr.name.clone(), dom.attr_location(include, &attr.name));
        fail(place, Some(&name), ErrorKind::UnknownAttribute { suggestion: None });
    }
    if !dom.node(include).children.is_empty() {
        fail(location.clone(), None, ErrorKind::Invalid("cannot have children".into()));
    }
    let Some(file) = dom.attr(include, "file").map(ToOwned::to_owned) else {
        fail(location, Some("file"), ErrorKind::MissingAttribute);
        return Some(Vec::new());
    };
    let place = dom.attr_location(include, "file");
    if file.len() > MAX_PATH {
        let message = format!("the path has {} bytes; {MAX_PATH} are the most", file.len());
        fail(place, Some("file"), ErrorKind::Invalid(message));
        return Some(Vec::new());
    }
    let path = files.find(&file, &directories[dom.node(include).file.0]);
    if included.contains(&normal(&path)) {
        let message =
            format!("`{file}` is already part of this model; a file can be included once");
        fail(place, Some("file"), ErrorKind::Invalid(message));
        return Some(Vec::new());
    }
    let text = match load(&path) {
        Ok(text) => text,
        Err(kind) => {
            fail(place, Some("file"), kind);
            return Some(Vec::new());
        }
    };
    included.push(normal(&path));
    directories.push(path.parent().map(Path::to_path_buf).unwrap_or_default());
    let root = parse(dom, path.display().to_string(), text, report)?;
    let children = std::mem::take(&mut dom.nodes[root.0].children);
    if children.is_empty() {
        let message = format!("`{file}` has no elements to include");
        report.error(place, "include", Some("file"), ErrorKind::Invalid(message));
    }
    Some(children)
}

/// A path without `.` and `..`, so that two spellings of one file compare equal.
fn normal(path: &Path) -> PathBuf {
    if let Ok(canonical) = path.canonicalize() {
        return canonical;
    }
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if clean.file_name().is_some() => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}
