//! Waking up: who was moved or pushed (`mj_wake`), and who is touched or held by somebody awake
//! (`mj_wakeCollision`, `mj_wakeTendon`, `mj_wakeEquality`).
//!
//! Each function says whether anybody woke up; the lists of who is awake are up to date then.

use super::rest::can_sleep;
use super::{FULLY_AWAKE, READY, update};
use crate::math::{at, rows};
use crate::{Data, Model};
use sim_types::{EnableBit, EqType, ObjType};

/// Wakes tree `i` and all that sleep with it, with `count` in `tree_asleep`; a tree that is awake
/// only takes the lower count. Returns how many woke up.
fn wake_ring(tree_asleep: &mut [i32], i: usize, count: i32) -> usize {
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

/// Wakes trees whose bodies are not where they fell asleep (kinematics set their `tree_awake`), that
/// are pushed, or that have a velocity; all trees, when the model does not let them sleep.
#[doc(alias = "mj_wake")]
pub(crate) fn wake_changed(m: &Model, d: &mut Data) -> bool {
    if d.ntree_awake == m.ntree {
        return false;
    }
    let enabled = m.opt.enabled(EnableBit::Sleep);
    let mut woken = 0;
    for i in 0..m.ntree {
        let leave = !enabled || d.tree_awake[i] != 0 || !can_sleep(m, d, i, 0.0);
        if d.tree_asleep[i] >= 0 && leave {
            woken += wake_ring(&mut d.tree_asleep, i, FULLY_AWAKE);
        }
    }
    refresh(m, d, woken)
}

fn refresh(m: &Model, d: &mut Data, woken: usize) -> bool {
    if woken > 0 {
        update(m, d);
    }
    woken > 0
}

/// Wakes the sleeping one of two trees, if the other is awake.
fn wake_one_of(d: &mut Data, trees: [usize; 2]) -> usize {
    let [awake, asleep] = match trees.map(|tree| d.tree_awake[tree] != 0) {
        [true, false] => trees,
        [false, true] => [trees[1], trees[0]],
        _ => return 0,
    };
    let count = d.tree_asleep[awake];
    wake_ring(&mut d.tree_asleep, asleep, count)
}

/// Wakes trees that touch trees that are awake.
#[doc(alias = "mj_wakeCollision")]
pub(crate) fn wake_by_contact(m: &Model, d: &mut Data) -> bool {
    if !d.sleepers(m) {
        return false;
    }
    let mut woken = 0;
    for i in 0..d.contact.len() {
        let tree = |geom: i32| {
            let body = *m.geom_bodyid.get(usize::try_from(geom).ok()?)?;
            usize::try_from(m.body_treeid[body as usize]).ok()
        };
        if let [Some(one), Some(two)] = d.contact[i].geom.map(tree) {
            woken += wake_one_of(d, [one, two]);
        }
    }
    refresh(m, d, woken)
}

/// Wakes trees on a tendon that rubs, or is at its limit, whose other tree is awake.
#[doc(alias = "mj_wakeTendon")]
pub(crate) fn wake_by_tendon(m: &Model, d: &mut Data) -> bool {
    if !d.sleepers(m) {
        return false;
    }
    let mut woken = 0;
    for i in 0..m.ntendon {
        if m.tendon_treenum[i] == 2 && (m.tendon_frictionloss[i] > 0.0 || at_limit(m, d, i)) {
            let trees = [at(&m.tendon_treeid, 2 * i), at(&m.tendon_treeid, 2 * i + 1)];
            woken += wake_one_of(d, trees);
        }
    }
    refresh(m, d, woken)
}

/// Whether a tendon is nearer to an end of its range than its margin.
fn at_limit(m: &Model, d: &Data, i: usize) -> bool {
    let [low, high] = rows::<2>(&m.tendon_range)[i];
    let (length, margin) = (d.ten_length[i], m.tendon_margin[i]);
    m.tendon_limited[i] && (length - low < margin || high - length < margin)
}

/// Wakes trees tied to trees that are awake, to trees that sleep for themselves, or to a mocap body
/// that was moved.
#[doc(alias = "mj_wakeEquality")]
pub(crate) fn wake_by_equality(m: &Model, d: &mut Data) -> bool {
    if !d.sleepers(m) {
        return false;
    }
    let mut woken = 0;
    for i in 0..m.neq {
        if d.eq_active[i] {
            woken += wake_tied(m, d, i);
        }
    }
    d.scratch.moved_mocap.fill(false);
    refresh(m, d, woken)
}

/// Wakes the trees of one equality constraint, if there is a reason to.
fn wake_tied(m: &Model, d: &mut Data, i: usize) -> usize {
    let sides = [side(m, i, m.eq_obj1id[i]), side(m, i, m.eq_obj2id[i])];
    let trees = sides.map(|side| side.trees);
    let all = || trees.iter().flatten().flatten().copied();
    let moved = sides.iter().any(|side| side.mocap.is_some_and(|k| d.scratch.moved_mocap[k]));
    let awake = moved || all().any(|tree| d.tree_awake[tree] != 0);
    if !awake && all().zip(all().skip(1)).all(|(a, b)| together(&d.tree_asleep, a, b)) {
        return 0;
    }
    let sleeping = all().filter(|&tree| d.tree_awake[tree] == 0);
    sleeping.map(|tree| wake_ring(&mut d.tree_asleep, tree, FULLY_AWAKE)).sum()
}

/// What one side of an equality constraint hangs on.
#[derive(Debug, Clone, Copy, Default)]
struct Side {
    /// Trees: one of a body, up to two of a tendon.
    trees: [Option<usize>; 2],
    /// The mocap body that carries it.
    mocap: Option<usize>,
}

/// The side of equality constraint `i` that is object `id`.
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

/// Whether two sleeping trees fell asleep together: they are in one ring.
#[doc(alias = "mj_sleepCycle")]
fn together(tree_asleep: &[i32], a: usize, b: usize) -> bool {
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
