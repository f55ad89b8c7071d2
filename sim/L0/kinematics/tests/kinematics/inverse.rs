//! Inverse kinematics: success rates, status of unreachable targets, joint limits, determinism.

use crate::arms::{Random, arms, chain};
use sim_core::Model;
use sim_core::math::{quat, vec3};
use sim_core::types::JointType;
use sim_kinematics::{
    Chain, End, Error, Frame, Options, Outcome, Solver, Start, Status, Target, Workspace,
};

const TARGETS: usize = 10_000;

/// Asserts that every joint is within its limits, exactly.
#[track_caller]
fn assert_within_limits(m: &Model, qpos: &[f64]) {
    for j in (0..m.njnt).filter(|&j| m.jnt_limited[j]) {
        let q = &qpos[m.jnt_qposadr[j] as usize..];
        let [low, high] = [m.jnt_range[2 * j], m.jnt_range[2 * j + 1]];
        match m.jnt_type[j] {
            JointType::Hinge | JointType::Slide => {
                assert!((low..=high).contains(&q[0]), "{} not in {low}..{high}", q[0]);
            }
            _ => {
                let angle = vec3::norm(quat::to_velocity([q[0], q[1], q[2], q[3]], 1.0));
                assert!(angle <= high + 1e-12, "{angle} {high}");
            }
        }
    }
}

/// Position and orientation error of the tip at `qpos`.
fn errors(chain: &Chain, qpos: &[f64], expected: &Frame) -> [f64; 2] {
    let tip = chain.forward(qpos, &mut chain.make_cache()).unwrap();
    [vec3::distance(tip.pos(), expected.pos()), vec3::norm(tip.rotation_to(expected))]
}

fn solver(m: &Model) -> (Solver, Workspace) {
    let solver = Solver::for_chain(chain(m)).unwrap();
    let work = solver.make_workspace();
    (solver, work)
}

#[test]
fn reachable_poses_are_solved_within_limits() {
    for arm in arms() {
        let m = &arm.model;
        let chain = chain(m);
        let (solver, mut work) = solver(m);
        let (mut random, mut cache) = (Random(23), chain.make_cache());
        let mut solved = 0;
        for k in 0..TARGETS {
            let expected = chain.forward(&random.state(m), &mut cache).unwrap();
            let mut qpos = m.qpos0.clone();
            let target = [Target::frame(&expected)];
            // half from the reference configuration, half from the start table
            let outcome = if k % 2 == 0 {
                solver.solve_cold(&target, &mut qpos, &mut work)
            } else {
                solver.solve(&target, &mut qpos, &mut work)
            };
            assert_within_limits(m, &qpos);
            let [distance, angle] = errors(&chain, &qpos, &expected);
            // the reported errors are the actual ones
            assert!((distance - outcome.position_error).abs() < 1e-9);
            assert!((angle - outcome.orientation_error).abs() < 1e-9);
            let good = distance <= 1e-4 && angle <= 1e-3;
            assert!(good || !outcome.status.converged());
            solved += usize::from(good);
        }
        let share = solved as f64 / TARGETS as f64;
        println!("{}: {solved} of {TARGETS}", arm.name);
        assert!(share >= 0.995, "{}: {share}", arm.name);
    }
}

#[test]
fn reachable_positions_are_solved() {
    for arm in arms() {
        let m = &arm.model;
        let chain = chain(m);
        let (solver, mut work) = solver(m);
        let (mut random, mut cache) = (Random(29), chain.make_cache());
        let mut solved = 0;
        for _ in 0..1000 {
            let expected = chain.forward(&random.state(m), &mut cache).unwrap();
            let mut qpos = m.qpos0.clone();
            let outcome =
                solver.solve_cold(&[Target::position(expected.pos())], &mut qpos, &mut work);
            assert_within_limits(m, &qpos);
            let distance = errors(&chain, &qpos, &expected)[0];
            assert_eq!(outcome.orientation_error, 0.0);
            solved += usize::from(distance <= 1e-4);
        }
        assert!(solved >= 998, "{}: {solved}", arm.name);
    }
}

