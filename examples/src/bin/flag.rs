//! A flag attached to a pole in the wind.

use sim_examples::{Recorder, short};
use sim_physics::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::from_xml(include_str!("../../models/flag.xml"))?;
    let mut table = Recorder::new(&["corner along (m)", "corner across (m)", "corner height (m)"])?;
    let time = if short() { 1.0 } else { 4.0 };
    let (mut least, mut most) = (0.0_f64, 0.0_f64);
    while sim.time() < time {
        sim.step()?;
        let corner = sim.deformable("flag")?.positions()[24];
        (least, most) = (least.min(corner.y), most.max(corner.y));
        table.add(sim.time(), &[corner.x, corner.y, corner.z])?;
    }
    let flag = sim.deformable("flag")?;
    let center = flag.center_of_mass();
    let pull: f64 = (0..17).filter_map(|k| sim.data().attachment_force(0, k)).map(|f| -f.x).sum();
    println!(
        "center of mass of the flag: {:.2} m downwind of the pole, {:.2} m above the ground",
        center.x, center.z
    );
    println!(
        "its corner moves between {least:.2} and {most:.2} m across the wind; force on the pole {pull:.2} N"
    );
    assert!(center.x > 0.35, "the flag hangs down");
    Ok(())
}
