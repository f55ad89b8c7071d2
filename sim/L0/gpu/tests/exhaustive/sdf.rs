//! Contacts of signed distance fields: closed forms of plugins, octrees of meshes, and triangles of meshes.

use crate::collision::{case, check};
use crate::models::gpu;
use sim_core::mj_step;
use sim_gpu::{GpuBatch, Options, Precision, compare_step};

const TORUS: &str = r#"type="sdf" mesh="torus""#;
const BOWL: &str = r#"type="sdf" mesh="bowl""#;
const GEAR: &str = r#"type="sdf" mesh="gear""#;
const BOLT: &str = r#"type="sdf" mesh="bolt""#;
const NUT: &str = r#"type="sdf" mesh="nut""#;
const OCTREE: &str = r#"type="sdf" mesh="prism""#;
const PRISM: &str = r#"type="mesh" mesh="prism""#;
const SPHERE: &str = r#"type="sphere" size=".2""#;
const CAPSULE: &str = r#"type="capsule" size=".1 .3""#;
const ELLIPSOID: &str = r#"type="ellipsoid" size=".3 .2 .15""#;
const CYLINDER: &str = r#"type="cylinder" size=".25 .2""#;
const BOX: &str = r#"type="box" size=".3 .4 .2""#;

#[test]
fn primitives() {
    let cases = [
        case(SPHERE, 0.2, TORUS, 0.15),
        case(CAPSULE, 0.4, TORUS, 0.15),
        case(ELLIPSOID, 0.15, TORUS, 0.15),
        case(CYLINDER, 0.2, TORUS, 0.15),
        case(TORUS, 0.15, TORUS, 0.15),
    ];
    check("primitives", &cases, 1e-8);
}

// The CPU engine differentiates these fields, octrees only outside, by forward differences, as MuJoCo does, with an error
// of 1e-8.

#[test]
fn octrees() {
    let cases = [
        case(SPHERE, 0.2, OCTREE, 0.2),
        case(TORUS, 0.15, OCTREE, 0.2),
        case(OCTREE, 0.2, OCTREE, 0.2),
    ];
    check("octrees", &cases, 1e-6);
}

#[test]
fn boxes() {
    let cases = [case(BOX, 0.2, TORUS, 0.15), case(BOX, 0.2, OCTREE, 0.2)];
    check("boxes", &cases, 1e-5);
}

#[test]
fn bowls_and_gears() {
    let cases = [case(SPHERE, 0.2, BOWL, 0.2), case(CAPSULE, 0.4, GEAR, 0.1)];
    check("bowls and gears", &cases, 1e-5);
}

#[test]
fn screws() {
    let cases = [case(BOLT, 0.2, NUT, 0.2), case(SPHERE, 0.2, BOLT, 0.2)];
    check("screws", &cases, 1e-5);
}

#[test]
fn triangles() {
    check("triangles", &[case(PRISM, 0.2, TORUS, 0.15), case(PRISM, 0.2, OCTREE, 0.2)], 1e-8);
}

/// Rays from above that hit each kind of field, and skins of spheres that press against fields.
const SENSORS: &str = r#"<mujoco>
  <option sdf_initpoints="4" sdf_iterations="3"/>
  <extension>
    <plugin plugin="mujoco.sdf.torus"><instance name="torus"/></plugin>
    <plugin plugin="mujoco.sdf.bowl"><instance name="bowl"/></plugin>
  </extension>
  <asset>
    <mesh name="torus"><plugin instance="torus"/></mesh><mesh name="bowl"><plugin instance="bowl"/></mesh>
    <mesh name="block" vertex="-.3 -.2 -.1  .3 -.2 -.1  -.3 .2 -.1  .3 .2 -.1  -.2 -.2 .1  .2 -.2 .1  -.2 .2 .1  .2 .2 .1"/>
    <mesh name="skin" builtin="plate" params="4 3" scale=".3 .3 .3"/>
  </asset>
  <worldbody>
    <geom type="sdf" mesh="torus"><plugin instance="torus"/></geom>
    <geom type="sdf" mesh="block" pos="2 0 0"/>
    <geom type="sdf" mesh="bowl" pos="5 0 0"><plugin instance="bowl"/></geom>
    <body pos=".35 0 .2"><freejoint/><geom name="one" size=".15"/><site name="a" pos="0 0 1" euler="177 2 0"/></body>
    <body pos="2 0 .2"><freejoint/><geom name="two" size=".2"/><site name="b" pos="0 0 1" euler="175 5 0"/></body>
    <body pos="5 0 -.8"><freejoint/><geom name="three" size=".2"/><site name="c" pos="0 0 2" euler="178 5 0"/></body>
  </worldbody>
  <sensor>
    <rangefinder site="a" data="dist normal"/><rangefinder site="b" data="dist normal"/><rangefinder site="c" data="dist normal"/>
    <tactile geom="one" mesh="skin"/><tactile geom="two" mesh="skin"/><tactile geom="three" mesh="skin"/>
  </sensor>