#[test]
fn masked_directions_are_unconstrained() {
    let all = arms();
    for (arm, mask) in [
        // free rotation about the tool axis
        (&all[0], [true, true, true, true, true, false]),
        // motion in the plane of the arm
        (&all[4], [true, false, true, false, true, false]),
        // free translation along a line
        (&all[1], [true, true, false, true, true, true]),
    ] {
        let m = &arm.model;
        let chain = chain(m);
        let (solver, mut work) = solver(m);
        let (mut random, mut cache) = (Random(31), chain.make_cache());
        let mut solved = 0;
        for _ in 0..500 {
            let frame = chain.forward(&random.state(m), &mut cache).unwrap();
            // moving the target in an unconstrained direction keeps it reachable
            let mut extra = [0.0; 6];
            for (x, on) in extra.iter_mut().zip(mask) {
                *x = if on { 0.0 } else { random.between(-0.3, 0.3) };
            }
            let turn = vec3::normalize([extra[3], extra[4], extra[5]]);
            let turned = frame.then(&Frame::new([0.0; 3], quat::from_axis_angle(turn.0, turn.1)));
            let moved =
                turned.then(&Frame::new([extra[0], extra[1], extra[2]], [1.0, 0.0, 0.0, 0.0]));
            let mut qpos = m.qpos0.clone();
            let target = Target::frame(&moved).with_mask(mask);
            let outcome = solver.solve_cold(&[target], &mut qpos, &mut work);
            assert_within_limits(m, &qpos);
            if outcome.status.converged() {
                solved += 1;
                let tip = chain.forward(&qpos, &mut cache).unwrap();
                let offset = moved.rotate_back(vec3::sub(tip.pos(), moved.pos()));
                let turn = moved.rotate_back(tip.rotation_to(&moved));
                for (k, x) in offset.iter().chain(&turn).enumerate() {
                    assert!(!mask[k] || x.abs() < 1e-5, "{}: {k} {x}", arm.name);
                }
            }
        }
        assert!(solved >= 495, "{}: {solved}", arm.name);
    }
}

#[test]
fn unreachable_targets_give_the_closest_point() {
    let arm = &arms()[4];
    let m = &arm.model;
    let chain = chain(m);
    let (solver, mut work) = solver(m);
    let mut random = Random(37);
    // links of 0.4, 0.3 and 0.15 m in the plane y = 0: fully stretched towards the target
    for _ in 0..200 {
        let angle = random.between(-2.7, 2.7);
        let far = random.between(0.9, 5.0);
        let point = [far * angle.cos(), 0.0, -far * angle.sin()];
        let mut qpos = random.state(m);
        let outcome = solver.solve(&[Target::position(point)], &mut qpos, &mut work);
        assert_eq!(outcome.status, Status::OutOfReach);
        assert_within_limits(m, &qpos);
        assert!((outcome.position_error - (far - 0.85)).abs() < 1e-6, "{outcome:?}");
        assert!((qpos[0] - angle).abs() < 1e-3, "{qpos:?} {angle}");
    }
    // outside the plane: the error is the distance from the plane
    let mut qpos = m.qpos0.clone();
    let outcome = solver.solve(&[Target::position([0.5, 0.2, 0.1])], &mut qpos, &mut work);
    assert_eq!(outcome.status, Status::LocalMinimum);
    assert!((outcome.position_error - 0.2).abs() < 1e-9, "{outcome:?}");
    // excluded by the limits: no sampled configuration is closer
    let behind = [-0.84, 0.0, 0.0];
    let outcome = solver.solve(&[Target::position(behind)], &mut qpos, &mut work);
    assert!(!outcome.status.converged());
    assert_within_limits(m, &qpos);
    let mut cache = chain.make_cache();
    for _ in 0..20_000 {
        let tip = chain.forward(&random.state(m), &mut cache).unwrap();
        assert!(vec3::distance(tip.pos(), behind) > outcome.position_error - 1e-9);
    }
}

#[test]
fn error_never_increases() {
    for arm in arms() {
        let m = &arm.model;
        let chain = chain(m);
        let options = Options { restarts: 0, max_iterations: 3, ..Options::default() };
        let solver = Solver::new(vec![chain.clone()], options).unwrap();
        let (mut work, mut random) = (solver.make_workspace(), Random(41));
        for _ in 0..500 {
            let expected = Frame::new(
                [0; 3].map(|_| random.between(-1.5, 1.5)),
                [0; 4].map(|_| random.between(-1.0, 1.0)),
            );
            let start = random.state(m);
            let before = errors(&chain, &start, &expected);
            let mut qpos = start.clone();
            let outcome = solver.solve(&[Target::position(expected.pos())], &mut qpos, &mut work);
            assert_within_limits(m, &qpos);
            assert!(outcome.position_error <= before[0] + 1e-12);
            // three, and as many again for the continuation of a stalled attempt
            assert!(outcome.iterations <= 6);
        }
    }
}

