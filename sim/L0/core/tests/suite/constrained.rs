//! Constrained motion with known results: slopes, stacks, equality constraints, collisions, a fall.

use crate::energy::energy;
use crate::models::{constrained, load, steps};
use crate::tolerance::{ROUNDING, close};
use sim_core::math::vec3;
use sim_core::types::ConstraintState;
use sim_core::{Data, Model, mj_constraint_update, mj_forward, mj_mul_jac_vec};

/// Friction of the slope.
const FRICTION: f64 = 0.5;

/// How far a box slides in a second, down a slope of this tangent in this direction. Gravity is tilted,
/// not the ground, so that the contact frame stays along the axes.
fn slide(cone: &str, tangent: f64, direction: [f64; 2]) -> f64 {
    let (down, along) = (9.81 / tangent.hypot(1.0), 9.81 * tangent / tangent.hypot(1.0));
    let (x, y) = (along * direction[0], along * direction[1]);
    let m = load(&format!(
        r#"<mujoco><option cone="{cone}" impratio="10" gravity="{x} {y} -{down}"/><worldbody>
        <geom type="plane" size="5 5 .1" friction="{FRICTION}"/>
        <body pos="0 0 .1"><freejoint/><geom type="box" size=".2 .2 .1" friction="{FRICTION}"/></body>
        </worldbody></mujoco>"#
    ));
    let mut d = m.make_data();
    steps(&m, &mut d, 500);
    d.qpos[0] * direction[0] + d.qpos[1] * direction[1]
}

/// Sticks below the tangent, and above it slides as friction lets it.
#[track_caller]
fn sticks_up_to(cone: &str, limit: f64, direction: [f64; 2]) {
    let creep = slide(cone, 0.9 * limit, direction);
    assert!(creep.abs() < 0.01, "it should stick, but moves {creep}");
    let tangent: f64 = 1.3 * limit;
    let acceleration = 9.81 * (tangent - limit) / tangent.hypot(1.0);
    let (moved, free) = (slide(cone, tangent, direction), 0.5 * acceleration);
    assert!((moved - free).abs() < 0.05 * free, "it should slide {free}, but moves {moved}");
}

#[test]
fn box_slides_above_the_friction_angle_with_an_elliptic_cone() {
    let diagonal = 0.5_f64.sqrt();
    for direction in [[1.0, 0.0], [0.0, -1.0], [diagonal, diagonal], [0.6, -0.8]] {
        sticks_up_to("elliptic", FRICTION, direction);
    }
}

#[test]
fn pyramidal_cone_has_less_friction_between_its_edges() {
    for direction in [[1.0, 0.0], [0.0, -1.0]] {
        sticks_up_to("pyramidal", FRICTION, direction);
    }
    let diagonal = 0.5_f64.sqrt();
    sticks_up_to("pyramidal", FRICTION * diagonal, [diagonal, diagonal]);
}

