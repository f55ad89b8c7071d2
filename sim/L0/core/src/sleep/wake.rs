//! Waking of trees: by changes of their state (`mj_wake`), and by contacts, tendons and equality
//! constraints with awake trees (`mj_wakeCollision`, `mj_wakeTendon`, `mj_wakeEquality`).
//!
//! Each function returns whether any tree was woken, and updates the awake index lists if so.

use super::falling_asleep::can_sleep;
use super::{FULLY_AWAKE, READY, mj_update_sleep};
use crate::math::{at, rows};
use crate::{Data, Model};
use sim_types::{EnableBit, EqType, ObjType};

/// Wakes the sleep cycle of tree `i` and sets its `tree_asleep` to `count` (`mj_wakeTree`); an awake
/// tree takes the lower of both counts. Returns the number of woken trees.
fn wake_cycle(tree_asleep: &mut [i32], i: usize, count: i32) -> usize {
    let count = count.min(READY);
    let mut woken = 0;
    let mut tree = i;
    // each entry is visited once: it is negative afterwards
    while let Some(entry) = tree_asleep.get_mut(tree) {
        let Ok(next) = usize::try_from(*entry) else {
            *entry = count.min(*entry);
            break;
        };
        *entry = count;
        woken += 1;
        tree = next;
    }
    woken
}

/// Wakes trees whose pose changed (kinematics sets their `tree_awake`), that have an applied force,
/// or a nonzero velocity; all trees if sleeping is disabled.
pub(crate) fn mj_wake(m: &Model, d: &mut Data) -> bool {
    if d.ntree_awake == m.ntree {
        return false;
    }
    let enabled = m.opt.enabled(EnableBit::Sleep);
    let mut woken = 0;
    for i in 0..m.ntree {
        let wakes = !enabled || d.tree_awake[i] != 0 || !can_sleep(m, d, i, 0.0);
        if d.tree_asleep[i] >= 0 && wakes {
            woken += wake_cycle(&mut d.tree_asleep, i, FULLY_AWAKE);
        }
    }
    finish(m, d, woken)
}

fn finish(m: &Model, d: &mut Data, woken: usize) -> bool {
    if woken > 0 {
        mj_update_sleep(m, d);
    }
    woken > 0
}

/// Wakes the asleep one of two trees if the other is awake.
fn wake_asleep_of(d: &mut Data, trees: [usize; 2]) -> usize {
    let [awake, asleep] = match trees.map(|tree| d.tree_awake[tree] != 0) {
        [true, false] => trees,
        [false, true] => [trees[1], trees[0]],
        _ => return 0,
    };
    let count = d.tree_asleep[awake];
    wake_cycle(&mut d.tree_asleep, asleep, count)
}

/// Wakes trees in contact with awake trees.
#[doc(alias = "mj_wakeCollision")]
pub(crate) fn mj_wake_collision(m: &Model, d: &mut Data) -> bool {
    if !d.any_asleep(m) {
        return false;
    }
    let mut woken = 0;
    for i in 0..d.contact.len() {
        let tree = |geom: i32| {
            let body = *m.geom_bodyid.get(usize::try_from(geom).ok()?)?;
            usize::try_from(m.body_treeid[body as usize]).ok()
        };
        if let [Some(one), Some(two)] = d.contact[i].geom.map(tree) {
            woken += wake_asleep_of(d, [one, two]);
        }
    }
    finish(m, d, woken)
}

/// Wakes trees coupled to an awake tree by a tendon with friction or with an active limit.
#[doc(alias = "mj_wakeTendon")]
pub(crate) fn mj_wake_tendon(m: &Model, d: &mut Data) -> bool {
    if !d.any_asleep(m) {
        return false;
    }
    let mut woken = 0;
    for i in 0..m.ntendon {
        if m.tendon_treenum[i] == 2 && (m.tendon_frictionloss[i] > 0.0 || at_limit(m, d, i)) {
            let trees = [at(&m.tendon_treeid, 2 * i), at(&m.tendon_treeid, 2 * i + 1)];
            woken += wake_asleep_of(d, trees);
        }
    }
    finish(m, d, woken)
}

