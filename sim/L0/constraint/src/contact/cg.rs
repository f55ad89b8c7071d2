//! Projected conjugate gradients with a block-diagonal preconditioner.
//!
//! Each iteration steps along a conjugate direction and projects onto the cones. A step that does
//! not decrease the cost is replaced by a projected gradient step, which does, and the method is
//! restarted.

use super::block::{Block, add, dot};
use super::pgs::sweep;
use super::{CGContactResult, CGSolverConfig, ContactBlock, ContactWorkspace};
use crate::problem::Inertia;
use crate::{inertia, vector};

/// Alternations of the single-contact minimisation in the preconditioner.
const LOCAL_ITERATIONS: usize = 10;

/// Computes the forces of point contacts. `start` holds an initial force for each contact, or is
/// empty.
///
/// If conjugate gradients do not converge, projected Gauss–Seidel continues from their last
/// iterate, and [`ContactWorkspace::fallbacks`] is incremented. A Jacobian whose size does not match
/// the inertia matrix is treated as zero.
///
/// ```
/// use sim_constraint::{CGSolverConfig, ContactBlock, ContactWorkspace, Inertia, cg_solve_contacts};
///
/// // stop a particle of mass 2 that falls at 3 m/s and slides at 1 m/s
/// let inertia = Inertia {
///     rownnz: &[1; 3],
///     rowadr: &[0, 1, 2],
///     colind: &[0, 1, 2],
///     m: &[2.0; 3],
///     ld: &[2.0; 3],
///     diag_inv: &[0.5; 3],
/// };
/// let jacobian = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
/// let contact = ContactBlock { jacobian: &jacobian, rhs: [3.0, -1.0, 0.0], friction: 0.5 };
/// let mut work = ContactWorkspace::default();
/// let config = CGSolverConfig::default();
/// let result = cg_solve_contacts(&[contact], &inertia, &[], &config, &mut work);
/// assert!(result.converged);
/// assert!((result.forces[0][0] - 6.0).abs() < 1e-6);
/// assert!((result.forces[0][1] + 2.0).abs() < 1e-6);
/// ```
#[must_use]
pub fn cg_solve_contacts(
    contacts: &[ContactBlock<'_>],
    inertia: &Inertia<'_>,
    start: &[[f64; 3]],
    config: &CGSolverConfig,
    work: &mut ContactWorkspace,
) -> CGContactResult {
    prepare(contacts, inertia, work);
    let mut forces: Vec<[f64; 3]> = (0..contacts.len())
        .map(|i| work.blocks[i].project(start.get(i).copied().unwrap_or([0.0; 3])))
        .collect();
    let scale = contacts.iter().zip(&work.blocks).map(|(c, b)| dot(c.rhs, c.rhs) * b.step);
    let scale = scale.sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
    let mut result = CGContactResult::default();
    iterate(contacts, config, scale, &mut forces, work, &mut result);
    if !result.converged && config.fallback_iterations > 0 {
        result.fell_back = true;
        work.fallbacks += 1;
        for _ in 0..config.fallback_iterations {
            sweep(contacts, &mut forces, work);
            result.fallback_iterations_used += 1;
            update_residual(contacts, &forces, work);
            result.residual_norm = projected_gradient_norm(&forces, work) / scale;
            if result.residual_norm <= config.tolerance {
                result.converged = true;
                break;
            }
        }
    }
    result.forces = forces;
    result
}

/// Computes `B` with `W = B Bᵀ`, and the diagonal blocks of `W`.
fn prepare(contacts: &[ContactBlock<'_>], inertia: &Inertia<'_>, work: &mut ContactWorkspace) {
    let (n, nv) = (contacts.len(), inertia.diag_inv.len());
    work.b.clear();
    work.b.resize(3 * n * nv, 0.0);
    work.blocks.clear();
    for v in [&mut work.y, &mut work.y_step] {
        v.clear();
        v.resize(nv, 0.0);
    }
    for v in [
        &mut work.residual,
        &mut work.direction,
        &mut work.step,
        &mut work.step_old,
        &mut work.residual_old,
        &mut work.trial,
    ] {
        v.clear();
        v.resize(n, [0.0; 3]);
    }
    for (i, contact) in contacts.iter().enumerate() {
        let rows = &mut work.b[3 * i * nv..3 * (i + 1) * nv];
        if contact.jacobian.len() == rows.len() && nv > 0 {
            rows.copy_from_slice(contact.jacobian);
            for row in rows.chunks_exact_mut(nv) {
                inertia::back_substitute(inertia, row);
                for (x, inverse) in row.iter_mut().zip(inertia.diag_inv) {
                    *x *= inverse.sqrt();
                }
            }
        }
        let mut a = [[0.0; 3]; 3];
        for j in 0..3 {
            for k in 0..3 {
                a[j][k] = vector::dot(&rows[j * nv..(j + 1) * nv], &rows[k * nv..(k + 1) * nv]);
            }
        }
        work.blocks.push(Block::new(a, contact.friction));
    }
}

/// `y = Bᵀ v`.
fn mul_transposed(b: &[f64], v: &[[f64; 3]], y: &mut [f64]) {
    y.fill(0.0);
    if y.is_empty() {
        return;
    }
    for (row, &v) in b.chunks_exact(y.len()).zip(v.as_flattened()) {
        if v != 0.0 {
            vector::add_scaled(y, row, v);
        }
    }
}

/// Computes `y = Bᵀ λ` and `residual = rhs − W λ`.
fn update_residual(
    contacts: &[ContactBlock<'_>],
    forces: &[[f64; 3]],
    work: &mut ContactWorkspace,
) {
    let ContactWorkspace { b, y, residual, .. } = work;
    mul_transposed(b, forces, y);
    let nv = y.len();
    for (i, contact) in contacts.iter().enumerate() {
        for k in 0..3 {
            let row = &b[(3 * i + k) * nv..(3 * i + k + 1) * nv];
            residual[i][k] = contact.rhs[k] - vector::dot(row, y);
        }
    }
}

/// Norm of the displacement by a projected gradient step, scaled per contact; zero at the optimum.
fn projected_gradient_norm(forces: &[[f64; 3]], work: &ContactWorkspace) -> f64 {
    let mut sum = 0.0;
    for ((&force, &residual), block) in forces.iter().zip(&work.residual).zip(&work.blocks) {
        if block.step > 0.0 {
            let moved = add(block.project(add(force, residual, block.step)), force, -1.0);
            sum += dot(moved, moved) / block.step;
        }
    }
    sum.sqrt()
}

/// `½ λᵀ W λ − rhsᵀ λ`, from the residual.
fn cost(contacts: &[ContactBlock<'_>], forces: &[[f64; 3]], residual: &[[f64; 3]]) -> f64 {
    let terms = contacts.iter().zip(forces).zip(residual);
    terms.map(|((c, &f), &r)| -0.5 * dot(f, add(c.rhs, r, 1.0))).sum()
}

fn iterate(
    contacts: &[ContactBlock<'_>],
    config: &CGSolverConfig,
    scale: f64,
    forces: &mut [[f64; 3]],
    work: &mut ContactWorkspace,
    result: &mut CGContactResult,
) {
    update_residual(contacts, forces, work);
    let mut now = cost(contacts, forces, &work.residual);
    let mut restart = true;
    loop {
        result.residual_norm = projected_gradient_norm(forces, work) / scale;
        if result.residual_norm <= config.tolerance {
            result.converged = true;
            return;
        }
        if result.iterations_used >= config.max_iterations || !now.is_finite() {
            return;
        }
        result.iterations_used += 1;
        preconditioned_step(forces, work);
        conjugate(work, restart);
        let alpha = exact_step(forces, work);
        for i in 0..forces.len() {
            work.trial[i] = work.blocks[i].project(add(forces[i], work.direction[i], alpha));
        }
        work.residual_old.copy_from_slice(&work.residual);
        forces.swap_with_slice(&mut work.trial);
        update_residual(contacts, forces, work);
        let mut after = cost(contacts, forces, &work.residual);
        // near the optimum cost differences are below round-off: compare residuals then
        restart = after.is_nan()
            || after >= now
                && projected_gradient_norm(forces, work) / scale >= result.residual_norm;
        if restart {
            forces.swap_with_slice(&mut work.trial);
            work.residual.copy_from_slice(&work.residual_old);
            projected_gradient_step(forces, work);
            update_residual(contacts, forces, work);
            after = cost(contacts, forces, &work.residual);
        }
        now = after;
    }
}

/// Preconditioned gradient: the step of each contact to its minimum with all others fixed.
fn preconditioned_step(forces: &[[f64; 3]], work: &mut ContactWorkspace) {
    let ContactWorkspace { blocks, residual, step, step_old, .. } = work;
    step_old.copy_from_slice(step);
    for (i, block) in blocks.iter().enumerate() {
        let target = block.minimise(forces[i], residual[i].map(|r| -r), LOCAL_ITERATIONS);
        step[i] = add(target, forces[i], -1.0);
    }
}

/// Conjugate direction: the step plus β times the previous direction (Polak–Ribière).
fn conjugate(work: &mut ContactWorkspace, restart: bool) {
    let ContactWorkspace { residual, residual_old, step, step_old, direction, .. } = work;
    let (mut numerator, mut denominator) = (0.0, 0.0);
    if !restart {
        for i in 0..step.len() {
            numerator += dot(step[i], add(residual[i], residual_old[i], -1.0));
            denominator += dot(step_old[i], residual_old[i]);
        }
    }
    let beta = if denominator > 0.0 { (numerator / denominator).max(0.0) } else { 0.0 };
    for i in 0..step.len() {
        direction[i] = add(step[i], direction[i], beta);
    }
    let slope: f64 = direction.iter().zip(&*residual).map(|(&d, &r)| dot(d, r)).sum();
    if slope.is_nan() || slope <= 0.0 {
        direction.copy_from_slice(step);
    }
}

/// Step size to the minimum along the direction, including the curvature of active cone
/// boundaries.
fn exact_step(forces: &[[f64; 3]], work: &mut ContactWorkspace) -> f64 {
    let ContactWorkspace { b, y_step, direction, residual, blocks, .. } = work;
    mul_transposed(b, direction, y_step);
    let slope: f64 = direction.iter().zip(&*residual).map(|(&d, &r)| dot(d, r)).sum();
    let mut curvature = vector::dot(y_step, y_step);
    for (i, block) in blocks.iter().enumerate() {
        curvature += block.cone_curvature(forces[i], residual[i], direction[i]);
    }
    if curvature > 0.0 { slope / curvature } else { 0.0 }
}

/// Projected gradient step with exact step size in `[0, 1]`: stays inside the cones and does not
/// increase the cost.
fn projected_gradient_step(forces: &mut [[f64; 3]], work: &mut ContactWorkspace) {
    for i in 0..forces.len() {
        let block = &work.blocks[i];
        let target = block.project(add(forces[i], work.residual[i], block.step));
        work.direction[i] = add(target, forces[i], -1.0);
    }
    let alpha = exact_step(forces, work).clamp(0.0, 1.0);
    for (force, &direction) in forces.iter_mut().zip(&work.direction) {
        *force = add(*force, direction, alpha);
    }
}
