//! Stages of a step: models that together cover all supported features.

use crate::models::gpu;
use sim_core::Model;
use sim_gpu::{Options, Precision, compare_step};
use sim_types::{Integrator, SameFrame};
use std::path::{Path, PathBuf};

/// Folder of the conformance models.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/models")
}

/// Compares distance sensors of primitives and rangefinders at meshes and height fields.
#[allow(dead_code, reason = "used by the exhaustive tests")]
pub fn check_distances(options: &Options) {
    for text in [DISTANCES, RAYS_AT_SURFACES] {
        let m = sim_mjcf::load_str(text).unwrap_or_else(|error| panic!("{error}"));
        check(&m, options, 1e-10);
    }
}

/// A model from a file.
fn load(path: &Path) -> Model {
    sim_mjcf::load_file(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Checks that all fields agree to `bound`, relative to their magnitude. Returns the largest number of rows.
#[track_caller]
fn check(m: &Model, options: &Options, bound: f64) -> usize {
    let options = Options { checked: true, ..options.clone() };
    let outcome = compare_step(gpu(), m, 4, &options).unwrap_or_else(|error| panic!("{error}"));
    let bad = |&(_, worst): &(&str, f64)| worst.is_nan() || worst >= bound;
    let worst: Vec<_> = outcome.worst.iter().copied().filter(bad).collect();
    assert!(worst.is_empty(), "{worst:?}, {} rows", outcome.rows);
    outcome.rows
}

/// Double precision with one lane, which compiles fastest.
fn double() -> Options {
    Options { precision: Precision::Double, one_lane: true, ..Options::default() }
}

macro_rules! models {
    ($($name:ident $path:literal;)*) => {
        $(#[test]
        fn $name() {
            check(&load(&folder().join($path)), &double(), 1e-10);
        })*
    };
}

models! {
    welds "constraints/weld_bodies.xml";
    coupled_joints "constraints/joint_equality.xml";
    elliptic_pairs "constraints/pair_friction_elliptic.xml";
}

/// All joint types, springs, a tendon, actuators and sensors.
const ROBOT: &str = r#"<mujoco>
  <option timestep="0.004" integrator="implicitfast"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="base" pos="0 0 .35" gravcomp=".5">
      <freejoint/>
      <geom type="sphere" size=".2"/>
      <site name="imu" pos=".1 0 .05" euler="20 30 10"/>
      <site name="pad" pos="0 0 -.15" size=".15"/>
      <body name="lever" pos=".3 0 0">
        <site name="arm" pos=".05 0 .02" euler="10 0 40"/>
        <joint name="slide" type="slide" axis="1 0 1" stiffness="30" damping="2" range="-.1 .1"/>
        <geom type="capsule" fromto="0 0 0 .2 0 0" size=".04"/>
        <body pos=".25 0 0">
          <joint name="turn" axis="0 1 0" damping=".4" armature=".02" frictionloss=".1" limited="true" range="-60 10" actuatorfrcrange="-3 3"/>
          <geom type="capsule" fromto="0 0 0 0 0 -.3" size=".04" mass=".4"/>
          <site name="tip" pos="0 0 -.3"/>
        </body>
      </body>
      <body pos="0 .3 0">
        <joint name="ball" type="ball" stiffness="4" damping=".3" limited="true" range="0 15"/>
        <geom type="capsule" fromto="0 0 0 0 .2 0" size=".04"/>
      </body>
    </body>
  </worldbody>
  <contact><exclude body1="base" body2="world"/></contact>
  <tendon><fixed name="both" stiffness="5" damping=".2" limited="true" range="-.2 .1"><joint joint="slide" coef=".5"/><joint joint="turn" coef=".3"/></fixed></tendon>
  <actuator>
    <motor joint="slide" gear="10" ctrlrange="-.2 .2"/>
    <position joint="turn" kp="20" kv="1" forcerange="-4 4"/>
    <velocity tendon="both" kv="2"/>
    <general joint="turn" dyntype="filter" dynprm=".05" gainprm="3" biastype="affine" biasprm=".1 .2 -.3"/>
    <intvelocity joint="slide" kp="30" actrange="-1 1"/>
    <general joint="slide" dyntype="filterexact" dynprm=".1" actearly="true" gainprm="2"/>
  </actuator>
  <sensor>
    <jointpos joint="turn"/><jointvel joint="slide"/><ballquat joint="ball"/><ballangvel joint="ball"/>
    <actuatorpos actuator="5"/><actuatorvel actuator="1"/><actuatorfrc actuator="1"/><jointactuatorfrc joint="turn"/>
    <tendonpos tendon="both"/><tendonvel tendon="both"/>
    <gyro site="imu"/><accelerometer site="imu"/><velocimeter site="imu"/>
    <framepos objtype="site" objname="tip"/><framequat objtype="body" objname="base"/>
    <framexaxis objtype="site" objname="tip" reftype="site" refname="imu"/>
    <framelinvel objtype="site" objname="tip" reftype="site" refname="imu"/><frameangvel objtype="xbody" objname="base"/>
    <framelinacc objtype="site" objname="tip"/><frameangacc objtype="body" objname="base"/>
    <touch site="pad" cutoff="500"/><clock/>
    <force site="imu"/><torque site="arm"/><force site="arm"/><magnetometer site="imu"/><tendonactuatorfrc tendon="both"/>
    <subtreecom body="base"/><subtreelinvel body="lever"/><subtreeangmom body="base"/><subtreeangmom body="world"/>
    <jointlimitpos joint="turn"/><jointlimitvel joint="turn"/><jointlimitfrc joint="turn"/>
    <jointlimitpos joint="ball"/><jointlimitvel joint="ball"/><jointlimitfrc joint="ball"/>
    <tendonlimitpos tendon="both"/><tendonlimitvel tendon="both"/><tendonlimitfrc tendon="both"/>
  </sensor>
</mujoco>"#;

/// Single free bodies, one of them welded to a mocap body.
const ALONE: &str = r#"<mujoco>
  <option timestep="0.004" integrator="implicitfast"><flag contact="disable"/></option>
  <worldbody>
    <body name="mocap" mocap="true" pos=".5 0 1" euler="0 20 0"><geom size=".05"/></body>
    <body pos="2 0 1"><joint name="alone" type="free" damping=".1"/><geom type="box" size=".1 .05 .2"/></body>
    <body name="held" pos=".6 0 1"><freejoint/><inertial pos=".1 .05 .02" mass="2" diaginertia=".02 .03 .04"/></body>
  </worldbody>
  <equality><weld body1="mocap" body2="held"/></equality>
  <actuator><general jointinparent="alone" gear="1 0 3 .4 .5 .6" gainprm="2"/></actuator>
  <sensor><framepos objtype="body" objname="mocap"/></sensor>
</mujoco>"#;

/// Contact parameters from the override options.
const OVERRIDDEN: &str = r#"<mujoco>
  <option o_margin=".2" o_solref=".05 .8" o_solimp=".8 .9 .01 .4 3" o_friction=".3 .2 .01 .02 .03">
    <flag override="enable"/>
  </option>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body pos="0 0 .2"><freejoint/><geom size=".1" condim="6" margin=".01"/></body>
    <body pos="1 0 .2"><freejoint/><geom type="capsule" size=".1 .1" condim="4" solref=".1 1" friction="2"/></body>
  </worldbody>
</mujoco>"#;

#[test]
fn contact_override() {
    let m = sim_mjcf::load_str(OVERRIDDEN).unwrap_or_else(|error| panic!("{error}"));
    assert!(check(&m, &double(), 1e-10) > 10, "both geoms are in contact");
}

/// Frames that coincide within 1e-6, which the engines treat as identical (sameframe).
const COINCIDING: &str = r#"<mujoco>
  <worldbody>
    <body pos="0 0 1"><joint axis="0 1 0"/>
      <inertial pos=".1 0 0" quat=".6951 -.00714556 .00738537 .71884" mass="1" diaginertia=".1 .11 .12"/>
      <geom name="g" type="capsule" size=".1 .3" pos=".1 0 1e-7" quat=".6951 -.00714564 .00738544 .71884"/>
      <site name="s" pos="1e-7 0 0"/></body>
  </worldbody>
  <sensor>
    <framepos objtype="geom" objname="g"/><framequat objtype="geom" objname="g"/>
    <framepos objtype="site" objname="s"/>
  </sensor>
</mujoco>"#;

#[test]
fn sameframe() {
    let m = sim_mjcf::load_str(COINCIDING).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((m.geom_sameframe[0], m.site_sameframe[0]), (SameFrame::Inertia, SameFrame::Body));
    check(&m, &double(), 1e-10);
}

#[test]
fn single_free_bodies_and_mocap() {
    let m = sim_mjcf::load_str(ALONE).unwrap_or_else(|error| panic!("{error}"));
    check(&m, &double(), 1e-10);
}

pub fn robot() -> Model {
    let text = ROBOT
        .replace(r#"actuator="5""#, r#"actuator="a5""#)
        .replace(r#"actuator="1""#, r#"actuator="a1""#)
        .replace("<position joint", r#"<position name="a1" joint"#)
        .replace(r#"<general joint="slide""#, r#"<general name="a5" joint="slide""#);
    sim_mjcf::load_str(&text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn all_joint_types_and_sensors() {
    check(&robot(), &double(), 1e-10);
}

#[test]
fn slides_and_hinges_in_single_precision() {
    let m = load(&folder().join("constraints/limits_slide_hinge.xml"));
    check(&m, &Options::default(), 1e-5);
}

/// Compares a conformance model with another integrator.
#[track_caller]
fn check_with(name: &str, integrator: Integrator) {
    let mut m = load(&folder().join(name));
    m.opt.integrator = integrator;
    check(&m, &double(), 1e-10);
}

#[test]
fn muscles_on_wrapped_tendons_with_runge_kutta() {
    check_with("features/actuator_muscle.xml", Integrator::Rk4);
}

/// Rays towards every primitive.
const RAYS: &str = r#"<mujoco><option><flag contact="disable"/></option><worldbody>
  <geom type="plane" size="5 5 .1" pos="0 0 -.5"/><geom pos="1 0 .2" size=".3"/>
  <geom type="capsule" pos="-1 0 .2" size=".2 .2" euler="20 10 0"/><geom type="ellipsoid" pos="0 1 .2" size=".2 .3 .4"/>
  <geom type="cylinder" pos="0 -1 .2" size=".3 .2" euler="30 0 0"/><geom type="box" pos=".8 .8 .2" size=".2 .3 .2" euler="0 0 20"/>
  <body><freejoint/><geom size=".05"/>
    <site name="a" zaxis="1 0 .1"/><site name="b" zaxis="-1 0 .1"/><site name="c" zaxis="0 1 .1"/>
    <site name="d" zaxis="0 -1 .1"/><site name="e" zaxis="1 1 .1"/><site name="f" zaxis="0 .2 -1"/><site name="g" zaxis="0 .2 1"/>
  </body></worldbody>
  <sensor><rangefinder site="a"/><rangefinder site="b" data="dist normal"/><rangefinder site="c" data="point"/>
    <rangefinder site="d" data="normal"/><rangefinder site="e" data="dist dir"/><rangefinder site="f" data="origin"/>
    <rangefinder site="f"/><rangefinder site="g"/></sensor></mujoco>"#;

#[test]
fn rangefinders() {
    let m = sim_mjcf::load_str(RAYS).unwrap_or_else(|error| panic!("{error}"));
    check(&m, &double(), 1e-10);
}

/// Rays towards a mesh and a height field, from above, below and the sides.
const RAYS_AT_SURFACES: &str = r#"<mujoco><option><flag contact="disable"/></option>
  <asset>
    <mesh name="notch" inertia="shell" vertex="-1 -1 0  1 -1 0  1 1 0  -1 1 0  0 0 -.8  -1 -1 .5  1 -1 .5  1 1 .5  -1 1 .5" face="0 1 4  1 2 4  2 3 4  3 0 4  0 5 6  0 6 1  2 7 8  2 8 3  5 8 7  5 7 6" scale=".4 .3 .5"/>
    <hfield name="hills" nrow="4" ncol="5" size="1.2 1 .4 .2" elevation="0 .2 .1 .5 .3  .4 .9 .2 .1 .6  .1 .3 1 .7 .2  .5 .2 .4 .1 0"/>
  </asset>
  <worldbody>
    <geom type="hfield" hfield="hills" pos="0 0 -1"/><geom type="mesh" mesh="notch" pos=".2 .1 .9" euler="20 10 30"/><geom pos="0 2 0" size=".3"/>
    <body><freejoint/><geom size=".05"/>
      <site name="a" zaxis="0 .1 -1"/><site name="b" zaxis="1 .3 -1"/><site name="c" zaxis="-1 .6 -1.1"/><site name="d" zaxis=".1 0 1"/>
      <site name="e" zaxis=".3 .2 1"/><site name="f" zaxis="0 1 .01"/><site name="g" pos="0 0 -2" zaxis=".1 .2 1"/><site name="h" pos="-2 .1 -1" zaxis="1 .1 .05"/>
      <site name="i" pos=".1 2 -.9" zaxis="0 -1 -.02"/><site name="j" pos="0 0 -.8" zaxis="-.3 .2 1"/>
    </body></worldbody>
  <sensor><rangefinder site="a" data="dist normal"/><rangefinder site="b" data="dist normal"/><rangefinder site="c" data="dist normal"/>
    <rangefinder site="d" data="dist normal"/><rangefinder site="e" data="dist normal"/><rangefinder site="f" data="dir point normal"/><rangefinder site="g" data="dist dir origin point normal"/>
    <rangefinder site="h" data="dist normal"/><rangefinder site="i" data="dist normal"/><rangefinder site="j" data="dist normal"/></sensor></mujoco>"#;

#[test]
fn rangefinders_at_meshes_and_height_fields() {
    let m = sim_mjcf::load_str(RAYS_AT_SURFACES).unwrap_or_else(|error| panic!("{error}"));
    check(&m, &double(), 1e-10);
}

/// Distances of primitives, also where they overlap or are farther apart than the cutoff.
const DISTANCES: &str = r#"<mujoco><option><flag contact="disable"/></option><worldbody>
  <geom name="plane" type="plane" size="5 5 .1"/>
  <body name="one" pos="0 0 .5"><freejoint/><geom name="sphere" size=".1"/><geom name="capsule" type="capsule" size=".1 .2" pos=".4 0 0"/></body>
  <body name="two" pos="0 .3 .4"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/><geom name="small" size=".05" pos="0 .2 0"/></body></worldbody>
  <sensor>
    <fromto geom1="plane" geom2="capsule" cutoff="2"/><distance geom1="box" geom2="plane" cutoff="2"/><normal geom1="box" geom2="sphere" cutoff="2"/>
    <fromto body1="one" geom2="small" cutoff="1"/><distance geom1="capsule" geom2="box" cutoff="2"/><distance geom1="sphere" geom2="small" cutoff=".01"/>
    <normal geom1="sphere" geom2="small" cutoff=".01"/><fromto geom1="capsule" geom2="sphere" cutoff="1"/>
  </sensor></mujoco>"#;

#[test]
fn distance_sensors() {
    let m = sim_mjcf::load_str(DISTANCES).unwrap_or_else(|error| panic!("{error}"));
    check(&m, &double(), 1e-10);
}

#[test]
fn dc_motors() {
    check_with("features/dcmotor_parts.xml", Integrator::ImplicitFast);
}

#[test]
fn fluid_and_bias_derivatives() {
    check_with("features/fluid_ellipsoid.xml", Integrator::Implicit);
}

#[test]
fn tendon_armature_of_free_bodies() {
    check_with("features/tendon_armature.xml", Integrator::ImplicitFast);
}

#[test]
fn a_model_without_joints() {
    let text = r#"<mujoco><worldbody><geom size=".1"/>
        <body mocap="true" pos="0 0 1"><geom size=".1"/><site name="s" pos=".1 0 0"/></body></worldbody>
        <sensor><clock/><framepos objtype="site" objname="s"/></sensor></mujoco>"#;
    let m = sim_mjcf::load_str(text).unwrap_or_else(|error| panic!("{error}"));
    check(&m, &double(), 1e-10);
}
