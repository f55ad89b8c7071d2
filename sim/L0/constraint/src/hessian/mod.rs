//! Hessian of the primal cost, `H = M + Jᵀ D J` plus cone terms, and its `Lᵀ D L` factor
//! (`MakeHessian`, `FactorizeHessian`, `HessianIncremental`, `HessianCone`).
//!
//! [`RootPathFactor`] stores the complete path to the root of the elimination tree in each row, without
//! symbolic factorisation; [`SupernodalFactor`] is a supernodal sparse factorisation with fill-reducing
//! ordering for large systems. Piles, whose factor would fill in, are solved without a factor by conjugate
//! gradients ([`IterativeSolver`]).

mod elimination_tree;
mod iterative;
mod ordering;
mod path_rows;
mod root_path;
mod scatter;
mod supernodal;
mod symbolic;
#[cfg(test)]
pub(crate) mod tests;

use crate::jacobian::RowBlock;
use crate::problem::{ContactRows, Problem};
use crate::vector::{F64x4, axpy4};
use iterative::IterativeSolver;
use root_path::RootPathFactor;
use sim_types::{ConstraintState, ConstraintType};
use supernodal::SupernodalFactor;

/// Method that solves with the Hessian of a problem.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Method {
    #[default]
    RootPath,
    Supernodal,
    Iterative,
}

/// Hessian of one problem, factored or prepared for an iterative solution.
#[derive(Debug, Default)]
pub(crate) struct Hessian {
    root_path: RootPathFactor,
    supernodal: SupernodalFactor,
    iterative: IterativeSolver,
    method: Method,
    /// Never use the iterative method, for comparisons.
    #[cfg(test)]
    pub(crate) always_factor: bool,
    /// The factor is valid and contains no cone terms, so that rank-one updates apply.
    updatable: bool,
    /// The assembled matrix `M + Jᵀ D J` matches the current row states.
    assembled: bool,
}

/// Cone Hessians of the elliptic contacts in the middle zone, one block per contact.
pub(crate) type Cones<'a> = &'a [[f64; 36]];

/// Current and previous row states, which determine the Hessian and its incremental update.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StateChange<'a> {
    pub row_blocks: &'a [RowBlock],
    pub state: &'a [ConstraintState],
    /// Previous states.
    pub state_old: &'a [ConstraintState],
    /// Present if a contact is in the middle zone.
    pub cones: Option<Cones<'a>>,
}

impl StateChange<'_> {
    /// Number of rows that entered or left the quadratic state.
    fn count(&self) -> usize {
        let quadratic = |s: ConstraintState| s == ConstraintState::Quadratic;
        let pairs = self.state.iter().zip(self.state_old);
        pairs.filter(|(a, b)| quadratic(**a) != quadratic(**b)).count()
    }
}

/// Largest estimated factorisation cost for which full root paths are used instead of a symbolic
/// factorisation.
const MAX_ROOT_PATH_COST: u64 = 60_000;
/// Smallest estimated cost of a factorisation along root paths for which the iterative method is considered.
const MIN_ITERATIVE_COST: u64 = 2_000_000;
/// A rank-one downdate that reduces a pivot below this fraction has lost too much precision.
const MIN_PIVOT_RATIO: f64 = 1e-7;

