//! Trees that are solved for apart while no contact ties them, and together when one does.

use crate::compare::follow;
use sim_core::{Data, Model};
use sim_gpu::{Options, Precision};

/// More dofs than a team has lanes: an arm and four balls, three balls and another arm that is held at
/// its tip. Balls roll towards each other, those of the first half among themselves too.
const CROWD: &str = r#"<mujoco>
  <option timestep="0.004" cone="elliptic"/>
  <default>
    <joint damping=".05"/>
    <default class="ball"><geom size=".1"/></default>
  </default>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 2 .5">
      <joint name="a1" axis="0 1 0" limited="true" range="-10 10" frictionloss=".05"/>
      <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>
      <body pos=".2 0 0">
        <joint name="a2" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>
        <body pos=".2 0 0"><joint axis="0 0 1"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/></body>
      </body>
    </body>
    <body pos="0 0 .099" childclass="ball"><freejoint/><geom/></body>
    <body pos=".25 0 .099" childclass="ball"><freejoint/><geom condim="1"/></body>
    <body pos="0 .5 .099" childclass="ball"><freejoint/><geom condim="4"/></body>
    <body pos="0 1 .12" childclass="ball"><freejoint/><geom/></body>
    <body pos=".35 1 .099" childclass="ball"><freejoint/><geom/></body>
    <body pos="1 0 .099" childclass="ball"><freejoint/><geom/></body>
    <body pos="1 .5 .14" childclass="ball"><freejoint/><geom condim="6"/></body>
    <body name="b" pos="0 -2 .5">
      <joint axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>
      <body pos=".2 0 0">
        <joint axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>
        <body name="tip" pos=".2 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/></body>
      </body>
    </body>
  </worldbody>
  <equality><connect body1="tip" anchor=".1 0 0"/></equality>
  <tendon><fixed limited="true" range="-.05 .3"><joint joint="a1" coef="1"/><joint joint="a2" coef=".5"/></fixed></tendon>
</mujoco>"#;

/// Whether a contact ties a dof of the first half to one of the second.
fn ties(m: &Model, d: &Data) -> bool {
    d.contact.iter().any(|c| {
        let trees = c.geom.map(|g| m.body_treeid[m.geom_bodyid[g as usize] as usize]);
        trees.iter().all(|&tree| tree >= 0) && (trees[0] < 5) != (trees[1] < 5)
    })
}

#[test]
fn crowds_move_as_on_the_processor() {
    let mut m = sim_mjcf::load_str(CROWD).unwrap_or_else(|error| panic!("{error}"));
    m.opt.tolerance = 1e-13;
    let options = Options {
        precision: Precision::Double,
        contacts: Some(16),
        rows: Some(72),
        two_passes: Some(true),
        ..Options::default()
    };
    let mut datas = [m.make_data(), m.make_data()];
    // the first and the second ball, the fourth and the fifth, the third and the seventh meet; in the second
    // environment nothing does at first
    let speeds = [(3, 1.0), (3 + 18, 1.0), (3 + 12, 2.0)];
    for (d, sign) in datas.iter_mut().zip([1.0, -0.2]) {
        speeds.iter().for_each(|&(dof, speed)| d.qvel[dof] = sign * speed);
    }
    let (mut apart, mut tied) = (0, 0);
    follow(
        &m,
        &mut datas,
        &options,
        100,
        1e-7,
        |d| {
            if ties(&m, d) { tied += 1 } else { apart += 1 }
        },
    );
    assert!(apart > 50 && tied > 5, "{apart} steps apart, {tied} tied");
}
