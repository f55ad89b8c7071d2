//! Memory that the solvers keep between calls.

use crate::dual::Dual;
use crate::group::Run;
use crate::hessian::Hessian;
use crate::line_search::LineSearch;
use crate::problem::{Iteration, MAX_ITERATION_STATS};
use crate::tree::Chains;
use crate::vector::held;
use sim_types::ConstraintState;

/// Memory of the solvers: make one, and hand it to every call. It only grows.
#[derive(Debug, Default)]
pub struct Workspace {
    pub(crate) runs: Vec<Run>,
    pub(crate) chains: Chains,
    /// Residuals of the rows: `J qacc − aref`.
    pub(crate) jaref: Vec<f64>,
    /// `M qacc`.
    pub(crate) ma: Vec<f64>,
    pub(crate) grad: Vec<f64>,
    /// The gradient, preconditioned.
    pub(crate) mgrad: Vec<f64>,
    pub(crate) search: Vec<f64>,
    pub(crate) grad_old: Vec<f64>,
    pub(crate) mgrad_old: Vec<f64>,
    pub(crate) state_old: Vec<ConstraintState>,
    /// Hessians of the elliptic contacts in their middle zone.
    pub(crate) cones: Vec<[f64; 36]>,
    pub(crate) line: LineSearch,
    pub(crate) hessian: Hessian,
    /// The Hessian's last factor met a pivot that is not positive.
    pub(crate) singular: bool,
    pub(crate) dual: Dual,
    pub(crate) stats: Vec<Iteration>,
}

impl Workspace {
    /// Statistics of the last solve, one entry for each iteration, up to
    /// [`MAX_ITERATION_STATS`]. The no-slip pass adds its own after those of the main solver.
    #[must_use]
    pub fn iterations(&self) -> &[Iteration] {
        &self.stats
    }

    /// Bytes that it holds. They grow with the problems it is given, and never shrink.
    #[must_use]
    pub fn bytes(&self) -> usize {
        held!(
            self.runs,
            self.jaref,
            self.ma,
            self.grad,
            self.mgrad,
            self.search,
            self.grad_old,
            self.mgrad_old,
            self.state_old,
            self.cones,
            self.stats
        ) + self.chains.bytes()
            + self.line.bytes()
            + self.hessian.bytes()
            + self.dual.bytes()
    }

    /// `J qacc − aref` and `M qacc` at the acceleration that [`crate::warm_start`] chose last for a
    /// primal solver.
    #[must_use]
    pub fn products(&self) -> (&[f64], &[f64]) {
        (&self.jaref, &self.ma)
    }

    pub(crate) fn clear_stats(&mut self) {
        self.stats.clear();
        self.stats.reserve(MAX_ITERATION_STATS);
    }

    pub(crate) fn save(&mut self, iteration: Iteration) {
        if self.stats.len() < MAX_ITERATION_STATS {
            self.stats.push(iteration);
        }
    }
}
