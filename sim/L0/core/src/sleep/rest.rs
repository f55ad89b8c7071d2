//! Falling asleep (`mj_sleep`).

use super::{FULLY_AWAKE, READY};
use crate::math::at;
use crate::{Data, Model};
use sim_types::{EnableBit, SleepPolicy};
use std::ops::Range;

/// Whether tree `i` may sleep: it is allowed to, nothing is applied to it, and it moves slower than
/// `tolerance`, or not at all when that is zero.
pub(super) fn can_sleep(m: &Model, d: &Data, i: usize, tolerance: f64) -> bool {
    if matches!(m.tree_sleep_policy[i], SleepPolicy::Never | SleepPolicy::AutoNever) {
        return false;
    }
    let bodies = span(&m.tree_bodyadr, &m.tree_bodynum, i);
    let dofs = span(&m.tree_dofadr, &m.tree_dofnum, i);
    // exactly zero: not even minus zero
    let none = |values: &[f64]| values.iter().all(|x| x.to_bits() == 0);
    none(&d.xfrc_applied[6 * bodies.start..6 * bodies.end])
        && none(&d.qfrc_applied[dofs.clone()])
        && if tolerance == 0.0 {
            none(&d.qvel[dofs])
        } else {
            dofs.into_iter().all(|k| m.dof_length[k] * d.qvel[k].abs() < tolerance)
        }
}

fn span(adr: &[i32], num: &[i32], i: usize) -> Range<usize> {
    at(adr, i)..at(adr, i) + at(num, i)
}

/// Lets trees count their rest, and those that had enough of it fall asleep, islands as a whole.
/// Returns how many did. `tree_awake` and the lists are not brought up to date.
#[doc(alias = "mj_sleep")]
pub(crate) fn fall_asleep(m: &Model, d: &mut Data) -> usize {
    // rows without islands: nobody knows who depends on whom
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
        slept += close_ring(m, d, &order[trees]);
    }
    // trees without constraints sleep alone
    for j in free..m.ntree {
        let tree = if d.nisland > 0 { order[j] } else { j as i32 };
        slept += close_ring(m, d, &[tree]);
    }
    d.map_itree2tree = order;
    slept
}

/// Puts trees to sleep together if all of them are ready; returns how many there are then. Their
/// velocities and accelerations become zero.
fn close_ring(m: &Model, d: &mut Data, trees: &[i32]) -> usize {
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
