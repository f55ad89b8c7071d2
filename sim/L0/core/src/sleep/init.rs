//! Sleep state after a reset, including trees with `sleep="init"` (`mj_resetData`).

use super::{FULLY_AWAKE, READY, mj_sleep, mj_update_sleep};
use crate::acceleration::Inertia;
use crate::forward::forward;
use crate::kinematics::{mj_camlight, mj_com_pos, mj_kinematics};
use crate::math::at;
use crate::tendon::mj_tendon;
use crate::{Data, Model};
use sim_types::{EnableBit, SensorStage, SleepPolicy};

/// A tree with `sleep="init"` cannot be initialised asleep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "{slept} of the {wanted} trees with sleep=\"init\" can be initialised asleep; body {body} is the \
     root of the first that cannot: it is in contact with or constrained to an awake tree"
)]
pub struct SleepInitError {
    /// Number of trees with `sleep="init"`.
    pub wanted: usize,
    /// Number of them that fell asleep.
    pub slept: usize,
    /// Root body of the first tree that did not.
    pub body: usize,
}

/// Checks that all trees with `sleep="init"` can be initialised asleep: none of them may share a
/// contact or an equality constraint with an awake tree.
///
/// # Errors
/// [`SleepInitError`] for the first tree that cannot. Data of such a model starts with it awake.
pub fn check_sleep_init(m: &Model) -> Result<(), SleepInitError> {
    let is_init = |&i: &usize| m.tree_sleep_policy[i] == SleepPolicy::Init;
    let wanted = (0..m.ntree).filter(is_init).count();
    if wanted == 0 || !m.opt.enabled(EnableBit::Sleep) {
        return Ok(());
    }
    let d = m.make_data();
    let awake = || (0..m.ntree).filter(is_init).filter(|&i| d.tree_asleep[i] < 0);
    awake().next().map_or(Ok(()), |tree| {
        let slept = wanted - awake().count();
        Err(SleepInitError { wanted, slept, body: at(&m.tree_bodyadr, tree) })
    })
}

/// Initialises the sleep state: all trees are awake, except those with `sleep="init"`. Computes the
/// kinematics of static bodies, which the pipeline then skips.
pub(crate) fn init_sleep(m: &Model, d: &mut Data) {
    d.tree_asleep.fill(FULLY_AWAKE);
    mj_update_sleep(m, d);
    if !m.opt.enabled(EnableBit::Sleep) {
        return;
    }
    if !m.tree_sleep_policy.contains(&SleepPolicy::Init) {
        mj_kinematics(m, d);
        mj_com_pos(m, d);
        mj_camlight(m, d);
        mj_tendon(m, d);
        return;
    }
    forward(m, d, SensorStage::None, Inertia::Matrix, true);
    for (count, &policy) in d.tree_asleep.iter_mut().zip(&m.tree_sleep_policy) {
        *count = if policy == SleepPolicy::Init { READY } else { FULLY_AWAKE };
    }
    mj_sleep(m, d);
    d.qacc_smooth.fill(0.0);
    d.qfrc_smooth.fill(0.0);
    d.clear_constraints();
    mj_update_sleep(m, d);
}