/// Whether a limit of a tendon is active.
fn at_limit(m: &Model, d: &Data, i: usize) -> bool {
    let [low, high] = rows::<2>(&m.tendon_range)[i];
    let (length, margin) = (d.ten_length[i], m.tendon_margin[i]);
    m.tendon_limited[i] && (length - low < margin || high - length < margin)
}

/// Wakes trees that share an active equality constraint with an awake tree, with a tree in another
/// sleep cycle, or with a mocap body that moved.
#[doc(alias = "mj_wakeEquality")]
pub(crate) fn mj_wake_equality(m: &Model, d: &mut Data) -> bool {
    if !d.any_asleep(m) {
        return false;
    }
    let mut woken = 0;
    for i in 0..m.neq {
        if d.eq_active[i] {
            woken += wake_constrained(m, d, i);
        }
    }
    d.scratch.moved_mocap.fill(false);
    finish(m, d, woken)
}

/// Wakes the trees of one equality constraint if necessary. Returns the number of woken trees.
fn wake_constrained(m: &Model, d: &mut Data, i: usize) -> usize {
    let sides = [side(m, i, m.eq_obj1id[i]), side(m, i, m.eq_obj2id[i])];
    let trees = sides.map(|side| side.trees);
    let all = || trees.iter().flatten().flatten().copied();
    let moved = sides.iter().any(|side| side.mocap.is_some_and(|k| d.scratch.moved_mocap[k]));
    let awake = moved || all().any(|tree| d.tree_awake[tree] != 0);
    if !awake && all().zip(all().skip(1)).all(|(a, b)| same_cycle(&d.tree_asleep, a, b)) {
        return 0;
    }
    let sleeping = all().filter(|&tree| d.tree_awake[tree] == 0);
    sleeping.map(|tree| wake_cycle(&mut d.tree_asleep, tree, FULLY_AWAKE)).sum()
}

/// Trees and mocap body of one object of an equality constraint.
#[derive(Debug, Clone, Copy, Default)]
struct Side {
    /// Trees: one for a body, up to two for a tendon.
    trees: [Option<usize>; 2],
    /// Mocap body that it is fixed to.
    mocap: Option<usize>,
}

/// Trees and mocap body of object `id` of equality constraint `i`.
fn side(m: &Model, i: usize, id: i32) -> Side {
    let Ok(id) = usize::try_from(id) else { return Side::default() };
    let body = match (m.eq_type[i], m.eq_objtype[i]) {
        (EqType::Connect | EqType::Weld, ObjType::Site) => at(&m.site_bodyid, id),
        (EqType::Connect | EqType::Weld, _) => id,
        (EqType::Joint, _) => at(&m.jnt_bodyid, id),
        (EqType::Tendon, _) => {
            let trees = [m.tendon_treeid[2 * id], m.tendon_treeid[2 * id + 1]];
            return Side { trees: trees.map(|tree| usize::try_from(tree).ok()), mocap: None };
        }
        _ => return Side::default(),
    };
    let tree = usize::try_from(m.body_treeid[body]).ok();
    let mocap = usize::try_from(m.body_mocapid[at(&m.body_rootid, body)]).ok();
    Side { trees: [tree, None], mocap: mocap.filter(|_| tree.is_none()) }
}

/// Lowest tree of the sleep cycle of `tree`, a stable label of a sleeping island; `None` if the tree is awake
/// or the cycle is invalid.
#[doc(alias = "mj_sleepCycle")]
#[must_use]
pub fn mj_sleep_cycle(tree_asleep: &[i32], tree: usize) -> Option<usize> {
    let (mut lowest, mut current) = (tree, tree);
    for _ in 0..=tree_asleep.len() {
        current = usize::try_from(*tree_asleep.get(current)?).ok()?;
        lowest = lowest.min(current);
        if current == tree {
            return Some(lowest);
        }
    }
    None
}

/// Whether two asleep trees are in the same sleep cycle.
fn same_cycle(tree_asleep: &[i32], a: usize, b: usize) -> bool {
    let mut tree = a;
    for _ in 0..tree_asleep.len() {
        if tree == b {
            return true;
        }
        match tree_asleep.get(tree).map(|&next| usize::try_from(next)) {
            Some(Ok(next)) if next != a => tree = next,
            _ => break,
        }
    }
    false
}
