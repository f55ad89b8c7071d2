//! Batches: state transfer, resets, tasks, per-environment parameters, errors.

use crate::models::gpu;
use sim_core::{Model, mj_step};
use sim_gpu::{Callbacks, GpuBatch, GpuBatchError, Options, Precision, StorageBarriers};

/// A cart-pole and a sphere above a plane.
const CART: &str = r#"<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <geom type="plane" size="9 9 .1"/>
    <body pos="0 0 1"><joint type="slide" axis="1 0 0" damping=".1"/><geom type="sphere" size=".1" contype="0" conaffinity="0"/>
      <body><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .5" size=".03" contype="0" conaffinity="0"/></body></body>
    <body pos="0 2 .3"><joint type="slide" axis="0 0 1"/><geom type="sphere" size=".2"/></body>
  </worldbody>
  <actuator><motor joint="joint0" gear="10"/></actuator>
  <sensor><clock/></sensor>
</mujoco>"#;

/// A pendulum. Its kernels have neither contacts nor constraint rows, and compile in a tenth of the time.
const PENDULUM: &str = r#"<mujoco>
  <option timestep="0.01"/>
  <worldbody><body><joint name="j" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".03"/></body></worldbody>
  <sensor><clock/></sensor>
</mujoco>"#;

/// Terminates when the pole has fallen.
const TASK: &str = "
fn reward() -> real { return 1.0 - abs(qpos(1u)) + 0.0 * ctrl(0u) + 0.0 * sensor(0u) + 0.0 * time(); }
fn terminated() -> bool { return abs(qpos(1u)) > 0.5; }
";

