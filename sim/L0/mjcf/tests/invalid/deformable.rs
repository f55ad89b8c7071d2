//! Flexes and skins: invalid elements, and malformed Gmsh and SKN files.

use crate::{Row, section, world};

pub fn rows() -> Vec<Row> {
    [flexcomps(), flexes(), skins(), gmsh(), skn()].into_iter().flatten().collect()
}

fn flexcomps() -> Vec<Row> {
    world(&[
        ("flexcomp without a name", "§<flexcomp type='grid' count='2 2 2' dim='3'/>", "name"),
        (
            "flexcomp with a small count",
            "<flexcomp name='f' type='grid' §count='0 2 2' dim='3'/>",
            "count",
        ),
        (
            "flexcomp without spacing",
            "<flexcomp name='f' type='grid' count='2 2 2' §spacing='0 1 1' dim='3'/>",
            "spacing",
        ),
        (
            "flexcomp of dimension 4",
            "<flexcomp name='f' type='grid' count='2 2 2' §dim='4'/>",
            "dim",
        ),
        (
            "solid grid of one layer",
            "<flexcomp name='f' type='grid' §count='2 2 1' dim='3'/>",
            "count",
        ),
        ("flexcomp of an unknown type", "<flexcomp name='f' §type='cone'/>", "cone"),
        ("direct flexcomp without points", "§<flexcomp name='f' type='direct' dim='2'/>", "point"),
        (
            "direct element beyond the points",
            "<flexcomp name='f' type='direct' dim='2' point='0 0 0 1 0 0 0 1 0' §element='0 1 7'/>",
            "element",
        ),
        (
            "pin beyond the points",
            "§<flexcomp name='f' type='grid' count='2 2 1' dim='2'><pin id='9'/></flexcomp>",
            "pin",
        ),
        ("mesh flexcomp without a file", "§<flexcomp name='f' type='mesh' dim='2'/>", "file"),
        (
            "flexcomp without mass",
            "<flexcomp name='f' type='grid' count='2 2 1' dim='2' §mass='0'/>",
            "mass",
        ),
    ])
}

fn flexes() -> Vec<Row> {
    section(&[
        (
            "flex without bodies",
            "<deformable>§<flex name='f' dim='1' element='0 1'/></deformable>",
            "body",
        ),
        (
            "flex of an unknown body",
            "<deformable>§<flex name='f' dim='1' body='b x' element='0 1'/></deformable>",
            "x",
        ),
        (
            "flex element beyond the vertices",
            "<deformable>§<flex name='f' dim='1' body='b c' element='0 5'/></deformable>",
            "element",
        ),
        (
            "flex element with two equal vertices",
            "<deformable>§<flex name='f' dim='1' body='b c' element='1 1'/></deformable>",
            "vert",
        ),
        (
            "flex with a partial element",
            "<deformable>§<flex name='f' dim='2' body='b c free' element='0 1'/></deformable>",
            "element",
        ),
    ])
}

fn skins() -> Vec<Row> {
    let bone =
        "<bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/>";
    let vertices = "vertex='0 0 0 1 0 0 0 1 0'";
    let rows = [
        ("skin without faces", format!("§<skin name='k' {vertices}>{bone}</skin>"), "face"),
        (
            "skin face beyond the vertices",
            format!("§<skin name='k' {vertices} face='0 1 9'>{bone}</skin>"),
            "face",
        ),
        ("skin without bones", format!("§<skin name='k' {vertices} face='0 1 2'/>"), "bone"),
        (
            "skin of an unknown body",
            format!(
                "§<skin name='k' {vertices} face='0 1 2'>{}</skin>",
                bone.replace("'b'", "'x'")
            ),
            "x",
        ),
        (
            "skin weights of another length",
            format!(
                "§<skin name='k' {vertices} face='0 1 2'>{}</skin>",
                bone.replace("'1 1 1'", "'1 1'")
            ),
            "weight",
        ),
        (
            "skin vertex without a bone",
            format!(
                "§<skin name='k' {vertices} face='0 1 2'>{}</skin>",
                bone.replace("'0 1 2'", "'0 1 1'")
            ),
            "vert",
        ),
    ];
    let rows: Vec<_> = rows
        .iter()
        .map(|(what, text, fragment)| (*what, format!("<asset>{text}</asset>"), *fragment))
        .collect();
    section(
        &rows
            .iter()
            .map(|(what, text, fragment)| (*what, text.as_str(), *fragment))
            .collect::<Vec<_>>(),
    )
}

/// Gmsh files of a flexcomp.
fn gmsh() -> Vec<Row> {
    let start = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
    let nodes = "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n";
    let elements = "$Elements\n1\n1 2 2 0 1 1 2 3\n$EndElements\n";
    let files = [
        ("empty Gmsh file", String::new(), "$MeshFormat"),
        ("Gmsh without a version", "$MeshFormat\n".to_owned(), "version"),
        (
            "Gmsh of version 3",
            format!("$MeshFormat\n3.0 0 8\n$EndMeshFormat\n{nodes}{elements}"),
            "versions 2.2 and 4.1",
        ),
        ("Gmsh without nodes", format!("{start}{elements}"), "$Nodes"),
        ("Gmsh without elements", format!("{start}{nodes}"), "$Elements"),
        (
            "Gmsh with a missing node",
            format!("{start}{}{elements}", nodes.replace("3 0 1 0\n", "")),
            "node",
        ),
        (
            "Gmsh element of unknown nodes",
            format!("{start}{nodes}{}", elements.replace("1 2 3\n", "1 2 9\n")),
            "node that does not exist",
        ),
        (
            "Gmsh with text for a number",
            format!("{start}{}{elements}", nodes.replace("1 0 0\n", "x 0 0\n")),
            "Gmsh",
        ),
    ];
    let text = "<mujoco>\n<worldbody><flexcomp name='f' type='gmsh' §file='f.msh' dim='2'/></worldbody></mujoco>";
    let row = |(what, content, fragment): &(&str, String, &str)| {
        Row::new(what, text, fragment).with("f.msh", content.as_bytes())
    };
    files.iter().map(row).collect()
}

/// SKN files.
fn skn() -> Vec<Row> {
    let header =
        |counts: [i32; 4]| counts.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let files = [
        ("empty SKN file", Vec::new(), "shorter than its header"),
        ("SKN with negative counts", header([-1, 0, 1, 1]), "SKN"),
        ("SKN with more vertices than bytes", header([1 << 30, 0, 1, 1]), "bytes remain"),
        (
            "SKN that ends in its vertices",
            [header([2, 0, 0, 0]), vec![0; 12]].concat(),
            "bytes remain",
        ),
    ];
    let text = "<mujoco>\n<asset>§<skin file='k.skn'/></asset></mujoco>";
    files
        .into_iter()
        .map(|(what, content, fragment)| Row::new(what, text, fragment).with("k.skn", content))
        .collect()
}
