//! Criterion benchmarks of single pipeline stages on our own robot models.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use sim_core::{Data, Model};
use std::hint::black_box;

type StageFn = fn(&Model, &mut Data);

/// The stages in pipeline order.
const STAGES: &[(&str, StageFn)] = &[
    ("kinematics", sim_core::mj_kinematics),
    ("com_pos", sim_core::mj_com_pos),
    ("make_m", sim_core::mj_make_m),
    ("factor_m", sim_core::mj_factor_m),
    ("com_vel", sim_core::mj_com_vel),
    ("passive", sim_core::mj_passive),
    ("rne", |m, d| {
        let mut bias = std::mem::take(&mut d.qfrc_bias);
        sim_core::mj_rne(m, d, false, &mut bias);
        d.qfrc_bias = bias;
    }),
    ("fwd_actuation", sim_core::mj_fwd_actuation),
    ("fwd_acceleration", sim_core::mj_fwd_acceleration),
];

fn kernels(c: &mut Criterion) {
    for robot in ["arm6", "quadruped", "humanoid"] {
        let path = sim_conformance::home().join("models/robots").join(robot).with_extension("xml");
        let Ok(model) = sim_mjcf::load_file(&path) else {
            eprintln!("{}: cannot be loaded", path.display());
            continue;
        };
        let mut data = model.make_data();
        data.reset_to_keyframe(&model, 0);
        let mut group = c.benchmark_group(robot);
        for (name, stage) in STAGES {
            group.bench_function(BenchmarkId::from_parameter(name), |b| {
                b.iter(|| stage(black_box(&model), black_box(&mut data)));
            });
        }
        group.bench_function("step", |b| b.iter(|| data.step(black_box(&model))));
        group.bench_function("jac_site", |b| {
            b.iter(|| sim_core::mj_jac_site(black_box(&model), black_box(&data), 0));
        });
    }
}

criterion_group!(benches, kernels);
criterion_main!(benches);
