//! Resting contact, sleep, state and serialization of deformable bodies.

use crate::deformable::{bits, block, load};
use nalgebra::Vector3;
use sim_core::deformable::{
    CapsuleChain, ChainConfig, Cloth, ClothConfig, DeformableBody, Material, SurfaceMesh, TetMesh,
};
use sim_core::{Data, Deformable, Model};

/// Force of the deformable bodies on a geom, N.
fn lift(d: &Data, geom: i32) -> Vector3<f64> {
    let contacts = (0..d.ncon).filter(|&id| d.contact[id].geom[0] == geom);
    contacts.filter_map(|id| d.deformable_contact(id)).map(|(_, force)| -force).sum()
}

/// Steps until a box rests on a deformable body, and checks that it stays at rest.
fn check_rest(name: &str, m: &Model, steps: usize) {
    let mut d = m.make_data();
    for _ in 0..steps {
        d.step(m).unwrap();
    }
    let (start, mut fastest) = (d.qpos.clone(), 0.0f64);
    for _ in 0..500 {
        d.step(m).unwrap();
        fastest = d.qvel.iter().map(|v| v.abs()).fold(fastest, f64::max);
        let force = lift(&d, m.ngeom as i32 - 1);
        assert!((force - Vector3::new(0.0, 0.0, 49.05)).norm() < 0.02 * 49.05, "{name}: {force}");
    }
    assert!(fastest < 2e-3, "{name}: {fastest}");
    let far = d.qpos.iter().zip(&start).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(far < 1e-3, "{name}: {far}");
}

const BOX: &str = r#"<mujoco><worldbody>
    <body pos="0 0 HEIGHT"><freejoint/><geom type="box" size=".1 .1 .1" mass="5"/></body>
    FLOOR</worldbody></mujoco>"#;

#[test]
fn a_box_rests_with_its_edges_aligned_to_the_mesh() {
    // cells of 5 cm below edges at 10 cm: whole rows of vertices coincide with an edge of the box,
    // and rounding decides whether they are in contact with its face or its side
    let floor = r#"<geom type="plane" size="2 2 .1"/>"#;
    for stiffness in [1e5, 1e6] {
        let mut m = load(&BOX.replace("HEIGHT", ".201").replace("FLOOR", floor));
        let slab = block([0.4, 0.4, 0.1], [8, 8, 2], 0.0, stiffness);
        m.add_deformable(Deformable::new("slab", &slab)).unwrap();
        check_rest("slab", &m, 1500);
    }
    let mut m = load(&BOX.replace("HEIGHT", ".101").replace("FLOOR", ""));
    let mesh = SurfaceMesh::grid([0.4, 0.4], [8, 8]).unwrap();
    // with enough damping that the box does not bounce for long; it rocks for some seconds
    let material = Material { damping: 0.03, ..Material::rubber() };
    let config = ClothConfig { material, ..ClothConfig::rubber() };
    let mut sheet = Cloth::new(&mesh, &config).unwrap();
    for (i, x) in mesh.vertices.iter().enumerate() {
        if x.x.abs().max(x.y.abs()) > 0.199 {
            sheet.body_mut().pin(i).unwrap();
        }
    }
    m.add_deformable(Deformable::new("sheet", &sheet)).unwrap();
    m.deformables.config.substeps = 40;
    check_rest("sheet", &m, 4000);
}

fn step_until_asleep(m: &Model, d: &mut Data, what: &str) {
    for _ in 0..1500 {
        d.step(m).unwrap();
    }
    assert!(d.deformable(0).unwrap().is_asleep(), "{what}");
}

fn enable_sleep(m: &mut Model) {
    m.deformables.config.sleep_speed = 0.01;
    m.deformables.config.damping = 5.0;
}

#[test]
fn a_sleeping_body_wakes_when_its_support_is_removed() {
    let mut m = load(
        r#"<mujoco><worldbody><body mocap="true"><geom type="box" size=".3 .3 .1" pos="0 0 -.1"/>
           </body></worldbody></mujoco>"#,
    );
    m.add_deformable(Deformable::new("b", &block([0.1; 3], [2; 3], 0.001, 1e5))).unwrap();
    enable_sleep(&mut m);
    let mut d = m.make_data();
    step_until_asleep(&m, &mut d, "on a table");
    for _ in 0..200 {
        d.step(&m).unwrap();
    }
    assert!(d.deformable(0).unwrap().is_asleep(), "and sleeps on");
    let height = d.deformable(0).unwrap().center_of_mass().z;
    // the table is removed
    d.mocap_pos[2] = -1.0;
    for _ in 0..100 {
        d.step(&m).unwrap();
    }
    assert!(d.deformable(0).unwrap().center_of_mass().z < height - 0.05);
}

