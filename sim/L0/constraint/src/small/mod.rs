//! Newton's method for small problems, such as an island of one or two bodies, with dense matrices.
//!
//! The loop is that of [`crate::primal`]. Sparse matrices of this size spend most of the time on indices and calls;
//! here the whole solution is one function compiled for the vector instructions of the CPU, for each number of SIMD
//! vectors of a row.

mod matrix;

use crate::line_search::Line;
use crate::primal::MAX_SMALL_IMPROVEMENTS;
use crate::problem::{Info, Iteration, MAX_ITERATION_STATS, Params, Problem, Solution, range};
use crate::update::{find_constant_rows, update_rows};
use crate::vector::{F64x4, heap_bytes, resize_to};
use crate::workspace::Workspace;
use matrix::{
    Pivots, Row, add_product, add_scaled, difference, dot, factor, long_dot, mul, mul_transposed,
    padded, solve, store,
};
use sim_simd::dispatch;
use sim_types::{ConstraintState, ConstraintType};

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

/// Whether a problem is solved with dense matrices.
pub(crate) fn is_small(problem: &Problem<'_>) -> bool {
    let lanes = problem.nv().div_ceil(4);
    (1..=MAX_LANES).contains(&lanes) && problem.nefc() * lanes <= MAX_JACOBIAN
}

/// Calls a function for the number of SIMD vectors of a row.
macro_rules! for_lanes {
    ($problem:expr, $function:ident($($argument:expr),*)) => {
        match $problem.nv().div_ceil(4) {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            _ => $function::<MAX_LANES>($($argument),*),
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

/// Newton's method from `out.qacc`, after [`load`]. The forces and states of the rows are those at the starting point,
/// and `cost` is their cost, without the Gauss cost.
pub(crate) fn newton(
    problem: &Problem<'_>,
    params: &Params,
    cost: f64,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    #[inline(always)]
    fn iterate(
        problem: &Problem<'_>,
        params: &Params,
        cost: f64,
        out: &mut Solution<'_>,
        work: &mut Workspace,
    ) -> Info {
        for_lanes!(problem, iterate_lanes(problem, params, cost, out, work))
    }
    dispatch!(iterate(problem: &Problem<'_>, params: &Params, cost: f64, out: &mut Solution<'_>, work: &mut Workspace) -> Info)
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

#[inline(always)]
fn iterate_lanes<const S: usize>(
    problem: &Problem<'_>,
    params: &Params,
    cost: f64,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    let (n, nefc, ne) = (problem.nv(), problem.nefc(), problem.rows.ne);
    let Workspace { small, constant_rows, jaref, ma, state_old, cones, line, stats, .. } = work;
    let Small { m, j, l, columns } = small;
    let (m, j) = (&*rows_of::<S>(m, n), &*rows_of::<S>(j, nefc));
    let (l, columns) = (rows_of::<S>(l, n), rows_of::<S>(columns, n));
    let mut info = Info { nnz: n * (n + 1) / 2, ..Info::default() };
    resize_to(state_old, nefc);
    line.resize(0, nefc, problem.contacts.len());
    let (smooth, qacc_smooth) = (padded(problem.qfrc_smooth), padded(problem.qacc_smooth));
    let gauss_cost = |ma: &Row<S>, qacc: &Row<S>| {
        0.5 * long_dot(&difference(ma, &smooth), &difference(qacc, &qacc_smooth))
    };
    let (mut qacc, mut ma) = (padded(out.qacc), padded(ma));
    let mut gauss = gauss_cost(&ma, &qacc);
    let mut cost = cost + gauss;
    let mut constraint = mul_transposed(j, out.force);
    let mut grad = difference(&difference(&ma, &smooth), &constraint);
    let mut has_cones = out.state.contains(&ConstraintState::Cone);
    let mut is_stale = true;
    let mut pivots = Pivots::default();
    let mut last: Option<f64> = None;
    let mut small_improvements = 0;
    loop {
        // Hessian and search direction
        if is_stale {
            assemble(problem, m, j, out.state, has_cones.then_some(&cones[..]), l);
            pivots = factor(l, columns);
            if !pivots.are_positive {
                info.bad_pivot = true;
                l.copy_from_slice(m);
                pivots = factor(l, columns);
                pivots.are_positive = false;
            }
        }
        let mgrad = solve(l, columns, &pivots, &grad);
        if let Some(improvement) = last
            && improvement < params.tolerance
        {
            // see `primal::decrement_above`
            let decrement = 0.5 * params.scale * dot(&grad, &mgrad);
            let above = pivots.are_positive && decrement > params.tolerance;
            if small_improvements == MAX_SMALL_IMPROVEMENTS || !above {
                info.converged = true;
                break;
            }
            small_improvements += 1;
        }
        if info.iterations >= params.iterations || info.not_finite {
            break;
        }

        // line search
        let search = mgrad.map(|lane| lane.map(|x| -x));
        let mv = mul_transposed(m, &search.as_flattened()[..n]);
        mul(j, &search, &mut line.jv);
        let products = [&search, &ma, &smooth, &mv].map(|x| long_dot(&search, x));
        let input = Line {
            jaref,
            gauss,
            tolerance: params.tolerance * params.ls_tolerance,
            iterations: params.ls_iterations,
            scale: params.scale,
        };
        let alpha = line.search(problem, &input, products);
        if alpha == 0.0 {
            info.converged = true;
            break;
        }
        qacc = add_scaled(qacc, &search, alpha);
        ma = add_scaled(ma, &mv, alpha);
        for (jaref, jv) in jaref.iter_mut().zip(&line.jv) {
            *jaref += alpha * jv;
        }
        for (old, now) in state_old[ne..].iter_mut().zip(&out.state[ne..]) {
            *old = *now;
        }

        // constraint update and gradient
        let old = cost;
        gauss = gauss_cost(&ma, &qacc);
        let cones = Some(&mut cones[..]);
        cost = gauss + update_rows(problem, constant_rows, jaref, out.force, out.state, cones);
        constraint = mul_transposed(j, out.force);
        grad = difference(&difference(&ma, &smooth), &constraint);
        let gradient = params.scale * long_dot(&grad, &grad).sqrt();

        // scaled improvement, statistics
        let changes = Changes::count(ne, out.state, state_old);
        let improvement = params.scale * (old - cost);
        if stats.len() < MAX_ITERATION_STATS {
            stats.push(Iteration {
                improvement,
                gradient,
                lineslope: line.slope,
                nactive: changes.nactive,
                nchange: changes.nchange,
                neval: line.evaluations as i32,
                nupdate: changes.nquadratic + changes.ncone,
            });
        }
        info.iterations += 1;
        if gradient < params.tolerance {
            info.converged = true;
            break;
        }
        info.not_finite = !improvement.is_finite() || !gradient.is_finite();
        is_stale = changes.nquadratic + changes.ncone > 0 || has_cones || !pivots.are_positive;
        has_cones = changes.ncone > 0;
        last = Some(improvement);
    }
    store(&qacc, out.qacc);
    store(&constraint, out.qfrc_constraint);
    info
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