fn cart() -> Model {
    let text = CART.replacen("<joint type", r#"<joint name="joint0" type"#, 1);
    sim_mjcf::load_str(&text).unwrap_or_else(|error| panic!("{error}"))
}

fn with_task() -> Options {
    Options { task: Some(TASK.into()), max_episode_steps: Some(40), seed: 7, ..Options::default() }
}

/// For tests in which the number of lanes does not matter: kernels of one lane compile fastest.
fn one_lane() -> Options {
    Options { one_lane: true, ..Options::default() }
}

/// States with different pole angles.
fn leaning(m: &Model, count: usize) -> Vec<f64> {
    let state = |k: usize| {
        let mut s = [&m.qpos0[..], &vec![0.0; m.nv][..]].concat();
        s[1] = 0.05 * k as f64;
        s
    };
    (0..count).flat_map(state).collect()
}

#[test]
fn states_are_written_and_read() {
    let m = cart();
    let mut batch = GpuBatch::new(gpu(), &m, 5, &with_task()).expect("a batch");
    let states = leaning(&m, 5);
    batch.set_state(&states).expect("set");
    let back = batch.state().expect("read");
    assert!(states.iter().zip(&back).all(|(a, b)| (a - b).abs() < 1e-6));
    batch.set_ctrl(&[0.1; 5]).expect("set");
    batch.step(3).expect("stepped");
    let full = batch.full_state().expect("read");
    batch.step(4).expect("stepped");
    let later = batch.full_state().expect("read");
    batch.set_full_state(&full).expect("set");
    batch.step(4).expect("stepped");
    assert_eq!(batch.full_state().expect("read"), later, "the same bits again");
    let mut seen = vec![0.0; 5 * batch.observation_width()];
    batch.observations(&mut seen).expect("read");
    assert_eq!(seen[0], later[1] as f32);
    assert!(
        (seen[batch.observation_width() - 1] - 0.06).abs() < 1e-6,
        "the clock of the last step"
    );
}

/// Observations are states and sensor data, and can be in flight during further steps.
#[test]
fn observations_are_read_asynchronously() {
    let pendulum = sim_mjcf::load_str(PENDULUM).unwrap_or_else(|error| panic!("{error}"));
    let double = Options { precision: Precision::Double, ..one_lane() };
    for (m, options) in [(cart(), with_task()), (pendulum, double)] {
        let mut batch = GpuBatch::new(gpu(), &m, 5, &options).expect("a batch");
        batch.set_state(&leaning(&m, 5)).expect("set");
        let (width, moving) = (batch.observation_width(), m.nq + m.nv);
        let mut seen = vec![0.0; 5 * width];
        assert!(!batch.fetch_observations(&mut seen).expect("requested"), "none was requested");
        let mut expected = Vec::new();
        for _ in 0..3 {
            batch.step(2).expect("stepped");
            assert!(batch.request_observations().expect("requested"));
            let (states, sensors) =
                (batch.state().expect("read"), batch.sensordata().expect("read"));
            let rows = states.chunks_exact(moving).zip(sensors.chunks_exact(m.nsensordata));
            let all = rows.flat_map(|(state, read)| [state, read].concat());
            expected.push(all.map(|x| x as f32).collect::<Vec<_>>());
        }
        batch.step(1).expect("stepped");
        assert!(!batch.request_observations().expect("requested"), "three are in flight");
        for expected in &expected {
            assert!(batch.fetch_observations(&mut seen).expect("fetched"));
            assert_eq!(&seen, expected);
        }
        assert!(!batch.fetch_observations(&mut seen).expect("requested"));
        batch.observations(&mut seen).expect("read");
        assert_eq!(seen[0], batch.state().expect("read")[0] as f32);
        assert_ne!(seen, expected[2]);
    }
}

#[test]
fn trajectories_agree_with_the_cpu() {
    let m = cart();
    let mut batch = GpuBatch::new(gpu(), &m, 1, &with_task()).expect("a batch");
    let mut d = m.make_data();
    d.ctrl[0] = 0.3;
    batch.set_ctrl(&[0.3]).expect("set");
    for _ in 0..20 {
        batch.step(1).expect("stepped");
        mj_step(&m, &mut d).expect("stepped");
    }
    let ours = batch.state().expect("read");
    for (a, b) in ours.iter().zip(d.qpos.iter().chain(&d.qvel)) {
        assert!((a - b).abs() < 1e-4, "{ours:?} against {:?} {:?}", d.qpos, d.qvel);
    }
}

#[test]
fn episodes_end_and_restart_from_the_initial_states() {
    let m = cart();
    let mut batch = GpuBatch::new(gpu(), &m, 4, &with_task()).expect("a batch");
    batch.set_initial_states(&leaning(&m, 3)).expect("set");
    let mut start = leaning(&m, 4);
    let width = m.nq + m.nv;
    start[width + 1] = 0.6;
    batch.set_state(&start).expect("set");
    batch.step(1).expect("stepped");
    let (info, rewards) = (batch.info().expect("read"), batch.rewards().expect("read"));
    assert!(!info[0].terminated && info[1].terminated);
    assert_eq!((info[1].episode_steps, info[1].resets), (0, 1));
    assert!((rewards[0] - 1.0).abs() < 1e-3 && (rewards[1] - 0.4).abs() < 1e-2, "{rewards:?}");
    let angle = batch.state().expect("read")[width + 1];
    assert!(
        [0.0, 0.05, 0.1].iter().any(|a| (a - angle).abs() < 1e-6),
        "{angle} is not an initial state"
    );
    batch.step(39).expect("stepped");
    assert!(batch.info().expect("read")[0].truncated, "an episode has forty steps");
    // the same seed chooses the same states
    let all = batch.full_state().expect("read");
    let mut again = GpuBatch::new(gpu(), &m, 4, &with_task()).expect("a batch");
    again.set_initial_states(&leaning(&m, 3)).expect("set");
    again.set_state(&start).expect("set");
    again.step(1).expect("stepped");
    again.step(39).expect("stepped");
    assert_eq!(again.full_state().expect("read"), all);
}

/// A body welded to a mocap body, and one on a slide joint, without contacts.
const HELD: &str = r#"<mujoco>
  <option><flag contact="disable"/></option>
  <worldbody>
    <body name="mocap" mocap="true" pos="0 0 1"><geom size=".05"/></body>
    <body name="held" pos="0 0 1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="2 0 0"><joint name="x" type="slide" axis="1 0 0"/><geom size=".1"/></body>
  </worldbody>
  <equality><weld body1="mocap" body2="held"/></equality>
  <actuator><motor joint="x"/></actuator>
</mujoco>"#;

#[test]
fn a_welded_body_follows_the_mocap_body() {
    let m = sim_mjcf::load_str(HELD).expect("a model");
    let options = Options { applied: true, ..one_lane() };
    let mut batch = GpuBatch::new(gpu(), &m, 3, &options).expect("a batch");
    let poses = [0.0, 0.1, -0.2].map(|x| [x, 0.0, 1.0, 1.0, 0.0, 0.5 * x, 0.0]);
    batch.set_ctrl(&[1.0; 3]).expect("set");
    // the first environment keeps the pose of the model
    batch.set_mocap(&poses.concat()).expect("set");
    let pushes: Vec<f64> = (0..3).flat_map(|k| [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, k as f64]).collect();
    batch.set_applied(&pushes).expect("set");
    // software drivers end loops after 65536 iterations, so that one lane takes few steps per dispatch
    for _ in 0..20 {
        batch.step(15).expect("stepped");
    }
    let states = batch.state().expect("read");
    for (k, pose) in poses.iter().enumerate() {
        let mut d = m.make_data();
        d.mocap_pos.copy_from_slice(&pose[..3]);
        d.mocap_quat.copy_from_slice(&pose[3..]);
        d.ctrl[0] = 1.0;
        d.qfrc_applied[6] = k as f64;
        for _ in 0..300 {
            mj_step(&m, &mut d).expect("stepped");
        }
        let ours = &states[k * (m.nq + m.nv)..][..m.nq];
        for (a, b) in ours.iter().zip(&d.qpos) {
            assert!((a - b).abs() < 1e-3, "{ours:?} against {:?}", d.qpos);
        }
        assert!((ours[0] - pose[0]).abs() < 1e-3, "{ours:?} at {pose:?}");
    }
}

#[test]
fn a_diverged_environment_does_not_affect_others() {
    let m = cart();
    let mut batch = GpuBatch::new(gpu(), &m, 3, &one_lane()).expect("a batch");
    let good = leaning(&m, 3);
    let run = |batch: &mut GpuBatch, states: &[f64]| {
        batch.set_state(states).expect("set");
        batch.step(10).expect("stepped");
        batch.state().expect("read")
    };
    let expected = run(&mut batch, &good);
    let width = m.nq + m.nv;
    let mut states = good.clone();
    states[width + m.nq] = f64::NAN;
    let found = run(&mut batch, &states);
    assert_eq!(found[..width], expected[..width]);
    assert_eq!(found[2 * width..], expected[2 * width..]);
    let info = batch.info().expect("read");
    assert!(info[1].flags.diverged && !info[0].flags.diverged && !info[2].flags.diverged);
    batch.reset_where(&[false, true, false]).expect("requested");
    batch.step(1).expect("stepped");
    let info = batch.info().expect("read");
    assert!(!info[1].flags.diverged && info[1].resets == 1);
    assert!(batch.state().expect("read")[width..2 * width].iter().all(|x| x.is_finite()));
}

/// Without iterations the solver stays at its start. With the warm start disabled that is the unconstrained
/// acceleration, whatever the stored warm start is, and the pendulum swings beyond the limit of its joint.
#[test]
fn disabled_warm_start_starts_at_the_unconstrained_acceleration() {
    let cold_start =
        r#"<option timestep="0.01" iterations="0"><flag warmstart="disable"/></option>"#;
    let text = PENDULUM
        .replace(r#"<option timestep="0.01"/>"#, cold_start)
        .replace(r#"damping=".1""#, r#"range="-10 10""#);
    let m = sim_mjcf::load_str(&text).unwrap_or_else(|error| panic!("{error}"));
    for (precision, bound) in [(Precision::Single, 1e-5), (Precision::Double, 1e-12)] {
        let options = Options { precision, ..one_lane() };
        let mut batch = GpuBatch::new(gpu(), &m, 2, &options).expect("a batch");
        let mut full = batch.full_state().expect("read");
        let width = full.len() / 2;
        full[width - m.nv..width].fill(100.0);
        full[1] = 0.3;
        batch.set_full_state(&full).expect("set");
        batch.step(5).expect("stepped");
        let info = batch.info().expect("read");
        assert!(info[0].rows > 0 && info[0].iterations == 0, "{info:?}");
        let mut d = m.make_data();
        d.qpos.copy_from_slice(&full[1..][..m.nq]);
        for _ in 0..5 {
            mj_step(&m, &mut d).expect("stepped");
        }
        let found = batch.state().expect("read");
        for (ours, theirs) in found.iter().zip(d.qpos.iter().chain(&d.qvel)) {
            assert!((ours - theirs).abs() < bound, "{found:?}, not {:?} {:?}", d.qpos, d.qvel);
        }
    }
}

#[test]
fn contact_overflow_is_reported() {
    let spheres = r#"<body pos="0 0 .1"><joint type="slide" axis="0 0 1"/><geom size=".11"/></body>
                   <body pos="1 0 .1"><joint type="slide" axis="0 0 1"/><geom size=".11"/></body>"#;
    let text = format!(
        r#"<mujoco><worldbody><geom type="plane" size="5 5 1"/>{spheres}</worldbody></mujoco>"#
    );
    let m = sim_mjcf::load_str(&text).expect("a model");
    let options = Options { contacts: Some(1), ..one_lane() };
    let mut batch = GpuBatch::new(gpu(), &m, 1, &options).expect("a batch");
    batch.step(1).expect("stepped");
    let info = batch.info().expect("read");
    assert!(info[0].flags.contacts && info[0].contacts == 1, "{info:?}");
}

#[test]
fn environments_have_their_own_parameters() {
    let m = cart();
    let mut batch = GpuBatch::new(gpu(), &m, 2, &with_task()).expect("a batch");
    batch.set_ctrl(&[1.0, 1.0]).expect("set");
    batch
        .randomize(|k, m| m.actuator_gear[0] = if k == 0 { 10.0 } else { 20.0 })
        .expect("parameters");
    batch.step(5).expect("stepped");
    let s = batch.state().expect("read");
    let width = m.nq + m.nv;
    assert!((s[width] / s[0] - 2.0).abs() < 0.05, "{s:?}");
    let other = batch.randomize(|_, m| m.opt.cone = sim_core::types::Cone::Elliptic);
    assert!(matches!(other, Err(GpuBatchError::Unsupported { .. })), "{other:?}");
    let other = batch.randomize(|_, m| m.opt.density = 1.0);
    assert!(matches!(other, Err(GpuBatchError::Unsupported { .. })), "a fluid: {other:?}");
    let other = batch.randomize(|_, m| m.jnt_limited[0] = true);
    assert!(matches!(other, Err(GpuBatchError::Unsupported { .. })), "{other:?}");
}

#[test]
fn unsupported_features_are_named() {
    let unsupported = |text: &str, part: &str| {
        let m = sim_mjcf::load_str(text).unwrap_or_else(|error| panic!("{error}"));
        match GpuBatch::new(gpu(), &m, 1, &Options::default()) {
            Err(error @ GpuBatchError::Unsupported { .. }) => {
                assert!(error.to_string().contains(part), "{error}");
            }
            other => panic!("{part}: {other:?}"),
        }
    };
    let body = r#"<body><joint name="j"/><geom size=".1"/></body>"#;
    let model = |head: &str, tail: &str| {
        format!("<mujoco>{head}<worldbody>{body}</worldbody>{tail}</mujoco>")
    };
    unsupported(&model(r#"<option iterations="0"/>"#, ""), "no iterations");
    let delay = r#"<actuator><motor joint="j" nsample="2" delay=".01"/></actuator>"#;
    unsupported(&model(r#"<option integrator="RK4"/>"#, delay), "delays");
    unsupported(&model("", r#"<sensor><user dim="1"/></sensor>"#), "User");
    let cloth = r#"<flexcomp name="cloth" type="grid" count="2 2 1" spacing=".1 .1 .1" dim="2" radius=".01">
        <edge equality="true"/></flexcomp>"#;
    let text = format!("<mujoco><worldbody>{body}{cloth}</worldbody></mujoco>");
    unsupported(&text, "flexes");
    let plugin = r#"<extension><plugin plugin="mujoco.pid"/></extension>"#;
    let actuator = r#"<actuator><plugin joint="j" plugin="mujoco.pid"/></actuator>"#;
    unsupported(&model(plugin, actuator), "plugins (`mujoco.pid`)");
}

#[test]
fn wrong_lengths_are_errors() {
    let m = cart();
    let mut batch = GpuBatch::new(gpu(), &m, 2, &with_task()).expect("a batch");
    let length = |result: Result<(), GpuBatchError>| {
        assert!(matches!(result, Err(GpuBatchError::Length { .. })), "{result:?}");
    };
    length(batch.set_ctrl(&[0.0]));
    length(batch.set_state(&[0.0]));
    length(batch.set_full_state(&[0.0]));
    length(batch.set_mocap(&[0.0]));
    length(batch.set_applied(&[0.0]));
    length(batch.set_initial_states(&[0.0]));
    length(batch.reset_where(&[true]));
    length(batch.observations(&mut [0.0]));
    let task = Some("fn reward() -> real { return nothing; }".into());
    let bad = GpuBatch::new(gpu(), &m, 1, &Options { task, ..Options::default() });
    assert!(matches!(&bad, Err(GpuBatchError::Device(_))), "{bad:?}");
}

/// Explicit storage barriers only add synchronisation.
#[test]
fn storage_barriers_do_not_change_results() {
    let m = cart();
    let run = |storage_barriers| {
        let options = Options { storage_barriers, ..with_task() };
        let mut batch = GpuBatch::new(gpu(), &m, 3, &options).expect("a batch");
        batch.set_state(&leaning(&m, 3)).expect("set");
        batch.step(12).expect("stepped");
        (batch.full_state().expect("read"), batch.rewards().expect("read"))
    };
    assert_eq!(run(StorageBarriers::Assumed), run(StorageBarriers::Explicit));
}

#[test]
fn environments_that_share_scratch_memory_are_stepped_in_parts() {
    let xml = r#"<mujoco>
      <worldbody>
        <geom type="plane" size="1 1 1"/>
        <body pos="0 0 .15"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        <body pos=".3 0 .5"><joint axis="0 1 0"/><geom type="capsule" size=".05 .2" pos="0 0 .2"/></body>
      </worldbody>
    </mujoco>"#;
    let m = sim_mjcf::load_str(xml).unwrap_or_else(|error| panic!("{error}"));
    let (count, width) = (5, m.nq + m.nv);
    let mut initial = Vec::new();
    for k in 0..count {
        let mut d = m.make_data();
        d.qpos[2] -= 0.02 * k as f64;
        d.qpos[7] = 0.3 * k as f64;
        initial.extend([&d.qpos[..], &d.qvel[..]].concat());
    }
    // with one lane, matrices are in a storage buffer
    let states = [None, Some(2)].map(|scratch_environments| {
        let options = Options {
            one_lane: true,
            two_passes: Some(true),
            scratch_environments,
            ..Options::default()
        };
        let mut batch = GpuBatch::new(gpu(), &m, count, &options).expect("a batch");
        batch.set_state(&initial).expect("set");
        batch.step(3).expect("stepped");
        batch.step_timed(20).expect("stepped");
        let info = batch.info().expect("read");
        assert!(info.iter().all(|info| info.episode_steps == 23), "{info:?}");
        assert!(info.iter().any(|info| info.contacts > 0), "{info:?}");
        batch.state().expect("read")
    });
    assert_eq!(states[0], states[1]);
    assert_ne!(states[0][..width], states[0][width..2 * width]);
}

/// A controller and a passive force in WGSL agree with the same callbacks on the CPU, in every stage of RK4.
#[test]
fn callbacks_take_part_in_every_step() {
    let option = r#"<option integrator="RK4"><flag contact="disable"/></option>
        <size nuserdata="1"/><worldbody>"#;
    let text = CART.replacen("<joint type", r#"<joint name="joint0" type"#, 1);
    let text = text.replacen("<worldbody>", option, 1);
    let mut m = sim_mjcf::load_str(&text).unwrap_or_else(|error| panic!("{error}"));
    let callbacks = Callbacks {
        control: Some(
            "fn mjcb_control(i: u32) -> real { return ctrl(i) + gain() * qpos(1u) + qvel(1u); }
                fn gain() -> real { return 3.0; }"
                .into(),
        ),
        passive: Some(
            "fn mjcb_passive(i: u32) -> real { return real(i) - time() - qvel(i) * qvel(i); }"
                .into(),
        ),
    };
    let options = Options { callbacks, one_lane: true, ..Options::default() };
    let mut batch = GpuBatch::new(gpu(), &m, 2, &options).expect("a batch");
    batch.set_state(&leaning(&m, 2)).expect("set");
    batch.set_ctrl(&[0.5, -0.5]).expect("set");
    batch.step(20).expect("stepped");
    let states = batch.state().expect("read");

    m.set_control_callback(|_, d| d.ctrl[0] = d.userdata[0] + 3.0 * d.qpos[1] + d.qvel[1]);
    m.set_passive_callback(|m, d| {
        for i in 0..m.nv {
            d.qfrc_passive[i] += i as f64 - d.time - d.qvel[i] * d.qvel[i];
        }
    });
    for (k, (input, state)) in [0.5, -0.5].into_iter().zip(states.chunks(m.nq + m.nv)).enumerate() {
        let mut d = m.make_data();
        d.userdata[0] = input;
        d.qpos[1] = 0.05 * k as f64;
        for _ in 0..20 {
            d.step(&m).expect("stepped");
        }
        for (a, b) in d.qpos.iter().chain(&d.qvel).zip(state) {
            assert!((a - b).abs() < 1e-4, "{a} and {b}");
        }
    }

    // an environment that diverges keeps the time at the start of its step
    let mut bad = leaning(&m, 2);
    bad[m.nq + m.nv + m.nq] = f64::NAN;
    batch.set_state(&bad).expect("set");
    let before = batch.full_state().expect("read");
    batch.step(1).expect("stepped");
    let after = batch.full_state().expect("read");
    let width = after.len() / 2;
    assert!((after[0] - before[0] - m.opt.timestep).abs() < 1e-6, "{} to {}", before[0], after[0]);
    assert_eq!(after[width], before[width]);
    assert!(batch.info().expect("read")[1].flags.diverged);
}