#[test]
fn a_sleeping_body_wakes_when_its_attachment_moves() {
    let mut m = load(
        r#"<mujoco><worldbody><body mocap="true" pos="0 0 1"><geom size=".01"/></body></worldbody>
           </mujoco>"#,
    );
    let (top, low) = (Vector3::new(0.0, 0.0, 1.0), Vector3::new(0.0, 0.0, 0.7));
    let rope = CapsuleChain::straight(top, low, 6, &ChainConfig::rope()).unwrap();
    let mut rope = Deformable::new("rope", &rope);
    rope.attachments = m.attachments_at_rest(&rope, &[0], 1).unwrap();
    m.add_deformable(rope).unwrap();
    enable_sleep(&mut m);
    let mut d = m.make_data();
    step_until_asleep(&m, &mut d, "hanging");
    for _ in 0..100 {
        d.mocap_pos[0] += 0.001;
        d.step(&m).unwrap();
    }
    let first = d.deformable(0).unwrap().positions()[0];
    assert!((first.x - 0.1).abs() < 0.01, "{first}");
}

#[test]
fn states_include_sleep_pins_masses_and_forces() {
    let mut m =
        load(r#"<mujoco><worldbody><geom type="plane" size="1 1 .1"/></worldbody></mujoco>"#);
    m.add_deformable(Deformable::new("b", &block([0.1; 3], [2; 3], 0.001, 1e5))).unwrap();
    m.add_deformable(Deformable::new("c", &block([0.1; 3], [2; 3], 0.3, 1e5))).unwrap();
    enable_sleep(&mut m);
    let mut d = m.make_data();
    for _ in 0..40 {
        d.step(&m).unwrap();
    }
    d.deformable_mut(1).unwrap().pin(3).unwrap();
    d.deformable_mut(1).unwrap().set_mass(5, 0.5).unwrap();
    d.deformable_applied(1).unwrap()[7].x = 0.3;
    for when in [10, 1000] {
        for _ in 0..when {
            d.step(&m).unwrap();
        }
        let (mut soft, sig) = (Vec::new(), sim_core::types::StateBits::INTEGRATION);
        let mut rigid = vec![0.0; sim_core::mj_state_size(&m, sig)];
        d.deformable_state(&mut soft);
        sim_core::mj_get_state(&m, &d, &mut rigid, sig).unwrap();
        // into newly made data
        let mut other = m.make_data();
        sim_core::mj_set_state(&m, &mut other, &rigid, sig).unwrap();
        other.set_deformable_state(&soft).unwrap();
        assert!(other.deformable(1).unwrap().is_pinned(3));
        for _ in 0..100 {
            d.step(&m).unwrap();
            other.step(&m).unwrap();
        }
        assert!(bits(&d) == bits(&other), "{when}");
        // an invalid mass
        soft[6 + 12] = 0.0;
        assert!(other.set_deformable_state(&soft).unwrap_err().to_string().contains("mass"));
    }
    assert!(d.deformable(0).unwrap().is_asleep());
}

#[test]
fn drag_in_water_does_not_reverse_a_light_sheet() {
    let mut m = load(r#"<mujoco><option density="1000"/><worldbody/></mujoco>"#);
    let mesh = SurfaceMesh::grid([0.5, 0.5], [10, 10]).unwrap();
    m.add_deformable(Deformable::new("s", &Cloth::new(&mesh, &ClothConfig::silk()).unwrap()))
        .unwrap();
    let mut d = m.make_data();
    d.deformable_mut(0).unwrap().velocities_mut().fill(Vector3::new(0.0, 0.0, -3.0));
    let mut before = f64::INFINITY;
    for _ in 0..500 {
        d.step(&m).unwrap();
        let body = d.deformable(0).unwrap();
        // until the terminal velocity √(2·g·(mass/area)/density)
        let energy = body.kinetic_energy();
        let sinking = 0.5 * 0.05 * 0.25 * (2.0 * 9.81 * 0.05 / 1000.0);
        assert!(energy <= before.max(4.0 * sinking), "{energy} {before}");
        before = energy;
    }
}

#[test]
fn replacing_a_body_resets_the_data() {
    let m = {
        let mut m =
            load("<mujoco><worldbody><geom type='plane' size='1 1 1'/></worldbody></mujoco>");
        m.add_deformable(Deformable::new("b", &block([0.1; 3], [2; 3], 0.0, 1e5))).unwrap();
        m
    };
    for cells in [1, 3] {
        let mut d = m.make_data();
        d.step(&m).unwrap();
        let mesh = TetMesh::cuboid([0.1; 3], [cells; 3]).unwrap();
        let config = sim_core::deformable::SoftBodyConfig::rubber();
        let other = sim_core::deformable::SoftBody::new(&mesh, &config).unwrap();
        *d.deformable_mut(0).unwrap() = other.body().clone();
        let mut state = Vec::new();
        d.deformable_state(&mut state);
        d.step(&m).unwrap();
        // the data was reset
        assert_eq!(d.deformable(0).unwrap().len(), 27);
        d.step(&m).unwrap();
    }
}

#[test]
fn friction_of_the_data_is_used_and_copied() {
    let mut m = load(
        r#"<mujoco><worldbody><geom type="plane" size="1 1 .1" friction="0.1"/></worldbody></mujoco>"#,
    );
    m.add_deformable(Deformable::new("b", &block([0.1; 3], [2; 3], 0.0, 1e5))).unwrap();
    let mut d = m.make_data();
    d.deformable_mut(0).unwrap().set_friction(1.75).unwrap();
    let mut copy = m.make_data();
    copy.copy_from(&d);
    for d in [&mut d, &mut copy] {
        d.step(&m).unwrap();
        assert_eq!(d.contact[0].friction[0], 1.75);
    }
}

/// Every kind of constraint, attachments, pins and settings.
const ALL: &str = r#"<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
    <body name="hand" pos="0 0 .6"><freejoint/><geom size=".05"/><site name="grip" pos="0 0 -.05"/></body>
  </worldbody>
  <xpbd substeps="7" damping="0.2" sleepspeed="0.001">
    <cloth name="sheet" size=".4 .4" cells="6 5" pos="0 0 .3" preset="silk" selfcollide="0.005" contype="3">
      <pin vertex="0 6"/></cloth>
    <soft name="ball" shape="sphere" size="0.1" cells="2 1" pos="0 0 .12" model="neohookean" drag="0.5"/>
    <soft name="brick" size=".1 .1 .1" cells="2 2 2" pos=".4 0 .06" margin="0.001" solref="0.03 1"/>
    <rope name="line" points="0 0 .55 .02 0 .5 .02 .02 .45 0 .02 .4 0 0 .35" preset="soft_cable">
      <attach vertex="0" site="grip"/></rope>
  </xpbd></mujoco>"#;

#[test]
fn binary_models_include_deformable_bodies() {
    let m = load(ALL);
    let bytes = m.to_bytes();
    let again = Model::from_bytes(&bytes).unwrap();
    assert_eq!(again.to_bytes(), bytes);
    let (mut a, mut b) = (m.make_data(), again.make_data());
    for _ in 0..200 {
        a.step(&m).unwrap();
        b.step(&again).unwrap();
    }
    assert!(a.ncon > 0 && bits(&a) == bits(&b));
    // a model without deformable bodies has no bytes for them
    let plain = load("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
    assert!(Model::from_bytes(&plain.to_bytes()).unwrap().deformables.is_empty());
}

#[test]
fn corrupted_deformable_bytes_are_errors() {
    let m = load(ALL);
    let rigid = load(&format!("{}</mujoco>", ALL.split("<xpbd").next().unwrap())).to_bytes().len();
    let good = m.to_bytes();
    let sealed = |mut bytes: Vec<u8>| {
        let sum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        Model::from_bytes(&bytes)
    };
    let body = &good[..good.len() - 4];
    // truncated anywhere, or with any eight bytes replaced: an error or a model, never a panic
    for end in (rigid - 3..body.len()).step_by(97) {
        assert!(sealed(body[..end].to_vec()).is_err(), "{end}");
    }
    for at in (rigid - 4..body.len() - 8).step_by(61) {
        for word in [f64::NAN.to_le_bytes(), [0xff; 8], [0; 8], (-1.0f64).to_le_bytes()] {
            let mut bytes = body.to_vec();
            bytes[at..at + 8].copy_from_slice(&word);
            if let Ok(m) = sealed(bytes) {
                let mut d = m.make_data();
                let _ = d.forward(&m);
            }
        }
    }
}