</mujoco>"#;

#[test]
fn rays_and_tactile_sensors() {
    let m = sim_mjcf::load_str(SENSORS).unwrap_or_else(|error| panic!("{error}"));
    let options = Options { precision: Precision::Double, one_lane: true, ..Options::default() };
    let result = compare_step(gpu(), &m, 8, &options).unwrap_or_else(|error| panic!("{error}"));
    let sensors = result.worst.iter().find(|(name, _)| *name == "sensordata");
    assert!(sensors.is_some_and(|(_, worst)| *worst < 1e-7), "{result:?}");
    assert!(result.rows > 4, "{} rows", result.rows);
    let mut d = m.make_data();
    sim_core::mj_forward(&m, &mut d).expect("forward");
    let hits = d.sensordata[..12].chunks_exact(4).filter(|ray| ray[0] > 0.0).count();
    let pressed = d.sensordata[12..].iter().filter(|x| **x != 0.0).count();
    assert!(hits == 3 && pressed > 3, "{hits} rays hit, {pressed} vertices are pressed");
}

/// A sphere that slides to the bottom of a bowl, whose surface is a field.
const BOWL_AND_BALL: &str = r#"<mujoco>
  <option sdf_initpoints="8" timestep=".004"/>
  <extension><plugin plugin="mujoco.sdf.bowl"><instance name="bowl"/></plugin></extension>
  <asset><mesh name="bowl"><plugin instance="bowl"/></mesh></asset>
  <worldbody>
    <geom type="sdf" mesh="bowl"><plugin instance="bowl"/></geom>
    <body pos=".2 .1 -.7"><joint type="slide" axis="1 0 0" damping="2"/><joint type="slide" axis="0 1 0" damping="2"/>
      <joint type="slide" axis="0 0 1" damping="2"/><geom size=".15" condim="1"/></body>
  </worldbody></mujoco>"#;

#[test]
fn a_sphere_slides_in_a_bowl_in_single_precision_and_several_passes() {
    const ENVS: usize = 4;
    const STEPS: usize = 240;
    let m = sim_mjcf::load_str(BOWL_AND_BALL).unwrap_or_else(|error| panic!("{error}"));
    let options = Options { two_passes: Some(true), contacts: Some(8), ..Options::default() };
    let mut batch = GpuBatch::new(gpu(), &m, ENVS, &options).unwrap_or_else(|e| panic!("{e}"));
    // software drivers end the loops of a dispatch after 65,535 iterations
    for _ in 0..STEPS / 4 {
        batch.step(4).expect("stepped");
    }
    let (states, info) = (batch.state().expect("states"), batch.info().expect("infos"));
    let mut d = m.make_data();
    for _ in 0..STEPS {
        mj_step(&m, &mut d).expect("stepped");
    }
    assert!(d.qpos[2] > -0.3, "without the bowl it would fall several metres: {:?}", d.qpos);
    for (state, info) in states.chunks_exact(6).zip(&info) {
        assert!(info.contacts > 0, "{info:?}");
        for k in 0..3 {
            assert!((state[k] - d.qpos[k]).abs() < 2e-3, "{state:?}, on the CPU {:?}", d.qpos);
        }
    }
}
