//! Live mode: compares every MJCF and URDF file below a folder with the running oracle.
//!
//! Our engine runs each file in a child process, so that a panic, an abort or a hang is reported for
//! that file and the run continues.

use crate::compare::{self, Outcome};
use crate::golden::INTEGRATORS;
use crate::oracle::{Ended, Oracle, Overrides, Recording, run_with_limit};
use crate::{Archive, tolerance};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde_json::{Value, json};
use sim_core::types::DisableBit;
use sim_core::{Model, Stage};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Time limit of our engine for one file.
const OUR_LIMIT: Duration = Duration::from_secs(60);
/// Time limit of the oracle for one file.
const ORACLE_LIMIT: Duration = Duration::from_secs(300);

/// Options of a live run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// Contents of the oracle's recordings.
    pub recording: Recording,
    /// Folder of temporary archives.
    pub temp: PathBuf,
}

/// Compares every file; returns the report: `oracle_version`, `totals` and `files`.
///
/// # Errors
/// When a path cannot be read, or temporary files cannot be written.
pub fn run(oracle: &Oracle, options: &Options) -> io::Result<Value> {
    let mut files = Vec::new();
    for path in &options.paths {
        collect(path, &mut files)?;
    }
    files.sort();
    files.dedup();
    fs::create_dir_all(&options.temp)?;

    let bar = ProgressBar::new(files.len() as u64).with_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed_precise} {wide_msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let reports: Vec<Value> = files
        .par_iter()
        .enumerate()
        .map(|(index, file)| {
            bar.set_message(file.display().to_string());
            let archive = options.temp.join(format!("{index}.npz"));
            let start = Instant::now();
            let mut report = compare_file(oracle, options, file, &archive);
            report["seconds"] = json!(start.elapsed().as_secs_f64());
            // ignored: a remaining archive only takes disk space
            let _ = fs::remove_file(&archive);
            bar.inc(1);
            report
        })
        .collect();
    bar.finish_and_clear();
    // ignored: a remaining folder only takes disk space
    let _ = fs::remove_dir_all(&options.temp);
    Ok(json!({ "oracle_version": version(&reports), "totals": totals(&reports), "files": reports }))
}

/// Every `.xml` and `.urdf` file at or below `path`.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            let path = entry?.path();
            if path.is_dir() || path.extension().is_some_and(|ext| ext == "xml" || ext == "urdf") {
                collect(&path, files)?;
            }
        }
    } else {
        fs::metadata(path)
            .map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))?;
        files.push(path.to_path_buf());
    }
    Ok(())
}

/// Records one file with the oracle, then compares it in a child process.
fn compare_file(oracle: &Oracle, options: &Options, file: &Path, archive: &Path) -> Value {
    let mut report = json!({
        "path": file.display().to_string(),
        "oracle_loads": false,
        "we_load": false,
        "our_error": null,
        "model_ok": false,
        "model_first_diff": null,
        "stages_ok": false,
        "first_stage": null,
        "first_field": null,
        "worst_error": null,
        "trajectory_ok": false,
        "trajectory_ratio": null,
        "seconds": 0.0,
    });
    let absolute = fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf());
    if let Err(error) = oracle.record(&absolute, archive, &options.recording, ORACLE_LIMIT) {
        report["our_error"] = json!(format!("oracle: {error}"));
        report["broken"] = json!(true);
        return report;
    }
    let ended = std::env::current_exe().and_then(|exe| {
        let mut command = Command::new(exe);
        command.arg("compare-one").arg(&absolute).arg(archive);
        command.args(["--parts", &options.recording.parts.join(",")]);
        if options.recording.smooth {
            command.arg("--smooth");
        }
        command.args(options.recording.overrides.arguments());
        run_with_limit(command, OUR_LIMIT)
    });
    let failure = match ended {
        Ok(Ended::Code { success: true, stdout, .. }) => match serde_json::from_str(&stdout) {
            Ok(Value::Object(fields)) => {
                for (key, value) in fields {
                    report[key] = value;
                }
                return report;
            }
            _ => "the child process printed no report".to_owned(),
        },
        Ok(Ended::Code { stderr, .. }) => {
            let panicked = stderr.lines().find(|line| line.contains("panicked"));
            let line = panicked.or(stderr.lines().next()).unwrap_or("no message");
            format!("panic or abort: {line}")
        }
        Ok(Ended::TimedOut) => format!("hang: no result in {} s", OUR_LIMIT.as_secs()),
        Err(error) => format!("cannot start: {error}"),
    };
    report["our_error"] = json!(failure);
    report["broken"] = json!(true);
    report["oracle_loads"] = json!(Archive::open(archive).is_ok_and(|a| a.loads()));
    report
}

