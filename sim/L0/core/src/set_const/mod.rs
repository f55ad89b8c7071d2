//! Quantities of a model that follow from its reference configuration (`mj_setConst`).

mod at_reference;
mod equality;
mod statistic;
mod structure;
mod tendon;

pub(crate) use tendon::columns as tendon_columns;

use crate::plan::Plan;
use crate::{Data, Model};
use sim_types::EnableBit;

/// Computes the constants that depend on other model fields: masses of subtrees, trees, inverse
/// inertias at `qpos0`, missing data of equality constraints, spring lengths of tendons, camera and light offsets, statistics. Call it after changing a model.
///
/// It keeps whatever the caller put into `opt`; `stat` is computed anew.
#[doc(alias = "mj_setConst")]
pub fn mj_set_const(m: &mut Model) {
    structure::set(m);
    // nobody sleeps while it is measured
    let enabled = m.opt.enableflags;
    m.opt.enableflags &= !(EnableBit::Sleep as i32);
    m.plan = Plan::new(m);
    let mut d = Data::allocate(m);
    at_reference::set(m, &mut d);
    statistic::set(m, &d);
    at_reference::set_spring_lengths(m, &mut d);
    m.opt.enableflags = enabled;
}
