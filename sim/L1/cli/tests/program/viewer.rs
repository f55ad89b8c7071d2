//! `sim view` and `--view`: argument errors. Windows are tested in `sim-viewer`.

use crate::fails;

#[test]
#[cfg(not(feature = "viewer"))]
fn view_without_the_feature_says_how_to_build() {
    let error = fails(1, &["view", "robot.xml"]);
    assert!(error.contains("--features viewer"), "{error}");
}

#[test]
#[cfg(feature = "viewer")]
fn view_errors_say_what_to_write() {
    for (arguments, text) in [
        (&["view", "--record", "run.mp4"][..], "write an .apng file"),
        (&["view", "--speed", "0"], "--speed must be a positive number"),
        (&["view", "--keyframe", "none"], "no keyframe `none`"),
        (&["view", "--ctrl", "1,2"], "2 numbers"),
        (&["view", "no/such/file.xml"], "no/such/file.xml:1:1"),
    ] {
        let error = fails(1, arguments);
        assert!(error.contains(text), "{arguments:?}: {error}");
    }
}
