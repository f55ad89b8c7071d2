//! The minimum supported Rust version is the pinned toolchain, so that CI tests it.

use super::Violation;
use std::fs;
use std::path::Path;

pub(super) fn check(root: &Path) -> Result<Vec<Violation>, String> {
    let read = |name: &str| {
        fs::read_to_string(root.join(name)).map_err(|error| format!("{name}: {error}"))
    };
    Ok(compare(&read("Cargo.toml")?, &read("rust-toolchain.toml")?))
}

fn compare(manifest: &str, toolchain: &str) -> Vec<Violation> {
    let value = |text: &str, key: &str| {
        let line = text.lines().find(|line| line.trim_start().starts_with(key));
        line.and_then(|line| line.split('"').nth(1)).unwrap_or_default().to_owned()
    };
    let (minimum, pinned) = (value(manifest, "rust-version"), value(toolchain, "channel"));
    if !minimum.is_empty() && (pinned == minimum || pinned == format!("{minimum}.0")) {
        return Vec::new();
    }
    let rule = format!("`channel` is {pinned}, `rust-version` is {minimum}: make them equal");
    vec![Violation::new("rust-toolchain.toml", 1, rule)]
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn versions_must_agree() {
        let manifest = "rust-version = \"1.95\"\n";
        assert!(compare(manifest, "channel = \"1.95.0\"\n").is_empty());
        assert_eq!(compare(manifest, "channel = \"1.96.0\"\n").len(), 1);
    }
}
