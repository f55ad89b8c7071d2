//! GPU benchmark by the protocol of MuJoCo Warp: every environment starts at the first keyframe, noise is added to the
//! controls before each step outside of the timed section, and each step is one dispatch.

use crate::noise::{DeviceNoise, Noise};
use crate::side_by_side::Failure;
use serde_json::{Value, json};
use sim_core::{Data, Model, mj_step};
use sim_gpu::{AdapterSelection, Context, GpuBatch, Options};
use std::path::Path;
use std::time::{Duration, Instant};

/// Environments that are compared with the CPU engine.
const COMPARED: usize = 16;

/// Benchmark of one model.
pub struct Benchmark {
    /// Name in the table.
    pub name: String,
    /// The model.
    pub model: Model,
    /// Steps of a run.
    pub steps: usize,
    /// Options of the batch.
    pub options: Options,
}

impl Benchmark {
    /// A model from a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn open(path: &Path, steps: usize, options: Options) -> Result<Self, Failure> {
        let stem = |p: &Path| p.file_stem().map(|s| s.to_string_lossy().to_string());
        let name = match stem(path).as_deref() {
            // files of the same name are distinguished by their folders
            Some("scene") => path.parent().and_then(stem),
            other => other.map(String::from),
        };
        let model = sim_mjcf::load_file(path)?;
        Ok(Self { name: name.unwrap_or_default(), model, steps, options })
    }

    /// Initial state of all environments.
    pub(crate) fn initial_state(&self) -> Data {
        let m = &self.model;
        let mut d = m.make_data();
        if m.nkey > 0 {
            d.qpos.copy_from_slice(&m.key_qpos[..m.nq]);
            d.qvel.copy_from_slice(&m.key_qvel[..m.nv]);
            d.ctrl.copy_from_slice(&m.key_ctrl[..m.nu]);
        }
        d
    }

    /// Measures the steps per second of `count` environments.
    ///
    /// # Errors
    ///
    /// If the model is not supported or the device fails.
    pub fn run(&self, gpu: &Context, count: usize) -> Result<Value, Failure> {
        let m = &self.model;
        let start = self.initial_state();
        let clock = Instant::now();
        let mut batch = GpuBatch::new(gpu, m, count, &self.options)?;
        let state = [&start.qpos[..], &start.qvel[..]].concat();
        batch.set_state(&state.repeat(count))?;
        // drivers finish compilation at the first dispatch
        batch.step(1)?;
        batch.wait()?;
        let compile = clock.elapsed();
        batch.set_state(&state.repeat(count))?;
        batch.set_ctrl(&start.ctrl.repeat(count))?;
        let mut noise = DeviceNoise::new(gpu, &batch, &start.ctrl)?;
        let (mut time, mut sums) = (Duration::ZERO, [0.0; 3]);
        let (mut most_rows, mut most_iterations) = (0, 0);
        for step in 0..self.steps {
            noise.submit(gpu)?;
            let clock = Instant::now();
            let device = batch.step_timed(1)?;
            time += device.unwrap_or_else(|| clock.elapsed());
            if step % 20 == 19 {
                let info = batch.info()?;
                if let Some(bad) = info.iter().position(|i| i.flags != Default::default()) {
                    let what = info[bad].flags;
                    return Err(format!("environment {bad} after step {step}: {what:?}").into());
                }
                for i in &info {
                    sums[0] += i.contacts as f64;
                    sums[1] += i.rows as f64;
                    sums[2] += i.iterations as f64;
                    most_rows = most_rows.max(i.rows);
                    most_iterations = most_iterations.max(i.iterations);
                }
            }
        }
        let samples = ((self.steps / 20) * count).max(1) as f64;
        let rate = (self.steps * count) as f64 / time.as_secs_f64();
        Ok(json!({
            "scene": self.name,
            "worlds": count,
            "steps": self.steps,
            "steps_per_second": rate,
            "microseconds_a_step": 1e6 * time.as_secs_f64() / self.steps as f64,
            "compile_seconds": compile.as_secs_f64(),
            "workgroup_bytes": batch.workgroup_bytes(),
            "contacts": sums[0] / samples,
            "rows": sums[1] / samples,
            "most_rows": most_rows,
            "most_iterations": most_iterations,
            "iterations": sums[2] / samples,
            "device": gpu.name(),
            "driver": gpu.driver(),
        }))
    }

    /// Largest differences of positions and velocities from the CPU engine after a number of steps with the same
    /// controls.
    ///
    /// # Errors
    ///
    /// As [`Benchmark::run`].
    pub fn differences(&self, gpu: &Context) -> Result<Value, Failure> {
        let m = &self.model;
        let start = self.initial_state();
        let mut batch = GpuBatch::new(gpu, m, COMPARED, &self.options)?;
        batch.set_state(&[&start.qpos[..], &start.qvel[..]].concat().repeat(COMPARED))?;
        let mut datas = vec![start.clone(); COMPARED];
        let mut noise = Noise::new(&start.ctrl, COMPARED);
        let mut found = Vec::new();
        for step in 1..=100 {
            let controls = noise.next();
            batch.set_ctrl_f32(controls)?;
            batch.step(1)?;
            for (d, ctrl) in datas.iter_mut().zip(controls.chunks_exact(m.nu.max(1))) {
                d.ctrl.iter_mut().zip(ctrl).for_each(|(to, from)| *to = f64::from(*from));
                mj_step(m, d)?;
            }
            if ![1, 2, 5, 10, 20, 50, 100].contains(&step) {
                continue;
            }
            let ours = batch.state()?;
            let (mut positions, mut velocities) = (0.0, 0.0);
            for (d, ours) in datas.iter().zip(ours.chunks_exact(m.nq + m.nv)) {
                positions = largest(positions, &ours[..m.nq], &d.qpos);
                velocities = largest(velocities, &ours[m.nq..], &d.qvel);
            }
            found.push(json!({"steps": step, "positions": positions, "velocities": velocities}));
        }
        Ok(Value::Array(found))
    }
}

