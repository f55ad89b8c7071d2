//! Frames and Jacobians of chains: against `mj_jac`, finite differences and laws.

use crate::arms::{Random, arms, chain};
use sim_core::math::vec3;
use sim_core::types::JointType;
use sim_core::{Data, Model, mj_com_pos, mj_integrate_pos, mj_jac_into, mj_kinematics};
use sim_kinematics::{
    Chain, End, Error, Frame, JacobianType, JointFrameCache, SingularValues, adjoint, convert,
};

const STATES: usize = 10_000;

#[track_caller]
fn near(a: &[f64], b: &[f64], tolerance: f64, what: &str) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= tolerance, "{what}: {a} is not {b}");
    }
}

/// A chain with its memory.
struct Bench {
    chain: Chain,
    cache: JointFrameCache,
    jac: Vec<[f64; 6]>,
}

impl Bench {
    fn new(chain: Chain) -> Self {
        Self { cache: chain.make_cache(), jac: vec![[0.0; 6]; chain.nv()], chain }
    }

    fn at(&mut self, qpos: &[f64], kind: JacobianType) -> Frame {
        self.chain.jacobian_at(qpos, &mut self.cache, kind, &mut self.jac).unwrap()
    }
}

/// The model placed at a state.
fn placed(m: &Model, qpos: &[f64]) -> Data {
    let mut d = m.make_data();
    d.qpos.copy_from_slice(qpos);
    mj_kinematics(m, &mut d);
    mj_com_pos(m, &mut d);
    d
}

/// Compares the chain from the world to site `tip` with the engine's kinematics and `mj_jac`.
fn check_against_engine(m: &Model, bench: &mut Bench, qpos: &[f64], jacs: &mut [Vec<f64>; 2]) {
    let tip = bench.at(qpos, JacobianType::Spatial);
    let d = placed(m, qpos);
    near(&tip.pos(), &d.site_xpos[..3], 1e-12, "position");
    near(&tip.mat(), &d.site_xmat[..9], 1e-12, "orientation");
    let [jacp, jacr] = jacs;
    let point = [d.site_xpos[0], d.site_xpos[1], d.site_xpos[2]];
    mj_jac_into(m, &d, Some(jacp), Some(jacr), point, m.site_bodyid[0] as usize);
    for (column, &dof) in bench.jac.iter().zip(bench.chain.dofs()) {
        for row in 0..3 {
            near(&[column[row]], &[jacp[row * m.nv + dof]], 1e-12, "linear");
            near(&[column[row + 3]], &[jacr[row * m.nv + dof]], 1e-12, "angular");
        }
    }
}

/// Compares the Jacobian at `qpos` with central differences of poses.
fn check_differences(m: &Model, bench: &mut Bench, qpos: &[f64]) {
    let eps = 1e-6;
    bench.at(qpos, JacobianType::Spatial);
    let jac = bench.jac.clone();
    for (column, &dof) in jac.iter().zip(&bench.chain.dofs().to_vec()) {
        let mut pose = |step: f64| {
            let (mut moved, mut velocity) = (qpos.to_vec(), vec![0.0; m.nv]);
            velocity[dof] = step;
            mj_integrate_pos(m, &mut moved, &velocity, 1.0);
            bench.chain.forward(&moved, &mut bench.cache).unwrap()
        };
        let (back, forth) = (pose(-eps), pose(eps));
        let linear = vec3::scale(vec3::sub(forth.pos(), back.pos()), 0.5 / eps);
        let angular = vec3::scale(back.rotation_to(&forth), 0.5 / eps);
        near(&column[..3], &linear, 1e-6, "linear difference");
        near(&column[3..], &angular, 1e-6, "angular difference");
    }
}

