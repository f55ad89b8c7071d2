//! Flexes, deformable bodies of XPBD and rigid bodies in one scene.

use sim_physics::core::mj_contact_force;
use sim_physics::core::types::ObjType;
use sim_physics::prelude::*;

/// A flex on the floor, a rigid plate on it, a pad of XPBD on the plate, and a box on the pad. Plate and box are
/// guided vertically.
const STACK: &str = r#"
<mujoco>
  <option timestep=".001"/>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <flexcomp name="mat" type="grid" dim="3" count="4 4 3" spacing=".1 .1 .08" pos="0 0 .085" radius=".005" mass="2">
      <edge damping="2"/>
      <elasticity young="5e4" poisson=".1" damping=".002"/>
      <contact selfcollide="none"/>
    </flexcomp>
    <body name="plate" pos="0 0 .192"><joint type="slide" axis="0 0 1"/><geom name="plate" type="box" size=".2 .2 .02" mass="3"/></body>
    <body name="box" pos="0 0 .365"><joint type="slide" axis="0 0 1"/><geom name="box" type="box" size=".05 .05 .05" mass="2"/></body>
  </worldbody>
  <xpbd substeps="10">
    <soft name="pad" size=".2 .2 .1" cells="4 4 2" pos="0 0 .263" preset="rubber" young="2e5"/>
  </xpbd>
</mujoco>"#;

const GRAVITY: f64 = 9.81;

/// Vertical force of the contacts of a flex with a geom, upwards on the flex.
fn flex_force(sim: &Simulation, geom: &str) -> f64 {
    let (m, d) = (sim.model(), sim.data());
    let geom = m.name2id(ObjType::Geom, geom).expect("the geom exists") as i32;
    let mut force = 0.0;
    for (id, contact) in d.contact.iter().enumerate() {
        if contact.flex[1] >= 0 && contact.geom[0] == geom {
            let mut local = [0.0; 6];
            mj_contact_force(m, d, id, &mut local);
            // rows of the frame are the axes of the contact, the first from the geom to the flex
            force += (0..3).map(|k| local[k] * contact.frame[3 * k + 2]).sum::<f64>();
        }
    }
    force
}

/// Vertical force of the contacts of the pad with a geom, upwards on the pad.
fn pad_force(sim: &Simulation, geom: &str) -> f64 {
    let (m, d) = (sim.model(), sim.data());
    let geom = m.name2id(ObjType::Geom, geom).expect("the geom exists") as i32;
    let on_geom = (0..d.ncon).filter(|&id| d.contact[id].geom[0] == geom);
    on_geom.filter_map(|id| d.deformable_contact(id)).map(|(_, force)| force.z).sum()
}

/// Masses and vertical momenta of box, pad, plate and mat.
fn masses_and_momenta(sim: &Simulation) -> [(f64, f64); 4] {
    let (m, d) = (sim.model(), sim.data());
    let of_bodies = |is_in: &dyn Fn(&str) -> bool| {
        let bodies = (1..m.nbody).filter(|&b| m.id2name(ObjType::Body, b).is_some_and(is_in));
        bodies.fold((0.0, 0.0), |(mass, momentum), b| {
            // the vertical slide joint is the last
            let dof = (m.body_dofadr[b] + m.body_dofnum[b] - 1) as usize;
            (mass + m.body_mass[b], momentum + m.body_mass[b] * d.qvel[dof])
        })
    };
    let pad = sim.deformable("pad").expect("the pad exists");
    let of_pad = pad.masses().iter().zip(pad.velocities());
    let of_pad = of_pad.fold((0.0, 0.0), |(m, p), (mass, v)| (m + mass, p + mass * v.z));
    [
        of_bodies(&|name| name == "box"),
        of_pad,
        of_bodies(&|name| name == "plate"),
        of_bodies(&|name| name.starts_with("mat_")),
    ]
}

/// The mean force between two layers is the weight of what is above, plus the mean change of its momentum.
#[test]
fn loads_pass_through_all_kinds_of_bodies() {
    let mut sim = Simulation::from_xml(STACK).expect("the model compiles");
    for _ in 0..500 {
        sim.step().expect("the step succeeds");
    }
    let before = masses_and_momenta(&sim);
    let steps = 1000;
    let mut means = [0.0; 4];
    for _ in 0..steps {
        sim.step().expect("the step succeeds");
        let forces = [
            -pad_force(&sim, "box"),
            pad_force(&sim, "plate"),
            -flex_force(&sim, "plate"),
            flex_force(&sim, "floor"),
        ];
        for (mean, force) in means.iter_mut().zip(forces) {
            *mean += force / f64::from(steps);
        }
    }
    let duration = f64::from(steps) * sim.model().opt.timestep;
    let mut load = 0.0;
    for ((mean, (mass, after)), (_, before)) in
        means.into_iter().zip(masses_and_momenta(&sim)).zip(before)
    {
        load += GRAVITY * mass + (after - before) / duration;
        assert!(mass > 0.5 && (mean - load).abs() < 0.01 * load, "{mean} N instead of {load} N");
    }
    // the mat is compressed by what rests on it
    let height = sim.body_pos("plate").expect("the plate exists").z;
    assert!((0.17..0.19).contains(&height), "{height}");
}

#[test]
fn a_restored_state_continues_with_the_same_bits() {
    let mut sim = Simulation::from_xml(STACK).expect("the model compiles");
    for _ in 0..100 {
        sim.step().expect("the step succeeds");
    }
    let state = sim.save();
    let run = |sim: &mut Simulation| {
        for _ in 0..50 {
            sim.step().expect("the step succeeds");
        }
        let pad: Vec<_> = sim.deformable("pad").expect("the pad exists").positions().to_vec();
        (sim.data().qpos.clone(), sim.data().flexvert_xpos.clone(), pad)
    };
    let first = run(&mut sim);
    sim.restore(&state).expect("the state fits");
    assert!(run(&mut sim) == first);
}

/// A flex and a body of XPBD do not see each other: only geoms are in contact with both.
#[test]
fn flexes_and_deformable_bodies_do_not_collide() {
    let mut sim = Simulation::from_xml(
        r#"<mujoco>
          <worldbody>
            <flexcomp name="sheet" type="grid" dim="2" count="4 4 1" spacing=".1 .1 .1" pos="0 0 .3" radius=".01" mass="1">
              <edge equality="true"/>
              <contact selfcollide="none"/>
              <pin id="0 3 12 15"/>
            </flexcomp>
          </worldbody>
          <xpbd><soft name="pad" size=".1 .1 .1" cells="2 2 2" pos="0 0 .5" preset="rubber"/></xpbd>
        </mujoco>"#,
    )
    .expect("the model compiles");
    for _ in 0..200 {
        sim.step().expect("the step succeeds");
    }
    let pad = sim.deformable("pad").expect("the pad exists");
    assert!(pad.positions().iter().all(|x| x.z < 0.1), "the pad falls through the sheet");
    assert_eq!(sim.data().ncon, 0);
}
