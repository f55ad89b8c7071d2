//! What the tests need of the system: a Vulkan driver (Mesa's software driver, lavapipe, if there is none), and a
//! virtual X11 display with a program that operates it, for the window of the viewer, and Valgrind, which counts
//! instructions.

use crate::shell;
use std::path::Path;
use std::process::Command;

/// Folders in which Vulkan drivers register their manifests.
const MANIFESTS: [&str; 3] =
    ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];

/// Installs on Linux what is missing.
pub(crate) fn install() -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let mut missing = missing();
    if missing.is_empty() {
        return Ok(());
    }
    println!("installing {}", missing.join(", "));
    let apt_commands: [&[&str]; 2] = [&["apt-get"], &["sudo", "-n", "apt-get"]];
    for words in apt_commands {
        let apt = || {
            let mut command = Command::new(words[0]);
            command.args(&words[1..]).env("DEBIAN_FRONTEND", "noninteractive");
            command
        };
        // ignored: without network an older package list may still suffice
        let _ = shell::run(apt().args(["update", "-qq"]));
        let install = ["install", "-y", "-qq", "--no-install-recommends"];
        // ignored: the next line tells what is still missing
        let _ = shell::run(apt().args(install).args(&missing));
        missing = self::missing();
        if missing.is_empty() {
            return Ok(());
        }
    }
    Err(format!("install the packages {}", missing.join(", ")))
}

/// Debian packages of what is not installed.
fn missing() -> Vec<&'static str> {
    let mut packages = Vec::new();
    if !has_vulkan_driver() {
        packages.extend(["libvulkan1", "mesa-vulkan-drivers"]);
    }
    for (program, package) in [("Xvfb", "xvfb"), ("xdotool", "xdotool"), ("valgrind", "valgrind")] {
        if !shell::is_installed(program) {
            packages.push(package);
        }
    }
    packages
}

fn has_vulkan_driver() -> bool {
    let variables = ["VK_ICD_FILENAMES", "VK_DRIVER_FILES"];
    let has_manifest =
        |folder: &&str| Path::new(folder).read_dir().is_ok_and(|mut dir| dir.next().is_some());
    variables.iter().any(|name| std::env::var_os(name).is_some())
        || MANIFESTS.iter().any(has_manifest)
}
