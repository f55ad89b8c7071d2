//! `cargo xtask report`: the results page `docs/report.html` from recorded JSON files.
//!
//! The files are embedded in the page with numbers shortened to five digits; the page's script draws tables and
//! charts from them. Inputs: the JSON files of `docs/performance` except races of all public models, and the reports of
//! `cargo xtask conformance --live … --json FILE` that the arguments name.

use crate::shell::root;
use std::fs;
use std::path::{Path, PathBuf};

const SCRIPT: &str = include_str!("../report/report.js");
const STYLE: &str = include_str!("../report/report.css");
const BODY: &str = include_str!("../report/report.html");
/// Largest size of the page in bytes.
const LARGEST: usize = 300_000;

/// Writes the page. Arguments: `[--conformance FILE]… [--performance FOLDER] [-o FILE]`.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let mut conformance = Vec::new();
    let mut performance = root().join("docs/performance");
    let mut out = root().join("docs/report.html");
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("`{word}` needs a value"))?;
        match word.as_str() {
            "--conformance" => conformance.push(PathBuf::from(value)),
            "--performance" => performance = PathBuf::from(value),
            "-o" | "--out" => out = PathBuf::from(value),
            _ => {
                let usage = "[--conformance FILE]… [--performance FOLDER] [-o FILE]";
                return Err(format!("unknown argument `{word}`; write {usage}"));
            }
        }
    }
    let mut measured: Vec<PathBuf> = fs::read_dir(&performance)
        .map_err(|error| format!("{}: {error}", performance.display()))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    // races of all public models have hundreds of rows each; docs/performance.md summarises them
    measured.retain(|path| {
        !path.file_stem().is_some_and(|stem| stem.to_string_lossy().contains("-models"))
    });
    measured.sort();
    if conformance.is_empty() {
        // results of an earlier run stay in the page
        let kept = previous(&out);
        return write(&out, kept.as_deref().unwrap_or("{}"), &object(&measured)?);
    }
    write(&out, &object(&conformance)?, &object(&measured)?)
}

fn write(out: &Path, conformance: &str, performance: &str) -> Result<(), String> {
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>Results</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n{BODY}{CONFORMANCE}{conformance}</script>\n{PERFORMANCE}{performance}</script>\n\
         <script>\n\"use strict\";\n{SCRIPT}</script>\n</body>\n</html>\n"
    );
    if page.len() > LARGEST {
        return Err(format!("the page has {} bytes, at most {LARGEST}", page.len()));
    }
    fs::write(out, &page).map_err(|error| format!("{}: {error}", out.display()))?;
    println!("wrote {} ({} KB)", out.display(), page.len() / 1000);
    Ok(())
}

const CONFORMANCE: &str = "<script type=\"application/json\" id=\"conformance\">";
const PERFORMANCE: &str = "<script type=\"application/json\" id=\"performance\">";

/// The conformance results that a page contains.
fn previous(page: &Path) -> Option<String> {
    let text = fs::read_to_string(page).ok()?;
    let (_, rest) = text.split_once(CONFORMANCE)?;
    let (data, _) = rest.split_once("</script>")?;
    Some(data.to_owned())
}

/// A JSON object with the contents of each file under its name.
fn object(files: &[PathBuf]) -> Result<String, String> {
    let mut members = Vec::new();
    for path in files {
        let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        // messages name files: relative to the workspace, not to the machine that recorded them
        let text = text.replace(&format!("{}/", root().display()), "");
        members.push(format!("\"{}\":{}", name.unwrap_or_default(), compact(&text)));
    }
    Ok(format!("{{{}}}", members.join(",\n")))
}

/// JSON without spaces, with five digits of each number, that may stand in a script element.
fn compact(text: &str) -> String {
    let mut out = String::with_capacity(text.len() / 2);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => string_length(rest),
            '-' | '0'..='9' => rest
                .find(|c: char| !matches!(c, '-' | '+' | '.' | 'e' | 'E' | '0'..='9'))
                .unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, tail) = rest.split_at(length);
        match first {
            '"' => out.push_str(&token.replace('<', "\\u003c")),
            '-' | '0'..='9' => out.push_str(&shortened(token)),
            _ if first.is_whitespace() => {}
            _ => out.push_str(token),
        }
        rest = tail;
    }
    out
}

/// Length of the string that starts `text`, quotes included.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// A number with at most five significant digits; integers are kept.
fn shortened(number: &str) -> String {
    match number.parse::<f64>() {
        Ok(x) if number.contains(['.', 'e', 'E']) && x.is_finite() => {
            let rounded: f64 = format!("{x:.4e}").parse().unwrap_or(x);
            let (plain, scientific) = (rounded.to_string(), format!("{rounded:e}"));
            if plain.len() <= scientific.len() { plain } else { scientific }
        }
        _ => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::compact;

    #[test]
    fn json_is_shortened() {
        let text = "{ \"a b\": [1.23456789, -2, 1e-20, 673045.9759],\n  \"<\\\"\": \"1.5 x\", \"n\": null }";
        let expected = "{\"a b\":[1.2346,-2,1e-20,673050],\"\\u003c\\\"\":\"1.5 x\",\"n\":null}";
        assert_eq!(compact(text), expected);
    }
}
