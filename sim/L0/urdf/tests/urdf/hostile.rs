//! Hostile input: no panic, hang or excessive memory.

use super::MASS;
use proptest::prelude::*;
use std::time::Instant;

/// A chain of links.
fn chain(n: usize) -> String {
    let mut text = "<robot name='r'><link name='l0'/>".to_owned();
    for i in 1..=n {
        text += &format!(
            "<link name='l{i}'/><joint name='j{i}' type='fixed'><parent link='l{}'/><child link='l{i}'/></joint>",
            i - 1
        );
    }
    text + "</robot>"
}

#[test]
fn long_chains_need_no_recursion() {
    let start = Instant::now();
    let spec = sim_urdf::parse_str(&chain(100_000)).unwrap();
    assert_eq!(spec.bodies.len(), 100_002);
    assert!(start.elapsed().as_secs() < 30);
}

#[test]
fn many_children_are_parsed_in_linear_time() {
    let start = Instant::now();
    let mut text = "<robot name='r'><link name='l0'/>".to_owned();
    for i in 1..50_000 {
        text += &format!(
            "<link name='l{i}'/><joint name='j{i}' type='fixed'><parent link='l0'/><child link='l{i}'/></joint>"
        );
    }
    sim_urdf::parse_str(&(text + "</robot>")).unwrap();
    assert!(start.elapsed().as_secs() < 30);
}

#[test]
fn long_kinematic_loop_is_one_error() {
    let text = chain(10_000).replace(
        "</robot>",
        "<joint name='back' type='fixed'><parent link='l10000'/><child link='l0'/></joint></robot>",
    );
    let errors = sim_urdf::parse_str(&text).unwrap_err();
    assert_eq!(errors.iter().count(), 1, "{errors}");
}

#[test]
fn mimic_chains_are_parsed_in_linear_time() {
    let mut text = format!("<robot name='r'><link name='l0'>{MASS}</link>");
    for i in 1..3000 {
        text += &format!(
            "<link name='l{i}'/><joint name='j{i}' type='continuous'><parent link='l0'/>
             <child link='l{i}'/><mimic joint='j{}'/></joint>",
            i - 1
        );
    }
    let start = Instant::now();
    let errors = sim_urdf::parse_str(&(text + "</robot>")).unwrap_err();
    assert!(errors.to_string().contains("no joint is named `j0`"));
    assert!(start.elapsed().as_secs() < 30);
}

#[test]
fn nested_floating_joints_are_parsed_in_linear_time() {
    let start = Instant::now();
    let mut text = chain(30_000).replace("</robot>", "");
    for i in 0..30_000 {
        text += &format!(
            "<link name='f{i}'/><joint name='g{i}' type='floating'><parent link='l30000'/><child link='f{i}'/></joint>"
        );
    }
    let spec = sim_urdf::parse_str(&(text + "</robot>")).unwrap();
    assert!(spec.joint("g0").is_some());
    assert!(start.elapsed().as_secs() < 30);
}

#[test]
fn many_materials_and_mimics_are_parsed_in_linear_time() {
    let start = Instant::now();
    let mut text = "<robot name='r'><link name='l0'/>".to_owned();
    for i in 1..30_000 {
        text += &format!(
            "<material name='m{i}'><color rgba='1 1 1 1'/></material><link name='l{i}'><visual>
             <geometry><sphere radius='1'/></geometry><material name='m{i}'/></visual></link>
             <joint name='j{i}' type='continuous'><parent link='l0'/><child link='l{i}'/>
             <mimic joint='j{}'/></joint>",
            if i == 1 { 2 } else { 1 }
        );
    }
    let text = text.replacen("<mimic joint='j2'/>", "", 1) + "</robot>";
    let spec = sim_urdf::parse_str(&text).unwrap();
    assert_eq!(spec.equalities.len(), 29_998);
    assert!(start.elapsed().as_secs() < 30);
}

/// Words from which documents are made.
const WORDS: [&str; 46] = [
    "<robot name='r'>",
    "</robot>",
    "<link name='a'>",
    "<link name='b'/>",
    "</link>",
    "<inertial>",
    "</inertial>",
    "<mass value='1'/>",
    "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>",
    "<visual>",
    "</visual>",
    "<collision name='c'>",
    "</collision>",
    "<geometry>",
    "</geometry>",
    "<box size='1 1 1'/>",
    "<sphere radius='0'/>",
    "<mesh filename='package://a/b.stl'/>",
    "<cylinder radius='1' length='nan'/>",
    "<joint name='j' type='revolute'>",
    "<joint name='k' type='planar'>",
    "<joint name='k' type='floating'>",
    "</joint>",
    "<parent link='a'/>",
    "<child link='b'/>",
    "<child link='a'/>",
    "<axis xyz='0 0 0'/>",
    "<axis xyz='1 2 3'/>",
    "<limit lower='inf' upper='-inf' effort='1e308'/>",
    "<mimic joint='j'/>",
    "<mimic joint='k' multiplier='1e300'/>",
    "<dynamics damping='-1' friction='-1'/>",
    "<origin xyz='1e300 0 0' rpy='1e300 1 1'/>",
    "<mujoco>",
    "</mujoco>",
    "<compiler fusestatic='false' discardvisual='false'/>",
    "<option timestep='0'/>",
    "<size nkey='-9'/>",
    "<material name='m'>",
    "</material>",
    "<color rgba='1 1 1 1'/>",
    "<texture filename=''/>",
    "<link name='world'/>",
    "<gazebo/>",
    "text",
    "<!-- c -->",
];

proptest! {
    #[test]
    fn no_document_panics(words in prop::collection::vec(0..WORDS.len(), 0..60)) {
        let text: String = words.iter().map(|&word| WORDS[word]).collect();
        let _ = sim_urdf::load_str(&text);
        let _ = sim_urdf::load_str(&format!("<robot name='r'>{text}</robot>"));
    }

    #[test]
    fn no_robot_panics(
        kinds in prop::collection::vec(0..sim_urdf::JointKind::ALL.len(), 1..6),
        parents in prop::collection::vec(0usize..6, 6),
        extra in prop::collection::vec(0..WORDS.len(), 6),
    ) {
        let mut text = format!("<robot name='r'><link name='l0'>{MASS}</link>");
        for (i, &kind) in kinds.iter().enumerate() {
            let (name, _) = sim_urdf::JointKind::ALL[kind];
            let parent = parents[i] % (i + 1);
            // an extra word that closes nothing
            let word = Some(WORDS[extra[i]]).filter(|word| word.ends_with("/>")).unwrap_or("");
            text += &format!(
                "<link name='l{0}'>{MASS}</link><joint name='j{0}' type='{name}'><parent link='l{parent}'/>
                 <child link='l{0}'/>{word}</joint>",
                i + 1
            );
        }
        text += "</robot>";
        if let Ok(spec) = sim_urdf::parse_str(&text)
            && let Ok(model) = spec.compile()
        {
            let again = sim_mjcf::load_str(&spec.save_xml().unwrap()).unwrap();
            prop_assert_eq!(again.sizes(), model.sizes());
        }
    }
}
