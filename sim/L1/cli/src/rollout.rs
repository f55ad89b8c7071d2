//! `sim rollout`: many environments at once, and how fast they go.

use crate::Failure;
use crate::course::Course;
use crate::interrupt;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use sim_physics::BatchSim;
use std::sync::Arc;
use std::time::Instant;

/// Options of `sim rollout`.
#[derive(Args)]
#[command(after_help = "Examples:
  sim rollout                                  the built-in humanoid, 64 times, 10 s each
  sim rollout robot.xml --envs 1024 --steps 200 --threads 8
  sim rollout robot.xml --ctrl noise:3 --json")]
pub(crate) struct Rollout {
    #[command(flatten)]
    course: Course,
    /// Number of environments.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..), value_name = "N")]
    envs: u32,
    /// Number of threads; all cores if not given.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..), value_name = "N")]
    threads: Option<u16>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Rollout {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let model = Arc::new(self.course.source.load()?);
        let (control, steps) = (self.course.control(&model)?, self.course.count(&model)?);
        let (start, n) = (self.course.start(&model)?, self.envs as usize);
        let mut batch = BatchSim::new(model.clone(), n);
        if let Some(threads) = self.threads {
            batch = batch.with_threads(usize::from(threads))?;
        }
        for i in 0..n {
            batch.data_mut(i).copy_from(&start);
        }
        let nu = batch.control_width();
        for row in batch.controls_mut().chunks_exact_mut(nu.max(1)) {
            row.copy_from_slice(&start.ctrl);
        }

        let bar = ProgressBar::new(steps).with_style(ProgressStyle::with_template(
            "{bar:40} {pos}/{len} steps {elapsed_precise} eta {eta_precise}",
        )?);
        interrupt::listen();
        let (mut failures, mut done) = (0_u64, 0);
        let clock = Instant::now();
        while done < steps && !interrupt::stopped() {
            // environments are driven by the same noise at different times
            for (i, row) in batch.controls_mut().chunks_exact_mut(nu.max(1)).enumerate() {
                control.write(&model, done + 97 * i as u64, row);
            }
            let result = batch.step_all();
            failures += result.errors.iter().filter(|error| error.is_some()).count() as u64;
            done += 1;
            bar.set_position(done);
        }
        let seconds = clock.elapsed().as_secs_f64();
        bar.finish_and_clear();
        let total = done * u64::from(self.envs);
        let rate = total as f64 / seconds.max(1e-9);
        let threads = self.threads.map_or_else(rayon::current_num_threads, usize::from);
        if self.json {
            let report = json!({
                "model": self.course.source.name(), "envs": self.envs, "steps": done,
                "threads": threads, "seconds": seconds, "steps_per_second": rate,
                "failures": failures,
            });
            say!("{report}");
            return Ok(());
        }
        say!("{}: {} environments, {done} steps each", self.course.source.name(), self.envs);
        say!("speed     {rate:.0} steps/s on {threads} threads, {seconds:.3} s of wall clock");
        say!("failures  {failures}");
        Ok(())
    }
}
