//! Invalid `attach` and `replicate`.

use crate::{Row, model};

const ARM: &str = "<mujoco model='arm'><worldbody><body name='arm'><joint name='j'/><geom size='1'/></body></worldbody></mujoco>";

pub fn rows() -> Vec<Row> {
    [attaching(), replicating()].into_iter().flatten().collect()
}

/// A model with an arm to attach.
fn with_arm(what: &str, marked: &str, fragment: &str) -> Row {
    let text =
        format!("<mujoco><asset><model name='arm' file='arm.xml'/></asset>\n{marked}</mujoco>");
    Row::new(what, &text, fragment).with("arm.xml", ARM)
}

/// The same, where the error is in the arm.
fn marked_arm(what: &str, world: &str, fragment: &str) -> Row {
    let text = format!(
        "<mujoco><asset><model name='arm' file='arm.xml'/></asset><worldbody>{world}</worldbody></mujoco>"
    );
    Row::new(what, &text, fragment).with("arm.xml", ARM.replacen("<body", "§<body", 1))
}

fn attaching() -> Vec<Row> {
    vec![
        with_arm("attach of an unknown body", "<worldbody><attach model='arm' §body='leg' prefix='a'/></worldbody>", "no body is named `leg`"),
        with_arm("attach of a misspelled body", "<worldbody><attach model='arm' §body='amr' prefix='a'/></worldbody>", "did you mean `arm`?"),
        with_arm("attach of a misspelled model", "<worldbody><attach §model='amr' prefix='a'/></worldbody>", "did you mean `arm`?"),
        with_arm("attach without a prefix", "<worldbody>§<attach model='arm'/></worldbody>", "\"prefix\": required"),
        with_arm("attach without a model", "<worldbody>§<attach prefix='a'/></worldbody>", "\"model\": required"),
        with_arm("attach in a geom", "<worldbody><geom size='1'>§<attach model='arm' prefix='a'/></geom></worldbody>", "unknown element"),
        marked_arm("attached twice", "<attach model='arm' prefix='a'/><attach model='arm' prefix='a'/>", "different prefixes"),
        marked_arm("attached under a name that is taken", "\n<body name='aarm'/><attach model='arm' prefix='a'/>", "the other body of that name is at main.xml:2:1"),
        Row::new(
            "free joint attached in a body",
            "<mujoco><asset><model name='m' file='a.xml'/></asset><worldbody><body><attach model='m' body='b' prefix='p'/></body></worldbody></mujoco>",
            "a child of the world",
        )
        .with("a.xml", "<mujoco><worldbody><body name='b'>§<freejoint/><geom size='1'/></body></worldbody></mujoco>"),
        Row::new(
            "attached key that does not fit",
            "<mujoco><asset><model name='m' file='a.xml'/></asset><worldbody>§<attach model='m' prefix='p'/></worldbody></mujoco>",
            "keyframe `k` of the attached model",
        )
        .with("a.xml", "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody><keyframe><key name='k' qpos='1 2'/></keyframe></mujoco>"),
        Row::new(
            "mesh of an attached model",
            "<mujoco><asset><model name='m' file='sub/a.xml'/></asset><worldbody><attach model='m' prefix='p'/></worldbody></mujoco>",
            "sub/parts/x.stl: no such file",
        )
        .with("sub/a.xml", "<mujoco><compiler meshdir='parts'/>\n<asset>§<mesh file='x.stl'/></asset><worldbody><body/></worldbody></mujoco>"),
        Row::new(
            "error in an attached model",
            "<mujoco><asset><model name='m' file='a.xml'/></asset></mujoco>",
            "did you mean `size`?",
        )
        .with("a.xml", "<mujoco>\n<worldbody><geom §sise='1'/></worldbody></mujoco>"),
        Row::new(
            "model of itself",
            "<mujoco><asset><model name='m' §file='main.xml'/></asset><worldbody><attach model='m' prefix='p'/></worldbody></mujoco>",
            "`main.xml` includes itself",
        ),
        Row::new(
            "models of each other",
            "<mujoco><asset><model name='m' file='a.xml'/></asset><worldbody><attach model='m' prefix='p'/></worldbody></mujoco>",
            "`main.xml` includes itself",
        )
        .with("a.xml", "<mujoco><asset><model name='n' §file='main.xml'/></asset></mujoco>"),
        Row::new(
            "model through another spelling",
            "<mujoco><asset><model name='m' file='a.xml'/></asset></mujoco>",
            "includes itself",
        )
        .with("a.xml", "<mujoco><asset><model name='n' §file='./b/../a.xml'/></asset></mujoco>"),
        Row::new(
            "model of another kind",
            "<mujoco><asset><model name='m' file='a.urdf' content_type='text/urdf'/></asset></mujoco>",
            "URDF",
        )
        .with("a.urdf", "§<robot name='r'/>"),
    ]
}

fn replicating() -> Vec<Row> {
    model(&[
        (
            "replicate without a count",
            "<mujoco><worldbody>§<replicate/></worldbody></mujoco>",
            "\"count\": required",
        ),
        (
            "negative replicate",
            "<mujoco><worldbody><replicate §count='-1'/></worldbody></mujoco>",
            "between 0 and",
        ),
        (
            "replicate half a time",
            "<mujoco><worldbody><replicate §count='.5'/></worldbody></mujoco>",
            "not an integer",
        ),
        (
            "joint of the world in replicate",
            "<mujoco><worldbody><replicate count='2'>§<joint/></replicate></worldbody></mujoco>",
            "the world cannot have joints",
        ),
        (
            "free joint replicated in a body",
            "<mujoco><worldbody><body><replicate count='2'><body>§<freejoint/><geom size='1'/></body></replicate></body></worldbody></mujoco>",
            "a child of the world",
        ),
        (
            "key for one copy",
            "<mujoco><worldbody><replicate count='2'><body><joint/><geom size='1'/></body></replicate></worldbody>\n<keyframe>§<key qpos='1 2 3'/></keyframe></mujoco>",
            "found 3",
        ),
        (
            "tuple of a replicated geom and another",
            "<mujoco><worldbody><geom name='h' size='1'/><replicate count='2'><geom name='g' size='1'/></replicate></worldbody>\n<custom><tuple name='t'><element objtype='geom' objname='h'/>§<element objtype='geom' objname='g'/></tuple></custom></mujoco>",
            "no geom is named `g`",
        ),
    ])
}
