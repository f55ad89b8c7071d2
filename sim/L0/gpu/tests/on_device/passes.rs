//! Pairs that are left alone while they are apart, and the second pass that tests them when they are not.

use crate::compare::follow;
use sim_gpu::{Options, Precision};

/// Solids that fall on each other and on the floor.
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
fn contacts_are_found_when_they_come() {
    let mut m = sim_mjcf::load_str(PILE).unwrap_or_else(|error| panic!("{error}"));
    m.opt.tolerance = 1e-13;
    let options = Options {
        precision: Precision::Double,
        contacts: Some(24),
        rows: Some(96),
        two_passes: Some(true),
        ..Options::default()
    };
    let mut datas = [m.make_data(), m.make_data()];
    // one is thrown, one falls
    datas[0].qvel[6..9].copy_from_slice(&[0.4, 0.0, -1.0]);
    let (mut apart, mut most) = (0, 0);
    follow(&m, &mut datas, &options, 120, 1e-6, |d| {
        apart += usize::from(d.ncon == 0);
        most = most.max(d.ncon);
    });
    assert!(apart > 4 && most > 6, "{apart} steps without contacts, {most} at most");
}
