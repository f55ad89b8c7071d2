//! `cargo xtask ci`: everything that must pass, the same here and on a server.

use crate::shell::{self, cargo};
use crate::{conformance, driver, tidy};
use std::time::Instant;

pub(crate) fn run() -> Result<(), String> {
    let start = Instant::now();
    step("format", || shell::run(cargo().args(["fmt", "--all", "--check"])))?;
    step("tidy", tidy::run)?;
    step("lints", || {
        let features = ["--features", "sim-bench/gpu,sim-cli/gpu"];
        let mut clippy = cargo();
        clippy.args(["clippy", "--workspace", "--all-targets"]).args(features);
        shell::run(clippy.args(["--", "-D", "warnings"]))
    })?;
    step("documentation", || {
        shell::run(
            cargo().args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"),
        )
    })?;
    step("conformance", || conformance::run(&[]))?;
    step("driver", driver::install)?;
    step("tests", || shell::run(cargo().args(["test", "--workspace"])))?;
    println!("ci: all passed in {} s", start.elapsed().as_secs());
    Ok(())
}

fn step(name: &str, work: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    println!("ci: {name}");
    let start = Instant::now();
    work().map_err(|error| format!("ci: {name} failed\n{error}"))?;
    println!("ci: {name} passed in {} s", start.elapsed().as_secs());
    Ok(())
}
