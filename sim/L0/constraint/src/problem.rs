//! Input ([`Problem`], [`Params`]) and output ([`Solution`], [`Info`]) of the solvers.

use crate::jacobian::RowBlock;
use crate::vector::same_columns;
use sim_types::{ConstraintState, ConstraintType};

/// Maximum number of iterations whose statistics are stored (`mjNSOLVER`).
pub const MAX_ITERATION_STATS: usize = 200;

/// Joint-space inertia matrix in compressed sparse rows: row `i` holds the ancestors of dof `i` in
/// increasing order and ends with the diagonal. The factor `M = Lᵀ D L` has the same sparsity.
#[derive(Debug, Clone, Copy)]
pub struct Inertia<'a> {
    /// Number of entries of each row.
    pub rownnz: &'a [i32],
    /// Address of the first entry of each row.
    pub rowadr: &'a [i32],
    /// Column of each entry.
    pub colind: &'a [i32],
    /// Values of the matrix (`M`).
    pub m: &'a [f64],
    /// Values of the factor: `L` below the diagonal, `D` on it (`qLD`).
    pub ld: &'a [f64],
    /// Inverse of `D` (`qLDiagInv`).
    pub diag_inv: &'a [f64],
}

/// Constraint rows in the order equality, dry friction, limit, contact. The Jacobian is in
/// compressed sparse rows with increasing columns. All rows of one contact have the same columns.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// Number of equality rows.
    pub ne: usize,
    /// Number of dry-friction rows.
    pub nf: usize,
    /// Type of each row (`efc_type`).
    pub kind: &'a [ConstraintType],
    /// Number of entries of each row of the Jacobian.
    pub rownnz: &'a [i32],
    /// Address of the first entry of each row.
    pub rowadr: &'a [i32],
    /// Column of each entry.
    pub colind: &'a [i32],
    /// Values of the Jacobian (`efc_J`).
    pub j: &'a [f64],
    /// Inverse of the regularisation: constraint mass (`efc_D`).
    pub d: &'a [f64],
    /// Regularisation: inverse constraint mass (`efc_R`).
    pub r: &'a [f64],
    /// Reference acceleration (`efc_aref`).
    pub aref: &'a [f64],
    /// Force bound of a dry-friction row (`efc_frictionloss`).
    pub frictionloss: &'a [f64],
}

/// A contact with more than one row. The type of its rows determines whether its cone is pyramidal
/// or elliptic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactRows {
    /// Index of its first row.
    pub row: usize,
    /// Dimension of its force: 3, 4 or 6. An elliptic contact has as many rows, a pyramidal one
    /// `2 (dim - 1)`.
    pub dim: usize,
    /// Friction coefficient of the regularised cone.
    pub mu: f64,
    /// Friction coefficients of the tangential directions.
    pub friction: [f64; 5],
}

/// A constraint problem: the whole system or one island. `contacts` is ordered by row.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// Joint-space inertia matrix.
    pub inertia: Inertia<'a>,
    /// Constraint rows.
    pub rows: Rows<'a>,
    /// Contacts with more than one row.
    pub contacts: &'a [ContactRows],
    /// Unconstrained force.
    pub qfrc_smooth: &'a [f64],
    /// Unconstrained acceleration.
    pub qacc_smooth: &'a [f64],
}

/// Settings of the solvers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Params {
    /// Maximum number of iterations of the main solver.
    pub iterations: usize,
    /// Termination tolerance of the main solver for the scaled improvement and gradient.
    pub tolerance: f64,
    /// Maximum number of cost evaluations of a line search.
    pub ls_iterations: usize,
    /// Tolerance of the line search, relative to `tolerance`.
    pub ls_tolerance: f64,
    /// Scale of costs and gradients: `1 / (meaninertia · max(1, nv))`, for an island
    /// `1 / trace(M)`.
    pub scale: f64,
    /// Maximum number of iterations of the noslip post-processor.
    pub noslip_iterations: usize,
    /// Termination tolerance of the noslip post-processor for the scaled improvement.
    pub noslip_tolerance: f64,
}

