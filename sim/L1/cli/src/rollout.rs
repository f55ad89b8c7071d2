//! `sim rollout`: throughput of a batch of environments.

use crate::Failure;
use crate::format::count;
use crate::interrupt;
use crate::run_args::RunArgs;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use sim_physics::{BatchEnv, BatchSim, Data, Model};
use std::sync::Arc;
use std::time::Instant;

/// Arguments of `sim rollout`.
#[derive(Args)]
#[command(after_help = "Examples:
  sim rollout                                  64 environments of the built-in humanoid, 10 s
  sim rollout robot.xml --envs 1024 --steps 200 --threads 8
  sim rollout robot.xml --ctrl noise:3 --json
  sim rollout robot.xml --gpu --envs 8192      on a GPU (cargo feature `gpu`)")]
pub(crate) struct Rollout {
    #[command(flatten)]
    args: RunArgs,
    /// Number of environments.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..), value_name = "N")]
    envs: u32,
    /// Number of threads; default one per core.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..), value_name = "N")]
    threads: Option<u16>,
    /// Step on a GPU.
    #[arg(long, conflicts_with = "threads")]
    gpu: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Result of a rollout.
struct Outcome {
    /// Steps per environment.
    steps: u64,
    /// Wall-clock time, s.
    seconds: f64,
    /// Number of failed steps.
    failures: u64,
    /// The device: number of threads, or name of the GPU.
    device: String,
}

impl Rollout {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let outcome = if self.gpu { self.on_gpu()? } else { self.on_threads()? };
        let Outcome { steps, seconds, failures, device } = outcome;
        let total = steps * u64::from(self.envs);
        let rate = total as f64 / seconds.max(1e-9);
        if self.json {
            let report = json!({
                "model": self.args.model.name(), "envs": self.envs, "steps": steps,
                "place": device, "threads": self.threads(), "seconds": seconds,
                "steps_per_second": rate, "failures": failures,
            });
            outln!("{report}");
            return Ok(());
        }
        outln!(
            "{}: {}, {} each",
            self.args.model.name(),
            count(self.envs, "environment"),
            count(steps, "step")
        );
        outln!("speed     {rate:.0} steps/s on {device}, {seconds:.3} s of wall-clock time");
        outln!("failures  {failures}");
        Ok(())
    }

    fn threads(&self) -> usize {
        self.threads.map_or_else(rayon::current_num_threads, usize::from)
    }

    fn on_threads(&self) -> Result<Outcome, Failure> {
        let model = Arc::new(self.args.model.load()?);
        let start = self.args.initial_data(&model)?;
        let mut batch = BatchSim::new(model.clone(), self.envs as usize);
        if let Some(threads) = self.threads {
            batch = batch.with_threads(usize::from(threads))?;
        }
        for i in 0..batch.len() {
            batch.data_mut(i).copy_from(&start);
        }
        self.simulate(&model, &start, batch, count(self.threads(), "thread"))
    }

    #[cfg(feature = "gpu")]
    fn on_gpu(&self) -> Result<Outcome, Failure> {
        use sim_physics::gpu::{AdapterSelection, Context, GpuBatch, Options};
        let model = self.args.model.load()?;
        let start = self.args.initial_data(&model)?;
        let gpu = Context::new(&AdapterSelection::from_env())?;
        let options = Options { checked: false, ..Options::default() };
        let mut batch = GpuBatch::new(&gpu, &model, self.envs as usize, &options)?;
        let state = [&start.qpos[..], &start.qvel[..]].concat();
        batch.set_state(&state.repeat(self.envs as usize))?;
        let device = gpu.name().to_string();
        self.simulate(&model, &start, batch, device)
    }

    #[cfg(not(feature = "gpu"))]
    fn on_gpu(&self) -> Result<Outcome, Failure> {
        Err("this `sim` was built without GPU support: build it with `--features gpu`".into())
    }

    fn simulate(
        &self,
        model: &Model,
        start: &Data,
        mut batch: impl BatchEnv,
        device: String,
    ) -> Result<Outcome, Failure> {
        let (control, steps) = (self.args.control(model)?, self.args.steps(model)?);
        let bar = ProgressBar::new(steps).with_style(ProgressStyle::with_template(
            "{bar:40} {pos}/{len} steps {elapsed_precise} eta {eta_precise}",
        )?);
        interrupt::listen();
        let mut ctrl = start.ctrl.repeat(batch.num_envs());
        let (mut failures, mut done) = (0, 0);
        let clock = Instant::now();
        while done < steps && !interrupt::stopped() {
            // the same noise, shifted in time between environments
            for (i, row) in ctrl.chunks_exact_mut(model.nu.max(1)).enumerate() {
                control.write(model, done + 97 * i as u64, row);
            }
            batch.set_ctrl(&ctrl)?;
            let result = batch.step(1)?;
            failures += result.errors.iter().filter(|error| error.is_some()).count() as u64;
            done += 1;
            bar.set_position(done);
        }
        let seconds = clock.elapsed().as_secs_f64();
        bar.finish_and_clear();
        Ok(Outcome { steps: done, seconds, failures, device })
    }
}
