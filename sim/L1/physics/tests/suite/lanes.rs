//! Batches whose environments are stepped in SIMD lanes.

use sim_physics::prelude::*;
use sim_physics::{BatchSim, load_str, rollout, rollout_in_lanes};
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
    endless_batch(model).with_termination(|_, data| data.qpos[2] < 0.2)
}

/// The batch without a termination condition.
fn endless_batch(model: &Arc<Model>) -> BatchSim {
    let mut batch = BatchSim::new(model.clone(), COUNT)
        .with_reward(|_: &Model, data: &Data| data.qpos[2] + data.qvel[0])
        .with_start(|_, data, episode| {
            let k = episode.environment as f64 + 100.0 * episode.count as f64;
            data.qpos[2] = 0.6 + 0.02 * (k % 7.0);
            data.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = (k * 0.7 + i as f64).sin());
        })
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
}

#[test]
fn environments_with_switched_equalities_use_the_scalar_engine() {
    let equality = r#"<equality><joint joint1="a" joint2="b"/></equality></mujoco>"#;
    let model: Arc<Model> = load_str(&MODEL.replace("</mujoco>", equality)).expect("loads").into();
    let (mut scalar, mut lanes) = (batch(&model), batch(&model).with_lanes());
    assert!(lanes.steps_in_lanes(0));
    for batch in [&mut scalar, &mut lanes] {
        set_controls(batch, 3);
        batch.data_mut(4).eq_active[0] = false;
        batch.step_n(9);
    }
    assert_eq!(scalar.result().state(4), lanes.result().state(4));
    assert!(largest_difference(&scalar.result().states, &lanes.result().states) < 1e-9);
    assert_ne!(scalar.result().states, lanes.result().states, "the batch did not use lanes");
}

/// The model with a frame position sensor, a touch sensor and an accelerometer.
fn model_with_sensors() -> Arc<Model> {
    let sensors = r#"<sensor><framepos objtype="body" objname="leg"/><touch site="foot"/>
        <accelerometer site="foot"/><clock/></sensor></mujoco>"#;
    let leg = r#"<body name="leg" pos=".2 0 0"><site name="foot" pos="0 .1 -.4" size=".06"/>"#;
    let text = MODEL.replace(r#"<body pos=".2 0 0">"#, leg).replace("</mujoco>", sensors);
    load_str(&text).expect("the model loads").into()
}

#[test]
fn sensors_are_evaluated_in_the_last_step() {
    let model = model_with_sensors();
    let (mut scalar, mut lanes) = (endless_batch(&model), endless_batch(&model).with_lanes());
    assert!(lanes.steps_in_lanes(0));
    let mut loaded = 0;
    for step in 0..60 {
        set_controls(&mut scalar, step);
        set_controls(&mut lanes, step);
        scalar.step_n(4);
        lanes.step_n(4);
        for e in 0..COUNT {
            let (a, b) = (&scalar.data(e).sensordata, &lanes.data(e).sensordata);
            let scale = a.iter().fold(1.0, |scale: f64, x| scale.max(x.abs()));
            assert!(largest_difference(a, b) < 1e-7 * scale, "step {step}, environment {e}");
            loaded += usize::from(a[3] > 0.0);
        }
    }
    assert!(loaded > 50, "the touch sensor reads a force in only {loaded} steps");
    // with a termination condition each step may be the last one
    let (mut scalar, mut lanes) = (batch(&model), batch(&model).with_lanes());
    for step in 0..20 {
        set_controls(&mut scalar, step);
        set_controls(&mut lanes, step);
        assert_eq!(scalar.step_n(4), lanes.step_n(4));
    }
}

#[test]
fn all_data_and_wrenches_on_request() {
    let model = model();
    let mut scalar = endless_batch(&model).with_external_wrenches();
    let mut lanes = endless_batch(&model).with_lanes().with_external_wrenches();
    let mut full = endless_batch(&model).with_lanes().with_full_data();
    let mut forces = 0;
    for step in 0..60 {
        for batch in [&mut scalar, &mut lanes, &mut full] {
            set_controls(batch, step);
            batch.step_n(3);
        }
        for e in 0..COUNT {
            let (a, b, c) = (scalar.data(e), lanes.data(e), full.data(e));
            let scale = a.cfrc_ext.iter().fold(1.0, |scale: f64, x| scale.max(x.abs()));
            let difference = largest_difference(&a.cfrc_ext, &b.cfrc_ext);
            assert!(difference < 1e-7 * scale, "step {step}, environment {e}: {difference:e}");
            forces += usize::from(scale > 1.0);
            assert_eq!(a.ncon, c.ncon, "step {step}, environment {e}");
            assert!(largest_difference(&a.efc_force, &c.efc_force) < 1e-6 * scale);
        }
    }
    assert!(forces > 100, "the scene tests little");
}

#[test]
fn selected_environments_advance() {
    let model = model();
    let mut run = [false, true].map(|in_lanes| {
        let batch = BatchSim::new(model.clone(), COUNT);
        let mut batch = if in_lanes { batch.with_lanes() } else { batch };
        let selected: Vec<bool> = (0..COUNT).map(|e| e % 3 != 0).collect();
        let mut errors = vec![None; COUNT];
        for e in 0..COUNT {
            batch.data_mut(e).ctrl[0] = 0.1 * e as f64;
        }
        batch.data_mut(5).qvel[2] = 1e12;
        batch.advance(9, &selected, &mut errors);
        assert!(errors[5].is_some() && errors.iter().flatten().count() == 1);
        (0..COUNT).flat_map(|e| batch.data(e).qpos.clone()).collect::<Vec<f64>>()
    });
    assert!(largest_difference(&run[0], &run[1]) < 1e-9);
    run[0].truncate(model.nq);
    assert_eq!(run[0], model.qpos0, "environment 0 is not selected");
}

/// Initial states and controls of rollouts.
fn rollout_inputs(model: &Model, steps: usize) -> (Vec<f64>, Vec<f64>) {
    let mut states = Vec::new();
    for k in 0..COUNT {
        let mut d = model.make_data();
        d.qpos[2] = 0.5 + 0.02 * k as f64;
        d.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = (k as f64 * 0.7 + i as f64).sin());
        states.push(0.5);
        states.extend_from_slice(&d.qpos);
        states.extend_from_slice(&d.qvel);
    }
    let controls = (0..COUNT * steps * model.nu).map(|k| (k as f64 * 0.37).sin()).collect();
    (states, controls)
}

