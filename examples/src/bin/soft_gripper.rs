//! A gripper grasps a soft ball and lifts it by friction.

use sim_examples::Recorder;
use sim_physics::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::from_xml(include_str!("../../models/soft_gripper.xml"))?;
    // phase, end time, and targets of the lift and the fingers
    let plan = [
        ("reach", 0.4, -0.12, 0.0),
        ("squeeze", 0.8, -0.12, 0.05),
        ("lift", 1.6, 0.05, 0.05),
        ("hold", 2.0, 0.05, 0.05),
    ];
    let mut table = Recorder::new(&["height ball (m)", "width ball (m)", "force squeeze (N)"])?;
    for (name, until, lift, grip) in plan {
        let before = sim.ctrl("lift")?;
        let start = sim.time();
        while sim.time() < until {
            let share = ((sim.time() - start) / (until - start)).clamp(0.0, 1.0);
            sim.set_ctrl("lift", before + (lift - before) * share)?;
            sim.set_ctrl("left", grip)?;
            sim.set_ctrl("right", grip)?;
            sim.step()?;
            let ball = sim.deformable("ball")?;
            let values = [ball.center_of_mass().z, width(ball.positions()), squeeze(&sim)];
            table.add(sim.time(), &values)?;
        }
        let ball = sim.deformable("ball")?;
        let (height, wide) = (ball.center_of_mass().z, width(ball.positions()));
        let force = squeeze(&sim);
        println!("{name:8} ball at {height:.3} m, width {wide:.3} m, grip force {force:.1} N");
    }
    let height = sim.deformable("ball")?.center_of_mass().z;
    assert!(height > 0.15, "the ball was dropped: it is at {height:.3} m");
    Ok(())
}

/// Extent of the ball between the fingers, m.
fn width(points: &[Vector3<f64>]) -> f64 {
    let x = || points.iter().map(|x| x.x);
    x().fold(f64::NEG_INFINITY, f64::max) - x().fold(f64::INFINITY, f64::min)
}

/// Normal force of the left finger on the ball, N.
fn squeeze(sim: &Simulation) -> f64 {
    let data = sim.data();
    let left = sim.find::<GeomHandle>("left").map_or(-1, |geom| geom.id() as i32);
    let of_left = (0..data.ncon).filter(|&id| data.contact[id].geom[0] == left);
    of_left.filter_map(|id| data.deformable_contact(id)).map(|(_, force)| force.x).sum()
}
