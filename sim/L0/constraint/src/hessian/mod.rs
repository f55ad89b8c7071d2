//! Hessian of the primal cost, `H = M + Jᵀ D J` plus cone terms, and its `Lᵀ D L` factor
//! (`MakeHessian`, `FactorizeHessian`, `HessianIncremental`, `HessianCone`).
//!
//! Two storage schemes are used: [`RootPathFactor`] stores the complete path to the root of the
//! elimination tree in each row, without symbolic factorisation; [`SupernodalFactor`] is a
//! supernodal sparse factorisation with fill-reducing ordering for large systems.

mod elimination_tree;
mod ordering;
mod root_path;
mod scatter;
mod supernodal;
mod symbolic;
#[cfg(test)]
pub(crate) mod tests;

use crate::jacobian::RowBlock;
use crate::problem::{ContactRows, Problem};
use crate::vector::{F64x4, axpy4};
use root_path::RootPathFactor;
use sim_types::{ConstraintState, ConstraintType};
use supernodal::SupernodalFactor;

/// Factored Hessian of one problem.
#[derive(Debug, Default)]
pub(crate) struct Hessian {
    root_path: RootPathFactor,
    supernodal: SupernodalFactor,
    is_supernodal: bool,
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
    /// Number of rows that entered or left the quadratic state.
    pub count: usize,
    /// Present if a contact is in the middle zone.
    pub cones: Option<Cones<'a>>,
}

/// Largest estimated factorisation cost for which full root paths are used instead of a symbolic
/// factorisation.
const MAX_ROOT_PATH_COST: u64 = 60_000;
/// A rank-one downdate that reduces a pivot below this fraction has lost too much precision.
const MIN_PIVOT_RATIO: f64 = 1e-7;

impl Hessian {
    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.root_path.bytes() + self.supernodal.bytes()
    }

    /// Symbolic analysis, assembly and factorisation (`MakeHessian`, `FactorizeHessian`). Returns
    /// whether all pivots were positive.
    pub(crate) fn make(&mut self, problem: &Problem<'_>, change: &StateChange<'_>) -> bool {
        let is_new = self.root_path.tree.compute(problem, change.row_blocks);
        let cost = self.root_path.tree.cost();
        self.is_supernodal = cost > MAX_ROOT_PATH_COST;
        if self.is_supernodal {
            if is_new {
                self.root_path.invalidate();
            }
            self.supernodal.analyze(problem, change.row_blocks);
        } else {
            self.root_path.resize(is_new);
        }
        self.assembled = false;
        self.refactor(problem, change)
    }

    /// Updates the factor after a change of row states: by rank-one updates if they are cheaper and
    /// stable, else by refactorisation. Returns whether all pivots were positive.
    pub(crate) fn update(&mut self, problem: &Problem<'_>, change: &StateChange<'_>) -> bool {
        self.assembled &= change.count == 0;
        if self.updatable && change.cones.is_none() {
            let quadratic = |s: ConstraintState| s == ConstraintState::Quadratic;
            if change.count == 0
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
        let bound = if self.is_supernodal {
            self.supernodal.symbolic.cost
        } else {
            self.root_path.tree.cost()
        };
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
                    * if self.is_supernodal {
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
        if self.is_supernodal {
            self.supernodal.rank_one_update(j, cols, weight)
        } else {
            self.root_path.rank_one_update(j, cols, weight)
        }
    }

    /// Assembles the matrix if it is out of date, and factors it.
    fn refactor(&mut self, problem: &Problem<'_>, change: &StateChange<'_>) -> bool {
        let StateChange { row_blocks, state, cones, .. } = *change;
        let assemble = !self.assembled;
        // without cone terms the factorisation overwrites the matrix
        self.assembled = cones.is_some();
        let is_positive = if self.is_supernodal {
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

    /// `x ← H⁻¹ x`.
    pub(crate) fn solve(&mut self, x: &mut [f64]) {
        if self.is_supernodal {
            self.supernodal.solve(x);
        } else {
            self.root_path.solve(x);
        }
    }

    /// Number of entries of the factor.
    pub(crate) fn nnz(&self) -> usize {
        if self.is_supernodal { self.supernodal.nnz() } else { self.root_path.nnz() }
    }
}

/// Calls `add` for each elliptic contact in the middle zone.
#[inline(always)]
fn for_each_cone(
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

/// `out = C J`, with the cone Hessian `C` and the Jacobian rows of a contact padded to whole
/// vectors.
#[inline(always)]
fn mul_cone(cone: &[f64; 36], dim: usize, rows: &[F64x4], out: &mut Vec<F64x4>) {
    let stride = rows.len() / dim.max(1);
    out.clear();
    for weights in cone.chunks_exact(dim.max(1)).take(dim) {
        for lane in 0..stride {
            let mut sum = [0.0; 4];
            for (row, &weight) in rows.chunks_exact(stride).zip(weights) {
                sum = axpy4(sum, row[lane], weight);
            }
            out.push(sum);
        }
    }
}