#[test]
fn invalid_input_is_reported_and_leaves_qpos_unchanged() {
    let arm = &arms()[1];
    let m = &arm.model;
    let (solver, mut work) = solver(m);
    let good = Target::pose([0.3, 0.1, 0.5], [1.0, 0.0, 0.0, 0.0]);
    let mut random = Random(43);
    let start = random.state(m);
    let mut check = |targets: &[Target], start: &[f64], status: Status| {
        let mut qpos = start.to_vec();
        let outcome = solver.solve(targets, &mut qpos, &mut work);
        assert_eq!(outcome.status, status);
        assert!(outcome.position_error.is_nan());
        let bits = |q: &[f64]| q.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&qpos), bits(start));
    };
    for k in 0..3 {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut target = good;
            target.pos[k] = bad;
            check(&[target], &start, Status::InvalidTarget);
            let mut target = good;
            target.quat[k] = bad;
            check(&[target], &start, Status::InvalidTarget);
        }
    }
    check(&[Target::orientation([0.0; 4])], &start, Status::InvalidTarget);
    check(&[], &start, Status::InvalidTarget);
    check(&[good, good], &start, Status::InvalidTarget);
    check(&[good], &start[..5], Status::InvalidStart);
    let mut broken = start.clone();
    broken[2] = f64::NAN;
    check(&[good], &broken, Status::InvalidStart);
    // large finite targets are valid
    let mut qpos = start.clone();
    let outcome = solver.solve(&[Target::position([1e9, 0.0, 0.0])], &mut qpos, &mut work);
    assert_eq!(outcome.status, Status::OutOfReach);
    assert_within_limits(m, &qpos);
    // an initial configuration outside the limits is projected
    let mut qpos = vec![50.0; 7];
    assert!(!solver.solve(&[good], &mut qpos, &mut work).status.describe().is_empty());
    assert_within_limits(m, &qpos);
}

#[test]
fn invalid_solver_arguments_are_errors() {
    let all = arms();
    assert_eq!(Solver::new(vec![], Options::default()).unwrap_err(), Error::NoChain);
    let two = vec![chain(&all[0].model), chain(&all[1].model)];
    assert_eq!(Solver::new(two, Options::default()).unwrap_err(), Error::OtherModel { index: 1 });
    for tolerance in [0.0, -1.0, f64::NAN] {
        let options = Options { position_tolerance: tolerance, ..Options::default() };
        assert!(Solver::new(vec![chain(&all[0].model)], options).is_err());
    }
    let solver = Solver::for_chain(chain(&all[0].model)).unwrap();
    // the workspace of another solver is replaced
    for other in &all[1..] {
        let mut work = Solver::for_chain(chain(&other.model)).unwrap().make_workspace();
        let mut qpos = all[0].model.qpos0.clone();
        let target = [Target::position([0.3, 0.3, 0.3])];
        assert!(solver.solve(&target, &mut qpos, &mut work).status.converged());
    }
    assert!(solver.clone().with_posture(&[0.0; 5], 1.0).is_err());
    assert!(solver.clone().with_middle(-1.0).is_err());
}

