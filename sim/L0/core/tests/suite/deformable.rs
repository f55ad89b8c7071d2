//! Deformable bodies coupled to rigid bodies: contacts, attachments, state and sensors.

use nalgebra::Vector3;
use sim_core::deformable::{
    CapsuleChain, ChainConfig, Cloth, ClothConfig, DeformableBody, DeformableError, Material,
    SoftBody, SoftBodyConfig, SolidModel, SurfaceMesh, TetMesh,
};
use sim_core::types::DisableBit;
use sim_core::{
    Attachment, Data, Deformable, Model, mj_contact_force, mj_subtree_vel, ray_deformables,
};

pub(crate) fn load(text: &str) -> Model {
    sim_mjcf::load_str(text).unwrap_or_else(|errors| panic!("{errors}"))
}

/// A block of rubber whose lowest point is at `low`.
pub(crate) fn block(size: [f64; 3], cells: [usize; 3], low: f64, stiffness: f64) -> SoftBody {
    let mut mesh = TetMesh::cuboid(size, cells).unwrap();
    let bottom = mesh.vertices.iter().map(|v| v.z).fold(f64::INFINITY, f64::min);
    mesh.vertices.iter_mut().for_each(|v| v.z += low - bottom);
    let material = Material {
        youngs_modulus: stiffness,
        poissons_ratio: 0.3,
        damping: 5e-3,
        ..Material::rubber()
    };
    SoftBody::new(&mesh, &SoftBodyConfig { material, model: SolidModel::Springs }).unwrap()
}

fn mass(body: &impl DeformableBody) -> f64 {
    body.body().masses().iter().sum()
}

/// Normal forces on a geom, as contacts report them.
pub(crate) fn load_on(m: &Model, d: &Data, geom: i32) -> f64 {
    let mut sum = 0.0;
    for (id, contact) in d.contact.iter().enumerate() {
        if contact.geom.contains(&geom) {
            let mut force = [0.0; 6];
            mj_contact_force(m, d, id, &mut force);
            sum += force[0];
        }
    }
    sum
}

const BOX: &str = r#"<mujoco><worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body pos="0 0 .201"><freejoint/><geom name="box" type="box" size=".11 .11 .1" mass="5"/>
      <site name="s" type="box" size=".2 .2 .2"/></body>
    SLAB
  </worldbody><sensor><touch site="s"/></sensor></mujoco>"#;

/// A box at rest on a slab: load on the box, touch sensor, model and data.
fn load_at_rest(slab: &str, soft: Option<SoftBody>) -> (f64, f64, Model, Data) {
    let mut m = load(&BOX.replace("SLAB", slab));
    if let Some(soft) = soft {
        m.add_deformable(Deformable::new("slab", &soft)).unwrap();
    }
    let mut d = m.make_data();
    for _ in 0..1000 {
        d.step(&m).unwrap();
    }
    (load_on(&m, &d, 1), d.sensordata[0], m, d)
}

#[test]
fn contact_force_on_a_deformable_slab_equals_that_on_a_rigid_one() {
    let slab = r#"<geom type="box" size=".2 .2 .05" pos="0 0 .05"/>"#;
    let (rigid, rigid_touch, ..) = load_at_rest(slab, None);
    for stiffness in [1e5, 1e7] {
        let soft = block([0.4, 0.4, 0.1], [8, 8, 2], 0.0, stiffness);
        let weight = mass(&soft) * 9.81;
        let (load, touch, m, d) = load_at_rest("", Some(soft));
        assert!((load - rigid).abs() < 0.01 * rigid, "{stiffness}: {load} {rigid}");
        assert!((touch - rigid_touch).abs() < 0.01 * rigid_touch, "{touch} {rigid_touch}");
        // the floor carries both
        let floor = load_on(&m, &d, 0);
        assert!((floor - load - weight).abs() < 0.01 * weight, "{floor} {load} {weight}");
        // the internal constraints have small residuals
        let report = d.coupling_report();
        assert!(report.contacts > 100 && report.penetration < 1e-4, "{report:?}");
        let residuals = d.deformable(0).unwrap().residuals();
        assert!(residuals.distance.max < 2e-3 && residuals.distance.count > 0, "{residuals:?}");
    }
}

