//! Rules of source files: a documentation comment in the first line, a maximum length, no unfinished
//! code, `unsafe` only in the crates listed here, a reason for every `allow`.

use super::{Violation, has_word};

/// Largest number of lines of a file.
const MAX_LINES: usize = 600;
/// Tables with one row per field, which may be longer.
const TABLES: &[&str] = &["sim/L0/core/src/model/table.rs"];
/// Folders of the crates that may contain unsafe code.
const MAY_BE_UNSAFE: &[&str] =
    &["sim/L0/simd/", "sim/L0/gpu/", "mesh-gpu/", "sim/L1/python/src/memory/"];
/// Files that may contain unsafe code, with the reason.
const UNSAFE_FILES: &[(&str, &str)] = &[
    ("sim/L0/core/tests/no_alloc.rs", "an allocator that counts needs unsafe code"),
    ("sim/L0/deformable/tests/no_alloc.rs", "an allocator that counts needs unsafe code"),
    ("sim/L0/kinematics/tests/no_alloc.rs", "an allocator that counts needs unsafe code"),
    ("sim/L0/lanes/tests/no_alloc.rs", "an allocator that counts needs unsafe code"),
    ("sim/L1/envs/tests/no_alloc.rs", "an allocator that counts needs unsafe code"),
];

/// Forbidden words, and what to do instead. Written in two parts, so that this file does not violate its
/// own rule.
const UNFINISHED: &[(&str, &str)] = &[
    (concat!("to", "do!"), "finish it, or return an error that names what is missing"),
    (concat!("unimple", "mented!"), "finish it, or return an error that names what is missing"),
    (concat!("db", "g!"), "remove it"),
    (concat!("#[ign", "ore"), "fix the test or delete it"),
];

pub(super) fn check(name: &str, text: &str) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut push = |line: usize, rule: String| violations.push(Violation::new(name, line, rule));
    if !text.starts_with("//!") {
        push(1, "describe the file in its first line with `//!`".into());
    }
    let lines = text.lines().count();
    if lines > MAX_LINES && !TABLES.contains(&name) {
        push(1, format!("{lines} lines: split the file (at most {MAX_LINES})"));
    }
    let may_be_unsafe = MAY_BE_UNSAFE.iter().any(|folder| name.starts_with(folder))
        || UNSAFE_FILES.iter().any(|(file, _)| *file == name);
    for (index, line) in text.lines().enumerate() {
        let code = line.trim_start();
        if code.starts_with("//") {
            continue;
        }
        for (word, advice) in UNFINISHED {
            if code.contains(word) {
                push(index + 1, format!("`{word}` in the code: {advice}"));
            }
        }
        let unsafe_word = concat!("un", "safe ");
        if has_word(code, unsafe_word) && !code.contains('"') && !may_be_unsafe {
            push(
                index + 1,
                "`unsafe` outside sim-simd, the GPU crates and the memory module of sim-python"
                    .into(),
            );
        }
    }
    for (line, attribute) in allows(text) {
        if !attribute.contains("reason") {
            push(line, "add `reason = \"…\"` to the `allow` or `expect`".into());
        }
    }
    violations
}

/// Every `allow` or `expect` attribute with its line, up to the closing bracket.
fn allows(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for opening in ["#[allow(", "#![allow(", "#[expect(", "#![expect("] {
        for (at, _) in text.match_indices(opening) {
            let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
            let line_start = &text[start..at];
            // not an attribute but a mention in a comment or string
            if line_start.trim().is_empty() {
                let end = text[at..].find(")]").map_or(text.len(), |i| at + i);
                found.push((text[..at].matches('\n').count() + 1, &text[at..end]));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::check;

    fn rules(text: &str) -> Vec<String> {
        check("sim/x.rs", text).into_iter().map(|violation| violation.rule).collect()
    }

    #[test]
    fn file_without_violations_passes() {
        assert!(rules("//! A file.\nfn main() {}\n").is_empty());
    }

    #[test]
    fn first_line_must_be_documentation() {
        assert!(rules("fn main() {}\n")[0].contains("first line"));
    }

    #[test]
    fn unfinished_code_is_reported() {
        let text = format!("//! A file.\nfn f() {{ {}!() }}\n", concat!("to", "do"));
        assert!(rules(&text)[0].contains("finish it"));
    }

    #[test]
    fn allow_without_reason_is_reported() {
        let text = "//! A file.\n#[allow(dead_code)]\nfn f() {}\n";
        assert!(rules(text)[0].contains("reason"));
        let text = "//! A file.\n#[allow(\n    dead_code,\n    reason = \"kept\"\n)]\nfn f() {}\n";
        assert!(rules(text).is_empty());
    }

    #[test]
    fn long_file_is_reported() {
        let text = format!("//! A file.\n{}", "\n".repeat(700));
        assert!(rules(&text)[0].contains("split the file"));
    }
}
