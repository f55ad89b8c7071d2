//! Contacts of geoms that fall on each other, with displacement bounds and two passes.

use crate::compare::compare_trajectories;
use crate::two_passes::with_two_passes;

/// Geoms that fall on each other and on a plane.
const PILE: &str = r#"<mujoco>
  <option timestep="0.004"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .2"><freejoint/><geom type="box" size=".2 .2 .1"/></body>
    <body pos=".05 .02 .45" euler="20 10 0"><freejoint/><geom type="box" size=".08 .1 .06"/></body>
    <body pos="-.1 -.1 .5" euler="70 0 30"><freejoint/><geom type="cylinder" size=".05 .1"/></body>
  </worldbody>
</mujoco>"#;

#[test]
fn falling_geoms_have_the_contacts_of_the_cpu() {
    let (m, mut options) = with_two_passes(PILE, 24, 96);
    // displacement bounds do not depend on the number of lanes
    options.one_lane = true;
    let mut datas = [m.make_data(), m.make_data()];
    // one is thrown, one falls
    datas[0].qvel[6..9].copy_from_slice(&[0.4, 0.0, -1.0]);
    let (mut apart, mut most) = (0, 0);
    compare_trajectories(&m, &mut datas, &options, 120, 1e-6, |d| {
        apart += usize::from(d.ncon == 0);
        most = most.max(d.ncon);
    });
    assert!(apart > 4 && most > 6, "{apart} steps without contacts, {most} at most");
}
