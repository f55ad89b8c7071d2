//! A gripper grasps a box and lifts it.

use sim_examples::Recorder;
use sim_physics::prelude::*;

const GRIPPER: &str = r#"
<mujoco>
  <option timestep="0.002" cone="elliptic" impratio="10"/>
  <default><geom friction="1 0.01 0.001" condim="4"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="box" pos="0 0 .04"><freejoint/><geom type="box" size=".03 .03 .04" mass=".2"/></body>
    <body name="wrist" pos="0 0 .3">
      <joint name="lift" type="slide" axis="0 0 1" damping="20"/>
      <geom type="box" size=".08 .03 .02" mass="1"/>
      <body name="left" pos="-.06 0 -.1">
        <joint name="left" type="slide" axis="1 0 0" damping="5"/>
        <geom type="box" size=".01 .02 .08" mass=".1"/>
      </body>
      <body name="right" pos=".06 0 -.1">
        <joint name="right" type="slide" axis="-1 0 0" damping="5"/>
        <geom type="box" size=".01 .02 .08" mass=".1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="lift" joint="lift" kp="2000"/>
    <position name="left" joint="left" kp="300"/>
    <position name="right" joint="right" kp="300"/>
  </actuator>
  <sensor><framepos name="box" objtype="body" objname="box"/></sensor>
</mujoco>"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::from_xml(GRIPPER)?;
    // phase, end time, and targets of the lift and the fingers
    let plan = [
        ("reach", 0.5, -0.14, 0.0),
        ("close", 1.0, -0.14, 0.04),
        ("lift", 2.0, 0.0, 0.04),
        ("hold", 2.5, 0.0, 0.04),
    ];
    let mut table = Recorder::new(&["height box (m)", "height wrist (m)", "contact number"])?;
    for (name, until, lift, grip) in plan {
        let before = sim.ctrl("lift")?;
        let start = sim.time();
        while sim.time() < until {
            // linear interpolation between targets
            let fraction = ((sim.time() - start) / (until - start)).clamp(0.0, 1.0);
            sim.set_ctrl("lift", before + (lift - before) * fraction)?;
            sim.set_ctrl("left", grip)?;
            sim.set_ctrl("right", grip)?;
            sim.step()?;
            let heights = [sim.body_pos("box")?.z, sim.body_pos("wrist")?.z];
            table.add(sim.time(), &[heights[0], heights[1], sim.contacts().len() as f64])?;
        }
        let box_height = sim.sensor("box")?[2];
        println!("{name:6} box at {box_height:.3} m, {} contacts", sim.contacts().len());
    }
    let height = sim.body_pos("box")?.z;
    assert!(height > 0.12, "the box was dropped: it is at {height:.3} m");
    Ok(())
}
