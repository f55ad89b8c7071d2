//! A quadruped stands by joint springs and dampers that are found by the cross-entropy method, the same for all four
//! legs. Each environment evaluates one candidate.
//!
//! `cargo run --release -p sim-gpu --example stand -- --envs 4096 --generations 40`

mod search;

use search::{Search, argument};
use sim_gpu::{AdapterSelection, Context, GpuBatch, GpuBatchError, Options};
use std::error::Error;

/// Steps of an episode of 1.2 seconds.
const EPISODE: u32 = 240;
/// Steps between control updates.
const STEPS: usize = 2;
/// Target height of the trunk, m.
const HEIGHT: f64 = 0.3;

/// Maximum 1 with the trunk level at its target height; decreases with the joint velocities.
const TASK: &str = "
fn level() -> real { return 1.0 - 2.0 * (qpos(4u) * qpos(4u) + qpos(5u) * qpos(5u)); }
fn reward() -> real {
    var moving = real(0.0);
    for (var i = 6u; i < 18u; i++) { moving += abs(qvel(i)); }
    return level() - 4.0 * abs(qpos(2u) - 0.3) - 0.01 * moving;
}
fn terminated() -> bool { return qpos(2u) < 0.08 || level() < 0.3; }
";

/// Parameters of each of the three joints of a leg: stiffness, rest angle, damping.
const GAINS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let gpu = Context::new(&AdapterSelection::from_env())?;
    let (envs, generations) = (argument("--envs", 24), argument("--generations", 8));
    println!("{envs} environments on {}", gpu.name());
    let mut batch = environments(&gpu, envs)?;
    let mut search = Search::new([1.5, 0.3, 1.0].repeat(3));
    let before = episode(&mut batch, |_| &search.mean)?;
    for generation in 0..generations {
        let candidates = search.draw(envs);
        let end = episode(&mut batch, |env| &candidates[env])?;
        search.learn(&candidates, &end.scores);
        let best = end.scores.iter().fold(f64::MIN, |a, &b| a.max(b));
        println!("generation {generation}: best {best:.3}, {} of {envs} did not fall", end.whole());
    }
    let after = episode(&mut batch, |_| &search.mean)?;
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    println!(
        "initial policy: score {:.3}, {} of {envs} stand",
        mean(&before.scores),
        before.stand()
    );
    println!(
        "optimised policy: score {:.3}, {} of {envs} stand",
        mean(&after.scores),
        after.stand()
    );
    println!("trunk {:.3} m high on average, target {HEIGHT} m", mean(&after.heights));
    assert!(before.stand() == 0 && 10 * after.stand() >= 9 * envs, "the optimisation failed");
    Ok(())
}

fn environments(gpu: &Context, envs: usize) -> Result<GpuBatch, Box<dyn Error>> {
    let file =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/models/robots/quadruped.xml");
    // only the feet collide
    let text = std::fs::read_to_string(file)?
        .replace(
            r#"<option timestep="0.002" cone="elliptic" impratio="50"/>"#,
            r#"<option timestep="0.005"><flag sensor="disable"/></option>"#,
        )
        .replace(r#"condim="3" group="1""#, r#"contype="0" conaffinity="0" group="1""#)
        .replace(r#"condim="6" solimp"#, r#"condim="3" contype="1" conaffinity="1" solimp"#);
    let model = sim_mjcf::load_str(&text)?;
    let options =
        Options { task: Some(TASK.into()), max_episode_steps: Some(EPISODE), ..Options::default() };
    let mut batch = GpuBatch::new(gpu, &model, envs, &options)?;
    // random joint angles and tilt of the trunk, slightly above the floor
    let mut chance = Search::new(Vec::new());
    let mut between = |size: f64| size * (2.0 * chance.uniform() - 1.0);
    let mut initial_states = Vec::new();
    for _ in 0..32 {
        let (roll, pitch) = (between(0.1), between(0.1));
        initial_states.extend([0.0, 0.0, 0.33 + between(0.02), 1.0, roll, pitch, 0.0]);
        for _ in 0..4 {
            initial_states.extend([between(0.15), 0.8 + between(0.2), -1.6 + between(0.2)]);
        }
        initial_states.extend((0..model.nv).map(|_| between(0.3)));
    }
    batch.set_initial_states(&initial_states)?;
    Ok(batch)
}

/// Result of an episode in each environment.
struct End {
    /// Mean reward over the whole episode, zero after a fall.
    scores: Vec<f64>,
    /// Height at the end, zero after a fall.
    heights: Vec<f64>,
}

impl End {
    fn whole(&self) -> usize {
        self.heights.iter().filter(|&&height| height > 0.0).count()
    }

    fn stand(&self) -> usize {
        self.heights.iter().filter(|&&height| (height - HEIGHT).abs() < 0.05).count()
    }
}

fn episode<'a>(
    batch: &mut GpuBatch,
    policy: impl Fn(usize) -> &'a Vec<f64>,
) -> Result<End, GpuBatchError> {
    let (envs, nu) = (batch.len(), batch.model().nu);
    let width = batch.model().nq + batch.model().nv;
    let mut end = End { scores: vec![0.0; envs], heights: vec![0.0; envs] };
    let mut ended = vec![false; envs];
    batch.reset_where(&vec![true; envs])?;
    batch.step(0)?; // only the reset
    let mut ctrl = vec![0.0; envs * nu];
    while ended.contains(&false) {
        let states = batch.state()?;
        for (env, state) in states.chunks_exact(width).enumerate() {
            torques(policy(env), state, &mut ctrl[env * nu..][..nu]);
            // height before the last steps; zero is set below after a fall
            if !ended[env] {
                end.heights[env] = state[2];
            }
        }
        batch.set_ctrl(&ctrl)?;
        batch.step(STEPS)?;
        let (rewards, info) = (batch.rewards()?, batch.info()?);
        for env in 0..envs {
            // environments that ended are in their next episode already
            if ended[env] {
                continue;
            }
            end.scores[env] += rewards[env] * STEPS as f64 / f64::from(EPISODE);
            ended[env] = info[env].terminated || info[env].truncated;
            if info[env].terminated {
                end.heights[env] = 0.0;
            }
        }
    }
    Ok(end)
}

/// Torques of all twelve joints.
fn torques(gains: &[f64], state: &[f64], ctrl: &mut [f64]) {
    let (angles, rates) = (&state[7..19], &state[25..37]);
    for (i, torque) in ctrl.iter_mut().enumerate() {
        let (leg, joint) = (i / 3, i % 3);
        let [spring, rest, damper] = std::array::from_fn(|k| gains[GAINS * joint + k]);
        // left and right legs are mirrored
        let side = if joint == 0 && leg % 2 == 1 { -1.0 } else { 1.0 };
        let rest = side * rest + [0.0, 0.8, -1.6][joint];
        // squares keep stiffness and damping positive
        *torque = 15.0 * spring * spring * (rest - angles[i]) - 0.7 * damper * damper * rates[i];
    }
}
