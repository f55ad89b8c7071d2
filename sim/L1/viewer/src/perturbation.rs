//! The perturbation of a body by the mouse, applied to a simulation.

use sim_physics::scene::{Perturb, mjv_apply_perturb_force, mjv_apply_perturb_pose};
use sim_physics::{Data, Model};

/// The active perturbation. The program's own force on the body is restored when it ends.
#[derive(Debug, Default)]
pub(crate) struct Perturbation {
    perturb: Perturb,
    /// Perturbed body and the external force it had before.
    saved: Option<(usize, [f64; 6])>,
}

impl Perturbation {
    /// Starts, moves or ends the perturbation.
    pub(crate) fn set(&mut self, perturb: Perturb, m: &Model, d: &mut Data) {
        let body = perturb.body(m.nbody).filter(|_| perturb.all_active() != 0);
        if self.saved.map(|(body, _)| body) != body {
            self.end(d);
            self.saved = body.and_then(|body| Some((body, row(d, body)?)));
        }
        self.perturb = perturb;
    }

    /// Ends the perturbation.
    pub(crate) fn end(&mut self, d: &mut Data) {
        if let Some((body, force)) = self.saved.take()
            && let Some(row) = d.xfrc_applied.get_mut(6 * body..6 * body + 6)
        {
            row.copy_from_slice(&force);
        }
        self.perturb.active = 0;
    }

    /// Whether a body is perturbed.
    pub(crate) fn is_active(&self) -> bool {
        self.saved.is_some()
    }

    /// Applies the perturbation: to the pose of mocap bodies, to the pose of floating bodies if the simulation
    /// is paused, and as a force otherwise.
    pub(crate) fn apply(&self, m: &Model, d: &mut Data, paused: bool) {
        if !self.is_active() {
            return;
        }
        mjv_apply_perturb_pose(m, d, &self.perturb, paused);
        if !paused {
            mjv_apply_perturb_force(m, d, &self.perturb);
        }
    }
}

/// External force and torque on a body.
fn row(d: &Data, body: usize) -> Option<[f64; 6]> {
    d.xfrc_applied.get(6 * body..6 * body + 6)?.try_into().ok()
}
