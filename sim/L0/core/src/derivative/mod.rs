//! Derivatives: analytical derivatives of the smooth forces with respect to velocity (`mjd_smooth_vel`),
//! finite-difference derivatives of a step and of inverse dynamics (`mjd_transitionFD`, `mjd_inverseFD`).
//!
//! The analytical derivatives fill `qDeriv`, whose sparsity pattern (`D_rowadr`, `D_colind`) contains the
//! pairs of dofs of which one is an ancestor of the other. Entries outside this pattern, such as those of a
//! tendon across two branches, are dropped. The derivative of the tendon-armature bias is omitted.

mod actuator;
mod buffers;
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

pub(crate) use buffers::Differences;
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

/// `qDeriv = ∂(qfrc_actuator + qfrc_passive − qfrc_bias) / ∂qvel`; the last term only with `bias`.
///
/// Reads the results of the position, velocity and actuation stages. Writes `qDeriv`.
pub fn mjd_smooth_vel(m: &Model, d: &mut Data, bias: bool) {
    d.qDeriv.fill(0.0);
    actuator::add(m, d);
    let symmetric = m.opt.integrator == Integrator::ImplicitFast;
    fluid::add(m, d, if symmetric { Part::Symmetric } else { Part::All });
    passive::add_joints(m, d);
    passive::add_flex_edges(m, d);
    passive::add_tendons(m, d);
    if bias {
        rne::subtract(m, d);
    }
}

/// `qDeriv` of joint dampers and of the dissipative fluid drag only.
pub(crate) fn joint_damping(m: &Model, d: &mut Data) {
    d.qDeriv.fill(0.0);
    fluid::add(m, d, Part::Dissipative);
    passive::add_joints(m, d);
}

/// Address of entry `(row, col)` in the pattern of `qDeriv`; `None` if it is not stored. Constant time: a row
/// stores the ancestors of its dof, the diagonal, and then the descendants, whose indices are consecutive.
#[inline(always)]
pub(crate) fn entry_address(m: &Model, row: usize, col: usize) -> Option<usize> {
    let offset = if col <= row { at(&m.D_diag, col) } else { at(&m.D_diag, row) + (col - row) };
    let adr = at(&m.D_rowadr, row) + offset;
    (offset < at(&m.D_rownnz, row) && m.D_colind[adr] == col as i32).then_some(adr)
}

/// `matrix += scale · jᵀ j` for a sparse row `j`, restricted to the pattern of `qDeriv`.
fn add_rank_one(m: &Model, matrix: &mut [f64], columns: &[i32], row: &[f64], scale: f64) {
    for (&p, vp) in columns.iter().zip(row) {
        if *vp == 0.0 {
            continue;
        }
        for (&q, vq) in columns.iter().zip(row) {
            if let Some(adr) = entry_address(m, p as usize, q as usize) {
                matrix[adr] += vp * scale * vq;
            }
        }
    }
}
