//! Implicit integrators: conservation, stability and closed-form solutions.

use crate::energy::energy;
use crate::models::{load, model, moving, steps, world};
use crate::tolerance::{ALGORITHM, ROUNDING, close};
use sim_core::types::{EnableBit, Integrator, StepError};
use sim_core::{Data, Model, mj_euler, mj_forward, mj_implicit, mj_runge_kutta, mj_step};

/// A body that tumbles freely, its centre of mass off its origin.
fn tumbling() -> Model {
    let mut m = world(
        r#"<body><freejoint/><inertial pos=".1 -.2 .05" quat="1 .2 .3 -.1" mass="2"
        diaginertia=".02 .05 .06"/></body>"#,
    );
    m.opt.gravity = [0.0; 3];
    m.opt.timestep = 0.01;
    m
}

#[test]
fn free_bodies_conserve_energy_over_ten_thousand_steps() {
    for integrator in [Integrator::Implicit, Integrator::ImplicitFast] {
        let mut m = tumbling();
        m.opt.integrator = integrator;
        let mut d = m.make_data();
        d.qvel.copy_from_slice(&[0.3, -0.2, 0.1, 2.0, 5.0, -1.0]);
        let start = energy(&m, &d)[1];
        steps(&m, &mut d, 10_000);
        let drift = (energy(&m, &d)[1] - start).abs() / start;
        assert!(drift < 1e-4, "{integrator:?}: energy changed by {drift:e}");
    }
}

#[test]
fn invdiscrete_disables_the_midpoint_rule() {
    let mut m = tumbling();
    m.opt.integrator = Integrator::ImplicitFast;
    let after = |m: &Model| {
        let mut d = m.make_data();
        d.qvel.copy_from_slice(&[0.3, -0.2, 0.1, 2.0, 5.0, -1.0]);
        d.step(m).unwrap();
        d.qvel
    };
    let midpoint = after(&m);
    m.opt.enableflags |= EnableBit::InvDiscrete as i32;
    let linear = after(&m);
    assert_ne!(midpoint, linear);
    m.opt.integrator = Integrator::Euler;
    close("without dampers it is Euler", &linear, &after(&m), ROUNDING);
}

/// Without any velocity-dependent force but the bias, the symmetric variant is Euler's method.
#[test]
fn implicitfast_equals_euler_without_damping() {
    let mut m = model("robots/arm6");
    m.dof_damping.fill(0.0);
    m.actuator_biasprm.fill(0.0);
    m.actuator_damping.fill(0.0);
    let run = |integrator| {
        let mut m = m.clone();
        m.opt.integrator = integrator;
        let mut d = moving(&m, 3);
        steps(&m, &mut d, 50);
        d.qvel
    };
    close("qvel", &run(Integrator::ImplicitFast), &run(Integrator::Euler), ALGORITHM);
}

/// A force that grows with velocity makes `M − h D` negative: 1 − 0.01 · 200 = −1, so that the step reverses the
/// velocity, `v − h · 200 v`.
#[test]
fn negative_damping_is_not_clamped() {
    for integrator in ["implicit", "implicitfast"] {
        let m = load(&format!(
            r#"<mujoco><option integrator="{integrator}" timestep=".01" gravity="0 0 0"/><worldbody>
            <body><joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body></worldbody>
            <actuator><general joint="x" biastype="affine" biasprm="0 0 200"/></actuator></mujoco>"#
        ));
        let mut d = m.make_data();
        d.qvel[0] = 3.0;
        d.step(&m).expect("steps");
        close(integrator, &d.qvel, &[-3.0], ROUNDING);
    }
}

