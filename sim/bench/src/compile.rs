//! Compile time and memory: each model is loaded once in a new process.
//!
//! MuJoCo caches compiled assets for the life of a process, and allocators reuse freed memory, so only
//! the first load in a process is a cold start.

use crate::scene::Scene;
use crate::side_by_side::{Failure, median, spread};
use serde_json::{Value, json};
use sim_conformance::Oracle;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Number of processes per engine; the result is the median.
const REPETITIONS: usize = 9;

/// Loads a model in this process; reports the time, s, and the peak memory growth, MiB.
///
/// # Errors
/// When the model does not load.
pub fn once(file: &Path) -> Result<Value, Failure> {
    // resets the peak of the resident memory (VmHWM)
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = memory("VmRSS:");
    let clock = Instant::now();
    let model = sim_mjcf::load_file(file)?;
    let seconds = clock.elapsed().as_secs_f64();
    let peak = memory("VmHWM:").zip(before).map(|(peak, before)| peak - before);
    Ok(json!({ "seconds": seconds, "peak_mib": peak, "nv": model.nv }))
}

/// An entry of `/proc/self/status`, MiB; `None` if there is none.
pub(crate) fn memory(key: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kib: f64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kib / 1024.0)
}

/// Times one scene, interleaved with MuJoCo if `oracle` is given.
///
/// # Errors
/// When the model does not load, or a process fails.
pub fn measure(
    scene: &Scene,
    oracle: Option<&Oracle>,
    threads: usize,
    temp: &Path,
) -> Result<Value, Failure> {
    let file = scene.file(temp)?;
    let threads = threads.max(1);
    let (mut ours, mut theirs) = (Side::default(), Side::default());
    let mut nv = Value::Null;
    // round 0 fills the page cache
    for round in 0..=REPETITIONS {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("load").arg(&file).env("RAYON_NUM_THREADS", threads.to_string());
        let mine = report(command)?;
        let mujoco = match oracle {
            Some(oracle) => {
                let mut command = oracle.script("compile.py");
                command.arg(&file).args(["--threads", &threads.to_string()]);
                // MuJoCo writes a log file to its working directory
                command.current_dir(temp);
                Some(report(command)?)
            }
            None => None,
        };
        if round > 0 {
            ours.add(&mine);
            if let Some(mujoco) = mujoco {
                theirs.add(&mujoco);
            }
        }
        nv = mine["nv"].clone();
    }
    // ratio per round: consecutive runs see the same machine load
    let mut ratios: Vec<f64> =
        theirs.seconds.iter().zip(&ours.seconds).map(|(t, o)| t / o).collect();
    let compared = !ratios.is_empty();
    let our_time = median(&mut ours.seconds);
    let their_time = compared.then(|| median(&mut theirs.seconds));
    Ok(json!({
        "scene": scene.name,
        "threads": threads,
        "ours_steps_per_s": 1.0 / our_time,
        "mujoco_steps_per_s": their_time.map(f64::recip),
        "ratio": compared.then(|| median(&mut ratios)),
        "ours_us_per_step": 1e6 * our_time,
        "ours_spread": spread(&ours.seconds),
        "mujoco_spread": compared.then(|| spread(&theirs.seconds)),
        "ours_peak_mib": ours.peak(),
        "mujoco_peak_mib": theirs.peak(),
        "stages_us": {},
        "ncon": 0,
        "nefc": 0,
        "nv": nv,
    }))
}

/// The reports of one engine's processes.
#[derive(Default)]
struct Side {
    seconds: Vec<f64>,
    mib: Vec<f64>,
}

impl Side {
    fn add(&mut self, report: &Value) {
        self.seconds.extend(report["seconds"].as_f64());
        self.mib.extend(report["peak_mib"].as_f64());
    }

    fn peak(&mut self) -> Option<f64> {
        (!self.mib.is_empty()).then(|| median(&mut self.mib))
    }
}

/// Runs a process that prints one JSON object.
fn report(mut command: Command) -> Result<Value, Failure> {
    let output = command.output()?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(stderr.lines().last().unwrap_or("a process failed").to_owned().into());
    }
    let report: Value = serde_json::from_slice(&output.stdout)?;
    if !report["seconds"].is_f64() {
        return Err("a process did not report its time".into());
    }
    Ok(report)
}
