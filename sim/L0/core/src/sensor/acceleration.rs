//! Readings with up to four values of the sensors that `mj_sensorAcc` evaluates
//! ([`mj_sensor_acc`](super::mj_sensor_acc) in `sensor/mod.rs`).

use super::{Reading, limit, scalar, vector};
use crate::math::{at, rows, spatial};
use crate::rne::mj_rne_post_constraint;
use crate::support::{Frame, mj_object_acceleration};
use crate::{Data, Model};
use sim_types::{ObjType, SensorType, TransmissionType};

/// Reading of sensor `i`.
pub(super) fn read(m: &Model, d: &mut Data, i: usize) -> Reading {
    let id = at(&m.sensor_objid, i);
    match m.sensor_type[i] {
        SensorType::Accelerometer => {
            let d = body_dynamics(m, d);
            vector(spatial::translation(&acceleration(m, d, ObjType::Site, id, true)))
        }
        SensorType::FrameLinAcc => {
            let d = body_dynamics(m, d);
            vector(spatial::translation(&acceleration(m, d, m.sensor_objtype[i], id, false)))
        }
        SensorType::FrameAngAcc => {
            let d = body_dynamics(m, d);
            vector(spatial::rotation(&acceleration(m, d, m.sensor_objtype[i], id, false)))
        }
        SensorType::Force => vector(spatial::translation(&interaction(m, d, id))),
        SensorType::Torque => vector(spatial::rotation(&interaction(m, d, id))),
        SensorType::JointLimitFrc | SensorType::TendonLimitFrc => {
            scalar(limit::read(m, d, i, |row| d.efc_force[row]))
        }
        SensorType::ActuatorFrc => scalar(d.actuator_force[id]),
        SensorType::TendonActFrc => scalar(tendon_force(m, d, id)),
        SensorType::JointActFrc => scalar(d.qfrc_actuator[at(&m.jnt_dofadr, id)]),
        // handled in `compute` or by another stage
        _ => [0.0; 4],
    }
}

/// The data after `mj_rne_post_constraint`, which is called if its results are out of date.
fn body_dynamics<'a>(m: &Model, d: &'a mut Data) -> &'a Data {
    if !d.flg_rnepost {
        mj_rne_post_constraint(m, d);
    }
    d
}

fn acceleration(m: &Model, d: &Data, kind: ObjType, id: usize, local: bool) -> [f64; 6] {
    mj_object_acceleration(m, d, kind, id, local).unwrap_or_default()
}

/// Interaction wrench `[torque, force]` between a site's body and its parent, at the site and in its frame.
fn interaction(m: &Model, d: &mut Data, site: usize) -> [f64; 6] {
    let d = body_dynamics(m, d);
    let Some(frame) = Frame::of(m, d, ObjType::Site, site) else { return [0.0; 6] };
    let com = rows::<3>(&d.subtree_com)[at(&m.body_rootid, frame.body)];
    let force = &rows::<6>(&d.cfrc_int)[frame.body];
    frame.to_local(&spatial::shift_force(force, com, frame.pos))
}

/// Sum of the actuator forces on a tendon.
fn tendon_force(m: &Model, d: &Data, tendon: usize) -> f64 {
    let on_tendon = |&i: &usize| {
        m.actuator_trntype[i] == TransmissionType::Tendon && at(&m.actuator_trnid, 2 * i) == tendon
    };
    (0..m.nu).filter(on_tendon).map(|i| d.actuator_force[i]).sum()
}
