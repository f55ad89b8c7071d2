//! Invalid robots: each error has the right location and a message that says how to fix it.

use super::MASS;

/// Loads an invalid robot whose text marks with `§` where its first error must be reported.
#[track_caller]
fn check(marked: &str, fragment: &str) {
    let (before, after) = marked.split_once('§').expect("the robot marks the place of its error");
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let errors = sim_urdf::load_str(&format!("{before}{after}")).expect_err(marked);
    let first = &errors.as_slice()[0];
    let text = first.to_string();
    let found = (first.location.line as usize, first.location.column as usize);
    assert_eq!(found, (line, column), "{text}");
    assert!(text.contains(fragment), "`{fragment}` is not in `{text}`");
}

/// Like [`check`], for the content of `robot`.
#[track_caller]
fn robot(marked: &str, fragment: &str) {
    check(&format!("<robot name='r'>\n{marked}\n</robot>"), fragment);
}

/// Like [`check`], for a joint beside the links `base` and `arm`.
#[track_caller]
fn joint(marked: &str, fragment: &str) {
    robot(&format!("<link name='base'/><link name='arm'>{MASS}</link>\n{marked}"), fragment);
}

/// Like [`joint`], for the content of a revolute joint that is complete without it.
#[track_caller]
fn inside(marked: &str, fragment: &str) {
    joint(
        &format!(
            "<joint name='j' type='revolute'><parent link='base'/><child link='arm'/>{marked}</joint>"
        ),
        fragment,
    );
}

/// Like [`robot`], for the content of a link.
#[track_caller]
fn link(marked: &str, fragment: &str) {
    robot(&format!("<link name='a'>{marked}</link>"), fragment);
}

/// Like [`link`], for what a shape looks like.
#[track_caller]
fn geometry(marked: &str, fragment: &str) {
    link(&format!("<collision><geometry>{marked}</geometry></collision>"), fragment);
}

#[test]
fn malformed_documents_are_errors() {
    check("§", "the file is empty");
    check("§<robots/>", "the root element must be <mujoco>");
    check("<robot name='r'>§<link name='a'>", "is not closed");
    robot("§<xacro:arm/>", "process the file with xacro first");
    let errors = sim_urdf::Robot::parse_str("<mujoco/>").unwrap_err().to_string();
    assert!(errors.contains("1:1: error: <mujoco> unknown model format"), "{errors}");
}

#[test]
fn names() {
    robot("§<link/>", "attribute \"name\": required attribute is missing");
    robot("<link §name=''/>", "required attribute is missing");
    robot("<link name='a'/>\n<link §name='a'/>", "the other link of that name is at <string>:2:1");
    joint("§<joint type='fixed'><parent link='base'/><child link='arm'/></joint>", "\"name\"");
    joint(
        "<link name='c'/><joint name='j' type='revolute'><parent link='base'/><child link='arm'/></joint>
         <joint §name='j' type='revolute'><parent link='arm'/><child link='c'/></joint>",
        "repeated name `j`: the other joint of that name is at <string>:4:17",
    );
}

#[test]
fn repeated_elements_are_errors() {
    link(&format!("{MASS}§{MASS}"), "<inertial> may occur only once in <link>");
    inside("<axis xyz='0 0 1'/>§<axis xyz='0 0 1'/>", "may occur only once in <joint>");
    inside("§<parent link='base'/>", "may occur only once in <joint>");
    robot("<mujoco/>§<mujoco/>", "may occur only once in <robot>");
    robot("<mujoco><compiler/>§<compiler/></mujoco>", "may occur only once in <mujoco>");
}

#[test]
fn joints_without_links_are_errors() {
    let ends = "<parent link='base'/><child link='arm'/>";
    joint(
        "§<joint name='j' type='fixed'><child link='arm'/></joint>",
        "requires <parent>: add <parent",
    );
    joint(
        "§<joint name='j' type='fixed'><parent link='base'/></joint>",
        "requires <child>: add <child",
    );
    joint("<joint name='j' type='fixed'>§<parent/><child link='arm'/></joint>", "\"link\"");
    joint(
        "<joint name='j' type='fixed'><parent §link='bsae'/><child link='arm'/></joint>",
        "no link is named `bsae`; did you mean `base`?",
    );
    joint(
        "<joint name='j' type='fixed'><parent link='base'/><child §link='hand'/></joint>",
        "no link is named `hand`",
    );
    joint(&format!("§<joint name='j'>{ends}</joint>"), "attribute \"type\": required attribute");
    joint(
        &format!("<joint name='j' §type='revolut'>{ends}</joint>"),
        "`revolut` is not one of revolute, continuous, prismatic, fixed, floating, planar, spherical; \
         did you mean `revolute`?",
    );
}

