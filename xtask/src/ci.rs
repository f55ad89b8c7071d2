//! `cargo xtask ci`: everything that must pass, the same here and on a server.

use crate::shell::{self, cargo};
use crate::{driver, tidy};
use std::path::Path;
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
    step("driver", driver::install)?;
    step("tests", tests)?;
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

/// A driver that runs on a processor is to compile quickly, and may run slowly.
const QUICK: (&str, &str) = ("GALLIVM_PERF", "nopt");
/// The tests of GPU kernels, most of whose time a driver compiles, on one core for each process.
const ON_DEVICE: &str = "on_device";
/// Those of them that are left to a second process.
const LATER: &str = "stages::";

/// All tests, among them the comparison with all recordings, and most of those of GPU kernels beside the others. Every call names the whole workspace, so
/// that nothing is built twice.
fn tests() -> Result<(), String> {
    shell::run(cargo().args(["test", "--workspace", "--no-run"]))?;
    let beside = std::thread::spawn(|| {
        let all = ["test", "--workspace", "--test", ON_DEVICE, "--", "--skip", LATER];
        shell::run(cargo().env(QUICK.0, QUICK.1).args(all))
    });
    let mut others = cargo();
    others.args(["test", "--workspace", "--lib", "--bins", "--examples"]);
    for name in integration_tests().map_err(|error| error.to_string())? {
        if name != ON_DEVICE {
            others.args(["--test", &name]);
        }
    }
    let result = shell::run(&mut others)
        .and_then(|()| shell::run(cargo().args(["test", "--workspace", "--doc"])))
        .and_then(|()| {
            let later = ["test", "--workspace", "--test", ON_DEVICE, "--", LATER];
            shell::run(cargo().env(QUICK.0, QUICK.1).args(later))
        });
    let device = beside.join().map_err(|_| "the tests of GPU kernels panicked".to_string())?;
    result.and(device)
}

/// The names of all integration tests: files and folders in `tests` beside a manifest.
fn integration_tests() -> std::io::Result<std::collections::BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut names = std::collections::BTreeSet::new();
    for pattern in ["mesh-gpu", "examples", "xtask", "sim/bench", "sim/conformance"] {
        collect(&root.join(pattern), &mut names)?;
    }
    for level in ["sim/L0", "sim/L1"] {
        for entry in root.join(level).read_dir()? {
            collect(&entry?.path(), &mut names)?;
        }
    }
    Ok(names)
}

fn collect(package: &Path, names: &mut std::collections::BTreeSet<String>) -> std::io::Result<()> {
    let tests = package.join("tests");
    if !tests.is_dir() {
        return Ok(());
    }
    for entry in tests.read_dir()? {
        let path = entry?.path();
        let is_test =
            path.extension().is_some_and(|ext| ext == "rs") || path.join("main.rs").is_file();
        if let Some(stem) = path.file_stem().filter(|_| is_test) {
            names.insert(stem.to_string_lossy().into_owned());
        }
    }
    Ok(())
}
