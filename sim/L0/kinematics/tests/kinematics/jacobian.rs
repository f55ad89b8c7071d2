//! Frames and Jacobians of chains, compared with `mj_jac` and finite differences.

use crate::arms::{Random, arms, chain};
use sim_core::math::vec3;
use sim_core::types::JointType;
use sim_core::{Data, Model, mj_com_pos, mj_integrate_pos, mj_jac_into, mj_kinematics};
use sim_kinematics::{
    Chain, End, Error, Frame, JacobianType, JointFrameCache, SingularValues, adjoint, convert,
};

const STATES: usize = 10_000;

#[track_caller]
fn assert_close(a: &[f64], b: &[f64], tolerance: f64, what: &str) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= tolerance, "{what}: {a} is not {b}");
    }
}

/// A chain with its cache and Jacobian.
struct Fixture {
    chain: Chain,
    cache: JointFrameCache,
    jac: Vec<[f64; 6]>,
}

impl Fixture {
    fn new(chain: Chain) -> Self {
        Self { cache: chain.make_cache(), jac: vec![[0.0; 6]; chain.nv()], chain }
    }

    fn at(&mut self, qpos: &[f64], kind: JacobianType) -> Frame {
        self.chain.jacobian_at(qpos, &mut self.cache, kind, &mut self.jac).unwrap()
    }
}

/// Position-dependent quantities of the model at a configuration.
fn at_configuration(m: &Model, qpos: &[f64]) -> Data {
    let mut d = m.make_data();
    d.qpos.copy_from_slice(qpos);
    mj_kinematics(m, &mut d);
    mj_com_pos(m, &mut d);
    d
}

/// Compares the chain from the world to site `tip` with `mj_kinematics` and `mj_jac`.
fn check_against_sim_core(
    m: &Model,
    fixture: &mut Fixture,
    qpos: &[f64],
    jacs: &mut [Vec<f64>; 2],
) {
    let tip = fixture.at(qpos, JacobianType::Spatial);
    let d = at_configuration(m, qpos);
    assert_close(&tip.pos(), &d.site_xpos[..3], 1e-12, "position");
    assert_close(&tip.mat(), &d.site_xmat[..9], 1e-12, "orientation");
    let [jacp, jacr] = jacs;
    let point = [d.site_xpos[0], d.site_xpos[1], d.site_xpos[2]];
    mj_jac_into(m, &d, Some(jacp), Some(jacr), point, m.site_bodyid[0] as usize);
    for (column, &dof) in fixture.jac.iter().zip(fixture.chain.dofs()) {
        for row in 0..3 {
            assert_close(&[column[row]], &[jacp[row * m.nv + dof]], 1e-12, "linear");
            assert_close(&[column[row + 3]], &[jacr[row * m.nv + dof]], 1e-12, "angular");
        }
    }
}

/// Compares the Jacobian at `qpos` with central differences of poses.
fn check_finite_differences(m: &Model, fixture: &mut Fixture, qpos: &[f64]) {
    let eps = 1e-6;
    fixture.at(qpos, JacobianType::Spatial);
    let jac = fixture.jac.clone();
    for (column, &dof) in jac.iter().zip(&fixture.chain.dofs().to_vec()) {
        let mut pose = |step: f64| {
            let (mut moved, mut velocity) = (qpos.to_vec(), vec![0.0; m.nv]);
            velocity[dof] = step;
            mj_integrate_pos(m, &mut moved, &velocity, 1.0);
            fixture.chain.forward(&moved, &mut fixture.cache).unwrap()
        };
        let (minus, plus) = (pose(-eps), pose(eps));
        let linear = vec3::scale(vec3::sub(plus.pos(), minus.pos()), 0.5 / eps);
        let angular = vec3::scale(minus.rotation_to(&plus), 0.5 / eps);
        assert_close(&column[..3], &linear, 1e-6, "linear difference");
        assert_close(&column[3..], &angular, 1e-6, "angular difference");
    }
}

