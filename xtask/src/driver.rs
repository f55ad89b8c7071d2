//! A driver for the tests of GPU kernels: on a machine without one, a driver that runs on the processor.

use crate::shell;
use std::path::Path;
use std::process::Command;

/// Where the system keeps the list of its Vulkan drivers.
const LISTS: [&str; 3] =
    ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];

/// Installs the software driver on Linux if there is no driver at all.
pub(crate) fn install() -> Result<(), String> {
    if !cfg!(target_os = "linux") || found() {
        return Ok(());
    }
    println!("no Vulkan driver is installed: installing `mesa-vulkan-drivers`");
    let packages = ["libvulkan1", "mesa-vulkan-drivers"];
    let tries: [&[&str]; 2] = [&["apt-get"], &["sudo", "-n", "apt-get"]];
    for words in tries {
        let apt = || {
            let mut command = Command::new(words[0]);
            command.args(&words[1..]).env("DEBIAN_FRONTEND", "noninteractive");
            command
        };
        // an old list of packages is good enough if there is no new one
        let _ = shell::run(apt().args(["update", "-qq"]));
        let install = ["install", "-y", "-qq", "--no-install-recommends"];
        if shell::run(apt().args(install).args(packages)).is_ok() && found() {
            return Ok(());
        }
    }
    Err("no Vulkan driver: install the package `mesa-vulkan-drivers`".into())
}

fn found() -> bool {
    let named = ["VK_ICD_FILENAMES", "VK_DRIVER_FILES"];
    let entries =
        |list: &&str| Path::new(list).read_dir().is_ok_and(|mut dir| dir.next().is_some());
    named.iter().any(|name| std::env::var_os(name).is_some()) || LISTS.iter().any(entries)
}
