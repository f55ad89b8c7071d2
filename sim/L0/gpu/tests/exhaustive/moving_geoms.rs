//! Displacement bounds of joints and mocap bodies that move geoms into contact.

use crate::compare::compare_trajectories;
use crate::two_passes::with_two_passes;

/// An arm with all joint types near static geoms and a moving mocap body, and a slide joint.
const ARM: &str = r#"<mujoco>
  <option timestep="0.004"/>
  <default><geom density="300"/><joint damping=".05"/></default>
  <worldbody>
    <geom type="box" pos=".55 0 .2" size=".1 .4 .2"/>
    <body name="stick" mocap="true" pos="0 .6 .5"><geom type="cylinder" euler="5 8 3" size=".02 .3"/></body>
    <geom type="cylinder" pos="-.3 .01 .32" euler="6 3 9" size=".05 .1"/>
    <body pos="0 0 .6" euler="10 0 0">
      <joint axis="0 0 1" pos=".02 .01 0"/>
      <joint axis="0 1 0" pos="0 0 .03"/>
      <geom type="box" pos=".15 0 0" size=".14 .03 .03"/>
      <body pos=".3 0 0" euler="0 20 10">
        <joint type="slide" axis="1 0 0" range="-.1 .1" limited="true"/>
        <geom type="cylinder" pos=".1 0 0" euler="0 90 0" size=".03 .08"/>
        <body pos=".2 0 0">
          <joint type="ball" pos="0 0 .01"/>
          <geom type="ellipsoid" pos="0 0 -.14" size=".03 .04 .1"/>
          <geom type="box" pos="-.12 0 -.2" euler="0 30 0" size=".03 .05 .07"/>
        </body>
      </body>
    </body>
    <body pos="0 .45 .5"><joint pos=".2 .1 0" stiffness="5"/><geom type="box" euler="15 25 35" size=".03 .03 .1"/></body>
    <body pos="-.5 0 .3">
      <joint type="slide" axis="1 0 0"/><geom type="box" euler="20 35 10" size=".03 .03 .03"/>
    </body>
  </worldbody>
</mujoco>"#;

#[test]
fn joints_and_mocap_bodies_move_geoms_into_contact() {
    let (m, mut options) = with_two_passes(ARM, 16, 64);
    // displacement bounds do not depend on the number of lanes
    options.one_lane = true;
    let mut datas = [m.make_data(), m.make_data()];
    // one arm turns away from the wall, one swings and slides
    datas[0].qvel[..3].copy_from_slice(&[4.0, -2.0, 0.0]);
    datas[1].qvel[1..6].copy_from_slice(&[-1.0, 2.0, 3.0, -5.0, 2.0]);
    datas.iter_mut().for_each(|d| d.qvel[7] = 0.5);
    let (mut apart, mut contacts) = (0, [0; 3]);
    compare_trajectories(&m, &mut datas, &options, 150, 1e-6, |d| {
        apart += usize::from(d.ncon == 0);
        for contact in &d.contact[..d.ncon] {
            let body = contact.geom.map(|g| m.geom_bodyid[g as usize]);
            contacts[(body[0].max(body[1]) - 4).max(0) as usize] += 1;
        }
        d.mocap_pos[1] = 0.545 + 0.055 * (10.0 * d.time).cos();
    });
    assert!(apart > 4 && contacts.iter().all(|&n| n > 4), "{apart} without contacts, {contacts:?}");
}
