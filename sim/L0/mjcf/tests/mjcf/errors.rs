//! Invalid models: each error has the right location and a message that says how to fix it.

use sim_mjcf::load_str;

/// Loads an invalid model whose text marks with `§` where its first error must be reported.
#[track_caller]
pub(crate) fn check(marked: &str, fragment: &str) {
    let (before, after) = marked.split_once('§').expect("the model marks the place of its error");
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let errors = load_str(&format!("{before}{after}")).expect_err(marked);
    let first = &errors.as_slice()[0];
    let text = first.to_string();
    assert_eq!(
        (first.location.line as usize, first.location.column as usize),
        (line, column),
        "{text}"
    );
    assert!(text.contains(fragment), "`{fragment}` is not in `{text}`");
}

/// Like [`check`], for the content of `worldbody`.
#[track_caller]
fn world(marked: &str, fragment: &str) {
    check(&format!("<mujoco>\n <worldbody>\n{marked}\n </worldbody>\n</mujoco>"), fragment);
}

/// Like [`check`], for sections of a model that has a body `b`, a hinge `h`, a ball joint `ball`, a
/// geom `g` and a site `s`.
#[track_caller]
pub(crate) fn section(marked: &str, fragment: &str) {
    let tree = r#"<worldbody><geom name="floor" type="plane" size="1 1 1"/>
        <body name="b"><joint name="h"/><geom name="g" size="1"/><site name="s"/>
        <body><joint name="ball" type="ball"/><geom size="1"/></body></body></worldbody>"#;
    check(&format!("<mujoco>{tree}\n{marked}\n</mujoco>"), fragment);
}

#[test]
fn malformed_documents_are_errors() {
    check("§", "the file is empty");
    check("§ \n ", "the file is empty");
    check("§hello", "text outside the root element");
    check("<mujoco>§<worldbody", "not closed");
    check("<mujoco>\n  §<worldbody>", "is not closed");
    check("<mujoco><worldbody>§</body></mujoco>", "not well-formed XML");
    check("<mujoco/>§<mujoco/>", "more than one root element");
    check("<mujoco/>§junk", "text outside the root element");
    check("§<model/>", "the root element must be <mujoco>");
    check("§<MuJoCo/>", "the root element must be <mujoco>");
    check("§<robot name=\"r\"/>", "URDF");
    check("<mujoco §model=\"&unknown;\"/>", "unrecognized entity");
    check("<!DOCTYPE m [<!ENTITY a \"b\">]><mujoco §model=\"&a;\"/>", "unrecognized entity");
    check("<mujoco model=\"a\" §model=\"b\"/>", "duplicate attribute");
    check("<mujoco model=\"a§\0b\"/>", "NUL");
    check("<mujoco>§<!-- ", "not closed");
}

#[test]
fn unknown_elements_and_attributes_are_errors() {
    world("  §<goem size=\"1\"/>", "unknown element in <worldbody>; did you mean `geom`?");
    world(
        "  <geom §sise=\"1\"/>",
        "<geom> attribute \"sise\": unknown attribute; did you mean `size`?",
    );
    world("  <geom §color=\"1\"/>", "attribute \"color\": unknown attribute");
    world("  <body>§<sensor/></body>", "unknown element in <body>");
    check("<mujoco>§<worldbdy/></mujoco>", "did you mean `worldbody`?");
    check("<mujoco><worldbody §name=\"w\"/></mujoco>", "unknown attribute");
    check(
        "<mujoco><option><flag §gravty=\"disable\"/></option></mujoco>",
        "did you mean `gravity`?",
    );
    check("<mujoco><option><flag/>§<flag/></option></mujoco>", "may occur only once in <option>");
    world(
        "<body><inertial pos='0 0 0' mass='1'/>§<inertial pos='0 0 0' mass='1'/></body>",
        "may occur only once in <body>",
    );
}

#[test]
fn invalid_plugins_are_errors() {
    check("<mujoco><extension>§<plugin/></extension></mujoco>", "attribute \"plugin\": required");
    check(
        "<mujoco><extension>§<plugin plugin=\"p\"/></extension></mujoco>",
        "unknown plugin `p`; the known plugins are mujoco.pid, mujoco.elasticity.cable",
    );
    section("<actuator>§<plugin joint=\"h\"/></actuator>", "requires `plugin` or `instance`");
    section("<sensor>§<plugin/></sensor>", "requires `plugin` or `instance`");
}

