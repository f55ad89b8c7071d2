//! What is not simulated yet is refused by name, with the remedy, and leaves the state alone.

use crate::models::{load, world};
use sim_core::Model;
use sim_core::types::{EnableBit, Integrator, SensorType, StepError, Unsupported};

const PENDULUM: &str = r#"<body><joint axis="0 1 0"/><geom size=".1" pos="0 0 -1"/></body>"#;

/// The model is refused, with this message; the state stays.
#[track_caller]
fn refused(m: &Model, kind: Unsupported, message: &str) {
    let mut d = m.make_data();
    d.qvel.fill(0.1);
    let (qpos, qvel) = (d.qpos.clone(), d.qvel.clone());
    let error = d.step(m).unwrap_err();
    assert_eq!(error, StepError::Unsupported(kind));
    assert_eq!(error.to_string(), message);
    assert_eq!((d.time, d.qpos, d.qvel), (0.0, qpos, qvel));
}

/// A model with an option element, and a body.
fn with(option: &str, body: &str) -> Model {
    load(&format!("<mujoco>{option}<worldbody>{body}</worldbody></mujoco>"))
}

#[test]
fn contacts() {
    let m =
        with("", r#"<geom type="plane" size="1 1 1"/><body><freejoint/><geom size=".1"/></body>"#);
    let message = "this version does not simulate contacts between geoms; \
        to step the model without, write <option><flag contact=\"disable\"/></option>";
    refused(&m, Unsupported::Contact, message);
}

#[test]
fn geoms_that_are_apart_need_no_contacts() {
    let m = with(
        "",
        r#"<geom type="plane" size="1 1 1"/>
        <body pos="0 0 1"><freejoint/><geom size=".1" margin=".5" gap=".5"/></body>"#,
    );
    let mut d = m.make_data();
    for _ in 0..150 {
        d.step(&m).unwrap();
    }
    assert_eq!((d.ncon, d.contact[0].exclude), (1, 1), "in the gap there is no force");
}

#[test]
fn limits_that_are_reached() {
    let joint = |range: &str| {
        world(&format!(r#"<body><joint range="{range}"/><geom size=".1" pos="1 0 0"/></body>"#))
    };
    let message = "this version does not simulate joint or tendon limits; \
        to step the model without, write <option><flag limit=\"disable\"/></option>";
    refused(&joint("10 20"), Unsupported::Limit, message);
    let within = joint("-10 20");
    assert_eq!(within.make_data().step(&within), Ok(()));
}

#[test]
fn dry_friction() {
    let m = world(r#"<body><joint frictionloss=".1"/><geom size=".1" pos="1 0 0"/></body>"#);
    let message = "this version does not simulate dry friction (frictionloss); \
        to step the model without, write <option><flag frictionloss=\"disable\"/></option>";
    refused(&m, Unsupported::FrictionLoss, message);
}

#[test]
fn sleep() {
    let mut m = with("", PENDULUM);
    m.opt.enableflags |= EnableBit::Sleep as i32;
    let message = "this version does not simulate sleeping trees; \
        to step the model without, write <option><flag sleep=\"disable\"/></option>";
    refused(&m, Unsupported::Sleep, message);
}

#[test]
fn equalities_that_are_switched_on() {
    let m = |active: bool| {
        load(&format!(
            r#"<mujoco><worldbody><body name="b"><freejoint/><geom size=".1"/></body></worldbody>
            <equality><weld body1="b" active="{active}"/></equality></mujoco>"#,
        ))
    };
    let message = "this version does not simulate equality constraints; \
        to step the model without, write <option><flag equality=\"disable\"/></option>";
    refused(&m(true), Unsupported::Equality, message);
    let off = m(false);
    assert_eq!(off.make_data().step(&off), Ok(()));
}

#[test]
fn the_discrete_inverse_of_runge_kutta() {
    let mut m = with("", PENDULUM);
    m.opt.integrator = Integrator::Rk4;
    m.opt.enableflags |= EnableBit::InvDiscrete as i32;
    let mut d = m.make_data();
    let error = sim_core::mj_inverse(&m, &mut d).unwrap_err();
    assert_eq!(error, StepError::Unsupported(Unsupported::DiscreteRungeKutta));
    assert_eq!(d.forward(&m), Ok(()), "forward dynamics do not care");
}

#[test]
fn every_remedy_works() {
    let touching = r#"<geom type="plane" size="1 1 1"/><body><freejoint/><geom size=".1"/></body>"#;
    let hinge =
        r#"<body><joint range="10 20" frictionloss=".1"/><geom size=".1" pos="1 0 0"/></body>"#;
    for (body, kinds) in [
        (touching, &[Unsupported::Contact][..]),
        (hinge, &[Unsupported::Limit, Unsupported::FrictionLoss]),
    ] {
        let remedies: String = kinds.iter().map(|kind| kind.remedy()).collect();
        let m = with(&remedies, body);
        assert_eq!(m.make_data().step(&m), Ok(()), "{remedies}");
    }
}

#[test]
fn evaluation_is_valid_up_to_the_constraints() {
    let m =
        with("", r#"<geom type="plane" size="1 1 1"/><body><freejoint/><geom size=".1"/></body>"#);
    let mut d = m.make_data();
    assert!(d.forward(&m).is_err());
    assert_eq!(d.qacc_smooth, [0.0, 0.0, -9.81, 0.0, 0.0, 0.0]);
}

#[test]
fn sensors_of_plugins() {
    let mut m = load(
        r#"<mujoco><worldbody><body><joint/><geom size=".1" pos="1 0 0"/></body></worldbody>
        <sensor><clock/></sensor></mujoco>"#,
    );
    m.sensor_type[0] = SensorType::Plugin;
    let message = "this version does not simulate sensors of plugins; \
        to step the model without, write <option><flag sensor=\"disable\"/></option>";
    refused(&m, Unsupported::Sensor, message);
}
