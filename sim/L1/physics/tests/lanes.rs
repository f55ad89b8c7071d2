//! Batches whose environments are stepped in SIMD lanes.

use sim_physics::prelude::*;
use sim_physics::{BatchSim, load_str};
use std::sync::Arc;

/// A hopping figure: contacts, limits, motors.
const MODEL: &str = r#"<mujoco>
    <option timestep="0.005"/>
    <worldbody>
      <geom type="plane" size="0 0 1"/>
      <body pos="0 0 .7"><freejoint/>
        <geom type="capsule" size=".1" fromto="-.2 0 0 .2 0 0"/>
        <body pos=".2 0 0"><joint name="a" axis="0 1 0" range="-60 60" limited="true" damping="1"/>
          <geom type="capsule" size=".05" fromto="0 0 -.1 0 .1 -.4"/></body>
        <body pos="-.2 0 0"><joint name="b" axis="0 1 0" range="-60 60" limited="true" damping="1"/>
          <geom type="capsule" size=".05" fromto="0 0 -.1 0 -.1 -.4"/></body>
      </body>
    </worldbody>
    <actuator><motor joint="a" gear="20"/><motor joint="b" gear="20"/></actuator>
  </mujoco>"#;

const COUNT: usize = 21;

fn model() -> Arc<Model> {
    load_str(MODEL).expect("the model loads").into()
}

/// A batch with different initial states, a reward, a termination condition and a time limit.
fn batch(model: &Arc<Model>) -> BatchSim {
    let mut batch = BatchSim::new(model.clone(), COUNT)
        .with_reward(|_: &Model, data: &Data| data.qpos[2] + data.qvel[0])
        .with_start(|_, data, episode| {
            let k = episode.environment as f64 + 100.0 * episode.count as f64;
            data.qpos[2] = 0.6 + 0.02 * (k % 7.0);
            data.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = (k * 0.7 + i as f64).sin());
        })
        .with_termination(|_, data| data.qpos[2] < 0.2)
        .with_time_limit(0.4)
        .with_auto_reset();
    batch.reset_all();
    batch
}

fn set_controls(batch: &mut BatchSim, step: usize) {
    for (k, ctrl) in batch.ctrl_mut().iter_mut().enumerate() {
        *ctrl = ((step * 13 + k * 7) as f64).sin();
    }
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |largest: f64, (a, b)| largest.max((a - b).abs()))
}

#[test]
fn episodes_agree_with_the_scalar_engine() {
    let model = model();
    let (mut scalar, mut lanes) = (batch(&model), batch(&model).with_lanes());
    assert!(lanes.steps_in_lanes(0) && !scalar.steps_in_lanes(0));
    let (mut ended, mut contacts) = (0, 0);
    for step in 0..120 {
        set_controls(&mut scalar, step);
        set_controls(&mut lanes, step);
        let n = 1 + step % 3;
        let (a, b) = (scalar.step_n(n), lanes.step_n(n));
        assert_eq!((&a.terminated, &a.truncated), (&b.terminated, &b.truncated), "step {step}");
        assert!(largest_difference(&a.states, &b.states) < 1e-8, "step {step}");
        assert!(largest_difference(&a.rewards, &b.rewards) < 1e-8, "step {step}");
        ended += a.terminated.iter().chain(&a.truncated).filter(|&&end| end).count();
        contacts += (0..COUNT).map(|e| scalar.data(e).ncon).sum::<usize>();
    }
    assert!(ended > COUNT && contacts > 1000, "the scene tests little");
    for e in 0..COUNT {
        let (a, b) = (scalar.data(e), lanes.data(e));
        for (name, a, b) in [
            ("xpos", &a.xpos, &b.xpos),
            ("xquat", &a.xquat, &b.xquat),
            ("xmat", &a.xmat, &b.xmat),
            ("xipos", &a.xipos, &b.xipos),
            ("subtree_com", &a.subtree_com, &b.subtree_com),
            ("cvel", &a.cvel, &b.cvel),
            ("qacc", &a.qacc, &b.qacc),
            ("qfrc_actuator", &a.qfrc_actuator, &b.qfrc_actuator),
            ("qfrc_constraint", &a.qfrc_constraint, &b.qfrc_constraint),
        ] {
            assert!(largest_difference(a, b) < 1e-6, "{name} of environment {e}");
        }
        assert_eq!(a.time, b.time);
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let model = model();
    let run = |threads: usize| {
        let mut batch = batch(&model).with_lanes().with_threads(threads).expect("threads");
        for step in 0..40 {
            set_controls(&mut batch, step);
            batch.step_n(2);
        }
        batch.result().states.iter().map(|x| x.to_bits()).collect::<Vec<u64>>()
    };
    let expected = run(1);
    assert_eq!(run(2), expected);
    assert_eq!(run(3), expected);
}

#[test]
fn environments_that_lanes_do_not_support_use_the_scalar_engine() {
    let model = model();
    let (mut scalar, mut lanes) = (batch(&model), batch(&model).with_lanes());
    for batch in [&mut scalar, &mut lanes] {
        batch.vary(3, |m| m.body_mass[1] *= 2.0).expect("same sizes");
        batch.data_mut(5).xfrc_applied[6] = 30.0;
        batch.data_mut(6).qfrc_applied[0] = 30.0;
        batch.step_n(7);
    }
    let (a, b) = (scalar.result(), lanes.result());
    for e in [3, 5] {
        assert_eq!(a.state(e), b.state(e), "environment {e} is stepped by the scalar engine");
    }
    assert!(largest_difference(&a.states, &b.states) < 1e-9);
    // a model with sensors
    let with_sensor = MODEL.replace("</mujoco>", "<sensor><clock/></sensor></mujoco>");
    let with_sensor = BatchSim::new(load_str(&with_sensor).expect("loads").into(), 1).with_lanes();
    assert!(!with_sensor.steps_in_lanes(0));
}

#[test]
fn divergence_is_an_error_of_its_environment_only() {
    let model = model();
    let (mut scalar, mut lanes) = (batch(&model), batch(&model).with_lanes());
    for batch in [&mut scalar, &mut lanes] {
        batch.data_mut(4).qvel[2] = 1e12;
        batch.step_n(3);
    }
    let (a, b) = (scalar.result(), lanes.result());
    assert!(b.errors[4].is_some());
    assert_eq!(a.errors, b.errors);
    assert!(b.errors.iter().enumerate().all(|(e, error)| e == 4 || error.is_none()));
    assert_eq!(a.state(4), b.state(4));
    assert!(largest_difference(&a.states, &b.states) < 1e-9);
}
