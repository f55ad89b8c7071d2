//! The Hessian `M + Jᵀ D J` and its factor.

mod dense;

use crate::group::Run;
use crate::problem::Problem;
use dense::Dense;
use sim_types::ConstraintState;

/// The Hessian of one problem, factored.
#[derive(Debug, Default)]
pub(crate) struct Hessian {
    dense: Dense,
    /// Rows that were quadratic when the matrix was assembled.
    assembled: Vec<bool>,
    /// The factor is that of the assembled matrix, without cones.
    plain: bool,
}

/// Hessians of elliptic contacts in their middle zone, one block for each contact.
pub(crate) type Cones<'a> = &'a [[f64; 36]];

impl Hessian {
    /// Assembles and factors for the first time. Returns whether all pivots were positive.
    pub(crate) fn start(
        &mut self,
        problem: &Problem<'_>,
        runs: &[Run],
        state: &[ConstraintState],
        cones: Option<Cones<'_>>,
    ) -> bool {
        self.dense.resize(problem.nv());
        self.assembled.clear();
        self.assembled.resize(problem.nefc(), false);
        self.refactor(problem, runs, state, cones, true)
    }

    /// Follows a change of states. `cones` is given if a contact is in its middle zone.
    pub(crate) fn follow(
        &mut self,
        problem: &Problem<'_>,
        runs: &[Run],
        state: &[ConstraintState],
        state_old: &[ConstraintState],
        cones: Option<Cones<'_>>,
    ) -> bool {
        let quadratic = |s: ConstraintState| s == ConstraintState::Quadratic;
        let changed = state.iter().zip(state_old).any(|(&a, &b)| quadratic(a) != quadratic(b));
        if !changed && cones.is_none() && self.plain {
            return true;
        }
        self.refactor(problem, runs, state, cones, changed)
    }

    fn refactor(
        &mut self,
        problem: &Problem<'_>,
        runs: &[Run],
        state: &[ConstraintState],
        cones: Option<Cones<'_>>,
        changed: bool,
    ) -> bool {
        if changed {
            self.dense.assemble(problem, runs, state);
        }
        self.plain = cones.is_none();
        self.dense.start_factor();
        if let Some(cones) = cones {
            self.dense.add_cones(problem, state, cones);
        }
        self.dense.factor()
    }

    /// `x ← H⁻¹ x`.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        self.dense.solve(x);
    }

    /// Entries of the factor.
    pub(crate) fn nnz(&self) -> usize {
        self.dense.nnz()
    }
}
