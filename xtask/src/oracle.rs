//! `cargo xtask oracle`: creates Python environments with MuJoCo, `target/oracle` for the reference release
//! and `target/oracle-VERSION` for another.

use crate::shell::{self, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The release that all goldens are recorded with.
const REFERENCE: &str = "3.8.0";
/// The newest release, with which `cargo xtask versions` compares unless another is given.
pub(crate) const NEWEST: &str = "4.0.1";

pub(crate) fn pip(arguments: &[&str]) -> Result<(), String> {
    pip_of(&python(), arguments)
}

fn pip_of(python: &Path, arguments: &[&str]) -> Result<(), String> {
    shell::run(Command::new(python).args(["-m", "pip"]).args(arguments))
}

/// Python interpreter of the environment with the reference release.
pub(crate) fn python() -> PathBuf {
    std::env::var_os("SIM_ORACLE_PYTHON")
        .map_or_else(|| interpreter(&root().join("target/oracle")), PathBuf::from)
}

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    match arguments {
        [] => create(REFERENCE),
        [option, version] if option == "--version" => create(version),
        _ => Err("usage: cargo xtask oracle [--version VERSION]".to_owned()),
    }
}

/// Creates the environment of another release than the reference, unless it exists.
pub(crate) fn ensure(version: &str) -> Result<(), String> {
    let missing = version != REFERENCE && !interpreter(&folder(version)).is_file();
    if missing { create(version) } else { Ok(()) }
}

/// Creates or updates the environment of a release; `SIM_ORACLE_PYTHON` replaces that of the reference.
fn create(version: &str) -> Result<(), String> {
    let python = if version == REFERENCE { python() } else { interpreter(&folder(version)) };
    if version != REFERENCE || std::env::var_os("SIM_ORACLE_PYTHON").is_none() {
        shell::run(Command::new("python3").args(["-m", "venv"]).arg(folder(version)))?;
        let package = format!("{}=={version}", package(version));
        pip_of(&python, &["install", "--quiet", "--disable-pip-version-check", &package, "numpy"])?;
    }
    let script = "import mujoco; print('oracle: MuJoCo', mujoco.__version__)";
    shell::run(Command::new(python).args(["-c", script]))
}

/// Folder of the environment of a release.
fn folder(version: &str) -> PathBuf {
    let name = if version == REFERENCE { "oracle".to_owned() } else { format!("oracle-{version}") };
    root().join("target").join(name)
}

fn interpreter(folder: &Path) -> PathBuf {
    folder.join("bin/python")
}

/// Name of the Python package of a release. From 4.0.0 on the bindings are a package of their own, and
/// `mujoco` also contains a viewer.
fn package(version: &str) -> &'static str {
    let major = version.split('.').next().and_then(|text| text.parse::<u32>().ok());
    if major.is_some_and(|major| major >= 4) { "mujoco-core" } else { "mujoco" }
}

#[cfg(test)]
mod tests {
    use super::{folder, package};

    #[test]
    fn package_depends_on_the_major_version() {
        assert_eq!(package("3.17.0"), "mujoco");
        assert_eq!(package("4.0.0"), "mujoco-core");
        assert_eq!(package("10.2"), "mujoco-core");
    }

    #[test]
    fn every_release_has_its_own_folder() {
        assert!(folder("3.8.0").ends_with("target/oracle"));
        assert!(folder("4.0.1").ends_with("target/oracle-4.0.1"));
    }
}
