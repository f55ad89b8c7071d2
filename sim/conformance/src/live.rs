//! Live mode: compares every MJCF and URDF file below a folder with the running oracle.
//!
//! The oracle and our engine run in worker processes that handle one file after the other, so that a panic,
//! an abort or a hang is reported for that file and the run continues.

use crate::compare::{self, Outcome};
use crate::golden::INTEGRATORS;
use crate::oracle::{Oracle, OracleError, Overrides, Recorder, Recording};
use crate::worker::{Answer, Worker};
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
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time limit of our engine for one file.
const OUR_LIMIT: Duration = Duration::from_secs(60);
/// Time limit of the oracle for one file.
const ORACLE_LIMIT: Duration = Duration::from_secs(300);

/// Folder below the temporary one, of recordings with a larger sample of perturbed runs.
const RESAMPLED: &str = "resampled";

/// Compares files with the oracle; its worker processes stay alive between files.
pub struct Session {
    oracle: Oracle,
    recording: Recording,
    temp: PathBuf,
    idle: Mutex<Vec<Workers>>,
    archives: AtomicUsize,
}

/// Processes that handle one file at a time.
struct Workers {
    recorder: Recorder,
    ours: Worker,
    parts: Vec<String>,
    /// Folder of recordings with a larger sample of perturbed runs.
    resampled: PathBuf,
}

/// Compares every file at or below the paths; returns the report: `oracle_version`, `totals` and `files`.
///
/// # Errors
/// When a path cannot be read, or temporary files cannot be written.
pub fn run(
    oracle: &Oracle,
    recording: Recording,
    temp: &Path,
    paths: &[PathBuf],
) -> io::Result<Value> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, &mut files)?;
    }
    files.sort();
    files.dedup();
    let report = Session::new(oracle, recording, temp)?.compare(&files);
    // ignored: a remaining folder only takes disk space
    let _ = fs::remove_dir_all(temp);
    Ok(report)
}

impl Session {
    /// A session whose temporary archives are written to `temp`, which is created.
    ///
    /// # Errors
    /// When the folder cannot be created.
    pub fn new(oracle: &Oracle, recording: Recording, temp: &Path) -> io::Result<Self> {
        fs::create_dir_all(temp.join(RESAMPLED))?;
        Ok(Self {
            oracle: oracle.clone(),
            recording,
            temp: temp.to_path_buf(),
            idle: Mutex::new(Vec::new()),
            archives: AtomicUsize::new(0),
        })
    }

    /// Compares files, several at a time; returns the report: `oracle_version`, `totals` and `files`.
    pub fn compare(&self, files: &[PathBuf]) -> Value {
        let bar = ProgressBar::new(files.len() as u64).with_style(
            ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed_precise} {wide_msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        let reports: Vec<Value> = files
            .par_iter()
            .map(|file| {
                bar.set_message(file.display().to_string());
                let report = self.compare_file(file);
                bar.inc(1);
                report
            })
            .collect();
        bar.finish_and_clear();
        let (version, totals) = (version(&reports), totals(&reports));
        json!({ "oracle_version": version, "totals": totals, "files": reports })
    }

    /// Compares one file with idle workers; returns its entry of the report.
    pub fn compare_file(&self, file: &Path) -> Value {
        let number = self.archives.fetch_add(1, Ordering::Relaxed);
        let archive = self.temp.join(format!("{number}.npz"));
        let report = self.compare_into(file, &archive, true);
        // ignored: a remaining archive only takes disk space
        let _ = fs::remove_file(&archive);
        report
    }

    /// Like [`compare_file`](Self::compare_file), with the recording in `archive`; `resample` decides whether
    /// parts that differ are compared again with a larger sample.
    pub(crate) fn compare_into(&self, file: &Path, archive: &Path, resample: bool) -> Value {
        let start = Instant::now();
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
        });
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle.map_or_else(|| self.start(), Ok) {
            Ok(mut workers) => {
                workers.compare(file, archive, resample, &mut report);
                self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(workers);
            }
            Err(error) => {
                report["our_error"] = json!(format!("cannot start: {error}"));
                report["broken"] = json!(true);
            }
        }
        report["seconds"] = json!(start.elapsed().as_secs_f64());
        report
    }

    fn start(&self) -> io::Result<Workers> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("compare-files");
        if self.recording.smooth {
            command.arg("--smooth");
        }
        command.args(self.recording.overrides.arguments());
        let recorder = self.oracle.recorder(&self.recording, &self.temp);
        let (parts, resampled) = (self.recording.parts.clone(), self.temp.join(RESAMPLED));
        Ok(Workers { recorder, ours: Worker::new(command), parts, resampled })
    }
}

