//! Contact, touch, tactile and rangefinder sensors with contact forces recorded from MuJoCo; geom distances.

use crate::models::{load, model};
use crate::tolerance::{ALGORITHM, ROUNDING, close};
use sim_core::types::{Cone, SensorType};
use sim_core::{
    Data, Model, mj_contact_force, mj_forward, mj_fwd_position, mj_fwd_velocity, mj_geom_distance,
    mj_kinematics, mj_sensor_acc,
};

/// A box on the floor and a sphere on the box, both sliding.
const STACK: &str = r#"<mujoco><asset><mesh name="pad" builtin="plate" params="2 2" scale=".2 .2 .2"/></asset><worldbody>
<geom name="floor" type="plane" size="2 2 1"/><site name="zone" type="box" size=".5 .5 .05"/>
<body name="block" pos="0 0 .09" euler="3 4 0"><freejoint/>
  <geom name="box" type="box" size=".2 .1 .1" condim="3" friction=".7 .1 .1" mass="2"/>
  <site name="sole" type="box" size=".15 .2 .05" pos=".1 0 -.1"/></body>
<body name="top" pos=".05 0 .27"><freejoint/>
  <geom name="ball" size=".1" condim="6" friction=".8 .05 .02" mass="1" priority="1"/>
  <site name="skin" size=".11"/></body></worldbody>
<sensor><touch site="sole"/><touch site="skin"/>
  <contact geom1="box" geom2="floor" num="2" data="found force torque dist normal"/>
  <contact body1="block" num="3" data="force pos tangent" reduce="maxforce"/>
  <contact body1="top" geom2="box" data="found force torque normal tangent"/>
  <contact subtree1="block" data="found force torque pos normal" reduce="netforce"/>
  <contact site="zone" num="4" data="found force dist" reduce="mindist"/>
  <tactile geom="box" mesh="pad"/></sensor></mujoco>"#;

/// MuJoCo's `efc_force` with pyramidal cones.
const PYRAMIDAL_FORCE: [f64; 22] = [
    24.6030196034,
    0.0,
    17.4894712431,
    2.20847967549,
    39.8454089856,
    12.6537467016,
    57.7401294307,
    0.0,
    20.9942212678,
    6.87111326974,
    27.0926778917,
    0.77265664584,
    3.66934911075,
    12.7285882336,
    16.0212386221,
    0.376698722226,
    6.07583008851,
    10.3221072559,
    32.5046083428,
    0.0,
    35.0979823608,
    0.0,
];
/// `efc_address` of each contact.
const PYRAMIDAL_ADDRESS: [i32; 4] = [0, 4, 8, 12];
/// MuJoCo's `sensordata` in the same state.
const PYRAMIDAL_READING: [f64; 109] = [
    165.969954193,
    116.796402737,
    3.0,
    44.300970522,
    24.6030196034,
    -15.2809915676,
    0.0,
    0.0,
    0.0,
    -0.000921112979937,
    0.0,
    0.0,
    -1.0,
    3.0,
    110.239285118,
    27.191662284,
    -57.7401294307,
    0.0,
    0.0,
    0.0,
    -0.0287854629484,
    0.0,
    0.0,
    -1.0,
    110.239285118,
    27.191662284,
    -57.7401294307,
    0.192537162678,
    -0.0939119522756,
    -0.0143927314742,
    0.0,
    -1.0,
    0.0,
    116.796402737,
    -7.24739129829,
    -12.5156319199,
    0.0436241442515,
    0.00477193937764,
    0.17894597247,
    -0.00364685220909,
    -0.998636207945,
    -0.0520809432557,
    55.7306690751,
    14.1231079981,
    -26.3200212459,
    0.192537162678,
    0.105813954675,
    -0.00915913584992,
    0.0,
    -1.0,
    0.0,
    1.0,
    116.796402737,
    -7.24739129829,
    12.5156319199,
    -0.212313858367,
    0.650092166857,
    0.701959647217,
    -0.0697564737441,
    0.0522084684839,
    -0.996196923399,
    0.00364685220909,
    0.998636207945,
    0.0520809432557,
    4.0,
    95.02981657,
    -64.7780438332,
    -92.6670180405,
    1.94564733259,
    2.3612725198,
    4.0693656589,
    0.0855549301273,
    -0.0270139934266,
    0.0515545822364,
    1.0,
    0.0,
    0.0,
    3.0,
    110.239285118,
    27.191662284,
    57.7401294307,
    -0.0287854629484,
    3.0,
    55.7306690751,
    14.1231079981,
    26.3200212459,
    -0.0183182716998,
    3.0,
    44.300970522,
    24.6030196034,
    15.2809915676,
    -0.000921112979937,
    0.0,
    0.0,
    0.0,
    0.0,
    0.0,
    0.0,
    -0.0806474130983,
    0.0,
    -0.229029084493,
    0.0,
    0.190718327787,
    0.0,
    0.189455112093,
    0.0,
    0.0860316272494,
    0.0,
    0.110135218572,
];