#[test]
fn stack_of_ten_boxes_is_stable_for_a_minute() {
    let boxes: String = (0..10)
        .map(|k| {
            let z = 0.1 + 0.2 * f64::from(k);
            format!(r#"<body pos="0 0 {z}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>"#)
        })
        .collect();
    let m = load(&format!(
        r#"<mujoco><option timestep=".01"/><worldbody><geom type="plane" size="5 5 .1"/>{boxes}
        </worldbody></mujoco>"#
    ));
    let mut d = m.make_data();
    steps(&m, &mut d, 6000);
    assert!((d.time - 60.0).abs() < 1e-6);
    for (k, q) in d.qpos.chunks_exact(7).enumerate() {
        let height = 0.1 + 0.2 * k as f64;
        assert!(q[0].hypot(q[1]) < 0.01, "box {k} moved aside: {q:?}");
        assert!(
            (q[2] - height).abs() < 0.02 && q[3].abs() > 0.999,
            "box {k} sank or turned: {q:?}"
        );
    }
    assert!(d.qvel.iter().all(|v| v.abs() < 1e-3), "it rests");
}

#[test]
fn connect_pendulum_keeps_its_length() {
    let m = load(
        r#"<mujoco><worldbody><body name="bob" pos="1 0 2"><freejoint/><geom size=".05"/></body>
        </worldbody><equality><connect body1="bob" anchor="-1 0 0"/></equality></mujoco>"#,
    );
    let mut d = m.make_data();
    let mut lowest = f64::INFINITY;
    for _ in 0..1500 {
        d.step(&m).unwrap();
        let length = vec3::distance([d.qpos[0], d.qpos[1], d.qpos[2]], [0.0, 0.0, 2.0]);
        assert!((length - 1.0).abs() < 5e-3, "{length} at {}", d.time);
        lowest = lowest.min(d.qpos[2]);
    }
    assert!(lowest < 1.01, "it swings");
}

#[test]
fn welded_body_follows_its_mocap_target() {
    let m = load(
        r#"<mujoco><worldbody><body name="mocap" mocap="true" pos="0 0 1"/>
        <body name="tool" pos="0 0 1"><freejoint/><geom type="box" size=".05 .1 .03"/></body></worldbody>
        <equality><weld body1="mocap" body2="tool"/></equality></mujoco>"#,
    );
    let mut d = m.make_data();
    let turned = sim_core::math::quat::from_axis_angle([0.0, 0.6, 0.8], 1.0);
    for k in 0..1000 {
        let along = (f64::from(k) / 500.0).min(1.0);
        d.mocap_pos.copy_from_slice(&[0.5 * along, -0.3 * along, 1.0 + 0.2 * along]);
        d.mocap_quat
            .copy_from_slice(&sim_core::math::quat::from_axis_angle([0.0, 0.6, 0.8], along));
        d.step(&m).unwrap();
    }
    let off = vec3::distance([d.qpos[0], d.qpos[1], d.qpos[2]], [0.5, -0.3, 1.2]);
    assert!(off < 1e-3, "it hangs {off} from its target");
    let turn = sim_core::math::quat::subtract([d.qpos[3], d.qpos[4], d.qpos[5], d.qpos[6]], turned);
    assert!(vec3::norm(turn) < 1e-3, "{turn:?}");
}

#[test]
fn humanoid_falls_and_comes_to_rest() {
    let m = constrained("robots/humanoid");
    let mut d = m.make_data();
    let total = |d: &Data| energy(&m, d).iter().sum::<f64>();
    let start = total(&d);
    let (mut last, mut fastest) = (start, 0.0_f64);
    for _ in 0..60 {
        steps(&m, &mut d, 50);
        let now = total(&d);
        // soft contacts give back what they held, a little of it at a time
        assert!(now < last + 0.01 * start.abs(), "energy rises from {last} to {now} at {}", d.time);
        last = now;
        fastest = d.qvel.iter().fold(fastest, |most, v| most.max(v.abs()));
    }
    let speed = d.qvel.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
    assert!(fastest > 1.0 && speed < 0.05 * fastest, "fastest {fastest}, at the end {speed}");
    assert!(d.qpos[2] < 0.5 * m.qpos0[2], "it lies");
    assert!(last < start && d.warning.iter().all(|w| w.number == 0));
}

/// Linear momentum of the free bodies, and angular momentum of their centres about the origin.
fn momentum(m: &Model, d: &Data) -> [f64; 6] {
    let mut sum = [0.0; 6];
    for (k, (q, v)) in d.qpos.chunks_exact(7).zip(d.qvel.chunks_exact(6)).enumerate() {
        let p = vec3::scale([v[0], v[1], v[2]], m.body_mass[k + 1]);
        let spin = vec3::cross([q[0], q[1], q[2]], p);
        (0..3).for_each(|i| {
            sum[i] += p[i];
            sum[i + 3] += spin[i];
        });
    }
    sum
}

#[test]
fn frictionless_collision_conserves_momentum() {
    for cone in ["pyramidal", "elliptic"] {
        let m = load(&format!(
            r#"<mujoco><option gravity="0 0 0" cone="{cone}"/><default><geom condim="1"/></default><worldbody>
            <body><freejoint/><geom size=".3"/></body>
            <body pos="1 .2 .1"><freejoint/><geom size=".2"/></body></worldbody></mujoco>"#
        ));
        let mut d = m.make_data();
        d.qvel[..3].copy_from_slice(&[2.0, 0.0, 0.0]);
        d.qvel[6..9].copy_from_slice(&[-1.0, 0.1, 0.2]);
        let before = (momentum(&m, &d), d.qvel.clone());
        let mut had_contact = false;
        for _ in 0..400 {
            d.step(&m).unwrap();
            had_contact |= d.ncon > 0;
            close("momentum", &momentum(&m, &d), &before.0, ROUNDING);
        }
        assert!(had_contact && d.ncon == 0 && (d.qvel[0] - before.1[0]).abs() > 0.1, "they bounce");
    }
}

/// The cone Hessian is the derivative of the constraint force: `H = −∂force/∂jar`.
#[test]
fn cone_hessian_is_the_derivative_of_the_force() {
    let m = load(
        r#"<mujoco><option cone="elliptic" impratio="3" gravity="4 2 -9.81"/><worldbody>
        <geom type="plane" size="5 5 .1" friction=".3" condim="4"/>
        <body pos="0 0 .1"><freejoint/><geom type="box" size=".2 .2 .1" friction=".3" condim="4"/></body>
        </worldbody></mujoco>"#,
    );
    let mut d = m.make_data();
    steps(&m, &mut d, 50);
    mj_forward(&m, &mut d).unwrap();
    let mut jar = vec![0.0; d.nefc];
    mj_mul_jac_vec(&d, &d.qacc.clone(), &mut jar);
    jar.iter_mut().zip(&d.efc_aref).for_each(|(jar, aref)| *jar -= aref);
    let cost = mj_constraint_update(&m, &mut d, &jar, true);
    let sliding: Vec<_> = d
        .contact
        .iter()
        .filter(|c| d.efc_state[c.efc_address as usize] == ConstraintState::Cone)
        .copied()
        .collect();
    assert!(!sliding.is_empty());
    for contact in sliding {
        let (row, dim) = (contact.efc_address as usize, contact.dim as usize);
        for k in 0..dim {
            let step = 1e-6 * jar[row..row + dim].iter().fold(0.0f64, |s, x| s.max(x.abs()));
            let mut force = |sign: f64| {
                let mut moved = jar.clone();
                moved[row + k] += sign * step;
                mj_constraint_update(&m, &mut d, &moved, false);
                d.efc_force[row..row + dim].to_vec()
            };
            let (plus, minus) = (force(1.0), force(-1.0));
            for j in 0..dim {
                let derivative = (minus[j] - plus[j]) / (2.0 * step);
                let scale = contact.H[0].abs().max(1.0);
                assert!((contact.H[j * dim + k] - derivative).abs() < 1e-6 * scale);
            }
        }
    }
    // without the flag the Hessians are unchanged, and the cost is the same
    let before: Vec<_> = d.contact.iter().map(|c| c.H).collect();
    assert_eq!(mj_constraint_update(&m, &mut d, &jar, false), cost);
    assert!(d.contact.iter().zip(before).all(|(c, h)| c.H == h));
}

/// An equality of two joints whose polynomial has slope zero does not depend on the second joint: with a dense
/// Jacobian it is in no island, with a sparse one the columns of the row decide.
#[test]
fn zero_entries_of_a_dense_jacobian_do_not_couple_trees() {
    for (jacobian, islands) in [("dense", [0, -1]), ("sparse", [0, 0])] {
        let m = load(&format!(
            r#"<mujoco><option jacobian="{jacobian}"/><worldbody>
            <body><joint name="a"/><geom size=".1" contype="0"/></body>
            <body pos="1 0 0"><joint name="b"/><geom size=".1" contype="0"/></body></worldbody>
            <equality><joint joint1="a" joint2="b" polycoef=".1 0 1 0 0"/></equality></mujoco>"#
        ));
        let mut d = m.make_data();
        mj_forward(&m, &mut d).expect("steps");
        assert_eq!((d.nisland, &d.dof_island[..]), (1, &islands[..]), "{jacobian}");
    }
}
