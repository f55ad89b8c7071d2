//! Features that depend on the contacts of a step: noslip, adhesion, contact and tactile sensors.

use crate::models::gpu;
use sim_core::{Model, mj_forward};
use sim_gpu::{Options, Precision, compare_step, random_state};
use sim_types::Cone;

/// Geoms on a plane with friction in up to five directions, whose coefficients are large, because without regularisation
/// small ones amplify rounding errors; a capsule adheres to the plane across the gap.
const SLIDING: &str = r#"<mujoco>
  <option timestep=".004" noslip_iterations="8" noslip_tolerance="1e-9"/>
  <default><geom friction="1 .2 .1"/></default>
  <asset><mesh name="skin" builtin="plate" params="4 3" scale=".3 .3 .3"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <body name="ball" pos="0 0 .05"><freejoint/><geom size=".3" condim="3"/>
      <body name="pendulum" pos="0 0 .35"><joint axis="0 1 0" frictionloss=".2"/><geom name="bob" type="capsule" fromto="0 0 0 .3 0 0" size=".04" condim="4"/></body></body>
    <body name="roller" pos="1 0 0"><freejoint/><geom name="roller" type="capsule" size=".25 .2" condim="6"/></body>
    <body name="sticky" pos="2 0 .3"><freejoint/><geom type="capsule" size=".1 .1" euler="0 90 0" margin=".6" gap=".6"/></body>
    <site name="region" pos=".9 0 0" size=".5 .5 .2" type="box"/>
  </worldbody>
  <actuator><adhesion body="sticky" ctrlrange="0 1" gain="3"/><adhesion body="roller" ctrlrange="0 1" gain="5"/></actuator>
  <sensor>
    <contact geom1="floor" num="3" data="found force torque dist pos normal tangent"/>
    <contact body1="ball" body2="world" reduce="mindist" data="found dist normal"/>
    <contact subtree1="ball" num="2" reduce="maxforce" data="force torque tangent"/>
    <contact body1="roller" reduce="netforce" data="found force torque pos normal tangent"/>
    <contact site="region" num="2" reduce="mindist" data="found dist pos"/>
    <contact subtree2="ball" num="2" data="found normal"/>
    <contact num="6" data="dist"/>
    <tactile geom="roller" mesh="skin"/><tactile geom="bob" mesh="skin"/>
  </sensor>
</mujoco>"#;

/// Compares a step, and checks that it has contacts whose friction forces noslip changes.
#[track_caller]
pub fn check_sliding(cone: Cone, one_lane: bool) {
    let mut m = sim_mjcf::load_str(SLIDING).unwrap_or_else(|error| panic!("{error}"));
    m.opt.cone = cone;
    let options = Options { precision: Precision::Double, one_lane, ..Options::default() };
    let result = compare_step(gpu(), &m, 4, &options).unwrap_or_else(|error| panic!("{error}"));
    assert!(result.worst_field().is_some_and(|(_, worst)| worst < 1e-10), "{result:?}");
    assert!(result.rows > 10, "{} rows", result.rows);
    let forces = |m: &Model| {
        let mut d = random_state(m, 0);
        mj_forward(m, &mut d).expect("stepped");
        assert!(d.contact.iter().any(|c| c.exclude == 1), "a contact inside the gap");
        d.qfrc_constraint.clone()
    };
    let with = forces(&m);
    m.opt.noslip_iterations = 0;
    let without = forces(&m);
    assert!(with.iter().zip(&without).any(|(a, b)| (a - b).abs() > 1e-3), "noslip has an effect");
}

#[test]
fn noslip_adhesion_and_contact_sensors() {
    check_sliding(Cone::Elliptic, true);
}
