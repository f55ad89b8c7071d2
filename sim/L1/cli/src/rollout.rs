//! `sim rollout`: many environments at once, and how fast they go.

use crate::Failure;
use crate::course::Course;
use crate::interrupt;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use sim_physics::{BatchSim, Data, Environments, Model};
use std::sync::Arc;
use std::time::Instant;

/// Options of `sim rollout`.
#[derive(Args)]
#[command(after_help = "Examples:
  sim rollout                                  the built-in humanoid, 64 times, 10 s each
  sim rollout robot.xml --envs 1024 --steps 200 --threads 8
  sim rollout robot.xml --ctrl noise:3 --json
  sim rollout robot.xml --gpu --envs 8192      on a GPU, where `sim` was built with it")]
pub(crate) struct Rollout {
    #[command(flatten)]
    course: Course,
    /// Number of environments.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..), value_name = "N")]
    envs: u32,
    /// Number of threads; all cores if not given.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..), value_name = "N")]
    threads: Option<u16>,
    /// Step on a GPU.
    #[arg(long, conflicts_with = "threads")]
    gpu: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What a run came to.
struct Outcome {
    done: u64,
    seconds: f64,
    failures: u64,
    /// Where it ran, in words.
    place: String,
}

impl Rollout {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let outcome = if self.gpu { self.on_gpu()? } else { self.on_threads()? };
        let Outcome { done, seconds, failures, place } = outcome;
        let total = done * u64::from(self.envs);
        let rate = total as f64 / seconds.max(1e-9);
        if self.json {
            let report = json!({
                "model": self.course.source.name(), "envs": self.envs, "steps": done,
                "place": place, "threads": self.threads(), "seconds": seconds,
                "steps_per_second": rate, "failures": failures,
            });
            say!("{report}");
            return Ok(());
        }
        say!("{}: {} environments, {done} steps each", self.course.source.name(), self.envs);
        say!("speed     {rate:.0} steps/s on {place}, {seconds:.3} s of wall clock");
        say!("failures  {failures}");
        Ok(())
    }

    fn threads(&self) -> usize {
        self.threads.map_or_else(rayon::current_num_threads, usize::from)
    }

    fn on_threads(&self) -> Result<Outcome, Failure> {
        let model = Arc::new(self.course.source.load()?);
        let start = self.course.start(&model)?;
        let mut batch = BatchSim::new(model.clone(), self.envs as usize);
        if let Some(threads) = self.threads {
            batch = batch.with_threads(usize::from(threads))?;
        }
        for i in 0..batch.len() {
            batch.data_mut(i).copy_from(&start);
        }
        self.go(&model, &start, batch, format!("{} threads", self.threads()))
    }

    #[cfg(feature = "gpu")]
    fn on_gpu(&self) -> Result<Outcome, Failure> {
        use sim_physics::gpu::{Choice, Context, GpuBatch, Options};
        let model = self.course.source.load()?;
        let start = self.course.start(&model)?;
        let gpu = Context::new(&Choice::from_env())?;
        let options = Options { checked: false, ..Options::default() };
        let mut batch = GpuBatch::new(&gpu, &model, self.envs as usize, &options)?;
        let state = [&start.qpos[..], &start.qvel[..]].concat();
        batch.set_state(&state.repeat(self.envs as usize))?;
        let place = gpu.name().to_string();
        self.go(&model, &start, batch, place)
    }

    #[cfg(not(feature = "gpu"))]
    fn on_gpu(&self) -> Result<Outcome, Failure> {
        Err("this `sim` was built without GPUs: build it with `--features gpu`".into())
    }

    fn go(
        &self,
        model: &Model,
        start: &Data,
        mut batch: impl Environments,
        place: String,
    ) -> Result<Outcome, Failure> {
        let (control, steps) = (self.course.control(model)?, self.course.count(model)?);
        let bar = ProgressBar::new(steps).with_style(ProgressStyle::with_template(
            "{bar:40} {pos}/{len} steps {elapsed_precise} eta {eta_precise}",
        )?);
        interrupt::listen();
        let mut controls = start.ctrl.repeat(batch.count());
        let (mut failures, mut done) = (0, 0);
        let clock = Instant::now();
        while done < steps && !interrupt::stopped() {
            // environments are driven by the same noise at different times
            for (i, row) in controls.chunks_exact_mut(model.nu.max(1)).enumerate() {
                control.write(model, done + 97 * i as u64, row);
            }
            batch.control(&controls)?;
            let result = batch.advance(1)?;
            failures += result.errors.iter().filter(|error| error.is_some()).count() as u64;
            done += 1;
            bar.set_position(done);
        }
        let seconds = clock.elapsed().as_secs_f64();
        bar.finish_and_clear();
        Ok(Outcome { done, seconds, failures, place })
    }
}