impl Default for Params {
    /// MuJoCo's defaults, with a scale of one.
    fn default() -> Self {
        Self {
            iterations: 100,
            tolerance: 1e-8,
            ls_iterations: 50,
            ls_tolerance: 0.01,
            scale: 1.0,
            noslip_iterations: 0,
            noslip_tolerance: 1e-6,
        }
    }
}

/// Output arrays. The initial value of `qacc` (primal solvers) or `force` (dual solvers) is the
/// starting point.
#[derive(Debug)]
pub struct Solution<'a> {
    /// Acceleration.
    pub qacc: &'a mut [f64],
    /// Force of each row (`efc_force`).
    pub force: &'a mut [f64],
    /// State of each row: the branch of its cost function (`efc_state`).
    pub state: &'a mut [ConstraintState],
    /// Joint-space constraint force `Jᵀ force`.
    pub qfrc_constraint: &'a mut [f64],
}

/// Statistics of one iteration (`mjSolverStat`).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Iteration {
    /// Scaled decrease of the cost.
    pub improvement: f64,
    /// Scaled norm of the gradient; zero for dual solvers.
    pub gradient: f64,
    /// Scaled slope at the result of the line search.
    pub lineslope: f64,
    /// Number of rows that are not satisfied.
    pub nactive: i32,
    /// Number of rows whose state changed.
    pub nchange: i32,
    /// Number of cost evaluations of the line search.
    pub neval: i32,
    /// Number of rank-one updates of the Hessian factor.
    pub nupdate: i32,
}

/// Result summary of a solver. Statistics of each iteration are in
/// [`crate::Workspace::iterations`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Info {
    /// Number of iterations.
    pub iterations: usize,
    /// Terminated by a tolerance, or because no step decreased the cost.
    pub converged: bool,
    /// A pivot was not positive and was replaced by `mjMINVAL`.
    pub bad_pivot: bool,
    /// The cost became NaN or infinite.
    pub not_finite: bool,
    /// The array lengths are inconsistent; the solver did nothing.
    pub malformed: bool,
    /// Number of stored entries of the Hessian factor or of the dual matrix.
    pub nnz: usize,
}

impl Info {
    /// Counts an iteration of a dual solver and returns whether it was the last.
    pub(crate) fn is_last(&mut self, improvement: f64, tolerance: f64) -> bool {
        self.iterations += 1;
        self.converged = improvement < tolerance;
        self.not_finite = !self.converged && !improvement.is_finite();
        self.converged || self.not_finite
    }
}