/// Linear and angular momentum of all bodies.
fn momentum(m: &Model, d: &mut Data) -> (Vector3<f64>, Vector3<f64>) {
    d.forward(m).unwrap();
    mj_subtree_vel(m, d);
    let at = |flat: &[f64], body: usize| {
        Vector3::new(flat[3 * body], flat[3 * body + 1], flat[3 * body + 2])
    };
    let (mut linear, mut angular) = (Vector3::zeros(), Vector3::zeros());
    for body in 1..m.nbody {
        let p = m.body_subtreemass[body] * at(&d.subtree_linvel, body);
        linear += p;
        angular += at(&d.subtree_angmom, body) + at(&d.subtree_com, body).cross(&p);
    }
    for k in 0..d.deformable_count() {
        let body = d.deformable(k).unwrap();
        linear += body.momentum();
        angular += body.angular_momentum();
    }
    (linear, angular)
}

const IN_SPACE: &str = r#"<mujoco><option gravity="0 0 0" timestep="0.001"/><worldbody>
    <body pos="0.02 0.01 .15"><freejoint/><geom type="box" size=".04 .05 .03" mass="0.4"/></body>
  </worldbody></mujoco>"#;

fn energy(m: &Model, d: &mut Data) -> f64 {
    d.forward(m).unwrap();
    sim_core::mj_energy_vel(m, d);
    let soft: f64 = (0..d.deformable_count())
        .map(|k| d.deformable(k).unwrap())
        .map(|body| body.kinetic_energy() + body.elastic_energy())
        .sum();
    d.energy[1] + soft
}

#[test]
fn an_impact_conserves_momentum_and_adds_no_energy() {
    for stiffness in [2e4, 1e6] {
        let mut m = load(IN_SPACE);
        m.add_deformable(Deformable::new("block", &block([0.1; 3], [3; 3], -0.05, stiffness)))
            .unwrap();
        let mut d = m.make_data();
        d.qvel[..6].copy_from_slice(&[0.1, 0.0, -1.5, 0.5, -0.3, 2.0]);
        let before = momentum(&m, &mut d);
        let begin = energy(&m, &mut d);
        let (mut had_contact, mut most) = (false, begin);
        for _ in 0..400 {
            d.step(&m).unwrap();
            had_contact |= d.ncon > 0;
            most = most.max(energy(&m, &mut d));
        }
        let after = momentum(&m, &mut d);
        assert!(had_contact && d.deformable(0).unwrap().momentum().norm() > 0.1);
        assert!((after.0 - before.0).norm() < 1e-9 * before.0.norm(), "{before:?} {after:?}");
        // rigid rotations are integrated to first order, so that angular momentum is conserved to
        // first order
        assert!(
            (after.1 - before.1).norm() < 2e-3 * (1.0 + before.1.norm()),
            "{before:?} {after:?}"
        );
        assert!(most <= begin * (1.0 + 1e-3), "{begin} {most}");
        assert!(energy(&m, &mut d) < begin, "a blow takes energy");
    }
}

#[test]
fn a_thin_rod_does_not_pass_between_vertices() {
    // a sheet of four cells of 20 cm, and a rod of 2 cm in the interior of one
    let text = r#"<mujoco><worldbody>
        <body pos=".1 .07 .26"><joint type="slide" axis="0 0 1"/>
          <geom name="rod" type="SHAPE" size=".01 .15" mass="0.5"/></body>
      </worldbody></mujoco>"#;
    for shape in ["capsule", "cylinder"] {
        let mut m = load(&text.replace("SHAPE", shape));
        let mesh = SurfaceMesh::grid([0.4, 0.4], [2, 2]).unwrap();
        let mut cloth = Cloth::new(&mesh, &ClothConfig::rubber()).unwrap();
        for i in 0..9 {
            if i != 4 {
                cloth.body_mut().pin(i).unwrap();
            }
        }
        m.add_deformable(Deformable::new("sheet", &cloth)).unwrap();
        let mut d = m.make_data();
        for _ in 0..1500 {
            d.step(&m).unwrap();
        }
        assert!(d.contact.iter().any(|c| c.geom == [0, -1]), "{shape}");
        assert!(d.qpos[0] > -0.25, "{shape}: {:?} {:?}", d.qpos, d.qvel);
    }
}

