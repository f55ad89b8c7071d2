//! Repeated names, for every object type.

use crate::{Row, model};

/// A tetrahedron.
const MESH: &str = "vertex='0 0 0 1 0 0 0 1 0 0 0 1'";

pub fn rows() -> Vec<Row> {
    let body = "<worldbody><body name='b'><joint name='h'/><geom name='g' size='1'/><geom name='k' size='1'/>\
                <site name='s'/><site name='t'/></body></worldbody>";
    let rows = [
        ("body", "<worldbody>", "<body name='a'/>", "</worldbody>", "body"),
        (
            "joint",
            "<worldbody><body><geom size='1'/>",
            "<joint name='a'/>",
            "</body></worldbody>",
            "joint",
        ),
        ("geom", "<worldbody>", "<geom name='a' size='1'/>", "</worldbody>", "geom"),
        ("site", "<worldbody>", "<site name='a'/>", "</worldbody>", "site"),
        ("camera", "<worldbody>", "<camera name='a'/>", "</worldbody>", "camera"),
        ("light", "<worldbody>", "<light name='a'/>", "</worldbody>", "light"),
        ("frame", "<worldbody>", "<frame name='a'/>", "</worldbody>", "frame"),
        ("mesh", "<asset>", "<mesh name='a' MESH/>", "</asset>", "mesh"),
        (
            "hfield",
            "<asset>",
            "<hfield name='a' nrow='2' ncol='2' size='1 1 1 1'/>",
            "</asset>",
            "hfield",
        ),
        (
            "texture",
            "<asset>",
            "<texture name='a' builtin='flat' width='4' height='4'/>",
            "</asset>",
            "texture",
        ),
        ("material", "<asset>", "<material name='a'/>", "</asset>", "material"),
        ("pair", "BODY<contact>", "<pair name='a' geom1='g' geom2='k'/>", "</contact>", "pair"),
        (
            "exclude",
            "BODY<contact>",
            "<exclude name='a' body1='b' body2='world'/>",
            "</contact>",
            "exclude",
        ),
        ("equality", "BODY<equality>", "<weld name='a' body1='b'/>", "</equality>", "equality"),
        (
            "tendon",
            "BODY<tendon>",
            "<fixed name='a'><joint joint='h' coef='1'/></fixed>",
            "</tendon>",
            "tendon",
        ),
        ("actuator", "BODY<actuator>", "<motor name='a' joint='h'/>", "</actuator>", "actuator"),
        ("sensor", "<sensor>", "<clock name='a'/>", "</sensor>", "sensor"),
        ("numeric", "<custom>", "<numeric name='a' data='1'/>", "</custom>", "numeric"),
        ("text", "<custom>", "<text name='a' data='1'/>", "</custom>", "text"),
        (
            "tuple",
            "BODY<custom>",
            "<tuple name='a'><element objtype='body' objname='b'/></tuple>",
            "</custom>",
            "tuple",
        ),
        ("key", "<keyframe>", "<key name='a'/>", "</keyframe>", "key"),
    ];
    let mut out: Vec<_> = rows
        .iter()
        .map(|(kind, before, element, after, named)| {
            let text = format!("<mujoco>{before}{element}\n §{element}{after}</mujoco>");
            let text = text.replace("MESH", MESH).replace("BODY", body);
            Row::new(
                &format!("two: {kind}"),
                &text,
                &format!("repeated name `a`: the other {named}"),
            )
        })
        .collect();
    out.extend(model(&[
        (
            "two: world",
            "<mujoco><worldbody>§<body name='world'/></worldbody></mujoco>",
            "repeated name `world`",
        ),
        (
            "two: default",
            "<mujoco><default><default class='a'/><default §class='a'/></default></mujoco>",
            "`a` already exists",
        ),
        (
            "two: main",
            "<mujoco><default><default §class='main'/></default></mujoco>",
            "`main` already exists",
        ),
        (
            "default without a name",
            "<mujoco><default>§<default/></default></mujoco>",
            "requires a class name",
        ),
        (
            "first default of another name",
            "<mujoco><default §class='other'/></mujoco>",
            "named `main`",
        ),
        (
            "two: names of files",
            "<mujoco><asset><mesh file='t.obj'/>\n§<mesh file='sub/t.obj'/></asset></mujoco>",
            "repeated name `t`",
        ),
    ]));
    let model = "<mujoco model='m'><worldbody><body/></worldbody></mujoco>";
    out.push(
        Row::new(
            "two: model",
            "<mujoco><asset><model file='a.xml'/>\n<model §name='m' file='b.xml'/></asset></mujoco>",
            "another model has the name `m`",
        )
        .with("a.xml", model)
        .with("b.xml", model),
    );
    out
}
