//! Interleaved timing: batches of our engine and of MuJoCo alternate.

use crate::scene::Scene;
use crate::{Controls, advance, single_thread};
use serde_json::{Value, json};
use sim_conformance::{Archive, Oracle, Overrides};
use sim_core::types::StepError;
use sim_core::{Data, Model};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Instant;

/// Minimum and maximum number of rounds; the result is the median.
const ROUNDS: [usize; 2] = [9, 41];
/// Time after which no round beyond the minimum is started, s.
const TIME_LIMIT: f64 = 6.0;
/// The same for models found in a folder, and the duration of a batch of MuJoCo, s.
const SHORT_ROUNDS: [usize; 2] = [11, 11];
const SHORT_BATCH: f64 = 0.04;
/// Steps before timing.
const WARM_UP: usize = 500;

/// Error of a measurement.
pub type Failure = Box<dyn std::error::Error>;

/// Options of both engines.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Number of environments stepped concurrently.
    pub threads: usize,
    /// Options that replace the model's.
    pub overrides: Overrides,
}

/// Times one scene, interleaved with MuJoCo if `oracle` is given.
///
/// # Errors
/// When the model does not load or step, or the oracle fails.
pub fn measure(
    scene: &Scene,
    oracle: Option<&Oracle>,
    options: &Options,
    temp: &Path,
) -> Result<Value, Failure> {
    let file = scene.file(temp)?;
    let mut model = sim_conformance::parse(&file)?.compile()?;
    if scene.is_optional() && model.nv == 0 {
        return Err("the model has no degrees of freedom".into());
    }
    options.overrides.apply(&mut model);
    let threads = options.threads.max(1);
    let mut mujoco = oracle
        .map(|oracle| Mujoco::start_steps(oracle, scene, options, &file, temp))
        .transpose()?;
    let (start, controls) = match &mujoco {
        Some(mujoco) => mujoco.state(&model),
        None => own_state(&model, scene)?,
    };
    let batch_steps = mujoco.as_ref().and_then(Mujoco::batch_steps).unwrap_or(scene.batch());
    let rounds = if scene.is_optional() { SHORT_ROUNDS } else { ROUNDS };

    let worker = || Ok(Worker { data: start.clone(), pool: single_thread()? });
    let mut workers = (0..threads).map(|_| worker()).collect::<Result<Vec<_>, Failure>>()?;
    let mut ours = Vec::new();
    let mut theirs = Vec::new();
    let clock = Instant::now();
    // round 0 is the warm-up
    for round in 0..=rounds[1] {
        if round > rounds[0] && clock.elapsed().as_secs_f64() > TIME_LIMIT {
            break;
        }
        let seconds = batch(&model, &start, &mut workers, &controls, batch_steps)?;
        let mujoco_seconds = mujoco.as_mut().map(Mujoco::batch).transpose()?;
        if round > 0 {
            ours.push(seconds);
            theirs.extend(mujoco_seconds);
        }
    }
    let steps = (batch_steps * threads) as f64;
    // ratio per round: consecutive batches see the same machine load
    let mut ratios: Vec<f64> = theirs.iter().zip(&ours).map(|(t, o)| t / o).collect();
    let ratio = (!ratios.is_empty()).then(|| median(&mut ratios));
    let our_time = median(&mut ours);
    let their_time = (!theirs.is_empty()).then(|| median(&mut theirs));
    Ok(json!({
        "scene": scene.name,
        "threads": threads,
        "ours_steps_per_s": steps / our_time,
        "mujoco_steps_per_s": their_time.map(|t| steps / t),
        "ratio": ratio,
        "ratio_of_fastest": ratio.map(|_| theirs[0] / ours[0]),
        "repetitions": ours.len(),
        "ours_us_per_step": 1e6 * our_time / steps,
        "ours_spread": spread(&ours),
        "mujoco_spread": (!theirs.is_empty()).then(|| spread(&theirs)),
        "stages_us": {},
        "ncon": workers[0].data.ncon,
        "nefc": workers[0].data.nefc,
        "nv": model.nv,
        "solver": format!("{:?}", model.opt.solver),
        "cone": format!("{:?}", model.opt.cone),
        "integrator": format!("{:?}", model.opt.integrator),
    }))
}

/// An environment and the thread that steps it.
struct Worker {
    data: Data,
    pool: rayon::ThreadPool,
}

impl Worker {
    fn advance(&mut self, m: &Model, controls: &Controls, steps: usize) -> Result<(), StepError> {
        let Self { data, pool } = self;
        pool.install(|| advance(m, data, controls, steps))
    }
}

/// Runs one batch on every worker from the same state; returns the time, s.
fn batch(
    m: &Model,
    start: &Data,
    workers: &mut [Worker],
    controls: &Controls,
    steps: usize,
) -> Result<f64, Failure> {
    // only the state is reset, as in `bench.py`; all other arrays stay in the cache
    for Worker { data: worker, .. } in workers.iter_mut() {
        worker.time = start.time;
        worker.qpos.copy_from_slice(&start.qpos);
        worker.qvel.copy_from_slice(&start.qvel);
        worker.act.copy_from_slice(&start.act);
        worker.qacc_warmstart.copy_from_slice(&start.qacc_warmstart);
    }
    let clock = Instant::now();
    if let [worker] = workers {
        worker.advance(m, controls, steps)?;
    } else {
        std::thread::scope(|scope| {
            let handles: Vec<_> = workers
                .iter_mut()
                .map(|worker| scope.spawn(move || worker.advance(m, controls, steps)))
                .collect();
            handles.into_iter().try_for_each(|handle| {
                handle
                    .join()
                    .map_err(|_| Failure::from("a worker panicked"))?
                    .map_err(Failure::from)
            })
        })?;
    }
    Ok(clock.elapsed().as_secs_f64())
}

