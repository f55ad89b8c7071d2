//! Rules of source files: a first line that says what the file is, one idea a file, nothing
//! unfinished, no unsafe code outside the crates named here, a reason for every silenced lint.

use super::Broken;

/// Longest file. A table may be longer, because it is one idea however long.
const MAX_LINES: usize = 600;
/// Tables: one row a field.
const TABLES: &[&str] = &["sim/L0/core/src/model/table.rs"];
/// Folders whose crates may contain unsafe code.
const MAY_BE_UNSAFE: &[&str] = &["sim/L0/simd/", "sim/L0/gpu/", "mesh-gpu/"];
/// Files that may contain unsafe code, with the reason.
const UNSAFE_FILES: &[(&str, &str)] = &[
    ("sim/L0/core/tests/no_alloc.rs", "an allocator that counts needs unsafe code"),
    ("sim/L0/deformable/tests/no_alloc.rs", "an allocator that counts needs unsafe code"),
    ("sim/L0/kinematics/tests/no_alloc.rs", "an allocator that counts needs unsafe code"),
];

/// What may not stay in the code, and what to do instead. Spelled in two parts, so that this file
/// does not break its own rule.
const UNFINISHED: &[(&str, &str)] = &[
    (concat!("to", "do!"), "finish it, or return an error that names what is missing"),
    (concat!("unimple", "mented!"), "finish it, or return an error that names what is missing"),
    (concat!("db", "g!"), "remove it"),
    (concat!("#[ign", "ore"), "mend the test or delete it"),
];

pub(super) fn check(name: &str, text: &str) -> Vec<Broken> {
    let mut broken = Vec::new();
    let mut push = |line: usize, rule: String| {
        broken.push(Broken { at: format!("{name}:{line}"), rule });
    };
    if !text.starts_with("//!") {
        push(1, "the first line says what the file is, with `//!`".into());
    }
    let lines = text.lines().count();
    if lines > MAX_LINES && !TABLES.contains(&name) {
        push(1, format!("{lines} lines: split it, one idea a file (at most {MAX_LINES})"));
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
            push(index + 1, format!("`{unsafe_word}` outside the crates that may use it"));
        }
    }
    for (line, attribute) in allows(text) {
        if !attribute.contains("reason") {
            push(line, "a silenced lint needs `reason = \"…\"`".into());
        }
    }
    broken
}

/// Whether `word` occurs in `code` other than as the end of a longer name.
fn has_word(code: &str, word: &str) -> bool {
    code.match_indices(word)
        .any(|(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// Every `allow` or `expect` attribute with its line, up to the closing bracket.
fn allows(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for opening in ["#[allow(", "#![allow(", "#[expect(", "#![expect("] {
        for (at, _) in text.match_indices(opening) {
            let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
            let line_start = &text[start..at];
            // mentions in comments and strings are not attributes
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
        check("sim/x.rs", text).into_iter().map(|broken| broken.rule).collect()
    }

    #[test]
    fn a_clean_file_passes() {
        assert!(rules("//! A file.\nfn main() {}\n").is_empty());
    }

    #[test]
    fn a_file_must_say_what_it_is() {
        assert!(rules("fn main() {}\n")[0].contains("first line"));
    }

    #[test]
    fn unfinished_work_is_found() {
        let text = format!("//! A file.\nfn f() {{ {}!() }}\n", concat!("to", "do"));
        assert!(rules(&text)[0].contains("finish it"));
    }

    #[test]
    fn a_silenced_lint_needs_a_reason() {
        let text = "//! A file.\n#[allow(dead_code)]\nfn f() {}\n";
        assert!(rules(text)[0].contains("reason"));
        let text = "//! A file.\n#[allow(\n    dead_code,\n    reason = \"kept\"\n)]\nfn f() {}\n";
        assert!(rules(text).is_empty());
    }

    #[test]
    fn a_long_file_is_found() {
        let text = format!("//! A file.\n{}", "\n".repeat(700));
        assert!(rules(&text)[0].contains("split it"));
    }
}