/// Largest of `so_far` and the differences of two slices.
fn largest(so_far: f64, ours: &[f64], theirs: &[f64]) -> f64 {
    ours.iter().zip(theirs).fold(so_far, |worst, (a, b)| worst.max((a - b).abs()))
}

/// What to measure.
#[derive(Clone, Debug)]
pub struct Run {
    /// Numbers of environments.
    pub worlds: Vec<usize>,
    /// Steps of each run.
    pub steps: usize,
    /// Width and height of images, which are measured instead of steps.
    pub images: Option<u32>,
    /// Time of an endurance test, which is run instead of a measurement.
    pub soak: Option<Duration>,
    /// Options of the batches.
    pub options: Options,
}

/// Runs the benchmarks and prints a line for each. A model that cannot be run is reported, and the next one is run.
///
/// # Errors
///
/// If there is no device, or none of the models can be run.
pub fn run(files: &[std::path::PathBuf], run: &Run) -> Result<Value, Failure> {
    let gpu = Context::new(&AdapterSelection::from_env())?;
    println!("{}, {}", gpu.name(), gpu.driver());
    let (mut results, mut failed) = (Vec::new(), Vec::new());
    if run.soak.is_none() {
        print_heading(run.images.is_some());
    }
    for file in files {
        let result = Benchmark::open(file, run.steps, run.options.clone())
            .and_then(|benchmark| benchmark.sweep(&gpu, run));
        match result {
            Ok(result) => results.push(result),
            Err(error) => {
                println!("{}: {error}", file.display());
                failed.push(file.display().to_string());
                results.push(json!({"scene": file, "error": error.to_string()}));
            }
        }
    }
    if !failed.is_empty() && failed.len() == files.len() {
        return Err(format!("no model could be run: {}", failed.join(", ")).into());
    }
    Ok(Value::Array(results))
}

fn print_heading(images: bool) {
    match images {
        true => {
            println!("{:24} {:>7} {:>12} {:>15}", "scene", "worlds", "images/s", "without shadows")
        }
        false => println!(
            "{:24} {:>7} {:>12} {:>9} {:>9} {:>7} {:>10} {:>5} {:>7} {:>8}",
            "scene",
            "worlds",
            "M steps/s",
            "µs/step",
            "contacts",
            "rows",
            "iterations",
            "most",
            "bytes",
            "first, s"
        ),
    }
}

impl Benchmark {
    /// All runs of a model.
    fn sweep(&self, gpu: &Context, run: &Run) -> Result<Value, Failure> {
        let mut sweep = Vec::new();
        for &count in &run.worlds {
            if let Some(time) = run.soak {
                let result = crate::soak::run(self, gpu, count, time)?;
                println!("{result}");
                sweep.push(result);
                continue;
            }
            if let Some(side) = run.images {
                let result = crate::images::run(self, gpu, count, side)?;
                let number = |name: &str| result[name].as_f64().unwrap_or(0.0);
                println!(
                    "{:24} {count:>7} {:>12.0} {:>15.0}",
                    self.name,
                    number("images_per_second"),
                    number("without_shadows")
                );
                sweep.push(result);
                continue;
            }
            let result = self.run(gpu, count)?;
            let number = |name: &str| result[name].as_f64().unwrap_or(0.0);
            println!(
                "{:24} {count:>7} {:>12.3} {:>9.1} {:>9.1} {:>7.1} {:>10.2} {:>5} {:>7} {:>8.1}",
                self.name,
                number("steps_per_second") / 1e6,
                number("microseconds_a_step"),
                number("contacts"),
                number("rows"),
                number("iterations"),
                number("most_iterations"),
                number("workgroup_bytes"),
                number("compile_seconds"),
            );
            sweep.push(result);
        }
        if run.images.is_some() || run.soak.is_some() {
            return Ok(json!({"scene": self.name, "sweep": sweep}));
        }
        let differences = self.differences(gpu)?;
        for d in differences.as_array().into_iter().flatten() {
            println!(
                "    after {:>3} steps: positions differ by {:.1e}, velocities by {:.1e}",
                d["steps"],
                d["positions"].as_f64().unwrap_or(f64::NAN),
                d["velocities"].as_f64().unwrap_or(f64::NAN)
            );
        }
        Ok(json!({"scene": self.name, "sweep": sweep, "differences": differences}))
    }
}
