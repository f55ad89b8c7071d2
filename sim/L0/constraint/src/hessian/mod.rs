//! The Hessian `M + Jᵀ D J` and its factor.

mod dense;
mod pattern;
mod sparse;

use crate::group::Run;
use crate::problem::Problem;
use dense::Dense;
use sim_types::ConstraintState;
use sparse::Sparse;

/// The Hessian of one problem, factored.
#[derive(Debug, Default)]
pub(crate) struct Hessian {
    dense: Dense,
    sparse: Sparse,
    is_sparse: bool,
    /// The factor has no cones in it.
    plain: bool,
    /// The assembled matrix is that of the present states; the factor may be newer.
    assembled: bool,
}

/// Hessians of elliptic contacts in their middle zone, one block for each contact.
pub(crate) type Cones<'a> = &'a [[f64; 36]];

/// What a new state asks of the Hessian.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Change<'a> {
    pub runs: &'a [Run],
    pub state: &'a [ConstraintState],
    /// The states before, and how many rows became quadratic or ceased to be.
    pub state_old: &'a [ConstraintState],
    pub count: usize,
    /// Given if a contact is in its middle zone.
    pub cones: Option<Cones<'a>>,
}

/// Problems up to this size are dense whatever their pattern.
const SMALL: usize = 6;

impl Hessian {
    /// Assembles and factors for the first time. Returns whether all pivots were positive.
    pub(crate) fn start(
        &mut self,
        problem: &Problem<'_>,
        longest: usize,
        change: &Change<'_>,
    ) -> bool {
        let n = problem.nv();
        self.is_sparse =
            n > SMALL && self.sparse.pattern.find(problem, change.runs, Dense::cost(n));
        if self.is_sparse {
            self.sparse.resize(longest);
        } else {
            self.dense.resize(n, longest);
        }
        self.assembled = false;
        self.refactor(problem, change)
    }

    /// Follows a change of states.
    pub(crate) fn follow(&mut self, problem: &Problem<'_>, change: &Change<'_>) -> bool {
        self.assembled &= change.count == 0;
        if self.plain && change.cones.is_none() {
            let quadratic = |s: ConstraintState| s == ConstraintState::Quadratic;
            if change.count == 0
                || self.is_worth_updating(problem, change) && {
                    let pairs = change.state.iter().zip(change.state_old).enumerate();
                    pairs
                        .filter(|(_, (a, b))| quadratic(**a) != quadratic(**b))
                        .all(|(i, (&now, _))| self.update(problem, i, quadratic(now)))
                }
            {
                return true;
            }
        }
        self.refactor(problem, change)
    }

    /// Whether rank-one changes cost less than a new factor.
    fn is_worth_updating(&self, problem: &Problem<'_>, change: &Change<'_>) -> bool {
        if !self.is_sparse {
            return change.count as u64 * Dense::update_cost(problem.nv())
                < Dense::cost(problem.nv());
        }
        let pattern = &self.sparse.pattern;
        let quadratic = |s: ConstraintState| s == ConstraintState::Quadratic;
        let mut cost = 0;
        for run in change.runs {
            let (now, old) = (&change.state[run.range()], &change.state_old[run.range()]);
            let pairs = now.iter().zip(old);
            let count = pairs.filter(|(a, b)| quadratic(**a) != quadratic(**b)).count() as u64;
            if let Some(&last) = run.cols(problem).last() {
                cost += count * u64::from(pattern.path[last as usize]);
            }
        }
        cost < pattern.cost
    }

    /// Adds a row to the factor or takes it away.
    fn update(&mut self, problem: &Problem<'_>, row: usize, add: bool) -> bool {
        let rows = &problem.rows;
        let (adr, nnz) = (rows.rowadr[row] as usize, rows.rownnz[row] as usize);
        let (j, cols) = (&rows.j[adr..adr + nnz], &rows.colind[adr..adr + nnz]);
        let weight = if add { rows.d[row] } else { -rows.d[row] };
        if self.is_sparse {
            self.sparse.update(j, cols, weight)
        } else {
            self.dense.update(j, cols, weight)
        }
    }

    fn refactor(&mut self, problem: &Problem<'_>, change: &Change<'_>) -> bool {
        let Change { runs, state, cones, .. } = *change;
        self.plain = cones.is_none();
        let Self { dense, sparse, .. } = self;
        let again = !std::mem::replace(&mut self.assembled, true);
        if self.is_sparse {
            if again {
                sparse.assemble(problem, runs, state);
            }
            sparse.start_factor();
            if let Some(cones) = cones {
                sparse.add_cones(problem, state, cones);
            }
            sparse.factor()
        } else {
            if again {
                dense.assemble(problem, runs, state);
            }
            dense.start_factor();
            if let Some(cones) = cones {
                dense.add_cones(problem, state, cones);
            }
            dense.factor()
        }
    }

    /// `x ← H⁻¹ x`.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        if self.is_sparse {
            self.sparse.solve(x);
        } else {
            self.dense.solve(x);
        }
    }

    /// Entries of the factor.
    pub(crate) fn nnz(&self) -> usize {
        if self.is_sparse { self.sparse.nnz() } else { self.dense.nnz() }
    }
}
