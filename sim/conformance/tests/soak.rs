//! Runs the soak test in a process of its own, because it measures the memory of its process.

use std::process::Command;

#[test]
fn short_runs_pass_with_contacts() {
    let out = Command::new(env!("CARGO_BIN_EXE_sim-conformance"))
        .args(["soak", "--steps", "2000"])
        .output()
        .unwrap_or_else(|error| panic!("{error}"));
    let stdout = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{stdout}{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(stdout.lines().count(), 3, "{stdout}");
    for line in stdout.lines() {
        assert!(line.contains("passed: 2000 steps"), "{line}");
        assert!(!line.contains("up to 0 contacts"), "{line}");
        assert!(line.contains(" kB") == cfg!(target_os = "linux"), "{line}");
    }
}
