//! Runs the oracle: a Python interpreter with MuJoCo in a separate process.

use crate::worker::{Answer, Worker, read_all};
use crate::{REFERENCE, home};
use serde_json::json;
use sim_core::Model;
use sim_core::types::{Cone, Integrator, SolverType};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A Python interpreter that can import MuJoCo.
#[derive(Debug, Clone)]
pub struct Oracle {
    python: PathBuf,
}

/// Error of running the oracle.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// The interpreter does not exist.
    #[error(
        "no oracle at {0}; run `cargo xtask oracle [--version VERSION]`, or set SIM_ORACLE_PYTHON"
    )]
    Missing(String),
    /// The process could not be started.
    #[error("cannot start the oracle: {0}")]
    Start(#[from] std::io::Error),
    /// The process ended without writing its result.
    #[error("the oracle failed: {0}")]
    Failed(String),
    /// The process exceeded its time limit.
    #[error("the oracle did not finish in {0} s")]
    TimedOut(u64),
}

/// Contents of a recording.
#[derive(Debug, Clone)]
pub struct Recording {
    /// Number of random states.
    pub states: usize,
    /// Length of a trajectory.
    pub steps: usize,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Record trajectories of every integrator instead of the model's only.
    pub all_integrators: bool,
    /// Parts to record: `model`, `stages`, `flags`, `steps`, `scene`, `trajectory`.
    pub parts: Vec<String>,
    /// Disable contacts, limits, equality constraints and dry friction.
    pub smooth: bool,
    /// Options that replace the model's.
    pub overrides: Overrides,
    /// Compress the archive.
    pub compress: bool,
    /// Folder of recordings of another release; the states are those of the recording of the same file
    /// name, instead of random ones.
    pub inputs: Option<PathBuf>,
}

/// Options that replace the model's.
#[derive(Debug, Clone, Copy, Default)]
pub struct Overrides {
    /// The solver.
    pub solver: Option<SolverType>,
    /// The friction cone.
    pub cone: Option<Cone>,
    /// The integrator.
    pub integrator: Option<Integrator>,
}

impl Overrides {
    /// The overrides as command-line arguments of the oracle.
    #[must_use]
    pub fn arguments(&self) -> Vec<String> {
        let solver = self.solver.map(|solver| format!("--solver={solver:?}"));
        let cone = self.cone.map(|cone| format!("--cone={cone:?}"));
        let integrator = self.integrator.map(|integrator| format!("--integrator={integrator:?}"));
        solver.into_iter().chain(cone).chain(integrator).map(|text| text.to_lowercase()).collect()
    }

    /// Applies the overrides to a model.
    pub fn apply(&self, model: &mut Model) {
        model.opt.solver = self.solver.unwrap_or(model.opt.solver);
        model.opt.cone = self.cone.unwrap_or(model.opt.cone);
        model.opt.integrator = self.integrator.unwrap_or(model.opt.integrator);
    }
}

impl Oracle {
    /// The interpreter named by `SIM_ORACLE_PYTHON`, or the one that `cargo xtask oracle` created.
    ///
    /// # Errors
    /// [`OracleError::Missing`] when there is none.
    pub fn find() -> Result<Self, OracleError> {
        let python = std::env::var_os("SIM_ORACLE_PYTHON")
            .map_or_else(|| home().join("../../target/oracle/bin/python"), PathBuf::from);
        Self::at(python)
    }

    /// The interpreter with a release of MuJoCo; for another release than [`REFERENCE`], the one that
    /// `cargo xtask oracle --version VERSION` created.
    ///
    /// # Errors
    /// [`OracleError::Missing`] when there is none.
    pub fn of_version(version: &str) -> Result<Self, OracleError> {
        if version == REFERENCE {
            return Self::find();
        }
        Self::at(home().join(format!("../../target/oracle-{version}/bin/python")))
    }

    fn at(python: PathBuf) -> Result<Self, OracleError> {
        if python.is_file() {
            Ok(Self { python })
        } else {
            Err(OracleError::Missing(python.display().to_string()))
        }
    }

