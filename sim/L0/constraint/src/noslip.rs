//! Noslip post-processor (`mj_solNoSlip`): projected Gauss–Seidel over the friction forces without
//! regularisation, after the main solver.

use crate::dual::{self, Dual};
use crate::pgs::{cost_change, finish_iteration, solve_friction};
use crate::problem::{ContactRows, Info, Params, Problem, Solution};
use crate::vector::dot;
use crate::workspace::Workspace;
use sim_types::{ConstraintType, MINVAL};

/// Lower bound of the diagonal entries of a block of `A`.
const MIN_DIAGONAL: f64 = 1e-10;

/// Minimises the unregularised dual cost over the friction forces; normal forces are fixed. Starts
/// from `out.force`. Its statistics are appended to those of the main solver.
#[doc(alias = "mj_solNoSlip")]
pub fn noslip(
    problem: &Problem<'_>,
    params: &Params,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Info {
    if !out.fits(problem) || !problem.find_row_blocks(&mut work.row_blocks) {
        return Info { malformed: true, ..Info::default() };
    }
    Dual::prepare(work, problem, out.force, params.noslip_iterations);
    dual::set_states(problem, out.force, out.state);
    let mut info = Info { nnz: work.dual.nnz(), ..Info::default() };
    while info.iterations < params.noslip_iterations {
        let mut improvement = 0.0;
        if info.iterations == 0 {
            // removing the regularisation decreases the cost by ½ fᵀ R f
            for (&f, &r) in out.force.iter().zip(problem.rows.r) {
                improvement += 0.5 * f * f * r;
            }
        }
        improvement += sweep(problem, out.force, &mut work.dual);
        improvement *= params.scale;
        finish_iteration(problem, out, work, improvement);
        if info.is_last(improvement, params.noslip_tolerance) {
            break;
        }
    }
    dual::finish(problem, out, work);
    info
}

/// One Gauss–Seidel sweep over all friction forces. Returns the decrease of the cost.
fn sweep(problem: &Problem<'_>, force: &mut [f64], dual: &mut Dual) -> f64 {
    let rows = &problem.rows;
    let mut improvement = 0.0;
    for i in rows.ne..rows.ne + rows.nf {
        let residual = dual.residual(i);
        let (a, bound, old) = (dual.diagonal[i].max(MINVAL), rows.frictionloss[i], force[i]);
        let new = old - residual / a;
        force[i] = if new < -bound {
            -bound
        } else if new > bound {
            bound
        } else {
            new
        };
        let delta = force[i] - old;
        improvement -= 0.5 * delta * delta * a + delta * residual;
        dual.add_force(i, delta);
    }
    for contact in problem.contacts {
        let row = contact.row;
        if rows.kind[row] == ConstraintType::ContactElliptic {
            improvement -= update_cone(contact, force, dual);
        } else {
            for edge in (row..row + 2 * (contact.dim - 1)).step_by(2) {
                improvement -= update_edges(edge, force, dual);
            }
        }
    }
    improvement
}

/// Diagonal block of `A` of `n` consecutive rows.
fn block(dual: &Dual, row: usize, n: usize) -> [f64; 25] {
    let mut a = [0.0; 25];
    for j in 0..n {
        for k in 0..=j {
            let value = dual.a_entry(row + j, row + k);
            (a[j * n + k], a[k * n + j]) = (value, value);
        }
        a[j * (n + 1)] = a[j * (n + 1)].max(MIN_DIAGONAL);
    }
    a
}

/// Minimises over two opposite pyramid edges with fixed sum: `(mid + y, mid − y)`. Returns the
/// change of the cost.
fn update_edges(row: usize, force: &mut [f64], dual: &mut Dual) -> f64 {
    let a = block(dual, row, 2);
    let residual = [dual.residual(row), dual.residual(row + 1)];
    let force = &mut force[row..row + 2];
    let old = [force[0], force[1]];
    let bc = [
        residual[0] - (a[0] * old[0] + a[1] * old[1]),
        residual[1] - (a[2] * old[0] + a[3] * old[1]),
    ];
    let mid = 0.5 * (old[0] + old[1]);
    let k1 = a[0] + a[3] - a[1] - a[2];
    let k0 = mid * (a[0] - a[3]) + bc[0] - bc[1];
    if k1 < MINVAL {
        force.fill(mid);
    } else {
        let y = -k0 / k1;
        let (first, second) = if y < -mid {
            (0.0, 2.0 * mid)
        } else if y > mid {
            (2.0 * mid, 0.0)
        } else {
            (mid + y, mid - y)
        };
        force.copy_from_slice(&[first, second]);
    }
    let change = cost_change(&a, force, &old, &residual, 2);
    dual.add_force(row, force[0] - old[0]);
    dual.add_force(row + 1, force[1] - old[1]);
    change
}

/// Minimises over the friction forces of an elliptic contact. Returns the change of the cost.
fn update_cone(contact: &ContactRows, force: &mut [f64], dual: &mut Dual) -> f64 {
    let (row, n) = (contact.row + 1, contact.dim - 1);
    let a = block(dual, row, n);
    let (mut residual, mut bc, mut old) = ([0.0; 5], [0.0; 5], [0.0; 5]);
    old[..n].copy_from_slice(&force[row..row + n]);
    for j in 0..n {
        residual[j] = dual.residual(row + j);
        bc[j] = residual[j] - dot(&a[j * n..(j + 1) * n], &old[..n]);
    }
    let force = &mut force[contact.row..row + n];
    solve_friction(contact, n, force, &a, &bc);
    let change = cost_change(&a, &mut force[1..], &old, &residual, n);
    for j in 0..n {
        dual.add_force(row + j, force[j + 1] - old[j]);
    }
    change
}