/// MuJoCo's `efc_force` with elliptic cones.
const ELLIPTIC_FORCE: [f64; 15] = [
    36.8978669133,
    24.3552245653,
    -6.32991653024,
    122.663496336,
    36.279994024,
    87.9437610905,
    44.3949044171,
    10.9028231356,
    24.4169479337,
    109.577483172,
    -11.8586292142,
    17.2459094821,
    -0.226378929075,
    1.25087335247,
    1.32828016248,
];
/// `efc_address` of each contact.
const ELLIPTIC_ADDRESS: [i32; 4] = [0, 3, 6, 9];
/// MuJoCo's `sensordata` in the same state.
const ELLIPTIC_READING: [f64; 109] = [
    167.058400753,
    109.577483172,
    3.0,
    36.8978669133,
    24.3552245653,
    6.32991653024,
    0.0,
    0.0,
    0.0,
    -0.000921112979937,
    0.0,
    0.0,
    -1.0,
    3.0,
    122.663496336,
    36.279994024,
    -87.9437610905,
    0.0,
    0.0,
    0.0,
    -0.0287854629484,
    0.0,
    0.0,
    -1.0,
    122.663496336,
    36.279994024,
    -87.9437610905,
    0.192537162678,
    -0.0939119522756,
    -0.0143927314742,
    0.0,
    -1.0,
    0.0,
    109.577483172,
    -11.8586292142,
    -17.2459094821,
    0.0436241442515,
    0.00477193937764,
    0.17894597247,
    -0.00364685220909,
    -0.998636207945,
    -0.0520809432557,
    44.3949044171,
    10.9028231356,
    -24.4169479337,
    0.192537162678,
    0.105813954675,
    -0.00915913584992,
    0.0,
    -1.0,
    0.0,
    1.0,
    109.577483172,
    -11.8586292142,
    17.2459094821,
    -0.226378929075,
    1.25087335247,
    1.32828016248,
    -0.0697564737441,
    0.0522084684839,
    -0.996196923399,
    0.00364685220909,
    0.998636207945,
    0.0520809432557,
    4.0,
    96.5139936382,
    -65.4164577916,
    -92.973250729,
    1.41192479832,
    1.61089573121,
    4.1190364597,
    0.0977507629861,
    -0.0352933037932,
    0.0474388269891,
    1.0,
    0.0,
    0.0,
    3.0,
    122.663496336,
    36.279994024,
    87.9437610905,
    -0.0287854629484,
    3.0,
    44.3949044171,
    10.9028231356,
    24.4169479337,
    -0.0183182716998,
    3.0,
    36.8978669133,
    24.3552245653,
    -6.32991653024,
    -0.000921112979937,
    0.0,
    0.0,
    0.0,
    0.0,
    0.0,
    0.0,
    -0.0806474130983,
    0.0,
    -0.229029084493,
    0.0,
    0.190718327787,
    0.0,
    0.189455112093,
    0.0,
    0.0860316272494,
    0.0,
    0.110135218572,
];

/// The stack in the recorded state, with the recorded forces in place of the solver's.
fn stack(cone: Cone, address: &[i32], force: &[f64]) -> (Model, Data) {
    let mut m = load(STACK);
    m.opt.cone = cone;
    let mut d = m.make_data();
    d.qvel.copy_from_slice(&[0.3, -0.2, -0.1, 0.1, 0.2, 0.3, -0.2, 0.1, -0.3, 1.0, -1.0, 0.5]);
    mj_fwd_position(&m, &mut d);
    mj_fwd_velocity(&m, &mut d);
    assert_eq!(d.ncon, address.len());
    for (contact, &address) in d.contact.iter_mut().zip(address) {
        contact.efc_address = address;
    }
    d.efc_force = force.to_vec();
    d.nefc = force.len();
    (m, d)
}

#[test]
fn touch_contact_and_tactile_sensors_match_mujoco() {
    for (cone, address, force, reading) in [
        (Cone::Pyramidal, &PYRAMIDAL_ADDRESS, &PYRAMIDAL_FORCE[..], &PYRAMIDAL_READING),
        (Cone::Elliptic, &ELLIPTIC_ADDRESS, &ELLIPTIC_FORCE[..], &ELLIPTIC_READING),
    ] {
        let (m, mut d) = stack(cone, address, force);
        mj_sensor_acc(&m, &mut d);
        for i in 0..m.nsensor {
            let start = m.sensor_adr[i] as usize;
            let range = start..start + m.sensor_dim[i] as usize;
            let name = format!("sensor {i}, {:?}, {cone:?}", m.sensor_type[i]);
            // the recorded values have 12 digits; mesh vertices are single precision
            let single = m.sensor_type[i] == SensorType::Tactile;
            let tolerance = if single { 1e-6 } else { ALGORITHM };
            close(&name, &d.sensordata[range.clone()], &reading[range], tolerance);
        }
    }
}

