//! `cargo xtask python`: builds the wheel of the Python package, installs it into an environment of its own and runs its
//! tests with the notebook of the guide, the check of its type stubs and the check of the stable ABI. With `--learning`
//! it also installs PyTorch, stable-baselines3 and Ray, and runs the tests that need them.

use crate::shell::{self, root, target_dir};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Oldest Python that the package supports.
const MINIMUM: (u32, u32) = (3, 11);
/// Packages of the build and the tests. MuJoCo is the reference of the compatibility tests.
const REQUIREMENTS: [&str; 11] = [
    "maturin>=1.9,<2",
    "pytest>=8",
    "numpy",
    "gymnasium>=1.2",
    "imageio",
    "packaging",
    "mypy>=1.15",
    "abi3audit",
    "mujoco==3.8.0",
    "nbclient",
    "ipykernel",
];
/// Packages of the examples and of the tests with tensors, several gigabytes.
const LEARNING: [&str; 3] = ["torch", "stable-baselines3", "ray"];

/// Runs all checks; without a suitable Python this is an error.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let (mut profile, mut learning) = ("dev", false);
    for argument in arguments {
        match argument.as_str() {
            "--release" => profile = "release",
            "--learning" => learning = true,
            _ => return Err("usage: cargo xtask python [--release] [--learning]".to_owned()),
        }
    }
    let python = interpreter().ok_or_else(|| {
        let (major, minor) = MINIMUM;
        format!("the Python package needs Python {major}.{minor} or newer (`python3`, or the variable SIM_PYTHON)")
    })?;
    check(&python, profile, learning)
}

/// A Python interpreter of at least the minimum version.
fn interpreter() -> Option<PathBuf> {
    let candidate = std::env::var_os("SIM_PYTHON").unwrap_or_else(|| "python3".into());
    let script = "import sys, venv; print(*sys.version_info[:2])";
    let output = Command::new(&candidate).args(["-c", script]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut numbers = text.split_whitespace().map(|word| word.parse::<u32>().ok());
    let version = (numbers.next()??, numbers.next()??);
    (output.status.success() && version >= MINIMUM).then(|| PathBuf::from(candidate))
}

fn check(python: &Path, profile: &str, learning: bool) -> Result<(), String> {
    let environment = target_dir().join("python");
    let inside = environment.join("bin/python");
    if !inside.is_file() {
        shell::run(Command::new(python).args(["-m", "venv"]).arg(&environment))?;
    }
    let quiet = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    let extras: &[&str] = if learning { &LEARNING } else { &[] };
    shell::run(Command::new(&inside).args(quiet).args(REQUIREMENTS).args(extras))?;
    let wheel = build(&inside, profile)?;
    shell::run(
        Command::new(&inside).args(quiet).args(["--force-reinstall", "--no-deps"]).arg(&wheel),
    )?;
    let package = root().join("sim/L1/python");
    shell::run(
        Command::new(&inside)
            .args(["-m", "pytest", "-q", "-rs"])
            .arg(package.join("tests"))
            .current_dir(&environment),
    )?;
    shell::run(
        Command::new(&inside)
            .args(["-m", "mypy", "-p", "sim_physics"])
            .current_dir(package.join("python")),
    )?;
    let allowed = package.join("stubtest_allowed.txt");
    shell::run(
        Command::new(&inside)
            .args(["-m", "mypy.stubtest", "sim_physics", "--allowlist"])
            .arg(allowed)
            .current_dir(&environment),
    )?;
    shell::run(Command::new(&inside).args(["-m", "abi3audit", "--strict"]).arg(&wheel))
}

/// Builds the wheel and returns its path.
fn build(python: &Path, profile: &str) -> Result<PathBuf, String> {
    let folder = target_dir().join("wheels");
    // wheels of older builds would make the result ambiguous
    let _ = std::fs::remove_dir_all(&folder);
    let manifest = root().join("sim/L1/python/Cargo.toml");
    shell::run(
        Command::new(python)
            .args(["-m", "maturin", "build", "--quiet", "--profile", profile, "--manifest-path"])
            .arg(manifest)
            .arg("--out")
            .arg(&folder),
    )?;
    let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut wheels = entries.flatten().map(|entry| entry.path());
    let wheel = wheels.find(|path| path.extension().is_some_and(|extension| extension == "whl"));
    let wheel = wheel.ok_or_else(|| format!("maturin wrote no wheel to {}", folder.display()))?;
    if let Ok(data) = wheel.metadata() {
        println!("python: wheel of {:.1} MB", data.len() as f64 / 1e6);
    }
    Ok(wheel)
}