/// States worth a look: the reference, both limits and a hair inside them, all axes in line.
fn special(m: &Model, random: &mut Random) -> Vec<Vec<f64>> {
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
    // one joint after another at zero: wrists and elbows straighten
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
fn jacobians_are_those_of_the_engine_and_of_differences() {
    for arm in arms() {
        let m = &arm.model;
        let mut bench = Bench::new(chain(m));
        let mut jacs = [vec![0.0; 3 * m.nv], vec![0.0; 3 * m.nv]];
        let mut random = Random(7);
        let mut states = special(m, &mut random);
        states.resize_with(states.len().max(STATES), || random.state(m));
        assert_eq!(states.len(), STATES, "{}", arm.name);
        for qpos in &states {
            check_against_engine(m, &mut bench, qpos, &mut jacs);
            check_differences(m, &mut bench, qpos);
        }
    }
}

#[test]
fn jacobians_change_frames_by_the_adjoint() {
    use JacobianType::{Body, Origin, Spatial};
    for arm in arms() {
        let m = &arm.model;
        let (mut bench, mut random) = (Bench::new(chain(m)), Random(11));
        for _ in 0..200 {
            let qpos = random.state(m);
            let tip = bench.at(&qpos, Body);
            let body = bench.jac.clone();
            bench.at(&qpos, Origin);
            let ad = adjoint(&tip);
            for (local, global) in body.iter().zip(&bench.jac) {
                let product = ad.map(|row| row.iter().zip(local).map(|(a, b)| a * b).sum::<f64>());
                near(&product, global, 1e-13, "adjoint");
            }
            // any way round comes back
            let mut jac = body.clone();
            for (from, to) in [(Body, Spatial), (Spatial, Origin), (Origin, Body)] {
                convert(&mut jac, &tip, from, to);
            }
            near(jac.as_flattened(), body.as_flattened(), 1e-14, "round trip");
            bench.at(&qpos, Spatial);
            for (spatial, body) in bench.jac.iter().zip(&body) {
                let linear = tip.rotate([body[0], body[1], body[2]]);
                near(&spatial[..3], &linear, 1e-14, "same point, other axes");
            }
        }
    }
}

#[test]
fn rates_of_jacobians_are_those_of_differences() {
    for arm in arms() {
        let m = &arm.model;
        let (mut bench, mut random) = (Bench::new(chain(m)), Random(13));
        let mut dot = vec![[0.0; 6]; bench.chain.nv()];
        for k in 0..300 {
            let kind = [JacobianType::Spatial, JacobianType::Body, JacobianType::Origin][k % 3];
            let qpos = random.state(m);
            let qvel: Vec<f64> = (0..m.nv).map(|_| random.between(-1.0, 1.0)).collect();
            bench.at(&qpos, kind);
            bench.chain.jacobian_dot(&bench.cache, &qvel, kind, &mut dot).unwrap();
            let eps = 1e-5;
            let mut moved = |time: f64| {
                let mut moved = qpos.clone();
                mj_integrate_pos(m, &mut moved, &qvel, time);
                bench.at(&moved, kind);
                bench.jac.clone()
            };
            let (back, forth) = (moved(-eps), moved(eps));
            for ((a, b), dot) in forth.iter().zip(&back).zip(&dot) {
                let difference: [f64; 6] = std::array::from_fn(|k| (a[k] - b[k]) * 0.5 / eps);
                near(dot, &difference, 1e-8, arm.name);
            }
        }
    }
}

/// A tree with a free base: two arms, one with a ball, and a body without joints.
const TREE: &str = r#"<mujoco><compiler angle="radian"/><worldbody>
<body name="table" pos="1 2 3" quat=".5 .5 -.5 .5"><geom size=".1"/><site name="corner" pos=".1 .2 .3" quat="0 .6 .8 0"/></body>
<body name="trunk" pos=".1 .2 1" quat=".9 .1 .2 .3"><freejoint/><geom size=".1"/>
 <body name="left" pos="0 .2 0"><joint axis="1 0 0"/><joint type="slide" axis="0 1 1"/><geom size=".1"/>
  <body name="left_hand" pos="0 .3 0" quat=".7 0 .7 0"><joint type="ball" pos=".01 .02 .03"/><geom size=".1"/></body></body>
 <body name="right" pos="0 -.2 0"><joint axis="0 1 0" pos=".1 0 0"/><geom size=".1"/>
  <body name="right_hand" pos=".1 -.3 0" quat=".7 .7 0 0"><joint axis="0 1 .3"/><geom size=".1"/><site name="grip" pos="0 -.1 0" quat=".6 .8 0 0"/></body></body>
</body></worldbody></mujoco>"#;

#[test]
fn chains_go_from_anywhere_to_anywhere() {
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
        let mut bench = Bench::new(Chain::new(&m, base, tip).unwrap());
        assert_eq!(bench.chain.nv(), nv);
        for _ in 0..100 {
            let qpos = random.state(&m);
            let d = placed(&m, &qpos);
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
            let wanted = frame(base).inverse().then(&frame(tip));
            let found = bench.at(&qpos, JacobianType::Spatial);
            near(found.rows.as_flattened(), wanted.rows.as_flattened(), 1e-12, "pose");
            check_differences(&m, &mut bench, &qpos);
            bench.chain.forward(&qpos, &mut bench.cache).unwrap();
            for (k, b) in bench.chain.bodies().enumerate() {
                let wanted = frame(base).inverse().then(&frame(End::Body(b)));
                let found = bench.chain.body_pose(&bench.cache, k).unwrap();
                near(found.rows.as_flattened(), wanted.rows.as_flattened(), 1e-12, "body");
            }
        }
    }
}