#[test]
fn invalid_numbers_keywords_and_counts_are_errors() {
    world("  <geom §size=\"one\"/>", "`one` is not a number");
    world("  <geom §size=\"1,2,3\"/>", "separate numbers by spaces");
    world("  <geom §size=\"nan\"/>", "`nan` is not a number (NaN is not allowed)");
    world("  <geom §size=\"inf\"/>", "`inf` is not a finite number");
    world("  <geom §size=\"1e400\"/>", "fits in double precision");
    for number in ["1e-3000", "2e-308", "-1e-320"] {
        world(&format!("  <geom size=\"1\" §margin=\"{number}\"/>"), "fits in double precision");
    }
    for number in ["1e-39", "1e-50", "-1e39"] {
        let rgba = format!("  <geom size=\"1\" §rgba=\"{number} 0 0 1\"/>");
        world(&rgba, "fits in single precision");
    }
    check("<mujoco><visual><map §znear=\"0\"/></visual></mujoco>", "must be positive");
    check("<mujoco><visual><map §znear=\"-1\"/></visual></mujoco>", "must be positive");
    check("<mujoco><visual><map §zfar=\"1e-50\"/></visual></mujoco>", "single precision");
    check("<mujoco><visual><global §realtime=\"0\"/></visual></mujoco>", "must be positive");
    for memory in ["0", "10", "119", "5T", "8E"] {
        let size = format!("<mujoco>§<size memory=\"{memory}\"/></mujoco>");
        check(&size, "bytes are out of the range [120, 1099511627776]");
    }
    world("  <geom §size=\"1 2 3 4\"/>", "expected at most 3 numbers, found 4");
    world("  <geom size=\"1\" §pos=\"1 2\"/>", "expected 3 numbers, found 2");
    world("  <geom size=\"1\" §pos=\"1 2 3 4\"/>", "expected 3 numbers, found 4");
    world("  <geom size=\"1\" §condim=\"3.0\"/>", "`3.0` is not an integer");
    world("  <geom size=\"1\" §group=\"\"/>", "is not an integer");
    world("  <geom size=\"1\" §contype=\"99999999999\"/>", "is not an integer between");
    world("  <geom §type=\"spher\"/>", "`spher` is not one of plane, hfield, sphere");
    world("  <geom §type=\"Sphere\"/>", "did you mean `sphere`?");
    world("  <camera §output=\"rgb rgb\"/>", "duplicate keyword `rgb`");
    check("<mujoco><option §integrator=\"euler\"/></mujoco>", "did you mean `Euler`?");
    check(
        "<mujoco><option §actuatorgroupdisable=\"31\"/></mujoco>",
        "group 31 is out of the range [0, 30]",
    );
    check("<mujoco><size §memory=\"10Q\"/></mujoco>", "`10Q` is not a size in bytes");
    check("<mujoco><size §memory=\"20000P\"/></mujoco>", "is not a size in bytes");
    check(
        "<mujoco><size memory=\"1M\" §njmax=\"5\"/></mujoco>",
        "cannot be combined with `memory`",
    );
    check("<mujoco><size §nuser_geom=\"-2\"/></mujoco>", "must be at least -1");
    check("<mujoco><size §nuserdata=\"-1\"/></mujoco>", "must be at least 0");
    check("<mujoco><statistic §extent=\"0\"/></mujoco>", "must be positive");
    check("<mujoco><compiler §eulerseq=\"xy\"/></mujoco>", "must have 3 letters");
    check("<mujoco><compiler §eulerseq=\"xyw\"/></mujoco>", "must contain only the letters");
    check("<mujoco><compiler §coordinate=\"global\"/></mujoco>", "use \"local\"");
    check(
        "<mujoco><custom><numeric name=\"n\" size=\"2\" §data=\"1 2 3\"/></custom></mujoco>",
        "found 3",
    );
    check("<mujoco><custom><numeric name=\"n\" §size=\"501\"/></custom></mujoco>", "in [1, 500]");
    check("<mujoco><custom>§<numeric name=\"n\"/></custom></mujoco>", "1 to 500 numbers");
    check("<mujoco><custom>§<text name=\"n\"/></custom></mujoco>", "attribute \"data\": required");
    world(
        "  <body>§<inertial mass=\"1\"/></body>",
        "attribute \"pos\": required attribute is missing",
    );
}