#[test]
fn contact_without_rows_has_zero_force() {
    let (m, mut d) = stack(Cone::Pyramidal, &PYRAMIDAL_ADDRESS, &PYRAMIDAL_FORCE);
    let mut force = [9.0; 6];
    mj_contact_force(&m, &d, 0, &mut force);
    assert!(force[0] > 0.0 && force[3..] == [0.0; 3], "{force:?}");
    d.contact[0].efc_address = -1;
    for missing in [0, d.ncon] {
        mj_contact_force(&m, &d, missing, &mut force);
        assert_eq!(force, [0.0; 6]);
    }
    // rows out of range
    d.contact[0].efc_address = d.nefc as i32 - 1;
    mj_contact_force(&m, &d, 0, &mut force);
    assert_eq!(force, [0.0; 6]);
}

#[test]
fn net_force_is_the_sum_of_contact_forces() {
    let (m, mut d) = stack(Cone::Elliptic, &ELLIPTIC_ADDRESS, &ELLIPTIC_FORCE);
    mj_sensor_acc(&m, &mut d);
    let net = m.sensor_type.iter().rposition(|&kind| kind == SensorType::Contact).unwrap() - 1;
    let start = m.sensor_adr[net] as usize + 1;
    let mut sum = [0.0; 3];
    for (k, contact) in d.contact.iter().enumerate() {
        let mut force = [0.0; 6];
        mj_contact_force(&m, &d, k, &mut force);
        // the force on the other body, independent of the order of the geoms
        let side = if contact.geom[0] == 1 { 1.0 } else { -1.0 };
        for (c, sum) in sum.iter_mut().enumerate() {
            let world: f64 = (0..3).map(|row| contact.frame[3 * row + c] * force[row]).sum();
            *sum += side * world;
        }
    }
    close("net force", &d.sensordata[start..start + 3], &sum, ROUNDING);
}

#[test]
fn geom_distance_is_symmetric() {
    let m = model("features/sensors_distance");
    let mut d = m.make_data();
    mj_kinematics(&m, &mut d);
    for a in 0..m.ngeom {
        for b in 0..a {
            let (mut there, mut back) = ([0.0; 6], [0.0; 6]);
            let one = mj_geom_distance(&m, &mut d, a, b, 5.0, Some(&mut there));
            let two = mj_geom_distance(&m, &mut d, b, a, 5.0, Some(&mut back));
            close("distance", &[one], &[two], 1e-6);
            let length = (0..3).map(|k| (there[k + 3] - there[k]).powi(2)).sum::<f64>().sqrt();
            close("length of the segment", &[length], &[one.abs()], 1e-6);
            assert!(one > 0.0, "geoms {a} and {b} are separated");
            let near = mj_geom_distance(&m, &mut d, a, b, 0.5 * one, Some(&mut there));
            assert_eq!((near, there), (0.5 * one, [0.0; 6]), "beyond the maximum distance");
        }
    }
}

#[test]
fn geom_distance_of_unsupported_pairs_is_the_maximum() {
    let m = load(
        r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><geom type="plane" size="1 1 1"/>
        <geom size=".1" pos="0 0 1"/></worldbody></mujoco>"#,
    );
    let mut d = m.make_data();
    mj_kinematics(&m, &mut d);
    assert_eq!(mj_geom_distance(&m, &mut d, 0, 1, 2.0, None), 2.0);
    assert_eq!(mj_geom_distance(&m, &mut d, 0, 7, 2.0, None), 2.0);
    let mut segment = [0.0; 6];
    assert_eq!(mj_geom_distance(&m, &mut d, 2, 0, 2.0, Some(&mut segment)), 0.9);
    close("segment", &segment, &[0.0, 0.0, 0.9, 0.0, 0.0, 0.0], ROUNDING);
}

#[test]
fn rangefinder_ignores_its_own_body() {
    let m = load(
        r#"<mujoco><option><flag contact="disable"/></option><worldbody>
        <geom type="plane" size="1 1 1"/><body pos="0 0 2"><freejoint/><geom size=".5"/>
        <site name="s" euler="180 0 0"/><site name="up"/></body></worldbody><sensor>
        <rangefinder site="s" data="dist dir origin point normal depth"/>
        <rangefinder site="up" data="dist dir origin point normal depth"/></sensor></mujoco>"#,
    );
    let mut d = m.make_data();
    mj_forward(&m, &mut d).unwrap();
    let down = [2.0, 0.0, 0.0, -1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0];
    let up = [-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0];
    close("down", &d.sensordata[..14], &down, ROUNDING);
    close("up", &d.sensordata[14..], &up, ROUNDING);
}
