//! Steps per second of one thread: lanes against the scalar engine, interleaved.
//!
//! `cargo run --release -p sim-lanes --example throughput -- MODEL [ENVIRONMENTS] [STEPS] [WARM-UP]`
//!
//! With the environment variable `ONLY_LANES` only the widest lanes are timed, for profilers.

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

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A model, initial states, and controls of every step.
struct Scene {
    m: Model,
    start: Vec<Data>,
    ctrl: Vec<Vec<f64>>,
}

impl Scene {
    /// States after a warm-up with control noise that is renewed every ten steps.
    fn new(m: Model, envs: usize, steps: usize, warmup: usize) -> Result<Self, Box<dyn Error>> {
        let mut rng = Rng(88_172_645_463_325_252);
        let mut start: Vec<Data> = (0..envs).map(|_| m.make_data()).collect();
        for d in &mut start {
            for (k, v) in d.qvel.iter_mut().enumerate() {
                *v = 0.01 * rng.next() * (k % 3) as f64;
            }
        }
        for k in 0..warmup {
            if k % 10 == 0 {
                let ctrl = controls(&m, envs, &mut rng);
                for (e, d) in start.iter_mut().enumerate() {
                    d.ctrl.copy_from_slice(&ctrl[e * m.nu..][..m.nu]);
                }
            }
            for d in &mut start {
                mj_step(&m, d)?;
            }
        }
        let ctrl = (0..steps).map(|_| controls(&m, envs, &mut rng)).collect();
        Ok(Self { m, start, ctrl })
    }

    fn row<'a>(&self, ctrl: &'a [f64], e: usize) -> &'a [f64] {
        &ctrl[e * self.m.nu..][..self.m.nu]
    }

    fn time_lanes(&self, batch: &mut LaneBatch) -> f64 {
        for (e, d) in self.start.iter().enumerate() {
            batch.set_qpos(e, &d.qpos);
            batch.set_qvel(e, &d.qvel);
            batch.set_qacc_warmstart(e, &d.qacc_warmstart);
        }
        let clock = Instant::now();
        for ctrl in &self.ctrl {
            for e in 0..self.start.len() {
                batch.set_ctrl(e, self.row(ctrl, e));
            }
            batch.step();
        }
        clock.elapsed().as_secs_f64()
    }

    fn time_scalar(&self, scalar: &mut [Data]) -> Result<f64, Box<dyn Error>> {
        for (d, start) in scalar.iter_mut().zip(&self.start) {
            d.qpos.copy_from_slice(&start.qpos);
            d.qvel.copy_from_slice(&start.qvel);
            d.qacc_warmstart.copy_from_slice(&start.qacc_warmstart);
        }
        let clock = Instant::now();
        for ctrl in &self.ctrl {
            for (e, d) in scalar.iter_mut().enumerate() {
                d.ctrl.copy_from_slice(self.row(ctrl, e));
                mj_step(&self.m, d)?;
            }
        }
        Ok(clock.elapsed().as_secs_f64())
    }

    /// Largest difference of the positions.
    fn difference(&self, batch: &LaneBatch, scalar: &[Data]) -> f64 {
        let mut qpos = vec![0.0; self.m.nq];
        let mut largest: f64 = 0.0;
        for (e, d) in scalar.iter().enumerate() {
            batch.qpos(e, &mut qpos);
            for (a, b) in qpos.iter().zip(&d.qpos) {
                largest = largest.max((a - b).abs());
            }
        }
        largest
    }
}

/// Prints the times of one batch and their ratio to those of the scalar engine.
fn report(lanes: usize, times: &[f64], scalar: &[f64], total: f64, difference: f64) {
    let mut ratios: Vec<f64> = scalar.iter().zip(times).map(|(a, b)| a / b).collect();
    ratios.sort_by(f64::total_cmp);
    let fastest = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
    println!(
        "{lanes} lanes: {:.2} µs a step, {:.0} steps/s; scalar {:.2} µs; ratio {:.2} ({:.2} to {:.2}), of the fastest {:.2}; qpos differs by {difference:.1e}",
        1e6 * median(times) / total,
        total / median(times),
        1e6 * median(scalar) / total,
        median(&ratios),
        ratios[0],
        ratios[ratios.len() - 1],
        fastest(scalar) / fastest(times),
    );
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |k: usize, default: usize| arguments.get(k).and_then(|a| a.parse().ok()).unwrap_or(default);
    let path = arguments.first().ok_or("a model file is needed")?;
    let (envs, steps, warmup) = (number(1, 64), number(2, 50), number(3, 500));
    let only_lanes = std::env::var_os("ONLY_LANES").is_some();
    let m = sim_mjcf::load_file(path)?;
    let sets = [None, Some(InstructionSet::Avx2), Some(InstructionSet::Portable)];
    let mut batches = Vec::new();
    for set in sets.into_iter().take(if only_lanes { 1 } else { 3 }) {
        batches.push(LaneBatch::with_instruction_set(&m, envs, set)?);
    }
    let scene = Scene::new(m, envs, steps, warmup)?;
    let mean =
        |f: fn(&Data) -> usize| scene.start.iter().map(|d| f(d) as f64).sum::<f64>() / envs as f64;
    let (ncon, nefc) = (mean(|d| d.ncon), mean(|d| d.nefc));
    let iterations = mean(|d| d.solver_niter[0] as usize);
    println!(
        "{envs} environments, {steps} steps after {warmup}; contacts {ncon:.1}, rows {nefc:.1}, iterations {iterations:.1}"
    );
    let total = (envs * steps) as f64;
    if only_lanes {
        for _ in 0..ROUNDS {
            println!("{:.2} µs", 1e6 * scene.time_lanes(&mut batches[0]) / total);
        }
        return Ok(());
    }
    let mut scalar = scene.start.clone();
    let (mut times, mut scalar_times) = (vec![Vec::new(); batches.len()], Vec::new());
    // round 0 is the warm-up
    for round in 0..=ROUNDS {
        let scalar_time = scene.time_scalar(&mut scalar)?;
        for (batch, times) in batches.iter_mut().zip(&mut times) {
            let time = scene.time_lanes(batch);
            if round > 0 {
                times.push(time);
            }
        }
        if round > 0 {
            scalar_times.push(scalar_time);
        }
    }
    for (batch, times) in batches.iter().zip(&times) {
        let difference = scene.difference(batch, &scalar);
        report(batch.lanes(), times, &scalar_times, total, difference);
    }
    Ok(())
}
