//! Semi-implicit Euler, with joint damping treated implicitly (`mj_Euler`).

use super::advance;
use crate::acceleration::Inertia;
use crate::actuation::dof_damping;
use crate::inertia::{articulated, ldl, solve_awake};
use crate::math::{at, poly};
use crate::profile::{Timer, time};
use crate::sleep::{AwakeSet, awake_dof_ranges};
use crate::{Data, Model};
use sim_types::DisableBit;

/// One step: `q̇⁺ = q̇ + h (M + h B)⁻¹ f`, `q⁺ = q + h q̇⁺`, where `B` is the derivative of the joint
/// damping force. Reuses the factor of the previous step if `factored`.
#[doc(alias = "mj_EulerSkip")]
pub(crate) fn euler_skip(m: &Model, d: &mut Data, inertia: Inertia, factored: bool) {
    time(m, d, Timer::Advance, |d| {
        let mut qacc = std::mem::take(&mut d.scratch.qacc);
        if d.any_asleep(m) {
            acceleration_awake(m, d, &mut qacc);
        } else if implicit_damping(m) {
            damped_acceleration(m, d, inertia, factored, &mut qacc);
        } else {
            qacc.copy_from_slice(&d.qacc);
        }
        advance(m, d, &qacc, None);
        d.scratch.qacc = qacc;
    });
}

/// Whether any dof has damping and implicit damping is enabled.
pub(crate) fn implicit_damping(m: &Model) -> bool {
    implicit_damping_of(m, 0..m.nv)
}

/// [`implicit_damping`] restricted to some dofs.
fn implicit_damping_of(m: &Model, mut dofs: impl Iterator<Item = usize>) -> bool {
    !m.opt.disabled(DisableBit::EulerDamp)
        && !m.opt.disabled(DisableBit::Damper)
        && dofs.any(|i| {
            let (linear, poly) = dof_damping(m, i);
            linear > 0.0 || poly != [0.0; 2]
        })
}

/// Acceleration of the awake dofs.
fn acceleration_awake(m: &Model, d: &mut Data, qacc: &mut [f64]) {
    d.with_awake(|d, awake| {
        if !implicit_damping_of(m, awake.dofs(m)) {
            return qacc.copy_from_slice(&d.qacc);
        }
        for i in awake.dofs(m) {
            qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
            let row = at(&m.M_rowadr, i)..at(&m.M_rowadr, i) + at(&m.M_rownnz, i);
            let diagonal = row.end - 1;
            d.qH[row.clone()].copy_from_slice(&d.M[row]);
            d.qH[diagonal] += damping(m, d, i);
        }
        let Data { qH, qHDiagInv, tree_awake, .. } = d;
        for dofs in awake_dof_ranges(m, tree_awake) {
            ldl::factor_dofs(m.m_pattern(), qH, qHDiagInv, dofs);
        }
        solve_awake(m, tree_awake, qH, qHDiagInv, qacc);
    });
}

/// `(M + h B)⁻¹ (qfrc_smooth + qfrc_constraint)`.
fn damped_acceleration(
    m: &Model,
    d: &mut Data,
    inertia: Inertia,
    factored: bool,
    qacc: &mut [f64],
) {
    for i in 0..m.nv {
        qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
    }
    if inertia.articulated(m, d) {
        for i in 0..m.nv {
            d.scratch.diagonal[i] = damping(m, d, i);
        }
        articulated::factor(m, d);
        articulated::solve(m, &d.cdof, &mut d.scratch.articulated, qacc);
    } else {
        if !factored {
            d.qH.copy_from_slice(&d.M);
            for i in 0..m.nv {
                d.qH[at(&m.M_rowadr, i) + at(&m.M_rownnz, i) - 1] += damping(m, d, i);
            }
            ldl::factor(m.m_pattern(), &mut d.qH, &mut d.qHDiagInv);
        }
        ldl::solve(m.m_pattern(), &d.qH, &d.qHDiagInv, qacc);
    }
}

/// Diagonal term of implicit damping: `h` times the damping derivative of dof `i`.
#[inline(always)]
pub(crate) fn damping(m: &Model, d: &Data, i: usize) -> f64 {
    let (linear, poly) = dof_damping(m, i);
    m.opt.timestep * poly::damping_derivative(linear, poly, d.qvel[i])
}
