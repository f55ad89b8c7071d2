//! Passive forces (`mj_passive`).

pub(crate) mod fluid;
pub(crate) mod fluid_box;
pub(crate) mod fluid_ellipsoid;
pub(crate) mod gravcomp;
mod spring_damper;
mod tendon;

use crate::sleep::awake_dof_runs;
use crate::{Data, Model};
use sim_types::DisableBit;

/// Computes the forces of springs, dampers, the surrounding medium and gravity
/// compensation, and their sum `qfrc_passive`.
///
/// With springs and dampers both disabled there are no passive forces at all.
pub fn mj_passive(m: &Model, d: &mut Data) {
    let spring = !m.opt.disabled(DisableBit::Spring);
    let damper = !m.opt.disabled(DisableBit::Damper);
    if d.sleepers(m) {
        clear_awake(m, d);
    } else {
        d.qfrc_spring.fill(0.0);
        d.qfrc_damper.fill(0.0);
        d.qfrc_gravcomp.fill(0.0);
        d.qfrc_fluid.fill(0.0);
    }
    if spring {
        spring_damper::springs(m, d);
        tendon::springs(m, d);
    }
    if damper {
        spring_damper::dampers(m, d);
        tendon::dampers(m, d);
    }
    for i in 0..m.nv {
        d.qfrc_passive[i] = d.qfrc_spring[i] + d.qfrc_damper[i];
    }
    if spring || damper {
        fluid::forces(m, d);
        gravcomp::forces(m, d);
        if let Some(passive) = &m.hooks.cb_passive {
            (**passive)(m, d);
        }
    }
}

/// Clears the forces on dofs that are awake.
fn clear_awake(m: &Model, d: &mut Data) {
    for dofs in awake_dof_runs(m, &d.tree_awake) {
        d.qfrc_spring[dofs.clone()].fill(0.0);
        d.qfrc_damper[dofs.clone()].fill(0.0);
        d.qfrc_gravcomp[dofs.clone()].fill(0.0);
        d.qfrc_fluid[dofs].fill(0.0);
    }
}