#[test]
fn friction_is_the_maximum_of_both_sides() {
    for (friction, slides) in [(0.9, false), (0.1, true)] {
        let mut m = load(
            r#"<mujoco><option gravity="4.9 0 -8.5"/><worldbody>
               <geom type="plane" size="5 5 .1" friction="0.05"/></worldbody></mujoco>"#,
        );
        let mut soft = block([0.2, 0.2, 0.05], [4, 4, 1], 0.0, 1e6);
        soft.body_mut().set_friction(friction).unwrap();
        m.add_deformable(Deformable::new("block", &soft)).unwrap();
        let mut d = m.make_data();
        for _ in 0..250 {
            d.step(&m).unwrap();
        }
        let contact = d.contact.first().unwrap();
        assert_eq!(contact.friction[0], friction);
        // down a slope of 30 degrees for half a second
        let distance = d.deformable(0).unwrap().center_of_mass().x;
        let expected = if slides { 0.125 * (4.9 - friction * 8.5) } else { 0.0 };
        assert!((distance - expected).abs() < 0.03, "{friction}: {distance} {expected}");
    }
}

/// A rope attached to the world and to body 1.
fn rope_between(m: &Model) -> Deformable {
    let rope = CapsuleChain::straight(
        Vector3::new(0.0, 0.0, 1.0),
        Vector3::new(0.0, 0.0, 0.5),
        10,
        &ChainConfig::rope(),
    );
    let mut rope = Deformable::new("rope", &rope.unwrap());
    (rope.contype, rope.conaffinity) = (0, 0);
    rope.attachments = m.attachments_at_rest(&rope, &[0], 0).unwrap();
    let low = m.attachments_at_rest(&rope, &[10], 1).unwrap();
    rope.attachments.extend(low);
    rope
}

#[test]
fn a_rope_carries_an_attached_load() {
    let mut m = load(
        r#"<mujoco><worldbody><body pos="0 0 .45"><freejoint/>
           <geom type="box" size=".05 .05 .05" mass="2"/></body></worldbody></mujoco>"#,
    );
    let rope = rope_between(&m);
    let weight = rope.body.masses().iter().sum::<f64>() * 9.81;
    m.add_deformable(rope).unwrap();
    // the load has five hundred times the mass of a particle
    m.deformables.config.substeps = 100;
    let mut d = m.make_data();
    for _ in 0..2000 {
        d.step(&m).unwrap();
    }
    let report = d.coupling_report();
    assert_eq!(report.attachments, 2);
    assert!(report.separation < 1e-3, "{report:?}");
    assert!(
        (d.qpos[2] - 0.45).abs() < 2e-3 && d.qvel.iter().all(|v| v.abs() < 0.02),
        "{:?}",
        d.qpos
    );
    let low = d.attachment_force(0, 1).unwrap().z;
    let high = d.attachment_force(0, 0).unwrap().z;
    assert!((low + 19.62).abs() < 0.2, "{low}");
    assert!((high - 19.62 - weight).abs() < 0.2, "{high} {weight}");
}

#[test]
fn attachments_conserve_momentum() {
    let mut m = load(
        r#"<mujoco><option gravity="0 0 0"/><worldbody>
           <body pos="0 0 .45"><freejoint/><geom type="box" size=".05 .05 .05" mass="2"/></body>
           <body pos="0 0 1.05"><freejoint/><geom type="box" size=".05 .05 .05" mass="1"/></body>
           </worldbody></mujoco>"#,
    );
    let mut rope = rope_between(&m);
    rope.attachments[0] = m.attachments_at_rest(&rope, &[0], 2).unwrap()[0];
    m.add_deformable(rope).unwrap();
    let mut d = m.make_data();
    d.qvel[..3].copy_from_slice(&[0.3, 0.1, -1.0]);
    let (before, _) = momentum(&m, &mut d);
    for _ in 0..500 {
        d.step(&m).unwrap();
    }
    let (after, _) = momentum(&m, &mut d);
    assert!((after - before).norm() < 1e-9, "{before} {after}");
    assert!(d.qvel[6..9].iter().any(|v| v.abs() > 0.1), "the other box is pulled along");
}