/// Initial state and controls without MuJoCo: a fixed pattern over each actuator's control range, and
/// the warm-up steps.
pub(crate) fn own_state(m: &Model, scene: &Scene) -> Result<(Data, Controls), Failure> {
    let hold = 50;
    let rows = scene.batch().max(WARM_UP).div_ceil(hold);
    let mut controls = Controls { rows: Vec::with_capacity(rows * m.nu), hold };
    for row in 0..rows {
        for i in 0..m.nu {
            let wave = 0.5 + 0.25 * (1.7 * row as f64 + 2.3 * i as f64).sin();
            let (low, high) = if m.actuator_ctrllimited[i] {
                (m.actuator_ctrlrange[2 * i], m.actuator_ctrlrange[2 * i + 1])
            } else {
                (-1.0, 1.0)
            };
            controls.rows.push(low + (high - low) * wave);
        }
    }
    let mut d = m.make_data();
    d.reset_to_keyframe(m, 0);
    advance(m, &mut d, &controls, WARM_UP)?;
    Ok((d, controls))
}

/// MuJoCo in a child process.
pub(crate) struct Mujoco {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    archive: Archive,
}

impl Mujoco {
    /// Starts the script that takes steps.
    fn start_steps(
        oracle: &Oracle,
        scene: &Scene,
        options: &Options,
        file: &Path,
        temp: &Path,
    ) -> Result<Self, Failure> {
        let mut arguments = options.overrides.arguments();
        arguments.push(format!("--batch={}", scene.batch()));
        arguments.push(format!("--threads={}", options.threads.max(1)));
        if scene.is_optional() {
            arguments.push(format!("--seconds={SHORT_BATCH}"));
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        Self::start(oracle, "bench.py", file, &scene.temporary(temp, "npz"), &arguments)
    }

    /// Steps of one batch, if the script determined them.
    fn batch_steps(&self) -> Option<usize> {
        self.archive.number("batch").map(|steps| steps as usize)
    }

    /// Starts a script of the oracle on a model; the script writes its state to `out`.
    pub(crate) fn start(
        oracle: &Oracle,
        script: &str,
        model: &Path,
        out: &Path,
        arguments: &[&str],
    ) -> Result<Self, Failure> {
        if let Some(folder) = out.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut command = oracle.script(script);
        command.arg(std::path::absolute(model)?).arg(std::path::absolute(out)?).args(arguments);
        // MuJoCo writes a log file to its working directory
        if let Some(folder) = out.parent() {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let input = child.stdin.take().ok_or("the oracle has no input")?;
        let mut output = BufReader::new(child.stdout.take().ok_or("the oracle has no output")?);
        let answer = reply(&mut output)?;
        if answer != "ready" {
            // ignored: the process may already have ended
            let _ = child.kill();
            child.wait()?;
            return Err(format!("the oracle could not prepare it: {answer}").into());
        }
        let archive = Archive::open(out)?;
        Ok(Self { child, input, output, archive })
    }

    /// The initial state of its batches, and their controls.
    pub(crate) fn state(&self, m: &Model) -> (Data, Controls) {
        let mut d = m.make_data();
        d.reset_to_keyframe(m, 0);
        d.time = self.archive.number("time").unwrap_or(0.0);
        for name in ["qpos", "qvel", "act", "ctrl", "qacc_warmstart"] {
            let values = self.archive.get(name);
            if let Some(field) = d.field_mut(name)
                && field.len() == values.len()
            {
                field.copy_from_slice(values);
            }
        }
        let hold = self.archive.number("hold").unwrap_or(1.0) as usize;
        (d, Controls { rows: self.archive.get("ctrl").to_vec(), hold })
    }

    /// An array of the archive that the script wrote.
    pub(crate) fn array(&self, name: &str) -> &[f64] {
        self.archive.get(name)
    }

    /// Time of one batch, s.
    fn batch(&mut self) -> Result<f64, Failure> {
        self.request("go")
    }

    /// Sends a request to the script and returns the time it reports, s.
    pub(crate) fn request(&mut self, request: &str) -> Result<f64, Failure> {
        writeln!(self.input, "{request}")?;
        let line = reply(&mut self.output)?;
        line.parse()
            .map_err(|_| Failure::from(format!("unexpected output of the oracle: `{line}`")))
    }
}

/// The next reply; empty lines and MuJoCo's warnings are skipped.
fn reply(output: &mut BufReader<ChildStdout>) -> std::io::Result<String> {
    loop {
        let mut line = String::new();
        let read = output.read_line(&mut line)?;
        let line = line.trim();
        if read == 0 || !(line.is_empty() || line.starts_with("WARNING")) {
            return Ok(line.to_owned());
        }
    }
}

impl Drop for Mujoco {
    fn drop(&mut self) {
        // ignored: the process may already have ended
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Half the range of the times, relative to the median.
pub(crate) fn spread(sorted: &[f64]) -> f64 {
    match (sorted.first(), sorted.last()) {
        (Some(first), Some(last)) => 0.5 * (last - first) / sorted[sorted.len() / 2],
        _ => 0.0,
    }
}
