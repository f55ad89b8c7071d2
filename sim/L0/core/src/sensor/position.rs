//! Readings with up to four values of the sensors that `mj_sensorPos` evaluates
//! ([`mj_sensor_pos`](super::mj_sensor_pos) in `sensor/mod.rs`).

use super::{Reading, camera, limit, reference, scalar, vector};
use crate::energy::{mj_energy_pos, mj_energy_vel};
use crate::math::inside::inside_geom;
use crate::math::{at, mat3, quat, rows, vec3};
use crate::support::Frame;
use crate::velocity::mj_com_vel;
use crate::{Data, Model};
use sim_types::SensorType;

/// Reading of sensor `i`.
pub(super) fn read(m: &Model, d: &mut Data, i: usize) -> Reading {
    let id = at(&m.sensor_objid, i);
    match m.sensor_type[i] {
        SensorType::Magnetometer => {
            vector(mat3::mul_transpose_vec(&rows::<9>(&d.site_xmat)[id], m.opt.magnetic))
        }
        SensorType::CamProjection => {
            let Some(camera) = reference(m, i) else { return [0.0; 4] };
            let [x, y] = camera::project(m, d, camera, rows::<3>(&d.site_xpos)[id]);
            [x, y, 0.0, 0.0]
        }
        SensorType::InsideSite => scalar(f64::from(u8::from(inside_site(m, d, i, id)))),
        SensorType::JointLimitPos | SensorType::TendonLimitPos => {
            scalar(limit::read(m, d, i, |row| d.efc_pos[row] - d.efc_margin[row]))
        }
        SensorType::JointPos => scalar(d.qpos[at(&m.jnt_qposadr, id)]),
        SensorType::TendonPos => scalar(d.ten_length[id]),
        SensorType::ActuatorPos => scalar(d.actuator_length[id]),
        SensorType::BallQuat => {
            let q = &d.qpos[at(&m.jnt_qposadr, id)..];
            quat::normalize([q[0], q[1], q[2], q[3]])
        }
        SensorType::FrameQuat => frame_quat(m, d, i, id),
        SensorType::FramePos
        | SensorType::FrameXAxis
        | SensorType::FrameYAxis
        | SensorType::FrameZAxis => frame(m, d, i, id),
        SensorType::SubtreeCom => vector(rows::<3>(&d.subtree_com)[id]),
        SensorType::EPotential => {
            if !d.flg_energypos {
                mj_energy_pos(m, d);
            }
            scalar(d.energy[0])
        }
        SensorType::EKinetic => {
            // the position stage precedes the velocity stage, so cvel is computed here
            if !d.flg_energyvel {
                mj_com_vel(m, d);
                mj_energy_vel(m, d);
            }
            scalar(d.energy[1])
        }
        SensorType::Clock => scalar(d.time),
        // handled in `compute` or by another stage
        _ => [0.0; 4],
    }
}

/// Whether the object is inside the volume of the site.
fn inside_site(m: &Model, d: &Data, i: usize, id: usize) -> bool {
    let (Some(object), Some(site)) = (Frame::of(m, d, m.sensor_objtype[i], id), reference(m, i))
    else {
        return false;
    };
    let (pos, mat) = (rows::<3>(&d.site_xpos)[site], &rows::<9>(&d.site_xmat)[site]);
    inside_geom(pos, mat, rows::<3>(&m.site_size)[site], m.site_type[site], object.pos)
}

/// Position or axis of a frame, in the world frame or a reference frame.
fn frame(m: &Model, d: &Data, i: usize, id: usize) -> Reading {
    let Some(object) = Frame::of(m, d, m.sensor_objtype[i], id) else { return [0.0; 4] };
    let refer = reference(m, i).and_then(|id| Frame::of(m, d, m.sensor_reftype[i], id));
    let world = match m.sensor_type[i] {
        SensorType::FrameXAxis => mat3::column(&object.mat, 0),
        SensorType::FrameYAxis => mat3::column(&object.mat, 1),
        SensorType::FrameZAxis => mat3::column(&object.mat, 2),
        _ => match &refer {
            Some(refer) => vec3::sub(object.pos, refer.pos),
            None => object.pos,
        },
    };
    vector(refer.map_or(world, |refer| mat3::mul_transpose_vec(&refer.mat, world)))
}

/// Orientation of a frame as a quaternion, in the world frame or a reference frame.
fn frame_quat(m: &Model, d: &Data, i: usize, id: usize) -> Reading {
    let object = Frame::quat(m, d, m.sensor_objtype[i], id).unwrap_or(quat::IDENTITY);
    match reference(m, i).and_then(|id| Frame::quat(m, d, m.sensor_reftype[i], id)) {
        Some(refer) => quat::mul(quat::conjugate(refer), object),
        None => object,
    }
}
