//! `cargo xtask envs`: compares the tasks of `sim-envs` with gymnasium, and their throughput with EnvPool.

use crate::shell::{self, cargo, root, target_dir};
use std::path::PathBuf;
use std::process::Command;

const USAGE: &str = "usage: cargo xtask envs [--samples N] [--seed S] [TASK…]
       cargo xtask envs --golden [TASK…]
       cargo xtask envs --bench [--threads 1,2] [--envs N] [--rounds N] [--seconds S] [--gymnasium] [--json FILE] [TASK…]";

/// Packages of the Python environment.
const PACKAGES: [&str; 3] = ["gymnasium[mujoco]==1.4.0", "mujoco==3.8.0", "envpool==1.2.5"];

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if arguments.iter().any(|word| word == "--help" || word == "-h") {
        return Err(USAGE.to_owned());
    }
    let python = python()?;
    match arguments.split_first() {
        Some((first, rest)) if first == "--golden" => {
            let goldens = root().join("sim/L1/envs/goldens");
            oracle(&python, &["record".into(), goldens.to_string_lossy().into()], rest)
        }
        Some((first, rest)) if first == "--bench" => {
            let program = example("throughput", "dist")?;
            let mut script = Command::new(&python);
            script.arg(script_path("envpool_bench.py")).arg(program).args(rest);
            shell::run(&mut script)
        }
        _ => live(&python, arguments),
    }
}

/// Compares the models and many random steps with the installed gymnasium.
fn live(python: &PathBuf, arguments: &[String]) -> Result<(), String> {
    oracle(python, &["models".into()], &[])?;
    let folder = target_dir().join("gymnasium-recordings");
    if folder.is_dir() {
        std::fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    let samples = ["--samples", "500"].map(String::from);
    let has_samples = arguments.iter().any(|word| word.starts_with("--samples"));
    let command = ["record".to_owned(), folder.to_string_lossy().into_owned()];
    let defaults = if has_samples { &[][..] } else { &samples[..] };
    oracle(python, &[&command[..], defaults].concat(), arguments)?;
    let program = example("gymnasium", "release")?;
    shell::run(Command::new(program).arg(folder))
}

fn script_path(name: &str) -> PathBuf {
    root().join("sim/L1/envs/oracle").join(name)
}

fn oracle(python: &PathBuf, command: &[String], rest: &[String]) -> Result<(), String> {
    let mut script = Command::new(python);
    shell::run(script.arg(script_path("gymnasium_oracle.py")).args(command).args(rest))
}

/// Builds an example of `sim-envs` and returns its path.
fn example(name: &str, profile: &str) -> Result<PathBuf, String> {
    let build = ["build", "--quiet", "--profile", profile, "--package", "sim-envs"];
    shell::run(cargo().args(build).args(["--example", name]))?;
    Ok(target_dir().join(profile).join("examples").join(name))
}

/// The interpreter of the Python environment with gymnasium, which is created if it is missing;
/// `SIM_GYMNASIUM_PYTHON` replaces it.
fn python() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("SIM_GYMNASIUM_PYTHON") {
        return Ok(path.into());
    }
    let folder = root().join("target/gymnasium");
    let python = folder.join("bin/python");
    if !python.is_file() {
        shell::run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        shell::run(Command::new(&python).args(install).args(PACKAGES))?;
    }
    Ok(python)
}
