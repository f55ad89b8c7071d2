//! Backward Euler with stiffness (`Integrator::ImplicitEuler`): unconditionally stable for springs,
//! dampers and position servos.
//!
//! Forces are linearised about the present state and evaluated at the end of the step:
//!
//! ```text
//! (M + h D + h² K) (q̇⁺ − q̇) = h (f − h K q̇)
//! ```
//!
//! `D` and `K` are the damping and stiffness matrices of joints, tendons and affine actuators, and
//! the fluid drag of inertia boxes. Only dissipative and restoring terms enter, so that the matrix
//! is positive definite; other forces are explicit. The geometric stiffness of spatial tendons is
//! neglected, which limits the step size for tendons under large tension. Tendons and actuators
//! that couple branches of the tree do not fit the sparsity of `M`; they are added by rank-one
//! corrections (Sherman–Morrison).

use super::advance;
use super::buffers::Corrections;
use crate::actuation::{force_vel_derivative, gain_input, saturated, tendon_damping};
use crate::derivative::{entry_address, joint_damping};
use crate::inertia::ldl;
use crate::math::{at, dot, poly, quat, rows, vec3};
use crate::profile::{Timer, time};
use crate::tendon::spring_deflection;
use crate::{Data, Model};
use sim_types::{BiasType, DisableBit, GainType, JointType, Warning};

impl Corrections {
    fn clear(&mut self) {
        self.rows.clear();
        self.solved.clear();
        self.weight.clear();
    }

    /// Adds the term `weight · jᵀ j`.
    fn push(&mut self, nv: usize, columns: &[i32], row: &[f64], weight: f64) {
        let start = self.rows.len();
        self.rows.resize(start + nv, 0.0);
        for (&dof, x) in columns.iter().zip(row) {
            self.rows[start + dof as usize] = *x;
        }
        self.weight.push(weight);
    }

    /// Computes `solved` and the factored weights.
    fn factor(&mut self, m: &Model, factor: &[f64], diaginv: &[f64]) {
        let nv = m.nv;
        self.solved.clone_from(&self.rows);
        for k in 0..self.weight.len() {
            let (before, here) = self.solved.split_at_mut(k * nv);
            let solved = &mut here[..nv];
            ldl::solve(m.m_pattern(), factor, diaginv, solved);
            correct(&self.rows[..k * nv], before, &self.weight[..k], solved);
            let quadratic_form = dot(&self.rows[k * nv..][..nv], solved);
            self.weight[k] /= 1.0 + self.weight[k] * quadratic_form;
        }
    }

    /// Corrects a solution of the system without the terms.
    fn apply(&self, x: &mut [f64]) {
        correct(&self.rows, &self.solved, &self.weight, x);
    }
}

/// `x ← x − w (row · x) solved` for each term in order.
fn correct(rows: &[f64], solved: &[f64], weights: &[f64], x: &mut [f64]) {
    let nv = x.len().max(1);
    for ((row, solved), weight) in rows.chunks_exact(nv).zip(solved.chunks_exact(nv)).zip(weights) {
        let along = weight * dot(row, x);
        for (x, s) in x.iter_mut().zip(solved) {
            *x -= along * s;
        }
    }
}

/// One step of backward Euler.
pub(crate) fn mj_implicit_euler(m: &Model, d: &mut Data) {
    time(m, d, Timer::Advance, |d| {
        let mut qacc = std::mem::take(&mut d.scratch.qacc);
        let mut corrections = std::mem::take(&mut d.scratch.corrections);
        for i in 0..m.nv {
            qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
        }
        assemble(m, d, &mut corrections, &mut qacc);
        if let Some(dof) = ldl::factor(m.m_pattern(), &mut d.qH, &mut d.qHDiagInv) {
            d.warn(Warning::Inertia, dof);
        }
        corrections.factor(m, &d.qH, &d.qHDiagInv);
        ldl::solve(m.m_pattern(), &d.qH, &d.qHDiagInv, &mut qacc);
        corrections.apply(&mut qacc);
        advance(m, d, &qacc, None);
        d.scratch.corrections = corrections;
        d.scratch.qacc = qacc;
    });
}

