//! `cargo xtask corpus`: public model packages from PyPI, unpacked into `target/corpus`.

use crate::oracle::{pip, python};
use crate::shell::{self, root};
use std::fs;
use std::process::Command;

/// Packages that ship MJCF models.
const PACKAGES: &[&str] = &["dm_control", "gymnasium", "gymnasium-robotics"];

pub(crate) fn run() -> Result<(), String> {
    let corpus = root().join("target/corpus");
    let wheels = corpus.join("wheels");
    let message = |error: std::io::Error| format!("{}: {error}", corpus.display());
    fs::create_dir_all(&wheels).map_err(message)?;
    let folder = wheels.to_string_lossy();
    for package in PACKAGES {
        println!("corpus: {package}");
        pip(&[
            "download",
            "--quiet",
            "--no-deps",
            "--only-binary",
            ":all:",
            "-d",
            &folder,
            package,
        ])?;
    }
    for wheel in fs::read_dir(&wheels).map_err(message)? {
        let path = wheel.map_err(message)?.path();
        shell::run(Command::new(python()).args(["-m", "zipfile", "-e"]).arg(&path).arg(&corpus))?;
    }
    fs::remove_dir_all(&wheels).map_err(message)?;
    println!("corpus: ready in {}", corpus.display());
    Ok(())
}
