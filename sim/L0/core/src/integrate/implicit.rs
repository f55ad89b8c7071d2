//! Integrators implicit in velocity (`mj_implicit`): `implicit` with all velocity derivatives,
//! `implicitfast` without the derivative of the bias force. The public function
//! [`mj_implicit`](super::mj_implicit) is in `integrate/mod.rs`.

use super::buffers::{CellSystem, FreeBodies};
use super::{advance, midpoint};
use crate::derivative::mjd_smooth_vel;
use crate::inertia::ldl;
use crate::math::at;
use crate::profile::{Timer, time};
use crate::{Data, Model};
use sim_types::{EnableBit, Integrator, Warning};

/// One step: `q̇⁺ = q̇ + h (M − h D)⁻¹ f`, where `D = ∂f/∂q̇`. Single free bodies use the implicit
/// midpoint rule unless `invdiscrete` is enabled. Reuses the factor of the previous step if
/// `factored`.
#[doc(alias = "mj_implicitSkip")]
pub(crate) fn implicit_skip(m: &Model, d: &mut Data, factored: bool) {
    time(m, d, Timer::Advance, |d| {
        let mut qacc = std::mem::take(&mut d.scratch.qacc);
        for i in 0..m.nv {
            qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
        }
        let mut free = std::mem::take(&mut d.scratch.free);
        let midpoint = !free.joints.is_empty() && !m.opt.enabled(EnableBit::InvDiscrete);
        if midpoint {
            free.prepare(m, d, &qacc);
        }
        let cells = m.plan.flex.has_cells() && !factored && !d.any_asleep(m);
        let mut system = std::mem::take(&mut d.scratch.cell_system);
        system.invalidate();
        if cells {
            d.scratch.saved.copy_from_slice(&qacc);
        }
        if !factored {
            factor(m, d, cells.then_some(&mut system));
        }
        solve(m, d, &mut qacc);
        if cells {
            system.solve(m, d, &d.scratch.saved, &mut qacc);
        }
        d.scratch.cell_system = system;
        if midpoint {
            free.compute_position_velocity(m, d, &qacc);
            advance(m, d, &qacc, Some(&free.position_velocity));
            free.finish(m, d);
        } else {
            advance(m, d, &qacc, None);
        }
        d.scratch.free = free;
        d.scratch.qacc = qacc;
    });
}

/// Forms and factors `M − h D`, and the system of the cells of flexes if there are any.
fn factor(m: &Model, d: &mut Data, cells: Option<&mut CellSystem>) {
    let full = m.opt.integrator == Integrator::Implicit;
    if full {
        load_full(m, d);
    } else {
        load_symmetric(m, d);
    }
    if let Some(cells) = cells {
        cells.factor(m, d);
    }
    let singular = if full {
        let singular = d.scratch.lu.factor(m);
        d.scratch.lu.store(m, &mut d.qLU);
        singular
    } else {
        ldl::factor(m.m_pattern(), &mut d.qH, &mut d.qHDiagInv)
    };
    if let Some(dof) = singular {
        d.warn(Warning::Inertia, dof);
    }
}

/// Solves with the factored matrix, in place.
fn solve(m: &Model, d: &Data, x: &mut [f64]) {
    if m.opt.integrator == Integrator::Implicit {
        d.scratch.lu.solve(m, x);
    } else {
        ldl::solve(m.m_pattern(), &d.qH, &d.qHDiagInv, x);
    }
}

/// Computes `M − h D` with all derivatives, in scratch.
pub(crate) fn load_full(m: &Model, d: &mut Data) {
    mjd_smooth_vel(m, d, true);
    let Data { M, qDeriv, scratch, .. } = d;
    scratch.lu.load(m, M, qDeriv, m.opt.timestep);
}

/// Computes `M − h D` without the derivative of the bias force, in `qH`.
pub(crate) fn load_symmetric(m: &Model, d: &mut Data) {
    mjd_smooth_vel(m, d, false);
    let h = m.opt.timestep;
    let slopes = m.mapD2M.iter().map(|&adr| d.qDeriv[adr as usize]);
    for ((value, inertia), slope) in d.qH.iter_mut().zip(&d.M).zip(slopes) {
        *value = inertia - h * slope;
    }
}

impl FreeBodies {
    pub(crate) fn new(m: &Model) -> Self {
        let joints = midpoint::eligible_joints(m);
        let n = joints.len();
        Self {
            joints,
            end_velocity: vec![[0.0; 6]; n],
            acceleration: vec![[0.0; 6]; n],
            position_velocity: vec![0.0; if n > 0 { m.nv } else { 0 }],
        }
    }

    /// Computes the velocities at the end of the step and the mean accelerations from the total force.
    fn prepare(&mut self, m: &Model, d: &Data, qfrc: &[f64]) {
        let inverse = 1.0 / m.opt.timestep;
        let bodies = self.joints.iter().zip(&mut self.end_velocity).zip(&mut self.acceleration);
        for ((&j, end), acceleration) in bodies {
            let dof = at(&m.jnt_dofadr, j);
            if asleep(m, d, dof) {
                continue;
            }
            let force = std::array::from_fn(|k| qfrc[dof + k] + d.qfrc_bias[dof + k]);
            *end = midpoint::end_velocity(m, d, j, &force);
            *acceleration = std::array::from_fn(|k| (end[k] - d.qvel[dof + k]) * inverse);
        }
    }

    /// Midpoint velocity of these bodies, new velocity of all other dofs.
    fn compute_position_velocity(&mut self, m: &Model, d: &Data, qacc: &[f64]) {
        for (i, velocity) in self.position_velocity.iter_mut().enumerate() {
            *velocity = d.qvel[i] + m.opt.timestep * qacc[i];
        }
        for (&j, end) in self.joints.iter().zip(&self.end_velocity) {
            let dof = at(&m.jnt_dofadr, j);
            for k in midpoint_dofs(m, j) {
                self.position_velocity[dof + k] = 0.5 * (end[k] + d.qvel[dof + k]);
            }
        }
    }

    /// Overwrites velocity and acceleration of these bodies after the step.
    fn finish(&self, m: &Model, d: &mut Data) {
        let bodies = self.joints.iter().zip(&self.end_velocity).zip(&self.acceleration);
        for ((&j, end), acceleration) in bodies {
            let dof = at(&m.jnt_dofadr, j);
            if asleep(m, d, dof) {
                continue;
            }
            for k in midpoint_dofs(m, j) {
                d.qvel[dof + k] = end[k];
                d.qacc[dof + k] = acceleration[k];
            }
        }
    }
}

/// Whether the tree of a dof is asleep.
fn asleep(m: &Model, d: &Data, dof: usize) -> bool {
    d.tree_awake[at(&m.dof_treeid, dof)] == 0
}

/// Dofs of a free joint that the midpoint rule integrates: rotation only if it is decoupled from
/// translation.
fn midpoint_dofs(m: &Model, j: usize) -> std::ops::Range<usize> {
    if midpoint::aligned(m, j) { 3..6 } else { 0..6 }
}
