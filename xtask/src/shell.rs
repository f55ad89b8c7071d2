//! Runs Cargo and other programs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// The Cargo executable that runs this program.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs a command; an exit status other than zero is an error that names it.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("failed: {}", describe(command))) }
}

/// Build profile of a program.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    /// Fast to build.
    Release,
    /// Fastest code (link-time optimisation); for timing.
    Dist,
}

impl Profile {
    /// Name of the profile and of its folder in the target directory.
    fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Dist => "dist",
        }
    }
}

/// Builds a program of the workspace and runs it in the current directory.
pub(crate) fn run_program(
    profile: Profile,
    package: &str,
    features: &[&str],
    arguments: &[String],
) -> Result<(), String> {
    let mut build = cargo();
    build.args(["build", "--quiet", "--profile", profile.name(), "--package", package]);
    for feature in features {
        build.args(["--features", feature]);
    }
    run(&mut build)?;
    let program = target_dir().join(profile.name()).join(package);
    // a failing program prints its own message
    match Command::new(&program).args(arguments).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(String::new()),
        Err(error) => Err(format!("cannot run {}: {error}", program.display())),
    }
}

/// Cargo's target directory.
pub(crate) fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Whether a program is in the search path.
pub(crate) fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn describe(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}
