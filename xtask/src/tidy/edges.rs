//! Which crate of ours may depend on which: dependencies point down.

use super::{Broken, files};
use std::fs;
use std::path::Path;

/// Allowed dependencies between crates of the workspace. A new edge is a decision: make it here.
const ALLOWED: &[(&str, &[&str])] = &[
    ("sim-types", &[]),
    ("sim-simd", &[]),
    ("sim-constraint", &["sim-types", "sim-simd"]),
    ("sim-deformable", &["sim-types", "sim-simd"]),
    ("sim-core", &["sim-types", "sim-simd", "sim-constraint", "sim-deformable"]),
    ("sim-mjcf", &["sim-types", "sim-core"]),
    ("sim-urdf", &["sim-core", "sim-mjcf"]),
    ("sim-kinematics", &["sim-core", "sim-simd"]),
    ("mesh-gpu", &[]),
    ("sim-gpu", &["sim-types", "sim-core", "mesh-gpu"]),
    (
        "sim-physics",
        &["sim-types", "sim-core", "sim-mjcf", "sim-urdf", "sim-kinematics", "sim-gpu"],
    ),
    ("sim-cli", &["sim-physics"]),
    ("sim-examples", &["sim-physics"]),
    ("sim-conformance", &["sim-types", "sim-core", "sim-mjcf", "sim-urdf"]),
    (
        "sim-bench",
        &["sim-core", "sim-mjcf", "sim-gpu", "sim-kinematics", "sim-physics", "sim-conformance"],
    ),
    ("sim-fuzz", &["sim-core", "sim-mjcf", "sim-urdf"]),
    ("xtask", &[]),
];

pub(super) fn check(root: &Path) -> Result<Vec<Broken>, String> {
    let mut broken = Vec::new();
    for path in files(root, "toml")? {
        if path.file_name().is_none_or(|name| name != "Cargo.toml") {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let at = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        broken.extend(check_manifest(&at, &text));
    }
    Ok(broken)
}

/// Checks one manifest. Dev-dependencies are free: tests may look from anywhere.
fn check_manifest(at: &str, text: &str) -> Vec<Broken> {
    let mut broken = Vec::new();
    let (mut section, mut name) = ("", "");
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') {
            section = line;
        } else if section == "[package]" && line.starts_with("name") {
            name = line.split('"').nth(1).unwrap_or("");
            if !ALLOWED.iter().any(|(known, _)| *known == name) {
                let rule = format!("crate `{name}` is not in the table of allowed edges in xtask");
                broken.push(Broken { at: format!("{at}:{}", number + 1), rule });
            }
        } else if section == "[dependencies]" {
            let key = line.split(['.', '=', ' ']).next().unwrap_or("");
            let ours = key.starts_with("sim-") || key == "mesh-gpu";
            let allowed = ALLOWED.iter().any(|(from, to)| *from == name && to.contains(&key));
            if ours && !allowed {
                let rule = format!("`{name}` may not depend on `{key}`: dependencies point down");
                broken.push(Broken { at: format!("{at}:{}", number + 1), rule });
            }
        }
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::check_manifest;

    #[test]
    fn an_upward_edge_is_found() {
        let text = "[package]\nname = \"sim-types\"\n[dependencies]\nsim-core.workspace = true\n";
        let broken = check_manifest("Cargo.toml", text);
        assert_eq!(broken.len(), 1);
        assert_eq!(broken[0].at, "Cargo.toml:4");
    }

    #[test]
    fn an_allowed_edge_passes() {
        let text = "[package]\nname = \"sim-core\"\n[dependencies]\nsim-types.workspace = true\n";
        assert!(check_manifest("Cargo.toml", text).is_empty());
    }
}
