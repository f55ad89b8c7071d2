//! Sleep at the start: where a reset leaves trees, and those that begin asleep (`mj_resetData`).

use super::{FULLY_AWAKE, READY, fall_asleep, update};
use crate::acceleration::Inertia;
use crate::forward::forward;
use crate::kinematics::{mj_camlight, mj_com_pos, mj_kinematics};
use crate::math::at;
use crate::tendon::mj_tendon;
use crate::{Data, Model};
use sim_types::{EnableBit, SensorStage, SleepPolicy};

/// Trees that should begin asleep cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "{slept} of the {wanted} trees with sleep=\"init\" can begin asleep; body {body} is the root of \
     the first that cannot: it touches or is tied to a tree that is awake"
)]
pub struct StartAsleepError {
    /// How many trees should begin asleep.
    pub wanted: usize,
    /// How many of them can.
    pub slept: usize,
    /// The first body of a tree that cannot.
    pub body: usize,
}

/// Whether the trees that should begin asleep can: none of them may touch, or be tied to, a tree that
/// is awake.
///
/// # Errors
/// [`StartAsleepError`] names a tree that cannot. Data of such a model begins with it awake.
pub fn check_start_asleep(m: &Model) -> Result<(), StartAsleepError> {
    let begins = |&i: &usize| m.tree_sleep_policy[i] == SleepPolicy::Init;
    let wanted = (0..m.ntree).filter(begins).count();
    if wanted == 0 || !m.opt.enabled(EnableBit::Sleep) {
        return Ok(());
    }
    let d = m.make_data();
    let awake = || (0..m.ntree).filter(begins).filter(|&i| d.tree_asleep[i] < 0);
    awake().next().map_or(Ok(()), |tree| {
        let slept = wanted - awake().count();
        Err(StartAsleepError { wanted, slept, body: at(&m.tree_bodyadr, tree) })
    })
}

/// Completes a reset: everybody is awake but the trees that begin asleep. What is fixed to the world
/// is placed once and for all.
pub(crate) fn start(m: &Model, d: &mut Data) {
    d.tree_asleep.fill(FULLY_AWAKE);
    update(m, d);
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
    fall_asleep(m, d);
    d.qacc_smooth.fill(0.0);
    d.qfrc_smooth.fill(0.0);
    d.clear_constraints();
    update(m, d);
}
