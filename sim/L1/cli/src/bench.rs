//! `sim bench`: simulation speed of a model on this machine.

use crate::Failure;
use crate::control::Control;
use crate::format::count;
use crate::model_args::ModelArgs;
use clap::Args;
use serde_json::json;
use std::time::{Duration, Instant};

/// Arguments of `sim bench`.
#[derive(Args)]
pub(crate) struct Bench {
    #[command(flatten)]
    model: ModelArgs,
    /// Duration of the measurement in seconds.
    #[arg(long, default_value_t = 3.0, value_name = "SECONDS")]
    seconds: f64,
    /// Controls: zero, noise, noise:SEED, or one number per actuator, separated by commas.
    #[arg(long, default_value = "noise", allow_hyphen_values = true)]
    ctrl: Control,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Steps between two clock readings.
const BATCH: u64 = 100;
/// Steps before the measurement, to warm up caches and branch predictors.
const WARM_UP: u64 = 500;

impl Bench {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if !(self.seconds > 0.0 && self.seconds <= 3600.0) {
            return Err("--seconds must be between 0 and 3600".into());
        }
        let model = self.model.load()?;
        self.ctrl.check(&model)?;
        let mut data = model.make_data();
        let mut step = 0;
        let mut batch = |count: u64| -> Result<Duration, Failure> {
            let start = Instant::now();
            for _ in 0..count {
                self.ctrl.write(&model, step, &mut data.ctrl);
                data.step(&model)?;
                step += 1;
            }
            Ok(start.elapsed())
        };
        batch(WARM_UP)?;
        let limit = Duration::from_secs_f64(self.seconds);
        let start = Instant::now();
        let mut times = Vec::new();
        while times.is_empty() || start.elapsed() < limit {
            times.push(batch(BATCH)?.as_secs_f64() / BATCH as f64);
        }
        times.sort_by(f64::total_cmp);
        let quantile = |fraction: f64| times[((times.len() - 1) as f64 * fraction) as usize];
        if self.json {
            let [low, middle, high] = [0.1, 0.5, 0.9].map(|f| 1e6 * quantile(f));
            let report = json!({
                "model": self.model.name(), "steps_per_second": 1e6 / middle,
                "us_per_step": middle, "us_tenth": low, "us_nine_tenths": high,
                "batches": times.len(), "steps_per_batch": BATCH,
            });
            outln!("{report}");
            return Ok(());
        }
        outln!(
            "{}: {:.0} steps/s (median of {} of {BATCH} steps)",
            self.model.name(),
            1.0 / quantile(0.5),
            count(times.len(), "batch")
        );
        outln!(
            "  {:.3} µs per step; 10th percentile {:.3}, 90th percentile {:.3}",
            1e6 * quantile(0.5),
            1e6 * quantile(0.1),
            1e6 * quantile(0.9)
        );
        Ok(())
    }
}
