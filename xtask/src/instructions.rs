//! `cargo xtask instructions`: instructions per step of a few scenes, counted by Valgrind and compared with recorded
//! counts. In contrast to times, they do not depend on the load of the machine.
//!
//! The scenes are built as tests are, with the `dev` profile, so that CI does not have to build them again. Counts depend
//! on the compiler and slightly on the C library; after a change of the toolchain they are recorded again.

use crate::shell::{self, root, target_dir};
use crate::{ci, lints};
use std::collections::BTreeMap;
use std::process::Command;

/// Largest ratio of a count to the recorded one.
const BOUND: f64 = 1.03;

/// Name, arguments of `sim-bench count`, and number of steps.
const SCENES: [(&str, &[&str], usize); 8] = [
    ("humanoid, Newton", &["humanoid"], 200),
    ("humanoid, PGS", &["humanoid", "--solver", "pgs"], 100),
    ("humanoid, CG, elliptic", &["humanoid", "--solver", "cg", "--cone", "elliptic"], 100),
    ("quadruped, elliptic", &["quadruped", "--cone", "elliptic"], 200),
    ("hand, implicitfast", &["hand", "--integrator", "implicitfast"], 200),
    ("tree, RK4", &["rk4_tree"], 500),
    ("heap of 30 boxes", &["collision/boxes_30"], 20),
    ("flex cloth", &["flexsize/cloth_10"], 10),
];

/// Compares the counts, or records them.
///
/// # Errors
/// If a count exceeds its bound, or Valgrind is missing.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let record = match arguments {
        [] => false,
        [word] if word == "--record" => true,
        _ => return Err("usage: cargo xtask instructions [--record]".to_owned()),
    };
    lints::install()?;
    check(record)
}

/// Compares the counts, or records them, when [`lints::install`] has been called.
///
/// # Errors
/// If a count exceeds its bound, or Valgrind is missing.
pub(crate) fn check(record: bool) -> Result<(), String> {
    if !shell::is_installed("valgrind") {
        return Err("install Valgrind: apt-get install valgrind".to_owned());
    }
    ci::build_bench()?;
    let file = root().join("sim/bench/instructions.txt");
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    // a line has the name of a scene and its count
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    let recorded: BTreeMap<&str, u64> =
        lines.filter_map(|(name, count)| Some((name, count.parse().ok()?))).collect();
    let (mut counts, mut exceeded) = (String::new(), Vec::new());
    for (name, scene, steps) in SCENES {
        let count = count(scene, steps)?;
        counts += &format!("{name}\t{count}\n");
        if record {
            println!("{name:24} {count:>10} instructions per step");
            continue;
        }
        let before =
            *recorded.get(name).ok_or_else(|| format!("no count of `{name}` is recorded"))?;
        let ratio = count as f64 / before as f64;
        println!(
            "{name:24} {count:>10} instructions per step, {ratio:.3} of the recorded {before}"
        );
        if ratio > BOUND {
            exceeded.push(format!("{name}: {count} instead of {before}"));
        }
    }
    if record {
        return std::fs::write(&file, counts).map_err(|error| error.to_string());
    }
    if exceeded.is_empty() {
        return Ok(());
    }
    let list = exceeded.join("\n  ");
    Err(format!(
        "steps take over 3 % more instructions than recorded:\n  {list}\nif this is intended, record the counts with \
         `cargo xtask instructions --record` and say why"
    ))
}

/// Instructions per step of a scene.
fn count(scene: &[&str], steps: usize) -> Result<u64, String> {
    let program = target_dir().join("debug/sim-bench");
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(["--collect-atstart=no", "--toggle-collect=*counted_steps*"])
        .arg(program)
        .arg("count")
        .args(scene)
        .args(["--steps", &steps.to_string()]);
    let output = command.output().map_err(|error| format!("cannot run valgrind: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let collected = text.lines().find_map(|line| line.split_once("Collected :"));
    let total = collected.and_then(|(_, count)| count.trim().parse::<u64>().ok());
    match total.filter(|&total| output.status.success() && total > 0) {
        Some(total) => Ok(total / steps as u64),
        None => Err(format!("{command:?} counted nothing:\n{text}")),
    }
}
