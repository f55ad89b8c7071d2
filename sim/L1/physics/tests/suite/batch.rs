//! Batches: determinism across thread counts, isolation of failures, episodes, model variations.

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

/// Controls that differ between environments and between steps.
fn set_test_controls(ctrl: &mut [f64], step: usize) {
    for (i, u) in ctrl.iter_mut().enumerate() {
        *u = 0.5 * ((i * 7 + step) as f64 * 0.1).sin();
    }
}

#[test]
fn batch_is_bit_identical_to_single_simulations_for_any_thread_count() {
    const N: usize = 12;
    let model = robot();
    let start = |_: &Model, d: &mut Data, e: Episode| d.qpos[2] += 0.01 * e.environment as f64;
    let mut reference: Vec<Data> = (0..N).map(|_| model.make_data()).collect();
    for (i, d) in reference.iter_mut().enumerate() {
        start(&model, d, Episode { environment: i, count: 1 });
    }
    let mut ctrl = vec![0.0; N * model.nu];
    for step in 0..60 {
        set_test_controls(&mut ctrl, step);
        for (d, u) in reference.iter_mut().zip(ctrl.chunks_exact(model.nu)) {
            d.ctrl.copy_from_slice(u);
            d.step(&model).unwrap();
        }
    }
    for threads in [1, 2, 7] {
        let batch = BatchSim::new(model.clone(), N).with_start(start);
        let mut batch = batch.with_threads(threads).unwrap();
        batch.reset_all();
        for step in 0..60 {
            set_test_controls(batch.ctrl_mut(), step);
            batch.step_all();
        }
        for (i, d) in reference.iter().enumerate() {
            let row = batch.result().state(i);
            assert_eq!(row[..model.nq], d.qpos, "{threads} threads");
            assert_eq!(row[model.nq..], d.qvel, "{threads} threads");
        }
    }
}

#[test]
fn failed_environment_does_not_affect_the_others() {
    const N: usize = 64;
    let model = pole();
    let run = |inject_nan: bool| {
        let mut batch = BatchSim::new(model.clone(), N);
        for step in 0..50 {
            set_test_controls(batch.ctrl_mut(), step);
            if inject_nan && step == 20 {
                batch.data_mut(5).qvel[0] = f64::NAN;
            }
            let result = batch.step_all();
            let failed: Vec<usize> = (0..N).filter(|&i| result.errors[i].is_some()).collect();
            if inject_nan && step == 20 {
                assert_eq!(failed, [5]);
                assert!(matches!(result.errors[5], Some(StepError::Diverged { .. })));
                assert!(result.terminated[5] && !result.truncated[5]);
            } else {
                assert!(failed.is_empty(), "{failed:?} at step {step}");
            }
        }
        batch.result().clone()
    };
    let (healthy, failed) = (run(false), run(true));
    for i in (0..N).filter(|&i| i != 5) {
        assert_eq!(healthy.state(i), failed.state(i));
    }
    assert_ne!(healthy.state(5), failed.state(5));
    assert!(failed.state(5).iter().all(|x| x.is_finite()));
}

#[test]
fn episodes_end_by_termination_and_by_time_limit() {
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
    // environment 0 is at rest until the time limit, environment 2 reaches the termination angle
    assert_eq!(ends[0][0], (10, false));
    assert_eq!(ends[2][0], (8, true));
    // new episodes have started, with a higher initial velocity
    assert!(batch.data(2).qvel[0] > 5.0 && batch.data(2).time < 0.05);
    assert!(batch.data(0).time < 0.03);
}

#[test]
fn episodes_continue_without_auto_reset() {
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
fn step_n_is_equivalent_to_repeated_step_all() {
    let (mut one, mut many) = (BatchSim::new(robot(), 3), BatchSim::new(robot(), 3));
    set_test_controls(one.ctrl_mut(), 3);
    set_test_controls(many.ctrl_mut(), 3);
    for _ in 0..5 {
        one.step_all();
    }
    many.step_n(5);
    assert_eq!(one.result().states, many.result().states);
}

#[test]
fn batch_of_different_models_pads_rows() {
    let (robot, pole) = (robot(), pole());
    let mut batch = BatchSim::of_models(vec![pole.clone(), robot.clone(), pole.clone()]);
    assert_eq!(batch.nu(), robot.nu);
    set_test_controls(batch.ctrl_mut(), 1);
    let ctrl = batch.ctrl().to_vec();
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
fn variation_is_equivalent_to_an_edited_model() {
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
            set_test_controls(batch.ctrl_mut(), step);
            batch.step_all();
        }
        for i in 0..N {
            let mut own = Model::clone(&model);
            edit(i, &mut own);
            mj_set_const(&mut own);
            let mut d = own.make_data();
            let mut ctrl = vec![0.0; N * model.nu];
            for step in 0..40 {
                set_test_controls(&mut ctrl, step);
                d.ctrl.copy_from_slice(&ctrl[i * model.nu..][..model.nu]);
                d.step(&own).unwrap();
            }
            assert_eq!(batch.result().state(i)[..model.nq], d.qpos, "environment {i}");
        }
    }
    // the shared model is unchanged
    let fresh = robot();
    assert_eq!(model.body_mass, fresh.body_mass);
}

#[test]
fn observations_and_controls_in_single_precision() {
    let mut batch = BatchSim::new(pole(), 4);
    batch.set_ctrl_f32(&[0.1, 0.2, 0.3, 0.4]).unwrap();
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
fn models_without_dofs_or_actuators_step() {
    let empty = Arc::new(load_str("<mujoco><worldbody/></mujoco>").unwrap());
    let mut batch = BatchSim::new(empty, 3);
    assert_eq!((batch.ctrl_mut().len(), batch.len()), (0, 3));
    batch.step_n(10);
    assert!(batch.data(2).time > 0.0 && batch.result().state(1).is_empty());
    assert!(BatchSim::of_models(Vec::new()).step_all().rewards.is_empty());
}

#[test]
fn rollout_is_equivalent_to_stepping() {
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
    set_test_controls(&mut controls, 0);
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
    assert!(text.contains("but 1 were given"), "{text}");
}

#[test]
fn failed_rollout_repeats_its_last_state() {
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
fn deformable_bodies_are_bit_identical_for_any_thread_count() {
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
    // the block supports the box
    assert!(one.iter().all(|row| row[2] > 0.1), "{one:?}");
}

#[test]
fn batch_env_is_equivalent_to_the_inherent_methods() {
    fn run(batch: &mut impl BatchEnv) -> BatchResult {
        let ctrl: Vec<f64> = (0..batch.num_envs()).map(|i| 0.1 * i as f64).collect();
        batch.set_ctrl(&ctrl).unwrap();
        batch.step(10).unwrap();
        batch.reset_where(&[true, false, false]).unwrap();
        batch.step(5).unwrap()
    }
    let mut by_trait = BatchSim::new(pole(), 3);
    let mut inherent = BatchSim::new(pole(), 3);
    inherent.ctrl_mut().copy_from_slice(&[0.0, 0.1, 0.2]);
    inherent.step_n(10);
    inherent.reset(0);
    assert_eq!(run(&mut by_trait), *inherent.step_n(5));

    let error = by_trait.set_ctrl(&[0.0; 4]).unwrap_err().to_string();
    assert_eq!(error, "`ctrl` of the batch takes 3 values, but 4 were given");
    let error = BatchEnv::reset_where(&mut by_trait, &[true]).unwrap_err().to_string();
    assert_eq!(error, "`mask` of the batch takes 3 values, but 1 were given");
}
