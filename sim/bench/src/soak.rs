//! Endurance test of GPU batches: noise, random resets and randomised parameters for a given time, with checks that
//! memory does not grow and that a diverging environment does not change the others.

use crate::gpu::Benchmark;
use crate::noise::{DeviceNoise, random};
use crate::side_by_side::Failure;
use serde_json::{Value, json};
use sim_core::Model;
use sim_gpu::{Context, GpuBatch};
use std::time::{Duration, Instant};

/// Steps of a dispatch, dispatches between two checks, and steps of the comparison with a diverging environment.
const STEPS: usize = 5;
const DISPATCHES: usize = 200;
const COMPARED_STEPS: usize = 20;
/// Time between two randomisations of the parameters, and between two lines of progress.
const RANDOMIZE_EVERY: Duration = Duration::from_secs(600);
const REPORT_EVERY: Duration = Duration::from_secs(10);
/// Growth of the process that counts as a leak, in MiB.
const MAX_GROWTH: f64 = 64.0;

/// Counts of a run.
#[derive(Debug, Default)]
struct Counts {
    steps: usize,
    resets: usize,
    diverged: usize,
    overflows: usize,
    comparisons: usize,
}

/// Steps `count` environments of a model for a time.
///
/// # Errors
///
/// If the device fails, memory grows, or a diverging environment changes another one.
pub fn run(
    benchmark: &Benchmark,
    gpu: &Context,
    count: usize,
    time: Duration,
) -> Result<Value, Failure> {
    let m = &benchmark.model;
    let start = benchmark.initial_state();
    let mut batch = GpuBatch::new(gpu, m, count, &benchmark.options)?;
    batch.set_state(&[&start.qpos[..], &start.qvel[..]].concat().repeat(count))?;
    batch.set_ctrl(&start.ctrl.repeat(count))?;
    let mut noise = DeviceNoise::new(gpu, &batch, &start.ctrl)?;
    let mut seed = 1;
    randomize(&mut batch, &mut seed)?;
    let (clock, mut counts) = (Instant::now(), Counts::default());
    let (mut randomized, mut reported) = (Instant::now(), Instant::now());
    let mut first_memory = None;
    while clock.elapsed() < time {
        for _ in 0..DISPATCHES {
            noise.submit(gpu)?;
            batch.step(STEPS)?;
        }
        counts.steps += DISPATCHES * STEPS * count;
        let info = batch.info()?;
        counts.diverged += info.iter().filter(|info| info.flags.diverged).count();
        counts.overflows +=
            info.iter().filter(|info| info.flags.contacts || info.flags.rows).count();
        // those that diverged, and about one in a hundred of the others
        let reset = |info: &sim_gpu::Info, chance: u64| info.flags.diverged || chance < 1 << 57;
        let mask: Vec<bool> = info.iter().map(|info| reset(info, random(&mut seed))).collect();
        counts.resets += mask.iter().filter(|&&reset| reset).count();
        batch.reset_where(&mask)?;
        compare_with_divergence(&mut batch, &mut seed)?;
        counts.comparisons += 1;
        let memory = memory();
        // buffers for reading exist after the first round
        let growth = memory - *first_memory.get_or_insert(memory);
        if growth > MAX_GROWTH {
            return Err(format!("memory grew by {growth:.0} MiB in {:?}", clock.elapsed()).into());
        }
        if randomized.elapsed() >= RANDOMIZE_EVERY {
            randomize(&mut batch, &mut seed)?;
            randomized = Instant::now();
        }
        if reported.elapsed() >= REPORT_EVERY {
            println!("{:>6} s: {counts:?}, {memory:.0} MiB", clock.elapsed().as_secs());
            reported = Instant::now();
        }
    }
    let seconds = clock.elapsed().as_secs_f64();
    Ok(json!({
        "scene": benchmark.name,
        "worlds": count,
        "seconds": seconds,
        "steps": counts.steps,
        "steps_per_second": counts.steps as f64 / seconds,
        "resets": counts.resets,
        "diverged": counts.diverged,
        "overflows": counts.overflows,
        "comparisons": counts.comparisons,
        "memory_mib": memory(),
        "device": gpu.name(),
        "driver": gpu.driver(),
    }))
}

/// Memory of the process, MiB; zero if the system does not report it.
fn memory() -> f64 {
    crate::compile::memory("VmRSS:").unwrap_or(0.0)
}

/// Scales the masses and the friction of each environment.
fn randomize(batch: &mut GpuBatch, seed: &mut u64) -> Result<(), Failure> {
    let mut factor = || 0.8 + 0.4 * (random(seed) >> 11) as f64 / (1_u64 << 53) as f64;
    Ok(batch.randomize(|_, m: &mut Model| {
        let mass = factor();
        m.body_mass.iter_mut().for_each(|value| *value *= mass);
        m.body_inertia.iter_mut().for_each(|value| *value *= mass);
        let friction = factor();
        m.geom_friction.iter_mut().step_by(3).for_each(|value| *value *= friction);
    })?)
}

/// Takes the same steps twice, the second time with an environment that diverges, and compares the others bit by bit.
/// The environment is reset afterwards.
fn compare_with_divergence(batch: &mut GpuBatch, seed: &mut u64) -> Result<(), Failure> {
    let (count, m) = (batch.len(), batch.model());
    let (nq, width) = (m.nq, m.nq + m.nv);
    let poisoned = random(seed) as usize % count;
    // resets that were requested take place first
    batch.step(1)?;
    let before = batch.full_state()?;
    batch.step(COMPARED_STEPS)?;
    let expected = batch.state()?;
    let mut state = before;
    let stride = state.len() / count;
    // behind the time
    state[poisoned * stride + 1 + nq] = f64::NAN;
    batch.set_full_state(&state)?;
    batch.step(COMPARED_STEPS)?;
    let found = batch.state()?;
    for (env, (a, b)) in expected.chunks_exact(width).zip(found.chunks_exact(width)).enumerate() {
        let same = a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
        if env != poisoned && !same {
            return Err(format!("environment {env} changed when {poisoned} diverged").into());
        }
    }
    if !batch.info()?[poisoned].flags.diverged {
        return Err(format!("environment {poisoned} did not diverge").into());
    }
    let mask: Vec<bool> = (0..count).map(|env| env == poisoned).collect();
    Ok(batch.reset_where(&mask)?)
}
