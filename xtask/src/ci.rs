//! `cargo xtask ci`: every check that must pass, identical on a developer's machine and on the server.
//!
//! The GPU tests on a software driver take longest and use one core, so they are built first and run in
//! the background while the foreground lints, builds and runs everything else.

use crate::shell;
use crate::{driver, instructions, tidy};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Instant;

pub(crate) fn run() -> Result<(), String> {
    let start = Instant::now();
    step("format", || shell::run(cargo().args(["fmt", "--all", "--check"])))?;
    step("tidy", tidy::run)?;
    step("vulkan driver and virtual display", driver::install)?;
    step("build of the GPU tests", || {
        let tests = ["--test", GPU_TESTS, "--no-run"];
        shell::run(cargo().args(TEST).args(tests).args(FEATURES_OF_TESTS))
    })?;
    let gpu = thread::spawn(|| step("GPU tests", gpu_tests));
    let foreground = step("lints", lints)
        .and_then(|()| step("features", features))
        .and_then(|()| step("documentation", documentation))
        .and_then(|()| step("build of the tests", || tests(Tests::All, &["--no-run"])))
        .and_then(|()| run_tests());
    let background = gpu.join().map_err(|_| "the thread of the GPU tests panicked".to_owned())?;
    foreground.and(background)?;
    println!("ci: all passed in {} s", start.elapsed().as_secs());
    println!("ci: the tests of the Python package are a command of their own: cargo xtask python");
    Ok(())
}

/// Cargo without incremental compilation, whose bookkeeping only pays off in later builds, and without debug
/// information; panics name their lines all the same.
fn cargo() -> Command {
    let mut command = shell::cargo();
    command.envs([("CARGO_INCREMENTAL", "0"), ("CARGO_PROFILE_DEV_DEBUG", "false")]);
    command
}

/// Runs one step and prints its name, result and duration.
fn step(name: &str, work: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    println!("ci: {name}");
    let start = Instant::now();
    work().map_err(|error| format!("ci: {name} failed\n{error}"))?;
    println!("ci: {name} passed in {} s", start.elapsed().as_secs());
    Ok(())
}

/// Clippy with warnings denied.
fn clippy(arguments: &[&str]) -> Result<(), String> {
    shell::run(cargo().arg("clippy").args(arguments).args(["--", "-D", "warnings"]))
}

/// Features that are linted and documented. Both calls have the same, so that third-party crates are checked once.
const FEATURES_OF_LINTS: [&str; 2] =
    ["--features", "sim-bench/gpu,sim-cli/gpu,sim-cli/mp4,sim-cli/viewer,sim-conformance/render"];

fn lints() -> Result<(), String> {
    clippy(&[&["--workspace", "--all-targets"], &FEATURES_OF_LINTS[..]].concat())
}

/// Features of `sim-physics`, each of which must compile without the others.
const FEATURES: [&str; 7] = ["mjcf", "urdf", "batch", "gpu", "kinematics", "deformable", "render"];

/// Packages that are linted together with the facade, so that third-party crates have the same features as in the
/// lints of the workspace, and are not checked again. None of them enables a feature of `sim-core`.
const LIBRARIES: [&str; 7] = [
    "sim-physics",
    "sim-gpu",
    "sim-kinematics",
    "sim-mjcf",
    "sim-render",
    "sim-urdf",
    "third-party-features",
];

/// Lints the facade without features and with each feature alone, and the per-stage timers.
fn features() -> Result<(), String> {
    let packages = LIBRARIES.iter().flat_map(|name| ["--package", name]);
    let alone: Vec<&str> = packages.chain(["--no-default-features"]).collect();
    clippy(&alone)?;
    for feature in FEATURES {
        clippy(&[&alone[..], &["--features", &format!("sim-physics/{feature}")]].concat())?;
    }
    // with `parallel`, which the lints of the workspace check without the timers
    clippy(&[&alone[..], &["--features", "sim-core/profile,sim-physics/parallel"]].concat())
}

/// Packages without an API in Rust, whose documentation is read in the source. `sim-python` is documented all the same:
/// without it, third-party crates would have other features than in the lints, and would be checked again.
const UNDOCUMENTED: [&str; 2] = ["sim-examples", "xtask"];