#[test]
fn rollouts_agree_with_the_scalar_engine() {
    let model = model();
    let (mut states, controls) = rollout_inputs(&model, 100);
    let size = states.len() / COUNT;
    // a trajectory that diverges at once
    states[7 * size + 1 + model.nq] = 1e12;
    for controls in [&controls[..], &[]] {
        let scalar = rollout(&model, &states, controls, 100, 1).expect("consistent");
        let lanes = rollout_in_lanes(&model, &states, controls, 100, 1).expect("consistent");
        assert_eq!(scalar.errors, lanes.errors);
        assert!(lanes.errors[7].is_some() && lanes.errors.iter().flatten().count() == 1);
        assert_eq!(scalar.state(7, 99), lanes.state(7, 99));
        assert!(largest_difference(&scalar.states, &lanes.states) < 1e-8);
        assert_ne!(scalar.states, lanes.states, "the rollout did not use lanes");
    }
}

#[test]
fn rollouts_do_not_depend_on_the_number_of_threads() {
    let model = model();
    let (states, controls) = rollout_inputs(&model, 50);
    let run = |threads| {
        let result = rollout_in_lanes(&model, &states, &controls, 50, threads);
        result.expect("consistent").states.iter().map(|x| x.to_bits()).collect::<Vec<u64>>()
    };
    let expected = run(1);
    for threads in [2, 3] {
        assert_eq!(run(threads), expected);
    }
    // nor on other trajectories
    let size = states.len() / COUNT;
    let last = &states[(COUNT - 1) * size..];
    let row = controls.len() / COUNT;
    let alone = rollout_in_lanes(&model, last, &controls[(COUNT - 1) * row..], 50, 1);
    let alone = alone.expect("consistent").states;
    assert!(
        alone.iter().zip(&expected[expected.len() - alone.len()..]).all(|(a, b)| a.to_bits() == *b)
    );
}

