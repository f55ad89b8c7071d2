//! Frame velocities and accelerations against finite differences, and known sensor readings at rest.

use crate::models::{driven, load, model, steps};
use crate::tolerance::{CENTRAL, DIFFERENCE, ROUNDING, close};
use sim_core::types::{DisableBit, ObjType};
use sim_core::{
    Data, Frame, Model, mj_forward, mj_integrate_pos, mj_object_acceleration, mj_object_velocity,
    mj_rne_post_constraint,
};

/// All frames of the model.
fn frames(m: &Model) -> Vec<(ObjType, usize)> {
    let kinds = [
        (ObjType::Body, m.nbody),
        (ObjType::XBody, m.nbody),
        (ObjType::Geom, m.ngeom),
        (ObjType::Site, m.nsite),
    ];
    kinds.iter().flat_map(|&(kind, count)| (0..count).map(move |id| (kind, id))).collect()
}

/// The evaluated state displaced by a short time.
fn shifted(m: &Model, d: &Data, time: f64) -> Data {
    let mut e = d.clone();
    mj_integrate_pos(m, &mut e.qpos, &d.qvel, time);
    for i in 0..m.nv {
        e.qvel[i] += time * d.qacc[i];
    }
    mj_forward(m, &mut e).unwrap();
    e
}

/// Velocity is the derivative of position, and acceleration that of velocity minus gravity.
fn frame_velocity_and_acceleration_match_differences(m: &Model) {
    let mut d = driven(m, 91);
    mj_forward(m, &mut d).unwrap();
    mj_rne_post_constraint(m, &mut d);
    let (before, after) = (shifted(m, &d, -CENTRAL), shifted(m, &d, CENTRAL));
    let rate = |a: &[f64], b: &[f64]| -> Vec<f64> {
        a.iter().zip(b).map(|(a, b)| (a - b) / (2.0 * CENTRAL)).collect()
    };
    let gravity = if m.opt.disabled(DisableBit::Gravity) { [0.0; 3] } else { m.opt.gravity };
    for (kind, id) in frames(m) {
        let pos = |d: &Data| Frame::of(m, d, kind, id).unwrap().pos;
        let vel = |d: &Data| mj_object_velocity(m, d, kind, id, false).unwrap();
        close("velocity", &vel(&d)[3..], &rate(&pos(&after), &pos(&before)), DIFFERENCE);
        let body = Frame::of(m, &d, kind, id).unwrap().body;
        if m.body_weldid[body] == 0 {
            continue;
        }
        let mut acceleration = rate(&vel(&after), &vel(&before));
        for k in 0..3 {
            acceleration[3 + k] -= gravity[k];
        }
        let got = mj_object_acceleration(m, &d, kind, id, false).unwrap();
        close("acceleration", &got, &acceleration, DIFFERENCE);
    }
}
on_every_model!(frame_velocity_and_acceleration_match_differences);

/// A block at rest below its hinge, rotated by 180°.
fn hanging() -> Model {
    load(
        r#"<mujoco><option gravity="0 0 -10"><flag contact="disable"/></option><worldbody>
        <body pos="0 0 1" quat="0 1 0 0"><joint axis="1 0 0"/>
          <geom type="box" size=".1 .1 .1" mass="2" pos="0 0 .3"/><site name="s"/></body></worldbody>
        <sensor><accelerometer site="s"/><force site="s"/><torque site="s"/><gyro site="s"/>
          <velocimeter site="s"/><clock/></sensor></mujoco>"#,
    )
}

#[test]
fn hanging_block_measures_gravity_and_weight() {
    let m = hanging();
    let mut d = m.make_data();
    mj_forward(&m, &mut d).unwrap();
    // the block is rotated by 180°: up is its -z axis
    close("accelerometer", &d.sensordata[..3], &[0.0, 0.0, -10.0], ROUNDING);
    close("force", &d.sensordata[3..6], &[0.0, 0.0, -20.0], ROUNDING);
    close("torque, gyro, velocimeter", &d.sensordata[6..15], &[0.0; 9], ROUNDING);
}

#[test]
fn clock_reports_the_time_at_the_start_of_the_last_step() {
    let m = hanging();
    let mut d = m.make_data();
    steps(&m, &mut d, 3);
    close("clock", &[d.sensordata[15]], &[2.0 * m.opt.timestep], ROUNDING);
}

#[test]
fn disabled_sensors_keep_their_last_reading() {
    let mut m = model("robots/arm6");
    let mut d = driven(&m, 92);
    steps(&m, &mut d, 2);
    let reading = d.sensordata.clone();
    m.opt.disableflags |= DisableBit::Sensor as i32;
    steps(&m, &mut d, 2);
    assert_eq!(d.sensordata, reading);
}
