//! Many targets: independent ones, and those of a path.

use super::{Outcome, Solver, Start, Status, Target, Workspace};
use crate::Error;
use crate::error::check_length;

/// How a path went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathReport {
    /// Poses whose targets are met.
    pub met: usize,
    /// The first pose whose targets are not.
    pub first_missed: Option<usize>,
    /// The largest change of a joint's coordinate from one pose to the next, in radians or metres;
    /// the step from the start to the first pose does not count.
    pub largest_jump: f64,
    /// The pose it leads to, and the model's joint that makes it.
    pub jump: Option<(usize, usize)>,
}

impl Solver {
    /// Solves for many targets that have nothing to do with each other: `targets` has one for each
    /// chain, row after row; a row of `states`, as long as the model's `qpos`, has the start, and
    /// gets the solution.
    ///
    /// # Errors
    /// When the lengths do not fit together. A target that makes no sense is told in its outcome.
    pub fn solve_batch(
        &self,
        start: Start,
        targets: &[Target],
        states: &mut [f64],
        outcomes: &mut [Outcome],
        work: &mut Workspace,
    ) -> Result<(), Error> {
        self.check_rows(targets, states, outcomes)?;
        let rows = targets.chunks_exact(self.ends.len()).zip(states.chunks_mut(self.nq.max(1)));
        for ((targets, state), outcome) in rows.zip(outcomes) {
            *outcome = self.solve_from(start, targets, state, work);
        }
        Ok(())
    }

    /// As [`solve_batch`](Self::solve_batch), shared among the threads of rayon's pool; the same
    /// bits, however many there are.
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
            .par_chunks_exact(self.ends.len())
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

    /// Follows a path: each pose is solved from the solution of the one before, the first from
    /// `qpos`, which is left at the last. `targets` has one for each chain, pose after pose; a row
    /// of `states` gets each solution.
    ///
    /// # Errors
    /// When the lengths do not fit together. A target that makes no sense is told in its outcome,
    /// and its state is that of the pose before.
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
        let mut report = PathReport { met: 0, first_missed: None, largest_jump: 0.0, jump: None };
        let rows = targets.chunks_exact(self.ends.len()).zip(states.chunks_mut(self.nq.max(1)));
        for (k, ((targets, state), outcome)) in rows.zip(outcomes).enumerate() {
            state.copy_from_slice(qpos);
            *outcome = self.solve_from(Start::Given, targets, state, work);
            if k > 0 {
                let (jump, joint) = self.space.jump(qpos, state);
                if jump > report.largest_jump {
                    report.largest_jump = jump;
                    report.jump = joint.map(|joint| (k, joint));
                }
            }
            if outcome.status == Status::Converged {
                report.met += 1;
            } else if report.first_missed.is_none() {
                report.first_missed = Some(k);
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
        check_length("targets", targets.len(), product(self.ends.len()))?;
        check_length("states", states.len(), product(self.nq))
    }
}
