//! Prepares the Rust examples of the README for the doctests of this crate.
//!
//! The README shows the code as a user writes it. The doctests need, in hidden lines, a working
//! directory with the model that the code loads, and a return value for the `?` operator.

use std::path::Path;
use std::{env, fs};

/// Changes to a temporary directory that contains `robot.xml`.
const SETUP: &str = "# sim_examples::enter_readme_directory();\n";
const RETURN: &str = "# Ok::<(), Box<dyn std::error::Error>>(())\n";

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
    let readme = Path::new(&root).join("../README.md");
    println!("cargo::rerun-if-changed={}", readme.display());
    let text = fs::read_to_string(&readme).expect("the README of the workspace");
    let out = env::var("OUT_DIR").expect("set by cargo");
    fs::write(Path::new(&out).join("readme.md"), prepare(&text)).expect("a writable OUT_DIR");
}

/// Adds the hidden lines to each Rust block, and marks other blocks as text.
fn prepare(text: &str) -> String {
    let blocks = text.split("```").enumerate();
    let prepared = blocks.map(|(i, part)| match part.strip_prefix("rust\n") {
        // parts with an odd index are inside of a code block
        Some(code) if i % 2 == 1 => match code.split_once("fn main() -> Result<(), Error> {\n") {
            Some((before, body)) => {
                format!("rust\n{before}fn main() -> Result<(), Error> {{\n{SETUP}{body}")
            }
            None => format!("rust\n{SETUP}{code}{RETURN}"),
        },
        _ if i % 2 == 1 && part.starts_with('\n') => format!("text{part}"),
        _ => part.to_owned(),
    });
    prepared.collect::<Vec<_>>().join("```")
}