    /// A command that runs a script of the oracle's folder.
    #[must_use]
    pub fn script(&self, name: &str) -> Command {
        let mut command = Command::new(&self.python);
        command.arg(home().join("oracle").join(name));
        command
    }

    /// A process that records models; MuJoCo writes its log file to `folder`.
    #[must_use]
    pub fn recorder(&self, what: &Recording, folder: &Path) -> Recorder {
        let mut command = self.script("oracle.py");
        command.arg("serve").current_dir(folder);
        command.args(["--states", &what.states.to_string(), "--steps", &what.steps.to_string()]);
        command.args(["--seed", &what.seed.to_string()]);
        command.args(["--integrators", if what.all_integrators { "all" } else { "own" }]);
        if what.smooth {
            command.arg("--smooth");
        }
        command.args(what.overrides.arguments());
        if what.compress {
            command.arg("--compress");
        }
        if let Some(folder) = &what.inputs {
            command.arg("--inputs").arg(folder);
        }
        Recorder { worker: Worker::new(command), parts: what.parts.clone() }
    }

    /// Records the math functions into the archive `out`.
    ///
    /// # Errors
    /// As [`Recorder::record`].
    pub fn record_functions(&self, out: &Path, limit: Duration) -> Result<(), OracleError> {
        let mut command = self.script("functions.py");
        command.arg(out);
        write(command, out, limit)
    }

    /// Records the contacts of pairs of shapes at random poses into the archive `out`.
    ///
    /// # Errors
    /// As [`Recorder::record`].
    pub fn record_pairs(
        &self,
        out: &Path,
        poses: usize,
        seed: u64,
        limit: Duration,
    ) -> Result<(), OracleError> {
        let mut command = self.script("pairs.py");
        command.arg(out).arg("--compress");
        command.args(["--poses", &poses.to_string(), "--seed", &seed.to_string()]);
        write(command, out, limit)
    }

    /// Records the convex hulls of the models of `folder` into the archive `out`.
    ///
    /// # Errors
    /// As [`Recorder::record`].
    pub fn record_hulls(
        &self,
        folder: &Path,
        out: &Path,
        limit: Duration,
    ) -> Result<(), OracleError> {
        let mut command = self.script("hulls.py");
        command.arg(folder).arg(out);
        write(command, out, limit)
    }

    /// Records images of a model into the archive `out`.
    ///
    /// # Errors
    /// As [`record`](Recorder::record).
    pub fn record_images(
        &self,
        model: &Path,
        out: &Path,
        size: [u32; 2],
        limit: Duration,
    ) -> Result<(), OracleError> {
        let mut command = self.script("images.py");
        command.arg(model).arg(out);
        command.args(["--width", &size[0].to_string(), "--height", &size[1].to_string()]);
        write(command, out, limit)
    }

    /// Records pairs of convex geoms at random poses into a folder.
    ///
    /// # Errors
    /// As [`Recorder::record`].
    pub fn record_convex(
        &self,
        folder: &Path,
        poses: usize,
        seed: u64,
        filter: &str,
        time: bool,
        limit: Duration,
    ) -> Result<(), OracleError> {
        let mut command = self.script("convex.py");
        command.arg(folder).args(["--poses", &poses.to_string(), "--seed", &seed.to_string()]);
        command.args(["--filter", filter]).current_dir(folder);
        if time {
            command.arg("--time");
        }
        match run_with_limit(command, limit)? {
            Ended::TimedOut => Err(OracleError::TimedOut(limit.as_secs())),
            Ended::Code { success: true, .. } => Ok(()),
            Ended::Code { stderr, .. } => {
                Err(OracleError::Failed(stderr.lines().last().unwrap_or("no message").to_owned()))
            }
        }
    }
}

/// Number of perturbed runs from which the sensitivity of a result is determined.
const PERTURBATIONS: usize = 5;
/// Number of perturbed runs where our result differs by more than the first sample allows.
const RESAMPLED: usize = 60;

/// A process of the oracle that records one model after the other.
pub struct Recorder {
    worker: Worker,
    parts: Vec<String>,
}

