//! A 7-dof arm draws a circle: inverse kinematics of the path, tracked by position servos.

use sim_examples::{Recorder, robot, short};
use sim_physics::kinematics::{Chain, Outcome, Solver, Target};
use sim_physics::prelude::*;

/// Number of poses, and radius of the circle in m.
const POSES: usize = 200;
const RADIUS: f64 = 0.1;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::load(robot("arm7"))?;
    sim.reset_to("home")?;
    let model = sim.model().clone();
    let chain = Chain::to_site(&model, "grasp")?;

    // a circle in the y-z plane through the initial position, with constant orientation
    let mut qpos = sim.data().qpos.clone();
    let hand = chain.forward(&qpos, &mut chain.make_cache())?;
    let point = |k: usize| {
        let angle = std::f64::consts::TAU * k as f64 / (POSES - 1) as f64;
        let [x, y, z] = hand.pos();
        [x, y + RADIUS * angle.sin(), z + RADIUS * (1.0 - angle.cos())]
    };
    let targets: Vec<Target> = (0..POSES).map(|k| Target::pose(point(k), hand.quat())).collect();

    // the arm is redundant: stay close to mid-range
    let solver = Solver::for_chain(chain)?.with_middle(1.0)?;
    let mut work = solver.make_workspace();
    let (mut states, mut outcomes) = (vec![0.0; POSES * model.nq], vec![Outcome::default(); POSES]);
    let report = solver.solve_path(&targets, &mut qpos, &mut states, &mut outcomes, &mut work)?;
    println!(
        "planned: {} of {POSES} poses, largest joint change between poses {:.4} rad",
        report.converged, report.largest_jump
    );

    // the first seven actuators are the servos of the seven joints
    let steps = if short() { 10 } else { 25 };
    let mut table = Recorder::new(&["y target (m)", "y hand (m)", "z target (m)", "z hand (m)"])?;
    let mut largest: f64 = 0.0;
    for (k, state) in states.chunks_exact(model.nq).enumerate() {
        sim.data_mut().ctrl[..7].copy_from_slice(&state[..7]);
        for _ in 0..if k == 0 { 1000 } else { steps } {
            sim.step()?;
        }
        let (target, hand) = (Vector3::from(point(k)), sim.site_pos("grasp")?);
        largest = largest.max((target - hand).norm());
        table.add(sim.time(), &[target.y, hand.y, target.z, hand.z])?;
    }
    println!("tracked: largest distance of the hand from the circle {:.1} mm", 1e3 * largest);
    assert!(report.converged == POSES && report.largest_jump < 0.1, "{report:?}");
    assert!(largest < 0.06, "{largest}");
    Ok(())
}
