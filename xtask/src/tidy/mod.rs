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
    violations.extend(functions::stale(&rust));
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

/// The lines of code with their numbers: without comment lines and without items of unit tests, those that
/// follow `#[cfg(test)]`.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if lines[at].trim_start().starts_with("#[cfg(test)]") {
            at = item_end(&lines, at);
        } else if !lines[at].trim_start().starts_with("//") {
            found.push((at + 1, lines[at]));
        }
        at += 1;
    }
    found.into_iter()
}

/// Last line of the item that follows the attribute in line `at` of a formatted file: its closing brace has
/// the indentation of the attribute.
fn item_end(lines: &[&str], at: usize) -> usize {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let same = |k: &usize| indent(lines[*k]) == indent(lines[at]) && !lines[*k].is_empty();
    let last = lines.len() - 1;
    // an attribute or comment between `#[cfg(test)]` and the item belongs to it
    let is_item = |k: &usize| !lines[*k].trim_start().starts_with(['#', '/', ')']);
    let first = (at + 1..lines.len()).filter(same).find(is_item).unwrap_or(last);
    let is_end = |k: &usize| {
        let code = lines[*k].trim_start();
        code.starts_with('}') && !code.ends_with('{') || code.ends_with([';', ',', '}'])
    };
    (first..lines.len()).filter(same).find(is_end).unwrap_or(last)
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

#[cfg(test)]
mod tests {
    use super::code_lines;

    #[test]
    fn only_the_item_after_a_test_attribute_is_skipped() {
        let text = "#[cfg(test)]\nmod tests;\nuse a::B; // kept\n// comment\n#[cfg(test)]\n#[allow(\n    x,\n)]\n\
                    fn f(\n    x: u8,\n) {\n    if x {\n    }\n}\nimpl C {\n    #[cfg(test)]\n    fn g() {}\n    \
                    fn h() {}\n}\n#[cfg(test)]\nmod more {\n    fn i() {}\n\n    fn j() {}\n}\n";
        let lines: Vec<_> = code_lines(text).collect();
        let expected =
            [(3, "use a::B; // kept"), (15, "impl C {"), (18, "    fn h() {}"), (19, "}")];
        assert_eq!(lines, expected);
    }
}
