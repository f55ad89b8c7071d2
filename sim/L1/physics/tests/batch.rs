//! Batches: the bits of stepping alone, failures that stay where they are, episodes, variations.

use sim_physics::core::{mj_get_state, mj_set_const, mj_state_size};
use sim_physics::prelude::*;
use sim_physics::types::{StateBits, StepError};
use sim_physics::{Episode, RolloutError, rollout};
use std::sync::Arc;

const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/models/");

/// A quadruped on the ground.
fn robot() -> Arc<Model> {
    Arc::new(load_file(format!("{MODELS}robots/quadruped.xml")).unwrap())
}

/// A pole on a hinge with a motor.
fn pole() -> Arc<Model> {
    let text = r#"<mujoco><option timestep="0.01"/><worldbody><body><joint name="swing" axis="0 1 0"/>
        <geom type="capsule" size=".05" fromto="0 0 0 0 0 -1"/></body></worldbody>
        <actuator><motor joint="swing" gear="3"/></actuator>
        <sensor><jointpos joint="swing"/></sensor></mujoco>"#;
    Arc::new(load_str(text).unwrap())
}

/// Controls that differ from environment to environment and from step to step.
fn drive(ctrl: &mut [f64], step: usize) {
    for (i, u) in ctrl.iter_mut().enumerate() {
        *u = 0.5 * ((i * 7 + step) as f64 * 0.1).sin();
    }
}

#[test]
fn every_number_of_threads_gives_the_bits_of_stepping_alone() {
    const N: usize = 12;
    let model = robot();
    let start = |_: &Model, d: &mut Data, e: Episode| d.qpos[2] += 0.01 * e.environment as f64;
    let mut alone: Vec<Data> = (0..N).map(|_| model.make_data()).collect();
    for (i, d) in alone.iter_mut().enumerate() {
        start(&model, d, Episode { environment: i, count: 1 });
    }
    let mut ctrl = vec![0.0; N * model.nu];
    for step in 0..60 {
        drive(&mut ctrl, step);
        for (d, u) in alone.iter_mut().zip(ctrl.chunks_exact(model.nu)) {
            d.ctrl.copy_from_slice(u);
            d.step(&model).unwrap();
        }
    }
    for threads in [1, 2, 7] {
        let batch = BatchSim::new(model.clone(), N).with_start(start);
        let mut batch = batch.with_threads(threads).unwrap();
        batch.reset_all();
        for step in 0..60 {
            drive(batch.controls_mut(), step);
            batch.step_all();
        }
        for (i, d) in alone.iter().enumerate() {
            let row = batch.result().state(i);
            assert_eq!(row[..model.nq], d.qpos, "{threads} threads");
            assert_eq!(row[model.nq..], d.qvel, "{threads} threads");
        }
    }
}

#[test]
fn an_environment_that_fails_leaves_the_others_alone() {
    const N: usize = 64;
    let model = pole();
    let run = |spoiled: bool| {
        let mut batch = BatchSim::new(model.clone(), N);
        for step in 0..50 {
            drive(batch.controls_mut(), step);
            if spoiled && step == 20 {
                batch.data_mut(5).qvel[0] = f64::NAN;
            }
            let result = batch.step_all();
            let failed: Vec<usize> = (0..N).filter(|&i| result.errors[i].is_some()).collect();
            if spoiled && step == 20 {
                assert_eq!(failed, [5]);
                assert!(matches!(result.errors[5], Some(StepError::Diverged { .. })));
                assert!(result.terminated[5] && !result.truncated[5]);
            } else {
                assert!(failed.is_empty(), "{failed:?} at step {step}");
            }
        }
        batch.result().clone()
    };
    let (healthy, spoiled) = (run(false), run(true));
    for i in (0..N).filter(|&i| i != 5) {
        assert_eq!(healthy.state(i), spoiled.state(i));
    }
    assert_ne!(healthy.state(5), spoiled.state(5));
    assert!(spoiled.state(5).iter().all(|x| x.is_finite()));
}

