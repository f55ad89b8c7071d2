//! The primal solvers for small problems, such as an island of one or two bodies, with dense matrices.
//!
//! The loop is that of [`crate::primal`]. Sparse matrices of this size spend most of the time on indices and calls;
//! here the whole solution is one function compiled for the vector instructions of the CPU, for each number of SIMD
//! vectors of a row.

mod matrix;

use crate::line_search::{Line, LineSearch};
use crate::primal::MAX_SMALL_IMPROVEMENTS;
use crate::problem::{Info, Iteration, MAX_ITERATION_STATS, Params, Problem, Solution, range};
use crate::update::{find_constant_rows, update_rows};
use crate::vector::{F64x4, heap_bytes, resize_to};
use crate::workspace::Workspace;
use matrix::{
    Pivots, Row, add_product, add_scaled, difference, dot, factor, long_dot, mul, mul_transposed,
    padded, store, substitute,
};
use sim_simd::dispatch;
use sim_types::{ConstraintState, ConstraintType, MINVAL, SolverType};

/// Largest number of SIMD vectors of a row.
const MAX_LANES: usize = 4;
/// Largest number of SIMD vectors of the Jacobian.
const MAX_JACOBIAN: usize = 256;

/// Matrices of a small problem.
#[derive(Debug, Default)]
pub(crate) struct Small {
    /// Inertia matrix, both triangles.
    m: Vec<F64x4>,
    /// Jacobian.
    j: Vec<F64x4>,
    /// Rows and columns of the factor of the Hessian.
    l: Vec<F64x4>,
    columns: Vec<F64x4>,
}

impl Small {
    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        heap_bytes!(self.m, self.j, self.l, self.columns)
    }
}

/// Whether a solver solves a problem with dense matrices.
pub(crate) fn is_small(problem: &Problem<'_>, solver: SolverType) -> bool {
    let lanes = problem.nv().div_ceil(4);
    solver != SolverType::Pgs
        && (1..=MAX_LANES).contains(&lanes)
        && problem.nefc() * lanes <= MAX_JACOBIAN
}

/// Calls a function for the number of SIMD vectors of a row.
macro_rules! for_lanes {
    ($problem:expr, $function:ident $(<$newton:literal>)? ($($argument:expr),*)) => {
        match $problem.nv().div_ceil(4) {
            1 => $function::<1 $(, $newton)?>($($argument),*),
            2 => $function::<2 $(, $newton)?>($($argument),*),
            3 => $function::<3 $(, $newton)?>($($argument),*),
            _ => $function::<MAX_LANES $(, $newton)?>($($argument),*),
        }
    };
}