/// Force of a step with acceleration `qacc`: `(M + h D + h² K) qacc + h K q̇`.
pub(crate) fn mul(m: &Model, d: &mut Data, result: &mut [f64]) {
    let mut corrections = std::mem::take(&mut d.scratch.corrections);
    let mut shift = std::mem::take(&mut d.scratch.diagonal);
    shift.fill(0.0);
    assemble(m, d, &mut corrections, &mut shift);
    ldl::mul(m.m_pattern(), &d.qH, &d.qacc, result);
    for (row, weight) in corrections.rows.chunks_exact(m.nv.max(1)).zip(&corrections.weight) {
        let along = weight * dot(row, &d.qacc);
        for (r, x) in result.iter_mut().zip(row) {
            *r += along * x;
        }
    }
    for (r, s) in result.iter_mut().zip(&shift) {
        *r -= s;
    }
    d.scratch.diagonal = shift;
    d.scratch.corrections = corrections;
}

/// Assembles `M + h D + h² K` in `qH` and the corrections, and subtracts `h K q̇` from the force.
fn assemble(m: &Model, d: &mut Data, corrections: &mut Corrections, force: &mut [f64]) {
    let h = m.opt.timestep;
    corrections.clear();
    joint_damping(m, d);
    for k in 0..d.qH.len() {
        let slope = d.qDeriv[at(&m.mapD2M, k)];
        d.qH[k] = d.M[k] - h * slope;
    }
    if !m.opt.disabled(DisableBit::Spring) {
        joint_springs(m, d, force);
    }
    for i in 0..m.ntendon {
        let (stiffness, damping) = tendon_coefficients(m, d, i);
        let start = at(&m.ten_J_rowadr, i);
        let row = start..start + at(&m.ten_J_rownnz, i);
        let Data { ten_J, qH, ten_velocity, .. } = d;
        let (columns, row) = (&m.ten_J_colind[row.clone()], &ten_J[row]);
        add_rank_one(m, qH, corrections, columns, row, h * damping + h * h * stiffness);
        subtract_force(force, columns, row, h * stiffness * ten_velocity[i]);
    }
    if m.opt.disabled(DisableBit::Actuation) {
        return;
    }
    for i in 0..m.nu {
        let damping = (-force_vel_derivative(m, d, i)).max(0.0);
        let stiffness = (-length_derivative(m, d, i)).max(0.0);
        let start = d.moment_rowadr[i] as usize;
        let row = start..start + d.moment_rownnz[i] as usize;
        let Data { actuator_moment, moment_colind, qH, actuator_velocity, .. } = d;
        let (columns, row) = (&moment_colind[row.clone()], &actuator_moment[row]);
        add_rank_one(m, qH, corrections, columns, row, h * damping + h * h * stiffness);
        subtract_force(force, columns, row, h * stiffness * actuator_velocity[i]);
    }
}

/// Adds the stiffness of joint springs to the diagonal.
fn joint_springs(m: &Model, d: &mut Data, force: &mut [f64]) {
    let h = m.opt.timestep;
    for j in 0..m.njnt {
        let (k, poly) = (m.jnt_stiffness[j], rows::<2>(&m.jnt_stiffnesspoly)[j]);
        if k == 0.0 && poly == [0.0; 2] {
            continue;
        }
        let (q, rest) = (&d.qpos[at(&m.jnt_qposadr, j)..], &m.qpos_spring[at(&m.jnt_qposadr, j)..]);
        let dof = at(&m.jnt_dofadr, j);
        let turn = |a: usize| {
            let quat = |q: &[f64]| [q[a], q[a + 1], q[a + 2], q[a + 3]];
            vec3::norm(quat::subtract(quat::normalize(quat(q)), quat(rest)))
        };
        let mut add = |from: usize, count: usize, x: f64| {
            // the larger of tangent and secant stiffness bounds the stiffness in all directions
            let bound =
                poly::stiffness_derivative(k, poly, x).max(poly::stiffness(k, poly, x)).max(0.0);
            for i in from..from + count {
                d.qH[at(&m.M_rowadr, i) + at(&m.M_rownnz, i) - 1] += h * h * bound;
                force[i] -= h * bound * d.qvel[i];
            }
        };
        match m.jnt_type[j] {
            JointType::Slide | JointType::Hinge => add(dof, 1, q[0] - rest[0]),
            JointType::Ball => add(dof, 3, turn(0)),
            JointType::Free => {
                let moved = vec3::distance([q[0], q[1], q[2]], [rest[0], rest[1], rest[2]]);
                add(dof, 3, moved);
                add(dof + 3, 3, turn(3));
            }
        }
    }
}