/// Springs of joints, tendons and servos, from soft to far stiffer than any step resolves.
const SPRINGS: [(&str, &str, &str); 6] = [
    ("slide", r#"<joint type="slide" axis="1 0 0" stiffness="K"/>"#, ""),
    ("hinge", r#"<joint axis="1 0 0" stiffness="K"/>"#, ""),
    ("ball", r#"<joint type="ball" stiffness="K"/>"#, ""),
    ("free", r#"<joint type="free" stiffness="K"/>"#, ""),
    (
        "fixed",
        r#"<joint name="a" axis="0 1 0"/>"#,
        r#"<tendon><fixed stiffness="K"><joint joint="a" coef="1"/><joint joint="b" coef="-.7"/>
        <joint joint="c" coef=".5"/></fixed></tendon>"#,
    ),
    (
        "servo",
        r#"<joint name="a" axis="0 1 0"/>"#,
        r#"<actuator><position joint="a" kp="K"/><position joint="b" kp="K"/></actuator>"#,
    ),
];

/// A body on a spring that carries two more.
fn on_spring(joint: &str, rest: &str, k: f64) -> Model {
    let xml = format!(
        r#"<mujoco><option integrator="impliciteuler" timestep="0.01" gravity="0 0 0">
          <flag contact="disable"/></option>
        <worldbody><body>{joint}<geom type="box" size=".1 .2 .3" pos=".1 0 0"/>
          <body pos=".5 0 0"><joint name="b" axis="0 1 0"/><geom size=".05" pos=".2 0 0"/></body>
          <body pos="0 0 .5"><joint name="c" axis="1 0 0"/><geom size=".05" pos="0 .2 0"/></body>
        </body></worldbody>{rest}</mujoco>"#
    );
    load(&xml.replace('K', &k.to_string()))
}

/// Energy with that of position servos.
fn stored(m: &Model, d: &mut Data, k: f64) -> f64 {
    mj_forward(m, d).unwrap();
    energy(m, d).iter().sum::<f64>()
        + d.actuator_length.iter().map(|l| 0.5 * k * l * l).sum::<f64>()
}

#[test]
fn backward_euler_is_stable_at_any_stiffness() {
    for (name, joint, rest) in SPRINGS {
        for k in [1.0, 1e2, 1e4, 1e6, 1e8] {
            let m = on_spring(joint, rest, k);
            let mut d = moving(&m, 6);
            let start = stored(&m, &mut d, k);
            let mut last = start;
            for _ in 0..400 {
                steps(&m, &mut d, 5);
                last = stored(&m, &mut d, k);
                assert!(last < 1.01 * start, "{name}, k = {k:e}: {start} grew to {last}");
            }
            assert!(last < start, "{name}, k = {k:e}: {start} ended at {last}");
            assert!(d.warning.iter().all(|w| w.number == 0), "{name}, k = {k:e}");
        }
    }
}

#[test]
fn other_integrators_diverge_with_stiff_springs() {
    for (name, joint, rest) in SPRINGS {
        for integrator in [Integrator::Euler, Integrator::Rk4, Integrator::ImplicitFast] {
            let mut m = on_spring(joint, rest, 1e9);
            m.opt.integrator = integrator;
            let mut d = moving(&m, 6);
            let mut warned = false;
            for _ in 0..300 {
                d.step(&m).unwrap();
                warned |= d.warning.iter().any(|w| w.number > 0);
            }
            assert!(warned, "{name}: {integrator:?} survived");
        }
    }
}

#[test]
fn backward_euler_of_a_spring_equals_the_closed_form() {
    let (k, c, mass, h) = (50.0, 0.7, 1.3, 0.02);
    let m = load(&format!(
        r#"<mujoco><option integrator="impliciteuler" timestep="{h}" gravity="0 0 0"/><worldbody>
        <body><joint type="slide" stiffness="{k}" damping="{c}"/><geom size=".1" mass="{mass}"/></body>
        </worldbody></mujoco>"#
    ));
    let mut d = m.make_data();
    let (mut x, mut v) = (0.3, -0.4);
    (d.qpos[0], d.qvel[0]) = (x, v);
    for _ in 0..20 {
        v = (mass * v - h * k * x) / (mass + h * c + h * h * k);
        x += h * v;
        d.step(&m).unwrap();
        close("state", &[d.qpos[0], d.qvel[0]], &[x, v], ROUNDING);
    }
}

/// A tendon across two branches does not fit into the tree's pattern: it must act all the same, as
/// if the two joints were in line.
#[test]
fn rank_one_corrections_are_exact() {
    let xml = |bodies: &str| {
        load(&format!(
            r#"<mujoco><option integrator="impliciteuler" timestep="0.05" gravity="0 0 0"/>
            <worldbody>{bodies}</worldbody><tendon><fixed stiffness="1e4" damping="10">
            <joint joint="a" coef="1"/><joint joint="b" coef="2"/></fixed></tendon></mujoco>"#
        ))
    };
    let body = |name: &str, inside: &str| {
        format!(
            r#"<body><joint name="{name}" type="slide" axis="1 0 0"/><geom size=".1" mass="1" pos="0 0 1" contype="0" conaffinity="0"/>{inside}</body>"#
        )
    };
    let m = xml(&(body("a", "") + &body("b", "")));
    let mut d = m.make_data();
    d.qpos.copy_from_slice(&[0.2, -0.1]);
    d.qvel.copy_from_slice(&[1.0, 0.5]);
    d.qpos[0] = 0.5;
    let (h, k, c) = (0.05, 1e4, 10.0);
    // length l = a + 2 b, masses of one: l'' = 5 f
    let (l, v) = (d.qpos[0] + 2.0 * d.qpos[1], d.qvel[0] + 2.0 * d.qvel[1]);
    let new = (v - 5.0 * h * k * l) / (1.0 + 5.0 * (h * c + h * h * k));
    d.step(&m).unwrap();
    close("length rate", &[d.qvel[0] + 2.0 * d.qvel[1]], &[new], ROUNDING);
}

/// Each public integrator after `mj_forward` takes the same step as `mj_step` with that integrator.
#[test]
fn public_integrators_equal_mj_step() {
    for integrator in
        [Integrator::Euler, Integrator::Rk4, Integrator::Implicit, Integrator::ImplicitFast]
    {
        let mut m = tumbling();
        m.opt.integrator = integrator;
        let mut stepped = moving(&m, 5);
        let mut d = stepped.clone();
        mj_step(&m, &mut stepped).unwrap();
        mj_forward(&m, &mut d).unwrap();
        match integrator {
            Integrator::Euler => mj_euler(&m, &mut d),
            Integrator::Rk4 => mj_runge_kutta(&m, &mut d, 4).unwrap(),
            _ => mj_implicit(&m, &mut d).unwrap(),
        }
        assert_eq!((&d.qpos, &d.qvel, d.time), (&stepped.qpos, &stepped.qvel, stepped.time));
    }
}

/// Invalid arguments of the public integrators are errors, and the state does not change.
#[test]
fn public_integrators_reject_invalid_arguments() {
    let m = tumbling();
    let mut d = m.make_data();
    mj_forward(&m, &mut d).unwrap();
    let before = d.qpos.clone();
    let error = mj_implicit(&m, &mut d).unwrap_err();
    assert_eq!(error, StepError::NotImplicit { integrator: Integrator::Euler });
    let error = mj_runge_kutta(&m, &mut d, 2).unwrap_err();
    assert_eq!(error, StepError::RungeKuttaOrder { order: 2 });
    assert_eq!((d.qpos, d.time), (before, 0.0));
}

#[test]
fn implicit_spring_damper_is_backward_euler() {
    assert_eq!(Integrator::ImplicitSpringDamper, Integrator::ImplicitEuler);
}
