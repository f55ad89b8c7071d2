//! Actuator length ranges computed by simulation, and failed searches.

use crate::models::load;
use sim_core::types::{LengthRangeMode, LengthRangeOptions};
use sim_core::{LengthRangeError, Model, mj_set_length_range, set_length_ranges};

/// A hinge with a muscle whose length range is given, so that the compiler does not search.
fn muscle(joint: &str, rest: &str) -> Model {
    load(&format!(
        r#"<mujoco><compiler angle="radian"/><option><flag contact="disable"/></option>
        <worldbody><body><joint name="j" axis="0 1 0" {joint}/><geom size=".1" pos="0 0 -1"/></body>
          <body name="other"><freejoint/><geom size=".1"/></body></worldbody>
        <actuator><muscle joint="j" lengthrange="-1 1"/></actuator>{rest}</mujoco>"#
    ))
}

fn options() -> LengthRangeOptions {
    LengthRangeOptions { useexisting: false, ..LengthRangeOptions::default() }
}

#[test]
fn range_is_bounded_by_the_joint_limits() {
    let mut m = muscle(r#"range="-.5 1.2""#, "");
    let before = m.opt.clone();
    set_length_ranges(&mut m, &options()).unwrap();
    // soft limits: the length exceeds them slightly
    let [low, high] = [m.actuator_lengthrange[0], m.actuator_lengthrange[1]];
    assert!((-0.52..=-0.5).contains(&low), "{low}");
    assert!((1.2..=1.22).contains(&high), "{high}");
    assert_eq!(m.opt, before, "the search must not change the options");
}

#[test]
fn uselimit_copies_the_joint_limits() {
    let mut m = muscle(r#"range="-.5 1.2""#, "");
    set_length_ranges(&mut m, &LengthRangeOptions { uselimit: true, ..options() }).unwrap();
    assert_eq!(m.actuator_lengthrange, [-0.5, 1.2]);
}

#[test]
fn one_actuator_has_the_range_of_a_search_for_all() {
    let mut all = muscle(r#"range="-.5 1.2""#, "");
    let mut one = all.clone();
    let opt = LengthRangeOptions { uselimit: true, ..options() };
    set_length_ranges(&mut all, &opt).unwrap();
    let mut d = one.make_data();
    mj_set_length_range(&mut one, &mut d, 0, &opt).unwrap();
    assert_eq!(one.actuator_lengthrange, all.actuator_lengthrange);
}

#[test]
fn existing_ranges_are_kept() {
    for opt in [
        LengthRangeOptions::default(),
        LengthRangeOptions { mode: LengthRangeMode::None, ..options() },
    ] {
        let mut m = muscle("", "");
        set_length_ranges(&mut m, &opt).unwrap();
        assert_eq!(m.actuator_lengthrange, [-1.0, 1.0]);
    }
}

#[test]
fn failed_searches_return_the_cause() {
    let fail = |joint: &str, rest: &str, opt: LengthRangeOptions| {
        let mut m = muscle(joint, rest);
        let error = set_length_ranges(&mut m, &opt).unwrap_err();
        assert_eq!(error.actuator(), 0);
        error
    };
    let limits = r#"range="-.5 1""#;
    assert!(matches!(fail("", "", options()), LengthRangeError::NotConverged { .. }));
    let slow = LengthRangeOptions { timestep: 1e-9, ..options() };
    assert!(matches!(fail(limits, "", slow), LengthRangeError::Steps { .. }));
    let wild = LengthRangeOptions { accel: 1e300, ..options() };
    assert!(matches!(fail(limits, "", wild), LengthRangeError::Unstable { .. }));
    let lazy = LengthRangeOptions { accel: 0.0, ..options() };
    assert!(matches!(fail(limits, "", lazy), LengthRangeError::Empty { .. }));
}

/// Searches under active `connect` and `weld` constraints: the constrained joint moves with the limited
/// one, so that its range is finite and equal to that of the limit.
#[test]
fn range_of_a_joint_constrained_by_connect_and_weld_is_that_of_the_limited_joint() {
    for equality in [
        r#"<connect body1="a" body2="b" anchor="0 0 -1"/><joint joint1="i" joint2="j"/>"#,
        r#"<weld body1="a" body2="b"/>"#,
    ] {
        let mut m = load(&format!(
            r#"<mujoco><compiler angle="radian"/><option><flag contact="disable"/></option>
            <worldbody>
              <body name="a"><joint name="i" axis="0 1 0" range="-.5 1.2"/>
                <geom size=".1" pos="0 0 -1"/></body>
              <body name="b"><joint name="j" axis="0 1 0"/><geom size=".1" pos="0 0 -1"/></body>
            </worldbody>
            <equality>{equality}</equality>
            <actuator><muscle joint="j" lengthrange="-1 1"/></actuator></mujoco>"#
        ));
        set_length_ranges(&mut m, &options()).unwrap();
        let [low, high] = [m.actuator_lengthrange[0], m.actuator_lengthrange[1]];
        assert!((low + 0.5).abs() < 0.03 && (high - 1.2).abs() < 0.03, "{low} {high}");
    }
}
