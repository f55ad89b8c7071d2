//! Interleaved timing: a batch of ours, a batch of the reference engine's, and again.

use crate::scene::Scene;
use crate::{Controls, advance};
use serde_json::{Value, json};
use sim_conformance::{Archive, Oracle};
use sim_core::{Data, Model};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Instant;

/// Repetitions of a batch, at least and at most; the median counts.
const REPETITIONS: [usize; 2] = [9, 41];
/// Seconds after which no more than the least are taken.
const ENOUGH: f64 = 6.0;
/// Steps before timing.
const WARM_UP: usize = 500;

/// Anything that ends a measurement.
pub type Failure = Box<dyn std::error::Error>;

/// Times one scene; `oracle` adds the reference engine.
///
/// # Errors
/// When the model does not load or step, or the oracle fails.
pub fn measure(
    scene: &Scene,
    oracle: Option<&Oracle>,
    threads: usize,
    temp: &Path,
) -> Result<Value, Failure> {
    let file = scene.file(temp)?;
    let model = sim_mjcf::load_file(&file)?;
    let mut rival = match oracle {
        Some(oracle) => {
            let archive = temp.join(scene.name).with_extension("npz");
            let (batch, threads) = (scene.batch().to_string(), threads.max(1).to_string());
            let arguments = ["--batch", &batch, "--threads", &threads];
            Some(Rival::start(oracle, "bench.py", &file, &archive, &arguments)?)
        }
        None => None,
    };
    let (start, controls) = match &rival {
        Some(rival) => rival.state(&model),
        None => own_state(&model, scene)?,
    };

    let mut workers = vec![start.clone(); threads.max(1)];
    let mut ours = Vec::new();
    let mut theirs = Vec::new();
    let clock = Instant::now();
    // the first round warms both up
    for round in 0..=REPETITIONS[1] {
        if round > REPETITIONS[0] && clock.elapsed().as_secs_f64() > ENOUGH {
            break;
        }
        let seconds = batch(&model, &start, &mut workers, &controls, scene.batch())?;
        let rival_seconds = rival.as_mut().map(Rival::batch).transpose()?;
        if round > 0 {
            ours.push(seconds);
            theirs.extend(rival_seconds);
        }
    }
    let steps = (scene.batch() * threads.max(1)) as f64;
    // neighbours in time share the machine's mood, so the ratio is taken round by round
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
        "ncon": start.ncon,
        "nefc": start.nefc,
        "nv": model.nv,
    }))
}

/// One batch on every worker, each from the same state.
fn batch(
    m: &Model,
    start: &Data,
    workers: &mut [Data],
    controls: &Controls,
    steps: usize,
) -> Result<f64, Failure> {
    // only the state goes back, as on the other side: the rest stays warm
    for worker in workers.iter_mut() {
        worker.time = start.time;
        worker.qpos.copy_from_slice(&start.qpos);
        worker.qvel.copy_from_slice(&start.qvel);
        worker.act.copy_from_slice(&start.act);
        worker.qacc_warmstart.copy_from_slice(&start.qacc_warmstart);
    }
    let clock = Instant::now();
    if let [worker] = workers {
        advance(m, worker, controls, steps)?;
    } else {
        std::thread::scope(|scope| {
            let handles: Vec<_> = workers
                .iter_mut()
                .map(|worker| scope.spawn(move || advance(m, worker, controls, steps)))
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

/// Without a rival: warm up with controls of our own, a fixed pattern over each actuator's range.
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

/// The reference engine in a process of its own.
pub(crate) struct Rival {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    archive: Archive,
}

impl Rival {
    /// Starts a script of the oracle's folder on a model; it leaves its state in `out`.
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
        command.arg(model).arg(out).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let input = child.stdin.take().ok_or("the oracle has no input")?;
        let mut output = BufReader::new(child.stdout.take().ok_or("the oracle has no output")?);
        if answer(&mut output)? != "ready" {
            return Err(format!("the oracle could not prepare {}", model.display()).into());
        }
        let archive = Archive::open(out)?;
        Ok(Self { child, input, output, archive })
    }

    /// The state it starts its batches from, and their controls.
    pub(crate) fn state(&self, m: &Model) -> (Data, Controls) {
        let mut d = m.make_data();
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

    /// An array that it left with its state.
    pub(crate) fn array(&self, name: &str) -> &[f64] {
        self.archive.get(name)
    }

    /// Seconds of one batch.
    fn batch(&mut self) -> Result<f64, Failure> {
        self.ask("go")
    }

    /// Seconds of what the script is asked for.
    pub(crate) fn ask(&mut self, question: &str) -> Result<f64, Failure> {
        writeln!(self.input, "{question}")?;
        let line = answer(&mut self.output)?;
        line.parse().map_err(|_| Failure::from(format!("the oracle said `{line}`")))
    }
}

/// The next line that is an answer: the reference engine prints its warnings among them.
fn answer(output: &mut BufReader<ChildStdout>) -> std::io::Result<String> {
    loop {
        let mut line = String::new();
        let read = output.read_line(&mut line)?;
        let line = line.trim();
        if read == 0 || !(line.is_empty() || line.starts_with("WARNING")) {
            return Ok(line.to_owned());
        }
    }
}

impl Drop for Rival {
    fn drop(&mut self) {
        // it may have ended already, which is all that is wanted
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Half the distance between the slowest and the fastest batch, relative to the median.
pub(crate) fn spread(sorted: &[f64]) -> f64 {
    match (sorted.first(), sorted.last()) {
        (Some(first), Some(last)) => 0.5 * (last - first) / sorted[sorted.len() / 2],
        _ => 0.0,
    }
}