/// Edge cases: the reference, both limits and just inside them, and aligned axes.
fn edge_cases(m: &Model, random: &mut Random) -> Vec<Vec<f64>> {
    let mut states = vec![m.qpos0.clone()];
    for (at, inside) in [(0, 0.0), (1, 0.0), (0, 1e-9), (1, 1e-9)] {
        let mut qpos = random.state(m);
        for j in 0..m.njnt {
            if m.jnt_type[j] != JointType::Ball {
                let sign = if at == 0 { 1.0 } else { -1.0 };
                qpos[m.jnt_qposadr[j] as usize] = m.jnt_range[2 * j + at] + sign * inside;
            }
        }
        states.push(qpos);
    }
    // one joint at its reference, which aligns neighbouring axes
    for j in 0..m.njnt {
        let mut qpos = random.state(m);
        if m.jnt_type[j] != JointType::Ball {
            qpos[m.jnt_qposadr[j] as usize] = m.qpos0[m.jnt_qposadr[j] as usize];
        }
        states.push(qpos);
    }
    states
}

#[test]
fn jacobian_matches_mj_jac_and_finite_differences() {
    for arm in arms() {
        let m = &arm.model;
        let mut fixture = Fixture::new(chain(m));
        let mut jacs = [vec![0.0; 3 * m.nv], vec![0.0; 3 * m.nv]];
        let mut random = Random(7);
        let mut states = edge_cases(m, &mut random);
        states.resize_with(states.len().max(STATES), || random.state(m));
        assert_eq!(states.len(), STATES, "{}", arm.name);
        for qpos in &states {
            check_against_sim_core(m, &mut fixture, qpos, &mut jacs);
            check_finite_differences(m, &mut fixture, qpos);
        }
    }
}

#[test]
fn jacobian_types_are_related_by_the_adjoint() {
    use JacobianType::{Body, Origin, Spatial};
    for arm in arms() {
        let m = &arm.model;
        let (mut fixture, mut random) = (Fixture::new(chain(m)), Random(11));
        for _ in 0..200 {
            let qpos = random.state(m);
            let tip = fixture.at(&qpos, Body);
            let body = fixture.jac.clone();
            fixture.at(&qpos, Origin);
            let ad = adjoint(&tip);
            for (local, global) in body.iter().zip(&fixture.jac) {
                let product = ad.map(|row| row.iter().zip(local).map(|(a, b)| a * b).sum::<f64>());
                assert_close(&product, global, 1e-13, "adjoint");
            }
            // a cycle of conversions is the identity
            let mut jac = body.clone();
            for (from, to) in [(Body, Spatial), (Spatial, Origin), (Origin, Body)] {
                convert(&mut jac, &tip, from, to);
            }
            assert_close(jac.as_flattened(), body.as_flattened(), 1e-14, "round trip");
            fixture.at(&qpos, Spatial);
            for (spatial, body) in fixture.jac.iter().zip(&body) {
                let linear = tip.rotate([body[0], body[1], body[2]]);
                assert_close(&spatial[..3], &linear, 1e-14, "same point, other axes");
            }
        }
    }
}

#[test]
fn jacobian_dot_matches_finite_differences() {
    for arm in arms() {
        let m = &arm.model;
        let (mut fixture, mut random) = (Fixture::new(chain(m)), Random(13));
        let mut dot = vec![[0.0; 6]; fixture.chain.nv()];
        for k in 0..300 {
            let kind = [JacobianType::Spatial, JacobianType::Body, JacobianType::Origin][k % 3];
            let qpos = random.state(m);
            let qvel: Vec<f64> = (0..m.nv).map(|_| random.between(-1.0, 1.0)).collect();
            fixture.at(&qpos, kind);
            fixture.chain.jacobian_dot(&fixture.cache, &qvel, kind, &mut dot).unwrap();
            let eps = 1e-5;
            let mut moved = |time: f64| {
                let mut moved = qpos.clone();
                mj_integrate_pos(m, &mut moved, &qvel, time);
                fixture.at(&moved, kind);
                fixture.jac.clone()
            };
            let (minus, plus) = (moved(-eps), moved(eps));
            for ((a, b), dot) in plus.iter().zip(&minus).zip(&dot) {
                let difference: [f64; 6] = std::array::from_fn(|k| (a[k] - b[k]) * 0.5 / eps);
                assert_close(dot, &difference, 1e-8, arm.name);
            }
        }
    }
}

