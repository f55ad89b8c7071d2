//! Steps per second of one thread: lanes against the scalar engine, interleaved.
//!
//! `cargo run --release -p sim-lanes --example throughput -- MODEL [ENVIRONMENTS] [STEPS] [WARM-UP]`

use sim_core::{Data, Model, mj_step};
use sim_lanes::{InstructionSet, LaneBatch};
use std::error::Error;
use std::time::Instant;

/// Number of timed rounds.
const ROUNDS: usize = 9;

/// Uniform random numbers (xorshift).
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Controls in the control ranges, one row per environment.
fn controls(m: &Model, envs: usize, rng: &mut Rng) -> Vec<f64> {
    let mut all = Vec::with_capacity(envs * m.nu);
    for _ in 0..envs {
        for i in 0..m.nu {
            let [low, high] = if m.actuator_ctrllimited[i] {
                [m.actuator_ctrlrange[2 * i], m.actuator_ctrlrange[2 * i + 1]]
            } else {
                [-1.0, 1.0]
            };
            all.push(0.5 * (low + high) + 0.25 * (high - low) * (2.0 * rng.next() - 1.0));
        }
    }
    all
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |k: usize, default: usize| arguments.get(k).and_then(|a| a.parse().ok()).unwrap_or(default);
    let path = arguments.first().ok_or("a model file is needed")?;
    let (envs, steps, warmup) = (number(1, 64), number(2, 50), number(3, 500));
    let only_lanes = std::env::var_os("ONLY_LANES").is_some();
    let m = sim_mjcf::load_file(path)?;
    let mut rng = Rng(88_172_645_463_325_252);

    // states after a warm-up with control noise that is renewed every ten steps
    let mut all: Vec<Data> = (0..envs).map(|_| m.make_data()).collect();
    for d in &mut all {
        for (k, v) in d.qvel.iter_mut().enumerate() {
            *v = 0.01 * rng.next() * (k % 3) as f64;
        }
    }
    for k in 0..warmup {
        if k % 10 == 0 {
            let ctrl = controls(&m, envs, &mut rng);
            all.iter_mut().enumerate().for_each(|(e, d)| {
                d.ctrl.copy_from_slice(&ctrl[e * m.nu..][..m.nu]);
            });
        }
        for d in &mut all {
            mj_step(&m, d)?;
        }
    }
    let ctrl: Vec<Vec<f64>> = (0..steps).map(|_| controls(&m, envs, &mut rng)).collect();
    let (ncon, nefc) = all.iter().fold((0, 0), |(a, b), d| (a + d.ncon, b + d.nefc));
    println!(
        "{envs} environments, {steps} steps after {warmup}; contacts {:.1}, rows {:.1}, iterations {:.1}",
        ncon as f64 / envs as f64,
        nefc as f64 / envs as f64,
        all.iter().map(|d| f64::from(d.solver_niter[0])).sum::<f64>() / envs as f64,
    );

    let sets = [None, Some(InstructionSet::Avx2), Some(InstructionSet::Portable)];
    let mut batches = Vec::new();
    for set in sets.into_iter().take(if only_lanes { 1 } else { 3 }) {
        batches.push(LaneBatch::with_instruction_set(&m, envs, set)?);
    }
    let load = |batch: &mut LaneBatch| {
        for (e, d) in all.iter().enumerate() {
            batch.set_qpos(e, &d.qpos);
            batch.set_qvel(e, &d.qvel);
            batch.set_qacc_warmstart(e, &d.qacc_warmstart);
        }
    };
    let time_lanes = |batch: &mut LaneBatch| {
        load(batch);
        let clock = Instant::now();
        let (mut iterations, mut rows) = (0, 0);
        for ctrl in &ctrl {
            for e in 0..envs {
                batch.set_ctrl(e, &ctrl[e * m.nu..][..m.nu]);
            }
            batch.step();
            let statistics = batch.solver_statistics();
            iterations += statistics.0;
            rows += statistics.1;
        }
        (clock.elapsed().as_secs_f64(), iterations as f64, rows as f64)
    };
    if only_lanes {
        for _ in 0..ROUNDS {
            println!("{:.1} µs", 1e6 * time_lanes(&mut batches[0]).0 / (envs * steps) as f64);
        }
        return Ok(());
    }
    let mut scalar = all.clone();
    let (mut times, mut scalar_times) = (vec![Vec::new(); batches.len()], Vec::new());
    for round in 0..=ROUNDS {
        for (d, start) in scalar.iter_mut().zip(&all) {
            d.qpos.copy_from_slice(&start.qpos);
            d.qvel.copy_from_slice(&start.qvel);
            d.qacc_warmstart.copy_from_slice(&start.qacc_warmstart);
        }
        let clock = Instant::now();
        for ctrl in &ctrl {
            for (e, d) in scalar.iter_mut().enumerate() {
                d.ctrl.copy_from_slice(&ctrl[e * m.nu..][..m.nu]);
                mj_step(&m, d)?;
            }
        }
        let scalar_time = clock.elapsed().as_secs_f64();
        for (batch, times) in batches.iter_mut().zip(&mut times) {
            let (time, iterations, rows) = time_lanes(batch);
            if round > 0 {
                times.push(time);
            } else {
                let n = steps as f64;
                let (iterations, rows) = (iterations / n, rows / n);
                println!("lanes {}: iterations {iterations:.1}, rows {rows:.1}", batch.lanes());
            }
        }
        if round > 0 {
            scalar_times.push(scalar_time);
        }
    }
    // largest difference of the states at the end
    for (batch, times) in batches.iter().zip(&mut times) {
        let mut difference: f64 = 0.0;
        let mut qpos = vec![0.0; m.nq];
        for (e, d) in scalar.iter().enumerate() {
            batch.qpos(e, &mut qpos);
            for (a, b) in qpos.iter().zip(&d.qpos) {
                difference = difference.max((a - b).abs());
            }
        }
        let mut ratios: Vec<f64> =
            scalar_times.iter().zip(&*times).map(|(scalar, lanes)| scalar / lanes).collect();
        let total = (envs * steps) as f64;
        println!(
            "{} lanes: {:.2} µs a step, {:.0} steps/s; scalar {:.2} µs; ratio {:.2} ({:.2} to {:.2}); largest difference of qpos {difference:.1e}",
            batch.lanes(),
            1e6 * median(times) / total,
            total / median(times),
            1e6 * median(&mut scalar_times.clone()) / total,
            median(&mut ratios),
            ratios[0],
            ratios[ratios.len() - 1],
        );
    }
    Ok(())
}
