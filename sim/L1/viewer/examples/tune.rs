//! Tunes a controller with sliders while the robot runs: a PD controller of an arm that follows a sine.
//!
//! ```text
//! cargo run --release -p sim-viewer --example tune
//! ```

use sim_physics::Simulation;
use sim_viewer::{Options, Slider};

/// An arm of two links with motors.
const ARM: &str = r#"<mujoco model="arm">
  <visual><global azimuth="120" elevation="-15"/></visual>
  <asset>
    <texture name="grid" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".3 .4 .5" width="300" height="300"/>
    <material name="grid" texture="grid" texrepeat="4 4" reflectance=".15"/>
  </asset>
  <worldbody>
    <light pos="0 -1 3" dir="0 .3 -1"/>
    <geom type="plane" size="1.5 1.5 .1" material="grid"/>
    <body name="upper" pos="0 0 1.2">
      <joint name="shoulder" axis="0 1 0" damping=".2"/>
      <geom type="capsule" fromto="0 0 0 .45 0 0" size=".05" rgba=".8 .4 .2 1"/>
      <body name="lower" pos=".45 0 0">
        <joint name="elbow" axis="0 1 0" damping=".1"/>
        <geom type="capsule" fromto="0 0 0 .4 0 0" size=".04" rgba=".2 .5 .8 1"/>
        <site name="hand" pos=".4 0 0" size=".03"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="shoulder" joint="shoulder"/><motor name="elbow" joint="elbow"/></actuator>
</mujoco>"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [stiffness, damping, frequency, amplitude] = [
        Slider::new("stiffness (N m)", 0.0..=200.0, 60.0),
        Slider::new("damping (N m s)", 0.0..=20.0, 4.0),
        Slider::new("frequency (Hz)", 0.0..=3.0, 0.5),
        Slider::new("amplitude (rad)", 0.0..=1.5, 0.6),
    ];
    let options = Options::default()
        .title("tuning a controller")
        .slider(&stiffness)
        .slider(&damping)
        .slider(&frequency)
        .slider(&amplitude);
    let target = {
        let (frequency, amplitude) = (frequency.clone(), amplitude.clone());
        move |time: f64| {
            let angle =
                amplitude.value() * (std::f64::consts::TAU * frequency.value() * time).sin();
            [0.3 + angle, 0.8 - angle]
        }
    };
    let reference = target.clone();
    let options = options.on_control(move |_, _, data| {
        let desired = target(data.time);
        for k in 0..2 {
            let error = desired[k] - data.qpos[k];
            data.ctrl[k] = stiffness.value() * error - damping.value() * data.qvel[k];
        }
    });
    let options = options.on_display(move |worlds, overlay| {
        let data = &worlds[0].data;
        let desired = reference(data.time);
        overlay.plot("shoulder (rad)", data.time, data.qpos[0]);
        overlay.plot("target (rad)", data.time, desired[0]);
        let hand = [data.site_xpos[0], data.site_xpos[1], data.site_xpos[2]];
        overlay.label(hand, "hand");
        overlay.text("error", format!("{:.4} rad", desired[0] - data.qpos[0]));
    });
    sim_viewer::run_with(Simulation::from_xml(ARM)?, options)?;
    Ok(())
}
