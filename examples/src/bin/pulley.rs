//! A rope over a pulley with a weight at each end, compared with the capstan equation.

use sim_examples::Recorder;
use sim_physics::prelude::*;

const TIME: f64 = 0.8;
const G: f64 = 9.81;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::from_xml(include_str!("../../models/pulley.xml"))?;
    let mut table = Recorder::new(&["height light (m)", "height heavy (m)"])?;
    sim.forward()?;
    let start = sim.body_pos("heavy")?.z;
    while sim.time() < TIME {
        sim.step()?;
        table.add(sim.time(), &[sim.body_pos("light")?.z, sim.body_pos("heavy")?.z])?;
    }
    let descent = start - sim.body_pos("heavy")?.z;

    // capstan equation: the tensions of a rope sliding over half a circle have the ratio exp(μ π);
    // both sides carry a part of the rope's mass
    let rope = sim.deformable("rope")?;
    let mass: f64 = rope.masses().iter().sum();
    let side: f64 = rope.masses()[..16].iter().sum();
    let gain = (0.1 * std::f64::consts::PI).exp();
    let (light, heavy) = (0.5 + side, 1.0 + side);
    let rate = G * (heavy - gain * light) / (heavy + gain * light + mass - 2.0 * side);
    let expected = 0.5 * rate * TIME * TIME;
    println!(
        "the heavier weight went down by {descent:.3} m; the capstan equation gives {expected:.3} m"
    );
    println!(
        "the rope weighs {mass:.2} kg, its edges are off by {:.1e} m",
        rope.residuals().distance.max
    );
    assert!((descent - expected).abs() < 0.2 * expected, "the rope sticks or flies");
    Ok(())
}