/// Loads the matrices of a problem for which [`is_small`] holds, and computes `Ma` and `Jaref` at an acceleration.
/// Returns whether the problem is well formed; the length of `qacc` fits it.
pub(crate) fn load(problem: &Problem<'_>, qacc: &[f64], work: &mut Workspace) -> bool {
    #[inline(always)]
    fn load(problem: &Problem<'_>, qacc: &[f64], work: &mut Workspace) -> bool {
        for_lanes!(problem, load_lanes(problem, qacc, work))
    }
    problem.lengths_match()
        && dispatch!(load(problem: &Problem<'_>, qacc: &[f64], work: &mut Workspace) -> bool)
}

/// Computes `Ma` at another acceleration.
pub(crate) fn mul_inertia(problem: &Problem<'_>, qacc: &[f64], work: &mut Workspace) {
    for_lanes!(problem, mul_inertia_lanes(problem, qacc, work));
}

/// Newton's method or conjugate gradients from `out.qacc`, after [`load`]. The forces and states of the rows are those at
/// the starting point, and `cost` is their cost, without the Gauss cost.
pub(crate) fn solve(
    problem: &Problem<'_>,
    solver: SolverType,
    params: &Params,
    cost: f64,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    #[inline(always)]
    fn cg(
        problem: &Problem<'_>,
        params: &Params,
        cost: f64,
        out: &mut Solution<'_>,
        work: &mut Workspace,
    ) -> Info {
        for_lanes!(problem, iterate_lanes<false>(problem, params, cost, out, work))
    }
    #[inline(always)]
    fn newton(
        problem: &Problem<'_>,
        params: &Params,
        cost: f64,
        out: &mut Solution<'_>,
        work: &mut Workspace,
    ) -> Info {
        for_lanes!(problem, iterate_lanes<true>(problem, params, cost, out, work))
    }
    if solver == SolverType::Newton {
        dispatch!(newton(problem: &Problem<'_>, params: &Params, cost: f64, out: &mut Solution<'_>, work: &mut Workspace) -> Info)
    } else {
        dispatch!(cg(problem: &Problem<'_>, params: &Params, cost: f64, out: &mut Solution<'_>, work: &mut Workspace) -> Info)
    }
}

/// Changes of the row states in an iteration.
#[derive(Debug, Clone, Copy, Default)]
struct Changes {
    /// Number of rows that are not satisfied.
    nactive: i32,
    /// Number of rows of elliptic contacts in the middle zone of the cone.
    ncone: i32,
    /// Number of rows whose state changed.
    nchange: i32,
    /// Number of rows that entered or left the quadratic state.
    nquadratic: i32,
}

impl Changes {
    #[inline(always)]
    fn count(ne: usize, state: &[ConstraintState], state_old: &[ConstraintState]) -> Self {
        let mut changes = Self { nactive: ne as i32, ..Self::default() };
        for (&now, &old) in state[ne..].iter().zip(&state_old[ne..]) {
            let quadratic = |s: ConstraintState| s == ConstraintState::Quadratic;
            changes.nactive += i32::from(now != ConstraintState::Satisfied);
            changes.ncone += i32::from(now == ConstraintState::Cone);
            changes.nchange += i32::from(now != old);
            changes.nquadratic += i32::from(quadratic(now) != quadratic(old));
        }
        changes
    }

    #[inline(always)]
    fn statistics<const NEWTON: bool>(
        &self,
        improvement: f64,
        gradient: f64,
        line: &LineSearch,
    ) -> Iteration {
        Iteration {
            improvement,
            gradient,
            lineslope: line.slope,
            nactive: self.nactive,
            nchange: self.nchange,
            neval: line.evaluations as i32,
            nupdate: if NEWTON { self.nquadratic + self.ncone } else { 0 },
        }
    }
}

#[inline(always)]
fn load_lanes<const S: usize>(problem: &Problem<'_>, qacc: &[f64], work: &mut Workspace) -> bool {
    let (n, nefc) = (problem.nv(), problem.nefc());
    let Small { m, j, .. } = &mut work.small;
    let (m, j) = (rows_of::<S>(m, n), rows_of::<S>(j, nefc));
    if !load_inertia(problem, m) || !load_jacobian(problem, j) || !problem.contacts_are_valid() {
        return false;
    }
    let qacc = padded::<S>(qacc);
    resize_to(&mut work.jaref, nefc);
    mul(j, &qacc, &mut work.jaref);
    for (jaref, aref) in work.jaref.iter_mut().zip(problem.rows.aref) {
        *jaref -= aref;
    }
    resize_to(&mut work.ma, n);
    store(&mul_transposed(m, &qacc.as_flattened()[..n]), &mut work.ma);
    find_constant_rows(problem, &mut work.constant_rows);
    work.cones.resize(problem.contacts.len(), [0.0; 36]);
    true
}

#[inline(always)]
fn mul_inertia_lanes<const S: usize>(problem: &Problem<'_>, qacc: &[f64], work: &mut Workspace) {
    let m = rows_of::<S>(&mut work.small.m, problem.nv());
    store(&mul_transposed(m, qacc), &mut work.ma);
}

/// State of the iteration.
struct Iterate<'a, const S: usize> {
    problem: &'a Problem<'a>,
    m: &'a [Row<S>],
    j: &'a [Row<S>],
    /// Rows and columns of the factor of the preconditioner.
    l: &'a mut [Row<S>],
    columns: &'a mut [Row<S>],
    pivots: Pivots<S>,
    qfrc_smooth: Row<S>,
    qacc_smooth: Row<S>,
    qacc: Row<S>,
    /// `M qacc`.
    ma: Row<S>,
    /// `Jᵀ force`.
    constraint: Row<S>,
    grad: Row<S>,
    search: Row<S>,
    /// Preconditioned gradient of the previous iteration of CG, and its product with the gradient.
    mgrad_old: Row<S>,
    grad_mgrad: f64,
    gauss: f64,
    /// Total cost.
    cost: f64,
}

#[inline(always)]
fn iterate_lanes<const S: usize, const NEWTON: bool>(
    problem: &Problem<'_>,
    params: &Params,
    cost: f64,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    let (n, nefc, ne) = (problem.nv(), problem.nefc(), problem.rows.ne);
    let Workspace { small, constant_rows, jaref, ma, state_old, cones, line, stats, .. } = work;
    resize_to(state_old, nefc);
    line.resize(0, nefc, problem.contacts.len());
    let mut at = Iterate::<S>::new(problem, small, out, padded(ma));
    at.update(cost, out.force);
    let nnz = if NEWTON { n * (n + 1) / 2 } else { 0 };
    let mut info = Info { nnz, ..Info::default() };
    let mut has_cones = out.state.contains(&ConstraintState::Cone);
    if !NEWTON {
        at.factor_inertia();
    }
    let mut is_stale = NEWTON;
    let (mut last, mut small_improvements) = (None, 0);
    loop {
        if is_stale {
            at.factor_hessian(out.state, has_cones.then_some(&cones[..]));
            info.bad_pivot |= !at.pivots.are_positive;
        }
        let mgrad = substitute(at.l, at.columns, &at.pivots, &at.grad);
        if last.is_some_and(|improvement| improvement < params.tolerance) {
            // see `primal::decrement_above`
            let decrement = 0.5 * params.scale * dot(&at.grad, &mgrad);
            let above = NEWTON && at.pivots.are_positive && decrement > params.tolerance;
            if small_improvements == MAX_SMALL_IMPROVEMENTS || !above {
                info.converged = true;
                break;
            }
            small_improvements += 1;
        }
        if info.iterations >= params.iterations || info.not_finite {
            break;
        }
        at.set_search::<NEWTON>(&mgrad, last.is_none());
        if !at.search_line(params, jaref, line) {
            info.converged = true;
            break;
        }
        // equality rows do not change their state
        for (old, now) in state_old[ne..].iter_mut().zip(&out.state[ne..]) {
            *old = *now;
        }
        let old = at.cost;
        let hessians = NEWTON.then_some(&mut cones[..]);
        let cost = update_rows(problem, constant_rows, jaref, out.force, out.state, hessians);
        at.update(cost, out.force);
        let gradient = params.scale * long_dot(&at.grad, &at.grad).sqrt();
        let improvement = params.scale * (old - at.cost);
        let changes = Changes::count(ne, out.state, state_old);
        if stats.len() < MAX_ITERATION_STATS {
            stats.push(changes.statistics::<NEWTON>(improvement, gradient, line));
        }
        info.iterations += 1;
        if gradient < params.tolerance {
            info.converged = true;
            break;
        }
        info.not_finite = !improvement.is_finite() || !gradient.is_finite();
        let changed = changes.nquadratic + changes.ncone > 0;
        is_stale = NEWTON && (changed || has_cones || !at.pivots.are_positive);
        has_cones = changes.ncone > 0;
        last = Some(improvement);
    }
    store(&at.qacc, out.qacc);
    store(&at.constraint, out.qfrc_constraint);
    info
}

impl<'a, const S: usize> Iterate<'a, S> {
    /// The state at `out.qacc`, before [`Self::update`].
    #[inline(always)]
    fn new(problem: &'a Problem<'a>, small: &'a mut Small, out: &Solution<'_>, ma: Row<S>) -> Self {
        let (n, zero) = (problem.nv(), [[0.0; 4]; S]);
        let Small { m, j, l, columns } = small;
        Self {
            problem,
            m: rows_of(m, n),
            j: rows_of(j, problem.nefc()),
            l: rows_of(l, n),
            columns: rows_of(columns, n),
            pivots: Pivots::default(),
            qfrc_smooth: padded(problem.qfrc_smooth),
            qacc_smooth: padded(problem.qacc_smooth),
            qacc: padded(out.qacc),
            ma,
            constraint: zero,
            grad: zero,
            search: zero,
            mgrad_old: zero,
            grad_mgrad: 0.0,
            gauss: 0.0,
            cost: 0.0,
        }
    }

    /// Cost, given that of the rows, and gradient.
    #[inline(always)]
    fn update(&mut self, cost: f64, force: &[f64]) {
        let forces = difference(&self.ma, &self.qfrc_smooth);
        self.gauss = 0.5 * long_dot(&forces, &difference(&self.qacc, &self.qacc_smooth));
        self.cost = cost + self.gauss;
        self.constraint = mul_transposed(self.j, force);
        self.grad = difference(&forces, &self.constraint);
    }

    #[inline(always)]
    fn factor_inertia(&mut self) {
        self.l.copy_from_slice(self.m);
        self.pivots = factor(self.l, self.columns);
    }

    /// Factors the Hessian, or the inertia matrix if the Hessian is numerically singular.
    #[inline(always)]
    fn factor_hessian(&mut self, state: &[ConstraintState], cones: Option<&[[f64; 36]]>) {
        assemble(self.problem, self.m, self.j, state, cones, self.l);
        self.pivots = factor(self.l, self.columns);
        if !self.pivots.are_positive {
            self.factor_inertia();
            self.pivots.are_positive = false;
        }
    }

    /// Search direction: `−Mgrad` for Newton, Polak–Ribière for CG, see `primal::update_search`.
    #[inline(always)]
    fn set_search<const NEWTON: bool>(&mut self, mgrad: &Row<S>, is_first: bool) {
        let mut beta = 0.0;
        if !NEWTON {
            let numerator = long_dot(&self.grad, &difference(mgrad, &self.mgrad_old));
            if !is_first {
                let quotient = numerator / self.grad_mgrad.max(MINVAL);
                beta = if quotient < 0.0 { 0.0 } else { quotient };
            }
            self.grad_mgrad = long_dot(&self.grad, mgrad);
            self.mgrad_old = *mgrad;
        }
        self.search = add_scaled(mgrad.map(|lane| lane.map(|x| -x)), &self.search, beta);
    }

    /// Moves to the minimum along the search direction. Returns whether the cost decreases.
    #[inline(always)]
    fn search_line(&mut self, params: &Params, jaref: &mut [f64], line: &mut LineSearch) -> bool {
        let search = self.search;
        let mv = mul_transposed(self.m, &search.as_flattened()[..self.m.len()]);
        mul(self.j, &search, &mut line.jv);
        let products = [&search, &self.ma, &self.qfrc_smooth, &mv].map(|x| long_dot(&search, x));
        let input = Line {
            jaref,
            gauss: self.gauss,
            tolerance: params.tolerance * params.ls_tolerance,
            iterations: params.ls_iterations,
            scale: params.scale,
        };
        let alpha = line.search(self.problem, &input, products);
        if alpha == 0.0 {
            return false;
        }
        self.qacc = add_scaled(self.qacc, &search, alpha);
        self.ma = add_scaled(self.ma, &mv, alpha);
        for (jaref, jv) in jaref.iter_mut().zip(&line.jv) {
            *jaref += alpha * jv;
        }
        true
    }
}

/// The first rows of a matrix, which grows if it is too small.
#[inline(always)]
fn rows_of<const S: usize>(matrix: &mut Vec<F64x4>, rows: usize) -> &mut [Row<S>] {
    if matrix.len() < rows * S {
        matrix.resize(rows * S, [0.0; 4]);
    }
    &mut matrix.as_chunks_mut::<S>().0[..rows]
}

/// Writes both triangles of the inertia matrix. Returns whether its indices are valid.
#[inline(always)]
fn load_inertia<const S: usize>(problem: &Problem<'_>, m: &mut [Row<S>]) -> bool {
    let inertia = &problem.inertia;
    let end = inertia.colind.len().min(inertia.m.len()).min(inertia.ld.len());
    m.fill([[0.0; 4]; S]);
    for i in 0..m.len() {
        let Some(row) = range(inertia.rowadr[i], inertia.rownnz[i], end) else {
            return false;
        };
        let mut previous = -1;
        for (&column, &value) in inertia.colind[row.clone()].iter().zip(&inertia.m[row]) {
            if column <= previous || column > i as i32 {
                return false;
            }
            previous = column;
            m.as_flattened_mut().as_flattened_mut()[4 * S * i + column as usize] = value;
            m.as_flattened_mut().as_flattened_mut()[4 * S * column as usize + i] = value;
        }
        if previous != i as i32 {
            return false;
        }
    }
    true
}

/// Writes the Jacobian. Returns whether its indices are valid.
#[inline(always)]
fn load_jacobian<const S: usize>(problem: &Problem<'_>, j: &mut [Row<S>]) -> bool {
    let (rows, n) = (&problem.rows, problem.nv());
    let end = rows.colind.len().min(rows.j.len());
    for (i, to) in j.iter_mut().enumerate() {
        let Some(row) = range(rows.rowadr[i], rows.rownnz[i], end) else {
            return false;
        };
        *to = [[0.0; 4]; S];
        let mut previous = -1;
        for (&column, &value) in rows.colind[row.clone()].iter().zip(&rows.j[row]) {
            if column <= previous || column as usize >= n {
                return false;
            }
            previous = column;
            to.as_flattened_mut()[column as usize] = value;
        }
    }
    true
}

/// The lower triangle of the Hessian `M + Jᵀ D J` over the quadratic rows, plus the cone terms.
#[inline(always)]
fn assemble<const S: usize>(
    problem: &Problem<'_>,
    m: &[Row<S>],
    j: &[Row<S>],
    state: &[ConstraintState],
    cones: Option<&[[f64; 36]]>,
    h: &mut [Row<S>],
) {
    h.copy_from_slice(m);
    for ((row, &d), &state) in j.iter().zip(problem.rows.d).zip(state) {
        if state == ConstraintState::Quadratic {
            add_product(h, row, row, d);
        }
    }
    let Some(cones) = cones else {
        return;
    };
    for (contact, cone) in problem.contacts.iter().zip(cones) {
        let (row, dim) = (contact.row, contact.dim);
        let elliptic = problem.rows.kind[row] == ConstraintType::ContactElliptic;
        if elliptic && state[row] == ConstraintState::Cone {
            let rows = &j[row..row + dim];
            for (left, weights) in rows.iter().zip(cone.chunks_exact(dim.max(1))) {
                let right = mul_transposed(rows, weights);
                add_product(h, left, &right, 1.0);
            }
        }
    }
}
