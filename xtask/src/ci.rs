//! `cargo xtask ci`: every check that must pass, identical on a developer's machine and on the server.
//!
//! Each crate of the workspace is compiled, linted and documented in one pass (see [`lints`]), so that third-party crates
//! are built once. The GPU tests on a software driver take longest and use one core, so they are built first and run in
//! the background while the foreground builds, lints and runs everything else.

use crate::lints::{self, Mode};
use crate::{driver, instructions, shell, tidy};
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
    lints::install()?;
    step("build of the GPU tests", || shell::run(&mut test(&["--test", GPU_TESTS, "--no-run"])))?;
    let gpu = thread::spawn(|| step("GPU tests", gpu_tests));
    let foreground = step("build of the tests", build_tests)
        .and_then(|()| step("other targets", other_targets))
        .and_then(|()| step("features", features))
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

/// Features that are not default. Every call has the same, so that nothing is built twice.
const FEATURES: [&str; 2] = [
    "--features",
    "sim-bench/gpu,sim-cli/gpu,sim-cli/mp4,sim-cli/viewer,sim-conformance/gpu,sim-conformance/render",
];

/// A call of Cargo that builds, lints and documents all packages but the Python extension, which does not link as a
/// program; its tests are in Python.
fn build(command: &str, arguments: &[&str]) -> Command {
    let mut build = cargo();
    build.args([command, "--workspace", "--exclude", "sim-python"]).args(FEATURES).args(arguments);
    Mode::Build.apply(&mut build);
    build
}

fn test(arguments: &[&str]) -> Command {
    build("test", arguments)
}

/// Lints what no test builds: examples, benchmarks, the Python extension.
fn other_targets() -> Result<(), String> {
    let mut build = cargo();
    build.args(["build", "--workspace", "--all-targets"]).args(FEATURES);
    Mode::Document.apply(&mut build);
    shell::run(&mut build)
}

/// Features of `sim-physics`, each of which must compile without the others.
const FEATURES_OF_FACADE: [&str; 7] =
    ["mjcf", "urdf", "batch", "gpu", "kinematics", "deformable", "render"];

/// Packages that are linted together with the facade, so that third-party crates have the same features as in the
/// build of the tests, and are not built again. None of them enables a feature of `sim-core`.
const LIBRARIES: [&str; 7] = [
    "sim-physics",
    "sim-gpu",
    "sim-kinematics",
    "sim-mjcf",
    "sim-render",
    "sim-urdf",
    "third-party-features",
];

/// Lints the facade without features and with each feature alone, the per-stage timers, and the program without
/// features.
fn features() -> Result<(), String> {
    lint_facade(&[])?;
    for feature in FEATURES_OF_FACADE {
        lint_facade(&["--features", &format!("sim-physics/{feature}")])?;
    }
    // with `parallel`, which the build of the tests lints without the timers
    lint_facade(&["--features", "sim-core/profile,sim-physics/parallel"])?;
    lint_program()
}

fn lint_facade(arguments: &[&str]) -> Result<(), String> {
    let mut build = cargo();
    build.args(["build", "--no-default-features"]).args(arguments);
    build.args(LIBRARIES.iter().flat_map(|name| ["--package", name]));
    Mode::Lint.apply(&mut build);
    shell::run(&mut build)
}

/// Lints the program `sim` without features, and with images but without videos, with the engine of the tests. As in
/// [`build_bench`], an integration test is named, with the features that it has in the tests.
fn lint_program() -> Result<(), String> {
    let of_tests = "sim-conformance/gpu,sim-conformance/render";
    for features in [of_tests.to_owned(), format!("{of_tests},sim-cli/render")] {
        let mut build = cargo();
        build.args(["build", "--workspace", "--exclude", "sim-python", "--no-default-features"]);
        build.args(["--features", &features, "--bin", "sim", "--test", "goldens"]);
        Mode::Document.apply(&mut build);
        shell::run(&mut build)?;
    }
    Ok(())
}

/// The integration test target with the GPU tests.
const GPU_TESTS: &str = "on_device";
/// Further GPU tests, which a software driver takes minutes to compile; a command of its own.
const EXHAUSTIVE_TESTS: &str = "exhaustive";
fn gpu_tests() -> Result<(), String> {
    shell::run(test(&["--test", GPU_TESTS]).envs(SOFTWARE_DRIVER))
}

/// Settings of lavapipe for kernels: shaders are compiled without optimisation and for narrow vectors, because compile
/// time dominates.
const SOFTWARE_DRIVER: [(&str, &str); 2] =
    [("GALLIVM_PERF", "nopt"), ("LP_NATIVE_VECTOR_WIDTH", "128")];

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
    let mut tests = test(arguments);
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

/// Builds what the tests need, and the program that counts instructions.
fn build_tests() -> Result<(), String> {
    tests(Tests::All, &["--no-run"])?;
    build_bench()
}

/// Builds `sim-bench` with the features of the tests, so that only the program itself is compiled. An integration test
/// is named, because without one Cargo does not enable the features that dev-dependencies need, and builds the engine
/// again.
pub(crate) fn build_bench() -> Result<(), String> {
    shell::run(&mut build("build", &["--quiet", "--bin", "sim-bench", "--test", "goldens"]))
}

/// Examples of the API documentation.
fn examples() -> Result<(), String> {
    shell::run(test(&["--doc"]).envs(SOFTWARE_DRIVER))
}

/// Runs the tests in two halves at the same time, because many of them use one core or wait for a window.
fn run_tests() -> Result<(), String> {
    let first = thread::spawn(|| {
        step("examples", examples)?;
        step("instruction counts", || instructions::check(false))?;
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
