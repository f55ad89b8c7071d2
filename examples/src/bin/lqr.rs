//! Balances a cart-pole with a linear-quadratic regulator, from finite-difference derivatives of a step.

use nalgebra::{DMatrix, DVector};
use sim_examples::{Recorder, robot, short};
use sim_physics::core::transition_matrices;
use sim_physics::prelude::*;
use sim_physics::types::DisableBit;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::load(robot("cartpole"))?;

    // dry friction makes the derivative at rest vanish: linearize without it
    let mut smooth = Model::clone(sim.model());
    smooth.opt.disableflags |= DisableBit::FrictionLoss as i32;
    let step = transition_matrices(&smooth, &mut smooth.make_data(), 1e-6, true)?;
    let gain = lqr(&step.A, &step.B, &[10.0, 100.0, 1.0, 1.0], 1.0);
    println!("gain {gain:.3}");

    let mut table = Recorder::new(&["position cart (m)", "position pole (rad)", "control push"])?;
    sim.reset_to("tilted")?;
    let end = if short() { 2.0 } else { 6.0 };
    while sim.time() < end {
        let data = sim.data();
        let state = DVector::from_iterator(4, data.qpos.iter().chain(&data.qvel).copied());
        let push = -(&gain * state)[0];
        sim.set_ctrl("push", push)?;
        sim.step()?;
        let [cart, pole] = [sim.data().qpos[0], sim.data().qpos[1]];
        table.add(sim.time(), &[cart, pole, push.clamp(-1.0, 1.0)])?;
        if (sim.time() / 0.5).fract() < 0.004 {
            let angle = sim.sensor("pole_angle")?[0];
            println!(
                "{:4.1} s  cart {:+.3} m  pole {angle:+.4} rad",
                sim.time(),
                sim.joint_pos("slider")?[0]
            );
        }
    }
    assert!(sim.joint_pos("pivot")?[0].abs() < 0.05, "the pole fell");
    Ok(())
}

/// The gain that minimizes the infinite-horizon cost `Σ xᵀ Q x + r u²`, by fixed-point iteration of the
/// discrete Riccati equation.
fn lqr(a: &DMatrix<f64>, b: &DMatrix<f64>, q: &[f64], r: f64) -> DMatrix<f64> {
    let q = DMatrix::from_diagonal(&DVector::from_column_slice(q));
    let r = DMatrix::from_element(1, 1, r);
    let mut p = q.clone();
    let mut gain = DMatrix::zeros(1, a.ncols());
    for _ in 0..5000 {
        let s = &r + b.transpose() * &p * b;
        gain = (b.transpose() * &p * a) / s[(0, 0)];
        p = &q + a.transpose() * &p * (a - b * &gain);
    }
    gain
}