#[test]
fn violations_of_the_tree_structure_are_errors() {
    let to = |name: &str, parent: &str, child: &str| {
        format!(
            "<joint name='{name}' type='continuous'><parent link='{parent}'/><child link='{child}'/></joint>"
        )
    };
    // two parents
    joint(
        &format!(
            "<link name='c'/>{}\n<joint name='k' type='fixed'><parent link='c'/><child §link='arm'/></joint>",
            to("j", "base", "arm")
        ),
        "`arm` is already the child of the joint `j` at <string>:4:17: a link has a single parent",
    );
    // a loop, with and without a root beside it
    joint(
        &format!("{}\n§{}", to("j", "base", "arm"), to("k", "arm", "base")),
        "closes a kinematic loop",
    );
    joint(
        &format!(
            "<link name='c'/>{}\n{}\n§{}",
            to("j", "base", "c"),
            to("k", "arm", "base"),
            to("l", "c", "arm")
        ),
        "`l` closes a kinematic loop",
    );
    joint(&format!("§{}", to("j", "arm", "arm")), "closes a kinematic loop");
    // the world cannot be a child
    joint(
        "<link name='world'/><joint name='j' type='fixed'><parent link='arm'/><child §link='world'/></joint>",
        "the link `world` is the world, which cannot be a child",
    );
}

#[test]
fn numbers() {
    inside("<axis §xyz='0 0'/>", "expected 3 numbers, found 2");
    inside("<axis §xyz='0 0 1 0'/>", "expected 3 numbers, found 4");
    inside("<axis §xyz='0 0 z'/>", "`z` is not a number");
    inside("<axis §xyz='0,0,1'/>", "separate numbers by spaces");
    inside("§<axis/>", "attribute \"xyz\": required attribute is missing");
    inside("<axis §xyz='0 0 0'/>", "must not be the zero vector; the z axis is \"0 0 1\"");
    inside("<origin §xyz='1'/>", "expected 3 numbers, found 1");
    inside("<origin §rpy='nan 0 0'/>", "`nan` is not a number (NaN is not allowed)");
    inside("<origin §xyz='inf 0 0'/>", "`inf` is not a finite number");
    inside("<limit §lower='a'/>", "`a` is not a number");
    inside("<limit §effort='1e999'/>", "fits in double precision");
    inside("<limit §velocity='fast'/>", "`fast` is not a number");
    inside("<dynamics §damping='${d}'/>", "`${d}` is not a number");
    inside("<calibration §rising='x'/>", "`x` is not a number");
    inside("<safety_controller §k_velocity='x'/>", "`x` is not a number");
}

#[test]
fn invalid_mimic_references_are_errors() {
    let mimic = |leader: &str, follower: &str, marked: &str, fragment: &str| {
        robot(
            &format!(
                "<link name='base'/><link name='a'>{MASS}</link><link name='b'>{MASS}</link>
                <joint name='lead' type='{leader}'><parent link='base'/><child link='a'/></joint>
                <joint name='follow' type='{follower}'><parent link='base'/><child link='b'/>
                {marked}</joint>"
            ),
            fragment,
        );
    };
    mimic(
        "revolute",
        "revolute",
        "§<mimic/>",
        "attribute \"joint\": required attribute is missing",
    );
    mimic(
        "revolute",
        "revolute",
        "<mimic §joint='led'/>",
        "no joint is named `led`; did you mean `lead`?",
    );
    mimic("revolute", "revolute", "<mimic §joint='follow'/>", "a joint cannot mimic itself");
    mimic("planar", "revolute", "<mimic §joint='lead'/>", "`lead` is planar: only revolute");
    mimic("revolute", "spherical", "<mimic §joint='lead'/>", "a spherical joint cannot mimic");
    mimic("revolute", "floating", "<mimic §joint='lead'/>", "a floating joint cannot mimic");
    mimic("revolute", "revolute", "<mimic joint='lead' §multiplier='x'/>", "`x` is not a number");
    robot(
        &format!(
            "<link name='base'/><link name='a'>{MASS}</link><link name='b'>{MASS}</link>
            <joint name='j' type='revolute'><parent link='base'/><child link='a'/><mimic §joint='k'/></joint>
            <joint name='k' type='revolute'><parent link='base'/><child link='b'/><mimic joint='j'/></joint>"
        ),
        "cyclic mimic references",
    );
}

