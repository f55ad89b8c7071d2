//! Builds a chain in code, simulates it, adds a weight to its end and recompiles it with its state.

use sim_examples::Recorder;
use sim_physics::mjcf::spec::{Body, BodyId, Geom, Joint};
use sim_physics::prelude::*;

const LINKS: usize = 8;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut spec = Spec::new("chain");
    let mut parent = BodyId::WORLD;
    for i in 0..LINKS {
        let pos = [0.0, 0.0, if i == 0 { 2.0 } else { -0.2 }];
        parent = spec.add_body(parent, Body::new(format!("link{i}")).pos(pos));
        spec.bodies[parent.0]
            .add(Joint::hinge([0.0, 1.0, 0.0]).name(format!("joint{i}")))
            .add(Geom::capsule(0.02, [0.0; 3], [0.0, 0.0, -0.2]));
    }
    let mut sim = Simulation::from_spec(&spec)?;
    for i in 0..LINKS {
        sim.set_joint_pos(&format!("joint{i}"), &[0.3])?;
    }
    let last = format!("link{}", LINKS - 1);
    let mut table = Recorder::new(&["height last link (m)"])?;
    for _ in 0..300 {
        sim.step()?;
        table.add(sim.time(), &[sim.body_pos(&last)?.z])?;
    }
    println!(
        "{} links after {:.2} s: height of the last link {:.3} m",
        LINKS,
        sim.time(),
        sim.body_pos(&last)?.z
    );

    // edit the description and recompile it; the state is kept
    let end = spec.bodies.len() - 1;
    spec.bodies[end].add(Geom::sphere(0.1).name("weight"));
    sim.recompile(&spec)?;
    for _ in 0..300 {
        sim.step()?;
        table.add(sim.time(), &[sim.body_pos(&last)?.z])?;
    }
    println!("with a weight, at {:.2} s: {:.3} m", sim.time(), sim.body_pos(&last)?.z);
    let [potential, kinetic] = sim.energy();
    println!("energy: {potential:.3} J potential, {kinetic:.3} J kinetic");

    let path = std::env::temp_dir().join("chain.xml");
    spec.save_xml_file(&path)?;
    let loaded = Simulation::load(&path)?;
    assert_eq!(loaded.model().nv, LINKS);
    println!("wrote {}", path.display());
    Ok(())
}
