//! Every example runs in its short version and passes its own checks.

use std::process::Command;

/// Runs an example and returns its output.
#[track_caller]
fn run(program: &str) -> String {
    let output = Command::new(program).arg("--short").output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

macro_rules! examples {
    ($($name:ident prints $text:literal;)*) => {
        $(#[test]
        fn $name() {
            let text = run(env!(concat!("CARGO_BIN_EXE_", stringify!($name))));
            assert!(text.contains($text), "{text}");
        })*
    };
}

examples! {
    circle prints "200 of 200";
    cloth prints "smallest distance of a vertex";
    edit prints "with a weight";
    flag prints "downwind of the pole";
    gripper prints "hold";
    identify prints "damping";
    lqr prints "gain";
    mpc prints "of its height";
    pulley prints "went down";
    quadruped prints "walked";
    randomise prints "32 of 32";
    sensors prints "bounces";
    soft_gripper prints "hold";
}