/// Nonnegative stiffness and damping of a tendon at its current length and velocity.
fn tendon_coefficients(m: &Model, d: &Data, i: usize) -> (f64, f64) {
    let x = spring_deflection(m, d, i);
    let stiffness = if x == 0.0 || m.opt.disabled(DisableBit::Spring) {
        0.0
    } else {
        poly::stiffness_derivative(m.tendon_stiffness[i], rows::<2>(&m.tendon_stiffnesspoly)[i], x)
    };
    let damping = if m.opt.disabled(DisableBit::Damper) {
        0.0
    } else {
        let (linear, poly) = tendon_damping(m, i);
        poly::damping_derivative(linear, poly, d.ten_velocity[i])
    };
    (stiffness.max(0.0), damping.max(0.0))
}

/// Derivative of an actuator's force with respect to its length, for affine gain and bias.
fn length_derivative(m: &Model, d: &Data, i: usize) -> f64 {
    if saturated(m, d, i) {
        return 0.0;
    }
    let mut slope = 0.0;
    if m.actuator_biastype[i] == BiasType::Affine {
        slope += rows::<10>(&m.actuator_biasprm)[i][1];
    }
    if m.actuator_gaintype[i] == GainType::Affine {
        slope += rows::<10>(&m.actuator_gainprm)[i][1] * gain_input(m, d, i);
    }
    slope
}

/// Adds `weight · jᵀ j` to the matrix, or to the corrections if it does not fit its sparsity.
fn add_rank_one(
    m: &Model,
    matrix: &mut [f64],
    corrections: &mut Corrections,
    columns: &[i32],
    row: &[f64],
    weight: f64,
) {
    if weight == 0.0 || columns.is_empty() {
        return;
    }
    let inside = |p: i32, q: i32| inertia_address(m, p.max(q) as usize, p.min(q) as usize);
    let last = columns.iter().copied().fold(0, i32::max);
    if columns.iter().all(|&q| inside(last, q).is_some()) {
        for (a, &p) in columns.iter().enumerate() {
            for (b, &q) in columns[..=a].iter().enumerate() {
                if let Some(adr) = inside(p, q) {
                    matrix[adr] += weight * row[a] * row[b];
                }
            }
        }
    } else {
        corrections.push(m.nv, columns, row, weight);
    }
}

/// Address of the entry of a dof and one of its ancestors in `M`, if stored.
fn inertia_address(m: &Model, row: usize, col: usize) -> Option<usize> {
    entry_address(m, row, col)?;
    let (ancestors, stored) = (at(&m.D_diag, row), at(&m.M_rownnz, row));
    // a simple dof stores its diagonal only
    let offset = (at(&m.D_diag, col) + stored).checked_sub(ancestors + 1)?;
    Some(at(&m.M_rowadr, row) + offset)
}

/// `force −= f j`.
fn subtract_force(force: &mut [f64], columns: &[i32], row: &[f64], f: f64) {
    if f != 0.0 {
        for (&dof, x) in columns.iter().zip(row) {
            force[dof as usize] -= f * x;
        }
    }
}