impl Problem<'_> {
    /// Number of degrees of freedom.
    #[must_use]
    pub fn nv(&self) -> usize {
        self.qacc_smooth.len()
    }

    /// Number of constraint rows.
    #[must_use]
    pub fn nefc(&self) -> usize {
        self.rows.kind.len()
    }

    /// Whether array lengths and indices are consistent, so that no index is out of bounds.
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
        self.inertia_is_valid() && self.check(|_, _, _, _| {})
    }

    /// [`is_well_formed`](Self::is_well_formed), and groups the rows into blocks in the same pass.
    pub(crate) fn find_row_blocks(&self, row_blocks: &mut Vec<RowBlock>) -> bool {
        self.inertia_is_valid() && self.find_row_blocks_with_inertia(row_blocks)
    }

    /// [`find_row_blocks`](Self::find_row_blocks) with an inertia matrix that is known to be valid.
    pub(crate) fn find_row_blocks_with_inertia(&self, row_blocks: &mut Vec<RowBlock>) -> bool {
        row_blocks.clear();
        self.check(|row, adr, len, repeats| match row_blocks.last_mut() {
            Some(block) if repeats && block.len == len && block.adr + len * block.rows == adr => {
                block.rows += 1;
            }
            _ => row_blocks.push(RowBlock { row, rows: 1, adr, len }),
        })
    }

    /// Whether the problem is well formed except for the inertia matrix. Calls `visit` with the index, address and length of each row, and
    /// whether it has the same columns as the previous one, until the first row that is out of bounds.
    fn check(&self, visit: impl FnMut(usize, usize, usize, bool)) -> bool {
        self.lengths_match() && self.rows_are_valid(visit) && self.contacts_are_valid()
    }

    /// Whether the array lengths are consistent.
    pub(crate) fn lengths_match(&self) -> bool {
        let (nv, nefc) = (self.nv(), self.nefc());
        let (inertia, rows) = (&self.inertia, &self.rows);
        let dofs = [inertia.rownnz.len(), inertia.rowadr.len(), inertia.diag_inv.len()];
        let lengths = [rows.rownnz.len(), rows.rowadr.len(), rows.d.len(), rows.r.len()];
        self.qfrc_smooth.len() == nv
            && dofs.iter().all(|&len| len == nv)
            && lengths.iter().all(|&len| len == nefc)
            && rows.aref.len() == nefc
            && rows.frictionloss.len() == nefc
            && rows.ne.checked_add(rows.nf).is_some_and(|n| n <= nefc)
    }

    fn inertia_is_valid(&self) -> bool {
        let Inertia { rownnz, rowadr, colind, m, ld, .. } = self.inertia;
        let end = colind.len().min(m.len()).min(ld.len());
        rowadr.len() == rownnz.len()
            && (0..rownnz.len()).all(|i| {
                range(rowadr[i], rownnz[i], end).is_some_and(|row| {
                    // increasing columns that end with the diagonal are all in range
                    let cols = &colind[row];
                    cols.last() == Some(&(i as i32)) && cols[0] >= 0 && increases(cols)
                })
            })
    }

    fn rows_are_valid(&self, mut visit: impl FnMut(usize, usize, usize, bool)) -> bool {
        let Rows { rownnz, rowadr, colind, j, .. } = self.rows;
        let end = colind.len().min(j.len());
        let mut previous: &[i32] = &[];
        (0..rownnz.len()).all(|i| {
            let Some(row) = range(rowadr[i], rownnz[i], end) else {
                return false;
            };
            let (adr, cols) = (row.start, &colind[row]);
            // rows of one contact have the same columns
            let repeats = same_columns(cols, previous);
            visit(i, adr, cols.len(), repeats);
            if repeats {
                return true;
            }
            previous = cols;
            cols.first().is_none_or(|&first| first >= 0)
                && cols.last().is_none_or(|&last| (last as usize) < self.nv())
                && increases(cols)
        })
    }

    /// Whether the rows of the contacts are consistent, given a valid Jacobian.
    pub(crate) fn contacts_are_valid(&self) -> bool {
        let kind = self.rows.kind;
        let (mut next, mut elliptic) = (self.rows.ne + self.rows.nf, 0);
        for contact in self.contacts {
            let ContactRows { row, dim, .. } = *contact;
            if row < next || row >= kind.len() || !(2..=6).contains(&dim) {
                return false;
            }
            let rows = match kind[row] {
                ConstraintType::ContactElliptic => dim,
                ConstraintType::ContactPyramidal => 2 * (dim - 1),
                _ => return false,
            };
            next = row + rows;
            if next > kind.len() || !(row..next).all(|i| kind[i] == kind[row]) {
                return false;
            }
            if kind[row] == ConstraintType::ContactElliptic {
                elliptic += rows;
                if !(row + 1..next).all(|i| self.same_columns(row, i)) {
                    return false;
                }
            }
        }
        elliptic == kind.iter().filter(|&&k| k == ConstraintType::ContactElliptic).count()
    }

    /// Whether two rows of the Jacobian have entries in the same columns.
    #[inline]
    pub(crate) fn same_columns(&self, a: usize, b: usize) -> bool {
        let Rows { rownnz, rowadr, colind, .. } = self.rows;
        let at = |i: usize| &colind[rowadr[i] as usize..][..rownnz[i] as usize];
        same_columns(at(a), at(b))
    }
}

/// Whether the columns are strictly increasing. Without early exit, so that the loop vectorises.
fn increases(cols: &[i32]) -> bool {
    let pairs = cols.iter().zip(cols.get(1..).unwrap_or(&[]));
    pairs.fold(true, |good, (a, b)| good & (a < b))
}

/// Index range of a row, if it is inside an array of length `end`.
pub(crate) fn range(adr: i32, nnz: i32, end: usize) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(adr).ok()?;
    let stop = start.checked_add(usize::try_from(nnz).ok()?)?;
    (stop <= end).then_some(start..stop)
}