fn documentation() -> Result<(), String> {
    let mut doc = cargo();
    doc.args(["doc", "--workspace", "--no-deps"]).args(FEATURES_OF_LINTS);
    doc.args(UNDOCUMENTED.iter().flat_map(|name| ["--exclude", name]));
    shell::run(doc.env("RUSTDOCFLAGS", "-D warnings"))
}

/// Tests of all packages but the Python extension, which does not link as a program; its tests are in Python.
const TEST: [&str; 4] = ["test", "--workspace", "--exclude", "sim-python"];
/// Features that are not default and have tests. Every call has the same, so that nothing is built twice.
const FEATURES_OF_TESTS: [&str; 2] = ["--features", "sim-cli/render,sim-cli/viewer"];

/// The integration test target with the GPU tests.
const GPU_TESTS: &str = "on_device";
/// Further GPU tests, which a software driver takes minutes to compile; a command of its own.
const EXHAUSTIVE_TESTS: &str = "exhaustive";
fn gpu_tests() -> Result<(), String> {
    let mut command: Command = cargo();
    // lavapipe: compile shaders without optimisation and for narrow vectors, because compile time dominates
    command.envs([("GALLIVM_PERF", "nopt"), ("LP_NATIVE_VECTOR_WIDTH", "128")]);
    command.args(TEST).args(["--test", GPU_TESTS]);
    shell::run(command.args(FEATURES_OF_TESTS))
}

/// Unit tests of libraries and of the programs that have any. The other programs and the examples are compiled by the
/// lints; building each as a test program without tests would take a minute.
const UNIT_TESTS: [&str; 5] = ["--lib", "--bin", "sim", "--bin", "xtask"];

/// Integration tests of this name take half of the time of all tests.
const SUITES: &str = "suite";

/// A set of tests. Every call names the whole workspace, so that features are unified in the same way and nothing is
/// built twice.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tests {
    /// All tests but the GPU tests, including the comparison with all goldens.
    All,
    /// The integration tests named [`SUITES`].
    Suites,
    /// The rest of all tests.
    Others,
}

fn tests(set: Tests, arguments: &[&str]) -> Result<(), String> {
    let mut tests = cargo();
    tests.args(TEST).args(arguments).args(FEATURES_OF_TESTS);
    if set != Tests::Suites {
        tests.args(UNIT_TESTS);
    }
    for name in integration_tests().map_err(|error| error.to_string())? {
        let chosen = match set {
            Tests::All => true,
            Tests::Suites => name == SUITES,
            Tests::Others => name != SUITES,
        };
        if chosen && name != GPU_TESTS && name != EXHAUSTIVE_TESTS {
            tests.args(["--test", &name]);
        }
    }
    shell::run(&mut tests)
}

/// Builds `sim-bench` with the features of the tests, so that only the program itself is compiled. An integration test
/// is named, because without one Cargo does not enable the features that dev-dependencies need, and builds the engine
/// again.
pub(crate) fn build_bench() -> Result<(), String> {
    let mut build = cargo();
    build.args(["build", "--quiet"]).args(&TEST[1..]).args(FEATURES_OF_TESTS);
    shell::run(build.args(["--bin", "sim-bench", "--test", "goldens"]))
}

/// Examples of the API documentation.
fn examples() -> Result<(), String> {
    shell::run(cargo().args(TEST).arg("--doc").args(FEATURES_OF_TESTS))
}

/// Runs the tests in two halves at the same time, because many of them use one core or wait for a window.
fn run_tests() -> Result<(), String> {
    let first = thread::spawn(|| {
        step("examples", examples)?;
        step("instruction counts", || instructions::run(&[]))?;
        step("test suites", || tests(Tests::Suites, &[]))
    });
    let second = step("other tests", || tests(Tests::Others, &[]));
    let first = first.join().map_err(|_| "the thread of the test suites panicked".to_owned())?;
    first.and(second)
}

/// Names of all integration tests: files and folders in the `tests` folder of a package.
fn integration_tests() -> std::io::Result<BTreeSet<String>> {
    let root = shell::root();
    let mut names = BTreeSet::new();
    for package in ["mesh-gpu", "examples", "xtask", "sim/bench", "sim/conformance"] {
        collect(&root.join(package), &mut names)?;
    }
    for layer in ["sim/L0", "sim/L1"] {
        for entry in root.join(layer).read_dir()? {
            collect(&entry?.path(), &mut names)?;
        }
    }
    Ok(names)
}

fn collect(package: &Path, names: &mut BTreeSet<String>) -> std::io::Result<()> {
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
