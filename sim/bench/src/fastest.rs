//! One call timed in rounds that alternate with the reference engine's.

use crate::side_by_side::{Failure, Rival};
use std::time::Instant;

/// How a call is timed.
pub(crate) struct Rounds {
    /// How many; the fastest counts, for whatever else the machine does can only slow a round down.
    pub number: usize,
    /// How long one lasts, about, in seconds.
    pub seconds: f64,
    /// Calls before the first, to learn how many make a round.
    pub warm_up: usize,
}

impl Rounds {
    /// Microseconds of the fastest round for one call: of `call`, and of the rival's `name`, infinite
    /// without one.
    pub(crate) fn time(
        &self,
        mut call: impl FnMut(),
        rival: Option<&mut Rival>,
        name: &str,
    ) -> Result<[f64; 2], Failure> {
        let run = |count: usize| {
            let clock = Instant::now();
            (0..count).for_each(|_| call());
            clock.elapsed().as_secs_f64()
        };
        self.time_runs(run, rival, name)
    }

    /// The same for a number of calls that tell themselves how many seconds they took.
    pub(crate) fn time_runs(
        &self,
        mut run: impl FnMut(usize) -> f64,
        rival: Option<&mut Rival>,
        name: &str,
    ) -> Result<[f64; 2], Failure> {
        let once = run(self.warm_up) / self.warm_up as f64;
        let count = (self.seconds / once.max(1e-9)).ceil() as usize;
        let (mut rival, mut best) = (rival, [f64::INFINITY; 2]);
        for _ in 0..self.number {
            best[0] = best[0].min(run(count));
            if let Some(rival) = &mut rival {
                best[1] = best[1].min(rival.ask(&format!("{name} {count}"))?);
            }
        }
        Ok(best.map(|seconds| 1e6 * seconds / count as f64))
    }
}
