//! Contacts between deformable bodies in a model.

use crate::deformable::{bits, block, load, load_on};
use nalgebra::Vector3;
use sim_core::deformable::{CapsuleChain, ChainConfig, Cloth, ClothConfig, SurfaceMesh};
use sim_core::{Deformable, Model};

fn sheet(height: f64) -> Cloth {
    let mut mesh = SurfaceMesh::grid([0.4, 0.4], [12, 12]).unwrap();
    mesh.vertices.iter_mut().for_each(|x| x.z = height);
    Cloth::new(&mesh, &ClothConfig { thickness: 2e-3, bending: 0.02, ..ClothConfig::cotton() })
        .unwrap()
}

/// A block on the floor with a sheet above it.
fn covered() -> Model {
    let mut m =
        load(r#"<mujoco><worldbody><geom type="plane" size="1 1 .1"/></worldbody></mujoco>"#);
    m.add_deformable(Deformable::new("block", &block([0.12; 3], [4; 3], 0.0, 1e5))).unwrap();
    m.add_deformable(Deformable::new("sheet", &sheet(0.14))).unwrap();
    m
}

#[test]
fn a_sheet_rests_on_a_block_and_the_floor_carries_both() {
    let mut m = covered();
    m.deformables.config.damping = 3.0;
    let mut d = m.make_data();
    for _ in 0..1000 {
        d.step(&m).unwrap();
    }
    assert!(d.coupling_report().body_pair_contacts > 0);
    let (block, sheet) = (d.deformable(0).unwrap(), d.deformable(1).unwrap());
    let middle = sheet.positions()[6 * 13 + 6].z;
    assert!((0.115..0.125).contains(&middle), "{middle}");
    assert!(sheet.positions()[0].z < 0.08, "its corners hang down");
    let weight = 9.81 * block.masses().iter().chain(sheet.masses()).sum::<f64>();
    let load = load_on(&m, &d, 0);
    assert!((load - weight).abs() < 0.02 * weight, "{load} {weight}");
}

#[test]
fn contact_masks_filter_deformable_pairs() {
    let mut m = covered();
    let mut through = Deformable::new("sheet", &sheet(0.14));
    (through.contype, through.conaffinity) = (2, 2);
    m = {
        let mut n =
            load(r#"<mujoco><worldbody><geom type="plane" size="1 1 .1"/></worldbody></mujoco>"#);
        n.add_deformable(m.deformables.get(0).unwrap().clone()).unwrap();
        n.add_deformable(through).unwrap();
        n
    };
    let mut d = m.make_data();
    for _ in 0..100 {
        d.step(&m).unwrap();
        assert_eq!(d.coupling_report().body_pair_contacts, 0);
    }
    assert!(d.deformable(1).unwrap().positions()[6 * 13 + 6].z < 0.0);
}

#[test]
fn ropes_attached_to_one_body_do_not_collide_there() {
    let mut m = load(
        r#"<mujoco><worldbody><body pos="0 0 1"><geom size=".01" contype="0" conaffinity="0"/>
           </body></worldbody></mujoco>"#,
    );
    let top = Vector3::new(0.0, 0.0, 1.0);
    for end in [Vector3::new(0.3, 0.0, 0.8), Vector3::new(-0.3, 0.0, 0.8)] {
        let rope = CapsuleChain::straight(top, end, 10, &ChainConfig::rope()).unwrap();
        let mut rope = Deformable::new("rope", &rope);
        rope.attachments = m.attachments_at_rest(&rope, &[0], 1).unwrap();
        m.add_deformable(rope).unwrap();
    }
    m.deformables.config.damping = 2.0;
    let mut d = m.make_data();
    for _ in 0..1000 {
        d.step(&m).unwrap();
    }
    assert!(d.coupling_report().separation < 1e-3, "{:?}", d.coupling_report());
    for k in 0..2 {
        let rope = d.deformable(k).unwrap();
        assert!(rope.residuals().distance.max < 1e-3, "{:?}", rope.residuals());
    }
    // below the attachment they hang side by side
    let at = |k: usize, i: usize| d.deformable(k).unwrap().positions()[i];
    assert!((at(0, 8) - at(1, 8)).norm() > 0.009, "{} {}", at(0, 8), at(1, 8));
}

#[test]
fn bodies_in_contact_sleep_together_and_an_impact_wakes_both() {
    let mut m =
        load(r#"<mujoco><worldbody><geom type="plane" size="1 1 .1"/></worldbody></mujoco>"#);
    m.add_deformable(Deformable::new("low", &block([0.1; 3], [2; 3], 0.0, 1e5))).unwrap();
    m.add_deformable(Deformable::new("high", &block([0.1; 3], [2; 3], 0.102, 1e5))).unwrap();
    m.deformables.config.damping = 5.0;
    m.deformables.config.sleep_speed = 0.01;
    let mut d = m.make_data();
    for _ in 0..2000 {
        d.step(&m).unwrap();
    }
    for k in 0..2 {
        assert!(d.deformable(k).unwrap().is_asleep(), "{k}");
    }
    let low = d.deformable(0).unwrap().center_of_mass();
    d.deformable_mut(1).unwrap().velocities_mut().fill(Vector3::new(1.0, 0.0, -2.0));
    let mut moved = 0.0f64;
    for _ in 0..50 {
        d.step(&m).unwrap();
        moved = moved.max((d.deformable(0).unwrap().center_of_mass() - low).norm());
    }
    assert!(moved > 1e-3, "{moved}");
}

#[test]
fn copies_continue_bit_identically() {
    let m = covered();
    let mut d = m.make_data();
    for _ in 0..120 {
        d.step(&m).unwrap();
    }
    let mut soft = Vec::new();
    d.deformable_state(&mut soft);
    let (mut copy, mut other) = (d.clone(), m.make_data());
    other.set_deformable_state(&soft).unwrap();
    for _ in 0..50 {
        d.step(&m).unwrap();
        copy.step(&m).unwrap();
        other.step(&m).unwrap();
    }
    assert!(bits(&d) == bits(&copy) && bits(&d) == bits(&other));
}
