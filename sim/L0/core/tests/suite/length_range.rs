//! Length ranges that are found by simulation, and searches that cannot end well.

use crate::models::load;
use sim_core::types::{LengthRangeMode, LengthRangeOptions};
use sim_core::{LengthRangeError, Model, set_length_ranges};

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
fn a_muscle_moves_between_the_limits_of_its_joint() {
    let mut m = muscle(r#"range="-.5 1.2""#, "");
    let before = m.opt.clone();
    set_length_ranges(&mut m, &options()).unwrap();
    // limits are soft, so that the muscle reaches a little beyond them
    let [low, high] = [m.actuator_lengthrange[0], m.actuator_lengthrange[1]];
    assert!((-0.52..=-0.5).contains(&low), "{low}");
    assert!((1.2..=1.22).contains(&high), "{high}");
    assert_eq!(m.opt, before, "the search leaves the options alone");
}

#[test]
fn limits_can_be_taken_as_they_are() {
    let mut m = muscle(r#"range="-.5 1.2""#, "");
    set_length_ranges(&mut m, &LengthRangeOptions { uselimit: true, ..options() }).unwrap();
    assert_eq!(m.actuator_lengthrange, [-0.5, 1.2]);
}

#[test]
fn ranges_that_exist_are_kept() {
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
fn searches_that_fail_say_why() {
    let fail = |joint: &str, rest: &str, opt: LengthRangeOptions| {
        let mut m = muscle(joint, rest);
        let error = set_length_ranges(&mut m, &opt).unwrap_err();
        assert_eq!(error.actuator(), 0);
        error
    };
    let limits = r#"range="-.5 1""#;
    assert!(matches!(fail("", "", options()), LengthRangeError::NotSettled { .. }));
    let weld = r#"<equality><weld body1="other"/></equality>"#;
    let error = fail(limits, weld, options());
    assert!(matches!(error, LengthRangeError::Unsupported { what: "weld constraints", .. }));
    let slow = LengthRangeOptions { timestep: 1e-9, ..options() };
    assert!(matches!(fail(limits, "", slow), LengthRangeError::Steps { .. }));
    let wild = LengthRangeOptions { accel: 1e300, ..options() };
    assert!(matches!(fail(limits, "", wild), LengthRangeError::Unstable { .. }));
    let lazy = LengthRangeOptions { accel: 0.0, ..options() };
    assert!(matches!(fail(limits, "", lazy), LengthRangeError::Empty { .. }));
}
