//! Shows 16 environments of a batch while a policy is trained by random search. Closing the window does not end
//! the training.
//!
//! ```text
//! cargo run --release -p sim-viewer --example training [-- --seconds 60]
//! ```

use sim_physics::prelude::*;
use sim_viewer::{Options, Passive};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A pole on a cart.
const CARTPOLE: &str = r#"<mujoco model="cartpole">
  <option timestep="0.01"/>
  <statistic extent="2.1" center="0 0 .1"/>
  <visual><global azimuth="90" elevation="-10"/></visual>
  <worldbody>
    <light pos="0 -2 3" dir="0 .5 -1"/>
    <geom type="plane" size="2 2 .1" pos="0 0 -.4" rgba=".3 .4 .5 1"/>
    <geom type="capsule" fromto="-1.8 0 0 1.8 0 0" size=".02" rgba=".6 .6 .6 1" contype="0" conaffinity="0"/>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0" range="-1.8 1.8" limited="true" damping=".1"/>
      <geom type="box" size=".15 .1 .06" rgba=".8 .5 .2 1" contype="0" conaffinity="0"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0" damping=".002"/>
        <geom type="capsule" fromto="0 0 0 0 0 .6" size=".03" rgba=".2 .6 .8 1" contype="0" conaffinity="0"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="slide" ctrlrange="-1 1" ctrllimited="true" gear="12"/></actuator>
</mujoco>"#;

/// Environments of the batch, all of which are shown.
const ENVIRONMENTS: usize = 16;
/// Steps of an episode.
const STEPS: usize = 400;

/// Weights of the position and velocity of cart and pole.
type Policy = [f64; 4];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip_while(|a| a != "--seconds").skip(1);
    let seconds: Option<f64> = arguments.next().map(|text| text.parse()).transpose()?;
    let model = Arc::new(load_str(CARTPOLE)?);
    let options = Options::default().title("training").panels(false);
    let done = Passive::run(&model, options, |view| train(&model, view, seconds))?;
    println!("best return {:.1} of {STEPS} after {} iterations", done.1, done.0);
    Ok(())
}

/// Trains until the pole stays up or the time is over; returns the iterations and the best return.
fn train(model: &Arc<Model>, mut view: Passive, seconds: Option<f64>) -> (usize, f64) {
    let mut batch = BatchSim::new(model.clone(), ENVIRONMENTS)
        .with_start(|_, data, episode| data.qpos[1] = 0.05 + 0.002 * episode.environment as f64);
    let mut random = 1_u64;
    let (mut best, mut best_return) = ([0.0; 4], f64::NEG_INFINITY);
    let start = Instant::now();
    let over = |view: &Passive| match seconds {
        Some(seconds) => start.elapsed() > Duration::from_secs_f64(seconds),
        None => !view.is_open(),
    };
    let mut iteration = 0;
    while !over(&view) {
        let policies: Vec<Policy> = (0..ENVIRONMENTS)
            .map(|i| match i {
                0 => best,
                _ => best.map(|weight: f64| weight + 2.0 * normal(&mut random)),
            })
            .collect();
        let returns = episode(&mut batch, &policies, &mut view, iteration, best_return);
        for (policy, sum) in policies.iter().zip(&returns) {
            if *sum > best_return {
                (best, best_return) = (*policy, *sum);
            }
        }
        iteration += 1;
        view.overlay().plot("best return", iteration as f64, best_return);
    }
    (iteration, best_return)
}

/// Runs one episode of all environments; returns the number of steps with the pole up.
fn episode(
    batch: &mut BatchSim,
    policies: &[Policy],
    view: &mut Passive,
    iteration: usize,
    best: f64,
) -> Vec<f64> {
    let shown: Vec<usize> = (0..ENVIRONMENTS).collect();
    let mut returns = vec![0.0; ENVIRONMENTS];
    batch.reset_all();
    for _ in 0..STEPS {
        for (i, policy) in policies.iter().enumerate() {
            let data = batch.data(i);
            let state = [data.qpos[0], data.qpos[1], data.qvel[0], data.qvel[1]];
            let action: f64 = policy.iter().zip(state).map(|(w, x)| w * x).sum();
            if data.qpos[1].cos() > 0.9 {
                returns[i] += 1.0;
            }
            batch.ctrl_mut()[i] = action.clamp(-1.0, 1.0);
        }
        batch.step_all();
        view.overlay().lines.clear();
        view.overlay().text("iteration", iteration.to_string());
        view.overlay().text("best return", format!("{best:.0}"));
        view.sync_batch(batch, &shown);
        // slow enough to watch
        if view.is_open() {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
    returns
}

/// A random number with normal distribution (sum of uniform numbers).
fn normal(state: &mut u64) -> f64 {
    let mut uniform = || {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..12).map(|_| uniform()).sum::<f64>() - 6.0
}