/// A tree with a free base, two arms, one with a ball joint, and a static body.
const TREE: &str = r#"<mujoco><compiler angle="radian"/><worldbody>
<body name="table" pos="1 2 3" quat=".5 .5 -.5 .5"><geom size=".1"/><site name="corner" pos=".1 .2 .3" quat="0 .6 .8 0"/></body>
<body name="trunk" pos=".1 .2 1" quat=".9 .1 .2 .3"><freejoint/><geom size=".1"/>
 <body name="left" pos="0 .2 0"><joint axis="1 0 0"/><joint type="slide" axis="0 1 1"/><geom size=".1"/>
  <body name="left_hand" pos="0 .3 0" quat=".7 0 .7 0"><joint type="ball" pos=".01 .02 .03"/><geom size=".1"/></body></body>
 <body name="right" pos="0 -.2 0"><joint axis="0 1 0" pos=".1 0 0"/><geom size=".1"/>
  <body name="right_hand" pos=".1 -.3 0" quat=".7 .7 0 0"><joint axis="0 1 .3"/><geom size=".1"/><site name="grip" pos="0 -.1 0" quat=".6 .8 0 0"/></body></body>
</body></worldbody></mujoco>"#;

#[test]
fn chains_connect_any_two_frames() {
    let m = sim_mjcf::load_str(TREE).unwrap();
    let body = |name| End::body(&m, name).unwrap();
    let site = |name| End::site(&m, name).unwrap();
    let ends = [
        (End::WORLD, body("left_hand"), 11),
        (body("left_hand"), End::WORLD, 11),
        (body("left_hand"), site("grip"), 7),
        (site("grip"), body("left_hand"), 7),
        (site("grip"), site("corner"), 8),
        (site("corner"), body("right"), 7),
        (body("trunk"), site("grip"), 2),
        (body("left"), body("left_hand"), 3),
        (body("table"), site("corner"), 0),
        (body("right"), body("right"), 0),
    ];
    let mut random = Random(17);
    for (base, tip, nv) in ends {
        let mut fixture = Fixture::new(Chain::new(&m, base, tip).unwrap());
        assert_eq!(fixture.chain.nv(), nv);
        for _ in 0..100 {
            let qpos = random.state(&m);
            let d = at_configuration(&m, &qpos);
            let frame = |end: End| match end {
                End::Body(b) => Frame::new(
                    [0, 1, 2].map(|k| d.xpos[3 * b + k]),
                    [0, 1, 2, 3].map(|k| d.xquat[4 * b + k]),
                ),
                End::Site(s) => Frame::from_mat(
                    [0, 1, 2].map(|k| d.site_xpos[3 * s + k]),
                    &std::array::from_fn(|k| d.site_xmat[9 * s + k]),
                ),
            };
            let expected = frame(base).inverse().then(&frame(tip));
            let found = fixture.at(&qpos, JacobianType::Spatial);
            assert_close(found.rows.as_flattened(), expected.rows.as_flattened(), 1e-12, "pose");
            check_finite_differences(&m, &mut fixture, &qpos);
            fixture.chain.forward(&qpos, &mut fixture.cache).unwrap();
            for (k, b) in fixture.chain.bodies().enumerate() {
                let expected = frame(base).inverse().then(&frame(End::Body(b)));
                let found = fixture.chain.body_pose(&fixture.cache, k).unwrap();
                assert_close(
                    found.rows.as_flattened(),
                    expected.rows.as_flattened(),
                    1e-12,
                    "body",
                );
            }
        }
    }
}

