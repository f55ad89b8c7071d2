//! Warnings about parts that are not simulated, with their locations.

use super::{MASS, jointed, lines, spec};

/// Loads a robot whose text marks with `§` where one warning must be reported, and no other.
#[track_caller]
fn check(marked: &str, fragment: &str) {
    let (before, after) = marked.split_once('§').expect("the robot marks the place of its warning");
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let warnings = spec(&format!("{before}{after}")).warnings;
    let all = lines(&warnings);
    assert_eq!(warnings.len(), 1, "{all}");
    let location = &warnings[0].location;
    assert_eq!((location.line as usize, location.column as usize), (line, column), "{all}");
    assert!(all.contains(fragment), "`{fragment}` is not in `{all}`");
}

#[track_caller]
fn robot(marked: &str, fragment: &str) {
    check(&format!("<robot name='r'>\n{marked}<link name='l'/>\n</robot>"), fragment);
}

#[track_caller]
fn link(marked: &str, fragment: &str) {
    check(&format!("<robot name='r'><link name='l'>\n{marked}</link></robot>"), fragment);
}

#[track_caller]
fn joint(kind: &str, marked: &str, fragment: &str) {
    check(&jointed(kind, marked), fragment);
}

#[test]
fn unknown_elements_and_attributes_are_warnings() {
    robot(
        "§<jiont name='j'/>",
        "<jiont> has no effect: unknown element in <robot>; did you mean `joint`?",
    );
    robot("§<frame/>", "<frame> has no effect: unknown element in <robot>");
    link("§<inertail/>", "did you mean `inertial`?");
    link("§<visul/>", "did you mean `visual`?");
    joint("continuous", "§<dynamic damping='1'/>", "did you mean `dynamics`?");
    joint(
        "continuous",
        "<dynamics §dampng='1'/>",
        "attribute \"dampng\" has no effect: unknown attribute; did you mean `damping`?",
    );
    joint("continuous", "<origin §xzy='1 2 3'/>", "did you mean `xyz`?");
    joint("continuous", "<axis xyz='0 0 1' §factor='2'/>", "unknown attribute");
    link(
        "<collision><geometry><sphere radius='1' §length='2'/></geometry></collision>",
        "\"length\"",
    );
    link("§words", "<link> contains text, which is ignored");
}

#[test]
fn unused_elements_are_warnings() {
    robot(
        "§<transmission name='t'><type>x</type><nonsense/></transmission>",
        "<transmission> is not used: it configures a controller",
    );
    robot(
        "§<gazebo/><gazebo/><gazebo/>",
        "<gazebo> is not used: it configures another simulator (and 2 more like this)",
    );
    robot("§<ros2_control/>", "it configures a controller");
    robot("§<sensor name='s'/>", "define sensors in MJCF");
    link("§<contact><lateral_friction value='1'/></contact>", "set friction in MJCF");
    link("§<self_collision_checking/>", "it configures a planner");
    joint("continuous", "§<safety_controller k_velocity='1'/>", "not simulated");
    joint("continuous", "§<calibration rising='1'/>", "not simulated");
}

#[test]
fn limits_without_effect_are_warnings() {
    check(
        "<robot name='r'><link name='a'/><link name='b'/>
         §<joint name='j' type='revolute'><parent link='a'/><child link='b'/></joint></robot>",
        "is revolute without <limit>",
    );
    joint(
        "revolute",
        "§<limit lower='0' upper='1' velocity='2'/>",
        "attribute \"velocity\" is not simulated",
    );
    joint("revolute", "§<limit lower='1'/>", "`lower` without `upper`");
    joint("revolute", "§<limit upper='1'/>", "`upper` without `lower`");
    joint("prismatic", "§<limit lower='1' upper='0'/>", "`lower` above `upper`");
    joint("revolute", "§<limit lower='1' upper='1'/>", "use a fixed joint instead");
    joint("continuous", "§<limit lower='-1' upper='1'/>", "limits a continuous joint");
    joint("planar", "§<limit lower='-1' upper='1'/>", "only the first of the three");
    joint("floating", "§<limit lower='-1' upper='1'/>", "a floating joint has no limits");
    joint("fixed", "§<limit lower='-1' upper='1'/>", "has no effect on a fixed joint");
    joint("fixed", "§<dynamics damping='1'/>", "has no effect on a fixed joint");
}