#[test]
fn invalid_names_and_classes_are_errors() {
    world(
        "<body name=\"a\"/>\n §<body name=\"a\"/>",
        "repeated name `a`: the other body of that name is at <string>:3:1",
    );
    world("§<body name=\"world\"/>", "repeated name `world`");
    world(
        "<geom name=\"a\" size=\"1\"/>§<geom name=\"a\" size=\"1\"/>",
        "the other geom of that name",
    );
    world("<geom §class=\"steel\" size=\"1\"/>", "no default class is named `steel`");
    world("<body §childclass=\"steel\"/>", "no default class is named `steel`");
    world("<geom §class=\"\" size=\"1\"/>", "no default class is named ``");
    check(
        "<mujoco><default><default class=\"steel\"/></default><worldbody><geom §class=\"steeel\" size=\"1\"/></worldbody></mujoco>",
        "did you mean `steel`?",
    );
    check("<mujoco><default>§<default/></default></mujoco>", "requires a class name");
    check(
        "<mujoco><default><default §class=\"main\"/></default></mujoco>",
        "`main` already exists",
    );
    check(
        "<mujoco><default><default class=\"a\"><default §class=\"a\"/></default></default></mujoco>",
        "`a` already exists",
    );
    check("<mujoco><default §class=\"other\"/></mujoco>", "named `main`");
    section(
        "<contact>§<exclude body1=\"b\" body2=\"c\"/></contact>",
        "attribute \"body2\": no body is named `c`",
    );
    section("<contact>§<exclude body1=\"b\"/></contact>", "attribute \"body2\": required");
    section("<contact>§<pair geom1=\"g\" geom2=\"flor\"/></contact>", "did you mean `floor`?");
    section("<actuator>§<motor joint=\"hh\"/></actuator>", "no joint is named `hh`");
    section("<actuator>§<motor/></actuator>", "attribute \"joint\": required");
    section(
        "<actuator><motor joint=\"h\" §jointinparent=\"h\"/></actuator>",
        "a single transmission target",
    );
    section("<sensor>§<gyro site=\"t\"/></sensor>", "no site is named `t`");
    section("<sensor>§<gyro/></sensor>", "attribute \"site\": required");
    section("<sensor>§<framepos objtype=\"body\"/></sensor>", "attribute \"objname\": required");
    section(
        "<sensor><framepos §objtype=\"joint\" objname=\"h\"/></sensor>",
        "is not one of body, xbody, geom, site, camera",
    );
    section(
        "<sensor>§<framepos objtype=\"body\" objname=\"b\" refname=\"b\"/></sensor>",
        "attribute \"reftype\": required",
    );
    world("§<camera mode=\"targetbody\" target=\"x\"/>", "no body is named `x`");
}

#[test]
fn invalid_shapes_and_frames_are_errors() {
    world("§<geom/>", "value 1 of the 1 sizes of a sphere must be positive");
    world("§<geom type=\"box\" size=\"1 1\"/>", "value 3 of the 3 sizes of a box must be positive");
    world("§<geom size=\"-1\"/>", "must be positive");
    world("§<geom type=\"plane\" size=\"1 1\"/>", "grid spacing");
    world("§<geom type=\"sphere\" size=\"1\" fromto=\"0 0 0 1 1 1\"/>", "requires a capsule");
    world("§<geom type=\"capsule\" size=\"1\" fromto=\"0 0 0 0 0 0\"/>", "the two points coincide");
    world(
        "§<geom type=\"capsule\" size=\"1\" pos=\"1 0 0\" fromto=\"0 0 0 0 0 1\"/>",
        "remove `pos`",
    );
    world("§<geom size=\"1\" condim=\"2\"/>", "must be 1, 3, 4 or 6, found 2");
    world("<geom size=\"1\" §quat=\"0 0 0 0\"/>", "must not be zero");
    world("<geom size=\"1\" zaxis=\"0 0 1\" §euler=\"0 0 0\"/>", "already set by `zaxis`");
    world("§<geom size=\"1\" zaxis=\"0 0 0\"/>", "must not be the zero vector");
    world("§<geom size=\"1\" xyaxes=\"1 0 0 2 0 0\"/>", "parallel to the x axis");
    world("§<geom size=\"1\" axisangle=\"0 0 0 1\"/>", "must not be the zero vector");
    world("§<site type=\"plane\"/>", "a site must be a sphere");
    check(
        "<mujoco><default><site type=\"mesh\"/></default><worldbody>§<site/></worldbody></mujoco>",
        "a site must be a sphere",
    );
    world("§<light dir=\"0 0 0\"/>", "must not be the zero vector");
    world("<light type=\"spot\" §directional=\"true\"/>", "keep `type`");
    world("§<camera fovy=\"180\"/>", "less than 180");
    world("<camera §fovy=\"45\" sensorsize=\"1 1\"/>", "is determined by `sensorsize`");
    world("§<camera focal=\"1 1\"/>", "requires a positive `sensorsize`");
    check(
        "<mujoco><size nuser_geom=\"1\"/><worldbody>§<geom size=\"1\" user=\"1 2\"/></worldbody></mujoco>",
        "has 2 numbers, but <size nuser_geom=\"1\"> declares fewer",
    );
}