#[test]
fn episodes_end_by_condition_and_by_time() {
    let batch = BatchSim::new(pole(), 3)
        .with_start(|_, d, e| d.qvel[0] = e.environment as f64 + 10.0 * (e.count - 1) as f64)
        .with_reward(|_: &Model, d: &Data| d.qpos[0])
        .with_termination(|_, d| d.qpos[0] > 0.15)
        .with_time_limit(0.1);
    let mut batch = batch.with_auto_reset();
    batch.reset_all();
    let mut ends = vec![Vec::new(); 3];
    for step in 1..=12 {
        let result = batch.step_all();
        for i in 0..3 {
            assert_eq!(result.rewards[i], result.state(i)[0]);
            if result.done(i) {
                ends[i].push((step, result.terminated[i]));
            }
        }
    }
    // the first stays where it is until its time is up, the last is fast
    assert_eq!(ends[0][0], (10, false));
    assert_eq!(ends[2][0], (8, true));
    // new episodes began, faster than the ones before
    assert!(batch.data(2).qvel[0] > 5.0 && batch.data(2).time < 0.05);
    assert!(batch.data(0).time < 0.03);
}

#[test]
fn without_auto_reset_episodes_go_on() {
    let mut batch = BatchSim::new(pole(), 2).with_time_limit(0.05);
    for step in 1..=10 {
        let late = batch.step_all().truncated.clone();
        assert_eq!(late, [step >= 5; 2]);
    }
    batch.reset_where(&[false, true]);
    assert_eq!((batch.data(0).time > 0.09, batch.data(1).time), (true, 0.0));
    batch.reset(0);
    assert_eq!(batch.data(0).time, 0.0);
}

#[test]
fn several_steps_are_steps_one_by_one() {
    let (mut one, mut many) = (BatchSim::new(robot(), 3), BatchSim::new(robot(), 3));
    drive(one.controls_mut(), 3);
    drive(many.controls_mut(), 3);
    for _ in 0..5 {
        one.step_all();
    }
    many.step_n(5);
    assert_eq!(one.result().states, many.result().states);
}

#[test]
fn different_models_share_a_batch() {
    let (robot, pole) = (robot(), pole());
    let mut batch = BatchSim::of_models(vec![pole.clone(), robot.clone(), pole.clone()]);
    assert_eq!(batch.control_width(), robot.nu);
    drive(batch.controls_mut(), 1);
    let ctrl = batch.controls().to_vec();
    for _ in 0..20 {
        batch.step_all();
    }
    for (i, model) in [&pole, &robot, &pole].into_iter().enumerate() {
        let mut d = model.make_data();
        for _ in 0..20 {
            d.ctrl.copy_from_slice(&ctrl[i * robot.nu..][..model.nu]);
            d.step(model).unwrap();
        }
        let row = batch.result().state(i);
        assert_eq!(row[..model.nq], d.qpos);
        assert_eq!(row[model.nq..][..model.nv], d.qvel);
        assert!(row[model.nq + model.nv..].iter().all(|x| *x == 0.0));
        assert!(Arc::ptr_eq(batch.model(i), model));
    }
}

#[test]
fn varied_environments_step_as_models_of_their_own() {
    const N: usize = 9;
    let model = robot();
    let edit = |i: usize, m: &mut Model| {
        m.body_mass.iter_mut().for_each(|mass| *mass *= 1.0 + 0.1 * i as f64);
        m.geom_friction.iter_mut().for_each(|mu| *mu *= 1.0 - 0.05 * i as f64);
        m.actuator_gainprm.iter_mut().for_each(|gain| *gain *= 1.0 + 0.02 * i as f64);
        m.geom_pos.iter_mut().for_each(|x| *x *= 1.0 + 0.01 * i as f64);
    };
    for threads in [1, 3] {
        let mut batch = BatchSim::new(model.clone(), N).with_threads(threads).unwrap();
        for i in 1..N {
            batch.vary(i, |m| edit(i, m)).unwrap();
        }
        for step in 0..40 {
            drive(batch.controls_mut(), step);
            batch.step_all();
        }
        for i in 0..N {
            let mut own = Model::clone(&model);
            edit(i, &mut own);
            mj_set_const(&mut own);
            let mut d = own.make_data();
            let mut ctrl = vec![0.0; N * model.nu];
            for step in 0..40 {
                drive(&mut ctrl, step);
                d.ctrl.copy_from_slice(&ctrl[i * model.nu..][..model.nu]);
                d.step(&own).unwrap();
            }
            assert_eq!(batch.result().state(i)[..model.nq], d.qpos, "environment {i}");
        }
    }
    // the batch's model is as it was
    let fresh = robot();
    assert_eq!(model.body_mass, fresh.body_mass);
}

