//! Temporary memory of the solvers.

use crate::block_jacobian::BlockJacobian;
use crate::dual::Dual;
use crate::dual_blocks::DualBlocks;
use crate::dual_sweep::DualSweep;
use crate::hessian::Hessian;
use crate::inertia::RootPaths;
use crate::jacobian::RowBlock;
use crate::line_search::LineSearch;
use crate::problem::{Iteration, MAX_ITERATION_STATS};
use crate::small::Small;
use crate::vector::heap_bytes;
use sim_types::ConstraintState;

/// Temporary memory of the solvers, reused between calls. It grows with the largest problem and
/// never shrinks.
#[derive(Debug, Default)]
pub struct Workspace {
    pub(crate) row_blocks: Vec<RowBlock>,
    /// The Jacobian of CG.
    pub(crate) block_jacobian: BlockJacobian,
    pub(crate) root_paths: RootPaths,
    /// Equality rows that do not depend on the acceleration.
    pub(crate) constant_rows: Vec<usize>,
    /// `Jaref = J qacc − aref`.
    pub(crate) jaref: Vec<f64>,
    /// `Ma = M qacc`.
    pub(crate) ma: Vec<f64>,
    /// `Jᵀ force` of half of the rows.
    pub(crate) product: Vec<f64>,
    /// Cost of the rows at the starting point, if it was evaluated.
    pub(crate) start_cost: Option<f64>,
    /// Gradient of the cost.
    pub(crate) grad: Vec<f64>,
    /// Preconditioned gradient: `H⁻¹ grad` (Newton) or `M⁻¹ grad` (CG).
    pub(crate) mgrad: Vec<f64>,
    /// Search direction.
    pub(crate) search: Vec<f64>,
    /// `gradᵀ Mgrad` of the previous iteration of CG.
    pub(crate) grad_mgrad: f64,
    pub(crate) mgrad_old: Vec<f64>,
    pub(crate) state_old: Vec<ConstraintState>,
    /// Cone Hessians of the elliptic contacts in the middle zone.
    pub(crate) cones: Vec<[f64; 36]>,
    pub(crate) line: LineSearch,
    pub(crate) hessian: Hessian,
    /// Matrices of a small problem.
    pub(crate) small: Small,
    /// The last factorisation of the Hessian had a non-positive pivot.
    pub(crate) singular: bool,
    /// Relative accuracy of the search direction where it is computed iteratively.
    pub(crate) forcing: f64,
    pub(crate) dual: Dual,
    /// Blocks of rows of PGS.
    pub(crate) dual_blocks: DualBlocks,
    /// Groups of rows of PGS with a dense matrix.
    pub(crate) dual_sweep: DualSweep,
    pub(crate) stats: Vec<Iteration>,
}

impl Workspace {
    /// Statistics of the iterations of the last solve, at most [`MAX_ITERATION_STATS`]. Those of
    /// the noslip post-processor follow those of the main solver.
    #[must_use]
    pub fn iterations(&self) -> &[Iteration] {
        &self.stats
    }

    /// Heap memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        heap_bytes!(
            self.row_blocks,
            self.constant_rows,
            self.jaref,
            self.ma,
            self.product,
            self.grad,
            self.mgrad,
            self.search,
            self.mgrad_old,
            self.state_old,
            self.cones,
            self.stats
        ) + self.block_jacobian.bytes()
            + self.root_paths.bytes()
            + self.line.bytes()
            + self.hessian.bytes()
            + self.small.bytes()
            + self.dual.bytes()
            + self.dual_blocks.bytes()
            + self.dual_sweep.bytes()
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
