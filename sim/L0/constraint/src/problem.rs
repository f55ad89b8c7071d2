//! What a solver is given and what it returns.

use sim_types::{ConstraintState, ConstraintType};

/// Iterations whose statistics are kept (`mjNSOLVER`).
pub const MAX_ITERATION_STATS: usize = 200;

/// Inertia in the tree's own sparse order: row `i` holds the columns of dof `i`'s ancestors,
/// increasing, the diagonal last. The factor has the same pattern: `M = Lᵀ D L`.
#[derive(Debug, Clone, Copy)]
pub struct Inertia<'a> {
    /// Entries of each row.
    pub rownnz: &'a [i32],
    /// Address of each row's first entry.
    pub rowadr: &'a [i32],
    /// Column of each entry.
    pub colind: &'a [i32],
    /// The matrix (`M`).
    pub m: &'a [f64],
    /// Its factor: `L` below the diagonal, `D` on it (`qLD`).
    pub ld: &'a [f64],
    /// Inverse of `D` (`qLDiagInv`).
    pub diag_inv: &'a [f64],
}

/// Constraint rows in the order equality, dry friction, limits, contacts. The Jacobian is sparse,
/// with increasing columns in a row. All rows of one contact have the same columns.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// Equality rows.
    pub ne: usize,
    /// Dry-friction rows.
    pub nf: usize,
    /// Kind of each row (`efc_type`).
    pub kind: &'a [ConstraintType],
    /// Entries of each row of the Jacobian.
    pub rownnz: &'a [i32],
    /// Address of each row's first entry.
    pub rowadr: &'a [i32],
    /// Column of each entry.
    pub colind: &'a [i32],
    /// The Jacobian (`efc_J`).
    pub j: &'a [f64],
    /// Inverse regularisation (`efc_D`).
    pub d: &'a [f64],
    /// Regularisation (`efc_R`).
    pub r: &'a [f64],
    /// Reference acceleration (`efc_aref`).
    pub aref: &'a [f64],
    /// Bound of the force of a dry-friction row (`efc_frictionloss`).
    pub frictionloss: &'a [f64],
}

/// A contact with more than one row. The kind of its rows says whether its cone is pyramidal or
/// elliptic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactRows {
    /// Its first row.
    pub row: usize,
    /// Dimension of its force: 3, 4 or 6. An elliptic contact has as many rows, a pyramidal one
    /// `2 (dim - 1)`.
    pub dim: usize,
    /// Friction coefficient of the regularised cone.
    pub mu: f64,
    /// Friction coefficients of the tangential directions.
    pub friction: [f64; 5],
}

/// A problem to solve: a whole system or an island of it. `contacts` is ordered by row.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// Inertia.
    pub inertia: Inertia<'a>,
    /// Constraint rows.
    pub rows: Rows<'a>,
    /// Contacts with more than one row.
    pub contacts: &'a [ContactRows],
    /// Force without constraints.
    pub qfrc_smooth: &'a [f64],
    /// Acceleration without constraints.
    pub qacc_smooth: &'a [f64],
}

/// Settings of the solvers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Params {
    /// Most iterations of the main solver.
    pub iterations: usize,
    /// A scaled improvement or gradient below this ends the main solver.
    pub tolerance: f64,
    /// Most evaluations of a line search.
    pub ls_iterations: usize,
    /// Tolerance of the line search, relative to `tolerance`.
    pub ls_tolerance: f64,
    /// Factor that makes costs and gradients comparable: `1 / (meaninertia · max(1, nv))`, for an
    /// island `1 / trace(M)`.
    pub scale: f64,
    /// Most iterations of the no-slip pass.
    pub noslip_iterations: usize,
    /// A scaled improvement below this ends the no-slip pass.
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

/// Where the result goes. What is read of it depends on the solver: the primal ones start from
/// `qacc`, the dual ones from `force`.
#[derive(Debug)]
pub struct Solution<'a> {
    /// Acceleration.
    pub qacc: &'a mut [f64],
    /// Force of each row.
    pub force: &'a mut [f64],
    /// Branch of its cost that each row is on.
    pub state: &'a mut [ConstraintState],
    /// `Jᵀ force`.
    pub qfrc_constraint: &'a mut [f64],
}

