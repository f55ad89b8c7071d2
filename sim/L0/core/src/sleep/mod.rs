//! Sleeping of kinematic trees at rest (MuJoCo's `engine_sleep`): asleep trees keep their state and
//! are skipped by the pipeline until they are woken.
//!
//! `tree_asleep` is negative for an awake tree and counts the steps with velocity below the
//! tolerance up to −1. When all trees of an island have reached −1, the island falls asleep: its
//! trees form a cycle of indices in `tree_asleep`, and waking one of them wakes the whole cycle.
//! Derived quantities of asleep trees keep their last values.

mod awake_set;
mod falling_asleep;
mod init;
mod state;
mod wake;

pub(crate) use awake_set::{
    AllTrees, AwakeSet, AwakeTrees, awake_dof_ranges, awake_tree_ranges, for_awake, mj_update_sleep,
};
pub(crate) use falling_asleep::mj_sleep;
pub(crate) use init::init_sleep;
pub use init::{SleepInitError, check_sleep_init};
pub(crate) use state::{
    actuator_asleep, body_asleep, equality_asleep, sensor_asleep, tendon_asleep, tendon_awake,
};
pub use wake::mj_sleep_cycle;
pub(crate) use wake::{mj_wake, mj_wake_collision, mj_wake_equality, mj_wake_tendon};

use crate::{Data, Model};
use sim_types::EnableBit;

/// Number of steps at rest before a tree falls asleep (`mjMINAWAKE`).
const MIN_AWAKE: i32 = 10;
/// `tree_asleep` of a tree that is not at rest.
const FULLY_AWAKE: i32 = -(1 + MIN_AWAKE);
/// `tree_asleep` of a tree that is ready to fall asleep.
const READY: i32 = -1;

/// `body_awake` of a body of an awake tree or of a mocap body.
pub(crate) const AWAKE: i32 = 1;
/// `body_awake` of a body of an asleep tree.
pub(crate) const ASLEEP: i32 = 0;
/// `body_awake` of a body that is fixed to the world.
pub(crate) const STATIC: i32 = -1;

impl Data {
    /// Whether sleeping is enabled and at least one tree is asleep.
    #[inline(always)]
    pub(crate) fn any_asleep(&self, m: &Model) -> bool {
        m.opt.enabled(EnableBit::Sleep) && self.ntree_awake < m.ntree
    }
}