#[test]
fn jacobian_dot_matches_finite_differences_towards_the_root() {
    let m = sim_mjcf::load_str(TREE).unwrap();
    let ends = ["left_hand", "right_hand"].map(|name| End::body(&m, name).unwrap());
    let mut random = Random(19);
    for (base, tip) in [(ends[0], ends[1]), (ends[0], End::WORLD), (End::WORLD, ends[0])] {
        let mut fixture = Fixture::new(Chain::new(&m, base, tip).unwrap());
        let mut dot = vec![[0.0; 6]; fixture.chain.nv()];
        for _ in 0..50 {
            let qpos = random.state(&m);
            let qvel: Vec<f64> = (0..m.nv).map(|_| random.between(-1.0, 1.0)).collect();
            fixture.at(&qpos, JacobianType::Spatial);
            fixture
                .chain
                .jacobian_dot(&fixture.cache, &qvel, JacobianType::Spatial, &mut dot)
                .unwrap();
            let mut moved = |time: f64| {
                let mut moved = qpos.clone();
                mj_integrate_pos(&m, &mut moved, &qvel, time);
                fixture.at(&moved, JacobianType::Spatial);
                fixture.jac.clone()
            };
            let (minus, plus) = (moved(-1e-5), moved(1e-5));
            for ((a, b), dot) in plus.iter().zip(&minus).zip(&dot) {
                let difference: [f64; 6] = std::array::from_fn(|k| (a[k] - b[k]) * 0.5e5);
                assert_close(dot, &difference, 1e-8, "rate");
            }
        }
    }
}

#[test]
fn singular_configurations_are_detected() {
    let all = arms();
    let planar = &all[4].model;
    let mut fixture = Fixture::new(chain(planar));
    fixture.at(&[0.3, 0.0, 0.0], JacobianType::Spatial);
    let stretched = SingularValues::of(&fixture.jac);
    assert!(stretched.is_singular(1e-9) && stretched.manipulability() < 1e-9);
    assert!(stretched.condition_number() > 1e9);
    fixture.at(&[0.3, 1.0, -1.0], JacobianType::Spatial);
    let bent = SingularValues::of(&fixture.jac);
    assert!(!bent.is_singular(1e-3) && bent.manipulability() > 0.05);
    assert!(bent.condition_number() < 20.0);
    // six hinges: aligned wrist axes
    let six = &all[0].model;
    let mut fixture = Fixture::new(chain(six));
    let (mut straight, mut worst) = (vec![0.3, -0.4, 0.7, 0.5, 0.0, 0.2], f64::INFINITY);
    for k in 0..400 {
        straight[4] = -2.0 + 0.01 * f64::from(k);
        fixture.at(&straight, JacobianType::Spatial);
        worst = worst.min(SingularValues::of(&fixture.jac).manipulability());
    }
    assert!(worst < 1e-3, "{worst}");
    // manipulability does not depend on the frame
    let spatial = SingularValues::of(&fixture.jac).manipulability();
    fixture.at(&straight, JacobianType::Body);
    assert!((SingularValues::of(&fixture.jac).manipulability() - spatial).abs() < 1e-12);
}

#[test]
fn invalid_arguments_are_errors() {
    let arm = &arms()[0].model;
    let chain = chain(arm);
    let mut cache = chain.make_cache();
    assert_eq!(
        chain.forward(&[0.0; 5], &mut cache),
        Err(Error::Length { what: "qpos", expected: 6, given: 5 })
    );
    assert!(chain.jacobian(&cache, JacobianType::Body, &mut [[0.0; 6]; 7]).is_err());
    let mut other = Chain::new(arm, End::WORLD, End::Body(2)).unwrap().make_cache();
    assert!(chain.forward(&[0.0; 6], &mut other).is_err());
    assert!(Chain::new(arm, End::Body(99), End::WORLD).is_err());
    assert!(Chain::new(arm, End::WORLD, End::Site(1)).is_err());
    let error = Chain::to_site(arm, "tap").unwrap_err().to_string();
    assert_eq!(error, "the model has no site named `tap`; did you mean `tip`?");
}
