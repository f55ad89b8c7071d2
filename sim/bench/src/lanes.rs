//! Many environments in SIMD lanes on one thread: `rollout_in_lanes` and `BatchSim::with_lanes`, interleaved with
//! `mujoco.rollout` and with our scalar engine.

use crate::scene::{Kind, Scene};
use crate::side_by_side::{Failure, Mujoco, median, spread};
use serde_json::{Value, json};
use sim_conformance::Oracle;
use sim_core::{Model, mj_set_state, types::StateBits};
use sim_physics::lanes::supports;
use sim_physics::{BatchSim, Rollout, RolloutError, rollout, rollout_in_lanes};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Number of timed rounds.
const REPETITIONS: usize = 11;

/// Times one scene on one thread; requires the oracle, which generates the initial states.
///
/// # Errors
/// When the model does not load or step or is not supported in lanes, or the oracle fails.
pub fn measure(
    scene: &Scene,
    oracle: Option<&Oracle>,
    _threads: usize,
    temp: &Path,
) -> Result<Value, Failure> {
    let oracle = oracle.ok_or("this scene needs `--vs-mujoco`")?;
    let Kind::Lanes { envs, steps, warmup } = scene.kind else {
        return Err("this scene has no lanes".into());
    };
    let file = scene.file(temp)?;
    let model = Arc::new(sim_mjcf::load_file(&file)?);
    supports(&model)?;
    let archive = temp.join(scene.name.replace('/', "_")).with_extension("npz");
    let (n, s, w) = (envs.to_string(), steps.to_string(), warmup.to_string());
    let arguments = ["--envs", &n, "--steps", &s, "--threads", "1", "--warmup", &w, "--keyframe"];
    let mut mujoco = Mujoco::start(oracle, "rollout.py", &file, &archive, &arguments)?;
    let inputs = Inputs {
        model: &model,
        envs,
        steps,
        states: mujoco.array("states").to_vec(),
        controls: mujoco.array("controls").to_vec(),
    };
    let mut batch = BatchSim::new(model.clone(), envs).with_threads(1)?.with_lanes();
    let mut rows: Vec<[f64; 4]> = Vec::new();
    // round 0 is the warm-up
    for round in 0..=REPETITIONS {
        let row = [
            inputs.time(rollout_in_lanes)?,
            mujoco.request("go")?,
            inputs.time(rollout)?,
            inputs.time_batch(&mut batch)?,
        ];
        if round > 0 {
            rows.push(row);
        }
    }
    let column = |k: usize| rows.iter().map(|row| row[k]).collect::<Vec<f64>>();
    let ratio = |a: usize, b: usize| {
        median(&mut rows.iter().map(|row| row[a] / row[b]).collect::<Vec<_>>())
    };
    let total = (envs * steps) as f64;
    let (mut ours, mut theirs) = (column(0), column(1));
    let (our_time, their_time) = (median(&mut ours), median(&mut theirs));
    Ok(json!({
        "scene": scene.name,
        "threads": 1,
        "ours_steps_per_s": total / our_time,
        "mujoco_steps_per_s": total / their_time,
        "ratio": ratio(1, 0),
        "ratio_of_fastest": theirs[0] / ours[0],
        "ours_us_per_step": 1e6 * our_time / total,
        "ours_spread": spread(&ours),
        "mujoco_spread": spread(&theirs),
        "scalar_ratio": ratio(1, 2),
        "lanes_times_scalar": ratio(2, 0),
        "batch_ratio": ratio(1, 3),
        "stages_us": {},
        "ncon": 0,
        "nefc": 0,
        "nv": model.nv,
    }))
}

/// What all timed programs simulate.
struct Inputs<'a> {
    model: &'a Arc<Model>,
    envs: usize,
    steps: usize,
    states: Vec<f64>,
    controls: Vec<f64>,
}

/// A function like [`rollout`].
type RolloutFn = fn(&Model, &[f64], &[f64], usize, usize) -> Result<Rollout, RolloutError>;

impl Inputs<'_> {
    fn time(&self, rollout: RolloutFn) -> Result<f64, Failure> {
        let clock = Instant::now();
        let result = rollout(self.model, &self.states, &self.controls, self.steps, 1)?;
        let seconds = clock.elapsed().as_secs_f64();
        match result.errors.iter().flatten().next() {
            Some((step, error)) => Err(format!("step {step}: {error}").into()),
            None => Ok(seconds),
        }
    }

    /// Time of the same steps by calls of one step each, with new controls in every call.
    fn time_batch(&self, batch: &mut BatchSim) -> Result<f64, Failure> {
        let (m, nu, size) = (self.model, self.model.nu, self.states.len() / self.envs);
        for e in 0..self.envs {
            let d = batch.data_mut(e);
            d.reset(m);
            mj_set_state(m, d, &self.states[e * size..][..size], StateBits::FULLPHYSICS)?;
        }
        let clock = Instant::now();
        for step in 0..self.steps {
            for (e, row) in batch.ctrl_mut().chunks_exact_mut(nu.max(1)).enumerate() {
                row.copy_from_slice(&self.controls[(e * self.steps + step) * nu..][..nu]);
            }
            batch.step_all();
        }
        Ok(clock.elapsed().as_secs_f64())
    }
}