#[test]
fn null_space_objective_is_minimized() {
    let arm = &arms()[1];
    let m = &arm.model;
    let chain = chain(m);
    let (plain, mut work) = solver(m);
    let mut random = Random(47);
    let posture: Vec<f64> = random.state(m).iter().map(|x| 0.3 * x).collect();
    let near = plain.clone().with_posture(&posture, 1.0).unwrap();
    let middle = plain.clone().with_middle(1.0).unwrap();
    let apart = |q: &[f64]| q.iter().zip(&posture).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    let share = |q: &[f64]| {
        let of = |j: usize| {
            let [low, high] = [m.jnt_range[2 * j], m.jnt_range[2 * j + 1]];
            ((q[j] - 0.5 * (low + high)) / (0.5 * (high - low))).powi(2)
        };
        (0..7).map(of).sum::<f64>()
    };
    let (mut nearer, mut freer, mut cache) = (0.0, 0.0, chain.make_cache());
    for _ in 0..300 {
        let start = random.state(m);
        let expected = chain.forward(&start, &mut cache).unwrap();
        let target = [Target::frame(&expected)];
        let solve = |solver: &Solver, work: &mut Workspace| {
            let mut qpos = start.clone();
            let outcome = solver.solve(&target, &mut qpos, work);
            assert_eq!(outcome.status, Status::Converged);
            assert_within_limits(m, &qpos);
            let [distance, angle] = errors(&chain, &qpos, &expected);
            assert!(distance <= 1e-6 + 1e-12 && angle <= 1e-6 + 1e-12);
            qpos
        };
        let [a, b, c] = [&plain, &near, &middle].map(|solver| solve(solver, &mut work));
        assert!(apart(&b) <= apart(&a) + 1e-9 && share(&c) <= share(&a) + 1e-9);
        nearer += apart(&b) / apart(&a).max(1e-9) / 300.0;
        freer += share(&c) / share(&a).max(1e-9) / 300.0;
        // local optimality along the one-dimensional null space
        for step in [-0.02, 0.02] {
            let mut qpos = b.clone();
            qpos[0] += step;
            let outcome = plain.solve(&target, &mut qpos, &mut work);
            let jump = qpos.iter().zip(&b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
            if outcome.status.converged() && jump < 0.1 {
                assert!(
                    apart(&qpos) > (1.0 - 2e-3) * apart(&b) - 1e-3,
                    "{} {}",
                    apart(&qpos),
                    apart(&b)
                );
            }
        }
    }
    assert!(nearer < 0.9 && freer < 0.9, "{nearer} {freer}");
}

/// A torso on a slide and a hinge with two arms of four hinges.
const TWO_ARMS: &str = r#"<mujoco><compiler angle="radian"/><worldbody>
<body pos="0 0 .5"><joint type="slide" axis="0 0 1" range="-.3 .3"/><joint axis="0 0 1" range="-2 2"/><geom size=".1"/>
 <body pos="0 .2 .3"><joint axis="1 0 0" range="-2 2"/><joint axis="0 1 0" range="-2 2"/><geom size=".05"/>
  <body pos="0 .1 -.3"><joint axis="0 1 0" range="-2.5 0"/><joint axis="0 0 1" range="-2 2"/><geom size=".05"/><site name="left" pos="0 0 -.3"/></body></body>
 <body pos="0 -.2 .3"><joint axis="1 0 0" range="-2 2"/><joint axis="0 1 0" range="-2 2"/><geom size=".05"/>
  <body pos="0 -.1 -.3"><joint axis="0 1 0" range="-2.5 0"/><joint axis="0 0 1" range="-2 2"/><geom size=".05"/><site name="right" pos="0 0 -.3"/></body></body>
</body></worldbody></mujoco>"#;

#[test]
fn several_chains_are_solved_simultaneously() {
    let m = sim_mjcf::load_str(TWO_ARMS).unwrap();
    let chains = ["left", "right"].map(|name| Chain::to_site(&m, name).unwrap());
    let solver = Solver::new(chains.to_vec(), Options::default()).unwrap();
    let (mut work, mut random) = (solver.make_workspace(), Random(53));
    let mut solved = 0;
    for _ in 0..500 {
        let state = random.state(&m);
        let expected =
            chains.each_ref().map(|chain| chain.forward(&state, &mut chain.make_cache()).unwrap());
        // a pose and a position: nine constraints for ten joints
        let targets = [Target::frame(&expected[0]), Target::position(expected[1].pos())];
        let mut qpos = m.qpos0.clone();
        let outcome = solver.solve(&targets, &mut qpos, &mut work);
        assert_within_limits(&m, &qpos);
        if outcome.status.converged() {
            solved += 1;
            let [distance, angle] = errors(&chains[0], &qpos, &expected[0]);
            assert!(distance < 1e-5 && angle < 1e-5);
            assert!(errors(&chains[1], &qpos, &expected[1])[0] < 1e-5);
            assert_eq!(work.errors().len(), 2);
        }
    }
    assert!(solved >= 490, "{solved}");
}

#[test]
fn chains_between_moving_bodies_are_solved() {
    // the pose of one hand relative to the other
    let m = sim_mjcf::load_str(TWO_ARMS).unwrap();
    let ends = ["left", "right"].map(|name| End::site(&m, name).unwrap());
    let chain = Chain::new(&m, ends[0], ends[1]).unwrap();
    assert_eq!(chain.nv(), 8);
    let solver = Solver::for_chain(chain.clone()).unwrap();
    let (mut work, mut random) = (solver.make_workspace(), Random(59));
    let mut solved = 0;
    for _ in 0..500 {
        let state = random.state(&m);
        let expected = chain.forward(&state, &mut chain.make_cache()).unwrap();
        let mut qpos = m.qpos0.clone();
        let outcome = solver.solve_cold(&[Target::frame(&expected)], &mut qpos, &mut work);
        assert_within_limits(&m, &qpos);
        assert_eq!(qpos[..2], m.qpos0[..2], "the torso is not part of the chain");
        solved += usize::from(outcome.status.converged());
    }
    assert!(solved >= 495, "{solved}");
}

/// Targets and initial configurations of a batch.
fn batch(m: &Model, count: usize) -> (Vec<Target>, Vec<f64>) {
    let chain = chain(m);
    let (mut random, mut cache) = (Random(61), chain.make_cache());
    let (mut targets, mut states) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let expected = chain.forward(&random.state(m), &mut cache).unwrap();
        targets.push(Target::frame(&expected));
        states.extend(random.state(m));
    }
    // one invalid target
    targets[count / 2].pos[0] = f64::NAN;
    (targets, states)
}

