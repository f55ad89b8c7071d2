//! Unconstrained acceleration `qacc_smooth = M⁻¹ qfrc_smooth` (`mj_fwdAcceleration`).

use crate::inertia::{articulated, ldl, solve_awake};
use crate::sleep::AwakeSet;
use crate::support::accumulate_applied;
use crate::{Data, Model};
use sim_types::{EnableBit, Integrator};

/// How a forward pass solves with the inertia matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inertia {
    /// Build and factor `M`: every field of `Data` is computed.
    Matrix,
    /// Use the faster of factorization and articulated-body recursion; the latter leaves `M` and its factor
    /// invalid.
    Fastest,
}

impl Inertia {
    /// The method for a step with the model's integrator: implicit integrators need `M`.
    pub(crate) fn for_integrator(m: &Model) -> Self {
        match m.opt.integrator {
            Integrator::Euler | Integrator::Rk4 => Self::Fastest,
            Integrator::Implicit | Integrator::ImplicitFast | Integrator::ImplicitEuler => {
                Self::Matrix
            }
        }
    }

    /// Whether this pass uses the articulated-body recursion. Constraints need the matrix, and sleeping
    /// trees keep their part of it.
    pub(crate) fn articulated(self, m: &Model, d: &Data) -> bool {
        self == Self::Fastest
            && m.plan.articulated
            && d.nefc == 0
            && d.deformables.is_none()
            && !m.opt.enabled(EnableBit::Sleep)
    }
}

/// Computes the acceleration without constraints.
///
/// Reads the force fields and the factor of `M`. Writes `qfrc_smooth`, `qacc_smooth`.
#[doc(alias = "mj_fwdAcceleration")]
pub fn mj_fwd_acceleration(m: &Model, d: &mut Data) {
    fwd_acceleration(m, d, Inertia::Matrix);
}

/// As [`mj_fwd_acceleration`], with a choice of the solution method.
pub(crate) fn fwd_acceleration(m: &Model, d: &mut Data, inertia: Inertia) {
    if d.any_asleep(m) {
        return accelerate_awake(m, d);
    }
    for i in 0..m.nv {
        d.qfrc_smooth[i] =
            d.qfrc_passive[i] - d.qfrc_bias[i] + d.qfrc_applied[i] + d.qfrc_actuator[i];
    }
    accumulate_applied(m, d);
    d.qacc_smooth.copy_from_slice(&d.qfrc_smooth);
    if inertia.articulated(m, d) {
        d.scratch.diagonal.fill(0.0);
        articulated::factor(m, d);
        articulated::solve(m, &d.cdof, &mut d.scratch.articulated, &mut d.qacc_smooth);
    } else {
        ldl::solve(m.m_pattern(), &d.qLD, &d.qLDiagInv, &mut d.qacc_smooth);
    }
}

/// The same for the dofs of awake trees.
fn accelerate_awake(m: &Model, d: &mut Data) {
    d.with_awake(|d, awake| {
        for i in awake.dofs(m) {
            d.qfrc_smooth[i] =
                d.qfrc_passive[i] - d.qfrc_bias[i] + d.qfrc_applied[i] + d.qfrc_actuator[i];
        }
        accumulate_applied(m, d);
        for i in awake.dofs(m) {
            d.qacc_smooth[i] = d.qfrc_smooth[i];
        }
    });
    let Data { qLD, qLDiagInv, qacc_smooth, tree_awake, .. } = d;
    solve_awake(m, tree_awake, qLD, qLDiagInv, qacc_smooth);
}
