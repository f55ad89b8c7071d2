//! Unsupported features are reported by name with a workaround, and the state is unchanged.

use crate::models::load;
use sim_core::Model;
use sim_core::types::{EnableBit, Integrator, SensorType, StepError, Unsupported};

const PENDULUM: &str = r#"<body><joint axis="0 1 0"/><geom size=".1" pos="0 0 -1"/></body>"#;

/// Checks that stepping the model fails with this message and leaves the state unchanged.
#[track_caller]
fn check_rejected(m: &Model, kind: Unsupported, message: &str) {
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
fn discrete_inverse_with_rk4() {
    let mut m = with("", PENDULUM);
    m.opt.integrator = Integrator::Rk4;
    m.opt.enableflags |= EnableBit::InvDiscrete as i32;
    let mut d = m.make_data();
    let error = sim_core::mj_inverse(&m, &mut d).unwrap_err();
    assert_eq!(error, StepError::Unsupported(Unsupported::DiscreteRungeKutta));
    assert_eq!(d.forward(&m), Ok(()), "forward dynamics is supported");
}

#[test]
fn plugin_sensors_without_an_instance() {
    let mut m = load(
        r#"<mujoco><worldbody><body><joint/><geom size=".1" pos="1 0 0"/></body></worldbody>
        <sensor><clock/></sensor></mujoco>"#,
    );
    m.sensor_type[0] = SensorType::Plugin;
    let message = "not supported: sensors of plugins without an instance; \
        to simulate the model without it, write <option><flag sensor=\"disable\"/></option>";
    check_rejected(&m, Unsupported::Sensor, message);
}
