//! `sim bench`: how fast a model steps on this machine.

use crate::Failure;
use crate::control::Control;
use crate::source::Source;
use clap::Args;
use serde_json::json;
use std::time::{Duration, Instant};

/// Options of `sim bench`.
#[derive(Args)]
pub(crate) struct Bench {
    #[command(flatten)]
    source: Source,
    /// Seconds to measure.
    #[arg(long, default_value_t = 3.0, value_name = "SECONDS")]
    seconds: f64,
    /// Controls: zero, noise, noise:SEED, or numbers separated by commas.
    #[arg(long, default_value = "noise", allow_hyphen_values = true)]
    ctrl: Control,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Steps between two looks at the clock.
const BATCH: u64 = 100;
/// Steps before measuring, so that caches and branch predictors are warm.
const WARM_UP: u64 = 500;

impl Bench {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if !(self.seconds > 0.0 && self.seconds <= 3600.0) {
            return Err("--seconds must be between 0 and 3600".into());
        }
        let model = self.source.load()?;
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
        let begin = Instant::now();
        let mut times = Vec::new();
        while times.is_empty() || begin.elapsed() < limit {
            times.push(batch(BATCH)?.as_secs_f64() / BATCH as f64);
        }
        times.sort_by(f64::total_cmp);
        let at = |fraction: f64| times[((times.len() - 1) as f64 * fraction) as usize];
        if self.json {
            let [low, middle, high] = [0.1, 0.5, 0.9].map(|f| 1e6 * at(f));
            let report = json!({
                "model": self.source.name(), "steps_per_second": 1e6 / middle,
                "us_per_step": middle, "us_tenth": low, "us_nine_tenths": high,
                "batches": times.len(), "steps_per_batch": BATCH,
            });
            say!("{report}");
            return Ok(());
        }
        say!(
            "{}: {:.0} steps/s (median of {} batches of {BATCH} steps)",
            self.source.name(),
            1.0 / at(0.5),
            times.len()
        );
        say!(
            "  {:.3} µs per step; a tenth of the batches below {:.3}, a tenth above {:.3}",
            1e6 * at(0.5),
            1e6 * at(0.1),
            1e6 * at(0.9)
        );
        Ok(())
    }
}