#[test]
fn invalid_bodies_and_joints_are_errors() {
    world("§<joint/>", "the world cannot have joints");
    world("<frame>§<joint/></frame>", "the world cannot have joints");
    world("§<body><joint/></body>", "mass and inertia of a moving body must be larger");
    world(
        "§<body><freejoint/><geom size=\"1\" mass=\"0\"/></body>",
        "mass and inertia of a moving body must be larger",
    );
    world("<body>§<freejoint/><joint/><geom size=\"1\"/></body>", "the only joint of its body");
    world("<body><body>§<freejoint/><geom size=\"1\"/></body></body>", "a child of the world");
    world(
        "<body><joint type=\"ball\"/>§<joint type=\"hinge\"/><geom size=\"1\"/></body>",
        "cannot follow a ball joint",
    );
    world(
        "§<body><joint type=\"ball\"/><joint type=\"slide\"/><joint type=\"slide\"/><joint type=\"slide\"/><joint type=\"slide\"/><geom size=\"1\"/></body>",
        "7 degrees of freedom",
    );
    world("<body>§<joint axis=\"0 0 0\"/><geom size=\"1\"/></body>", "must not be the zero vector");
    world(
        "<body>§<joint limited=\"true\"/><geom size=\"1\"/></body>",
        "must be smaller than the second",
    );
    world("<body>§<joint type=\"ball\" range=\"1 2\"/><geom size=\"1\"/></body>", "must be 0");
    world("<body>§<joint springdamper=\"1 0\"/><geom size=\"1\"/></body>", "must be positive");
    world(
        "<body><joint/>§<geom type=\"plane\" size=\"1 1 1\"/><geom size=\"1\"/></body>",
        "static body",
    );
    world(
        "<body>§<geom size=\"1\" density=\"-1\"/></body>",
        "attribute \"density\": must not be negative",
    );
    world(
        "<body>§<geom size=\"1\" mass=\"-1\"/></body>",
        "attribute \"mass\": must not be negative",
    );
    world("<body>§<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 3\"/></body>", "A + B >= C");
    world(
        "<body>§<inertial pos=\"0 0 0\" mass=\"1\" fullinertia=\"1 1 -1 0 0 0\"/></body>",
        "is not positive definite",
    );
    world(
        "<body><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\" §fullinertia=\"1 1 1 0 0 0\"/></body>",
        "cannot be combined",
    );
    world(
        "<body><inertial pos=\"0 0 0\" mass=\"1\" euler=\"0 0 0\" §fullinertia=\"1 1 1 0 0 0\"/></body>",
        "determines the orientation",
    );
    check(
        "<mujoco><compiler autolimits=\"false\"/><worldbody><body>§<joint range=\"0 1\"/><geom size=\"1\"/></body></worldbody></mujoco>",
        "add limited=\"true\"",
    );
}

#[test]
fn invalid_actuators_sensors_and_keyframes_are_errors() {
    section(
        "<actuator>§<motor joint=\"h\" ctrllimited=\"true\"/></actuator>",
        "attribute \"ctrlrange\"",
    );
    section(
        "<actuator>§<motor joint=\"h\" forcelimited=\"true\" forcerange=\"1 0\"/></actuator>",
        "must be smaller",
    );
    section("<actuator>§<general joint=\"h\" actrange=\"0 1\"/></actuator>", "dyntype is `none`");
    section(
        "<actuator>§<general joint=\"h\" actdim=\"1\"/></actuator>",
        "does not match the dyntype",
    );
    section("<actuator><position joint=\"h\" §kv=\"-1\"/></actuator>", "must not be negative");
    section("<sensor>§<jointpos joint=\"ball\"/></sensor>", "requires a hinge or slide joint");
    section("<sensor>§<ballquat joint=\"h\"/></sensor>", "requires a ball joint");
    section("<sensor>§<clock noise=\"-1\"/></sensor>", "must not be negative");
    section(
        "<sensor>§<framequat objtype=\"body\" objname=\"b\" cutoff=\"1\"/></sensor>",
        "axis or quaternion",
    );
    section("<keyframe>§<key qpos=\"1 2 3 4 5 6\"/></keyframe>", "expected 5 numbers, found 6");
    section("<keyframe>§<key ctrl=\"1\"/></keyframe>", "expected 0 numbers, found 1");
}

#[test]
fn all_errors_are_reported_up_to_the_limit() {
    let errors = load_str(
        "<mujoco><worldbody><geom a='1'/>\n<geom b='1'/>\n<geom size='x'/></worldbody></mujoco>",
    )
    .unwrap_err();
    let lines: Vec<_> = errors.iter().map(|e| e.location.line).collect();
    assert_eq!(lines, [1, 2, 3]);

    let many = format!("<mujoco><worldbody>{}</worldbody></mujoco>", "<geom a='1'/>".repeat(1000));
    let errors = load_str(&many).unwrap_err();
    assert_eq!(errors.as_slice().len(), 51);
    assert!(errors.to_string().ends_with("too many errors; the rest are not listed"));
}