fn bits(outcomes: &[Outcome], states: &[f64]) -> Vec<u64> {
    let numbers = outcomes.iter().flat_map(|o| [o.position_error, o.orientation_error]);
    let counts = outcomes.iter().flat_map(|o| [o.iterations as u64, o.restarts as u64]);
    numbers.map(f64::to_bits).chain(counts).chain(states.iter().map(|x| x.to_bits())).collect()
}

#[test]
fn batch_is_bit_identical_to_single_solves() {
    for arm in arms() {
        let m = &arm.model;
        let (solver, mut work) = solver(m);
        let (targets, starts) = batch(m, 100);
        for start in [Start::Given, Start::Table] {
            let (mut states, mut outcomes) = (starts.clone(), vec![Outcome::default(); 100]);
            for ((target, qpos), outcome) in
                targets.iter().zip(states.chunks_mut(m.nq)).zip(&mut outcomes)
            {
                // results do not depend on previous use of the workspace
                let mut fresh = solver.make_workspace();
                *outcome = match start {
                    Start::Given => solver.solve(&[*target], qpos, &mut fresh),
                    Start::Table => solver.solve_cold(&[*target], qpos, &mut fresh),
                };
            }
            let expected = bits(&outcomes, &states);
            let (mut states, mut outcomes) = (starts.clone(), vec![Outcome::default(); 100]);
            solver.solve_batch(start, &targets, &mut states, &mut outcomes, &mut work).unwrap();
            assert_eq!(bits(&outcomes, &states), expected);
            assert_eq!(outcomes[50].status, Status::InvalidTarget);
            #[cfg(feature = "parallel")]
            for threads in [1, 2] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let (mut states, mut outcomes) = (starts.clone(), vec![Outcome::default(); 100]);
                pool.install(|| {
                    solver.solve_batch_parallel(start, &targets, &mut states, &mut outcomes)
                })
                .unwrap();
                assert_eq!(bits(&outcomes, &states), expected, "{threads} threads");
            }
        }
        let mut few = vec![Outcome::default(); 99];
        assert!(solver.solve_batch(Start::Given, &targets, &mut [], &mut few, &mut work).is_err());
    }
}

#[test]
fn path_is_continuous() {
    let arm = &arms()[1];
    let m = &arm.model;
    let chain = chain(m);
    let (solver, mut work) = solver(m);
    let mut qpos = vec![0.3, 0.4, -0.2, -1.5, 0.1, 1.8, 0.2];
    let middle = chain.forward(&qpos, &mut chain.make_cache()).unwrap();
    // a circle with a radius of 10 cm in 200 poses
    let target = |k: usize| {
        let angle = std::f64::consts::TAU * k as f64 / 200.0;
        let pos = vec3::add(middle.pos(), [0.0, 0.1 * angle.sin(), 0.1 * (angle.cos() - 1.0)]);
        Target::pose(pos, middle.quat())
    };
    let mut targets: Vec<Target> = (0..200).map(target).collect();
    let (mut states, mut outcomes) = (vec![0.0; 200 * 7], vec![Outcome::default(); 200]);
    let mut end = qpos.clone();
    let report =
        solver.solve_path(&targets, &mut end, &mut states, &mut outcomes, &mut work).unwrap();
    assert_eq!((report.converged, report.first_failed), (200, None));
    assert!(report.largest_jump > 0.0 && report.largest_jump < 0.03, "{report:?}");
    let jumps = states.chunks(7).zip(states[7..].chunks(7));
    let largest =
        jumps.flat_map(|(a, b)| a.iter().zip(b).map(|(x, y)| (x - y).abs())).fold(0.0, f64::max);
    assert_eq!(largest, report.largest_jump);
    assert_eq!(end, states[199 * 7..]);
    for outcome in &outcomes[1..] {
        assert!(outcome.iterations <= 3 && outcome.restarts == 0);
    }
    // an unreachable pose and an invalid one
    targets[50].pos = [5.0, 0.0, 0.0];
    targets[60].pos = [f64::NAN; 3];
    let report =
        solver.solve_path(&targets, &mut qpos, &mut states, &mut outcomes, &mut work).unwrap();
    assert_eq!((report.converged, report.first_failed), (198, Some(50)));
    assert_eq!(outcomes[50].status, Status::OutOfReach);
    assert_eq!(outcomes[60].status, Status::InvalidTarget);
    assert_eq!(states[60 * 7..61 * 7], states[59 * 7..60 * 7]);
    assert!(report.largest_jump > 0.1 && matches!(report.jump, Some((50 | 51, _))));
}

