//! Times one function in rounds that alternate with MuJoCo's; the fastest round counts.

use crate::side_by_side::{Failure, Mujoco};
use std::time::Instant;

/// Parameters of the timing.
pub(crate) struct Rounds {
    /// Number of rounds; the fastest counts, because other load can only slow a round down.
    pub number: usize,
    /// Approximate duration of a round, s.
    pub seconds: f64,
    /// Number of calls before the first round, which determine the calls per round.
    pub warm_up: usize,
}

impl Rounds {
    /// Time per call in the fastest round, µs: of `call`, and of MuJoCo's function `name` (infinite without
    /// MuJoCo).
    pub(crate) fn time(
        &self,
        mut call: impl FnMut(),
        mujoco: Option<&mut Mujoco>,
        name: &str,
    ) -> Result<[f64; 2], Failure> {
        let run = |count: usize| {
            let clock = Instant::now();
            (0..count).for_each(|_| call());
            clock.elapsed().as_secs_f64()
        };
        self.time_runs(run, mujoco, name)
    }

    /// Like [`time`](Self::time), for a function that makes a number of calls and returns their time, s.
    pub(crate) fn time_runs(
        &self,
        mut run: impl FnMut(usize) -> f64,
        mujoco: Option<&mut Mujoco>,
        name: &str,
    ) -> Result<[f64; 2], Failure> {
        let once = run(self.warm_up) / self.warm_up as f64;
        let count = (self.seconds / once.max(1e-9)).ceil() as usize;
        let (mut mujoco, mut best) = (mujoco, [f64::INFINITY; 2]);
        for _ in 0..self.number {
            best[0] = best[0].min(run(count));
            if let Some(mujoco) = &mut mujoco {
                best[1] = best[1].min(mujoco.request(&format!("{name} {count}"))?);
            }
        }
        Ok(best.map(|seconds| 1e6 * seconds / count as f64))
    }
}