impl Workers {
    /// Records one file with the oracle, then compares it with our engine.
    fn compare(&mut self, file: &Path, archive: &Path, resample: bool, report: &mut Value) {
        let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf());
        if let Err(error) = self.recorder.record(&file, archive, ORACLE_LIMIT) {
            // our engine still has to load the file, or reject it, without a panic
            report["oracle_error"] = json!(error.to_string());
            if matches!(error, OracleError::Start(_) | OracleError::Missing(_)) {
                report["broken"] = json!(true);
            }
        }
        let parts = self.parts.clone();
        if let Err(failure) = self.ask(&file, archive, &parts, report) {
            report["our_error"] = json!(failure);
            report["broken"] = json!(true);
            report["oracle_loads"] = json!(Archive::open(archive).is_ok_and(|a| a.loads()));
            return;
        }
        if !resample {
            return;
        }
        let results = [
            ("model", "model_ok"),
            ("stages", "stages_ok"),
            ("steps", "steps_ok"),
            ("trajectory", "trajectory_ok"),
        ];
        for (part, key) in results {
            let compares = |part: &str| parts.iter().any(|p| p == part);
            let recorded = compares(part) && report["oracle_error"].is_null();
            let differs = |key: &str| report[key] == json!(false);
            let loaded = report["oracle_loads"] == json!(true) && report["we_load"] == json!(true);
            // if the models differ, larger samples of the later parts cannot help
            let hopeless = part != "model" && compares("model") && differs("model_ok");
            if recorded && loaded && differs(key) && !hopeless {
                self.resample(&file, archive, part, report);
            }
        }
    }

    /// Compares a part that differs again, with a larger sample of the oracle's perturbed runs: a few runs can
    /// miss an event that rounding decides. The new recording has the same file name in another folder.
    fn resample(&mut self, file: &Path, archive: &Path, part: &str, report: &mut Value) {
        let archive = self.resampled.join(archive.file_name().unwrap_or_default());
        if self.recorder.resample(file, &archive, part, ORACLE_LIMIT).is_ok()
            && self.ask(file, &archive, &[part.to_owned()], report).is_ok()
        {
            report["resampled"] = json!(true);
        }
        // ignored: a remaining archive only takes disk space
        let _ = fs::remove_file(&archive);
    }

    /// Compares parts of a file with an archive and adds the results to the report.
    fn ask(
        &mut self,
        file: &Path,
        archive: &Path,
        parts: &[String],
        report: &mut Value,
    ) -> Result<(), String> {
        let request = json!([file, archive, parts]).to_string();
        match self.ours.ask(&request, OUR_LIMIT) {
            Ok(Answer::Line(line)) => match serde_json::from_str(&line) {
                Ok(Value::Object(fields)) => {
                    for (key, value) in fields {
                        match (&mut report[&key], value) {
                            // arrays that other parts skipped remain in the list
                            (Value::Array(all), Value::Array(some)) if key == SKIPPED => {
                                all.extend(some);
                            }
                            (old, value) => *old = value,
                        }
                    }
                    Ok(())
                }
                _ => Err("the child process printed no report".to_owned()),
            },
            Ok(Answer::Ended { stderr }) => {
                let panicked = stderr.lines().find(|line| line.contains("panicked"));
                let line = panicked.or(stderr.lines().next()).unwrap_or("no message");
                Err(format!("panic or abort: {line}"))
            }
            Ok(Answer::TimedOut) => Err(format!("hang: no result in {} s", OUR_LIMIT.as_secs())),
            Err(error) => Err(format!("cannot start: {error}")),
        }
    }
}

/// Every `.xml` and `.urdf` file at or below `path`.
pub(crate) fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
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