#[test]
fn chain_without_joints_reports_whether_the_target_is_reached() {
    let text = "<mujoco><worldbody><body name='b' pos='1 2 3'><geom size='.1'/></body></worldbody></mujoco>";
    let m = sim_mjcf::load_str(text).unwrap();
    let solver = Solver::for_chain(Chain::to_body(&m, "b").unwrap()).unwrap();
    let mut work = solver.make_workspace();
    let mut solve = |pos| solver.solve(&[Target::position(pos)], &mut [], &mut work).status;
    assert_eq!(solve([1.0, 2.0, 3.0]), Status::Converged);
    assert_eq!(solve([1.0, 2.0, 4.0]), Status::OutOfReach);
}

#[test]
fn free_body_reaches_any_pose() {
    let text = "<mujoco><worldbody><body name='b' pos='1 2 3'><freejoint/><geom size='.1'/>
        <body name='c' pos='.3 0 0'><joint axis='0 1 0'/><geom size='.1'/></body></body></worldbody></mujoco>";
    let m = sim_mjcf::load_str(text).unwrap();
    let chain = Chain::to_body(&m, "c").unwrap();
    let solver = Solver::for_chain(chain.clone()).unwrap();
    let (mut work, mut random) = (solver.make_workspace(), Random(67));
    for _ in 0..200 {
        let pos = [0; 3].map(|_| random.between(-9.0, 9.0));
        let quat = [0; 4].map(|_| random.between(-1.0, 1.0));
        let mut qpos = m.qpos0.clone();
        let outcome = solver.solve(&[Target::pose(pos, quat)], &mut qpos, &mut work);
        assert_eq!(outcome.status, Status::Converged);
        let [distance, angle] = errors(&chain, &qpos, &Frame::new(pos, quat));
        assert!(distance < 2e-6 && angle < 2e-6);
    }
}

#[test]
fn singular_and_limit_configurations_are_solved() {
    for arm in arms() {
        let m = &arm.model;
        let chain = chain(m);
        let (solver, mut work) = solver(m);
        let (mut random, mut cache) = (Random(73), chain.make_cache());
        let (mut solved, count) = (0, 600);
        for k in 0..count {
            // set a varying subset of the joints to zero or to a limit
            let mut state = random.state(m);
            for j in 0..m.njnt {
                if m.jnt_type[j] == JointType::Ball || (k >> (j % 3)) & 1 == 0 {
                    continue;
                }
                let adr = m.jnt_qposadr[j] as usize;
                state[adr] = match k % 5 {
                    0 => m.jnt_range[2 * j],
                    1 => m.jnt_range[2 * j + 1],
                    _ => 0.0_f64.max(m.jnt_range[2 * j]).min(m.jnt_range[2 * j + 1]),
                };
            }
            let expected = chain.forward(&state, &mut cache).unwrap();
            let mut qpos = m.qpos0.clone();
            solver.solve_cold(&[Target::frame(&expected)], &mut qpos, &mut work);
            assert_within_limits(m, &qpos);
            let [distance, angle] = errors(&chain, &qpos, &expected);
            solved += usize::from(distance <= 1e-4 && angle <= 1e-3);
        }
        println!("{}: {solved} of {count}", arm.name);
        assert!(solved * 100 >= 98 * count, "{}: {solved}", arm.name);
    }
}
