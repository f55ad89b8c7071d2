//! An arm with seven joints draws a circle: the path is planned by inverse kinematics and followed by
//! servos.

use sim_examples::{Recorder, robot, short};
use sim_physics::kinematics::{Chain, Outcome, Solver, Target};
use sim_physics::prelude::*;

/// Poses of the circle, and its radius in metres.
const POSES: usize = 200;
const RADIUS: f64 = 0.1;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::load(robot("arm7"))?;
    sim.reset_to("home")?;
    let model = sim.model().clone();
    let chain = Chain::to_site(&model, "grasp")?;

    // a circle in the plane of y and z that begins where the hand is, which keeps its orientation
    let mut qpos = sim.data().qpos.clone();
    let hand = chain.forward(&qpos, &mut chain.make_cache())?;
    let point = |k: usize| {
        let angle = std::f64::consts::TAU * k as f64 / (POSES - 1) as f64;
        let [x, y, z] = hand.pos();
        [x, y + RADIUS * angle.sin(), z + RADIUS * (1.0 - angle.cos())]
    };
    let targets: Vec<Target> = (0..POSES).map(|k| Target::pose(point(k), hand.quat())).collect();

    // the seventh joint is free to choose: stay away from limits
    let solver = Solver::for_chain(chain)?.with_middle(1.0)?;
    let mut work = solver.make_workspace();
    let (mut states, mut outcomes) = (vec![0.0; POSES * model.nq], vec![Outcome::default(); POSES]);
    let report = solver.solve_path(&targets, &mut qpos, &mut states, &mut outcomes, &mut work)?;
    println!(
        "planned: {} of {POSES} poses, joints change by {:.4} at most from one to the next",
        report.met, report.largest_jump
    );

    // servos of the seven joints come first among the actuators, as the joints do
    let steps = if short() { 10 } else { 25 };
    let mut table = Recorder::new(&["y wanted (m)", "y hand (m)", "z wanted (m)", "z hand (m)"])?;
    let mut largest: f64 = 0.0;
    for (k, state) in states.chunks_exact(model.nq).enumerate() {
        sim.data_mut().ctrl[..7].copy_from_slice(&state[..7]);
        for _ in 0..if k == 0 { 1000 } else { steps } {
            sim.step()?;
        }
        let (wanted, hand) = (Vector3::from(point(k)), sim.site_pos("grasp")?);
        largest = largest.max((wanted - hand).norm());
        table.add(sim.time(), &[wanted.y, hand.y, wanted.z, hand.z])?;
    }
    println!("followed: the hand was {:.1} mm from the circle at most", 1e3 * largest);
    assert!(report.met == POSES && report.largest_jump < 0.1, "{report:?}");
    assert!(largest < 0.06, "{largest}");
    Ok(())
}
