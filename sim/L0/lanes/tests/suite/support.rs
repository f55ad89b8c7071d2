//! Features that lanes do not simulate are reported by name.

use crate::models::{all, load};
use sim_lanes::{LaneBatch, supports};

fn feature(text: &str) -> String {
    let m = load(text);
    let unsupported = supports(&m).expect_err("not supported");
    assert_eq!(LaneBatch::new(&m, 1).err(), Some(unsupported.clone()));
    unsupported.to_string()
}

#[test]
fn unsupported_features_are_named() {
    let body = r#"<worldbody><body><joint/><geom size="1"/></body></worldbody>"#;
    let with_options =
        |options: &str| feature(&format!("<mujoco><option {options}/>{body}</mujoco>"));
    assert!(with_options(r#"solver="CG""#).contains("solver Cg"));
    let elliptic = with_options(r#"solver="PGS" cone="elliptic""#);
    assert!(elliptic.contains("solver Pgs with elliptic cones"), "{elliptic}");
    assert!(with_options(r#"integrator="implicit""#).contains("integrator Implicit"));
    assert!(with_options(r#"density="1" integrator="implicitfast""#).contains("fluid"));
    let hfield = r#"<mujoco><asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/></asset>
        <worldbody><geom type="hfield" hfield="h"/>
        <body pos="0 0 3"><freejoint/><geom size="1"/></body></worldbody></mujoco>"#;
    assert!(feature(hfield).contains("HField and Sphere"), "{}", feature(hfield));
    let weld = format!("<mujoco>{}</mujoco>", body.replace("<body>", r#"<body name="a">"#));
    let weld = weld.replace("</mujoco>", r#"<equality><weld body1="a"/></equality></mujoco>"#);
    assert!(feature(&weld).contains("equality constraint 0 of type Weld"));
    let actuator = |attributes: &str| {
        feature(&format!(
            r#"<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
            <actuator><general joint="j" {attributes}/></actuator></mujoco>"#
        ))
    };
    assert!(actuator(r#"dyntype="muscle""#).contains("the dynamics of actuator 0"));
    let tendon = r#"<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
        <tendon><fixed armature="1"><joint joint="j" coef="1"/></fixed></tendon></mujoco>"#;
    assert!(feature(tendon).contains("the armature of tendon 0"));
}

#[test]
fn models_of_the_tests_are_supported() {
    for (name, text) in &all() {
        assert_eq!(supports(&load(text)), Ok(()), "{name}");
    }
}