/// Answers requests of a [`Session`] on standard input, the JSON list `[file, archive, parts]`, with one line
/// of JSON each.
///
/// # Errors
/// When a request cannot be read.
pub fn serve(smooth: bool, overrides: Overrides) -> io::Result<()> {
    for line in io::stdin().lines() {
        let (file, archive, parts): (PathBuf, PathBuf, Vec<String>) = serde_json::from_str(&line?)?;
        println!("{}", compare_one(&file, &archive, &parts, smooth, overrides));
    }
    Ok(())
}

/// Work of our worker process: loads the model, compares it and returns the report. Without an archive the
/// model is only loaded.
fn compare_one(
    file: &Path,
    archive: &Path,
    parts: &[String],
    smooth: bool,
    overrides: Overrides,
) -> Value {
    let archive = match archive.is_file().then(|| Archive::open(archive)).transpose() {
        Ok(archive) => archive,
        Err(error) => return json!({ "our_error": error.to_string(), "broken": true }),
    };
    let mut report = json!({});
    if let Some(archive) = &archive {
        report["oracle_loads"] = json!(archive.loads());
        report["oracle_version"] = json!(archive.oracle_version());
    }
    let loaded = crate::parse(file).and_then(|spec| Ok((spec.compile()?, spec)));
    let (mut model, spec) = match loaded {
        Ok(loaded) => loaded,
        Err(error) => {
            report["our_error"] = json!(error.to_string());
            return report;
        }
    };
    report["we_load"] = json!(true);
    let Some(archive) = archive.filter(Archive::loads) else { return report };
    report["legacy_ccd"] = json!(archive.legacy_ccd());
    if let Some(error) = archive.step_error() {
        report["oracle_error"] = json!(format!("the oracle cannot step it: {error}"));
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
        add_skipped(&mut report, &outcome);
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
        report["steps_known"] = json!(result.known);
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
    add_skipped(report, &outcome);
    let first = outcome.differences.first();
    report["stages_ok"] = json!(outcome.agrees() && outcome.compared > 0);
    report["first_stage"] = json!(first.map(|difference| &difference.stage));
    report["first_field"] = json!(first.map(|difference| &difference.field));
    report["worst_error"] = finite(first.map_or(outcome.worst, |difference| difference.error));
    report["stages_detail"] = match first {
        Some(difference) => json!(difference.to_string()),
        None if outcome.compared == 0 => json!("the oracle recorded no states"),
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
        None if states == 0 => json!("the oracle recorded no states"),
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

/// Name in the report of a file: arrays that the release of the recording does not have.
pub(crate) const SKIPPED: &str = "skipped_fields";

/// Adds the arrays that the release of the recording does not have to the report.
fn add_skipped(report: &mut Value, outcome: &Outcome) {
    if outcome.skipped.is_empty() {
        return;
    }
    let mut names: Vec<Value> = report[SKIPPED].as_array().cloned().unwrap_or_default();
    names.extend(outcome.skipped.iter().map(|name| json!(name)));
    report[SKIPPED] = json!(names);
}

fn merge(mut a: Outcome, b: Outcome) -> Outcome {
    a.differences.extend(b.differences);
    a.skipped.extend(b.skipped);
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
    // the oracle crashed or did not finish, so that there is nothing to compare, or only the model
    let failed = |report: &Value| report["oracle_error"].is_string();
    let sum = |key: &str| reports.iter().filter_map(|r| r[key].as_u64()).sum::<u64>();
    let mut totals = json!({
        "files": reports.len(),
        "loaded_by_oracle": count(&|r| is(r, "oracle_loads")),
        "loaded_by_us": count(&|r| is(r, "we_load")),
        "rejected_by_both": count(&|r| {
            !is(r, "oracle_loads") && !is(r, "we_load") && !is(r, "broken") && !failed(r)
        }),
        "broken": count(&|r| is(r, "broken")),
        "oracle_failed": count(&failed),
        "legacy_ccd": count(&|r| is(r, "legacy_ccd")),
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
        totals["steps_known"] = json!(sum("steps_known"));
    }
    if reports.iter().any(|report| report["scene_ok"].is_boolean()) {
        totals["scene_ok"] = json!(count(&|r| is(r, "scene_ok")));
        totals["scene_cases"] = json!(sum("scene_cases"));
    }
    totals
}