/// Work of the child process: loads the model, compares it and returns the report.
#[must_use]
pub fn compare_one(
    file: &Path,
    archive: &Path,
    parts: &[String],
    smooth: bool,
    overrides: Overrides,
) -> Value {
    let archive = match Archive::open(archive) {
        Ok(archive) => archive,
        Err(error) => return json!({ "our_error": error.to_string() }),
    };
    let mut report = json!({
        "oracle_loads": archive.loads(),
        "oracle_version": archive.oracle_version(),
    });
    let loaded = crate::parse(file).and_then(|spec| Ok((spec.compile()?, spec)));
    let (mut model, spec) = match loaded {
        Ok(loaded) => loaded,
        Err(error) => {
            report["our_error"] = json!(error.to_string());
            return report;
        }
    };
    report["we_load"] = json!(true);
    if !archive.loads() {
        return report;
    }
    let wanted = |part: &str| parts.iter().any(|p| p == part);
    if wanted("model") {
        let mut outcome = compare::model(&archive, &model);
        if outcome.agrees() {
            outcome = merge(outcome, compare::round_trip(&spec, &model));
        }
        report["model_ok"] = json!(outcome.agrees());
        report["model_first_diff"] = json!(outcome.differences.first().map(ToString::to_string));
        report["worst_error"] = finite(outcome.worst);
    }
    if smooth {
        use DisableBit::{Contact, Equality, FrictionLoss, Limit};
        for bit in [Contact, Equality, FrictionLoss, Limit] {
            model.opt.disableflags |= bit as i32;
        }
    }
    overrides.apply(&mut model);
    if wanted("stages") {
        stages(&archive, &model, &mut report);
    }
    if wanted("steps") {
        let result = compare::one_step(&archive, &model);
        report["steps_ok"] = json!(result.differing == 0);
        report["steps_compared"] = json!(result.states);
        report["steps_differing"] = json!(result.differing);
        report["steps_ratio"] = finite(result.ratio);
    }
    if wanted("scene") {
        scene(&archive, &model, &mut report);
    }
    if wanted("trajectory") {
        trajectories(&archive, &model, &mut report);
    }
    report["tolerance_scale"] = json!(tolerance::scale());
    report
}

/// Compares the stages and the functions at every recorded state.
fn stages(archive: &Archive, model: &Model, report: &mut Value) {
    let mut outcome = compare::stages(archive, model);
    let of = |difference: &compare::Difference, stage: Stage| difference.stage == stage.function();
    // contacts have their own result, `contacts_ok`
    let after_smooth = |difference: &compare::Difference| {
        of(difference, Stage::Collision) || of(difference, Stage::FwdConstraint)
    };
    report["contacts_ok"] = json!(
        outcome.compared > 0
            && !outcome.differences.iter().any(|difference| of(difference, Stage::Collision))
    );
    report["known"] = json!(outcome.known);
    report["solver_better"] = json!(outcome.lower_cost);
    if outcome.differences.iter().all(after_smooth) {
        outcome = merge(compare::functions(archive, model), outcome);
    }
    report["smooth_ok"] =
        json!(outcome.compared > 0 && outcome.differences.iter().all(after_smooth));
    let first = outcome.differences.first();
    report["stages_ok"] = json!(outcome.agrees() && outcome.compared > 0);
    report["first_stage"] = json!(first.map(|difference| &difference.stage));
    report["first_field"] = json!(first.map(|difference| &difference.field));
    report["worst_error"] = finite(first.map_or(outcome.worst, |difference| difference.error));
    report["stages_detail"] = match first {
        Some(difference) => json!(difference.to_string()),
        None if outcome.compared == 0 => json!(no_states(archive)),
        None => Value::Null,
    };
}