#[test]
fn a_compressed_body_recovers() {
    // a press that compresses the block to a tenth and opens again
    let mut m = load(
        r#"<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
           <body pos="0 0 .16"><joint name="j" type="slide" axis="0 0 1"/>
             <geom type="box" size=".2 .2 .05" mass="5"/></body></worldbody>
           <actuator><position joint="j" kp="20000" kv="400"/></actuator></mujoco>"#,
    );
    let soft = block([0.1; 3], [4; 3], 0.0, 1e5);
    m.add_deformable(Deformable::new("block", &soft)).unwrap();
    let mut d = m.make_data();
    let height =
        |d: &Data| d.deformable(0).unwrap().positions().iter().map(|x| x.z).fold(0.0, f64::max);
    let mut least = f64::INFINITY;
    for k in 0..2500 {
        d.ctrl[0] = if k < 700 { -0.13 } else { 0.1 };
        d.step(&m).unwrap();
        least = least.min(height(&d));
        let body = d.deformable(0).unwrap();
        assert!(body.positions().iter().all(|x| x.iter().all(|v| v.is_finite())));
    }
    assert!(least < 0.03, "{least}");
    assert!((height(&d) - 0.1).abs() < 0.005, "{}", height(&d));
}

pub(crate) fn bits(d: &Data) -> Vec<u64> {
    let mut state = Vec::new();
    d.deformable_state(&mut state);
    state.extend(d.qpos.iter().chain(&d.qvel));
    state.iter().map(|x| x.to_bits()).collect()
}

/// A box that falls on a block, and a rope between the box and the world.
fn coupled_model() -> Model {
    let mut m = load(
        r#"<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
           <body pos="0 0 .18"><freejoint/><geom type="box" size=".05 .05 .05" mass="1"/></body>
           </worldbody></mujoco>"#,
    );
    m.add_deformable(Deformable::new("block", &block([0.12; 3], [3; 3], 0.0, 1e5))).unwrap();
    let rope = CapsuleChain::straight(
        Vector3::new(0.05, 0.0, 0.23),
        Vector3::new(0.3, 0.0, 0.4),
        8,
        &ChainConfig::rope(),
    );
    let mut rope = Deformable::new("rope", &rope.unwrap());
    rope.attachments = m.attachments_at_rest(&rope, &[0], 1).unwrap();
    rope.attachments.push(Attachment { vertex: 8, body: 0, pos: [0.3, 0.0, 0.4] });
    m.add_deformable(rope).unwrap();
    m
}

#[test]
fn saved_copied_and_reset_states_continue_bit_identically() {
    let m = coupled_model();
    let mut d = m.make_data();
    let start = bits(&d);
    for _ in 0..100 {
        d.step(&m).unwrap();
    }
    let (mut soft, mut rigid) = (Vec::new(), vec![0.0; sim_core::mj_state_size(&m, INTEGRATION)]);
    d.deformable_state(&mut soft);
    sim_core::mj_get_state(&m, &d, &mut rigid, INTEGRATION).unwrap();
    let (mut copy, mut other) = (d.clone(), m.make_data());
    other.copy_from(&d);
    for _ in 0..50 {
        d.step(&m).unwrap();
    }
    let end = bits(&d);
    sim_core::mj_set_state(&m, &mut d, &rigid, INTEGRATION).unwrap();
    d.set_deformable_state(&soft).unwrap();
    for d in [&mut d, &mut copy, &mut other] {
        for _ in 0..50 {
            d.step(&m).unwrap();
        }
        assert!(bits(d) == end);
    }
    d.reset(&m);
    assert!(bits(&d) == start);
    assert!(d.set_deformable_state(&soft[1..]).is_err());
    soft[3] = f64::NAN;
    assert!(d.set_deformable_state(&soft).is_err());
    assert!(bits(&d) == start);
}

const INTEGRATION: sim_core::types::StateBits = sim_core::types::StateBits::INTEGRATION;

