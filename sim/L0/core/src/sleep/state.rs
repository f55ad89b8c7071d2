//! Sleep state of model elements (`mj_sleepState`).

use super::{ASLEEP, AWAKE, STATIC};
use crate::math::at;
use crate::{Data, Model};
use sim_types::{EqType, ObjType, SensorType, TransmissionType};

/// Whether a body belongs to an asleep tree.
#[inline]
pub(crate) fn body_asleep(d: &Data, body: usize) -> bool {
    d.body_awake[body] == ASLEEP
}

/// Sleep state of a tendon: asleep if all of its one or two trees are. Trees of a tendon with more
/// than two trees never fall asleep automatically.
fn tendon(m: &Model, d: &Data, i: usize) -> i32 {
    let awake = |k: usize| d.tree_awake[at(&m.tendon_treeid, 2 * i + k)] != 0;
    match m.tendon_treenum[i] {
        0 => STATIC,
        1 if !awake(0) => ASLEEP,
        2 if !awake(0) && !awake(1) => ASLEEP,
        _ => AWAKE,
    }
}

/// Whether all trees of a tendon are asleep.
pub(crate) fn tendon_asleep(m: &Model, d: &Data, i: usize) -> bool {
    tendon(m, d, i) == ASLEEP
}

/// Whether at least one tree of a tendon is awake.
pub(crate) fn tendon_awake(m: &Model, d: &Data, i: usize) -> bool {
    tendon(m, d, i) == AWAKE
}

/// Whether the transmission target of an actuator is asleep. A slider-crank is asleep unless one of
/// its sites is awake.
pub(crate) fn actuator_asleep(m: &Model, d: &Data, i: usize) -> bool {
    let target = at(&m.actuator_trnid, 2 * i);
    let site = |site: usize| d.body_awake[at(&m.site_bodyid, site)];
    match m.actuator_trntype[i] {
        TransmissionType::Joint | TransmissionType::JointInParent => {
            body_asleep(d, at(&m.jnt_bodyid, target))
        }
        TransmissionType::SliderCrank => {
            site(target) != AWAKE && site(at(&m.actuator_trnid, 2 * i + 1)) != AWAKE
        }
        TransmissionType::Tendon => tendon_asleep(m, d, target),
        TransmissionType::Site => site(target) == ASLEEP,
        TransmissionType::Body => body_asleep(d, target),
        TransmissionType::Undefined => false,
    }
}

/// Whether neither object of an equality constraint is awake.
///
/// Mocap bodies count as static: a body constrained to one may sleep, and wakes when it moves.
pub(crate) fn equality_asleep(m: &Model, d: &Data, i: usize) -> bool {
    let kind = match m.eq_type[i] {
        EqType::Connect | EqType::Weld => m.eq_objtype[i],
        EqType::Joint => ObjType::Joint,
        EqType::Tendon => ObjType::Tendon,
        EqType::Flex | EqType::FlexVert | EqType::FlexStrain | EqType::Distance => return false,
    };
    let awake = |id: i32| {
        let Ok(id) = usize::try_from(id) else { return false };
        let body = match kind {
            ObjType::Joint => at(&m.jnt_bodyid, id),
            ObjType::Site => at(&m.site_bodyid, id),
            ObjType::Tendon => return tendon_awake(m, d, id),
            _ => id,
        };
        m.body_treeid[body] >= 0 && d.body_awake[body] == AWAKE
    };
    !awake(m.eq_obj1id[i]) && !awake(m.eq_obj2id[i])
}

/// Whether a sensor keeps its value because its object and reference are asleep.
pub(crate) fn sensor_asleep(m: &Model, d: &Data, i: usize) -> bool {
    let (object, reference) = (m.sensor_objtype[i], m.sensor_reftype[i]);
    match m.sensor_type[i] {
        // these depend on bodies other than their object
        SensorType::User | SensorType::Plugin | SensorType::Rangefinder => return false,
        SensorType::Contact if object == ObjType::Site || reference == ObjType::Site => {
            return false;
        }
        _ => {}
    }
    let of = |kind, id: i32| usize::try_from(id).map_or(AWAKE, |id| state(m, d, kind, id));
    let (one, two) = (of(object, m.sensor_objid[i]), of(reference, m.sensor_refid[i]));
    match (object == ObjType::Unknown, reference == ObjType::Unknown) {
        (true, true) => false,
        (true, false) => two == ASLEEP,
        (false, true) => one == ASLEEP,
        (false, false) => one != AWAKE && two != AWAKE,
    }
}

/// Sleep state of a sensor object.
fn state(m: &Model, d: &Data, kind: ObjType, id: usize) -> i32 {
    let body = match kind {
        ObjType::Body | ObjType::XBody => id,
        ObjType::Joint => at(&m.jnt_bodyid, id),
        ObjType::Dof => at(&m.dof_bodyid, id),
        ObjType::Geom => at(&m.geom_bodyid, id),
        ObjType::Site => at(&m.site_bodyid, id),
        ObjType::Camera => at(&m.cam_bodyid, id),
        ObjType::Light => at(&m.light_bodyid, id),
        ObjType::Tendon => return tendon(m, d, id),
        ObjType::Actuator => return if actuator_asleep(m, d, id) { ASLEEP } else { AWAKE },
        ObjType::Equality => return if equality_asleep(m, d, id) { ASLEEP } else { AWAKE },
        _ => return AWAKE,
    };
    d.body_awake[body]
}