#[test]
fn inertias() {
    let inertia = "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>";
    link(&format!("§<inertial>{inertia}</inertial>"), "requires <mass>: add <mass value=\"1\"/>");
    link("§<inertial><mass value='1'/></inertial>", "requires <inertia>: add <inertia ixx=");
    link(&format!("<inertial>§<mass/>{inertia}</inertial>"), "attribute \"value\": required");
    link(
        "<inertial><mass value='1'/>§<inertia ixx='1'/></inertial>",
        "attribute \"iyy\": required",
    );
    let bad = |mass: &str, ixx: &str| {
        format!(
            "<inertial><mass value='{mass}'/><inertia ixx='{ixx}' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
        )
    };
    link(&format!("§{}", bad("1", "-1")), "is not positive definite");
    link(&format!("§{}", bad("1", "5")), "set balanceinertia=\"true\" in <compiler>");
    robot(
        "<link name='base'/>§<link name='a'/>
         <joint name='j' type='continuous'><parent link='base'/><child link='a'/></joint>",
        "mass and inertia of a moving body must be larger",
    );
}

#[test]
fn shapes() {
    link("§<collision/>", "requires <geometry>: add <geometry><sphere radius=\"0.1\"/></geometry>");
    link("<collision>§<geometry/></collision>", "requires one of <box>, <cylinder>");
    geometry("§<box/>", "attribute \"size\": required attribute is missing");
    geometry("<box §size='1 1'/>", "expected 3 numbers, found 2");
    geometry("<box §size='1 0 1'/>", "must be positive: it is a length in meters");
    geometry("§<sphere/>", "attribute \"radius\": required");
    geometry("<sphere §radius='-1'/>", "must be positive");
    geometry("§<cylinder radius='1'/>", "attribute \"length\": required");
    geometry("§<capsule length='1'/>", "attribute \"radius\": required");
    geometry("<capsule length='1' §radius='0'/>", "must be positive");
    geometry("§<mesh/>", "attribute \"filename\": required");
    geometry("<mesh filename='a.stl' §scale='1'/>", "expected 3 numbers, found 1");
    geometry("§<mesh filename='nowhere.stl'/>", "nowhere.stl: no such file");
}

#[test]
fn looks() {
    let shape = "<geometry><sphere radius='1'/></geometry>";
    link(&format!("<visual>{shape}§<material/></visual>"), "attribute \"name\": required");
    link(
        &format!("<visual>{shape}<material name='m'>§<color/></material></visual>"),
        "attribute \"rgba\": required",
    );
    robot("<material name='m'><color §rgba='1 1 1'/></material>", "expected 4 numbers, found 3");
    robot("<material name='m'>§<texture/></material>", "attribute \"filename\": required");
}

#[test]
fn settings() {
    robot("<mujoco><compiler §fusestatic='maybe'/></mujoco>", "`maybe` is not one of false, true");
    robot("<mujoco><option §timestep='fast'/></mujoco>", "`fast` is not a number");
    robot("<mujoco><size §nuserdata='-1'/></mujoco>", "must be at least 0");
}

#[test]
fn errors_are_reported_together() {
    let text = "<robot name='r'><link/><link name='a'><collision/></link>
        <joint name='j' type='bend'><parent link='x'/></joint></robot>";
    let errors = sim_urdf::load_str(text).unwrap_err();
    assert_eq!(errors.iter().count(), 5, "{errors}");
}

#[test]
fn invalid_color_is_reported_once() {
    let text = "<robot name='r'><link name='a'><visual><geometry><sphere radius='1'/></geometry>
        <material name='m'><color rgba='1'/></material></visual></link></robot>";
    let errors = sim_urdf::load_str(text).unwrap_err();
    assert_eq!(errors.iter().count(), 1, "{errors}");
}
