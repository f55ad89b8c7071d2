//! A cloth falls over a ball and hangs there.

use sim_examples::{Recorder, short};
use sim_physics::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::from_xml(include_str!("../../models/cloth.xml"))?;
    let mut table = Recorder::new(&["height middle (m)", "height corner (m)", "contact number"])?;
    let time = if short() { 0.5 } else { 2.0 };
    while sim.time() < time {
        sim.step()?;
        let x = sim.deformable("cloth")?.positions();
        table.add(sim.time(), &[x[220].z, x[0].z, sim.contacts().len() as f64])?;
    }
    let cloth = sim.deformable("cloth")?;
    // how far vertices are from the ball, whose centre is 0.3 m up
    let centre = Vector3::new(0.0, 0.0, 0.3);
    let away = cloth.positions().iter().map(|x| (x - centre).norm() - 0.2);
    let least = away.fold(f64::INFINITY, f64::min);
    let (middle, corner) = (cloth.positions()[220].z, cloth.positions()[0].z);
    println!("the cloth hangs from {middle:.3} m down to {corner:.3} m");
    println!(
        "{} contacts; no vertex is nearer to the ball than {:.1} mm",
        sim.contacts().len(),
        1e3 * least
    );
    assert!(middle > 0.49 && corner < 0.45, "the cloth slid off");
    assert!(least > 0.0, "the ball came through");
    Ok(())
}
