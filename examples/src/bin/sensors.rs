//! A ball with an accelerometer and a rangefinder bounces on a plate with a touch sensor.

use sim_examples::Recorder;
use sim_physics::prelude::*;

const BALL: &str = r#"
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <body name="plate" pos="0 0 .1">
      <geom type="box" size=".3 .3 .1" solref="-8000 -20"/>
      <site name="plate" type="box" size=".3 .3 .12"/>
    </body>
    <body name="ball" pos="0 0 .8">
      <freejoint/>
      <geom size=".05" mass=".2" solref="-8000 -20"/>
      <site name="imu"/>
      <site name="eye" zaxis="0 0 -1" pos="0 0 -.051"/>
    </body>
  </worldbody>
  <sensor>
    <accelerometer name="imu" site="imu"/>
    <rangefinder name="height" site="eye"/>
    <touch name="plate" site="plate"/>
    <subtreecom name="com" body="ball"/>
  </sensor>
</mujoco>"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::from_xml(BALL)?;
    // handles avoid a name lookup per step
    let (imu, height, plate) = (
        sim.find::<SensorHandle>("imu")?,
        sim.find::<SensorHandle>("height")?,
        sim.find::<SensorHandle>("plate")?,
    );
    let (mut hardest, mut bounces, mut in_contact) = (0.0_f64, 0, false);
    let mut table = Recorder::new(&[
        "acceleration accelerometer (m/s²)",
        "height rangefinder (m)",
        "force plate (N)",
    ])?;
    for step in 0..1500 {
        sim.step()?;
        let force = sim.sensor(plate)?[0];
        table.add(sim.time(), &[sim.sensor(imu)?[2], sim.sensor(height)?[0], force])?;
        hardest = hardest.max(force);
        bounces += usize::from(force > 0.0 && !in_contact);
        in_contact = force > 0.0;
        if step % 100 == 0 {
            println!(
                "{:.1} s  accelerometer {:7.2} m/s²  height {:.3} m  plate {force:6.2} N",
                sim.time(),
                sim.sensor(imu)?[2],
                sim.sensor(height)?[0],
            );
        }
    }
    println!("{bounces} bounces, largest force {hardest:.1} N");
    assert!(bounces > 1 && hardest > 5.0);
    Ok(())
}
