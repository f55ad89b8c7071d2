//! Runs the conformance program as `cargo xtask conformance` does.

use std::process::Command;

#[test]
fn all_goldens_pass() {
    let out = Command::new(env!("CARGO_BIN_EXE_sim-conformance"))
        .arg("check")
        .output()
        .unwrap_or_else(|error| panic!("{error}"));
    let stdout = String::from_utf8_lossy(&out.stdout);
    let last = stdout.lines().last().unwrap_or_default();
    assert!(out.status.success(), "{stdout}{}", String::from_utf8_lossy(&out.stderr));
    let passed = last.split_once(" passed, 0 failed").and_then(|(n, _)| n.parse::<usize>().ok());
    assert!(passed.is_some_and(|n| n > 1000), "{last}");
}
