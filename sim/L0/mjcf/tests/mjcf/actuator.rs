//! Constructors of actuators compile to the same model as the corresponding MJCF shortcuts.

use sim_core::Model;
use sim_mjcf::spec::{
    Actuator, Body, BodyId, CylinderParams, DcMotorParams, Geom, Joint, MuscleParams, Spec,
};

fn from_xml(actuator: &str) -> Model {
    let text = format!(
        "<mujoco model='m'><worldbody><body name='b'><joint name='j'/><geom size='1'/></body>
         </worldbody><actuator>{actuator}</actuator></mujoco>"
    );
    sim_mjcf::load_str(&text).expect("valid MJCF")
}

fn spec(actuator: Actuator) -> Spec {
    let mut spec = Spec::new("m");
    let body = spec.add_body(BodyId::WORLD, Body::new("b"));
    spec.bodies[body.0].add(Joint::default().name("j")).add(Geom::sphere(1.0));
    spec.add(actuator);
    spec
}

/// Checks that a constructor and an MJCF element give identical models.
fn check(actuator: Actuator, xml: &str) {
    let model = spec(actuator).compile().expect("valid spec");
    assert_eq!(model.nu, 1, "{xml}");
    assert!(model.to_bytes() == from_xml(xml).to_bytes(), "{xml}");
}

#[test]
fn general_equals_mjcf() {
    let actuator = Actuator::general("j").gear([2.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    check(actuator, "<general joint='j' gear='2'/>");
}

#[test]
fn motor_equals_mjcf() {
    check(Actuator::motor("j").ctrlrange([-1.0, 1.0]), "<motor joint='j' ctrlrange='-1 1'/>");
}

#[test]
fn position_equals_mjcf() {
    check(Actuator::position("j", 10.0, 2.0), "<position joint='j' kp='10' kv='2'/>");
}

#[test]
fn velocity_equals_mjcf() {
    check(Actuator::velocity("j", 3.0), "<velocity joint='j' kv='3'/>");
}

#[test]
fn intvelocity_equals_mjcf() {
    let actuator = Actuator::intvelocity("j", 10.0, 2.0).actrange([-1.0, 1.0]);
    check(actuator, "<intvelocity joint='j' kp='10' kv='2' actrange='-1 1'/>");
}

#[test]
fn damper_equals_mjcf() {
    let actuator = Actuator::damper("j", 4.0).ctrlrange([0.0, 1.0]);
    check(actuator, "<damper joint='j' kv='4' ctrlrange='0 1'/>");
}

#[test]
fn cylinder_equals_mjcf() {
    let params = CylinderParams {
        timeconst: Some(0.1),
        bias: Some(0.5),
        diameter: Some(0.2),
        ..CylinderParams::default()
    };
    let xml = "<cylinder joint='j' timeconst='0.1' bias='0.5 0 0' diameter='0.2'/>";
    check(Actuator::cylinder("j", &params), xml);
}

#[test]
fn muscle_equals_mjcf() {
    let defaults = Actuator::muscle("j", &MuscleParams::default()).lengthrange([0.0, 1.0]);
    check(defaults, "<muscle joint='j' lengthrange='0 1'/>");
    let params = MuscleParams {
        timeconst: [Some(0.02), Some(0.05)],
        tausmooth: Some(0.1),
        range: [Some(0.7), Some(1.1)],
        force: Some(500.0),
        lmin: Some(0.4),
        ..MuscleParams::default()
    };
    let xml = "<muscle joint='j' lengthrange='0 1' timeconst='0.02 0.05' tausmooth='0.1'
               range='0.7 1.1' force='500' lmin='0.4'/>";
    check(Actuator::muscle("j", &params).lengthrange([0.0, 1.0]), xml);
}

#[test]
fn adhesion_equals_mjcf() {
    let actuator = Actuator::adhesion("b", 5.0).ctrlrange([0.0, 1.0]);
    check(actuator, "<adhesion body='b' gain='5' ctrlrange='0 1'/>");
}

#[test]
fn dcmotor_equals_mjcf() {
    let params = DcMotorParams {
        motorconst: [0.05, 0.0],
        resistance: 2.0,
        inductance: [0.001, 0.0],
        cogging: [0.01, 4.0, 0.5],
        ..DcMotorParams::default()
    };
    let xml = "<dcmotor joint='j' motorconst='0.05' resistance='2' inductance='0.001'
               cogging='0.01 4 0.5'/>";
    check(Actuator::dcmotor("j", &params), xml);
}

#[test]
fn invalid_parameters_are_reported_by_the_compiler() {
    for (actuator, message) in [
        (Actuator::position("j", 1.0, -1.0), "<position> attribute \"kv\": must not be negative"),
        (Actuator::damper("j", -1.0), "<damper> attribute \"kv\": must not be negative"),
        (Actuator::adhesion("b", -1.0), "<adhesion> attribute \"gain\": must not be negative"),
        (
            Actuator::dcmotor("j", &DcMotorParams::default()),
            "<dcmotor> attribute \"motorconst\": the motor constant must be positive: set it or `nominal`",
        ),
    ] {
        let errors = spec(actuator).compile().expect_err("invalid parameter").to_string();
        assert!(errors.contains(message), "{errors}");
    }
}
