//! `cargo xtask oracle`: creates a Python environment with MuJoCo in `target/oracle`.

use crate::shell::{self, root};
use std::path::PathBuf;
use std::process::Command;

/// The release that all goldens are recorded with.
const REFERENCE: &str = "mujoco==3.8.0";

pub(crate) fn pip(arguments: &[&str]) -> Result<(), String> {
    shell::run(Command::new(python()).args(["-m", "pip"]).args(arguments))
}

/// Python interpreter of the environment.
pub(crate) fn python() -> PathBuf {
    std::env::var_os("SIM_ORACLE_PYTHON")
        .map_or_else(|| root().join("target/oracle/bin/python"), PathBuf::from)
}

pub(crate) fn run() -> Result<(), String> {
    if std::env::var_os("SIM_ORACLE_PYTHON").is_none() {
        let folder = root().join("target/oracle");
        shell::run(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
        pip(&["install", "--quiet", "--disable-pip-version-check", REFERENCE, "numpy"])?;
    }
    let script = "import mujoco; print('oracle: MuJoCo', mujoco.__version__)";
    shell::run(Command::new(python()).args(["-c", script]))
}
