//! Passive forces: springs, dampers, fluid, gravity compensation, plugins (`mj_passive`).

mod flex;
pub mod fluid;
pub(crate) mod fluid_box;
pub(crate) mod fluid_ellipsoid;
pub(crate) mod gravcomp;
mod spring_damper;
mod tendon;

use crate::constraint::passive_forces;
use crate::plugin::stages;
use crate::sleep::awake_dof_ranges;
use crate::{Data, Model};
use sim_types::DisableBit;

/// Computes spring, damper, fluid and gravity-compensation forces and their sum `qfrc_passive`.
///
/// With springs and dampers both disabled all passive forces are zero.
///
/// Reads `qpos`, `qvel`, `ten_length`, `ten_velocity`, `ten_J`, with flexes `flexvert_xpos`, `flexedge_length`,
/// `flexedge_velocity`, `flexedge_J`, `xpos`, `xmat`, and with a fluid or gravity compensation
/// `xipos`, `ximat`, `geom_xpos`, `geom_xmat`, `subtree_com`, `cdof`, `cvel`. Writes `qfrc_spring`,
/// `qfrc_damper`, `qfrc_gravcomp`, `qfrc_fluid`, `qfrc_passive`.
pub fn mj_passive(m: &Model, d: &mut Data) {
    let spring = !m.opt.disabled(DisableBit::Spring);
    let damper = !m.opt.disabled(DisableBit::Damper);
    clear(m, d);
    if spring {
        spring_damper::springs(m, d);
    }
    if damper {
        spring_damper::dampers(m, d);
    }
    if m.nflex > 0 && (spring || damper) {
        flex::forces(m, d, spring, damper);
    }
    if spring {
        tendon::springs(m, d);
    }
    if damper {
        tendon::dampers(m, d);
    }
    if m.plan.flex.passive_contacts && !m.opt.disabled(DisableBit::Contact) && (spring || damper) {
        passive_forces(m, d);
    }
    sum_spring_damper(d);
    if spring || damper {
        // each adds its force to `qfrc_passive`
        fluid::forces(m, d);
        gravcomp::forces(m, d);
        if let Some(passive) = &m.hooks.cb_passive {
            (**passive)(m, d);
        }
        stages::passive(m, d);
    }
}

/// Sets the components of the passive force to zero, except for the dofs of sleeping trees.
fn clear(m: &Model, d: &mut Data) {
    let any_asleep = d.any_asleep(m);
    let Data { tree_awake, qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, .. } = d;
    for component in [qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid] {
        if any_asleep {
            awake_dof_ranges(m, tree_awake).for_each(|dofs| component[dofs].fill(0.0));
        } else {
            component.fill(0.0);
        }
    }
}

/// `qfrc_passive = qfrc_spring + qfrc_damper`. `fluid::forces`, `gravcomp::forces`, the callback and
/// the plugins add theirs.
fn sum_spring_damper(d: &mut Data) {
    let Data { qfrc_spring, qfrc_damper, qfrc_passive, .. } = d;
    for (sum, (spring, damper)) in qfrc_passive.iter_mut().zip(qfrc_spring.iter().zip(qfrc_damper))
    {
        *sum = spring + *damper;
    }
}
