//! Tables of trees that are asleep initially (`sleep="init"`), and of what wakes them (mj_wake, mj_wakeTendon,
//! mj_wakeEquality).

use super::array;
use super::constraint::{active_equalities, limited};
use crate::layout::ModelTables;
use sim_core::{Model, mj_sleep_cycle};
use sim_types::{EnableBit, EqType, ObjType, SleepPolicy, TransmissionType};

/// Trees of an object; unused entries are `usize::MAX`.
type Trees = [usize; 2];
const NO_TREES: Trees = [usize::MAX; 2];

/// Adds the tables of sleeping. Returns the number of trees that are asleep initially; there are no tables without
/// such trees.
pub(crate) fn trees(m: &Model, t: &mut ModelTables) -> usize {
    let init = m.tree_sleep_policy.contains(&SleepPolicy::Init);
    if !m.opt.enabled(EnableBit::Sleep) || !init {
        return 0;
    }
    let asleep = m.make_data().tree_asleep;
    // the lowest tree of its sleep cycle
    let cycles: Vec<Option<usize>> = (0..m.ntree).map(|i| mj_sleep_cycle(&asleep, i)).collect();
    let count = cycles.iter().flatten().count();
    if count == 0 {
        return 0;
    }
    t.indices("TREE_CYCLE", cycles.iter().map(|cycle| cycle.unwrap_or(usize::MAX)));
    t.indices("TREE_DOFADR", m.tree_dofadr.iter().map(|&adr| adr as usize));
    t.indices("TREE_DOFNUM", m.tree_dofnum.iter().map(|&num| num as usize));
    let qpos = |i: &i32| m.jnt_qposadr[m.dof_jntid[*i as usize] as usize] as usize;
    t.indices("TREE_QPOSADR", m.tree_dofadr.iter().map(qpos).chain([m.nq]));
    t.scalars("QPOS_INITIAL", m.qpos0.iter().copied());
    let mocap_bodies = (0..m.nbody).filter(|&b| m.body_mocapid[b] >= 0);
    let pose =
        |b: usize| [&array::<3>(&m.body_pos, b)[..], &array::<4>(&m.body_quat, b)[..]].concat();
    t.scalars("MOCAP_INITIAL", mocap_bodies.flat_map(pose));
    // the mocap body that a tree is attached to
    let mocap = |body: usize| usize::try_from(m.body_mocapid[m.body_rootid[body] as usize]);
    let root = |adr: &i32| mocap(*adr as usize).unwrap_or(usize::MAX);
    t.indices("TREE_MOCAP", m.tree_bodyadr.iter().map(root));
    waking_tendons(m, t);
    constrained_trees(m, t);
    t.indices("TENDON_TREES", (0..m.ntendon).flat_map(|k| of_tendon(m, k)));
    t.indices("ACT_TREES", (0..m.nu).flat_map(|i| of_actuator(m, i)));
    count
}

/// Tendons that wake an asleep tree if their other tree is awake: with friction, or at a limit.
fn waking_tendons(m: &Model, t: &mut ModelTables) {
    let limits = limited(m);
    let limit = |k: usize| limits.iter().position(|&l| l == (true, k));
    let wakes = |&k: &usize| {
        m.tendon_treenum[k] == 2 && (m.tendon_frictionloss[k] > 0.0 || limit(k).is_some())
    };
    let tendons: Vec<usize> = (0..m.ntendon).filter(wakes).collect();
    // none: always
    let at_limit = |&k: &usize| match m.tendon_frictionloss[k] > 0.0 {
        true => usize::MAX,
        false => limit(k).unwrap_or(usize::MAX),
    };
    t.size("NWAKE_TENDON", tendons.len());
    t.indices("WAKE_TENDON", tendons.iter().copied());
    t.indices("WAKE_TENDON_LIMIT", tendons.iter().map(at_limit));
}

/// Trees and mocap bodies of both objects of each active equality constraint.
fn constrained_trees(m: &Model, t: &mut ModelTables) {
    let side = |e: usize, id: i32| -> (Trees, usize) {
        let Ok(id) = usize::try_from(id) else { return (NO_TREES, usize::MAX) };
        let body = match (m.eq_type[e], m.eq_objtype[e]) {
            (EqType::Tendon, _) => return (of_tendon(m, id), usize::MAX),
            (EqType::Joint, _) => m.jnt_bodyid[id] as usize,
            (_, ObjType::Site) => m.site_bodyid[id] as usize,
            _ => id,
        };
        let mocap = m.body_mocapid[m.body_rootid[body] as usize];
        let mocap = if m.body_treeid[body] < 0 { mocap } else { -1 };
        (of_body(m, body), usize::try_from(mocap).unwrap_or(usize::MAX))
    };
    let sides: Vec<_> = active_equalities(m)
        .into_iter()
        .map(|e| [side(e, m.eq_obj1id[e]), side(e, m.eq_obj2id[e])])
        .collect();
    t.indices("EQ_TREES", sides.iter().flatten().flat_map(|side| side.0));
    t.indices("EQ_MOCAP", sides.iter().flatten().map(|side| side.1));
}

fn of_body(m: &Model, body: usize) -> Trees {
    [usize::try_from(m.body_treeid[body]).unwrap_or(usize::MAX), usize::MAX]
}

/// None for a tendon of more than two trees.
fn of_tendon(m: &Model, k: usize) -> Trees {
    let tree = |side: usize| match m.tendon_treenum[k] {
        1 | 2 => usize::try_from(m.tendon_treeid[2 * k + side]).unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    [tree(0), tree(1)]
}

fn of_actuator(m: &Model, i: usize) -> Trees {
    let object = |side: usize| usize::try_from(m.actuator_trnid[2 * i + side]);
    let body_of = |adr: &[i32], side: usize| object(side).map(|id| adr[id] as usize);
    let first = |body: Result<usize, _>| body.map_or(NO_TREES, |b| of_body(m, b));
    match m.actuator_trntype[i] {
        TransmissionType::Joint | TransmissionType::JointInParent => {
            first(body_of(&m.jnt_bodyid, 0))
        }
        TransmissionType::Tendon => object(0).map_or(NO_TREES, |k| of_tendon(m, k)),
        TransmissionType::Site => first(body_of(&m.site_bodyid, 0)),
        TransmissionType::SliderCrank => [0, 1].map(|side| first(body_of(&m.site_bodyid, side))[0]),
        TransmissionType::Body => first(object(0)),
        TransmissionType::Undefined => NO_TREES,
    }
}
