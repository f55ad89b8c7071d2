//! `cargo xtask bench`: speed of scenes, side by side with the reference engine, or of batches on a GPU.

use crate::shell::{run_program, target_dir};

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if arguments.iter().any(|word| word == "--gpu") {
        let rest = arguments.iter().filter(|word| *word != "--gpu").cloned();
        let timing: Vec<String> = std::iter::once("gpu".to_owned()).chain(rest).collect();
        return run_program("sim-bench", &["gpu"], &timing);
    }
    let scenes: Vec<String> = scenes(arguments);
    // only steps are timed from the inside
    let whole = |scene: &String| scene.starts_with("compile") || scene.starts_with("stages");
    if !scenes.is_empty() && scenes.iter().all(whole) {
        let mut timing = vec!["run".to_owned()];
        timing.extend_from_slice(arguments);
        return run_program("sim-bench", &[], &timing);
    }
    let stages = target_dir().join("bench-stages.json");
    let stages = stages.to_string_lossy().into_owned();

    // timers cost time, so stages are measured by a build of their own
    let mut profile = vec!["stages".to_owned(), "--json".to_owned(), stages.clone()];
    profile.extend(scenes);
    run_program("sim-bench", &["profile"], &profile)?;

    let mut timing = vec!["run".to_owned(), "--stages".to_owned(), stages];
    timing.extend_from_slice(arguments);
    run_program("sim-bench", &[], &timing)
}

/// The arguments that are neither options nor their values.
fn scenes(arguments: &[String]) -> Vec<String> {
    let mut scenes = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--threads" | "--json" => {
                words.next();
            }
            option if option.starts_with("--") => {}
            scene => scenes.push(scene.to_owned()),
        }
    }
    scenes
}
