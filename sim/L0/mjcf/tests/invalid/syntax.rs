//! Invalid XML, elements, attributes, types and counts.

use crate::{Row, model, section, world};

pub fn rows() -> Vec<Row> {
    [text(), elements(), numbers(), settings()].into_iter().flatten().collect()
}

fn text() -> Vec<Row> {
    model(&[
        ("empty file", "§", "the file is empty"),
        ("no root", "§hello", "text outside the root element"),
        ("another root", "§<robot/>", "URDF"),
        ("cut in a tag", "<mujoco>§<worldbody", "not closed"),
        ("cut in the tree", "<mujoco>\n §<worldbody>", "is not closed"),
        ("wrong end", "<mujoco><worldbody>§</body></mujoco>", "not well-formed XML"),
        ("two roots", "<mujoco/>§<mujoco/>", "more than one root element"),
        ("attribute twice", "<mujoco model='a' §model='b'/>", "duplicate attribute"),
        ("unknown entity", "<mujoco §model='&a;'/>", "unrecognized entity"),
        ("NUL", "<mujoco model='a§\0'/>", "NUL"),
        ("open comment", "<mujoco>§<!-- ", "not closed"),
    ])
}

fn elements() -> Vec<Row> {
    let mut rows = world(&[
        ("unknown element", "§<goem size='1'/>", "did you mean `geom`?"),
        ("unknown attribute", "<geom §sise='1'/>", "did you mean `size`?"),
        ("element in a geom", "<geom size='1'>§<joint/></geom>", "unknown element in <geom>"),
        ("section in a body", "<body>§<sensor/></body>", "unknown element in <body>"),
        (
            "two inertials",
            "<body><inertial pos='0 0 0' mass='1'/>§<inertial pos='0 0 0' mass='1'/></body>",
            "only once",
        ),
        ("no mass", "<body>§<inertial pos='0 0 0'/></body>", "attribute \"mass\": required"),
        ("removed composite", "<composite §type='rope'/>", "was removed from MuJoCo: use type"),
    ]);
    rows.extend(model(&[
        ("unknown section", "<mujoco>§<worldbdy/></mujoco>", "did you mean `worldbody`?"),
        (
            "unknown flag",
            "<mujoco><option><flag §gravty='disable'/></option></mujoco>",
            "did you mean `gravity`?",
        ),
        ("flags twice", "<mujoco><option><flag/>§<flag/></option></mujoco>", "may occur only once"),
        ("name of the world", "<mujoco><worldbody §name='w'/></mujoco>", "unknown attribute"),
    ]));
    rows
}

fn numbers() -> Vec<Row> {
    let mut rows = world(&[
        ("word for a number", "<geom §size='one'/>", "`one` is not a number"),
        ("commas", "<geom §size='1,2,3'/>", "separate numbers by spaces"),
        ("not a number", "<geom §size='nan'/>", "`nan` is not a number (NaN is not allowed)"),
        ("infinite", "<geom §pos='0 0 inf'/>", "not a finite number"),
        ("too large a number", "<geom §size='1e999'/>", "double precision"),
        ("too few numbers", "<geom size='1' §pos='1 2'/>", "expected 3 numbers, found 2"),
        ("too many numbers", "<geom size='1' §pos='1 2 3 4'/>", "expected 3 numbers, found 4"),
        ("too many sizes", "<geom §size='1 2 3 4'/>", "at most 3 numbers, found 4"),
        ("short quaternion", "<geom size='1' §quat='1 0 0'/>", "expected 4 numbers, found 3"),
        ("short colour", "<geom size='1' §rgba='1 1 1'/>", "expected 4 numbers, found 3"),
        ("fraction", "<geom size='1' §condim='3.5'/>", "not an integer"),
        ("empty number", "<geom size='1' §group=''/>", "not an integer"),
        ("huge integer", "<geom size='1' §contype='99999999999'/>", "not an integer between"),
        ("unknown type", "<geom §type='cubes' size='1'/>", "`cubes` is not one of plane"),
        ("wrong case", "<geom §type='Box' size='1 1 1'/>", "did you mean `box`?"),
        ("not a truth value", "<body §mocap='yes'/>", "`yes` is not one of"),
        ("output twice", "<camera §output='rgb rgb'/>", "duplicate keyword"),
    ]);
    rows.extend(section(&[
        (
            "word for a gear",
            "<actuator><motor joint='h' §gear='a'/></actuator>",
            "`a` is not a number",
        ),
        (
            "long gear",
            "<actuator><motor joint='h' §gear='1 2 3 4 5 6 7'/></actuator>",
            "at most 6 numbers",
        ),
        (
            "long polynomial",
            "<equality><joint joint1='h' §polycoef='1 2 3 4 5 6'/></equality>",
            "at most 5 numbers",
        ),
        ("word for a noise", "<sensor><clock §noise='loud'/></sensor>", "`loud` is not a number"),
    ]));
    rows
}

fn settings() -> Vec<Row> {
    model(&[
        (
            "unknown integrator",
            "<mujoco><option §integrator='euler'/></mujoco>",
            "did you mean `Euler`?",
        ),
        ("negative user size", "<mujoco><size §nuser_geom='-2'/></mujoco>", "at least -1"),
        ("negative user data", "<mujoco><size §nuserdata='-1'/></mujoco>", "at least 0"),
        ("memory unit", "<mujoco><size §memory='10Q'/></mujoco>", "not a size in bytes"),
        ("little memory", "<mujoco>§<size memory='1'/></mujoco>", "bytes are out of the range"),
        (
            "memory and rows",
            "<mujoco><size memory='1M' §njmax='5'/></mujoco>",
            "combined with `memory`",
        ),
        ("extent of zero", "<mujoco><statistic §extent='0'/></mujoco>", "must be positive"),
        ("two Euler letters", "<mujoco><compiler §eulerseq='xy'/></mujoco>", "3 letters"),
        (
            "strange Euler letter",
            "<mujoco><compiler §eulerseq='xyw'/></mujoco>",
            "contain only the letters",
        ),
        (
            "global coordinates",
            "<mujoco><compiler §coordinate='global'/></mujoco>",
            "use \"local\"",
        ),
        ("group 31", "<mujoco><option §actuatorgroupdisable='31'/></mujoco>", "the range [0, 30]"),
        (
            "near plane at zero",
            "<mujoco><visual><map §znear='0'/></visual></mujoco>",
            "must be positive",
        ),
        (
            "custom data too long",
            "<mujoco><custom><numeric name='n' size='2' §data='1 2 3'/></custom></mujoco>",
            "found 3",
        ),
        (
            "custom size",
            "<mujoco><custom><numeric name='n' §size='501'/></custom></mujoco>",
            "in [1, 500]",
        ),
        (
            "custom text without data",
            "<mujoco><custom>§<text name='n'/></custom></mujoco>",
            "attribute \"data\": required",
        ),
        ("empty tuple", "<mujoco><custom>§<tuple name='t'/></custom></mujoco>", "tuple"),
    ])
}