impl Hessian {
    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.root_path.bytes() + self.supernodal.bytes() + self.iterative.bytes()
    }

    /// Symbolic analysis, assembly and factorisation (`MakeHessian`, `FactorizeHessian`). Returns
    /// whether all pivots were positive.
    pub(crate) fn make(&mut self, problem: &Problem<'_>, change: &StateChange<'_>) -> bool {
        let is_new = self.root_path.tree.compute(problem, change.row_blocks);
        let cost = self.root_path.tree.cost();
        self.method = if cost <= MAX_ROOT_PATH_COST {
            self.root_path.resize(is_new);
            Method::RootPath
        } else {
            if is_new {
                self.root_path.invalidate();
            }
            #[cfg(test)]
            let cost = if self.always_factor { 0 } else { cost };
            if cost > MIN_ITERATIVE_COST && self.iterative.analyze(problem, change.row_blocks) {
                self.iterative.reset(problem);
                Method::Iterative
            } else {
                self.supernodal.analyze(problem, change.row_blocks);
                Method::Supernodal
            }
        };
        self.assembled = false;
        self.refactor(problem, change)
    }

    /// Replaces the iterative method by a factorisation.
    pub(crate) fn make_factor(&mut self, problem: &Problem<'_>, change: &StateChange<'_>) -> bool {
        self.supernodal.analyze(problem, change.row_blocks);
        self.method = Method::Supernodal;
        self.assembled = false;
        self.refactor(problem, change)
    }

    /// Whether solutions are approximate.
    pub(crate) fn is_iterative(&self) -> bool {
        self.method == Method::Iterative
    }

    /// Updates the factor after a change of row states: by rank-one updates if they are cheaper and
    /// stable, else by refactorisation. Returns whether all pivots were positive.
    pub(crate) fn update(&mut self, problem: &Problem<'_>, change: &StateChange<'_>) -> bool {
        let count = change.count();
        self.assembled &= count == 0;
        if self.method == Method::Iterative {
            return self.refactor(problem, change);
        }
        if self.updatable && change.cones.is_none() {
            let quadratic = |s: ConstraintState| s == ConstraintState::Quadratic;
            if count == 0
                || self.is_worth_updating(problem, change) && {
                    let pairs = change.state.iter().zip(change.state_old).enumerate();
                    pairs
                        .filter(|(_, (a, b))| quadratic(**a) != quadratic(**b))
                        .all(|(i, (&now, _))| self.rank_one_update(problem, i, quadratic(now)))
                }
            {
                return true;
            }
        }
        self.refactor(problem, change)
    }

    /// Whether the rank-one updates cost less than a refactorisation.
    fn is_worth_updating(&self, problem: &Problem<'_>, change: &StateChange<'_>) -> bool {
        let is_supernodal = self.method == Method::Supernodal;
        let bound =
            if is_supernodal { self.supernodal.symbolic.cost } else { self.root_path.tree.cost() };
        let quadratic = |s: ConstraintState| s == ConstraintState::Quadratic;
        let mut cost = 0;
        for block in change.row_blocks {
            let (now, old) = (&change.state[block.range()], &change.state_old[block.range()]);
            let pairs = now.iter().zip(old);
            let count = pairs.filter(|(a, b)| quadratic(**a) != quadratic(**b)).count() as u64;
            if let Some(&last) = block.cols(problem).last()
                && count > 0
            {
                cost += count
                    * if is_supernodal {
                        self.supernodal.update_cost(block.cols(problem))
                    } else {
                        self.root_path.update_cost(last as usize)
                    };
            }
        }
        cost < bound
    }

    /// Rank-one update (`add`) or downdate of the factor by a constraint row.
    fn rank_one_update(&mut self, problem: &Problem<'_>, row: usize, add: bool) -> bool {
        let rows = &problem.rows;
        let (adr, nnz) = (rows.rowadr[row] as usize, rows.rownnz[row] as usize);
        let (j, cols) = (&rows.j[adr..adr + nnz], &rows.colind[adr..adr + nnz]);
        let weight = if add { rows.d[row] } else { -rows.d[row] };
        if self.method == Method::Supernodal {
            self.supernodal.rank_one_update(j, cols, weight)
        } else {
            self.root_path.rank_one_update(j, cols, weight)
        }
    }

    /// Assembles the matrix if it is out of date, and factors it or prepares the iterative solution.
    fn refactor(&mut self, problem: &Problem<'_>, change: &StateChange<'_>) -> bool {
        let StateChange { row_blocks, state, cones, .. } = *change;
        if self.method == Method::Iterative {
            self.updatable = false;
            return self.iterative.update(problem, row_blocks, state, cones);
        }
        let assemble = !self.assembled;
        // without cone terms the factorisation overwrites the matrix
        self.assembled = cones.is_some();
        let is_positive = if self.method == Method::Supernodal {
            if assemble {
                self.supernodal.assemble(problem, row_blocks, state);
            }
            self.supernodal.factor(problem, row_blocks, state, cones)
        } else {
            if assemble {
                self.root_path.assemble(problem, row_blocks, state);
            }
            self.root_path.factor(problem, state, cones)
        };
        self.updatable = is_positive && cones.is_none();
        is_positive
    }

    /// `x ← H⁻¹ x`, by the iterative method to an error of `relative` times the energy norm of the solution.
    /// Returns whether that accuracy was reached.
    pub(crate) fn solve(&mut self, x: &mut [f64], relative: f64) -> bool {
        match self.method {
            Method::RootPath => self.root_path.solve(x),
            Method::Supernodal => self.supernodal.solve(x),
            Method::Iterative => return self.iterative.solve(x, relative),
        }
        true
    }

    /// Number of entries of the factor, or of the matrix if there is none.
    pub(crate) fn nnz(&self) -> usize {
        match self.method {
            Method::RootPath => self.root_path.nnz(),
            Method::Supernodal => self.supernodal.nnz(),
            Method::Iterative => self.iterative.nnz(),
        }
    }
}

/// Whether a contact is elliptic, acts on some dof and is in the middle zone of its cone.
#[inline(always)]
fn is_in_cone(problem: &Problem<'_>, state: &[ConstraintState], contact: &ContactRows) -> bool {
    let (rows, row) = (&problem.rows, contact.row);
    let elliptic = rows.kind[row] == ConstraintType::ContactElliptic;
    elliptic && state[row] == ConstraintState::Cone && rows.rownnz[row] > 0
}

/// `out = C J`, with the cone Hessian `C` and the Jacobian rows of a contact padded to whole
/// vectors.
#[inline(always)]
fn mul_cone(cone: &[f64; 36], dim: usize, rows: &[F64x4], out: &mut [F64x4]) {
    let stride = rows.len() / dim.max(1);
    for a in 0..dim {
        let weights = &cone[a * dim..][..dim];
        let out = &mut out[a * stride..][..stride];
        out.fill([0.0; 4]);
        for k in 0..dim {
            for (out, row) in out.iter_mut().zip(&rows[k * stride..][..stride]) {
                *out = axpy4(*out, *row, weights[k]);
            }
        }
    }
}
