//! Displacement bounds, which let separated pairs be skipped, and the second pass, which tests close pairs.

use crate::models::gpu;
use sim_core::{Model, mj_forward};
use sim_gpu::{GpuBatch, Options, Precision};

/// A model, and options for double precision, two passes and the given capacities.
pub fn with_two_passes(xml: &str, contacts: usize, rows: usize) -> (Model, Options) {
    let mut m = sim_mjcf::load_str(xml).unwrap_or_else(|error| panic!("{error}"));
    m.opt.tolerance = 1e-13;
    let options = Options {
        precision: Precision::Double,
        contacts: Some(contacts),
        rows: Some(rows),
        two_passes: Some(true),
        ..Options::default()
    };
    (m, options)
}

/// A box that slides towards a static box.
const SLIDER: &str = r#"<mujoco>
  <worldbody>
    <geom type="box" size=".1 .1 .1"/>
    <body pos=".4 .02 .03" euler="10 20 30"><joint type="slide" axis="1 0 0"/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>"#;

#[test]
fn contacts_are_found_after_jumps_of_the_state() {
    let (m, mut options) = with_two_passes(SLIDER, 8, 32);
    // the exhaustive tests run two passes with several lanes
    options.one_lane = true;
    let mut batch = GpuBatch::new(gpu(), &m, 1, &options).expect("a batch");
    let mut d = m.make_data();
    let mut found = Vec::new();
    // separated, in contact, slightly separated, in contact again; and after a NaN state
    for x in [0.2, -0.19, -0.1, -0.19, 0.2, f64::NAN, -0.19, -0.1, -0.19] {
        batch.set_state(&[x, 0.0]).expect("set");
        batch.step(1).expect("stepped");
        let contacts = batch.info().expect("read")[0].contacts;
        if x.is_nan() {
            continue;
        }
        d.qpos[0] = x;
        mj_forward(&m, &mut d).expect("forward");
        assert_eq!(contacts, d.ncon, "at {x}");
        found.push(contacts > 0);
    }
    assert_eq!(found, [false, true, false, true, false, true, false, true]);
}

/// Three spheres above a tilted height field.
const HILLS: &str = r#"<mujoco>
  <asset>
    <hfield name="hills" nrow="5" ncol="4" size="1 1 .3 .2"
      elevation="1 0 2 1 0 3 1 2 2 1 0 1 3 2 1 0 0 1 2 3"/>
  </asset>
  <default><geom contype="1" conaffinity="0"/></default>
  <worldbody>
    <geom type="hfield" hfield="hills" euler="8 -5 30" contype="0" conaffinity="1"/>
    <body><freejoint/><geom size=".05"/></body>
    <body><freejoint/><geom size=".12"/></body>
    <body><freejoint/><geom size=".4" margin=".02"/></body>
  </worldbody>
</mujoco>"#;

/// Steps spheres at random heights above, on and inside a height field, and beside it.
pub fn step_spheres_on_hills(one_lane: bool) {
    const ENVS: usize = 96;
    let (m, mut options) = with_two_passes(HILLS, 60, 240);
    options.one_lane = one_lane;
    let mut batch = GpuBatch::new(gpu(), &m, ENVS, &options).expect("a batch");
    let mut seed = 7_u64;
    let mut random = |low: f64, high: f64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + (high - low) * (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut datas = vec![m.make_data(); ENVS];
    for d in &mut datas {
        for pose in d.qpos.chunks_exact_mut(7) {
            pose[..2].fill_with(|| random(-1.1, 1.1));
            pose[2] = random(-0.3, 0.6);
        }
    }
    let state: Vec<f64> =
        datas.iter().flat_map(|d| d.qpos.iter().chain(&d.qvel).copied()).collect();
    batch.set_state(&state).expect("set");
    batch.step(1).expect("stepped");
    let (after, info) = (batch.state().expect("read"), batch.info().expect("read"));
    let mut found = 0;
    for (e, d) in datas.iter_mut().enumerate() {
        sim_core::mj_step(&m, d).expect("stepped");
        assert_eq!(info[e].contacts, d.ncon, "contacts of environment {e}");
        found += d.ncon;
        let ours = &after[e * (m.nq + m.nv)..][..m.nq + m.nv];
        for (k, (a, b)) in ours.iter().zip(d.qpos.iter().chain(&d.qvel)).enumerate() {
            assert!((a - b).abs() < 1e-7 * (1.0 + b.abs()), "environment {e}, {k}: {a} and {b}");
        }
    }
    assert!(found > ENVS, "{found} contacts");
}

#[test]
fn spheres_on_height_fields() {
    step_spheres_on_hills(true);
}
