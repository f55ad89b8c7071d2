//! Robustness of a controller under domain randomization: one controller on many variations of a
//! cart-pole.

use sim_examples::{Random, Recorder, robot, short};
use sim_physics::prelude::*;
use sim_physics::types::ObjType;
use std::sync::Arc;

/// Gains of the cart position, the pole angle, and their velocities.
const GAIN: [f64; 4] = [-1.0, -5.0, -1.0, -1.0];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n = if short() { 32 } else { 512 };
    let model = Arc::new(load_file(robot("cartpole"))?);
    let pole = model.name2id(ObjType::Body, "pole").ok_or("no pole")?;
    println!(
        "{n} cart-poles: largest relative error of mass and friction, number upright after 4 s"
    );
    let mut table = Recorder::new(&["angle one", "angle another", "angle third"])?;
    for spread in [0.0, 0.2, 0.5, 0.9] {
        let mut batch = BatchSim::new(model.clone(), n)
            .with_start(|_, data, episode| {
                let mut random = Random(1 + episode.environment as u64 * 7919);
                data.qpos[1] = 0.15 * random.number();
            })
            .with_termination(|_, data| data.qpos[1].abs() > 0.8);
        for i in 0..n {
            let mut random = Random(99 + i as u64 * 104_729);
            batch.vary(i, |m| {
                let heavier = 1.0 + spread * 3.0 * random.number().abs();
                m.body_mass[pole] *= heavier;
                m.body_inertia[3 * pole..3 * pole + 3].iter_mut().for_each(|x| *x *= heavier);
                m.dof_frictionloss[0] *= 1.0 + spread * 10.0 * random.number().abs();
                m.actuator_gear[0] *= 1.0 - spread * random.number().abs();
            })?;
        }
        batch.reset_all();
        let mut fallen = vec![false; n];
        for _ in 0..2000 {
            let states = batch.result().states.clone();
            for (u, x) in batch.ctrl_mut().iter_mut().zip(states.chunks_exact(4)) {
                *u = -GAIN.iter().zip(x).map(|(k, x)| k * x).sum::<f64>();
            }
            let result = batch.step_all().clone();
            if spread == 0.5 {
                let angle = |i: usize| result.state(i)[1];
                let row = [angle(0), angle(n / 2), angle(n - 1)];
                table.add(batch.data(0).time, &row)?;
            }
            fallen.iter_mut().zip(&result.terminated).for_each(|(f, now)| *f |= now);
        }
        let standing = fallen.iter().filter(|fallen| !**fallen).count();
        println!("  {:3.0} %  {standing} of {n}", 100.0 * spread);
        assert!(spread > 0.0 || standing == n, "the controller does not hold its own model");
    }
    Ok(())
}