#[test]
fn steps_do_not_depend_on_the_thread() {
    let m = coupled_model();
    let run = || {
        let mut d = m.make_data();
        for _ in 0..150 {
            d.step(&m).unwrap();
        }
        bits(&d)
    };
    let here = run();
    let there = std::thread::scope(|s| {
        let threads: Vec<_> = (0..3).map(|_| s.spawn(run)).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(there.iter().all(|bits| *bits == here));
}

#[test]
fn rays_intersect_surfaces_and_chains() {
    let m = coupled_model();
    let d = m.make_data();
    let hit = ray_deformables(&d, [0.01, 0.015, 1.0], [0.0, 0.0, -1.0]).unwrap();
    assert_eq!(hit.deformable, 0);
    assert!((hit.dist - 0.88).abs() < 1e-12, "{hit:?}");
    assert!((hit.normal[2] - 1.0).abs() < 1e-12);
    let middle = d.deformable(1).unwrap().positions()[4];
    let hit = ray_deformables(&d, [middle.x, middle.y, 1.0], [0.0, 0.0, -2.0]).unwrap();
    assert_eq!(hit.deformable, 1);
    assert!((1.0 - 2.0 * hit.dist - middle.z).abs() < 0.01);
    assert!(ray_deformables(&d, [2.0, 0.0, 1.0], [0.0, 0.0, -1.0]).is_none());
}

#[test]
fn rangefinders_and_contact_sensors_detect_deformable_bodies() {
    let mut m = load(
        r#"<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
           <site name="eye" pos="0.01 0.02 1" zaxis="0 0 -1"/>
           <site name="aside" pos="0.5 0 1" zaxis="0 0 -1"/></worldbody>
           <sensor><rangefinder site="eye"/><rangefinder site="aside"/>
           <contact geom1="floor" data="found force" reduce="netforce"/></sensor></mujoco>"#,
    );
    let soft = block([0.2, 0.2, 0.1], [4, 4, 2], 0.0, 1e6);
    let weight = 9.81 * mass(&soft);
    m.add_deformable(Deformable::new("block", &soft)).unwrap();
    let mut d = m.make_data();
    for _ in 0..500 {
        d.step(&m).unwrap();
    }
    d.forward(&m).unwrap();
    assert!((d.sensordata[0] - 0.9).abs() < 1e-3, "{:?}", d.sensordata);
    // the floor belongs to the same body as the site
    assert_eq!(d.sensordata[1], -1.0);
    assert!(d.sensordata[2] >= 25.0, "{:?}", d.sensordata);
    let force = Vector3::new(d.sensordata[3], d.sensordata[4], d.sensordata[5]).norm();
    assert!((force - weight).abs() < 0.01 * weight, "{force} {weight}");
}

#[test]
fn every_solver_cone_and_integrator_supports_a_box() {
    use sim_core::types::{Cone, Integrator, SolverType};
    let text = r#"<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
        <body pos="0 0 .16"><joint type="slide" axis="0 0 1" damping="2"/>
          <geom type="box" size=".06 .06 .05" mass="1"/></body></worldbody></mujoco>"#;
    for solver in [SolverType::Newton, SolverType::Cg, SolverType::Pgs] {
        for cone in [Cone::Pyramidal, Cone::Elliptic] {
            for integrator in [
                Integrator::Euler,
                Integrator::Rk4,
                Integrator::Implicit,
                Integrator::ImplicitFast,
                Integrator::ImplicitEuler,
            ] {
                let mut m = load(text);
                (m.opt.solver, m.opt.cone, m.opt.integrator) = (solver, cone, integrator);
                m.add_deformable(Deformable::new(
                    "b",
                    &block([0.2, 0.2, 0.1], [4, 4, 2], 0.0, 1e5),
                ))
                .unwrap();
                let mut d = m.make_data();
                for _ in 0..400 {
                    d.step(&m).unwrap();
                }
                let load = load_on(&m, &d, 1);
                let what = format!("{solver:?} {cone:?} {integrator:?}: {load} {:?}", d.qpos);
                assert!((load - 9.81).abs() < 0.1 && d.qpos[0] > -0.03, "{what}");
            }
        }
    }
}

#[test]
fn a_rope_between_two_bodies_hangs_in_a_catenary() {
    let mut m = load(
        r#"<mujoco><worldbody>
           <body name="a" pos="-.4 0 1"><geom size=".01"/></body>
           <body name="b" pos=".4 0 1"><geom size=".01"/></body></worldbody></mujoco>"#,
    );
    let (half, length): (f64, f64) = (0.4, 1.0);
    // initially along two sides of a triangle
    let low = (length * length / 4.0 - half * half).sqrt();
    let point = |k: i32| {
        let s = f64::from(k) / 20.0 - 1.0;
        Vector3::new(half * s, 0.0, 1.0 - low * (1.0 - s.abs()))
    };
    let points: Vec<_> = (0..=40).map(point).collect();
    let config = ChainConfig { bending: 0.0, twist: 0.0, ..ChainConfig::rope() };
    let rope = CapsuleChain::new(&points, &config).unwrap();
    let mut rope = Deformable::new("rope", &rope);
    (rope.contype, rope.conaffinity) = (0, 0);
    for (vertex, body) in [(0, 1), (40, 2)] {
        rope.attachments.extend(m.attachments_at_rest(&rope, &[vertex], body).unwrap());
    }
    let weight = 9.81 * rope.body.masses().iter().sum::<f64>();
    m.add_deformable(rope).unwrap();
    m.deformables.config.substeps = 40;
    m.deformables.config.damping = 3.0;
    let mut d = m.make_data();
    for _ in 0..3000 {
        d.step(&m).unwrap();
    }
    // length/2 = a sinh(half/a): the sag is a (cosh(half/a) - 1)
    let (mut low, mut high) = (0.05, 10.0);
    for _ in 0..100 {
        let a: f64 = 0.5 * (low + high);
        if a * (half / a).sinh() > 0.5 * length { low = a } else { high = a }
    }
    let sag = low * ((half / low).cosh() - 1.0);
    let found = 1.0 - d.deformable(0).unwrap().positions()[20].z;
    assert!((found - sag).abs() < 0.01 * sag, "{found} {sag}");
    // each end carries half of the weight, and a horizontal force of the weight of `a` metres
    let force = d.attachment_force(0, 0).unwrap();
    assert!((force.z - 0.5 * weight).abs() < 0.01 * weight, "{force} {weight}");
    assert!((-force.x - weight * low / length).abs() < 0.01 * weight, "{force}");
}

#[test]
fn invalid_deformables_are_errors() {
    let mut m = load("<mujoco><worldbody/></mujoco>");
    let good = Deformable::new("block", &block([0.1; 3], [1; 3], 0.0, 1e5));
    let attach = |vertex, body, pos| Deformable {
        attachments: vec![Attachment { vertex, body, pos }],
        ..good.clone()
    };
    let nan = f64::NAN;
    let bad = [
        attach(99, 0, [0.0; 3]),
        attach(0, 7, [0.0; 3]),
        attach(0, 0, [nan, 0.0, 0.0]),
        Deformable { margin: -1.0, ..good.clone() },
        Deformable { drag: nan, ..good.clone() },
        Deformable { solref: [nan, 1.0], ..good.clone() },
    ];
    for bad in bad {
        assert!(m.add_deformable(bad).is_err());
    }
    assert!(matches!(
        m.attachments_at_rest(&good, &[0], 3),
        Err(DeformableError::NoBody { body: 3, .. })
    ));
    assert!(m.deformables.is_empty());
    m.add_deformable(good).unwrap();
    // a non-finite state: a reset if `autoreset` is enabled, otherwise an error
    let mut d = m.make_data();
    d.deformable_mut(0).unwrap().velocities_mut()[0].x = f64::INFINITY;
    d.step(&m).unwrap();
    assert_eq!(d.deformable(0).unwrap().velocities()[0].x, 0.0);
    m.opt.disableflags |= DisableBit::AutoReset as i32;
    d.deformable_mut(0).unwrap().velocities_mut()[0].x = f64::INFINITY;
    assert!(d.step(&m).is_err());
}
