//! Solves for many targets: independent ones, and consecutive ones of a path.

use super::{Outcome, Solver, Start, Status, Target, Workspace};
use crate::Error;
use crate::error::check_length;

/// Result of [`Solver::solve_path`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathReport {
    /// Number of poses that were reached.
    pub converged: usize,
    /// Index of the first pose that was not reached.
    pub first_failed: Option<usize>,
    /// Largest change of a joint coordinate between consecutive poses, rad or m. The change from the
    /// start to the first pose is not included.
    pub largest_jump: f64,
    /// Index of the pose after the largest change, and id of the joint.
    pub jump: Option<(usize, usize)>,
}

impl Solver {
    /// Solves for many independent targets. `targets` holds one target per chain for each problem;
    /// each row of `states`, of length `nq`, holds the initial configuration and receives the
    /// solution.
    ///
    /// # Errors
    /// When the lengths are inconsistent. Invalid targets are reported in their outcome.
    pub fn solve_batch(
        &self,
        start: Start,
        targets: &[Target],
        states: &mut [f64],
        outcomes: &mut [Outcome],
        work: &mut Workspace,
    ) -> Result<(), Error> {
        self.check_rows(targets, states, outcomes)?;
        let rows =
            targets.chunks_exact(self.effectors.len()).zip(states.chunks_mut(self.nq.max(1)));
        for ((targets, state), outcome) in rows.zip(outcomes) {
            *outcome = self.solve_from(start, targets, state, work);
        }
        Ok(())
    }

    /// As [`solve_batch`](Self::solve_batch), on rayon's current thread pool. Results are
    /// bit-identical for any number of threads.
    ///
    /// # Errors
    /// As [`solve_batch`](Self::solve_batch).
    #[cfg(feature = "parallel")]
    pub fn solve_batch_parallel(
        &self,
        start: Start,
        targets: &[Target],
        states: &mut [f64],
        outcomes: &mut [Outcome],
    ) -> Result<(), Error> {
        use rayon::prelude::*;
        self.check_rows(targets, states, outcomes)?;
        targets
            .par_chunks_exact(self.effectors.len())
            .zip(states.par_chunks_mut(self.nq.max(1)))
            .zip(outcomes)
            .for_each_init(
                || self.make_workspace(),
                |work, ((targets, state), outcome)| {
                    *outcome = self.solve_from(start, targets, state, work);
                },
            );
        Ok(())
    }

    /// Solves for consecutive poses of a path, each from the solution of the previous one and the
    /// first from `qpos`, which receives the last solution. `targets` holds one target per chain for
    /// each pose; each row of `states` receives a solution.
    ///
    /// # Errors
    /// When the lengths are inconsistent. Invalid targets are reported in their outcome, and their
    /// solution is that of the previous pose.
    pub fn solve_path(
        &self,
        targets: &[Target],
        qpos: &mut [f64],
        states: &mut [f64],
        outcomes: &mut [Outcome],
        work: &mut Workspace,
    ) -> Result<PathReport, Error> {
        check_length("qpos", qpos.len(), self.nq)?;
        self.check_rows(targets, states, outcomes)?;
        let mut report =
            PathReport { converged: 0, first_failed: None, largest_jump: 0.0, jump: None };
        let rows =
            targets.chunks_exact(self.effectors.len()).zip(states.chunks_mut(self.nq.max(1)));
        for (k, ((targets, state), outcome)) in rows.zip(outcomes).enumerate() {
            state.copy_from_slice(qpos);
            *outcome = self.solve_from(Start::Given, targets, state, work);
            if k > 0 {
                let (jump, joint) = self.variables.largest_change(qpos, state);
                if jump > report.largest_jump {
                    report.largest_jump = jump;
                    report.jump = joint.map(|joint| (k, joint));
                }
            }
            if outcome.status == Status::Converged {
                report.converged += 1;
            } else if report.first_failed.is_none() {
                report.first_failed = Some(k);
            }
            qpos.copy_from_slice(state);
        }
        Ok(report)
    }

    fn check_rows(
        &self,
        targets: &[Target],
        states: &[f64],
        outcomes: &[Outcome],
    ) -> Result<(), Error> {
        let count = outcomes.len();
        let product = |n: usize| count.saturating_mul(n);
        check_length("targets", targets.len(), product(self.effectors.len()))?;
        check_length("states", states.len(), product(self.nq))
    }
}
