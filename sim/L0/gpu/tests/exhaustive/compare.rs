//! Comparison of trajectories with the CPU engine.

use crate::models::gpu;
use sim_core::{Data, Model, mj_step};
use sim_gpu::{GpuBatch, Options, mocap_poses};

/// Steps trajectories on both engines, starting each step from the CPU state, and compares contacts, rows and the next
/// state. `observe` is called with every CPU environment after each step, and may move mocap bodies.
pub fn compare_trajectories(
    m: &Model,
    datas: &mut [Data],
    options: &Options,
    steps: usize,
    bound: f64,
    mut observe: impl FnMut(&mut Data),
) {
    let mut batch = GpuBatch::new(gpu(), m, datas.len(), options).expect("a batch");
    for step in 0..steps {
        let now = datas.iter().flat_map(|d| [&d.qpos[..], &d.qvel[..]].concat());
        batch.set_state(&now.collect::<Vec<f64>>()).expect("set");
        batch.set_mocap(&datas.iter().flat_map(mocap_poses).collect::<Vec<f64>>()).expect("set");
        batch.step(1).expect("stepped");
        let (after, info) = (batch.state().expect("read"), batch.info().expect("read"));
        for (k, d) in datas.iter_mut().enumerate() {
            mj_step(m, d).expect("stepped");
            assert_eq!((info[k].contacts, info[k].rows), (d.ncon, d.nefc), "{k}, step {step}");
            observe(d);
            let ours = after[k * (m.nq + m.nv)..].iter();
            let theirs = d.qpos.iter().chain(&d.qvel);
            let worst = ours.zip(theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(worst < bound, "environment {k}, step {step}: {worst}");
        }
    }
}
