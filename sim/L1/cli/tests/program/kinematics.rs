//! Tests of `sim ik` and `sim jac`.

use super::{ARM, contains, fails, sim, succeeds};

#[test]
fn ik_solution_reaches_the_pose() {
    let tool =
        succeeds(&["jac", ARM, "--site", "tcp", "--qpos", "0.3,-1,1.2,-0.4,0.9,0.1", "--json"]);
    let tool: serde_json::Value = serde_json::from_str(&tool).unwrap();
    let words = |key: &str| -> Vec<String> {
        tool[key].as_array().unwrap().iter().map(ToString::to_string).collect()
    };
    let mut arguments = vec!["ik", ARM, "--site", "tcp", "--pos"];
    let (pos, quat) = (words("pos"), words("quat"));
    arguments.extend(pos.iter().map(String::as_str));
    arguments.push("--quat");
    arguments.extend(quat.iter().map(String::as_str));
    contains(
        &succeeds(&arguments),
        &["site `tcp` from the world, 6 dofs", "status  converged", "shoulder_pan"],
    );
    // the forward kinematics of the solution is the target
    arguments.push("--json");
    let found: serde_json::Value = serde_json::from_str(&succeeds(&arguments)).unwrap();
    assert_eq!((&found["status"], &found["converged"]), (&"Converged".into(), &true.into()));
    let qpos: Vec<String> =
        found["qpos"].as_array().unwrap().iter().map(ToString::to_string).collect();
    let again = succeeds(&["jac", ARM, "--site", "tcp", "--qpos", &qpos.join(","), "--json"]);
    let again: serde_json::Value = serde_json::from_str(&again).unwrap();
    for k in 0..3 {
        let apart = again["pos"][k].as_f64().unwrap() - tool["pos"][k].as_f64().unwrap();
        assert!(apart.abs() < 1e-5, "{apart}");
    }
}

#[test]
fn ik_reports_unreachable_targets_and_invalid_arguments() {
    let far = sim(&["ik", ARM, "--site", "tcp", "--pos", "9", "0", "-1", "--near"]);
    assert_eq!(far.status.code(), Some(1));
    contains(&String::from_utf8(far.stdout).unwrap(), &["out of reach", "closest", "qpos"]);
    let pos = ["--pos", "0.1", "0.2", "0.3"];
    let ask = |more: &[&str]| fails(1, &[&["ik", ARM][..], more, &pos].concat());
    contains(
        &ask(&["--site", "tcp1"]),
        &["error: the model has no site named `tcp1`; did you mean `tcp`?"],
    );
    contains(
        &ask(&["--body", "nothing_like_it"]),
        &["no body named `nothing_like_it`; known names are world, base, shoulder"],
    );
    contains(&ask(&["--site", "tcp", "--qpos", "1,2"]), &["--qpos has 2 numbers; the model has 6"]);
    contains(&ask(&["--site", "tcp", "--keyframe", "none"]), &["no keyframe `none`"]);
    contains(&ask(&["--site", "tcp", "--quat", "0", "0", "0", "0"]), &["not all zero"]);
    contains(
        &ask(&["--site", "tcp", "--position-tolerance", "0"]),
        &["`position_tolerance` must be a positive"],
    );
    contains(&fails(2, &["ik", ARM, "--site", "tcp"]), &["--pos"]);
    contains(&fails(2, &["ik", ARM, "--pos", "1", "2", "3"]), &["--body"]);
    contains(&fails(1, &["ik", ARM, "--site", "tcp", "--pos", "nan", "0", "0"]), &["finite"]);
}

#[test]
fn jac_prints_the_jacobian_in_each_frame() {
    let text = succeeds(&["jac", ARM, "--site", "tcp", "--keyframe", "home"]);
    contains(&text, &["shoulder_pan", "vx", "wz", "manipulability", "condition number"]);
    let json = |frame: &str| -> serde_json::Value {
        let text = succeeds(&["jac", ARM, "--site", "tcp", "--frame", frame, "--json"]);
        serde_json::from_str(&text).unwrap()
    };
    let (spatial, body) = (json("spatial"), json("body"));
    assert_eq!(spatial["jacobian"].as_array().unwrap().len(), 6);
    assert_eq!(spatial["jacobian"][0].as_array().unwrap().len(), 6);
    // the pan axis is vertical
    assert!((spatial["jacobian"][5][0].as_f64().unwrap() - 1.0).abs() < 1e-12);
    let [a, b] = [&spatial, &body].map(|jac| jac["manipulability"].as_f64().unwrap());
    assert!((a - b).abs() < 1e-12, "{a} {b}");
    contains(&fails(2, &["jac", ARM, "--site", "tcp", "--frame", "sideways"]), &["spatial"]);
}
