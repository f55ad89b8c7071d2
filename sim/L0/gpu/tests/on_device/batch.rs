//! Batches: states in and out, resets, tasks, numbers of their own, what goes wrong.

use crate::models::gpu;
use sim_core::{Model, mj_step};
use sim_gpu::{GpuBatch, GpuBatchError, Options, Precision};

/// A cart with a pole and a ball over the floor.
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

/// Ends when the pole is down.
const TASK: &str = "
fn reward() -> real { return 1.0 - abs(qpos(1u)) + 0.0 * ctrl(0u) + 0.0 * sensor(0u) + 0.0 * time(); }
fn terminated() -> bool { return abs(qpos(1u)) > 0.5; }
";

fn cart() -> Model {
    let text = CART.replacen("<joint type", r#"<joint name="joint0" type"#, 1);
    sim_mjcf::load_str(&text).unwrap_or_else(|error| panic!("{error}"))
}

fn with_task() -> Options {
    Options { task: Some(TASK.into()), most_steps: Some(40), seed: 7, ..Options::default() }
}

/// Poles that lean by different angles.
fn leaning(m: &Model, count: usize) -> Vec<f64> {
    let state = |k: usize| {
        let mut s = [&m.qpos0[..], &vec![0.0; m.nv][..]].concat();
        s[1] = 0.05 * k as f64;
        s
    };
    (0..count).flat_map(state).collect()
}

#[test]
fn states_go_in_and_come_out() {
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

/// Observations are states and sensors, and may be on their way while steps go on.
#[test]
fn observations_travel_while_steps_go_on() {
    let m = cart();
    for precision in [Precision::Single, Precision::Double] {
        let options = Options { precision, one_lane: true, ..with_task() };
        let mut batch = GpuBatch::new(gpu(), &m, 5, &options).expect("a batch");
        batch.set_state(&leaning(&m, 5)).expect("set");
        let (width, moving) = (batch.observation_width(), m.nq + m.nv);
        let mut seen = vec![0.0; 5 * width];
        assert!(!batch.fetch_observations(&mut seen).expect("asked"), "none were sent for");
        let mut expected = Vec::new();
        for _ in 0..3 {
            batch.step(2).expect("stepped");
            assert!(batch.ask_observations().expect("asked"));
            let (states, sensors) =
                (batch.state().expect("read"), batch.sensordata().expect("read"));
            let rows = states.chunks_exact(moving).zip(sensors.chunks_exact(m.nsensordata));
            let all = rows.flat_map(|(state, read)| [state, read].concat());
            expected.push(all.map(|x| x as f32).collect::<Vec<_>>());
        }
        batch.step(1).expect("stepped");
        assert!(!batch.ask_observations().expect("asked"), "three are on their way");
        for expected in &expected {
            assert!(batch.fetch_observations(&mut seen).expect("fetched"));
            assert_eq!(&seen, expected);
        }
        assert!(!batch.fetch_observations(&mut seen).expect("asked"));
        batch.observations(&mut seen).expect("read");
        assert_eq!(seen[0], batch.state().expect("read")[0] as f32);
        assert_ne!(seen, expected[2]);
    }
}

#[test]
fn steps_are_those_of_the_processor() {
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
fn episodes_end_and_begin_again_from_the_bank() {
    let m = cart();
    let mut batch = GpuBatch::new(gpu(), &m, 4, &with_task()).expect("a batch");
    batch.set_bank(&leaning(&m, 3)).expect("set");
    let mut start = leaning(&m, 4);
    let width = m.nq + m.nv;
    start[width + 1] = 0.6;
    batch.set_state(&start).expect("set");
    batch.step(1).expect("stepped");
    let (info, rewards) = (batch.info().expect("read"), batch.rewards().expect("read"));
    assert!(!info[0].terminated && info[1].terminated);
    assert_eq!((info[1].age, info[1].resets), (0, 1));
    assert!((rewards[0] - 1.0).abs() < 1e-3 && (rewards[1] - 0.4).abs() < 1e-2, "{rewards:?}");
    let angle = batch.state().expect("read")[width + 1];
    assert!(
        [0.0, 0.05, 0.1].iter().any(|a| (a - angle).abs() < 1e-6),
        "{angle} is not of the bank"
    );
    batch.step(39).expect("stepped");
    assert!(batch.info().expect("read")[0].truncated, "forty steps are the most");
    // the same seed takes the same states
    let all = batch.full_state().expect("read");
    let mut again = GpuBatch::new(gpu(), &m, 4, &with_task()).expect("a batch");
    again.set_bank(&leaning(&m, 3)).expect("set");
    again.set_state(&start).expect("set");
    again.step(1).expect("stepped");
    again.step(39).expect("stepped");
    assert_eq!(again.full_state().expect("read"), all);
}

/// A body that a weld holds to a mocap body, and one on a slide.
const HELD: &str = r#"<mujoco>
  <worldbody>
    <body name="hand" mocap="true" pos="0 0 1"><geom size=".05" contype="0" conaffinity="0"/></body>
    <body name="held" pos="0 0 1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="2 0 0"><joint name="x" type="slide" axis="1 0 0"/><geom size=".1"/></body>
  </worldbody>
  <equality><weld body1="hand" body2="held"/></equality>
  <actuator><motor joint="x"/></actuator>
</mujoco>"#;

#[test]
fn what_is_held_follows_the_hand() {
    let m = sim_mjcf::load_str(HELD).expect("a model");
    let options = Options { applied: true, ..Options::default() };
    let mut batch = GpuBatch::new(gpu(), &m, 3, &options).expect("a batch");
    let poses = [0.0, 0.1, -0.2].map(|x| [x, 0.0, 1.0, 1.0, 0.0, 0.5 * x, 0.0]);
    batch.set_ctrl(&[1.0; 3]).expect("set");
    // the first environment keeps what the model has
    batch.set_mocap(&poses.concat()).expect("set");
    let pushes: Vec<f64> = (0..3).flat_map(|k| [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, k as f64]).collect();
    batch.set_applied(&pushes).expect("set");
    batch.step(300).expect("stepped");
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
fn one_that_diverges_leaves_the_others_alone() {
    let m = cart();
    let mut batch = GpuBatch::new(gpu(), &m, 3, &Options::default()).expect("a batch");
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
    batch.reset_where(&[false, true, false]).expect("asked");
    batch.step(1).expect("stepped");
    let info = batch.info().expect("read");
    assert!(!info[1].flags.diverged && info[1].resets == 1);
    assert!(batch.state().expect("read")[width..2 * width].iter().all(|x| x.is_finite()));
}

/// Without iterations the solver stays where it begins: where that may not be the step before, the
/// ball falls through the floor, whatever was left from there.
#[test]
fn solvers_begin_anew_where_models_ask_for_it() {
    let cold = r#"<option timestep="0.01" iterations="0"><flag warmstart="disable"/></option>"#;
    let text = CART
        .replace(r#"<option timestep="0.01"/>"#, cold)
        .replacen("<joint type", r#"<joint name="joint0" type"#, 1)
        .replace(r#" damping=".1""#, "");
    let m = sim_mjcf::load_str(&text).unwrap_or_else(|error| panic!("{error}"));
    for (precision, bound) in [(Precision::Single, 1e-5), (Precision::Double, 1e-12)] {
        let options = Options { precision, ..Options::default() };
        let mut batch = GpuBatch::new(gpu(), &m, 2, &options).expect("a batch");
        let mut full = batch.full_state().expect("read");
        let width = full.len() / 2;
        full[width - m.nv..width].fill(100.0);
        full[2] = 0.3;
        full[3] = -0.3;
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
fn too_many_contacts_are_told() {
    let balls = r#"<body pos="0 0 .1"><freejoint/><geom size=".11"/></body>
                   <body pos="1 0 .1"><freejoint/><geom size=".11"/></body>"#;
    let text = format!(
        r#"<mujoco><worldbody><geom type="plane" size="5 5 1"/>{balls}</worldbody></mujoco>"#
    );
    let m = sim_mjcf::load_str(&text).expect("a model");
    let options = Options { contacts: Some(1), ..Options::default() };
    let mut batch = GpuBatch::new(gpu(), &m, 1, &options).expect("a batch");
    batch.step(1).expect("stepped");
    let info = batch.info().expect("read");
    assert!(info[0].flags.contacts && info[0].contacts == 1, "{info:?}");
}

#[test]
fn environments_have_numbers_of_their_own() {
    let m = cart();
    let mut batch = GpuBatch::new(gpu(), &m, 2, &Options::default()).expect("a batch");
    batch.set_ctrl(&[1.0, 1.0]).expect("set");
    batch.randomize(|k, m| m.actuator_gear[0] = if k == 0 { 10.0 } else { 20.0 }).expect("numbers");
    batch.step(5).expect("stepped");
    let s = batch.state().expect("read");
    let width = m.nq + m.nv;
    assert!((s[width] / s[0] - 2.0).abs() < 0.05, "{s:?}");
    let other = batch.randomize(|_, m| m.opt.cone = sim_core::types::Cone::Elliptic);
    assert!(matches!(other, Err(GpuBatchError::Unsupported { .. })), "{other:?}");
    let other = batch.randomize(|_, m| m.opt.density = 1.0);
    assert!(matches!(other, Err(GpuBatchError::Unsupported { .. })), "{other:?}");
    let other = batch.randomize(|_, m| m.jnt_limited[0] = true);
    assert!(matches!(other, Err(GpuBatchError::Unsupported { .. })), "{other:?}");
}

#[test]
fn what_cannot_be_done_is_refused_by_name() {
    let refused = |text: &str, part: &str| {
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
    refused(&model(r#"<option integrator="RK4"/>"#, ""), "its integrator is Rk4");
    refused(&model(r#"<option density="1.2"/>"#, ""), "fluid");
    refused(&model(r#"<option iterations="0"/>"#, ""), "no iterations");
    refused(&model(r#"<option noslip_iterations="3"/>"#, ""), "noslip");
    refused(&model("", r#"<actuator><muscle joint="j" lengthrange="0 1"/></actuator>"#), "muscle");
    refused(&model("", r#"<sensor><user dim="1"/></sensor>"#), "User");
    refused("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>", "no joints");
}

#[test]
fn lengths_are_checked() {
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
    length(batch.set_bank(&[0.0]));
    length(batch.reset_where(&[true]));
    length(batch.observations(&mut [0.0]));
    let task = Some("fn reward() -> real { return nothing; }".into());
    let bad = GpuBatch::new(gpu(), &m, 1, &Options { task, ..Options::default() });
    assert!(matches!(&bad, Err(GpuBatchError::Device(_))), "{bad:?}");
}
