//! Projected conjugate gradients with a block preconditioner.
//!
//! Each iteration steps along a conjugate direction and projects onto the cones. A step that does
//! not lower the cost is replaced by one along the projected gradient, which always does; then the
//! directions start anew.

use super::block::{Block, add, dot};
use super::sweep::sweep;
use super::{CGContactResult, CGSolverConfig, ContactBlock, ContactWorkspace};
use crate::problem::Inertia;
use crate::{tree, vector};

/// Rounds of the solution for one contact alone.
const LOCAL: usize = 10;

/// Finds the forces of point contacts. `start` has a first guess for each contact, or is empty.
///
/// If conjugate gradients do not converge, projected Gauss–Seidel goes on from where they stopped,
/// and [`ContactWorkspace::fallbacks`] counts it. Jacobians that do not fit the inertia count as
/// zero.
///
/// ```
/// use sim_constraint::{CGSolverConfig, ContactBlock, ContactWorkspace, Inertia, cg_solve_contacts};
///
/// // a particle of mass 2 on a floor, that shall stop falling at 3 m/s and sliding at 1 m/s
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
            update_residual(contacts, &forces, work);
            result.residual_norm = distance_to_optimum(&forces, work) / scale;
            if result.residual_norm <= config.tolerance {
                result.converged = true;
                break;
            }
        }
    }
    result.forces = forces;
    result
}

/// Builds `B` with `W = B Bᵀ`, and the diagonal blocks.
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
                tree::back_substitute(inertia, row);
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
fn gather(b: &[f64], v: &[[f64; 3]], y: &mut [f64]) {
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

/// `residual = rhs − W λ`, and `y` with it.
fn update_residual(
    contacts: &[ContactBlock<'_>],
    forces: &[[f64; 3]],
    work: &mut ContactWorkspace,
) {
    let ContactWorkspace { b, y, residual, .. } = work;
    gather(b, forces, y);
    let nv = y.len();
    for (i, contact) in contacts.iter().enumerate() {
        for k in 0..3 {
            let row = &b[(3 * i + k) * nv..(3 * i + k + 1) * nv];
            residual[i][k] = contact.rhs[k] - vector::dot(row, y);
        }
    }
}

/// How far a step along the gradient would move the forces, each contact in its own scale.
fn distance_to_optimum(forces: &[[f64; 3]], work: &ContactWorkspace) -> f64 {
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
        result.residual_norm = distance_to_optimum(forces, work) / scale;
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
        // near the optimum the cost cannot tell steps apart any more, but the residual can
        restart = after.is_nan()
            || after >= now && distance_to_optimum(forces, work) / scale >= result.residual_norm;
        if restart {
            forces.swap_with_slice(&mut work.trial);
            work.residual.copy_from_slice(&work.residual_old);
            descend(forces, work);
            update_residual(contacts, forces, work);
            after = cost(contacts, forces, &work.residual);
        }
        now = after;
    }
}

/// The preconditioned gradient: where each contact would go if it were alone.
fn preconditioned_step(forces: &[[f64; 3]], work: &mut ContactWorkspace) {
    let ContactWorkspace { blocks, residual, step, step_old, .. } = work;
    step_old.copy_from_slice(step);
    for (i, block) in blocks.iter().enumerate() {
        let target = block.minimise(forces[i], residual[i].map(|r| -r), LOCAL);
        step[i] = add(target, forces[i], -1.0);
    }
}

/// The direction: the step, and some of the direction before (Polak–Ribière).
fn conjugate(work: &mut ContactWorkspace, restart: bool) {
    let ContactWorkspace { residual, residual_old, step, step_old, direction, .. } = work;
    let (mut rise, mut before) = (0.0, 0.0);
    if !restart {
        for i in 0..step.len() {
            rise += dot(step[i], add(residual[i], residual_old[i], -1.0));
            before += dot(step_old[i], residual_old[i]);
        }
    }
    let beta = if before > 0.0 { (rise / before).max(0.0) } else { 0.0 };
    for i in 0..step.len() {
        direction[i] = add(step[i], direction[i], beta);
    }
    let slope: f64 = direction.iter().zip(&*residual).map(|(&d, &r)| dot(d, r)).sum();
    if slope.is_nan() || slope <= 0.0 {
        direction.copy_from_slice(step);
    }
}

/// The minimum along the direction. A force that slides along its cone is pushed outwards, and the
/// cone's bend then adds to the curvature of the cost.
fn exact_step(forces: &[[f64; 3]], work: &mut ContactWorkspace) -> f64 {
    let ContactWorkspace { b, y_step, direction, residual, blocks, .. } = work;
    gather(b, direction, y_step);
    let slope: f64 = direction.iter().zip(&*residual).map(|(&d, &r)| dot(d, r)).sum();
    let mut curvature = vector::dot(y_step, y_step);
    for (i, block) in blocks.iter().enumerate() {
        curvature += block.bend(forces[i], residual[i], direction[i]);
    }
    if curvature > 0.0 { slope / curvature } else { 0.0 }
}

/// Moves along the projected gradient as far as is best: inside the cones and never uphill.
fn descend(forces: &mut [[f64; 3]], work: &mut ContactWorkspace) {
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
