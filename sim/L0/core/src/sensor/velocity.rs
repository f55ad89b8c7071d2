//! Readings with up to four values of the sensors that `mj_sensorVel` evaluates
//! ([`mj_sensor_vel`](super::mj_sensor_vel) in `sensor/mod.rs`).

use super::{Reading, limit, reference, scalar, vector};
use crate::math::{at, rows, spatial, vec3};
use crate::support::{Frame, mj_object_velocity};
use crate::velocity::mj_subtree_vel;
use crate::{Data, Model};
use sim_types::{ObjType, SensorType};

/// Reading of sensor `i`.
pub(super) fn read(m: &Model, d: &mut Data, i: usize) -> Reading {
    let id = at(&m.sensor_objid, i);
    match m.sensor_type[i] {
        SensorType::Velocimeter => vector(spatial::translation(&site_velocity(m, d, id))),
        SensorType::Gyro => vector(spatial::rotation(&site_velocity(m, d, id))),
        SensorType::JointVel => scalar(d.qvel[at(&m.jnt_dofadr, id)]),
        SensorType::TendonVel => scalar(d.ten_velocity[id]),
        SensorType::ActuatorVel => scalar(d.actuator_velocity[id]),
        SensorType::BallAngVel => {
            let v = &d.qvel[at(&m.jnt_dofadr, id)..];
            vector([v[0], v[1], v[2]])
        }
        SensorType::JointLimitVel | SensorType::TendonLimitVel => {
            scalar(limit::read(m, d, i, |row| d.efc_vel[row]))
        }
        SensorType::FrameLinVel => vector(spatial::translation(&frame(m, d, i, id))),
        SensorType::FrameAngVel => vector(spatial::rotation(&frame(m, d, i, id))),
        SensorType::SubtreeLinVel => vector(rows::<3>(&subtree(m, d).subtree_linvel)[id]),
        SensorType::SubtreeAngMom => vector(rows::<3>(&subtree(m, d).subtree_angmom)[id]),
        // handled in `compute` or by another stage
        _ => [0.0; 4],
    }
}

/// Spatial velocity `[angular, linear]` of a site in its own frame.
fn site_velocity(m: &Model, d: &Data, site: usize) -> [f64; 6] {
    mj_object_velocity(m, d, ObjType::Site, site, true).unwrap_or_default()
}

/// The data after `mj_subtree_vel`, which is called if its results are out of date.
fn subtree<'a>(m: &Model, d: &'a mut Data) -> &'a Data {
    if !d.flg_subtreevel {
        mj_subtree_vel(m, d);
    }
    d
}

/// Spatial velocity `[angular, linear]` of a frame in world axes, or relative to a moving reference frame and
/// in its axes.
fn frame(m: &Model, d: &Data, i: usize, id: usize) -> [f64; 6] {
    let Some(object) = Frame::of(m, d, m.sensor_objtype[i], id) else { return [0.0; 6] };
    let vel = object.velocity(m, d);
    let Some(refer) = reference(m, i).and_then(|id| Frame::of(m, d, m.sensor_reftype[i], id))
    else {
        return vel;
    };
    let ref_vel = refer.velocity(m, d);
    let arm = vec3::sub(object.pos, refer.pos);
    // velocity of the object's position as a point of the reference body
    let transport =
        vec3::add(spatial::translation(&ref_vel), vec3::cross(spatial::rotation(&ref_vel), arm));
    refer.to_local(&spatial::join(
        vec3::sub(spatial::rotation(&vel), spatial::rotation(&ref_vel)),
        vec3::sub(spatial::translation(&vel), transport),
    ))
}
