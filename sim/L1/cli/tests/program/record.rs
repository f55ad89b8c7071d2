//! `sim record`.

use crate::{contains, file, sim, succeeds};

#[test]
fn record_writes_one_page() {
    let path = file("recording.html");
    let out = path.display().to_string();
    let text = succeeds(&["record", "--time", "0.5", "--fps", "60", "-o", &out]);
    contains(&text, &["wrote 31 frames", "recording.html"]);
    let page = std::fs::read_to_string(&path).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("<title>humanoid</title>"));
}

#[test]
fn record_names_the_file_types_that_it_writes() {
    let output = sim(&["record", "--time", "0.1", "-o", "recording.txt"]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("write an .html file"));
}
