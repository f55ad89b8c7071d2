//! A cloth falls on a sphere and drapes over it.

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
    // distance of the vertices from the sphere of radius 0.2 m
    let center = Vector3::new(0.0, 0.0, 0.3);
    let distances = cloth.positions().iter().map(|x| (x - center).norm() - 0.2);
    let least = distances.fold(f64::INFINITY, f64::min);
    let (middle, corner) = (cloth.positions()[220].z, cloth.positions()[0].z);
    println!("height of the cloth: {middle:.3} m in the middle, {corner:.3} m at a corner");
    println!(
        "{} contacts; smallest distance of a vertex from the sphere {:.1} mm",
        sim.contacts().len(),
        1e3 * least
    );
    assert!(middle > 0.49 && corner < 0.45, "the cloth slid off");
    assert!(least > 0.0, "the sphere penetrates the cloth");
    Ok(())
}
