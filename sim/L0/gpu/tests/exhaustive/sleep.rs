//! Trees that are asleep initially stay where they are until something wakes them.

use crate::models::gpu;
use sim_core::mj_step;
use sim_gpu::{GpuBatch, Options, Precision};

/// A contact wakes one tree, a tendon limit another; a third and two that are constrained to each other stay asleep.
const TREES: &str = r#"<mujoco><option timestep=".004" integrator="implicitfast"><flag sleep="enable"/></option>
  <worldbody>
    <body pos="0 0 1" sleep="init"><freejoint/><geom size=".1"/></body>
    <body pos="0 0 1.23"><freejoint/><geom size=".1"/></body>
    <body pos="1 0 1" sleep="init"><joint name="a" type="slide" axis="0 0 1"/><geom size=".1"/></body>
    <body pos="1 0 2"><joint name="b" type="slide" axis="0 0 1"/><geom size=".1"/></body>
    <body pos="2 0 1" sleep="init" euler="10 20 30"><joint type="ball" frictionloss=".1" limited="true" range="0 60"/><geom size=".1" pos=".3 0 0"/></body>
    <body pos="3 0 1" sleep="init"><joint name="c"/><geom size=".1" pos=".3 0 0"/></body>
    <body pos="4 0 1" sleep="init"><joint name="d"/><geom size=".1" pos=".3 0 0"/></body>
  </worldbody>
  <tendon><fixed limited="true" range="-.02 1"><joint joint="a" coef="1"/><joint joint="b" coef="1"/></fixed></tendon>
  <equality><joint joint1="c" joint2="d"/></equality>
</mujoco>"#;

/// Compares a trajectory.
pub fn check_trees(one_lane: bool) {
    let m = sim_mjcf::load_str(TREES).unwrap_or_else(|error| panic!("{error}"));
    let options = Options { precision: Precision::Double, one_lane, ..Options::default() };
    let mut batch = GpuBatch::new(gpu(), &m, 1, &options).expect("a batch");
    let mut d = m.make_data();
    assert_eq!(d.tree_asleep.iter().filter(|&&t| t >= 0).count(), 5);
    for step in 0..40 {
        batch.step(1).expect("stepped");
        mj_step(&m, &mut d).expect("stepped");
        let ours = batch.state().expect("read");
        let theirs = d.qpos.iter().chain(&d.qvel);
        let worst = ours.iter().zip(theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-10, "step {step}: {worst}");
    }
    let asleep: Vec<bool> = d.tree_asleep.iter().map(|&t| t >= 0).collect();
    assert_eq!(asleep, [false, false, false, false, true, true, true]);
    let ours = batch.state().expect("read");
    assert_eq!(ours[16..m.nq], m.qpos0[16..], "not even normalised");
}

#[test]
fn asleep_trees_wake_as_on_the_cpu() {
    check_trees(true);
}