#[test]
fn rollouts_with_touch_sensors_use_the_scalar_engine() {
    let model = model_with_sensors();
    let (states, controls) = rollout_inputs(&model, 20);
    let scalar = rollout(&model, &states, &controls, 20, 1).expect("consistent");
    let lanes = rollout_in_lanes(&model, &states, &controls, 20, 1).expect("consistent");
    assert_eq!(scalar, lanes);
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

/// The figure with sensors of every kind that lanes evaluate. `{}` is the integrator.
fn model_with_motion_sensors(integrator: &str) -> Arc<Model> {
    let sensors = r#"<sensor>
        <accelerometer site="foot"/><gyro site="foot"/><velocimeter site="foot"/><force site="foot"/>
        <torque site="foot"/><magnetometer site="foot"/><jointpos joint="a"/><jointvel joint="b"/>
        <jointactuatorfrc joint="a"/><actuatorfrc actuator="one"/><clock/>
        <framepos objtype="body" objname="leg"/><framepos objtype="geom" objname="shin"/>
        <framequat objtype="site" objname="foot" reftype="body" refname="trunk"/>
        <framequat objtype="body" objname="leg"/><framezaxis objtype="geom" objname="shin"/>
        <framelinvel objtype="xbody" objname="leg" reftype="site" refname="back"/>
        <frameangvel objtype="body" objname="leg"/><framelinacc objtype="site" objname="back"/>
        <frameangacc objtype="body" objname="leg"/><subtreecom body="trunk"/>
        <subtreelinvel body="leg"/><subtreeangmom body="trunk"/>
        <insidesite site="back" objtype="site" objname="foot"/>
      </sensor></mujoco>"#;
    let trunk = r#"<body name="trunk" pos="0 0 .7"><site name="back" pos="-.1 0 .1" size=".4"/>"#;
    let leg = r#"<body name="leg" pos=".2 0 0"><site name="foot" pos="0 .1 -.4" euler="20 0 0" size=".06"/>
        <geom name="shin" type="capsule" size=".03" fromto="0 0 0 0 0 .1" contype="0" conaffinity="0"/>"#;
    let option = format!(r#"<option integrator="{integrator}" timestep="0.005"/>"#);
    let text = MODEL
        .replace(r#"<option timestep="0.005"/>"#, &option)
        .replace(r#"<body pos="0 0 .7">"#, trunk)
        .replace(r#"<body pos=".2 0 0">"#, leg)
        .replace(r#"<motor joint="a""#, r#"<motor name="one" joint="a""#)
        .replace("</mujoco>", sensors);
    load_str(&text).unwrap_or_else(|error| panic!("{error}")).into()
}

#[test]
fn motion_sensors_are_evaluated_in_lanes() {
    for integrator in ["Euler", "implicitfast", "RK4"] {
        let model = model_with_motion_sensors(integrator);
        let (states, controls) = rollout_inputs(&model, 100);
        let scalar = rollout(&model, &states, &controls, 100, 1).expect("consistent");
        let lanes = rollout_in_lanes(&model, &states, &controls, 100, 1).expect("consistent");
        assert_ne!(scalar.states, lanes.states, "the rollout did not use lanes");
        let mut forces = 0;
        for k in 0..COUNT {
            for step in 0..100 {
                let (a, b) = (scalar.sensors(k, step), lanes.sensors(k, step));
                let scale = a.iter().fold(1.0, |scale: f64, x| scale.max(x.abs()));
                let off = largest_difference(a, b) / scale;
                assert!(off < 1e-8, "{integrator}, {k}, step {step}: {off}");
                forces += usize::from(a[9..12].iter().any(|f| f.abs() > 1.0));
            }
        }
        assert!(forces > 100, "{integrator}: forces in only {forces} steps");
        // batches, with one time step for each call
        let (mut scalar, mut lanes) = (endless_batch(&model), endless_batch(&model).with_lanes());
        for step in 0..60 {
            set_controls(&mut scalar, step);
            set_controls(&mut lanes, step);
            scalar.step_all();
            lanes.step_all();
            for e in 0..COUNT {
                let (a, b) = (&scalar.data(e).sensordata, &lanes.data(e).sensordata);
                let scale = a.iter().fold(1.0, |scale: f64, x| scale.max(x.abs()));
                let off = largest_difference(a, b) / scale;
                assert!(off < 1e-8, "{integrator}, step {step}, environment {e}: {off}");
            }
        }
    }
}

#[test]
fn sensors_of_a_diverging_trajectory_are_repeated() {
    let model = model_with_motion_sensors("Euler");
    let (mut states, controls) = rollout_inputs(&model, 10);
    let size = states.len() / COUNT;
    states[7 * size + 1 + model.nq] = 1e12;
    let lanes = rollout_in_lanes(&model, &states, &controls, 10, 1).expect("consistent");
    assert!(lanes.errors[7].is_some() && lanes.errors.iter().flatten().count() == 1);
    for step in 1..10 {
        assert_eq!(lanes.sensors(7, step), lanes.sensors(7, 0));
    }
    assert_ne!(lanes.sensors(8, 9), lanes.sensors(8, 0));
}
