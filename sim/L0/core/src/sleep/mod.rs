//! Trees at rest fall asleep: they keep their state, and the pipeline passes over them until
//! something wakes them (`engine_sleep`).
//!
//! A tree counts the steps in which it hardly moved. When all trees of an island have counted far
//! enough, the island falls asleep as one: its trees form a ring in `tree_asleep`, and whoever wakes
//! one of them wakes all. What stages computed of a sleeping tree stays as it was.

mod list;
mod rest;
mod start;
mod state;
mod wake;

pub(crate) use list::{All, Awake, Who, awake_dof_runs, awake_tree_runs, for_awake, update};
pub(crate) use rest::fall_asleep;
pub(crate) use start::start;
pub use start::{StartAsleepError, check_start_asleep};
pub(crate) use state::{
    actuator_sleeps, body_sleeps, equality_sleeps, sensor_sleeps, tendon_awake, tendon_sleeps,
};
pub(crate) use wake::{wake_by_contact, wake_by_equality, wake_by_tendon, wake_changed};

use crate::{Data, Model};
use sim_types::EnableBit;

/// Steps that a tree must be at rest before it falls asleep.
const MIN_AWAKE: i32 = 10;
/// `tree_asleep` of a tree that has just moved.
const FULLY_AWAKE: i32 = -(1 + MIN_AWAKE);
/// `tree_asleep` of a tree that has been at rest long enough.
const READY: i32 = -1;

/// `body_awake` of a body that moves or may move.
pub(crate) const AWAKE: i32 = 1;
/// `body_awake` of a body of a sleeping tree.
pub(crate) const ASLEEP: i32 = 0;
/// `body_awake` of a body that is fixed to the world.
pub(crate) const STATIC: i32 = -1;

impl Data {
    /// Whether some trees sleep, so that stages have something to pass over.
    #[inline(always)]
    pub(crate) fn sleepers(&self, m: &Model) -> bool {
        m.opt.enabled(EnableBit::Sleep) && self.ntree_awake < m.ntree
    }
}
