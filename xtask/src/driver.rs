//! Vulkan driver of the GPU tests: installs Mesa's software driver (lavapipe) if the machine has none.

use crate::shell;
use std::path::Path;
use std::process::Command;

/// Folders in which Vulkan drivers register their manifests.
const MANIFESTS: [&str; 3] =
    ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];

/// Installs the software driver on Linux if no Vulkan driver is registered.
pub(crate) fn install() -> Result<(), String> {
    if !cfg!(target_os = "linux") || found() {
        return Ok(());
    }
    println!("no Vulkan driver is installed: installing `mesa-vulkan-drivers`");
    let packages = ["libvulkan1", "mesa-vulkan-drivers"];
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
        if shell::run(apt().args(install).args(packages)).is_ok() && found() {
            return Ok(());
        }
    }
    Err("no Vulkan driver: install the package `mesa-vulkan-drivers`".into())
}

fn found() -> bool {
    let variables = ["VK_ICD_FILENAMES", "VK_DRIVER_FILES"];
    let has_manifest =
        |folder: &&str| Path::new(folder).read_dir().is_ok_and(|mut dir| dir.next().is_some());
    variables.iter().any(|name| std::env::var_os(name).is_some())
        || MANIFESTS.iter().any(has_manifest)
}
