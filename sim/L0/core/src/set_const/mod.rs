//! Model constants that depend on other model fields (`mj_setConst`).

mod at_reference;
mod equality;
mod flex;
mod statistic;
mod structure;
mod tendon;
mod total_mass;

pub(crate) use tendon::columns as tendon_columns;
pub use total_mass::{mj_get_totalmass, mj_set_totalmass};

use crate::plan::Plan;
use crate::{Data, Model};
use sim_types::EnableBit;

/// Computes the constants that depend on other model fields: subtree masses, kinematic trees,
/// `invweight0`, missing `eq_data`, spring lengths of tendons, camera and light offsets, and
/// statistics. Call it after changing a model.
///
/// `opt` is unchanged; `stat` is recomputed.
#[doc(alias = "mj_setConst")]
pub fn mj_set_const(m: &mut Model) {
    structure::set(m);
    // sleeping must not skip any computation
    let enabled = m.opt.enableflags;
    m.opt.enableflags &= !(EnableBit::Sleep as i32);
    m.plan = Plan::new(m);
    let mut d = Data::allocate(m);
    at_reference::set(m, &mut d);
    statistic::set(m, &d);
    at_reference::set_spring_lengths(m, &mut d);
    m.opt.enableflags = enabled;
}
