//! Derivatives: of the smooth forces with respect to velocity, in closed form (`mjd_smooth_vel`); of
//! a step and of inverse dynamics, by finite differences (`mjd_transitionFD`, `mjd_inverseFD`).
//!
//! The former fill `qDeriv`, a matrix whose pattern holds every pair of dofs of which one moves the
//! other. A force that couples dofs beyond this pattern (a tendon across two branches) keeps only
//! the entries inside it. How the inertia of tendons moves with velocity is left out.

mod actuator;
mod difference;
mod error;
mod fluid;
mod fluid_ellipsoid;
mod inverse;
mod matrices;
#[cfg(feature = "parallel")]
mod parallel;
mod passive;
mod rne;
mod transition;

pub(crate) use difference::Differences;
pub use error::DerivativeError;
pub use inverse::mjd_inverse_fd;
pub use matrices::{InverseMatrices, TransitionMatrices, inverse_matrices, transition_matrices};
#[cfg(feature = "parallel")]
pub use parallel::{mjd_inverse_fd_parallel, mjd_transition_fd_parallel};
pub use transition::mjd_transition_fd;

use crate::math::at;
use crate::{Data, Model};
use fluid::Part;
use sim_types::Integrator;

/// `qDeriv = ∂(qfrc_actuator + qfrc_passive − qfrc_bias) / ∂qvel`, the bias only if asked for.
///
/// Reads everything that the stages up to actuation compute. Writes `qDeriv`.
pub fn mjd_smooth_vel(m: &Model, d: &mut Data, bias: bool) {
    d.qDeriv.fill(0.0);
    actuator::add(m, d);
    let symmetric = m.opt.integrator == Integrator::ImplicitFast;
    fluid::add(m, d, if symmetric { Part::Symmetric } else { Part::All });
    passive::add_joints(m, d);
    passive::add_tendons(m, d);
    if bias {
        rne::subtract(m, d);
    }
}

/// `qDeriv` of dampers of joints and of the medium alone.
pub(crate) fn joint_damping(m: &Model, d: &mut Data) {
    d.qDeriv.fill(0.0);
    fluid::add(m, d, Part::Resisting);
    passive::add_joints(m, d);
}

/// Where the pattern keeps the entry of two dofs, if it has one. The descendants of a dof are
/// numbered one after another behind it, and its ancestors fill the front of its row.
#[inline(always)]
pub(crate) fn place(m: &Model, row: usize, col: usize) -> Option<usize> {
    let offset = if col <= row { at(&m.D_diag, col) } else { at(&m.D_diag, row) + (col - row) };
    let adr = at(&m.D_rowadr, row) + offset;
    (offset < at(&m.D_rownnz, row) && m.D_colind[adr] == col as i32).then_some(adr)
}

/// `matrix += slope · jᵀ j` for a sparse row `j`.
fn add_rank_one(m: &Model, matrix: &mut [f64], columns: &[i32], row: &[f64], slope: f64) {
    for (&p, vp) in columns.iter().zip(row) {
        if *vp == 0.0 {
            continue;
        }
        for (&q, vq) in columns.iter().zip(row) {
            if let Some(adr) = place(m, p as usize, q as usize) {
                matrix[adr] += vp * slope * vq;
            }
        }
    }
}