#[test]
fn a_rate_is_right_towards_the_root_too() {
    let m = sim_mjcf::load_str(TREE).unwrap();
    let ends = ["left_hand", "right_hand"].map(|name| End::body(&m, name).unwrap());
    let mut random = Random(19);
    for (base, tip) in [(ends[0], ends[1]), (ends[0], End::WORLD), (End::WORLD, ends[0])] {
        let mut bench = Bench::new(Chain::new(&m, base, tip).unwrap());
        let mut dot = vec![[0.0; 6]; bench.chain.nv()];
        for _ in 0..50 {
            let qpos = random.state(&m);
            let qvel: Vec<f64> = (0..m.nv).map(|_| random.between(-1.0, 1.0)).collect();
            bench.at(&qpos, JacobianType::Spatial);
            bench.chain.jacobian_dot(&bench.cache, &qvel, JacobianType::Spatial, &mut dot).unwrap();
            let mut moved = |time: f64| {
                let mut moved = qpos.clone();
                mj_integrate_pos(&m, &mut moved, &qvel, time);
                bench.at(&moved, JacobianType::Spatial);
                bench.jac.clone()
            };
            let (back, forth) = (moved(-1e-5), moved(1e-5));
            for ((a, b), dot) in forth.iter().zip(&back).zip(&dot) {
                let difference: [f64; 6] = std::array::from_fn(|k| (a[k] - b[k]) * 0.5e5);
                near(dot, &difference, 1e-8, "rate");
            }
        }
    }
}

#[test]
fn singular_poses_are_told() {
    let all = arms();
    let planar = &all[4].model;
    let mut bench = Bench::new(chain(planar));
    bench.at(&[0.3, 0.0, 0.0], JacobianType::Spatial);
    let stretched = SingularValues::of(&bench.jac);
    assert!(stretched.is_singular(1e-9) && stretched.manipulability() < 1e-9);
    assert!(stretched.condition_number() > 1e9);
    bench.at(&[0.3, 1.0, -1.0], JacobianType::Spatial);
    let bent = SingularValues::of(&bench.jac);
    assert!(!bent.is_singular(1e-3) && bent.manipulability() > 0.05);
    assert!(bent.condition_number() < 20.0);
    // six hinges: the wrist's outer axes in line
    let six = &all[0].model;
    let mut bench = Bench::new(chain(six));
    let (mut straight, mut worst) = (vec![0.3, -0.4, 0.7, 0.5, 0.0, 0.2], f64::INFINITY);
    for k in 0..400 {
        straight[4] = -2.0 + 0.01 * f64::from(k);
        bench.at(&straight, JacobianType::Spatial);
        worst = worst.min(SingularValues::of(&bench.jac).manipulability());
    }
    assert!(worst < 1e-3, "{worst}");
    // the measure does not depend on the frame
    let spatial = SingularValues::of(&bench.jac).manipulability();
    bench.at(&straight, JacobianType::Body);
    assert!((SingularValues::of(&bench.jac).manipulability() - spatial).abs() < 1e-12);
}

#[test]
fn wrong_requests_are_errors() {
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