/// Compares the abstract scene and the interaction functions at every recorded state.
fn scene(archive: &Archive, model: &Model, report: &mut Value) {
    let outcome = compare::scene(archive, model);
    let states = archive.count("scene/in/time");
    report["scene_ok"] = json!(outcome.agrees() && states > 0);
    report["scene_cases"] = json!(archive.count("scene/case/state"));
    report["scene_detail"] = match outcome.differences.first() {
        Some(difference) => json!(difference.to_string()),
        None if states == 0 => json!(no_states(archive)),
        None => Value::Null,
    };
    let all = outcome.differences.iter().map(ToString::to_string);
    report["scene_differences"] = json!(all.collect::<Vec<_>>());
    report["worst_error"] = finite(outcome.worst);
}

/// Compares every recorded trajectory and reports the worst.
fn trajectories(archive: &Archive, model: &Model, report: &mut Value) {
    let recorded = |name: &&str| !archive.get(&format!("traj/{name}/steps")).is_empty();
    let names: Vec<&str> = INTEGRATORS.into_iter().chain(["own"]).filter(recorded).collect();
    let (mut agrees, mut worst, mut error) = (!names.is_empty(), 0.0_f64, None);
    for name in names {
        let result = compare::trajectory(archive, model, name);
        agrees &= result.agrees();
        worst = worst.max(result.ratio);
        report["trajectories"][name] = json!({
            "ratio": finite(result.ratio), "step": result.step, "drift": finite(result.drift),
        });
        error = error.or(result.error.map(|error| format!("{name}: {error}")));
    }
    if let Some(outcome) = compare::sleep(archive, model) {
        agrees &= outcome.agrees();
        let first = outcome.differences.first();
        error = error.or(first.map(|difference| format!("from rest: {difference}")));
    }
    report["trajectory_ok"] = json!(agrees);
    report["trajectory_ratio"] = if error.is_some() { Value::Null } else { finite(worst) };
    report["trajectory_error"] = json!(error);
}

/// Reason for a recording without states.
fn no_states(archive: &Archive) -> String {
    match archive.step_error() {
        Some(error) => format!("the oracle cannot step it: {error}"),
        None => "the oracle recorded no states".to_owned(),
    }
}

fn merge(mut a: Outcome, b: Outcome) -> Outcome {
    a.differences.extend(b.differences);
    a.compared += b.compared;
    if b.worst > a.worst {
        (a.worst, a.worst_field) = (b.worst, b.worst_field);
    }
    a
}

/// A JSON number; infinity (different lengths, NaN) becomes 1e300, because JSON has none.
fn finite(x: f64) -> Value {
    json!(if x.is_finite() { x } else { 1e300 })
}

fn version(reports: &[Value]) -> Value {
    reports
        .iter()
        .map(|r| &r["oracle_version"])
        .find(|v| v.is_string())
        .cloned()
        .unwrap_or_default()
}

fn totals(reports: &[Value]) -> Value {
    let is = |report: &Value, key: &str| report[key].as_bool().unwrap_or(false);
    let count = |test: &dyn Fn(&Value) -> bool| reports.iter().filter(|r| test(r)).count();
    let sum = |key: &str| reports.iter().filter_map(|r| r[key].as_u64()).sum::<u64>();
    let mut totals = json!({
        "files": reports.len(),
        "loaded_by_oracle": count(&|r| is(r, "oracle_loads")),
        "loaded_by_us": count(&|r| is(r, "we_load")),
        "rejected_by_both": count(&|r| {
            !is(r, "oracle_loads") && !is(r, "we_load") && !is(r, "broken")
        }),
        "broken": count(&|r| is(r, "broken")),
        "model_ok": count(&|r| is(r, "model_ok")),
        "contacts_ok": count(&|r| is(r, "contacts_ok")),
        "smooth_ok": count(&|r| is(r, "smooth_ok")),
        "stages_ok": count(&|r| is(r, "stages_ok")),
        "trajectory_ok": count(&|r| is(r, "trajectory_ok")),
    });
    if reports.iter().any(|report| report["steps_ok"].is_boolean()) {
        totals["steps_ok"] = json!(count(&|r| is(r, "steps_ok")));
        totals["steps_compared"] = json!(sum("steps_compared"));
        totals["steps_differing"] = json!(sum("steps_differing"));
    }
    if reports.iter().any(|report| report["scene_ok"].is_boolean()) {
        totals["scene_ok"] = json!(count(&|r| is(r, "scene_ok")));
        totals["scene_cases"] = json!(sum("scene_cases"));
    }
    totals
}
