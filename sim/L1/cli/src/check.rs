//! `sim check`: everything wrong or suspicious in a model file.

use crate::Failure;
use clap::Args;
use sim_physics::mjcf::{Errors, Warning, parse_file};
use sim_physics::{Model, mj_forward};
use std::path::PathBuf;

/// Options of `sim check`.
#[derive(Args)]
pub(crate) struct Check {
    /// MJCF files.
    #[arg(required = true)]
    models: Vec<PathBuf>,
    /// Count warnings as errors.
    #[arg(long)]
    strict: bool,
}

impl Check {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let (mut errors, mut warnings) = (0, 0);
        for path in &self.models {
            match check(path) {
                Ok((model, found)) => {
                    found.iter().for_each(|warning| say!("{warning}"));
                    warnings += found.len();
                    say!("{}: {}", path.display(), summary(&model));
                }
                Err(found) => {
                    found.iter().for_each(|error| say!("{error}"));
                    errors += found.iter().count();
                }
            }
        }
        let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let total = format!("{}, {}", count(errors, "error"), count(warnings, "warning"));
        if errors > 0 || (self.strict && warnings > 0) {
            return Err(total.into());
        }
        say!("{total}");
        Ok(())
    }
}

/// Compiles a model and collects what is worth a second look.
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

/// What the model is, and whether it can be simulated.
fn summary(m: &Model) -> String {
    let contents = format!(
        "{} bodies, {} joints, {} geoms, {} actuators, {} sensors",
        m.nbody - 1,
        m.njnt,
        m.ngeom,
        m.nu,
        m.nsensor
    );
    let mut data = m.make_data();
    match mj_forward(m, &mut data) {
        Ok(()) => contents,
        Err(reason) => format!("{contents}; compiles, but cannot be simulated yet: {reason}"),
    }
}
