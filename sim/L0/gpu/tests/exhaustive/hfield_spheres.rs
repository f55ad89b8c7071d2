//! Spheres on height fields, which the first pass tests in closed form.

use crate::models::gpu;
use crate::two_passes::with_two_passes;
use sim_gpu::GpuBatch;

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
fn step_spheres_on_hills(one_lane: bool) {
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
fn in_one_lane() {
    step_spheres_on_hills(true);
}

#[test]
fn in_several_lanes() {
    step_spheres_on_hills(false);
}
