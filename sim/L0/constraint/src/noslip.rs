//! Noslip post-processor (`mj_solNoSlip`): projected Gauss–Seidel over the friction forces without
//! regularisation, after the main solver.

use crate::cone::{cost_change, rows, solve_friction};
use crate::dual::{self, Dual, Regularization};
use crate::pgs::finish_iteration;
use crate::problem::{ContactRows, Info, Params, Problem, Solution};
use crate::workspace::Workspace;
use sim_simd::dispatch;
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
    Dual::prepare(work, problem, None, params.noslip_iterations, Regularization::Without);
    work.dual.add_all(out.force);
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
    dispatch!(sweep_friction(problem: &Problem<'_>, force: &mut [f64], dual: &mut Dual) -> f64)
}

#[inline(always)]
fn sweep_friction(problem: &Problem<'_>, force: &mut [f64], dual: &mut Dual) -> f64 {
    let rows = &problem.rows;
    let mut improvement = 0.0;
    for i in rows.ne..rows.ne + rows.nf {
        let residual = dual.residual(i);
        let (a, bound, old) = (dual.scalars[i].a.max(MINVAL), rows.frictionloss[i], force[i]);
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
    for (index, contact) in problem.contacts.iter().enumerate() {
        let row = contact.row;
        if rows.kind[row] == ConstraintType::ContactElliptic {
            // loops of constant length are unrolled
            improvement -= match contact.dim {
                3 => update_friction::<3, 2>(contact, index, force, dual),
                4 => update_friction::<4, 3>(contact, index, force, dual),
                5 => update_friction::<5, 4>(contact, index, force, dual),
                6 => update_friction::<6, 5>(contact, index, force, dual),
                _ => update_friction::<2, 1>(contact, index, force, dual),
            };
        } else {
            for edge in (row..row + 2 * (contact.dim - 1)).step_by(2) {
                improvement -= update_edges(edge, force, dual);
            }
        }
    }
    improvement
}

/// Minimises over two opposite pyramid edges with fixed sum: `(mid + y, mid − y)`. Returns the
/// change of the cost.
#[inline(always)]
fn update_edges(row: usize, force: &mut [f64], dual: &mut Dual) -> f64 {
    let Some(force) = force.get_mut(row..).and_then(|rows| rows.first_chunk_mut()) else {
        return 0.0;
    };
    let [first, second] = [0, 1].map(|k| dual.scalars[row + k].a.max(MIN_DIAGONAL));
    let product = dual.a_entry(row + 1, row);
    let a = [[first, product], [product, second]];
    let residual = [dual.residual(row), dual.residual(row + 1)];
    let old: [f64; 2] = *force;
    let bc = [0, 1].map(|k| residual[k] - (a[k][0] * old[0] + a[k][1] * old[1]));
    let mid = 0.5 * (old[0] + old[1]);
    let k1 = first + second - product - product;
    let k0 = mid * (first - second) + bc[0] - bc[1];
    *force = if k1 < MINVAL {
        [mid, mid]
    } else {
        let y = -k0 / k1;
        if y < -mid {
            [0.0, 2.0 * mid]
        } else if y > mid {
            [2.0 * mid, 0.0]
        } else {
            [mid + y, mid - y]
        }
    };
    let (delta, change) = cost_change(&a, force, &old, &residual);
    dual.add_force(row, delta[0]);
    dual.add_force(row + 1, delta[1]);
    change
}

/// Minimises over the `N` friction forces of an elliptic contact with `D` rows. Returns the change of the cost.
#[inline(always)]
fn update_friction<const D: usize, const N: usize>(
    contact: &ContactRows,
    index: usize,
    force: &mut [f64],
    dual: &mut Dual,
) -> f64 {
    let (row, normal) = (contact.row + 1, force[contact.row]);
    let Some(force) = force.get_mut(row..).and_then(|rows| rows.first_chunk_mut()) else {
        return 0.0;
    };
    let block = rows::<D>(&dual.blocks[index]);
    let mut a = [[0.0; N]; N];
    let (mut residual, mut bc) = ([0.0; N], [0.0; N]);
    let old: [f64; N] = *force;
    for j in 0..N {
        a[j].copy_from_slice(&block[j + 1][1..]);
        a[j][j] = a[j][j].max(MIN_DIAGONAL);
        residual[j] = dual.residual(row + j);
        bc[j] = residual[j];
        for k in 0..N {
            bc[j] -= a[j][k] * old[k];
        }
    }
    *force = solve_friction(contact, normal, &a, &bc);
    let (delta, change) = cost_change(&a, force, &old, &residual);
    for j in 0..N {
        dual.add_force(row + j, delta[j]);
    }
    change
}
