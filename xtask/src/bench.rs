//! `cargo xtask bench`: throughput of the benchmark scenes, optionally interleaved with MuJoCo, or of
//! batches on a GPU. All figures are of the `dist` profile.

use crate::shell::{Profile, run_program, target_dir};
use std::path::Path;

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if arguments.iter().any(|word| word == "--gpu") {
        let rest = arguments.iter().filter(|word| *word != "--gpu").cloned();
        let timing: Vec<String> = std::iter::once("gpu".to_owned()).chain(rest).collect();
        return run_program(Profile::Dist, "sim-bench", &["gpu"], &timing);
    }
    let scenes: Vec<String> = scenes(arguments);
    // stage timers exist only for scenes that take steps; folders are measured without them
    let without_timers = |scene: &String| {
        ["compile", "stages", "lanes"].iter().any(|kind| scene.starts_with(kind))
            || Path::new(scene).is_dir()
    };
    if !scenes.is_empty() && scenes.iter().all(without_timers) {
        let mut timing = vec!["run".to_owned()];
        timing.extend_from_slice(arguments);
        return run_program(Profile::Dist, "sim-bench", &[], &timing);
    }
    let stages = target_dir().join("bench-stages.json");
    let stages = stages.to_string_lossy().into_owned();

    // timers have a cost, so stages are measured by a separate build
    let mut profile = vec!["stages".to_owned(), "--json".to_owned(), stages.clone()];
    profile.extend(scenes);
    run_program(Profile::Dist, "sim-bench", &["profile"], &profile)?;

    let mut timing = vec!["run".to_owned(), "--stages".to_owned(), stages];
    timing.extend_from_slice(arguments);
    run_program(Profile::Dist, "sim-bench", &[], &timing)
}

/// The positional arguments: names of scenes.
fn scenes(arguments: &[String]) -> Vec<String> {
    let mut scenes = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--threads" | "--json" | "--solver" | "--cone" | "--integrator" => {
                words.next();
            }
            option if option.starts_with("--") => {}
            scene => scenes.push(scene.to_owned()),
        }
    }
    scenes
}
