//! Balances a pole on a cart by the cross-entropy method: each environment evaluates a linear policy, and the best ones
//! determine the next generation. Rewards, termination and resets run in the kernel.
//!
//! `cargo run --release -p sim-gpu --example cartpole -- --envs 4096 --generations 20`

mod search;

use search::{Search, argument};
use sim_gpu::{AdapterSelection, Context, GpuBatch, GpuBatchError, Options};
use std::error::Error;

/// Steps of an episode of five seconds.
const EPISODE: u32 = 500;
/// Steps between control updates.
const STEPS: usize = 2;

/// Maximum 1 with the pole upright and the cart in the middle; decreases with the distance.
const TASK: &str = "
fn reward() -> real { return 1.0 - 0.3 * abs(qpos(0u)) - 2.0 * abs(qpos(1u)); }
fn terminated() -> bool { return abs(qpos(1u)) > 0.5 || abs(qpos(0u)) > 1.7; }
";

fn main() -> Result<(), Box<dyn Error>> {
    let gpu = Context::new(&AdapterSelection::from_env())?;
    let (envs, generations) = (argument("--envs", 40), argument("--generations", 5));
    println!("{envs} environments on {}", gpu.name());
    let up = learn(&gpu, envs, generations)?;
    println!("the pole stays upright for the whole episode in {up} of {envs} environments");
    assert_eq!(up, envs, "a pole fell");
    Ok(())
}

/// Optimises for a number of generations. Returns in how many environments the mean policy keeps the pole upright.
pub fn learn(gpu: &Context, envs: usize, generations: usize) -> Result<usize, Box<dyn Error>> {
    let mut batch = environments(gpu, envs)?;
    // gains of position, angle and their velocities
    let mut search = Search::new(vec![1.0, 5.0, 1.0, 2.0]);
    for generation in 0..generations {
        let candidates = search.draw(envs);
        let scores = episode(&mut batch, |env| &candidates[env])?.0;
        search.learn(&candidates, &scores);
        let (best, mean) = (scores.iter().fold(0.0_f64, |a, &b| a.max(b)), search.mean.clone());
        println!("generation {generation}: best score {best:.3}, gains {mean:.2?}");
    }
    let (scores, whole) = episode(&mut batch, |_| &search.mean)?;
    println!("score of the mean {:.3}", scores.iter().sum::<f64>() / envs as f64);
    Ok(whole.iter().filter(|&&whole| whole).count())
}

fn environments(gpu: &Context, envs: usize) -> Result<GpuBatch, Box<dyn Error>> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/models/robots/cartpole.xml");
    let option = r#"<option timestep="0.01"><flag contact="disable" sensor="disable"/></option>"#;
    let text = std::fs::read_to_string(file)?.replace(r#"<option timestep="0.002"/>"#, option);
    let model = sim_mjcf::load_str(&text)?;
    let options = Options {
        task: Some(TASK.into()),
        max_episode_steps: Some(EPISODE),
        // a software driver executes the lanes of an environment one after the other
        one_lane: gpu.is_software(),
        ..Options::default()
    };
    let mut batch = GpuBatch::new(gpu, &model, envs, &options)?;
    // cart positions and pole angles on both sides
    let start = |k: usize| {
        let (side, turn) = ((k % 8) as f64 / 3.5 - 1.0, (k / 8) as f64 / 3.5 - 1.0);
        [0.5 * side, 0.15 * turn, 0.0, -0.2 * side]
    };
    batch.set_initial_states(&(0..64).flat_map(start).collect::<Vec<_>>())?;
    Ok(batch)
}

/// One episode in every environment from the initial-state table. Returns the mean reward over the episode (zero after
/// its end) and whether it reached its full length.
fn episode<'a>(
    batch: &mut GpuBatch,
    policy: impl Fn(usize) -> &'a Vec<f64>,
) -> Result<(Vec<f64>, Vec<bool>), GpuBatchError> {
    let envs = batch.len();
    let (mut scores, mut whole) = (vec![0.0; envs], vec![None; envs]);
    batch.reset_where(&vec![true; envs])?;
    batch.step(0)?; // only the reset
    while whole.contains(&None) {
        let states = batch.state()?;
        let force = |(env, state): (usize, &[f64])| {
            policy(env).iter().zip(state).map(|(gain, x)| gain * x).sum::<f64>().clamp(-1.0, 1.0)
        };
        batch.set_ctrl(&states.chunks_exact(4).enumerate().map(force).collect::<Vec<_>>())?;
        batch.step(STEPS)?;
        let (rewards, info) = (batch.rewards()?, batch.info()?);
        for env in 0..envs {
            // environments that ended are in their next episode already
            if whole[env].is_none() {
                scores[env] += rewards[env] * STEPS as f64 / f64::from(EPISODE);
                if info[env].terminated || info[env].truncated {
                    whole[env] = Some(info[env].truncated);
                }
            }
        }
    }
    Ok((scores, whole.into_iter().flatten().collect()))
}
