//! Length of functions: more than [`MAX_LINES`] lines need a row with a reason.

use super::{SourceFile, Violation};

/// Largest number of lines of a function, from its `fn` to its closing brace.
const MAX_LINES: usize = 80;

/// Longer functions: folder, function, largest number of lines, reason.
const LONGER: &[(&str, &str, usize, &str)] = &[
    ("sim/L0/constraint/src/", "iterate", 100, "one loop of the primal solver, as in MuJoCo"),
    ("sim/L0/mjcf/src/compile/", "compile_body", 85, "one pass over the fields of a body"),
    ("sim/L0/mjcf/src/read/", "option", 90, "a list of one attribute per line"),
];

/// Rows of [`LONGER`] that no function needs.
pub(super) fn stale(files: &[SourceFile]) -> Vec<Violation> {
    let needed = |row: &&(&str, &str, usize, &str)| {
        files.iter().filter(|file| file.path.starts_with(row.0)).any(|file| {
            functions(&file.text).iter().any(|f| f.name == row.1 && f.lines > MAX_LINES)
        })
    };
    let unused = LONGER.iter().filter(|row| !needed(row));
    let rule = |row: &(&str, &str, usize, &str)| {
        format!("`{}` has at most {MAX_LINES} lines: remove its row from `LONGER`", row.1)
    };
    unused.map(|row| Violation::new("xtask/src/tidy/functions.rs", 1, rule(row))).collect()
}

/// Checks one file. Tests are exempt: their tables of cases are long.
pub(super) fn check(path: &str, text: &str) -> Vec<Violation> {
    if path.contains("/tests/") {
        return Vec::new();
    }
    let long = functions(text).into_iter().filter(|f| f.lines > MAX_LINES);
    long.filter(|f| {
        let allowed = LONGER.iter().find(|row| path.starts_with(row.0) && row.1 == f.name);
        allowed.is_none_or(|row| f.lines > row.2)
    })
    .map(|f| {
        let rule = format!("`{}` has {} lines: split it (at most {MAX_LINES})", f.name, f.lines);
        Violation::new(path, f.start, rule)
    })
    .collect()
}

struct Function<'a> {
    name: &'a str,
    start: usize,
    lines: usize,
}

/// All functions of a formatted file: the closing brace has the indentation of the `fn`.
fn functions(text: &str) -> Vec<Function<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let Some(name) = name(code) else { continue };
        let indent = line.len() - code.len();
        let end = lines[start..].iter().position(|line| {
            let code = line.trim_start();
            line.len() - code.len() == indent
                && (code == "}" || code.ends_with(';') || code.ends_with("}"))
        });
        if let Some(length) = end {
            found.push(Function { name, start: start + 1, lines: length + 1 });
        }
    }
    found
}

/// Name of the function that a line defines.
fn name(code: &str) -> Option<&str> {
    let at = code.find("fn ")?;
    let modifier = |word: &str| {
        matches!(word, "pub" | "const" | "unsafe" | "extern" | "async" | "default")
            || word.starts_with("pub(")
            || word.starts_with('"')
    };
    if !code[..at].split_whitespace().all(modifier) {
        return None;
    }
    code[at + 3..].split(|c: char| !(c.is_alphanumeric() || c == '_')).next()
}

#[cfg(test)]
mod tests {
    use super::{LONGER, SourceFile, check, functions, stale};

    #[test]
    fn lengths_are_counted() {
        let text = "fn a() {\n    x();\n}\n\nimpl B {\n    pub(crate) fn c(\n        x: u8,\n    ) {\n        y();\n    }\n}\n";
        let found: Vec<_> = functions(text).iter().map(|f| (f.name, f.lines)).collect();
        assert_eq!(found, [("a", 3), ("c", 5)]);
    }

    #[test]
    fn long_function_is_reported() {
        let text = format!("fn long() {{\n{}}}\n", "    x();\n".repeat(90));
        assert_eq!(check("a.rs", &text).len(), 1);
    }

    #[test]
    fn row_without_a_long_function_is_stale() {
        let (folder, name, ..) = LONGER[0];
        let file = |calls: usize| SourceFile {
            path: format!("{folder}a.rs"),
            text: format!("fn {name}() {{\n{}}}\n", "    x();\n".repeat(calls)),
        };
        assert_eq!(stale(&[file(90)]).len(), LONGER.len() - 1);
        assert_eq!(stale(&[file(1)]).len(), LONGER.len());
    }
}