impl Recorder {
    /// Records `model` into the archive `out`.
    ///
    /// # Errors
    /// When the oracle cannot be run, fails, or does not finish within `limit`.
    pub fn record(&mut self, model: &Path, out: &Path, limit: Duration) -> Result<(), OracleError> {
        let request = json!([model, out, self.parts, PERTURBATIONS]);
        self.request(&request.to_string(), out, limit)
    }

    /// Records one part again, with a larger sample of perturbed runs.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub(crate) fn resample(
        &mut self,
        model: &Path,
        out: &Path,
        part: &str,
        limit: Duration,
    ) -> Result<(), OracleError> {
        let request = json!([model, out, [part], RESAMPLED]);
        self.request(&request.to_string(), out, limit)
    }

    /// Sends a request. A process that fails after other models is replaced by a new one for a second
    /// attempt, so that errors of earlier models have no effect.
    fn request(&mut self, request: &str, out: &Path, limit: Duration) -> Result<(), OracleError> {
        let first = self.worker.answered() == 0;
        let answer = match self.worker.ask(request, limit)? {
            Answer::Ended { .. } if !first => self.worker.ask(request, limit)?,
            answer => answer,
        };
        match answer {
            // an empty answer reports success
            Answer::Line(error) if error.is_empty() && out.is_file() => Ok(()),
            Answer::Line(error) => Err(OracleError::Failed(error)),
            Answer::Ended { stderr } => {
                Err(OracleError::Failed(stderr.trim().lines().last().unwrap_or_default().into()))
            }
            Answer::TimedOut => Err(OracleError::TimedOut(limit.as_secs())),
        }
    }
}

/// Runs a script that writes `out`.
fn write(mut command: Command, out: &Path, limit: Duration) -> Result<(), OracleError> {
    // MuJoCo writes a log file to its working directory
    if let Some(folder) = out.parent() {
        command.current_dir(folder);
    }
    let outcome = run_with_limit(command, limit)?;
    match outcome {
        Ended::TimedOut => Err(OracleError::TimedOut(limit.as_secs())),
        Ended::Code { success: true, .. } if out.is_file() => Ok(()),
        Ended::Code { stderr, .. } => {
            let last = stderr.lines().last().unwrap_or("no message").to_owned();
            Err(OracleError::Failed(last))
        }
    }
}

/// End of a child process.
pub(crate) enum Ended {
    /// The process exited.
    Code {
        /// Whether its exit status was zero.
        success: bool,
        /// Its standard error.
        stderr: String,
    },
    /// The process was killed after the time limit.
    TimedOut,
}

/// Runs a command to its end, or kills it after `limit`.
pub(crate) fn run_with_limit(mut command: Command, limit: Duration) -> std::io::Result<Ended> {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let _stdout = child.stdout.take().map(read_all);
    let stderr = child.stderr.take().map(read_all);
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(Ended::TimedOut);
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let text = |reader: Option<std::thread::JoinHandle<String>>| {
        reader.and_then(|thread| thread.join().ok()).unwrap_or_default()
    };
    Ok(Ended::Code { success: status.success(), stderr: text(stderr) })
}

#[cfg(test)]
mod tests {
    use super::{Ended, run_with_limit};
    use std::process::Command;
    use std::time::Duration;

    fn shell(script: &str, limit: u64) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run_with_limit(command, Duration::from_millis(limit)).unwrap()
    }

    #[test]
    fn hanging_child_is_killed() {
        assert!(matches!(shell("sleep 20", 50), Ended::TimedOut));
    }

    #[test]
    fn failing_child_is_reported_with_its_message() {
        let ended = shell("echo panicked at x >&2; exit 3", 10_000);
        assert!(
            matches!(ended, Ended::Code { success: false, stderr } if stderr.contains("panicked"))
        );
    }

    #[test]
    fn child_with_large_output_does_not_block() {
        let ended = shell("yes | head -c 1000000; yes | head -c 1000000 >&2", 10_000);
        assert!(
            matches!(ended, Ended::Code { success: true, stderr } if stderr.len() == 1_000_000)
        );
    }
}
