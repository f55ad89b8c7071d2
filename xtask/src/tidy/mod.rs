//! `cargo xtask tidy`: rules of the code base that the compiler does not check.

mod cycles;
mod edges;
mod functions;
mod invariants;
mod source;
mod terms;
mod toolchain;

use crate::shell::root;
use std::fs;
use std::path::{Path, PathBuf};

/// A violation of a rule.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// File and line.
    pub(crate) at: String,
    /// The rule and how to comply with it.
    pub(crate) rule: String,
}

impl Violation {
    fn new(file: &str, line: usize, rule: impl Into<String>) -> Self {
        Self { at: format!("{file}:{line}"), rule: rule.into() }
    }
}

/// A file of the workspace: path relative to the root, with `/` as separator, and content.
#[derive(Clone)]
struct SourceFile {
    path: String,
    text: String,
}

pub(crate) fn run() -> Result<(), String> {
    let root = root();
    let rust = read(&root, "rs")?;
    let mut violations = toolchain::check(&root)?;
    for file in read(&root, "toml")? {
        violations.extend(edges::check(&file.path, &file.text));
    }
    for file in &rust {
        violations.extend(source::check(&file.path, &file.text));
        violations.extend(functions::check(&file.path, &file.text));
        violations.extend(invariants::check(&file.path, &file.text));
    }
    violations.extend(cycles::check(&rust));
    let others = ["wgsl", "md"].map(|extension| read(&root, extension));
    for file in rust.iter().chain(&others.into_iter().collect::<Result<Vec<_>, _>>()?.concat()) {
        violations.extend(terms::check(&file.path, &file.text));
    }
    if violations.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = violations.iter().map(|v| format!("{}: {}", v.at, v.rule)).collect();
    Err(lines.join("\n"))
}

/// Reads every file of the workspace with this extension.
fn read(root: &Path, extension: &str) -> Result<Vec<SourceFile>, String> {
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let path = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        Ok(SourceFile { path, text })
    };
    files(root, extension)?.into_iter().map(read).collect()
}

/// Paths of all files with this extension; build output and hidden folders are skipped.
fn files(root: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|e| format!("{}: {e}", folder.display()))?.path();
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
            // a folder with CACHEDIR.TAG is a Cargo target directory
            let skipped = name.is_some_and(|n| n == "target" || n.starts_with('.'))
                || path.join("CACHEDIR.TAG").is_file();
            if path.is_dir() {
                if !skipped {
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

/// The lines of code with their numbers: without comment lines and without the unit tests, which by
/// convention are the last item of a file.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let code = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    code.take_while(|(_, line)| !line.starts_with("#[cfg(test)]"))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Whether `word` occurs in `code` and is not part of a longer identifier.
fn has_word(code: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + word.len()..]);
        let longer_before = before.ends_with(part) && word.starts_with(part);
        let longer_after = after.starts_with(part) && word.ends_with(part);
        !longer_before && !longer_after
    })
}
