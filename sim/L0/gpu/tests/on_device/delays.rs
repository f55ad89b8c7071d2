//! Delayed controls, and delayed and periodically sampled sensors.

use crate::models::gpu;
use sim_core::mj_step;
use sim_gpu::{GpuBatch, Options, Precision, compare_step};

/// Every interpolation; delays that are multiples of the time step, and others.
const DELAYED: &str = r#"<mujoco><option timestep=".004" integrator="implicitfast"><flag contact="disable"/></option>
  <worldbody><body><joint name="a" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="tip" pos=".3 0 0"/>
    <body pos=".3 0 0"><joint name="b" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body></body></worldbody>
  <actuator>
    <motor joint="a" nsample="4" delay=".008"/><motor joint="b" nsample="5" delay=".01" interp="linear" ctrlrange="-.3 .3"/>
    <position joint="a" kp="3" kv=".1" nsample="6" delay=".0135" interp="cubic"/><motor joint="b" nsample="3"/>
  </actuator>
  <sensor>
    <jointpos joint="a" nsample="4" delay=".008"/><jointvel joint="b" nsample="5" delay=".01" interp="linear"/>
    <framepos objtype="site" objname="tip" nsample="6" delay=".0135" interp="cubic"/><accelerometer site="tip" nsample="3" interval=".012"/>
    <jointactuatorfrc joint="a" cutoff=".2" nsample="4" delay=".009" interval=".01 -.004"/><jointpos joint="b"/><clock nsample="2"/>
  </sensor></mujoco>"#;

/// Compares a step from random samples, and a trajectory with a reset at its end.
pub fn check_delays(one_lane: bool) {
    let m = sim_mjcf::load_str(DELAYED).unwrap_or_else(|error| panic!("{error}"));
    let options = Options { precision: Precision::Double, one_lane, ..Options::default() };
    let result = compare_step(gpu(), &m, 4, &options).unwrap_or_else(|error| panic!("{error}"));
    assert!(result.worst_field().is_some_and(|(_, worst)| worst < 1e-10), "{result:?}");

    // the kernel of the comparison
    let options = Options { probe: true, ..options };
    let mut m = m;
    (m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations) = (1e-13, 100, 50);
    let mut batch = GpuBatch::new(gpu(), &m, 1, &options).expect("a batch");
    let mut d = m.make_data();
    for step in 0..30 {
        let ctrl: Vec<f64> = (0..m.nu).map(|i| (0.3 * step as f64 + i as f64).sin()).collect();
        d.ctrl.copy_from_slice(&ctrl);
        batch.set_ctrl(&ctrl).expect("set");
        // several steps in a dispatch sample as often
        for _ in 0..1 + step % 2 {
            mj_step(&m, &mut d).expect("stepped");
        }
        batch.step(1 + step % 2).expect("stepped");
        let (state, sensors) =
            (batch.full_state().expect("read"), batch.sensordata().expect("read"));
        let ours = state[..1 + m.nq + m.nv].iter().chain(&state[1 + m.nq + 2 * m.nv..]);
        let theirs = [d.time].into_iter().chain([&d.qpos[..], &d.qvel, &d.history].concat());
        let worst = ours.zip(theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-10, "step {step}: {worst}");
        let worst =
            sensors.iter().zip(&d.sensordata).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-10, "step {step}: sensors {worst}");
    }
    batch.reset_where(&[true]).expect("requested");
    batch.step(1).expect("stepped");
    let state = batch.full_state().expect("read");
    let mut fresh = m.make_data();
    fresh.ctrl.copy_from_slice(&d.ctrl);
    mj_step(&m, &mut fresh).expect("stepped");
    let history = &state[1 + m.nq + 2 * m.nv..];
    assert!(history.iter().zip(&fresh.history).all(|(a, b)| (a - b).abs() < 1e-10), "reset");
}

#[test]
fn delayed_controls_and_sensors() {
    check_delays(true);
}
