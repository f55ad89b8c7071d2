//! `cargo xtask tidy`: rules of the code base that no compiler checks.

mod edges;
mod source;

use crate::shell::root;
use std::fs;
use std::path::{Path, PathBuf};

/// A broken rule: where, and how to mend it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    /// File and line.
    pub(crate) at: String,
    /// The rule, and what to do.
    pub(crate) rule: String,
}

pub(crate) fn run() -> Result<(), String> {
    let root = root();
    let mut broken = edges::check(&root)?;
    for path in files(&root, "rs")? {
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        broken.extend(source::check(&name, &text));
    }
    if broken.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = broken.iter().map(|b| format!("{}: {}", b.at, b.rule)).collect();
    Err(lines.join("\n"))
}

/// Every file of the workspace with this extension, build output left out.
pub(crate) fn files(root: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|e| format!("{}: {e}", folder.display()))?.path();
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
            let skip = name.is_some_and(|n| n == "target" || n.starts_with('.'));
            if path.is_dir() {
                if !skip {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
