//! Conformance of the GPU backend: every model is stepped on the device and compared with the CPU engine, which is
//! compared with MuJoCo by the other modes.

use crate::live::collect;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use sim_core::types::SolverType;
use sim_core::{Model, mj_forward};
use sim_gpu::{
    AdapterSelection, CompareError, Context, GpuBatch, GpuBatchError, Options, Precision,
    compare_step, random_state, supports,
};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Largest difference of a field in double precision, relative to its largest value.
const BOUND: f64 = 1e-10;
/// The same for CG, which stops slightly before the minimum.
const BOUND_CG: f64 = 1e-6;

/// Options of a run.
#[derive(Debug, Clone)]
pub struct Run {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// Random states of each model.
    pub states: usize,
    /// Steps in single precision.
    pub steps: usize,
    /// Whether models are only checked for features that kernels do not support, without a device.
    pub support_only: bool,
    /// Whether kernels have one lane, which software drivers compile faster.
    pub one_lane: bool,
}

/// Compares every model; returns the report.
///
/// # Errors
/// When files cannot be read, or there is no GPU driver.
pub fn run(options: &Run) -> io::Result<Value> {
    let mut files = Vec::new();
    for path in &options.paths {
        collect(path, &mut files)?;
    }
    files.sort();
    files.dedup();
    let connect = || match options.support_only {
        true => Ok(None),
        false => Context::new(&AdapterSelection::from_env()).map(Some).map_err(io::Error::other),
    };
    let mut context = connect()?;
    let bar = ProgressBar::new(files.len() as u64);
    let mut reports = Vec::new();
    for file in &files {
        bar.set_message(file.display().to_string());
        let report = check(context.as_ref(), file, options);
        if report["gpu_error"].is_string() {
            // the device may be lost
            context = connect()?;
        }
        bar.suspend(|| println!("{}", summary(&report)));
        reports.push(report);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let adapter = context.as_ref().map_or("none", |context| context.name());
    Ok(json!({ "adapter": adapter, "totals": totals(&reports), "files": reports }))
}

/// One line about a file.
fn summary(report: &Value) -> String {
    let text = |key: &str| report[key].as_str().unwrap_or_default().replace('\n', " ");
    let result = match (&report["we_load"], &report["gpu_runs"], &report["stages_ok"]) {
        (Value::Bool(false), ..) => "not loaded",
        (_, Value::Bool(false), _) => "refused   ",
        (.., Value::Bool(true)) => "agrees    ",
        (.., Value::Bool(false)) => "differs   ",
        _ => "supported ",
    };
    let why = [text("our_error"), text("gpu_error"), text("first_field")].concat();
    format!(
        "{result} {:7.1e} {} {why}",
        report["worst_error"].as_f64().unwrap_or(0.0),
        text("path")
    )
}

fn totals(reports: &[Value]) -> Value {
    let count = |key: &str| reports.iter().filter(|r| r[key] == json!(true)).count();
    json!({
        "files": reports.len(),
        "loaded_by_us": count("we_load"),
        "gpu_runs": count("gpu_runs"),
        "stages_ok": count("stages_ok"),
        "single_ok": count("single_ok"),
    })
}

fn check(context: Option<&Context>, file: &Path, run: &Run) -> Value {
    let start = Instant::now();
    let mut report = json!({ "path": file.display().to_string(), "we_load": false });
    let model = match crate::parse(file).and_then(|spec| spec.compile()) {
        Ok(model) => model,
        Err(error) => {
            report["our_error"] = json!(error.to_string());
            return report;
        }
    };
    report["we_load"] = json!(true);
    let supported = supports(&model, &Options::default());
    report["gpu_runs"] = json!(supported.is_ok());
    match (supported, context) {
        (Err(error), _) => report["gpu_error"] = json!(error.to_string()),
        (Ok(()), Some(context)) => {
            // a driver that fails to compile the kernel in double precision may lose the device
            single(context, &model, run, &mut report);
            compare(context, &model, run, &mut report);
        }
        (Ok(()), None) => {}
    }
    report["seconds"] = json!(start.elapsed().as_secs_f64());
    report
}

/// One step in double precision from random states.
fn compare(context: &Context, m: &Model, run: &Run, report: &mut Value) {
    let bound = if m.opt.solver == SolverType::Cg { BOUND_CG } else { BOUND };
    let Some((contacts, rows)) = needed_capacity(m, run.states) else {
        report["stages_ok"] = json!(false);
        report["gpu_error"] = json!("the CPU engine cannot step it");
        return;
    };
    let options = Options {
        precision: Precision::Double,
        contacts: Some(contacts),
        rows: Some(rows),
        // kernels in double precision with many lanes exceed the compilers of GPU drivers; software drivers end loops
        // after 65536 iterations, which CG exceeds with one lane
        one_lane: run.one_lane || m.opt.solver != SolverType::Cg,
        ..Options::default()
    };
    match compare_step(context, m, run.states, &options) {
        Ok(result) => {
            let (field, error) = result.worst_field().unwrap_or(("", 0.0));
            let ok = error < bound;
            report["stages_ok"] = json!(ok);
            report["worst_error"] = json!(error);
            report["nefc"] = json!(result.rows);
            if !ok {
                report["first_field"] = json!(field);
            }
        }
        Err(CompareError::Gpu(error @ GpuBatchError::TooLarge { .. })) => {
            report["gpu_runs"] = json!(false);
            report["gpu_error"] = json!(error.to_string());
        }
        Err(error) => {
            report["stages_ok"] = json!(false);
            report["gpu_error"] = json!(error.to_string());
        }
    }
}

/// Most contacts and constraint rows of the states that are compared.
fn needed_capacity(m: &Model, states: usize) -> Option<(usize, usize)> {
    let mut most = (1, 1);
    for seed in 0..states as u64 {
        let mut d = random_state(m, seed);
        mj_forward(m, &mut d).ok()?;
        most = (most.0.max(d.ncon + 4), most.1.max(d.nefc + 16));
    }
    Some(most)
}

/// Steps in single precision from the reference configuration, which must not overflow or diverge.
fn single(context: &Context, m: &Model, run: &Run, report: &mut Value) {
    let steps = || -> Result<bool, GpuBatchError> {
        let options = Options { one_lane: run.one_lane, ..Options::default() };
        let mut batch = GpuBatch::new(context, m, run.states, &options)?;
        batch.step(run.steps)?;
        let info = batch.info()?;
        let bad = |flags: sim_gpu::Flags| flags.contacts || flags.rows || flags.diverged;
        Ok(!info.iter().any(|info| bad(info.flags)))
    };
    match steps() {
        Ok(ok) => report["single_ok"] = json!(ok),
        Err(error) => {
            report["gpu_runs"] = json!(false);
            report["gpu_error"] = json!(error.to_string());
        }
    }
}
