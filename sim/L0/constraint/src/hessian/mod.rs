//! The Hessian `M + Jᵀ D J` and its factor.

mod elimination;
#[cfg(test)]
mod laws;
mod order;
mod path;
mod pattern;
mod sparse;
mod spread;

use crate::group::Run;
use crate::problem::{ContactRows, Problem};
use crate::vector::{Lane, lane_scaled};
use path::Paths;
use sim_types::{ConstraintState, ConstraintType};
use sparse::Sparse;

/// The Hessian of one problem, factored.
#[derive(Debug, Default)]
pub(crate) struct Hessian {
    paths: Paths,
    sparse: Sparse,
    is_sparse: bool,
    /// The factor is good and has no cones in it, so that it can be changed.
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

/// A problem whose full paths cost less than this to factor is not worth a search for zeros.
const CHEAP: u64 = 60_000;
/// A pivot that shrinks by more than this has lost too many digits.
const LOSS: f64 = 1e-7;

impl Hessian {
    /// Bytes that it holds.
    pub(crate) fn bytes(&self) -> usize {
        self.paths.bytes() + self.sparse.bytes()
    }

    /// Assembles and factors for the first time. Returns whether all pivots were positive.
    pub(crate) fn start(&mut self, problem: &Problem<'_>, change: &Change<'_>) -> bool {
        let new = self.paths.tree.find(problem, change.runs);
        let cost = self.paths.tree.cost();
        self.is_sparse = cost > CHEAP;
        if self.is_sparse {
            if new {
                self.paths.forget();
            }
            self.sparse.find(problem, change.runs);
        } else {
            self.paths.resize(new);
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
        let bound = if self.is_sparse { self.sparse.pattern.cost } else { self.paths.tree.cost() };
        let quadratic = |s: ConstraintState| s == ConstraintState::Quadratic;
        let mut cost = 0;
        for run in change.runs {
            let (now, old) = (&change.state[run.range()], &change.state_old[run.range()]);
            let pairs = now.iter().zip(old);
            let count = pairs.filter(|(a, b)| quadratic(**a) != quadratic(**b)).count() as u64;
            if let Some(&last) = run.cols(problem).last()
                && count > 0
            {
                cost += count
                    * if self.is_sparse {
                        self.sparse.update_cost(run.cols(problem))
                    } else {
                        self.paths.update_cost(last as usize)
                    };
            }
        }
        cost < bound
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
            self.paths.update(j, cols, weight)
        }
    }

    fn refactor(&mut self, problem: &Problem<'_>, change: &Change<'_>) -> bool {
        let Change { runs, state, cones, .. } = *change;
        let again = !self.assembled;
        // without cones the factor takes the place of the matrix
        self.assembled = cones.is_some();
        let good = if self.is_sparse {
            if again {
                self.sparse.assemble(problem, runs, state);
            }
            self.sparse.factor(problem, runs, state, cones)
        } else {
            if again {
                self.paths.assemble(problem, runs, state);
            }
            self.paths.factor(problem, state, cones)
        };
        self.plain = good && cones.is_none();
        good
    }

    /// `x ← H⁻¹ x`.
    pub(crate) fn solve(&mut self, x: &mut [f64]) {
        if self.is_sparse {
            self.sparse.solve(x);
        } else {
            self.paths.solve(x);
        }
    }

    /// Entries of the factor.
    pub(crate) fn nnz(&self) -> usize {
        if self.is_sparse { self.sparse.nnz() } else { self.paths.nnz() }
    }
}

/// Calls `add` for each contact in its middle zone.
#[inline(always)]
fn each_cone(
    problem: &Problem<'_>,
    state: &[ConstraintState],
    cones: Cones<'_>,
    mut add: impl FnMut(&ContactRows, &[f64; 36]),
) {
    let rows = &problem.rows;
    for (contact, cone) in problem.contacts.iter().zip(cones) {
        let row = contact.row;
        let elliptic = rows.kind[row] == ConstraintType::ContactElliptic;
        if elliptic && state[row] == ConstraintState::Cone && rows.rownnz[row] > 0 {
            add(contact, cone);
        }
    }
}

/// `out = H J`, for the Jacobian of a contact in rows of whole vectors.
#[inline(always)]
fn multiply(cone: &[f64; 36], dim: usize, rows: &[Lane], out: &mut Vec<Lane>) {
    let stride = rows.len() / dim.max(1);
    out.clear();
    for weights in cone.chunks_exact(dim.max(1)).take(dim) {
        for lane in 0..stride {
            let mut sum = [0.0; 4];
            for (row, &weight) in rows.chunks_exact(stride).zip(weights) {
                sum = lane_scaled(sum, row[lane], weight);
            }
            out.push(sum);
        }
    }
}