#[test]
fn suspicious_shapes_and_materials_are_warnings() {
    let shape = "<geometry><sphere radius='1'/></geometry>";
    link(
        &format!("<visual>{shape}§<material name='bleu'/></visual>")
            .replace("<visual>", "<collision name='c'>")
            .replace("</visual>", "</collision>"),
        "<material> is not used: a collision has the color of the preceding visual",
    );
    check(
        &format!(
            "<robot name='r'><material name='blue'><color rgba='0 0 1 1'/></material>
             <link name='l'><visual>{shape}§<material name='bleu'/></visual></link></robot>"
        ),
        "no material is named `bleu`; did you mean `blue`?",
    );
    link(
        &format!("<collision name='c'>{shape}</collision>§<collision name='c'>{shape}</collision>"),
        "the name `c` is already used: this geom is unnamed",
    );
    link(
        "<collision><geometry>§<sphere radius='1'/><box size='1 1 1'/></geometry></collision>",
        "the geometry already has <box>",
    );
    link("<visual>§<geometry/></visual>", "is invalid and discarded like all visuals");
    link("§<visual/>", "is invalid and discarded like all visuals: requires <geometry>");
}

#[test]
fn settings_without_effect_are_warnings() {
    robot("<mujoco><compiler §angle='degree'/></mujoco>", "URDF angles are in radians");
    robot("<mujoco><compiler §eulerseq='zyx'/></mujoco>", "about fixed axes");
    robot("<mujoco><compiler §fusestatik='true'/></mujoco>", "did you mean `fusestatic`?");
    robot("<mujoco><option>§<flags/></option></mujoco>", "did you mean `flag`?");
    robot(
        "<mujoco>§<asset/></mujoco>",
        "only <compiler>, <option> and <size> are supported in a robot",
    );
    robot("<mujoco>§<opton/></mujoco>", "did you mean <option>?");
}

#[test]
fn suspicious_robots_are_warnings() {
    check("§<robot><link name='a'/></robot>", "has no `name`");
    check("§<robot name='r'/>", "has no <link>: the model is empty");
    check(
        "<robot name='r'><link name='a'/>§<link name='b'/></robot>",
        "both are fixed to the world",
    );
    check(
        &format!("<robot name='r'><link name='world'>§{MASS}</link></robot>"),
        "the link `world` is the static world",
    );
    check(
        "<robot name='r'><link name='a'/><link name='b'/><link name='c'/>
         <joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>
         §<joint name='j' type='fixed'><parent link='b'/><child link='c'/></joint></robot>",
        "`j` is also the name of the joint at <string>:2:10",
    );
}

#[test]
fn valid_robot_has_no_warnings() {
    let text = format!(
        "<robot name='r' xmlns:xacro='http://ros.org/wiki/xacro' version='1.0'>
         <material name='m'><color rgba='1 0 0 1'/></material><link name='a'/>
         <link name='b'>{MASS}<visual name='v'><origin/><geometry><sphere radius='1'/></geometry>
         <material name='m'/></visual></link>
         <joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>
         <limit lower='0' upper='1' effort='2'/><dynamics damping='1' friction='0'/></joint></robot>"
    );
    assert_eq!(lines(&spec(&text).warnings), "");
}

#[test]
fn number_of_warnings_is_limited() {
    let text: String = (0..80).map(|_| "<x/>\n").collect();
    let warnings = spec(&format!("<robot name='r'><link name='a'/>{text}</robot>")).warnings;
    assert_eq!(warnings.len(), 51);
    assert!(warnings[50].to_string().contains("which are not listed"));
}
