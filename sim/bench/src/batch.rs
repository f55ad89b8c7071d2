//! Many environments: trajectories next to the reference engine's `rollout`, and what a batch costs
//! beyond the steps it takes.

use crate::scene::{Kind, Scene};
use crate::side_by_side::{Failure, Rival, median, spread};
use serde_json::{Value, json};
use sim_conformance::Oracle;
use sim_core::{Data, Model, mj_set_state, mj_step, types::StateBits};
use sim_physics::{BatchSim, rollout};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Rounds that count.
const REPETITIONS: usize = 11;

/// Times one scene; the oracle has to be there, for it says where trajectories begin.
///
/// # Errors
/// When the model does not load or step, or the oracle fails.
pub fn measure(
    scene: &Scene,
    oracle: Option<&Oracle>,
    threads: usize,
    temp: &Path,
) -> Result<Value, Failure> {
    let oracle = oracle.ok_or("this scene is only timed next to the reference engine")?;
    let Kind::Batch { envs, steps } = scene.kind else {
        return Err("this scene has no batch".into());
    };
    let file = scene.file(temp)?;
    let model = Arc::new(sim_mjcf::load_file(&file)?);
    let archive = temp.join(scene.name).with_extension("npz");
    let (n, s, t) = (envs.to_string(), steps.to_string(), threads.to_string());
    let arguments = ["--envs", &n, "--steps", &s, "--threads", &t];
    let mut rival = Rival::start(oracle, "rollout.py", &file, &archive, &arguments)?;
    let (states, controls) = (rival.array("states").to_vec(), rival.array("controls").to_vec());

    let follow = |threads: usize| -> Result<f64, Failure> {
        let clock = Instant::now();
        let result = rollout(&model, &states, &controls, steps, threads)?;
        let seconds = clock.elapsed().as_secs_f64();
        match result.errors.iter().flatten().next() {
            Some((step, error)) => Err(format!("step {step}: {error}").into()),
            None => Ok(seconds),
        }
    };
    let (mut ours, mut theirs, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    // the first round warms all up
    for round in 0..=REPETITIONS {
        let row = [follow(threads)?, rival.ask("go")?, follow(1)?];
        if round > 0 {
            ours.push(row[0]);
            theirs.push(row[1]);
            alone.push(row[2]);
        }
    }
    let ratio =
        |a: &[f64], b: &[f64]| median(&mut a.iter().zip(b).map(|(a, b)| a / b).collect::<Vec<_>>());
    let (compared, scaling) = (ratio(&theirs, &ours), ratio(&alone, &ours));
    let [overhead, batch_scaling] = batches(&model, &states, envs, steps, threads)?;
    let total = (envs * steps) as f64;
    let (our_time, their_time) = (median(&mut ours), median(&mut theirs));
    alone.sort_by(f64::total_cmp);
    Ok(json!({
        "scene": scene.name,
        "threads": threads,
        "ours_steps_per_s": total / our_time,
        "mujoco_steps_per_s": total / their_time,
        "ratio": compared,
        "ratio_of_fastest": theirs[0] / ours[0],
        "ours_us_per_step": 1e6 * our_time / total,
        "ours_spread": spread(&ours),
        "mujoco_spread": spread(&theirs),
        "times_one_thread": scaling,
        "times_one_thread_of_fastest": alone[0] / ours[0],
        "batch_times_one_thread": batch_scaling,
        "batch_overhead": overhead,
        "stages_us": {},
        "ncon": 0,
        "nefc": 0,
        "nv": model.nv,
    }))
}

/// How much longer a batch takes on one thread than the same steps one by one, as a part of them; and how
/// many times as long as on all threads.
fn batches(
    model: &Arc<Model>,
    states: &[f64],
    envs: usize,
    steps: usize,
    threads: usize,
) -> Result<[f64; 2], Failure> {
    let size = states.len() / envs;
    let place = |m: &Model, d: &mut Data, i: usize| {
        d.reset(m);
        mj_set_state(m, d, &states[i * size..][..size], StateBits::FULLPHYSICS)
    };
    let mut batch = BatchSim::new(model.clone(), envs).with_threads(1)?;
    let mut shared = BatchSim::new(model.clone(), envs).with_threads(threads)?;
    let mut bare: Vec<Data> = (0..envs).map(|_| model.make_data()).collect();
    let (mut ratios, mut scalings) = (Vec::new(), Vec::new());
    let time = |batch: &mut BatchSim| {
        let clock = Instant::now();
        for _ in 0..steps {
            batch.step_all();
        }
        clock.elapsed().as_secs_f64()
    };
    for round in 0..=REPETITIONS {
        for (i, d) in bare.iter_mut().enumerate() {
            place(model, d, i)?;
            place(model, batch.data_mut(i), i)?;
            place(model, shared.data_mut(i), i)?;
        }
        let (together, on_all) = (time(&mut batch), time(&mut shared));
        let clock = Instant::now();
        for _ in 0..steps {
            bare.iter_mut().try_for_each(|d| mj_step(model, d))?;
        }
        let one_by_one = clock.elapsed().as_secs_f64();
        if round > 0 {
            ratios.push(together / one_by_one - 1.0);
            scalings.push(together / on_all);
        }
    }
    Ok([median(&mut ratios), median(&mut scalings)])
}