/// Statistics of one iteration (`mjSolverStat`).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Iteration {
    /// Scaled decrease of the cost.
    pub improvement: f64,
    /// Scaled length of the gradient; zero for dual solvers.
    pub gradient: f64,
    /// Scaled slope where the line search ended.
    pub lineslope: f64,
    /// Rows that are not satisfied.
    pub nactive: i32,
    /// Rows whose state changed.
    pub nchange: i32,
    /// Evaluations of the line search.
    pub neval: i32,
    /// Rank-one changes that the Hessian's factor amounts to.
    pub nupdate: i32,
}

/// How a solver ended. Statistics by iteration are in [`crate::Workspace::iterations`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Info {
    /// Iterations done.
    pub iterations: usize,
    /// Ended by a tolerance, or because no step was an improvement, before the last iteration.
    pub converged: bool,
    /// A pivot was not positive and was replaced by a tiny one.
    pub bad_pivot: bool,
    /// The cost became NaN or infinite.
    pub not_finite: bool,
    /// The arrays do not fit together, and nothing was done.
    pub malformed: bool,
    /// Entries stored of the Hessian's factor or of the dual matrix.
    pub nnz: usize,
}

impl Info {
    /// Counts an iteration of a dual solver; whether it was the last.
    pub(crate) fn is_last(&mut self, improvement: f64, tolerance: f64) -> bool {
        self.iterations += 1;
        self.converged = improvement < tolerance;
        self.not_finite = !self.converged && !improvement.is_finite();
        self.converged || self.not_finite
    }
}

impl Problem<'_> {
    /// Degrees of freedom.
    #[must_use]
    pub fn nv(&self) -> usize {
        self.qacc_smooth.len()
    }

    /// Constraint rows.
    #[must_use]
    pub fn nefc(&self) -> usize {
        self.rows.kind.len()
    }

    /// Whether the arrays fit together, so that no index can be out of bounds.
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
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
            && self.inertia_fits()
            && self.rows_fit()
            && self.contacts_fit()
    }

    fn inertia_fits(&self) -> bool {
        let Inertia { rownnz, rowadr, colind, m, ld, .. } = self.inertia;
        let end = colind.len().min(m.len()).min(ld.len());
        (0..rownnz.len()).all(|i| {
            range(rowadr[i], rownnz[i], end).is_some_and(|row| {
                // increasing columns that end with the diagonal are all inside
                let cols = &colind[row];
                cols.last() == Some(&(i as i32)) && cols[0] >= 0 && increases(cols)
            })
        })
    }

    fn rows_fit(&self) -> bool {
        let Rows { rownnz, rowadr, colind, j, .. } = self.rows;
        let end = colind.len().min(j.len());
        let mut before: &[i32] = &[];
        (0..rownnz.len()).all(|i| {
            let Some(row) = range(rowadr[i], rownnz[i], end) else {
                return false;
            };
            let cols = &colind[row];
            // rows of one contact have the same columns
            if cols == before {
                return true;
            }
            before = cols;
            cols.first().is_none_or(|&first| first >= 0)
                && cols.last().is_none_or(|&last| (last as usize) < self.nv())
                && increases(cols)
        })
    }

    fn contacts_fit(&self) -> bool {
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
        at(a) == at(b)
    }
}

/// Whether each number is greater than the one before. Looks at all, which is faster than to stop.
fn increases(cols: &[i32]) -> bool {
    let pairs = cols.iter().zip(cols.get(1..).unwrap_or(&[]));
    pairs.fold(true, |good, (a, b)| good & (a < b))
}

/// The entries of a row, if they are inside an array of this length.
fn range(adr: i32, nnz: i32, end: usize) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(adr).ok()?;
    let stop = start.checked_add(usize::try_from(nnz).ok()?)?;
    (stop <= end).then_some(start..stop)
}
