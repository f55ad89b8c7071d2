//! Allowed dependencies between the crates of the workspace: they point from upper to lower layers.

use super::Violation;

/// Allowed dependencies of each crate. A new edge is a design decision, made in this table.
const ALLOWED: &[(&str, &[&str])] = &[
    ("sim-types", &[]),
    ("sim-simd", &[]),
    ("sim-constraint", &["sim-types", "sim-simd"]),
    ("sim-deformable", &["sim-types", "sim-simd"]),
    ("sim-core", &["sim-types", "sim-simd", "sim-constraint", "sim-deformable"]),
    ("sim-mjcf", &["sim-types", "sim-core"]),
    ("sim-urdf", &["sim-core", "sim-mjcf"]),
    ("sim-kinematics", &["sim-core", "sim-simd"]),
    ("sim-lanes", &["sim-types", "sim-simd", "sim-core"]),
    ("sim-scene", &["sim-core"]),
    ("mesh-gpu", &[]),
    ("sim-gpu", &["sim-types", "sim-core", "sim-scene", "mesh-gpu"]),
    ("sim-render", &["sim-types", "sim-core", "sim-scene", "mesh-gpu"]),
    (
        "sim-physics",
        &[
            "sim-types",
            "sim-core",
            "sim-mjcf",
            "sim-urdf",
            "sim-kinematics",
            "sim-lanes",
            "sim-scene",
            "sim-render",
            "sim-gpu",
        ],
    ),
    ("sim-record", &["sim-core", "sim-scene"]),
    ("sim-viewer", &["sim-physics", "mesh-gpu"]),
    ("sim-envs", &["sim-physics"]),
    ("sim-python", &["sim-envs", "sim-physics", "sim-viewer"]),
    ("sim-cli", &["sim-physics", "sim-record", "sim-viewer"]),
    ("sim-examples", &["sim-physics"]),
    (
        "sim-conformance",
        &["sim-types", "sim-core", "sim-gpu", "sim-mjcf", "sim-urdf", "sim-scene", "sim-render"],
    ),
    (
        "sim-bench",
        &[
            "mesh-gpu",
            "sim-core",
            "sim-mjcf",
            "sim-gpu",
            "sim-kinematics",
            "sim-physics",
            "sim-conformance",
        ],
    ),
    ("sim-fuzz", &["sim-core", "sim-mjcf", "sim-urdf"]),
    ("third-party-features", &[]),
    ("xtask", &[]),
];

/// Checks one manifest. Dev-dependencies are not restricted.
pub(super) fn check(path: &str, text: &str) -> Vec<Violation> {
    let mut violations = Vec::new();
    if !path.ends_with("Cargo.toml") {
        return violations;
    }
    let (mut section, mut name) = ("", "");
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') {
            section = line;
        } else if section == "[package]" && line.starts_with("name") {
            name = line.split('"').nth(1).unwrap_or("");
            if !ALLOWED.iter().any(|(known, _)| *known == name) {
                let rule = format!("crate `{name}` is not in the table of allowed edges in xtask");
                violations.push(Violation::new(path, number + 1, rule));
            }
        } else if section == "[dependencies]" {
            let key = line.split(['.', '=', ' ']).next().unwrap_or("");
            let ours = key.starts_with("sim-") || key == "mesh-gpu";
            let allowed = ALLOWED.iter().any(|(from, to)| *from == name && to.contains(&key));
            if ours && !allowed {
                let rule = format!("`{name}` must not depend on `{key}`, see the table in xtask");
                violations.push(Violation::new(path, number + 1, rule));
            }
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn upward_edge_is_reported() {
        let text = "[package]\nname = \"sim-types\"\n[dependencies]\nsim-core.workspace = true\n";
        let violations = check("Cargo.toml", text);
        assert_eq!(violations.len(), 1);
        assert_eq!(violations[0].at, "Cargo.toml:4");
    }

    #[test]
    fn allowed_edge_passes() {
        let text = "[package]\nname = \"sim-core\"\n[dependencies]\nsim-types.workspace = true\n";
        assert!(check("Cargo.toml", text).is_empty());
    }
}