#[test]
fn observations_and_controls_can_be_single() {
    let mut batch = BatchSim::new(pole(), 4);
    batch.set_controls_f32(&[0.1, 0.2, 0.3, 0.4]);
    batch.step_all();
    let mut seen = [0.0_f32; 8];
    batch.observe(2, &mut seen, |i, m, d, row| {
        row[0] = d.sensordata[0] as f32;
        row[1] = (i * m.nu) as f32;
    });
    assert_eq!(seen[1..].iter().step_by(2).copied().collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0]);
    let mut states = [0.0_f32; 8];
    batch.result().write_states_f32(&mut states);
    assert!(states[7] > states[5] && states[5] > 0.0);
}

#[test]
fn models_without_dofs_or_actuators_can_be_stepped() {
    let empty = Arc::new(load_str("<mujoco><worldbody/></mujoco>").unwrap());
    let mut batch = BatchSim::new(empty, 3);
    assert_eq!((batch.controls_mut().len(), batch.len()), (0, 3));
    batch.step_n(10);
    assert!(batch.data(2).time > 0.0 && batch.result().state(1).is_empty());
    assert!(BatchSim::of_models(Vec::new()).step_all().rewards.is_empty());
}

#[test]
fn rollouts_are_steps_from_their_states() {
    let model = robot();
    let bits = StateBits::FULLPHYSICS;
    let size = mj_state_size(&model, bits);
    let (n, steps) = (5, 30);
    let mut initial = vec![0.0; n * size];
    for (i, row) in initial.chunks_exact_mut(size).enumerate() {
        let mut d = model.make_data();
        d.qpos[2] += 0.02 * i as f64;
        mj_get_state(&model, &d, row, bits).unwrap();
    }
    let mut controls = vec![0.0; n * steps * model.nu];
    drive(&mut controls, 0);
    let result = rollout(&model, &initial, &controls, steps, 2).unwrap();
    assert_eq!(result, rollout(&model, &initial, &controls, steps, 0).unwrap());
    for i in 0..n {
        let mut d = model.make_data();
        d.qpos[2] += 0.02 * i as f64;
        for step in 0..steps {
            d.ctrl.copy_from_slice(&controls[(i * steps + step) * model.nu..][..model.nu]);
            d.step(&model).unwrap();
            assert_eq!(result.state(i, step)[1..][..model.nq], d.qpos);
            assert_eq!(result.sensors(i, step), d.sensordata);
        }
    }
    assert_eq!(
        rollout(&model, &initial[1..], &[], steps, 0).unwrap_err(),
        RolloutError::States { given: n * size - 1, size }
    );
    let text = rollout(&model, &initial, &[1.0], steps, 0).unwrap_err().to_string();
    assert!(text.contains("1 controls were given"), "{text}");
}

#[test]
fn a_rollout_that_fails_repeats_its_last_state() {
    let model = pole();
    let size = mj_state_size(&model, StateBits::FULLPHYSICS);
    let mut initial = vec![0.0; 2 * size];
    initial[1] = f64::NAN;
    let result = rollout(&model, &initial, &[], 4, 0).unwrap();
    assert!(matches!(result.errors[0], Some((0, StepError::Diverged { .. }))));
    assert_eq!(result.state(0, 0), result.state(0, 3));
    assert!(result.errors[1].is_none() && result.state(1, 3)[0] > 0.0);
}

#[cfg(feature = "deformable")]
#[test]
fn deformables_are_stepped_to_the_same_bits_by_any_number_of_threads() {
    const N: usize = 5;
    let text = r#"<mujoco><worldbody><geom type="plane" size="2 2 .1"/>
        <body name="box" pos="0 0 .2"><freejoint/><geom type="box" size=".1 .1 .05" mass="1"/></body>
      </worldbody><xpbd><soft name="block" size=".2 .2 .1" cells="4 4 2" pos="0 0 .06" preset="foam"/>
      <rope fromto=".1 0 .2 .4 0 .5" segments="6"><pin vertex="6"/><attach vertex="0" body="box"/></rope>
      </xpbd></mujoco>"#;
    let model = Arc::new(load_str(text).unwrap());
    let start = |_: &Model, d: &mut Data, e: Episode| d.qvel[0] = 0.1 * e.environment as f64;
    let run = |threads: usize| {
        let batch = BatchSim::new(model.clone(), N).with_start(start);
        let mut batch = batch.with_threads(threads).unwrap();
        batch.reset_all();
        for _ in 0..120 {
            batch.step_all();
        }
        (0..N).map(|i| batch.result().state(i).to_vec()).collect::<Vec<_>>()
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(3));
    // the block holds the box up
    assert!(one.iter().all(|row| row[2] > 0.1), "{one:?}");
}
