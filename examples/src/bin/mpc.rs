//! Swings up a pendulum by predictive sampling (model-predictive control with sampled plans), with
//! rollouts on all cores.

use sim_examples::{Random, Recorder, robot, short};
use sim_physics::core::{mj_get_state, mj_state_size};
use sim_physics::prelude::*;
use sim_physics::rollout;
use sim_physics::types::StateBits;

/// Number of sampled plans, of segments of a plan, and of steps per segment.
const PLANS: usize = 128;
const SEGMENTS: usize = 20;
const STEPS_PER_SEGMENT: usize = 4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim =
        Simulation::builder().timestep(0.01).keyframe("hanging").load(robot("cartpole"))?;
    let model = sim.model().clone();
    let bits = StateBits::FULLPHYSICS;
    let size = mj_state_size(&model, bits);
    let (mut random, mut best) = (Random(7), vec![0.0; SEGMENTS]);
    let mut table = Recorder::new(&["position cart (m)", "position pole (rad)", "control push"])?;
    let end = if short() { 0.4 } else { 6.0 };
    while sim.time() < end {
        // the previous plan, and random perturbations of it
        let plans: Vec<Vec<f64>> = (0..PLANS)
            .map(|k| {
                let noise = if k == 0 { 0.0 } else { 0.7 };
                let part = |u: &f64| (u + noise * random.number()).clamp(-1.0, 1.0);
                best.iter().map(part).collect()
            })
            .collect();
        let controls: Vec<f64> = plans
            .iter()
            .flatten()
            .flat_map(|&u| std::iter::repeat_n(u, STEPS_PER_SEGMENT))
            .collect();
        let mut state = vec![0.0; size];
        mj_get_state(&model, sim.data(), &mut state, bits)?;
        let result =
            rollout(&model, &state.repeat(PLANS), &controls, SEGMENTS * STEPS_PER_SEGMENT, 0)?;
        let cost = |k: usize| -> f64 {
            (0..SEGMENTS * STEPS_PER_SEGMENT).map(|t| price(&result.state(k, t)[1..])).sum()
        };
        let costs: Vec<f64> = (0..PLANS).map(cost).collect();
        let winner = (0..PLANS).min_by(|&a, &b| costs[a].total_cmp(&costs[b])).unwrap_or(0);
        best.clone_from(&plans[winner]);
        sim.set_ctrl("push", best[0])?;
        for _ in 0..STEPS_PER_SEGMENT {
            sim.step()?;
        }
        let [cart, pole] = [sim.data().qpos[0], sim.data().qpos[1]];
        table.add(sim.time(), &[cart, pole, best[0]])?;
        best.rotate_left(1);
        let angle = sim.joint_pos("pivot")?[0];
        println!("{:5.2} s  pole {:+.2} rad  cost {:.1}", sim.time(), angle, costs[winner]);
    }
    let height = sim.joint_pos("pivot")?[0].cos();
    println!("the pole stands at {height:.3} of its height");
    assert!(short() || height > 0.9, "the pole did not come up");
    Ok(())
}

/// Cost of a state: positions, then velocities of cart and pole.
fn price(state: &[f64]) -> f64 {
    let [x, angle, speed, rate] = [state[0], state[1], state[2], state[3]];
    (1.0 - angle.cos()) + 0.1 * x * x + 0.01 * speed * speed + 0.005 * rate * rate
}
