//! `sim check`: all errors and warnings in model files.

use crate::Failure;
use crate::format::count;
use clap::Args;
use serde_json::{Value, json};
use sim_physics::urdf::{Error, Errors, Warning, parse_file};
use sim_physics::{Model, mj_forward};
use std::path::PathBuf;

/// Arguments of `sim check`.
#[derive(Args)]
pub(crate) struct Check {
    /// MJCF and URDF files.
    #[arg(required = true)]
    models: Vec<PathBuf>,
    /// Fail on warnings, too.
    #[arg(long)]
    strict: bool,
    /// Print JSON: for each file its errors and warnings, with their locations.
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let (mut errors, mut warnings, mut reports) = (0, 0, Vec::new());
        for path in &self.models {
            let (lines, found) = match check(path) {
                Ok((model, found)) => {
                    warnings += found.len();
                    let mut lines: Vec<String> = found.iter().map(ToString::to_string).collect();
                    lines.push(format!("{}: {}", path.display(), summary(&model)));
                    let rows: Vec<Value> = found.iter().map(warning).collect();
                    (lines, json!({ "file": path, "errors": [], "warnings": rows }))
                }
                Err(found) => {
                    errors += found.iter().count();
                    let rows: Vec<Value> = found.iter().map(error).collect();
                    let lines = found.iter().map(ToString::to_string).collect();
                    (lines, json!({ "file": path, "errors": rows, "warnings": [] }))
                }
            };
            if !self.json {
                lines.iter().for_each(|line| outln!("{line}"));
            }
            reports.push(found);
        }
        if self.json {
            outln!("{}", Value::from(reports));
        }
        let total = format!("{}, {}", count(errors, "error"), count(warnings, "warning"));
        if errors > 0 || (self.strict && warnings > 0) {
            return Err(total.into());
        }
        if !self.json {
            outln!("{total}");
        }
        Ok(())
    }
}

/// An error as JSON.
fn error(error: &Error) -> Value {
    json!({
        "file": error.location.file, "line": error.location.line,
        "column": error.location.column, "text": error.to_string(),
    })
}

/// A warning as JSON.
fn warning(warning: &Warning) -> Value {
    json!({
        "file": warning.location.file, "line": warning.location.line,
        "column": warning.location.column, "text": warning.to_string(),
    })
}

/// Compiles a model and collects its warnings, sorted by location.
fn check(path: &PathBuf) -> Result<(Model, Vec<Warning>), Errors> {
    let spec = parse_file(path)?;
    let loaded = spec.compile_with_warnings()?;
    let mut warnings = loaded.warnings;
    warnings.extend(spec.lint());
    warnings.sort_by(|a, b| {
        let key = |w: &Warning| (w.location.file.clone(), w.location.line, w.location.column);
        key(a).cmp(&key(b))
    });
    Ok((loaded.model, warnings))
}

/// Contents of the model, and whether it can be simulated.
fn summary(m: &Model) -> String {
    let contents = [
        count(m.nbody - 1, "body"),
        count(m.njnt, "joint"),
        count(m.ngeom, "geom"),
        count(m.nu, "actuator"),
        count(m.nsensor, "sensor"),
    ]
    .join(", ");
    let mut data = m.make_data();
    match mj_forward(m, &mut data) {
        Ok(()) => contents,
        Err(reason) => format!("{contents}; compiles, but cannot be simulated: {reason}"),
    }
}
