//! Falling asleep (`mj_sleep`).

use super::{FULLY_AWAKE, READY};
use crate::math::at;
use crate::{Data, Model};
use sim_types::{EnableBit, SleepPolicy};
use std::ops::Range;

/// Whether tree `i` may sleep (`mj_treeCanSleep`): its policy allows it, no force is applied to it,
/// and its scaled velocity is below `tolerance`, or exactly zero if `tolerance` is zero.
pub(super) fn can_sleep(m: &Model, d: &Data, i: usize, tolerance: f64) -> bool {
    if matches!(m.tree_sleep_policy[i], SleepPolicy::Never | SleepPolicy::AutoNever) {
        return false;
    }
    let bodies = span(&m.tree_bodyadr, &m.tree_bodynum, i);
    let dofs = span(&m.tree_dofadr, &m.tree_dofnum, i);
    // bitwise zero: negative zero counts as nonzero
    let is_zero = |values: &[f64]| values.iter().all(|x| x.to_bits() == 0);
    is_zero(&d.xfrc_applied[6 * bodies.start..6 * bodies.end])
        && is_zero(&d.qfrc_applied[dofs.clone()])
        && if tolerance == 0.0 {
            is_zero(&d.qvel[dofs])
        } else {
            dofs.into_iter().all(|k| m.dof_length[k] * d.qvel[k].abs() < tolerance)
        }
}

fn span(adr: &[i32], num: &[i32], i: usize) -> Range<usize> {
    at(adr, i)..at(adr, i) + at(num, i)
}

/// Updates the rest counters and puts trees to sleep, each island as a whole. Returns the number of
/// trees that fell asleep. Does not update `tree_awake` and the awake index lists.
pub(crate) fn mj_sleep(m: &Model, d: &mut Data) -> usize {
    // constraints without island structure: the coupled trees are unknown
    if !m.opt.enabled(EnableBit::Sleep) || d.nefc > 0 && d.nisland == 0 {
        return 0;
    }
    for i in 0..m.ntree {
        let count = d.tree_asleep[i];
        if count < 0 {
            d.tree_asleep[i] = if can_sleep(m, d, i, m.opt.sleep_tolerance) {
                (count + 1).min(READY)
            } else {
                FULLY_AWAKE
            };
        }
    }
    let order = std::mem::take(&mut d.map_itree2tree);
    let mut slept = 0;
    let mut free = 0;
    for k in 0..d.nisland {
        let trees = span(&d.island_itreeadr, &d.island_ntree, k);
        free = trees.end;
        slept += put_to_sleep(m, d, &order[trees]);
    }
    // unconstrained trees fall asleep individually
    for j in free..m.ntree {
        let tree = if d.nisland > 0 { order[j] } else { j as i32 };
        slept += put_to_sleep(m, d, &[tree]);
    }
    d.map_itree2tree = order;
    slept
}

/// Puts trees to sleep as one cycle if all of them are ready, and sets their velocities and
/// accelerations to zero. Returns the number of trees that fell asleep.
fn put_to_sleep(m: &Model, d: &mut Data, trees: &[i32]) -> usize {
    if !trees.iter().all(|&tree| d.tree_asleep[tree as usize] == READY) {
        return 0;
    }
    for (k, &tree) in trees.iter().enumerate() {
        let tree = tree as usize;
        d.tree_asleep[tree] = trees[(k + 1) % trees.len()];
        let dofs = span(&m.tree_dofadr, &m.tree_dofnum, tree);
        d.qvel[dofs.clone()].fill(0.0);
        d.qacc[dofs].fill(0.0);
    }
    trees.len()
}
