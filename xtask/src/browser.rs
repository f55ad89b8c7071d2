//! `cargo xtask browser`: end-to-end test of recordings in headless Chromium.
//!
//! For each model, `sim record` writes a page, the example `poses` of sim-record simulates the same run, and
//! `xtask/browser/recording.mjs` compares both in the browser: no console errors, no network requests, the poses
//! at twenty times in single precision, playback, seeking, selection, and a screenshot.

use crate::shell::{self, cargo, root, target_dir};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Default models: name, path, recorded seconds.
const MODELS: [(&str, &str, &str); 2] = [
    ("humanoid", "sim/conformance/models/robots/humanoid.xml", "10"),
    ("meshes", "sim/conformance/models/features/mesh_builtin.xml", "2"),
];
const FPS: &str = "60";
/// Number of compared poses.
const TIMES: &str = "20";
/// Largest size of the recording of the humanoid: 10 s at 60 frames per second.
const LARGEST: u64 = 3_000_000;

/// Tests the default models, or those that the arguments name.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let folder = target_dir().join("browser");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    install(&folder)?;
    // one command, so that both programs use the same build of the engine
    let packages = ["-p", "sim-cli", "-p", "sim-record", "--bin", "sim", "--example", "poses"];
    shell::run(cargo().args(["build", "--quiet", "--release"]).args(packages))?;
    if arguments.is_empty() {
        for (name, path, seconds) in MODELS {
            test(&folder, name, &root().join(path), seconds)?;
        }
        return Ok(());
    }
    for path in arguments.iter().map(PathBuf::from) {
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        test(&folder, &name.unwrap_or_default(), &path, "2")?;
    }
    Ok(())
}

/// Installs playwright-core into the folder, and Chromium if the machine has none.
fn install(folder: &Path) -> Result<(), String> {
    if !folder.join("node_modules/playwright-core").is_dir() {
        fs::write(folder.join("package.json"), "{ \"private\": true }\n")
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        let packages = ["install", "--silent", "--no-save", "playwright-core"];
        shell::run(Command::new("npm").current_dir(folder).args(packages))?;
    }
    if chromium().is_none() {
        let install = ["install", "-y", "-qq", "--no-install-recommends", "chromium"];
        shell::run(Command::new("apt-get").args(install))?;
    }
    Ok(())
}

/// The browser: the variable `CHROMIUM`, or the package of the system.
fn chromium() -> Option<PathBuf> {
    let variable = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let known = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    variable.into_iter().chain(known.map(PathBuf::from)).find(|path| path.is_file())
}

fn test(folder: &Path, name: &str, model: &Path, seconds: &str) -> Result<(), String> {
    let release = target_dir().join("release");
    let file = |extension: &str| folder.join(format!("{name}.{extension}"));
    let (page, poses, screenshot) = (file("html"), file("json"), file("png"));
    let run = ["--ctrl", "zero", "--time", seconds, "--fps", FPS, "-o"];
    let mut record = Command::new(release.join("sim"));
    shell::run(record.arg("record").arg(model).args(run).arg(&page))?;
    let size = fs::metadata(&page).map_err(|error| error.to_string())?.len();
    if name == "humanoid" && size > LARGEST {
        return Err(format!("{}: {size} bytes, at most {LARGEST}", page.display()));
    }
    let output = Command::new(release.join("examples/poses"))
        .arg(model)
        .args([FPS, seconds, TIMES])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run the example `poses`: {error}"))?;
    if !output.status.success() {
        return Err("the example `poses` failed".into());
    }
    fs::write(&poses, output.stdout).map_err(|error| error.to_string())?;
    let mut node = Command::new("node");
    node.arg(root().join("xtask/browser/recording.mjs")).args([folder, &page, &poses, &screenshot]);
    if let Some(browser) = chromium() {
        node.env("CHROMIUM", browser);
    }
    shell::run(&mut node)?;
    println!("screenshot: {}", screenshot.display());
    Ok(())
}
