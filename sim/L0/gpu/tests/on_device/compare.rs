//! Comparison of one step with the CPU engine, field by field.

use crate::models::{gpu, random_state};
use sim_core::{Data, Model, inertia_matrix, mj_forward, mj_step};
use sim_gpu::{GpuBatch, GpuBatchError, Options, Precision};

/// Result of a comparison.
pub struct Outcome {
    /// Fields with their largest difference relative to the magnitude of the field.
    pub worst: Vec<(&'static str, f64)>,
    /// Largest number of constraint rows.
    pub rows: usize,
}

impl Outcome {
    fn note(&mut self, name: &'static str, difference: f64) {
        match self.worst.iter_mut().find(|(known, _)| *known == name) {
            Some((_, worst)) if *worst >= difference => {}
            Some((_, worst)) => *worst = difference,
            None => self.worst.push((name, difference)),
        }
    }
}

/// Largest difference relative to the largest value, or to one if all are smaller.
fn difference(ours: &[f64], theirs: &[f64]) -> f64 {
    assert_eq!(ours.len(), theirs.len());
    let size = theirs.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    let worst = |worst: f64, (a, b): (&f64, &f64)| {
        if a.is_nan() { f64::INFINITY } else { worst.max((a - b).abs()) }
    };
    ours.iter().zip(theirs).fold(0.0, worst) / size
}

/// Poses of the mocap bodies.
fn mocap_poses(d: &Data) -> Vec<f64> {
    let poses = d.mocap_pos.chunks_exact(3).zip(d.mocap_quat.chunks_exact(4));
    poses.flat_map(|(pos, quat)| [pos, quat].concat()).collect()
}

/// Steps random states once on both engines.
pub fn compare(m: &Model, states: usize, options: &Options) -> Result<Outcome, GpuBatchError> {
    let mut m = m.clone();
    if options.precision == Precision::Double {
        // both solvers reach the minimum
        m.opt.tolerance = 1e-13;
        m.opt.iterations = m.opt.iterations.max(100);
        m.opt.ls_iterations = m.opt.ls_iterations.max(50);
    }
    let options = Options { probe: true, checked: true, ..options.clone() };
    let mut batch = GpuBatch::new(gpu(), &m, states, &options)?;

    let mut datas: Vec<Data> = (0..states).map(|k| random_state(&m, k as u64)).collect();
    let flat = |f: &dyn Fn(&Data) -> Vec<f64>| datas.iter().flat_map(f).collect::<Vec<f64>>();
    batch.set_state(&flat(&|d| [&d.qpos[..], &d.qvel[..]].concat()))?;
    batch.set_ctrl(&flat(&|d| d.ctrl.clone()))?;
    batch.set_mocap(&flat(&mocap_poses))?;
    batch.step(1)?;
    let (out, after, info) = (batch.output()?, batch.state()?, batch.info()?);
    let layout = batch.probe_layout().clone();
    let mut outcome = Outcome { worst: Vec::new(), rows: 0 };
    for (k, d) in datas.iter_mut().enumerate() {
        let all = &out[k * (layout.start + layout.len)..][..layout.start + layout.len];
        let (first, own) = all.split_at(layout.start);
        let sensors = &first[..m.nsensordata];
        let field = |name: &str| {
            let found = layout.named.iter().find(|(known, ..)| *known == name);
            let (_, start, len) = found.unwrap_or_else(|| panic!("no {name}"));
            &own[*start..start + len]
        };
        mj_forward(&m, d).expect("forward");
        assert!(!info[k].flags.contacts && !info[k].flags.rows, "{:?}", info[k]);
        assert!(!info[k].flags.diverged, "{:?}", info[k]);
        outcome.rows = outcome.rows.max(d.nefc);
        outcome.note("rows", (info[k].rows as f64 - d.nefc as f64).abs());
        outcome.note("xpos", difference(field("XPOS"), &d.xpos));
        let full = inertia_matrix(&m, d);
        let rows = field("M").chunks_exact(layout.stride);
        let ours: Vec<f64> = rows.flat_map(|row| layout.columns.iter().map(|&c| row[c])).collect();
        outcome.note("M", difference(&ours, full.as_slice()));
        outcome.note("smooth", difference(field("QFRC_SMOOTH"), &d.qfrc_smooth));
        outcome.note("qacc", difference(field("QACC"), &d.qacc));
        outcome.note("sensors", difference(sensors, &d.sensordata));
        mj_step(&m, d).expect("a step");
        let ours = &after[k * (m.nq + m.nv)..][..m.nq + m.nv];
        outcome.note("qpos", difference(&ours[..m.nq], &d.qpos));
        outcome.note("qvel", difference(&ours[m.nq..], &d.qvel));
    }
    Ok(outcome)
}

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
