//! Many environments: `rollout` interleaved with `mujoco.rollout`, and the overhead of `BatchSim` over
//! single steps.

use crate::scene::{Kind, Scene};
use crate::side_by_side::{Failure, Mujoco, median, spread};
use serde_json::{Value, json};
use sim_conformance::Oracle;
use sim_core::{Data, Model, mj_set_state, mj_step, types::StateBits};
use sim_physics::{BatchSim, rollout};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Number of timed rounds.
const REPETITIONS: usize = 11;

/// Times one scene; requires the oracle, which generates the initial states.
///
/// # Errors
/// When the model does not load or step, or the oracle fails.
pub fn measure(
    scene: &Scene,
    oracle: Option<&Oracle>,
    threads: usize,
    temp: &Path,
) -> Result<Value, Failure> {
    let oracle = oracle.ok_or("this scene needs `--vs-mujoco`")?;
    let Kind::Batch { envs, steps } = scene.kind else {
        return Err("this scene has no batch".into());
    };
    let file = scene.file(temp)?;
    let model = Arc::new(sim_mjcf::load_file(&file)?);
    let archive = temp.join(scene.name).with_extension("npz");
    let (n, s, t) = (envs.to_string(), steps.to_string(), threads.to_string());
    let arguments = ["--envs", &n, "--steps", &s, "--threads", &t];
    let mut mujoco = Mujoco::start(oracle, "rollout.py", &file, &archive, &arguments)?;
    let (states, controls) = (mujoco.array("states").to_vec(), mujoco.array("controls").to_vec());

    let run = |threads: usize| -> Result<f64, Failure> {
        let clock = Instant::now();
        let result = rollout(&model, &states, &controls, steps, threads)?;
        let seconds = clock.elapsed().as_secs_f64();
        match result.errors.iter().flatten().next() {
            Some((step, error)) => Err(format!("step {step}: {error}").into()),
            None => Ok(seconds),
        }
    };
    let (mut ours, mut theirs, mut one_thread) = (Vec::new(), Vec::new(), Vec::new());
    // round 0 is the warm-up
    for round in 0..=REPETITIONS {
        let row = [run(threads)?, mujoco.request("go")?, run(1)?];
        if round > 0 {
            ours.push(row[0]);
            theirs.push(row[1]);
            one_thread.push(row[2]);
        }
    }
    let ratio =
        |a: &[f64], b: &[f64]| median(&mut a.iter().zip(b).map(|(a, b)| a / b).collect::<Vec<_>>());
    let (vs_mujoco, scaling) = (ratio(&theirs, &ours), ratio(&one_thread, &ours));
    let [overhead, batch_scaling] = time_batch_sim(&model, &states, envs, steps, threads)?;
    let total = (envs * steps) as f64;
    let (our_time, their_time) = (median(&mut ours), median(&mut theirs));
    one_thread.sort_by(f64::total_cmp);
    Ok(json!({
        "scene": scene.name,
        "threads": threads,
        "ours_steps_per_s": total / our_time,
        "mujoco_steps_per_s": total / their_time,
        "ratio": vs_mujoco,
        "ratio_of_fastest": theirs[0] / ours[0],
        "ours_us_per_step": 1e6 * our_time / total,
        "ours_spread": spread(&ours),
        "mujoco_spread": spread(&theirs),
        "times_one_thread": scaling,
        "times_one_thread_of_fastest": one_thread[0] / ours[0],
        "batch_times_one_thread": batch_scaling,
        "batch_overhead": overhead,
        "stages_us": {},
        "ncon": 0,
        "nefc": 0,
        "nv": model.nv,
    }))
}

/// Relative overhead of `BatchSim` on one thread over single steps, and its speed-up by all threads.
fn time_batch_sim(
    model: &Arc<Model>,
    states: &[f64],
    envs: usize,
    steps: usize,
    threads: usize,
) -> Result<[f64; 2], Failure> {
    let size = states.len() / envs;
    let set_state = |m: &Model, d: &mut Data, i: usize| {
        d.reset(m);
        mj_set_state(m, d, &states[i * size..][..size], StateBits::FULLPHYSICS)
    };
    let mut batch = BatchSim::new(model.clone(), envs).with_threads(1)?;
    let mut threaded = BatchSim::new(model.clone(), envs).with_threads(threads)?;
    let mut singles: Vec<Data> = (0..envs).map(|_| model.make_data()).collect();
    let (mut ratios, mut scalings) = (Vec::new(), Vec::new());
    let time = |batch: &mut BatchSim| {
        let clock = Instant::now();
        for _ in 0..steps {
            batch.step_all();
        }
        clock.elapsed().as_secs_f64()
    };
    for round in 0..=REPETITIONS {
        for (i, d) in singles.iter_mut().enumerate() {
            set_state(model, d, i)?;
            set_state(model, batch.data_mut(i), i)?;
            set_state(model, threaded.data_mut(i), i)?;
        }
        let (one_thread, all_threads) = (time(&mut batch), time(&mut threaded));
        let clock = Instant::now();
        for _ in 0..steps {
            singles.iter_mut().try_for_each(|d| mj_step(model, d))?;
        }
        let single_steps = clock.elapsed().as_secs_f64();
        if round > 0 {
            ratios.push(one_thread / single_steps - 1.0);
            scalings.push(one_thread / all_threads);
        }
    }
    Ok([median(&mut ratios), median(&mut scalings)])
}
